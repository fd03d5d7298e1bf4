"""Adams-Moulton methods of order 1 to 5: y₊ = y + h β₀ f₊ + h Σ_i β_i f_{n+1−i}.

AM: solved for y₊ by Newton's method. ABM: predicted by Adams-Bashforth of the same order and corrected once, with an
evaluation before and behind (PECE); ``adams_bashforth_moulton`` makes more of them, or as many as convergence takes. The
error of ABM4 is near −19/270 of what the correction has changed (García de Jalón and Bayo, eq. 7.27, sign corrected).
"""

import numpy as np

from linkwork.errors import RefusedError
from linkwork.numerics.integrators.adams_bashforth import ROWS as PREDICTORS
from linkwork.numerics.integrators.base import Array, Stability
from linkwork.numerics.integrators.multistep import Multistep, starter

SOURCE = "García de Jalón and Bayo, table 7.2, signs restored; Hairer, Nørsett, Wanner I, section III.1"

# β₀, then the weights of the history
ROWS: dict[int, Array] = {
    1: np.array([1.0, 0.0]),
    2: np.array([1.0, 1.0, 0.0]) / 2,
    3: np.array([5.0, 8.0, -1.0, 0.0]) / 12,
    4: np.array([9.0, 19.0, -5.0, 1.0, 0.0]) / 24,
    5: np.array([251.0, 646.0, -264.0, 106.0, -19.0, 0.0]) / 720,
}
STABILITY: dict[int, Stability] = {1: "L-stable", 2: "A-stable"}

AM1, AM2, AM3, AM4, AM5 = (
    Multistep(
        name=f"am{k}",
        title=f"Adams-Moulton {k}",
        order=k,
        dense_order=k,
        predictor=PREDICTORS[k],
        corrector=row[1:],
        end_weight=row[0],
        corrections=None,
        stability=STABILITY.get(k, "conditionally stable"),
        source=SOURCE,
    )
    for k, row in ROWS.items()
)


def adams_bashforth_moulton(order: int = 4, corrections: int = 1) -> Multistep:
    """Predicted by Adams-Bashforth, corrected by Adams-Moulton of the same order, 1 to 5.

    corrections: how many, each followed by an evaluation; 0: until they no longer change the state
    """
    if order not in ROWS or corrections < 0:
        raise RefusedError(
            f"order = {order}, corrections = {corrections}: a predictor-corrector has an order from 1 to 5, and one "
            "correction or more; 0 stands for as many as convergence takes"
        )
    often = {0: " to convergence", 1: ""}.get(corrections, f" with {corrections} corrections")
    return Multistep(
        name=f"abm{order}{often}",
        title=f"Adams-Bashforth-Moulton {order}{often or ', PECE'}",
        order=order,
        dense_order=min(order, starter(order).dense_order),
        predictor=PREDICTORS[order],
        corrector=ROWS[order][1:],
        end_weight=ROWS[order][0],
        corrections=corrections,
        stability="conditionally stable",
        source=SOURCE + "; algorithm 7-1",
    )


ABM1, ABM2, ABM3, ABM4, ABM5 = map(adams_bashforth_moulton, ROWS)
