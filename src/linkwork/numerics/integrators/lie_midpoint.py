"""The implicit midpoint rule on the group of rotations.

In the rotation vector from the start of the step, the midpoint rule finds the rotation halfway, θ = ½ h Ω, and ends with
A₊ = A exp(h Ω), Ω being the mean of the angular velocities at both ends: dexp⁻¹(θ) Ω = Ω where θ and Ω are parallel. The
mass matrix is that of a rotation, not of the mean of two quaternions, so that the energy and the length of the angular
momentum of a free body are kept in all coordinates.
"""

from dataclasses import replace

from linkwork.numerics.integrators.implicit_midpoint import IMPLICIT_MIDPOINT

LIE_MIDPOINT = replace(
    IMPLICIT_MIDPOINT,
    name="lie_midpoint",
    title="implicit midpoint rule, a Lie-group method",
    source="A. Iserles et al., Acta Numerica 9 (2000) 215-365, section 4; A. Zanna, K. Engø, H. Z. Munthe-Kaas, BIT 41 "
    "(2001) 395-421",
    orientation="exponential",
)
