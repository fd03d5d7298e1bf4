"""Real roots of a quartic in straight-line code, all of them or one, by Ferrari's factors on a turned circle.

A quartic in a half-angle tangent is a trigonometric polynomial with two harmonics, and so is a quartic in a length d with
d = tan(q/2). On the circle a small leading coefficient, or the angle π of a half-angle tangent, are points like any
other: the circle is turned so that no root lies near the pole of the tangent. The roots are polished by Newton's method
in the angle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import casadi as ca

from linkwork.algebra.turns import Turn
from linkwork.closed_form.base import unit_turn
from linkwork.closed_form.trigonometric import SlideRoot, TurnRoot, finite_slide, half_turn

_POLISHING = 2
_DAMPING = 1e-20
_NOT_REAL = -1e30

QuadraticTerms = tuple[ca.SX, ca.SX, ca.SX]
"""Coefficients of (1, cos q, sin q) or of (1, d, d²)."""


@dataclass(frozen=True, eq=False)
class Harmonics:
    """F(q) = a0 + a1 cos q + b1 sin q + a2 cos 2q + b2 sin 2q."""

    a0: ca.SX
    a1: ca.SX
    b1: ca.SX
    a2: ca.SX
    b2: ca.SX

    def scaled(self, factor: ca.SX) -> Harmonics:
        return Harmonics(factor * self.a0, factor * self.a1, factor * self.b1, factor * self.a2, factor * self.b2)

    def turned(self, start: Turn) -> Harmonics:
        """F(start + θ) as a function of θ."""
        c, s = start
        c2, s2 = _double(start)
        return Harmonics(
            self.a0,
            self.a1 * c + self.b1 * s,
            self.b1 * c - self.a1 * s,
            self.a2 * c2 + self.b2 * s2,
            self.b2 * c2 - self.a2 * s2,
        )

    def newton(self, turn: Turn) -> Turn:
        """One Newton step; the damping bounds it where two roots meet. The harmonics are of size one."""
        c, s = turn
        c2, s2 = _double(turn)
        value = self.a0 + self.a1 * c + self.b1 * s + self.a2 * c2 + self.b2 * s2
        slope = self.b1 * c - self.a1 * s + 2 * (self.b2 * c2 - self.a2 * s2)
        step = -value * slope / (slope * slope + _DAMPING)
        return unit_turn(c - step * s, s + step * c)


def turns_of(form: ca.SX) -> list[TurnRoot]:
    """Four roots of vᵀ *form* v = 0, v = (1, cos q, sin q); *form* is 3 × 3 and symmetric."""
    return _all_roots(_of_turns(form))


def slides_of(form: ca.SX) -> list[SlideRoot]:
    """Four roots of vᵀ *form* v = 0, v = (1, d, d²); *form* is 3 × 3 and symmetric."""
    return [_slide(root) for root in _all_roots(_of_lengths(_coefficients(form)))]


def best_turn(form: ca.SX, score: QuadraticTerms) -> TurnRoot:
    """Of the roots of *turns_of* that one for which *score* · (1, cos q, sin q) is largest; real ones come first.

    It is not polished here, since all three freedoms are in the end.
    """

    def rate(root: TurnRoot) -> ca.SX:
        return _rated(score[0] + score[1] * root.turn[0] + score[2] * root.turn[1], root.valid)

    return _best_root(_of_turns(form), rate)


def best_slide(form: ca.SX, score: QuadraticTerms) -> SlideRoot:
    """Of the roots of *slides_of* that one for which *score* · (1, d, d²) is largest; real and finite ones come first.

    It is not polished here, since all three freedoms are in the end.
    """

    def rate(root: TurnRoot) -> ca.SX:
        found = _slide(root)
        return _rated(score[0] + (score[1] + score[2] * found.slide) * found.slide, found.valid)

    return _slide(_best_root(_of_lengths(_coefficients(form)), rate))


def _rated(score: ca.SX, valid: ca.SX) -> ca.SX:
    return ca.if_else(valid >= 0, score, _NOT_REAL)


def _slide(root: TurnRoot) -> SlideRoot:
    return finite_slide(*half_turn(root.turn), root.valid)


def _of_turns(form: ca.SX) -> Harmonics:
    """vᵀ form v with v = (1, cos q, sin q)."""
    mean, difference = (form[1, 1] + form[2, 2]) / 2, (form[1, 1] - form[2, 2]) / 2
    return Harmonics(form[0, 0] + mean, 2 * form[0, 1], 2 * form[0, 2], difference, form[1, 2])


def _coefficients(form: ca.SX) -> list[ca.SX]:
    """vᵀ form v with v = (1, d, d²) as a polynomial in d."""
    return [form[0, 0], 2 * form[0, 1], 2 * form[0, 2] + form[1, 1], 2 * form[1, 2], form[2, 2]]


def _of_lengths(k: Sequence[ca.SX]) -> Harmonics:
    """8 cos⁴(q/2) Σ kⱼ dʲ with d = tan(q/2)."""
    ends = k[0] + k[4]
    return Harmonics(3 * ends + k[2], 4 * (k[0] - k[4]), 2 * (k[1] + k[3]), ends - k[2], k[1] - k[3])


def _all_roots(harmonics: Harmonics) -> list[TurnRoot]:
    unit, start = _normalised(harmonics)
    return [_polished(unit, root) for root in _start_roots(unit, start)]


def _best_root(harmonics: Harmonics, rate: Callable[[TurnRoot], ca.SX]) -> TurnRoot:
    """The root with the largest rate."""
    unit, start = _normalised(harmonics)
    first, *others = _start_roots(unit, start)
    best, highest = first, rate(first)
    for root in others:
        mark = rate(root)
        better = mark > highest
        turn = (ca.if_else(better, root.turn[0], best.turn[0]), ca.if_else(better, root.turn[1], best.turn[1]))
        best = TurnRoot(turn, ca.if_else(better, root.valid, best.valid))
        highest = ca.fmax(mark, highest)
    return best


def _polished(harmonics: Harmonics, root: TurnRoot) -> TurnRoot:
    turn = root.turn
    for _ in range(_POLISHING):
        turn = harmonics.newton(turn)
    return TurnRoot(turn, root.valid)


def _double(turn: Turn) -> Turn:
    c, s = turn
    return c * c - s * s, 2 * c * s


def _normalised(f: Harmonics) -> tuple[Harmonics, Turn]:
    """F scaled to 1 in one of six directions, those 60° apart, where |F| is largest; and the opposite direction.

    Σ F² over the six is 6 (a0² + (a1² + b1² + a2² + b2²) / 2): there is always a direction far from all roots. F is the
    sum of an even part and an odd part, which changes its sign in the opposite direction.
    """
    h, r = 0.5, sqrt(0.75)
    even, odd = f.a0 - h * f.a2, r * f.b1
    # rows (even part, odd part, cosine, sine) of three directions
    best, *others = (
        ca.horzcat(f.a0 + f.a2, f.a1, 1, 0),
        ca.horzcat(even + r * f.b2, h * f.a1 + odd, h, r),
        ca.horzcat(even - r * f.b2, odd - h * f.a1, -h, r),
    )
    largest = _size(best)
    for other in others:
        size = _size(other)
        best = ca.if_else(size > largest, other, best)
        largest = ca.fmax(size, largest)
    side = ca.if_else(best[0] * best[1] >= 0, 1, -1)
    lead = best[0] + side * best[1]
    unit = f.scaled(1 / ca.copysign(ca.fmax(largest, 1e-280), lead))
    return unit, (-side * best[2], -side * best[3])


def _size(row: ca.SX) -> ca.SX:
    return ca.fabs(row[0]) + ca.fabs(row[1])


def _start_roots(unit: Harmonics, start: Turn) -> list[TurnRoot]:
    """Four roots by Ferrari's factors of (1 + t²)² F(start + θ), t = tan(θ/2), whose coefficient of t⁴ is one."""
    f = unit.turned(start)
    c0, s0 = start
    roots = []
    for t, valid in _ferrari([f.a0 + f.a1 + f.a2, 2 * f.b1 + 4 * f.b2, 2 * f.a0 - 6 * f.a2, 2 * f.b1 - 4 * f.b2]):
        scale = 1 / (1 + t * t)
        c, s = (1 - t * t) * scale, 2 * t * scale
        roots.append(TurnRoot((c * c0 - s * s0, s * c0 + c * s0), valid))
    return roots


def _ferrari(monic: Sequence[ca.SX]) -> list[tuple[ca.SX, ca.SX]]:
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
