"""Spherical dyads: two links between three concurrent axes, of which the outer two are given, on expressions.

The axes cut the unit sphere in a triangle with the arcs α (axis 1 to 2), β (axis 2 to 3) and γ (axis 1 to 3). An arc is
given by its cosine and sine, in any quadrant.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.turns import Turn
from linkwork.closed_form.validity import sine_of


@dataclass(frozen=True, eq=False)
class SphericalBranch:
    """One assembly of a spherical dyad.

    ``axis`` (3) is the common unit axis u₂. The turns are the angles of the triangle, positive about the axis:
    ``first`` about u₁ from the arc to u₃ to the arc to u₂, ``inner`` about u₂ from the arc to u₁ to the arc to u₃,
    ``second`` about u₃ from the arc to u₂ to the arc to u₁ (an arc whose sine is negative points the other way).
    ``valid``, the squared sine of the inner turn, is positive where the assembly is real and regular, zero where the
    three axes lie in one plane, negative where the links do not meet; there the numbers are finite and without meaning.
    """

    axis: ca.SX
    first: Turn
    inner: Turn
    second: Turn
    valid: ca.SX


def spherical_dyad(axis1: ca.SX, arc1: Turn, arc2: Turn, axis3: ca.SX, side: ca.SX | int) -> SphericalBranch:
    """The common axis on one side: +1 that of u₁ × u₃, −1 the other.

    With u₂ = x u₁ + y u₃ + z u₁ × u₃ and k = cos γ, u₂·u₁ = cos α and u₂·u₃ = cos β give
    x sin²γ = cos α − k cos β, y sin²γ = cos β − k cos α, and |u₂| = 1 gives (z sin²γ)² = V, the Gram determinant
    V = (cos(α − β) − k) (k − cos(α + β)) = (sin α sin β sin t₂)². The cosine rule of the triangle and its sines
    √V / (sin sin) give the turns. The axes u₁ and u₃ must not be parallel.
    """
    across = ca.cross(axis1, axis3)
    k, square = ca.dot(axis1, axis3), ca.sumsqr(across)
    (c1, s1), (c2, s2) = arc1, arc2
    x, y, cosine = c1 - k * c2, c2 - k * c1, (k - c1 * c2) / (s1 * s2)
    valid = (1 - cosine) * (1 + cosine)
    span = ca.sqrt(square)
    sine = side * sine_of(valid)
    volume = s1 * s2 * sine
    return SphericalBranch(
        axis=(x * axis1 + y * axis3 + volume * across) / square,
        first=(y / (s1 * span), volume / (s1 * span)),
        inner=(cosine, sine),
        second=(x / (s2 * span), volume / (s2 * span)),
        valid=valid,
    )
