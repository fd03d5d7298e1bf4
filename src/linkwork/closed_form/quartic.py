"""All real roots of a quartic in straight-line code, by Ferrari's factors on a turned projective line.

The quartic is kept as a form F(x, w) = Σ aₖ xᵏ w⁴⁻ᵏ. A turn of (x, w) makes its leading coefficient large, so that no
root lies near infinity: a small leading coefficient, or the angle π of a half-angle tangent, are then points like any
other. The roots are polished by Newton on the circle x² + w² = 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

import casadi as ca

from linkwork.closed_form.trigonometric import SlideRoot, TurnRoot, finite_slide

_DIRECTIONS = 8
_POLISHING = 2
_DAMPING = 1e-20

Polynomial = list[ca.SX]
"""Coefficients of xᵏ wⁿ⁻ᵏ, k = 0 … n."""


@dataclass(frozen=True, eq=False)
class ProjectiveRoot:
    """A root (x, w) of unit length of a binary form; ``valid`` ≥ 0 where it is real."""

    x: ca.SX
    w: ca.SX
    valid: ca.SX


def solve_quartic(coefficients: Sequence[ca.SX]) -> list[SlideRoot]:
    """Four roots of Σ aₖ dᵏ = 0, k = 0 … 4; those at infinity are not valid."""
    return [finite_slide(root.x, root.w, root.valid) for root in solve_form(coefficients)]


def solve_second_harmonic(a0: ca.SX, a1: ca.SX, b1: ca.SX, a2: ca.SX, b2: ca.SX) -> list[TurnRoot]:
    """Four roots of a0 + a1 cos q + b1 sin q + a2 cos 2q + b2 sin 2q = 0."""
    zero = ca.SX(0)
    form = ca.vertcat(ca.horzcat(a0 - a2, a1 / 2, b1 / 2), ca.horzcat(a1 / 2, 2 * a2, b2), ca.horzcat(b1 / 2, b2, zero))
    return turns_of(form)


def turns_of(form: ca.SX) -> list[TurnRoot]:
    """Four roots of vᵀ *form* v = 0, v = (1, cos q, sin q); *form* is 3 × 3 and symmetric.

    With x = sin(q/2), w = cos(q/2): 1 = w² + x², cos q = w² − x², sin q = 2 x w.
    """
    quartic = _expand(form, ((1, 0, 1), (1, 0, -1), (0, 2, 0)))
    return [
        TurnRoot((root.w * root.w - root.x * root.x, 2 * root.x * root.w), root.valid) for root in solve_form(quartic)
    ]


def slides_of(form: ca.SX) -> list[SlideRoot]:
    """Four roots of vᵀ *form* v = 0, v = (1, d, d²)."""
    return solve_quartic(_expand(form, ((1, 0, 0), (0, 1, 0), (0, 0, 1))))


def solve_form(coefficients: Sequence[ca.SX]) -> list[ProjectiveRoot]:
    """Four roots (x, w) of the form Σ aₖ xᵏ w⁴⁻ᵏ = 0."""
    form = _normalised(coefficients)
    c, s = _best_direction(form)
    turned = _turned(form, c, s)
    roots = []
    for t, valid in _ferrari([coefficient / turned[4] for coefficient in turned[:4]]):
        length = ca.sqrt(1 + t * t)
        x, w = (t * c - s) / length, (t * s + c) / length
        for _ in range(_POLISHING):
            x, w = _newton(form, x, w)
        roots.append(ProjectiveRoot(x, w, valid))
    return roots


def _expand(form: ca.SX, basis: Sequence[Sequence[int]]) -> Polynomial:
    """Coefficients of the quartic vᵀ form v, where vᵢ is the binary quadratic with coefficients basis[i]."""
    quartic = [ca.SX(0) for _ in range(5)]
    for i in range(3):
        for j in range(3):
            for k, left in enumerate(basis[i]):
                for m, right in enumerate(basis[j]):
                    if left * right:
                        quartic[k + m] = quartic[k + m] + left * right * form[i, j]
    return quartic


def _normalised(coefficients: Sequence[ca.SX]) -> Polynomial:
    size = ca.sqrt(ca.fmax(sum((a * a for a in coefficients), ca.SX(0)), 1e-280))
    return [a / size for a in coefficients]


def _value(form: Sequence[ca.SX], x: ca.SX | float, w: ca.SX | float) -> ca.SX:
    """Value of a binary form."""
    total, power = ca.SX(0), ca.SX(1)
    for a in reversed(form):
        # Horner's scheme in x with the powers of w carried along
        total, power = total * x + a * power, power * w
    return total


def _best_direction(form: Polynomial) -> tuple[ca.SX, ca.SX]:
    """Direction (x, w) = (c, s), of eight, where |F| is largest; F vanishes in four directions at most."""
    largest, c, s = ca.SX(-1), ca.SX(1), ca.SX(0)
    for k in range(_DIRECTIONS):
        x, w = cos(pi * k / _DIRECTIONS), sin(pi * k / _DIRECTIONS)
        size = ca.fabs(_value(form, x, w))
        better = size > largest
        largest, c, s = ca.fmax(size, largest), ca.if_else(better, x, c), ca.if_else(better, w, s)
    return c, s


def _turned(form: Polynomial, c: ca.SX, s: ca.SX) -> Polynomial:
    """Coefficients of F(c x − s w, s x + c w)."""
    turned: Polynomial = [form[4]]
    power: Polynomial = [ca.SX(1)]
    for a in reversed(form[:4]):
        power = _times(power, [c, s])
        turned = [u + a * v for u, v in zip(_times(turned, [-s, c]), power, strict=True)]
    return turned


def _times(p: Polynomial, q: Polynomial) -> Polynomial:
    product = [ca.SX(0) for _ in range(len(p) + len(q) - 1)]
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] = product[i + j] + a * b
    return product


def _newton(form: Polynomial, x: ca.SX, w: ca.SX) -> tuple[ca.SX, ca.SX]:
    """One Newton step along the circle; the damping bounds it where two roots meet."""
    value = _value(form, x, w)
    by_x = _value([k * form[k] for k in range(1, 5)], x, w)
    by_w = _value([(4 - k) * form[k] for k in range(4)], x, w)
    slope = by_x * w - by_w * x
    step = -value * slope / (slope * slope + _DAMPING)
    length = ca.sqrt(1 + step * step)
    return (x + step * w) / length, (w - step * x) / length


def _ferrari(monic: Polynomial) -> list[tuple[ca.SX, ca.SX]]:
    """Roots and their validity of t⁴ + b t³ + c t² + d t + e, *monic* = (e, d, c, b).

    With t = y − b/4: y⁴ + p y² + q y + r = (y² + α y + β)(y² − α y + γ), where z = α² is the largest root of
    z³ + 2 p z² + (p² − 4 r) z − q² = 0, β + γ = p + z and γ − β = q/α.
    """
    e, d, c, b = monic
    p = c - 3 * b * b / 8
    q = d - b * c / 2 + b * b * b / 8
    r = e - b * d / 4 + b * b * c / 16 - 3 * b * b * b * b / 256
    z = ca.fmax(_largest_cubic_root(2 * p, p * p - 4 * r, -q * q), 0)
    alpha = ca.sqrt(ca.fmax(z, 1e-40))
    # q/α loses its digits when α is small; then (γ − β)² = (p + z)² − 4 r is used
    small = z * z < 1e-8 * (p * p + ca.fabs(r))
    by_square = ca.sqrt(ca.fmax((p + z) * (p + z) - 4 * r, 1e-40)) * ca.if_else(q >= 0, 1, -1)
    difference = ca.if_else(small, by_square, q / ca.if_else(small, 1, alpha))
    roots = []
    for sign in (-1, 1):
        constant = (p + z + sign * difference) / 2
        discriminant = z - 4 * constant
        root = ca.sqrt(ca.fmax(discriminant, 1e-32))
        for side in (1, -1):
            roots.append(((sign * alpha + side * root) / 2 - b / 4, discriminant / (1 + z + ca.fabs(constant))))
    return roots


def _largest_cubic_root(a: ca.SX, b: ca.SX, c: ca.SX) -> ca.SX:
    """Largest real root of z³ + a z² + b z + c, with z = u − a/3: u³ + P u + Q.

    Three real roots: u = 2 √(−P/3) cos(⅓ arccos(−Q/2 / √(−P/3)³)); one: Cardano, without cancellation.
    """
    big_p, big_q = b - a * a / 3, 2 * a * a * a / 27 - a * b / 3 + c
    square = big_q * big_q / 4 + big_p * big_p * big_p / 27
    radius = ca.sqrt(ca.fmax(-big_p / 3, 1e-40))
    cosine = ca.fmax(-1 + 1e-15, ca.fmin(1 - 1e-15, -big_q / (2 * radius * radius * radius)))
    three = 2 * radius * ca.cos(ca.acos(cosine) / 3)
    cube = ca.fabs(big_q) / 2 + ca.sqrt(ca.fmax(square, 1e-60))
    root = ca.exp(ca.log(cube) / 3)
    one = ca.if_else(big_q >= 0, -1, 1) * (root - big_p / (3 * root))
    return ca.if_else(square > 0, one, three) - a / 3
