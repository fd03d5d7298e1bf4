"""The trapezoidal rule: y₊ = y + h/2 (ẏ + ẏ₊), A-stable, without damping.

Output between the steps is the parabola with both derivatives: y(θ) = y + h (θ − θ²/2) ẏ + h θ²/2 ẏ₊.
"""

import numpy as np

from linkwork.numerics.integrators.base import RungeKutta, square

TRAPEZOIDAL = RungeKutta(
    name="trapezoidal",
    title="trapezoidal rule",
    order=2,
    dense_order=2,
    stages=1,
    nodes=np.array([0.0, 1.0]),
    matrix=square([[], [1 / 2, 1 / 2]]),
    error=np.zeros((0, 2)),
    dense=np.array([[1.0, -1 / 2], [0.0, 1 / 2]]),
    stability="A-stable",
    source="Hairer, Nørsett, Wanner I, section II.7, table 7.6; García de Jalón and Bayo, eq. 8.127",
)
