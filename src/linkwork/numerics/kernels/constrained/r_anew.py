"""R straight from the conditions at every position, B = Rᵀ for coordinates divided by their scales.

- singular vectors (Singh and Likins; García de Jalón and Bayo, section 3.5.2),
- null eigenvectors of CᵀC (Kamman and Huston; section 5.1.2).

Both turn within the admissible velocities, and change signs, from one position to the next, so that ż = Rᵀv cannot be
integrated. All of q and v are: v̇ = R z̈ + S̄(−b) and v ← R Rᵀv + S̄(−a) contain R only in products that no turn changes.
[C; Rᵀ]⁻¹ = [S̄ R], where S̄ is the pseudo-inverse of C.
"""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.choice import choose_rows
from linkwork.numerics.kernels.constrained.input_choice import choose_inputs, hold_rows
from linkwork.numerics.kernels.constrained.inputs import factor_square
from linkwork.numerics.kernels.constrained.placing import settle
from linkwork.numerics.kernels.constrained.projection import evaluate_closure
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats


@kernel
def choose_here(t: float, y: Floats, ws: Workspace) -> Code:
    """Rows, B and factors of [C; B] at the positions as they are."""
    ws.correction = settle(t, y, ws)
    evaluate_closure(t, y, ws)
    code = choose_rows(ws) if ws.closed == 1 else hold_rows(ws)
    if code < 0:
        return code
    choose_inputs(ws)
    return factor_square(ws)


@kernel
def choose_anew(t: float, y: Floats, ws: Workspace) -> Code:
    """The same at any positions."""
    ws.closed = 0
    return choose_here(t, y, ws)


@kernel
def choose_again(t: float, y: Floats, ws: Workspace) -> Code:
    """The same where positions have returned to the conditions since."""
    ws.last_time = max(t, ws.last_time)
    return choose_here(t, y, ws) if ws.closed == 1 else 0
