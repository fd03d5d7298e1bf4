"""R straight from the conditions at every position, B = Rᵀ for coordinates divided by their scales.

- singular vectors (Singh and Likins; García de Jalón and Bayo, section 3.5.2),
- null eigenvectors of CᵀC (Kamman and Huston; section 5.1.2).

Both turn within the admissible velocities, and change signs, from one position to the next, so that ż = Rᵀv cannot be
integrated. All of q and v are: v̇ = R z̈ + S̄(−b) and v ← R Rᵀv + S̄(−a) contain R only in products that no turn changes.
[C; Rᵀ]⁻¹ = [S̄ R], where S̄ is the pseudo-inverse of C.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from linkwork.numerics.kernels import slots
from linkwork.numerics.kernels.calling import at, kernel
from linkwork.numerics.kernels.choice import choose_rows
from linkwork.numerics.kernels.constrained import NEGLIGIBLE
from linkwork.numerics.kernels.control import RESTART
from linkwork.numerics.kernels.input_choice import choose_inputs, hold_rows
from linkwork.numerics.kernels.inputs import explain_square, factor_square, meet_conditions, meet_velocities
from linkwork.numerics.kernels.multipliers import evaluate_terms
from linkwork.numerics.kernels.projection import evaluate_closure, reframe, settle, weigh_rows, worst_row
from linkwork.numerics.kernels.r_matrix import solve_r_method


@kernel("int32(double t, int64 closed, double* y, int64* ic, double* w)")
def choose_here(t, closed, y, ic, w):
    """Rows, B and factors of [C; B] at the positions as they are; *closed*: they satisfy the conditions."""
    w[slots.CORRECTION] = settle(t, y, ic, w)
    evaluate_closure(t, y, ic, w)
    code = choose_rows(ic, w) if closed == 1 else hold_rows(ic, w)
    if code < 0:
        return code
    choose_inputs(ic, w)
    failed = factor_square(ic, w)
    return explain_square(failed, ic, w) if failed >= 0 else 0


@kernel("int32(double t, double* y, double* ydot, int64* ic, double* w)")
def flow_anew(t, y, ydot, ic, w):
    """ẏ of all coordinates."""
    code = choose_here(t, 0, y, ic, w)
    if code < 0:
        return code
    meet_velocities(y, ic, w)
    evaluate_terms(t, y, ydot, ic, w)
    return solve_r_method(at(ydot, ic[slots.NQ]), ic, w)


@kernel("int32(double t, double* y, int64* ic, double* w)")
def refresh_anew(t, y, ic, w):
    """Return positions to the conditions when a row is open by more than the tolerance, then velocities."""
    code = choose_here(t, 0, y, ic, w)
    if code < 0:
        return code
    weigh_rows(at(w, ic[slots.CLOSURE_OUT] + ic[slots.M]), ic, w)
    worst_row(ic, w)
    moved = w[slots.CORRECTION]
    if w[slots.RESIDUAL] > w[slots.TOLERANCE]:
        ic[slots.FALLBACKS] += 1 if t > w[slots.LAST_TIME] else 0
        code = meet_conditions(t, y, ic, w)
        if code < 0:
            return code
        moved = max(moved, w[slots.CORRECTION])
        code = choose_here(t, 1, y, ic, w)
        if code < 0:
            return code
    meet_velocities(y, ic, w)
    w[slots.LAST_TIME] = max(t, w[slots.LAST_TIME])
    if reframe(t, y, ic, w) == 1:
        return RESTART
    return 1 if moved > NEGLIGIBLE else 0
