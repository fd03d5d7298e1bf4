"""Three single freedoms, turns or slides, that carry a point or a plane; and their final Newton steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca

from linkwork.closed_form.base import Element, Motion, Turn, determinant, motion, rotate, unit_turn

_STEPS = 3
_DAMPING = 1e-20
_GAP = 1e-11

Value = Turn | ca.SX
"""A turn (cosine, sine) or a slide."""
Carry = Callable[[Sequence["Freedom"], Sequence[Value]], tuple[ca.SX, list[ca.SX]]]
"""Gives the residual (3) of a closing condition and its three derivatives (3) by the freedoms."""


@dataclass(frozen=True, eq=False)
class Freedom:
    """A turn about, or a slide along, an axis (3, unit) through a point (3); ``place`` is that of its element."""

    turning: bool
    axis: ca.SX
    point: ca.SX
    place: int

    def vector(self, value: Value, v: ca.SX) -> ca.SX:
        """The direction *v* (3) carried along by this freedom."""
        return rotate(self.axis, value, v) if isinstance(value, tuple) else v

    def carry(self, value: Value, x: ca.SX) -> ca.SX:
        """The point *x* (3) carried along by this freedom."""
        if isinstance(value, tuple):
            return self.point + rotate(self.axis, value, x - self.point)
        return x + value * self.axis


def split(around: Sequence[tuple[int, Element]]) -> list[Freedom]:
    """The freedoms of R, P and C in order; a C becomes an R and a P on one axis, the P towards the middle."""
    freedoms: list[Freedom] = []
    for place, element in around:
        parts = {"R": [True], "P": [False], "C": [True, False] if not freedoms else [False, True]}[element.kind]
        freedoms += [Freedom(turning, element.axis, element.point, place) for turning in parts]
    return freedoms


def scaled(freedoms: Sequence[Freedom], origin: ca.SX, size: ca.SX) -> list[Freedom]:
    """The same freedoms with lengths measured from *origin* (3) in units of *size*."""
    return [Freedom(f.turning, f.axis, (f.point - origin) / size, f.place) for f in freedoms]


def motions(
    chain: Sequence[Element], freedoms: Sequence[Freedom], values: Sequence[Value], size: ca.SX
) -> dict[int, Motion]:
    """Motion of every element that the *freedoms* make up, by its place in the chain."""
    turns = {f.place: v for f, v in zip(freedoms, values, strict=True) if isinstance(v, tuple)}
    slides = {f.place: v * size for f, v in zip(freedoms, values, strict=True) if not isinstance(v, tuple)}
    return {i: motion(chain[i], turns.get(i), slides.get(i)) for i in {f.place for f in freedoms}}


def carried_point(freedoms: Sequence[Freedom], values: Sequence[Value], x: ca.SX) -> tuple[ca.SX, list[ca.SX]]:
    """Image of the point *x* under E₁ E₂ E₃, and its derivatives by the three freedoms."""
    columns: list[ca.SX] = []
    for f, value in zip(reversed(freedoms), reversed(values), strict=True):
        x = f.carry(value, x)
        own = ca.cross(f.axis, x - f.point) if f.turning else f.axis
        columns = [own] + [f.vector(value, column) for column in columns]
    return x, columns


def carried_direction(freedoms: Sequence[Freedom], values: Sequence[Value], n: ca.SX) -> tuple[ca.SX, list[ca.SX]]:
    """Image of the direction *n* under E₁ E₂ E₃, and its derivatives by the three freedoms."""
    columns: list[ca.SX] = []
    for f, value in zip(reversed(freedoms), reversed(values), strict=True):
        n = f.vector(value, n)
        own = ca.cross(f.axis, n) if f.turning else ca.SX(3, 1)
        columns = [own] + [f.vector(value, column) for column in columns]
    return n, columns


def polish(
    freedoms: Sequence[Freedom], values: Sequence[Value], valid: ca.SX, carry: Carry
) -> tuple[list[Value], ca.SX]:
    """Newton steps on the three closing conditions, and *valid*, negative where a gap remains after them.

    The damping bounds the steps where two assemblies meet. A gap remains in nearly special geometries very close to
    such a place only, where the elimination has lost its digits: a branch in doubt is not offered.
    """
    values = list(values)
    for _ in range(_STEPS):
        residual, columns = carry(freedoms, values)
        det = determinant(columns)
        factor = -det / (det * det + _DAMPING)
        a, b, c = columns
        steps = [factor * ca.dot(normal, residual) for normal in (ca.cross(b, c), ca.cross(c, a), ca.cross(a, b))]
        values = [_advanced(value, step) for value, step in zip(values, steps, strict=True)]
    gap = carry(freedoms, values)[0]
    return values, ca.if_else(ca.dot(gap, gap) < _GAP * _GAP, valid, -1)


def _advanced(value: Value, step: ca.SX) -> Value:
    if isinstance(value, tuple):
        c, s = value
        return unit_turn(c - step * s, s + step * c)
    return value + step
