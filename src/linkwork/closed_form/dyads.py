"""Planar dyads: two links between two given external joints, on expressions.

The letters are the joints along the chain: external joint of link 1, inner joint, external joint of link 2. As closed
loops there are three cases only: two circles (RRR), a circle and a line (RRP, RPR), two lines (PRP, RPP); PRR and PPR are
read from their other end.

A pin is a point. A slide holds the direction of its link: the link moves along the guide and does not turn against it.
All positions are in one frame, lengths in one unit; ``normal(u)`` is *u* turned by +90 degrees.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.turns import Turn
from linkwork.closed_form.validity import sine_of

DyadSide = ca.SX | int
"""Which of two assemblies: +1 or −1, as a number or as an expression."""


@dataclass(frozen=True, eq=False)
class StraightGuide:
    """A straight guide: a point of it (2) where the slide reads zero, and its unit direction (2)."""

    point: ca.SX
    direction: ca.SX

    def at(self, slide: ca.SX, offset: ca.SX) -> ca.SX:
        """Position (2) at the travel *slide* along the guide and *offset* to its left."""
        return self.point + slide * self.direction + offset * normal(self.direction)


@dataclass(frozen=True, eq=False)
class DyadBranch:
    """One assembly of a dyad.

    ``point`` (2) is the position of the inner joint; ``first`` and ``second`` (2) are (cos, sin) of links 1 and 2;
    ``slides`` are the travels of the slides, in the order of the letters. ``valid``, a squared sine, is positive where
    the assembly is real and regular, zero at a dead centre, negative where the links do not meet; there the numbers are
    finite and without meaning.
    """

    point: ca.SX
    first: ca.SX
    second: ca.SX
    slides: tuple[ca.SX, ...]
    valid: ca.SX


def rrr(pin1: ca.SX, length1: ca.SX, length2: ca.SX, pin2: ca.SX, side: DyadSide) -> DyadBranch:
    """Two circles: the inner pin on one side of the line from *pin1* to *pin2*, +1 left and −1 right.

    With d the vector between the pins and μ the angle between the links, C = A + x d + y n(d), 2 d² x = d² + a² − b²,
    d² y = ± a b sin μ and, by Heron, 4 a² b² sin² μ = ((a + b)² − d²) (d² − (a − b)²). Links point from the external
    pins to the inner pin; ``valid`` is sin² μ.
    """
    between = pin2 - pin1
    square = ca.sumsqr(between)
    along = (square + (length1 - length2) * (length1 + length2)) / (2 * square)
    product = length1 * length2
    valid = ((length1 + length2) ** 2 - square) * (square - (length1 - length2) ** 2) / (2 * product) ** 2
    across = product * sine_of(valid) / square
    arm = along * between + side * across * normal(between)
    return DyadBranch(pin1 + arm, arm / length1, (arm - between) / length2, (), valid)


def rrp(pin: ca.SX, length: ca.SX, guide: StraightGuide, offset: ca.SX, side: DyadSide) -> DyadBranch:
    """A circle and a line: the inner pin on one side of the foot of *pin*, +1 ahead and −1 behind.

    The inner pin rides *offset* to the left of the guide: C = Q + s u + e n. With Q − A = m u + h n − e n,
    s = −m ± √(a² − h²). Link 1 points from *pin* to the inner pin, link 2 along the guide; ``valid`` is the squared sine
    between link 1 and the normal of the guide.
    """
    start = guide.at(ca.SX(0), offset) - pin
    along = ca.dot(start, guide.direction)
    across = ca.dot(start, normal(guide.direction))
    valid = (1 - across / length) * (1 + across / length)
    reach = length * sine_of(valid)
    slide = side * reach - along
    arm = side * reach * guide.direction + across * normal(guide.direction)
    return DyadBranch(guide.at(slide, offset), arm / length, guide.direction, (slide,), valid)


def rpr(pin1: ca.SX, offset1: ca.SX, offset2: ca.SX, pin2: ca.SX, side: DyadSide) -> DyadBranch:
    """A slide between two pins: *pin2* on one side along the guide that link 1 carries, +1 ahead and −1 behind.

    The guide of link 1 passes *offset1* to the left of *pin1*, and *pin2* lies *offset2* to the left of the guide. With
    δ the direction of both links and e the sum of the offsets, as complex numbers AB = (s + i e) δ, so that
    s = ±√(AB² − e²) and δ = AB (s − i e) / AB². The inner joint is the foot of *pin2* on the guide; ``valid`` is the
    squared sine between AB and the normal of the guide.
    """
    between = pin2 - pin1
    square = ca.sumsqr(between)
    offset = offset1 + offset2
    valid = 1 - offset * offset / square
    reach = ca.sqrt(square) * sine_of(valid)
    slide = side * reach
    direction = (slide * between - offset * normal(between)) / square
    return DyadBranch(pin2 - offset2 * normal(direction), direction, direction, (slide,), valid)


def prp(guide1: StraightGuide, offset1: ca.SX, offset2: ca.SX, guide2: StraightGuide) -> DyadBranch:
    """Two lines: a pin that rides *offset1* to the left of *guide1* and *offset2* to the left of *guide2*.

    Linear: s₁ u₁ − s₂ u₂ = r with r the vector from the start of the one line to that of the other. ``valid`` is the
    squared sine between the guides. Links point along their guides.
    """
    gap = guide2.at(ca.SX(0), offset2) - guide1.at(ca.SX(0), offset1)
    slide1, slide2, valid = _crossing(guide1.direction, guide2.direction, gap)
    point = guide1.at(slide1, offset1)
    return DyadBranch(point, guide1.direction, guide2.direction, (slide1, -slide2), valid)


def rpp(pin: ca.SX, offset: ca.SX, turn: Turn, guide: StraightGuide) -> DyadBranch:
    """A pin on a guide that itself slides: link 2 slides along *guide* and carries a second guide for link 1.

    The carried guide starts at the reference point of link 2, turned against link 2 by *turn*; *pin*
    lies *offset* to its left. With w the direction of the carried guide, A = Q + s₂ u + s₁ w + e n(w). The inner joint
    is the foot of *pin* on the carried guide. ``valid`` is the squared sine of *turn*.
    """
    carried = turn[0] * guide.direction + turn[1] * normal(guide.direction)
    point = pin - offset * normal(carried)
    slide1, slide2, valid = _crossing(carried, guide.direction, point - guide.point)
    return DyadBranch(point, carried, guide.direction, (slide1, slide2), valid)


def normal(vector: ca.SX) -> ca.SX:
    """*vector* (2) turned by +90 degrees."""
    return ca.vertcat(-vector[1], vector[0])


def _crossing(u: ca.SX, v: ca.SX, gap: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """The numbers x, y with x u + y v = *gap* (Cramer), and the square of u × v."""
    sine = _cross(u, v)
    return _cross(gap, v) / sine, _cross(u, gap) / sine, sine * sine


def _cross(u: ca.SX, v: ca.SX) -> ca.SX:
    return u[0] * v[1] - u[1] * v[0]
