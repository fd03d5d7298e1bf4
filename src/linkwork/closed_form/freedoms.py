"""Three single freedoms, turns or slides, that carry a point or a plane; and their final Newton steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca

from linkwork.algebra.turns import Turn
from linkwork.closed_form.base import ChainElement, ElementMotion, Guess, across, motion, rotate, unit_turn

_STEPS = 3
_DAMPING = 1e-20
_GAP = 1e-11
_NOUGHT = 1e-9  # m

FreedomValue = Turn | ca.SX
"""A turn (cosine, sine) or a slide."""
Gap = Callable[[Sequence[FreedomValue]], tuple[ca.SX, list[ca.SX]]]
"""Gives the residual (3) of a closing condition and its three derivatives (3) by the freedoms."""


@dataclass(frozen=True, eq=False)
class AxisFreedom:
    """A turn about, or a slide along, an axis (3, unit) through a point (3); ``place`` is that of its element."""

    turning: bool
    axis: ca.SX
    point: ca.SX
    place: int

    def vector(self, value: FreedomValue, v: ca.SX) -> ca.SX:
        """The direction *v* (3) carried along by this freedom."""
        return rotate(self.axis, value, v) if isinstance(value, tuple) else v

    def carry(self, value: FreedomValue, x: ca.SX) -> ca.SX:
        """The point *x* (3) carried along by this freedom."""
        if isinstance(value, tuple):
            return self.point + rotate(self.axis, value, x - self.point)
        return x + value * self.axis

    def point_path(self, x: ca.SX, sign: int) -> Path:
        """Where the point *x* (3) gets to, forwards (*sign* 1) or backwards (−1): a circle or a line."""
        if not self.turning:
            return Path((x, sign * self.axis, ca.SX(3, 1)))
        return self._circle(x - self.point, sign, self.point)

    def direction_path(self, n: ca.SX, sign: int) -> Path:
        """Where the direction *n* (3) of a turn gets to, forwards (*sign* 1) or backwards (−1)."""
        return self._circle(n, sign, ca.SX(3, 1))

    def _circle(self, arm: ca.SX, sign: int, origin: ca.SX) -> Path:
        along = ca.dot(self.axis, arm) * self.axis
        return Path((origin + along, arm - along, sign * ca.cross(self.axis, arm)))


@dataclass(frozen=True, eq=False)
class Path:
    """x (3) as a function of one freedom: t₀ + t₁ cos q + t₂ sin q of a turn, t₀ + t₁ d of a slide."""

    terms: tuple[ca.SX, ca.SX, ca.SX]

    def at(self, value: FreedomValue) -> ca.SX:
        start, first, second = self.terms
        if isinstance(value, tuple):
            return start + value[0] * first + value[1] * second
        return start + value * first

    def slope(self, value: FreedomValue) -> ca.SX:
        """dx (3) by the angle or by the length."""
        _, first, second = self.terms
        return value[0] * second - value[1] * first if isinstance(value, tuple) else first


@dataclass(frozen=True, eq=False)
class MiddleView:
    """Three freedoms seen from the middle one: its point is the origin, lengths are in units of ``size`` (m).

    Where the axis of the middle one is a number, the view is turned so that this axis is z.
    """

    freedoms: tuple[AxisFreedom, AxisFreedom, AxisFreedom]
    origin: ca.SX
    axes: ca.SX
    size: ca.SX

    def point(self, x: ca.SX) -> ca.SX:
        return self.axes.T @ (x - self.origin) / self.size

    def vector(self, v: ca.SX) -> ca.SX:
        return self.axes.T @ v

    def guesses(self, given: Sequence[Guess]) -> list[FreedomValue | None]:
        """What is thought of each freedom, from what is thought of the elements of the chain."""
        found: list[FreedomValue | None] = []
        for freedom in self.freedoms:
            guess = given[freedom.place]
            slide = None if guess.slide is None else guess.slide / self.size
            found.append(guess.turn if freedom.turning else slide)
        return found

    def motions(self, chain: Sequence[ChainElement], values: Sequence[FreedomValue]) -> dict[int, ElementMotion]:
        """Motion of every element that the freedoms make up, by its place in the chain."""
        pairs = list(zip(self.freedoms, values, strict=True))
        turns = {f.place: v for f, v in pairs if isinstance(v, tuple)}
        slides = {f.place: v * self.size for f, v in pairs if not isinstance(v, tuple)}
        return {i: motion(chain[i], turns.get(i), slides.get(i)) for i in {f.place for f in self.freedoms}}


def view(around: Sequence[tuple[int, ChainElement]], points: Sequence[ca.SX]) -> MiddleView:
    """The freedoms of the elements *around* a cut, seen from the middle one; *points* (3) belong to the loop as well."""
    freedoms = _split(around)
    middle = freedoms[1]
    origin, fixed = middle.point, middle.axis.is_constant()
    axes = ca.vertcat(across(middle.axis), middle.axis.T).T if fixed else ca.SX.eye(3)
    size = _size([x - origin for x in (*points, freedoms[0].point, freedoms[2].point)])
    turned = MiddleView((freedoms[0], middle, freedoms[2]), origin, axes, size)
    seen = [AxisFreedom(f.turning, turned.vector(f.axis), turned.point(f.point), f.place) for f in freedoms]
    # without the rounding errors of the turning
    seen[1] = AxisFreedom(middle.turning, ca.SX([0, 0, 1]) if fixed else middle.axis, ca.SX(3, 1), middle.place)
    return MiddleView((seen[0], seen[1], seen[2]), origin, axes, size)


def _split(around: Sequence[tuple[int, ChainElement]]) -> list[AxisFreedom]:
    """The freedoms of R, P and C in order; a C becomes an R and a P on one axis, the P towards the middle."""
    freedoms: list[AxisFreedom] = []
    for place, element in around:
        parts = {"R": [True], "P": [False], "C": [True, False] if not freedoms else [False, True]}[element.kind]
        freedoms += [AxisFreedom(turning, element.axis, element.point, place) for turning in parts]
    return freedoms


def _size(distances: Sequence[ca.SX]) -> ca.SX:
    """Size of the loop (m): a number, where some of the *distances* (3) are numbers and more than rounding errors."""
    fixed = [v for v in distances if v.is_constant() and float(ca.norm_2(v)) > _NOUGHT]
    return ca.sqrt(sum((ca.dot(v, v) for v in fixed or distances), ca.SX(0)))


def polish(values: Sequence[FreedomValue], valid: ca.SX, gap: Gap) -> tuple[list[FreedomValue], ca.SX]:
    """Newton steps on the three closing conditions, and *valid*, negative where a gap remains after them.

    The damping bounds the steps where two assemblies meet. A gap remains in nearly special geometries very close to
    such a place only, where the elimination has lost its digits: a branch in doubt is not offered.
    """
    values = list(values)
    for _ in range(_STEPS):
        residual, (a, b, c) = gap(values)
        # Cramer's rule for x a + y b + z c = −residual
        normal, beside = ca.cross(b, c), ca.cross(a, residual)
        det = ca.dot(a, normal)
        factor = -det / (det * det + _DAMPING)
        steps = (factor * ca.dot(residual, normal), factor * ca.dot(c, beside), -factor * ca.dot(b, beside))
        values = [_advanced(value, step) for value, step in zip(values, steps, strict=True)]
    remaining = gap(values)[0]
    return values, ca.if_else(ca.dot(remaining, remaining) < _GAP * _GAP, valid, -1)


def _advanced(value: FreedomValue, step: ca.SX) -> FreedomValue:
    if isinstance(value, tuple):
        c, s = value
        return unit_turn(c - step * s, s + step * c)
    return value + step
