"""The method of Heun (improved Euler), y₊ = y + h/2 (k₁ + k₂) with k₂ at the end of a step of Euler; fixed step."""

import numpy as np

from linkwork.numerics.integrators.base import RungeKutta, hermite, square

b = [1 / 2, 1 / 2]

HEUN = RungeKutta(
    name="heun",
    title="Heun",
    order=2,
    dense_order=2,
    stages=2,
    nodes=np.array([0.0, 1.0, 1.0]),
    matrix=square([[], [1.0], b]),
    error=np.zeros((0, 3)),
    dense=hermite(b),
    stability="conditionally stable",
    source="K. Heun, Z. Math. Phys. 45 (1900) 23-38; Hairer, Nørsett, Wanner I, section II.1; "
    "García de Jalón and Bayo, section 7.1",
)
