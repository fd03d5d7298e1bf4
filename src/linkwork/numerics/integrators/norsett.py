"""Nørsett's methods with two implicit stages of the same coefficient α, which all have the order 2::

    α       α
    1 − α   1 − 2α  α
            1/2     1/2

With α = 1 − √2/2 the method is L-stable; with α = (3 + √3)/6 it is A-stable and of order 3. (The book of García de
Jalón and Bayo prints (3 + √6)/2 there, which does not satisfy the conditions of order 3.)
"""

import math

import numpy as np

from linkwork.numerics.integrators.base import Array, RungeKutta, hermite, square


def tableau(alpha: float) -> Array:
    """A with the derivative at the start, which has no weight, in front and the weights b behind."""
    return square([[], [0.0, alpha], [0.0, 1 - 2 * alpha, alpha], [0.0, 1 / 2, 1 / 2]])


SECOND, THIRD = 1 - math.sqrt(2) / 2, (3 + math.sqrt(3)) / 6

NORSETT2 = RungeKutta(
    name="norsett2",
    title="Nørsett, two stages, α = 1 − √2/2",
    order=2,
    dense_order=2,
    stages=3,
    nodes=np.array([0.0, SECOND, 1 - SECOND, 1.0]),
    matrix=tableau(SECOND),
    error=np.zeros((0, 4)),
    dense=hermite([0.0, 1 / 2, 1 / 2]),
    stability="L-stable",
    source="S. P. Nørsett, Semi explicit Runge-Kutta methods, Trondheim 1974; García de Jalón and Bayo, section 7.1",
)

NORSETT3 = RungeKutta(
    name="norsett3",
    title="Nørsett, two stages, α = (3 + √3)/6",
    order=3,
    dense_order=3,
    stages=3,
    nodes=np.array([0.0, THIRD, 1 - THIRD, 1.0]),
    matrix=tableau(THIRD),
    error=np.zeros((0, 4)),
    dense=hermite([0.0, 1 / 2, 1 / 2]),
    stability="A-stable",
    source="S. P. Nørsett, Semi explicit Runge-Kutta methods, Trondheim 1974; Hairer, Nørsett, Wanner I, table II.7.2",
)
