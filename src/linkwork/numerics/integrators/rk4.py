"""The classical Runge-Kutta method of order 4, fixed step, with cubic Hermite interpolation between the steps."""

import numpy as np

from linkwork.numerics.integrators.base import Method, square

b = np.array([1 / 6, 1 / 3, 1 / 3, 1 / 6, 0.0])

# y(θ) = y + θ² (3 - 2θ) (y_new - y) + (θ - 2θ² + θ³) h k_0 + (θ³ - θ²) h k_4
hermite = np.outer(b, [0.0, 3.0, -2.0])
hermite[0] += [1.0, -2.0, 1.0]
hermite[4] += [0.0, -1.0, 1.0]

RK4 = Method(
    name="rk4",
    title="Runge-Kutta 4",
    order=4,
    dense_order=3,
    stages=4,
    nodes=np.array([0.0, 0.5, 0.5, 1.0, 1.0]),
    matrix=square([[], [0.5], [0.0, 0.5], [0.0, 0.0, 1.0], [1 / 6, 1 / 3, 1 / 3, 1 / 6]]),
    error=np.zeros((0, 5)),
    dense=hermite,
    source="W. Kutta, Z. Math. Phys. 46 (1901) 435-453; Hairer, Nørsett, Wanner I, sections II.1 and II.6",
)
