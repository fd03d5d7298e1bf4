"""Gaps of curves of the plane, at places on them that are unknowns: on other curves, on discs and points, and on lines.

With outward normals n and unit tangents e of curves c₁(u) and c₂(v), both in the world, curves are nearest where

    e₁ · (c₂ − c₁) = 0,   n₁ · e₂ = 0,

that is where the second one lies straight above the first and runs along it, and their gap is n₁ · (c₂ − c₁). Of a disc the
centre stands above the curve, and of a half-plane with normal m the curve runs along it, m · e = 0. At such places the gap
does not change with u and v, so that its derivative is that with both held: n · (ẋ₂ − ẋ₁). A contact that rolls or slides
along carries u and v with it as unknowns without inertia, as relations on curves do (``elements/relations/curve.py``).
Where shapes overlap by no more than the radii of their curves the deepest point of one in the other is such a place.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.arrays import Array
from linkwork.elements.contribution import Frames
from linkwork.elements.curves import BodyCurve, ToNumbers
from linkwork.elements.extents import Extent
from linkwork.elements.shapes.forms import ContactShape, HalfSpace, Outline
from linkwork.elements.shapes.gaps import Bend, FlatBend, Gap
from linkwork.errors import RefusedError

STEPS = 50  # of Newton's method
EXACT = 1e-13  # step of a place, of the length of its curve, that is none
SAMPLES = 361  # places on a curve that are looked at


@dataclass(frozen=True, eq=False)
class CurveGap:
    """A gap at places on curves, and the conditions of these places, one for each, which are zero where they hold.

    bounds: what is negative where a place is beyond an end of an open curve
    """

    gap: Gap
    conditions: tuple[ca.SX, ...]
    bounds: tuple[ca.SX, ...]


def place_count(one: ContactShape, other: ContactShape) -> int:
    """How many places on curves a pair has."""
    return sum(isinstance(shape.form, Outline) for shape in (one, other))


def curve_gap(one: ContactShape, other: ContactShape, frames: Frames, places: ca.SX) -> CurveGap:
    """The gap of two shapes, one of which is a curve at least, at *places* on the curves in their order."""
    if isinstance(other.form, Outline) and not isinstance(one.form, Outline):
        found = curve_gap(other, one, frames, places)
        return CurveGap(found.gap.flipped(), found.conditions, found.bounds)
    if not isinstance(one.form, Outline):
        raise RefusedError(
            f"neither '{one.name}' nor '{other.name}' is a curve: their gap is an expression or a kernel's"
        )
    first = _Touched(one.form, one.seen(frames), places[0])
    match other.form:
        case Outline():
            return _on_curve(first, _Touched(other.form, other.seen(frames), places[1]))
        case Extent(corners, radius) if corners.shape[1] == 1:
            return _on_disc(first, other.seen(frames).point(corners[:2]), ca.SX(radius))
        case HalfSpace():
            return _on_line(first, other.seen(frames))
    raise RefusedError(f"a curve touches curves, discs, points and planes, not a {other.word} such as '{other.name}'")


class _Touched:
    """A curve at a place u of it: the point, the outward normal, the tangent and the curvature, in the world."""

    def __init__(self, outline: Outline, frame: Frame, u: ca.SX) -> None:
        curve: BodyCurve = outline.curve
        normal = curve.normal(u)
        self.point, self.normal = frame.point(curve.point(u)), outline.side * frame.vector(normal)
        self.tangent = frame.vector(ca.vertcat(normal[1], -normal[0]))
        self.bend = Bend(-outline.side * curve.curvature(u), ca.SX(0))
        self.bounds = () if curve.closed else (u - curve.first, curve.last - u)


def _on_curve(one: _Touched, other: _Touched) -> CurveGap:
    apart = other.point - one.point
    gap = Gap(ca.dot(one.normal, apart), one.normal, (one.point, other.point), (one.bend, other.bend))
    conditions = ca.dot(one.tangent, apart), ca.dot(one.normal, other.tangent)
    return CurveGap(gap, conditions, (*one.bounds, *other.bounds))


def _on_disc(one: _Touched, centre: ca.SX, radius: ca.SX) -> CurveGap:
    apart = centre - one.point
    points = one.point, centre - radius * one.normal
    gap = Gap(ca.dot(one.normal, apart) - radius, one.normal, points, (one.bend, Bend(1 / radius, 1 / radius)))
    return CurveGap(gap, (ca.dot(one.tangent, apart),), one.bounds)


def _on_line(one: _Touched, frame: Frame) -> CurveGap:
    normal = frame.axis(1)
    height = ca.dot(normal, one.point - frame.origin)
    gap = Gap(height, -normal, (one.point, one.point - height * normal), (one.bend, FlatBend))
    return CurveGap(gap, (ca.dot(normal, one.tangent),), one.bounds)


# -- where they are -----------------------------------------------------------------------------------------------------


def nearest_places(one: ContactShape, other: ContactShape, frames: Frames, number: ToNumbers) -> Array:
    """The places with the least gap, where both shapes are now: the best of many, from which Newton's method goes on.

    An open curve may be nearest with its end, which is then its place.
    """
    if not isinstance(one.form, Outline):
        return nearest_places(other, one, frames, number)
    samples = [_sampled(shape, frames, number) for shape in (one, other) if isinstance(shape.form, Outline)]
    u, points, normals = samples[0]
    match other.form:
        case HalfSpace():
            frame = other.seen(frames)
            normal = np.ravel(number(frame.axis(1)))
            start = [u[int(np.argmin(points @ normal))]]
        case Extent(corners):
            others = np.reshape(number(other.seen(frames).point(corners[:2])), (1, 2))
            start = [u[_nearest(points, normals, others)[0]]]
        case _:
            i, j = _nearest(points, normals, samples[1][1])
            start = [u[i], samples[1][0][j]]
    places = ca.SX.sym("places", len(start))
    conditions = ca.vertcat(*curve_gap(one, other, frames, places).conditions)
    ends = np.array([(grid[0][0], grid[0][-1]) for grid in samples])
    closed = np.array([shape.form.curve.closed for shape in (one, other) if isinstance(shape.form, Outline)])
    return _solved(
        _numbers(places, [conditions, ca.jacobian(conditions, places)], number), np.array(start), ends, closed
    )


def _sampled(shape: ContactShape, frames: Frames, number: ToNumbers) -> tuple[Array, Array, Array]:
    """Places on a curve (N), with points and outward normals there (N, 2), in the world."""
    assert isinstance(shape.form, Outline)
    u, curve = ca.SX.sym("u"), shape.form.curve
    there = _Touched(shape.form, shape.seen(frames), u)
    first, last = (float(number(end).item()) for end in (curve.first, curve.last))
    at = np.linspace(first, last, SAMPLES)
    values = _numbers(u, [there.point, there.normal], number).map(SAMPLES)(at[None, :])
    return at, np.array(values[0]).T, np.array(values[1]).T


def _nearest(points: Array, normals: Array, others: Array) -> tuple[int, int]:
    """Which point of a curve and which of others have the least distance, negative for others that are inside."""
    apart = others[None, :, :] - points[:, None, :]
    distances = np.linalg.norm(apart, axis=2)
    nearest = np.argmin(distances, axis=0)
    columns = np.arange(len(others))
    above = np.einsum("nd,nd->n", normals[nearest], apart[nearest, columns])
    best = int(np.argmin(np.copysign(distances[nearest, columns], above)))
    return int(nearest[best]), best


def _numbers(unknown: ca.SX, values: list[ca.SX], number: ToNumbers) -> ca.Function:
    """Values of an unknown, with all else as it is now."""
    own = [unknown[i] for i in range(unknown.numel())]
    known = [x for x in ca.symvar(ca.veccat(*values)) if not any(ca.is_equal(x, u) for u in own)]
    if known:
        values = ca.substitute(values, known, [ca.SX(float(number(x).item())) for x in known])
    return ca.Function("values", [unknown], [ca.densify(value) for value in values])


def _solved(conditions: ca.Function, places: Array, ends: Array, closed: Array) -> Array:
    """Newton's method, no farther at once than a few samples; a place at an end of an open curve stays there."""
    length = ends[:, 1] - ends[:, 0]
    for _ in range(STEPS):
        value, slope = (np.array(x) for x in conditions(places))
        free = np.logical_or(closed, (places > ends[:, 0]) & (places < ends[:, 1]))
        step = np.zeros(len(places))
        # of as many conditions as places are free, those of the free curves
        step[free] = np.linalg.lstsq(slope[:, free], -value.ravel(), rcond=None)[0]
        step *= min(1.0, float(np.min(0.02 * length / np.maximum(np.abs(step), 1e-300))))
        places = places + step
        places = np.where(closed, places, np.clip(places, ends[:, 0], ends[:, 1]))
        if np.all(np.abs(step) <= EXACT * length):
            break
    return np.where(closed, ends[:, 0] + (places - ends[:, 0]) % length, places)
