"""Radau IIA: collocation at the zeros of a Radau polynomial, the last of which is the end of the step.

L-stable, stiffly accurate, of order 2s − 1 with s stages, and so made for stiff equations and for those with algebraic
conditions.
"""

import math

import numpy as np

from linkwork.numerics.integrators.coupled import coupled_runge_kutta

SOURCE = "B. L. Ehle 1969; Hairer and Wanner II, sections IV.5 and IV.8"
ROOT = math.sqrt(6)

RADAU3 = coupled_runge_kutta(
    np.array([1 / 3, 1.0]),
    name="radau3",
    title="Radau IIA, two stages",
    order=3,
    stability="L-stable",
    source=SOURCE,
)

RADAU5 = coupled_runge_kutta(
    np.array([(4 - ROOT) / 10, (4 + ROOT) / 10, 1.0]),
    name="radau5",
    title="Radau IIA, three stages",
    order=5,
    sharpness=2 / 3,
    stability="L-stable",
    source=SOURCE,
)

RADAU9 = coupled_runge_kutta(
    np.array([0.05710419611451768, 0.27684301363812383, 0.5835904323689168, 0.8602401356562194, 1.0]),
    name="radau9",
    title="Radau IIA, five stages",
    order=9,
    sharpness=2 / 3,
    stability="L-stable",
    source=SOURCE + "; E. Hairer, G. Wanner, J. Comput. Appl. Math. 111 (1999) 93-111",
)
