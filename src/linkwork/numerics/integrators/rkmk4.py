"""The classical Runge-Kutta method on the group of rotations.

Rotations in space are stepped in the rotation vector θ from the orientation at the start of the step, A = A_n exp(θ̃), where
the method is the classical one: A_n+1 = A_n exp(h Σ_j b_j dexp⁻¹(θ_j) ω_j). All other states are numbers, and a mechanism
without free rotations is stepped as by ``rk4``.
"""

from dataclasses import replace

from linkwork.numerics.integrators.rk4 import RK4

RKMK4 = replace(
    RK4,
    name="rkmk4",
    title="Runge-Kutta-Munthe-Kaas 4, a Lie-group method",
    source="H. Munthe-Kaas, Applied Numerical Mathematics 29 (1999) 115-127",
    orientation="exponential",
)
