"""Adams-Bashforth methods of order 1 to 5: y₊ = y + h Σ_i β_i f_{n−i}, explicit, one evaluation a step.

The first k − 1 steps are those of Runge-Kutta 4, with k = 5 those of Dormand and Prince. The order of the output
between the steps is that of these first ones.
"""

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.integrators.multistep import Multistep, starter

SOURCE = "García de Jalón and Bayo, table 7.1, signs restored; Hairer, Nørsett, Wanner I, section III.1"

ROWS: dict[int, Array] = {
    1: np.array([1.0]),
    2: np.array([3.0, -1.0]) / 2,
    3: np.array([23.0, -16.0, 5.0]) / 12,
    4: np.array([55.0, -59.0, 37.0, -9.0]) / 24,
    5: np.array([1901.0, -2774.0, 2616.0, -1274.0, 251.0]) / 720,
}

AB1, AB2, AB3, AB4, AB5 = (
    Multistep(
        name=f"ab{k}",
        title=f"Adams-Bashforth {k}",
        order=k,
        dense_order=min(k, starter(k).dense_order),
        predictor=row,
        corrector=np.zeros(0),
        stability="conditionally stable",
        source=SOURCE,
    )
    for k, row in ROWS.items()
)
