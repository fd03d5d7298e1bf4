"""Runge-Kutta-Fehlberg 4(5): steps of order 4, whose error a formula of order 5 estimates.

The dense output is of order 4. With the derivative at the end of the step, and without the sixth stage, which serves the
estimate alone, the eight conditions of that order for b(θ) have one solution.
"""

import numpy as np

from linkwork.numerics.integrators.base import RungeKutta, square

b = [25 / 216, 0.0, 1408 / 2565, 2197 / 4104, -1 / 5, 0.0]

RKF45 = RungeKutta(
    name="rkf45",
    title="Runge-Kutta-Fehlberg 4(5)",
    order=4,
    dense_order=4,
    stages=6,
    nodes=np.array([0.0, 1 / 4, 3 / 8, 12 / 13, 1.0, 1 / 2, 1.0]),
    matrix=square(
        [
            [],
            [1 / 4],
            [3 / 32, 9 / 32],
            [1932 / 2197, -7200 / 2197, 7296 / 2197],
            [439 / 216, -8.0, 3680 / 513, -845 / 4104],
            [-8 / 27, 2.0, -3544 / 2565, 1859 / 4104, -11 / 40],
            b,
        ]
    ),
    # b minus the weights of order 5
    error=np.array([[-1 / 360, 0.0, 128 / 4275, 2197 / 75240, -1 / 50, -2 / 55, 0.0]]),
    dense=np.array(
        [
            [1.0, -19 / 8, 239 / 108, -13 / 18],
            [0.0, 0.0, 0.0, 0.0],
            [0.0, 1024 / 285, -2560 / 513, 1664 / 855],
            [0.0, -2197 / 456, 24167 / 2052, -2197 / 342],
            [0.0, 21 / 10, -5.0, 27 / 10],
            [0.0, 0.0, 0.0, 0.0],
            [0.0, 3 / 2, -4.0, 5 / 2],
        ]
    ),
    exponents=(0.2 - 0.75 * 0.04, 0.04),
    stability="conditionally stable",
    source="E. Fehlberg, NASA TR R-315 (1969), table III; Hairer, Nørsett, Wanner I, table II.5.1",
)
