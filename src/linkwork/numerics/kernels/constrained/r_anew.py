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
from linkwork.numerics.kernels.constrained.inputs import explain_square, factor_square, meet_conditions, meet_velocities
from linkwork.numerics.kernels.constrained.projection import evaluate_closure, open_by, settle
from linkwork.numerics.kernels.constrained.state import NEGLIGIBLE
from linkwork.numerics.kernels.constrained.workspace import Workspace
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats


@kernel
def choose_here(t: float, closed: int, y: Floats, ws: Workspace) -> Code:
    """Rows, B and factors of [C; B] at the positions as they are; *closed*: they satisfy the conditions."""
    ws.correction = settle(t, y, ws)
    evaluate_closure(t, y, ws)
    code = choose_rows(ws) if closed == 1 else hold_rows(ws)
    if code < 0:
        return code
    choose_inputs(ws)
    failed = factor_square(ws)
    return explain_square(failed, ws) if failed >= 0 else 0


@kernel
def choose_anew(t: float, y: Floats, ws: Workspace) -> Code:
    """The same at any positions."""
    return choose_here(t, 0, y, ws)


@kernel
def return_anew(t: float, y: Floats, ws: Workspace) -> Code:
    """Return positions to the conditions when a row is open by more than the tolerance, then velocities."""
    code = choose_here(t, 0, y, ws)
    if code < 0:
        return code
    moved = ws.correction
    if open_by(ws) > ws.tolerance:
        ws.fallbacks += 1 if t > ws.last_time else 0
        code = meet_conditions(t, y, ws)
        if code < 0:
            return code
        moved = max(moved, ws.correction)
        code = choose_here(t, 1, y, ws)
        if code < 0:
            return code
    meet_velocities(y, ws)
    ws.last_time = max(t, ws.last_time)
    return 1 if moved > NEGLIGIBLE else 0
