"""Solids have possible sizes, polygons do not cross themselves, and rotations turn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from linkwork.algebra.expressions import Expression
from linkwork.algebra.rotations import why_no_rotation
from linkwork.errors import Fault
from linkwork.model.reading import DraftModel
from linkwork.model.rotation import AxisAngle, Quaternion, Rotation, RotationMatrix
from linkwork.model.solids import Box, Cone, Cylinder, Plate, Rod, SolidForm, Sphere, Tube

_FLAT = 1e-12  # smallest area of a polygon, as a part of the square of its size


def solid_faults(draft: DraftModel, path: str, solid: SolidForm) -> Iterator[Fault]:
    """Sizes that are not positive, bores wider than what they go through; corners come with the whole body."""
    match solid:
        case Box(edges):
            for edge in edges:
                yield from positive(draft, path, "edge", edge)
            return
        case Rod(length):
            yield from positive(draft, path, "length", length)
            return
        case Plate(thickness=thickness):
            yield from positive(draft, path, "thickness", thickness)
            return
    yield from positive(draft, path, "radius", solid.radius)
    match solid:
        case Cylinder(length=length) | Cone(length=length):
            yield from positive(draft, path, "length", length)
        case Tube(wall=wall, length=length):
            yield from positive(draft, path, "wall", wall)
            yield from positive(draft, path, "length", length)
            yield from _within(draft, path, "wall", wall, solid.radius)
    match solid:
        case Cylinder(inner=inner) | Sphere(inner=inner):
            yield from _within(draft, path, "inner radius", inner, solid.radius)
        case Cone(top=top):
            value = draft.number(top)
            if value is not None and value < 0.0:
                yield Fault(path, f"the top radius is {value:g}; it cannot be negative")


def positive(draft: DraftModel, path: str, what: str, expression: Expression | None) -> Iterator[Fault]:
    """A number that must be positive."""
    value = draft.number(expression)
    if value is not None and value <= 0.0:
        yield Fault(path, f"the {what} is {value:g}; it must be positive")


def _within(draft: DraftModel, path: str, what: str, inner: Expression | None, outer: Expression) -> Iterator[Fault]:
    value, most = draft.number(inner), draft.number(outer)
    if value is None or most is None or most <= 0.0:
        return
    if value < 0.0 and what != "wall":
        yield Fault(path, f"the {what} is {value:g}; it cannot be negative")
    elif value > most or (value == most and what != "wall"):
        yield Fault(path, f"the {what} is {value:g}; it must be smaller than the radius {most:g}")


# -- polygons --------------------------------------------------------------------------------------------------------


def polygon_faults(path: str, corners: Sequence[Sequence[float]]) -> Iterator[Fault]:
    """A polygon encloses an area, and no edge crosses another."""
    ring = np.asarray(corners, dtype=float)
    # shorter than one by a power of two, which rounds nothing: squares of any size are numbers
    ring = np.ldexp(ring, -np.frexp(np.abs(ring).max())[1])
    x, y = ring.T - ring[0][:, None]
    area = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
    if abs(area) <= _FLAT * float(np.ptp(ring, axis=0).max()) ** 2:
        yield Fault(path, "the polygon has no area", "give its corners in order, one way round")
        return
    edges = list(zip(ring, np.roll(ring, -1, axis=0), strict=True))
    for i, one in enumerate(edges):
        for j in range(i + 2, len(edges) - (i == 0)):
            if _cross(one, edges[j]):
                hint = "give its corners in order, one way round"
                yield Fault(path, f"the edges behind corners {i + 1} and {j + 1} of the polygon cross", hint)
                return


def _cross(one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether the ends of each segment lie on different sides of the other."""

    def side(start: np.ndarray, end: np.ndarray, point: np.ndarray) -> float:
        a, b = end - start, point - start
        return float(a[0] * b[1] - a[1] * b[0])

    (a, b), (c, d) = one, other
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


# -- rotations -------------------------------------------------------------------------------------------------------


def rotation_faults(draft: DraftModel, path: str, rotation: Rotation | None) -> Iterator[Fault]:
    """Axes of no direction, quaternions of another length than 1, matrices that are not rotations."""
    match rotation:
        case AxisAngle(axis):
            values = draft.numbers(axis)
            if values is not None and not any(values):
                yield Fault(path, "the axis is zero", "give its direction, such as [0, 0, 1]")
        case Quaternion(wxyz):
            values = draft.numbers(wxyz)
            if values is not None and abs(math.hypot(*values) - 1.0) > 1e-6:
                hint = "a rotation needs a unit quaternion, scalar part first"
                yield Fault(path, f"the quaternion has length {math.hypot(*values):g}", hint)
        case RotationMatrix(rows):
            numbers = [draft.numbers(row) for row in rows]
            why = "" if None in numbers else why_no_rotation(np.array(numbers, dtype=float))
            if why:
                hint = "its columns must be orthonormal and right-handed"
                yield Fault(path, f"the matrix is not a rotation: {why}", hint)
