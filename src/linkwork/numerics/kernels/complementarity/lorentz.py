"""Cones of Lorentz, {x₀ ≥ |x₁|}: the scaling of Yu. Nesterov and M. Todd (1997) of two points inside, and longest steps.

W z = W⁻¹ x = λ with W = β (2 v vᵀ − J), of which β and w̄ with W = β (w̄₀, w̄₁ᵀ; w̄₁, 1 + w̄₁ w̄₁ᵀ / (1 + w̄₀)) are kept;
∘ is the product x ∘ z = (x·z, x₀ z₁ + z₀ x₁).
"""

from __future__ import annotations

import math

from linkwork.numerics.kernels.complementarity.cones import TINY
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Floats


@kernel
def determinant(x: Floats, size: int) -> float:
    """x₀² − |x₁|², as a product."""
    slip = 0.0
    for k in range(1, size):
        slip += x[k] * x[k]
    slip = math.sqrt(slip)
    return (x[0] - slip) * (x[0] + slip)


@kernel
def scale_cone(x: Floats, z: Floats, size: int, axis: Floats) -> float:
    """β, and w̄ of the scaling of a cone; 0 where a point is not inside."""
    dx, dz = determinant(x, size), determinant(z, size)
    if not (dx > 0.0 and dz > 0.0 and x[0] > 0.0 and z[0] > 0.0):
        return 0.0
    sx, sz, product = 1.0 / math.sqrt(dx), 1.0 / math.sqrt(dz), 0.0
    for k in range(size):
        product += x[k] * z[k]
    gamma = math.sqrt(0.5 * (1.0 + product * sx * sz))
    for k in range(size):
        axis[k] = (x[k] * sx + (z[k] * sz if k == 0 else -z[k] * sz)) / (2.0 * gamma)
    return (dx / dz) ** 0.25


@kernel
def apply_scaling(axis: Floats, beta: float, size: int, inverse: int, x: Floats, out: Floats) -> None:
    """out <- W x, or W⁻¹ x where *inverse* is 1; not the same array."""
    if size == 0:
        return
    sign, factor, along = 1.0, beta, 0.0
    if inverse == 1:
        sign, factor = -1.0, 1.0 / beta
    for k in range(1, size):
        along += axis[k] * x[k]
    out[0] = factor * (axis[0] * x[0] + sign * along)
    for k in range(1, size):
        out[k] = factor * (x[k] + axis[k] * (sign * x[0] + along / (1.0 + axis[0])))


@kernel
def divide(lam: Floats, size: int, d: Floats) -> None:
    """d <- p with λ ∘ p = d."""
    along = lam[0] * d[0]
    for k in range(1, size):
        along -= lam[k] * d[k]
    first = along / determinant(lam, size)
    for k in range(1, size):
        d[k] = (d[k] - first * lam[k]) / lam[0]
    d[0] = first


@kernel
def longest_in_cone(x: Floats, d: Floats, size: int) -> float:
    """The largest α with x + α d in the cone."""
    if size == 1:
        return -x[0] / d[0] if d[0] < 0.0 else 1e300
    a, b, c = d[0] * d[0], x[0] * d[0], determinant(x, size)
    for k in range(1, size):
        a -= d[k] * d[k]
        b -= x[k] * d[k]
    inside = b * b - a * c
    if inside < 0.0 or (a >= 0.0 and b >= 0.0):
        return 1e300
    q = -(b + math.copysign(math.sqrt(inside), b))
    best = 1e300
    if abs(a) > TINY and q / a > 0.0:
        best = q / a
    if abs(q) > TINY and c / q > 0.0:
        best = min(best, c / q)
    return best
