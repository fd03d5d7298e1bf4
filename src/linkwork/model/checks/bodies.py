"""Bodies: their points exist, their lengths and masses are possible, and their inertia belongs to a real body."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from linkwork.algebra.expressions import Expression
from linkwork.errors import Fault, did_you_mean
from linkwork.model.body import Body
from linkwork.model.draft import Draft
from linkwork.model.inertia import Box, Cylinder, InertiaMatrix, Moments, Rod
from linkwork.model.rotation import AxisAngle, Quaternion, RotationMatrix

_TOLERANCE = 1e-9


def faults(draft: Draft) -> Iterator[Fault]:
    """All faults of the sound bodies."""
    for name, body in draft.bodies.items():
        path = f"bodies.{name}"
        yield from _points(draft, path, body)
        yield from _sizes(draft, path, body)
        yield from _mass(draft, path, body)
        yield from _inertia(draft, f"{path}.inertia", body)
        yield from _rotation(draft, f"{path}.rotation", body)


def _points(draft: Draft, path: str, body: Body) -> Iterator[Fault]:
    key = "bar" if body.bar else "points"
    known = draft.names("points")
    for point in body.sketch_points:
        if point not in known:
            yield Fault(f"{path}.{key}", f"there is no sketch point '{point}'", did_you_mean(point, known))
    if isinstance(body.com, str) and body.com not in body.point_names:
        hint = did_you_mean(body.com, body.point_names)
        yield Fault(f"{path}.com", f"'{body.com}' is not a point of this body", hint)
    if isinstance(body.origin, str) and body.origin not in known:
        yield Fault(f"{path}.origin", f"there is no sketch point '{body.origin}'", did_you_mean(body.origin, known))
    if body.bar is not None and body.bar[0] != body.bar[1]:
        ends = [draft.numbers(draft.points[point]) for point in body.bar if point in draft.points]
        if len(ends) == 2 and ends[0] is not None and ends[0] == ends[1]:
            reason = f"its ends {body.bar[0]} and {body.bar[1]} lie in the same place of the sketch"
            yield Fault(f"{path}.bar", reason, "move one of them: the sketch gives the direction of the bar")


def _sizes(draft: Draft, path: str, body: Body) -> Iterator[Fault]:
    """Lengths that must be positive."""
    yield from _positive(draft, f"{path}.length", "length", body.length)
    yield from _positive(draft, f"{path}.radius", "radius", body.radius)
    yield from _positive(draft, f"{path}.density", "density", body.density)
    for edge in body.section or ():
        yield from _positive(draft, f"{path}.section", "edge", edge)
    match body.inertia:
        case Box(edges):
            for edge in edges:
                yield from _positive(draft, f"{path}.inertia", "edge", edge)
        case Rod(length):
            yield from _positive(draft, f"{path}.inertia", "length", length)
        case Cylinder(radius, length):
            yield from _positive(draft, f"{path}.inertia", "radius", radius)
            yield from _positive(draft, f"{path}.inertia", "length", length)


def _positive(draft: Draft, path: str, what: str, expression: Expression | None) -> Iterator[Fault]:
    value = draft.number(expression)
    if value is not None and value <= 0.0:
        yield Fault(path, f"the {what} is {value:g}; it must be positive")


def _mass(draft: Draft, path: str, body: Body) -> Iterator[Fault]:
    mass = draft.number(body.mass)
    if mass is not None and mass < 0.0:
        yield Fault(f"{path}.mass", f"the mass is {mass:g} kg; it cannot be negative")
    heavy = body.density is not None or (mass is not None and mass > 0.0)
    if not heavy or body.bar is not None or len(body.point_names) == 1:
        return
    if body.com is None:
        hint = "write com: [0.1, 0.2] in local coordinates, or the name of a point of the body"
        yield Fault(f"{path}.com", "the centre of mass is missing", hint)
    if body.inertia is None:
        hint = "write inertia: a number, a shape such as {box: [...]}, or point"
        yield Fault(f"{path}.inertia", "is missing", hint)


def _inertia(draft: Draft, path: str, body: Body) -> Iterator[Fault]:
    match body.inertia:
        case Moments((single,)):
            value = draft.number(single)
            if value is not None and value < 0.0:
                yield Fault(path, f"the inertia is {value:g} kg·m²; it cannot be negative")
        case Moments(values):
            yield from _real_body(path, _matrix(draft.numbers(values)))
        case InertiaMatrix(rows):
            numbers = [draft.numbers(row) for row in rows]
            if None not in numbers:
                yield from _real_body(path, np.array(numbers, dtype=float))


def _matrix(values: list[float] | None) -> np.ndarray | None:
    """The symmetric matrix of [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], (3, 3)."""
    if values is None or len(values) not in (3, 6):
        return None
    xx, yy, zz, xy, xz, yz = [*values, 0.0, 0.0, 0.0][:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _real_body(path: str, matrix: np.ndarray | None) -> Iterator[Fault]:
    """A real body has non-negative principal moments, none larger than the sum of the other two."""
    if matrix is None:
        return
    scale = float(np.abs(matrix).max())
    if np.abs(matrix - matrix.T).max() > _TOLERANCE * scale:
        yield Fault(path, "the matrix is not symmetric")
        return
    if scale == 0.0:
        return
    small, middle, large = np.linalg.eigvalsh(matrix / scale)
    principal = ", ".join(f"{moment * scale:.4g}" for moment in (small, middle, large))
    if small < -_TOLERANCE:
        yield Fault(path, f"no body has the principal moments {principal} kg·m²: one is negative")
    elif large > small + middle + _TOLERANCE:
        reason = f"no body has the principal moments {principal} kg·m²: the largest exceeds the sum of the others"
        yield Fault(path, reason, "check units, axes, and that the inertia is about the centre of mass")


def _rotation(draft: Draft, path: str, body: Body) -> Iterator[Fault]:
    match body.rotation:
        case AxisAngle(axis):
            if _is_zero(draft.numbers(axis)):
                yield Fault(path, "the axis is zero", "give its direction, such as [0, 0, 1]")
        case Quaternion(wxyz):
            values = draft.numbers(wxyz)
            if values is not None and abs(math.hypot(*values) - 1.0) > 1e-6:
                hint = "a rotation needs a unit quaternion, scalar part first"
                yield Fault(path, f"the quaternion has length {math.hypot(*values):g}", hint)
        case RotationMatrix(rows):
            numbers = [draft.numbers(row) for row in rows]
            if None not in numbers and not _is_rotation(np.array(numbers, dtype=float)):
                yield Fault(path, "the matrix is not a rotation", "its columns must be orthonormal and right-handed")


def _is_zero(values: list[float] | None) -> bool:
    return values is not None and not any(values)


def _is_rotation(matrix: np.ndarray) -> bool:
    orthonormal = np.abs(matrix.T @ matrix - np.eye(3)).max() < 1e-6
    return bool(orthonormal and np.linalg.det(matrix) > 0.0)
