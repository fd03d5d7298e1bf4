"""The room that a declared body takes: its shapes and its mesh, and its bar or the lines between its points.

A bar without a radius, a section or a width is a line, and so are the sides of a body that is given by points. They count
where nothing else says what the body looks like. Holes take no room away: bores are filled.
"""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.elements import extents
from linkwork.elements.extents import Extent, in_body
from linkwork.model.body import Body
from linkwork.model.geometry import Values
from linkwork.model.mass import Points, part_frame, value_or_zero
from linkwork.model.shapes import Part
from linkwork.model.solids import Box, Cone, Cylinder, Plate, Rod, SolidForm, Sphere, Tube


def extents_of(values: Values, body: Body, points: Points, segments: tuple[tuple[str, str], ...]) -> tuple[Extent, ...]:
    """Convex parts of a body and plates of any outline, in its own axes; *segments*: the lines that are drawn of it."""
    found = [in_body(values.space, item, frame) for item, frame in _parts(values, body, points)]
    return (*found, *_lines(values, body, points, segments))


def _parts(values: Values, body: Body, points: Points) -> Iterator[tuple[Extent, Frame]]:
    for shape in body.shapes.values():
        if not _is_hole(values, shape):
            yield _extent(values, shape.solid, points), part_frame(values, shape, points)
    if body.mesh is not None and not _is_hole(values, body.mesh):
        corners = values.value(body.mesh.scale) * ca.SX(body.mesh.solid.hull).T
        yield Extent(corners), part_frame(values, body.mesh, points)


def _is_hole(values: Values, part: Part) -> bool:
    given = [values.value(item) for item in (part.mass, part.density) if item is not None]
    return any(item.is_constant() and float(item) < 0.0 for item in given)


def _lines(values: Values, body: Body, points: Points, segments: tuple[tuple[str, str], ...]) -> Iterator[Extent]:
    """The bar, or the lines between points."""
    sized = [body.radius, body.section, body.width]
    if body.parts and all(item is None for item in sized):
        return
    if body.bar is not None and (body.radius is not None or body.section is not None):
        length = points[body.bar[1]][0]
        middle = Frame(ca.vertcat(length / 2, ca.SX(values.space.dimension - 1, 1)), ca.SX.eye(values.space.dimension))
        yield in_body(values.space, _bar(values, body, length), middle)
        return
    half = 0.0 if body.width is None else values.value(body.width) / 2
    # further points of a bar are tied to its ends, as they are drawn
    ties = [(name, end) for name in body.local_points for end in body.bar or ()]
    first = next(iter(points))
    for one, other in [*segments, *ties] or [(first, first)]:
        places = [points[one], points[other]] if one != other else [points[one]]
        yield Extent(ca.horzcat(*places), half)


def _bar(values: Values, body: Body, length: ca.SX) -> Extent:
    if body.radius is not None:
        radius = values.value(body.radius)
        return extents.turned_solid(values.space, "x", [(-length / 2, radius), (length / 2, radius)])
    assert body.section is not None
    width, height = (values.value(edge) for edge in body.section)
    return extents.block(length, width, height)


def _extent(values: Values, declared: SolidForm, points: Points) -> Extent:
    """A declared solid in its own axes; bores are filled."""
    match declared:
        case Rod(length):
            return extents.bar(values.value(length))
        case Box(edges):
            a, b, *c = (values.value(edge) for edge in edges)
            return extents.block(a, b, c[0] if c else 0.0)
        case Cylinder(radius, length, axis) | Tube(radius, _, length, axis):
            half, size = values.value(length) / 2, values.value(radius)
            return extents.turned_solid(values.space, axis, [(-half, size), (half, size)])
        case Sphere(radius):
            return extents.ball(values.value(radius))
        case Cone(radius, length, axis, top):
            ends = (ca.SX(0), values.value(radius)), (values.value(length), value_or_zero(values, top))
            return extents.turned_solid(values.space, axis, list(ends))
        case Plate(corners, thickness):
            places = [points[corner] if isinstance(corner, str) else values.vector(corner) for corner in corners]
            return extents.prism(ca.horzcat(*places), value_or_zero(values, thickness), ring=len(corners))
    raise AssertionError(declared)
