"""The implicit midpoint rule, y₊ = y + h f(t + h/2, (y + y₊)/2): Gauss with one stage.

It keeps quadratic invariants, is symplectic and symmetric, and damps nothing. The derivative at the end of the step is
evaluated for the output between the steps alone.
"""

import numpy as np

from linkwork.numerics.integrators.base import RungeKutta, hermite, square

IMPLICIT_MIDPOINT = RungeKutta(
    name="implicit_midpoint",
    title="implicit midpoint rule",
    order=2,
    dense_order=2,
    stages=2,
    nodes=np.array([0.0, 1 / 2, 1.0]),
    matrix=square([[], [0.0, 1 / 2], [0.0, 1.0]]),
    error=np.zeros((0, 3)),
    dense=hermite([0.0, 1.0]),
    stability="A-stable",
    source="Hairer, Nørsett, Wanner I, section II.7, table 7.3; García de Jalón and Bayo, section 7.2",
)
