"""The classical Runge-Kutta method of order 4, fixed step, with cubic Hermite interpolation between the steps."""

import numpy as np

from linkwork.numerics.integrators.base import RungeKutta, hermite, square

b = [1 / 6, 1 / 3, 1 / 3, 1 / 6]

RK4 = RungeKutta(
    name="rk4",
    title="Runge-Kutta 4",
    order=4,
    dense_order=3,
    stages=4,
    nodes=np.array([0.0, 0.5, 0.5, 1.0, 1.0]),
    matrix=square([[], [0.5], [0.0, 0.5], [0.0, 0.0, 1.0], b]),
    error=np.zeros((0, 5)),
    dense=hermite(b),
    stability="conditionally stable",
    source="W. Kutta, Z. Math. Phys. 46 (1901) 435-453; Hairer, Nørsett, Wanner I, sections II.1 and II.6",
)
