"""TR-BDF2: the trapezoidal rule to t + γ h, then the backward differentiation formula of order 2, with γ = 2 − √2.

Both stages have the same coefficient γ/2, so that one factorisation serves them. A formula of order 3 on the same
stages estimates the error.
"""

import math

import numpy as np

from linkwork.numerics.integrators.base import RungeKutta, hermite, square

GAMMA, W = 2 - math.sqrt(2), math.sqrt(2) / 4
D = GAMMA / 2

TR_BDF2 = RungeKutta(
    name="tr_bdf2",
    title="TR-BDF2",
    order=2,
    dense_order=2,
    stages=2,
    nodes=np.array([0.0, GAMMA, 1.0]),
    matrix=square([[], [D, D], [W, W, D]]),
    # b minus the weights of order 3
    error=np.array([[W - (1 - W) / 3, W - (1 + 3 * W) / 3, D - D / 3]]),
    dense=hermite([W, W], D),
    exponents=(1 / 3 - 0.75 * 0.04, 0.04),
    stability="L-stable",
    source="R. E. Bank and others, IEEE Trans. Comput.-Aided Design 4 (1985) 436-451; M. E. Hosea, L. F. Shampine, "
    "Appl. Numer. Math. 20 (1996) 21-37",
)
