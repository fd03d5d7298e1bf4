"""Methods of Gauss: collocation at the zeros of a Legendre polynomial, of order 2s with s stages, the highest there is.

A-stable, symmetric and symplectic; with steps of fixed size they keep quadratic invariants to rounding errors. With
steps that follow the error they keep them to the tolerance of the stages. Dense output has the derivatives at both
ends.
"""

import math

import numpy as np

from linkwork.numerics.integrators.coupled import coupled_runge_kutta

SOURCE = "J. C. Butcher, Math. Comp. 18 (1964) 50-64; Hairer, Nørsett, Wanner I, section II.7, tables 7.3 and 7.4"

four = np.array([0.5 - math.sqrt(3) / 6, 0.5 + math.sqrt(3) / 6])
six = np.array([0.5 - math.sqrt(15) / 10, 0.5, 0.5 + math.sqrt(15) / 10])

GAUSS4 = coupled_runge_kutta(
    four,
    name="gauss4",
    title="Gauss, two stages",
    order=4,
    stability="A-stable",
    source=SOURCE,
)

GAUSS6 = coupled_runge_kutta(
    six,
    name="gauss6",
    title="Gauss, three stages",
    order=6,
    sharpness=2 / 3,
    stability="A-stable",
    source=SOURCE,
)
