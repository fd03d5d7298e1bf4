"""The explicit method of Euler, y₊ = y + h ẏ, fixed step: for teaching and for comparison.

Stable for |1 + hλ| ≤ 1, so for h ≤ 2/|λ| on the negative real axis, and never without damping.
"""

import numpy as np

from linkwork.numerics.integrators.base import RungeKutta, hermite, square

b = [1.0]

EULER = RungeKutta(
    name="euler",
    title="explicit Euler",
    order=1,
    dense_order=1,
    stages=1,
    nodes=np.array([0.0, 1.0]),
    matrix=square([[], b]),
    error=np.zeros((0, 2)),
    dense=hermite(b),
    stability="conditionally stable",
    source="L. Euler, Institutiones calculi integralis I (1768), chapter VII; García de Jalón and Bayo, section 7.1",
)
