"""ESDIRK4(3)6L[2]SA of Kennedy and Carpenter: one explicit and five implicit stages with the same coefficient 1/4.

The stages are of order 2, the last one is the new state (stiffly accurate), and the embedded formula is of order 3.
The dense output of order 4 has the derivatives at both ends.
"""

import numpy as np

from linkwork.numerics.integrators.base import RungeKutta, square
from linkwork.numerics.integrators.interpolation import smooth_dense

b = [82889 / 524892, 0.0, 15625 / 83664, 69875 / 102672, -2260 / 8211, 1 / 4]
lower = [
    4586570599 / 29645900160,
    0.0,
    178811875 / 945068544,
    814220225 / 1159782912,
    -3700637 / 11593932,
    61727 / 225920,
]
matrix = square(
    [
        [],
        [1 / 4, 1 / 4],
        [8611 / 62500, -1743 / 31250, 1 / 4],
        [5012029 / 34652500, -654441 / 2922500, 174375 / 388108, 1 / 4],
        [15267082809 / 155376265600, -71443401 / 120774400, 730878875 / 902184768, 2285395 / 8070912, 1 / 4],
        b,
    ]
)
nodes = np.array([0.0, 1 / 2, 83 / 250, 31 / 50, 17 / 20, 1.0])

ESDIRK43 = RungeKutta(
    name="esdirk43",
    title="ESDIRK4(3)6L[2]SA",
    order=4,
    dense_order=4,
    stages=5,
    nodes=nodes,
    matrix=matrix,
    error=np.subtract([b], [lower]),
    dense=smooth_dense(matrix, nodes, 5, 4),
    exponents=(1 / 4 - 0.75 * 0.04, 0.04),
    stability="L-stable",
    source="C. A. Kennedy, M. H. Carpenter, Appl. Numer. Math. 44 (2003) 139-181, implicit part of ARK4(3)6L[2]SA",
)
