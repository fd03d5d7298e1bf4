"""The implicit method of Euler, y₊ = y + h ẏ₊: the strongest damping of all, for very stiff equations at low accuracy.

Half the change of the derivative, h/2 (ẏ₊ − ẏ), estimates the error: the trapezoidal rule is of the second order. Output
between the steps is the straight line.
"""

import numpy as np

from linkwork.numerics.integrators.base import RungeKutta, square

BACKWARD_EULER = RungeKutta(
    name="backward_euler",
    title="backward Euler",
    order=1,
    dense_order=1,
    stages=1,
    nodes=np.array([0.0, 1.0]),
    matrix=square([[], [0.0, 1.0]]),
    error=np.array([[-1 / 2, 1 / 2]]),
    dense=np.array([[0.0], [1.0]]),
    exponents=(1 / 2, 0.0),
    stability="L-stable",
    source="Hairer and Wanner II, section IV.3; García de Jalón and Bayo, section 7.1",
)
