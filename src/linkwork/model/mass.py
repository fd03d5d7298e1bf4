"""Mass, centre of mass and inertia of a declared body: what it has of its own, its shapes, its mesh, its point masses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

import casadi as ca

from linkwork.algebra.expressions import Expression
from linkwork.algebra.frames import Frame
from linkwork.elements import inertia as solids
from linkwork.elements.inertia import Distribution, combined, placed, placed_lines, point_mass
from linkwork.elements.mesh import MeshSolid
from linkwork.elements.outlines import diameters
from linkwork.model.fields import VectorOfExpressions
from linkwork.model.geometry import Values, turned
from linkwork.model.inertia import Centred, InertiaForm, InertiaMatrix, Moments, PointMass
from linkwork.model.shapes import Mesh, Part, Shape
from linkwork.model.solids import Box, Cone, Cylinder, Plate, Rod, SolidForm, Sphere, Tube

Points = Mapping[str, ca.SX]


class DeclaredMass(Protocol):
    """What a body says about its mass; `Body` describes each of these."""

    @property
    def mass(self) -> Expression | None: ...
    @property
    def density(self) -> Expression | None: ...
    @property
    def has_own_mass(self) -> bool: ...
    @property
    def com(self) -> str | VectorOfExpressions | None: ...
    @property
    def inertia(self) -> InertiaForm | None: ...
    @property
    def bar(self) -> tuple[str, str] | None: ...
    @property
    def radius(self) -> Expression | None: ...
    @property
    def section(self) -> VectorOfExpressions | None: ...
    @property
    def masses(self) -> Mapping[str, Expression]: ...
    @property
    def shapes(self) -> Mapping[str, Shape]: ...
    @property
    def mesh(self) -> Mesh | None: ...


def mass_of(values: Values, body: DeclaredMass, points: Points) -> Distribution:
    """All mass of a body, in its own axes; *points* are its local points."""
    return combined(values.space, list(_parts(values, body, points)))


def _parts(values: Values, body: DeclaredMass, points: Points) -> Iterator[Distribution]:
    if body.has_own_mass:
        yield _own(values, body, points)
    for part, solid, frame in _placed_parts(values, body, points):
        yield placed(values.space, solid, _mass(values, part, solid, body.density), frame)
    for point, mass in body.masses.items():
        yield point_mass(values.space, values.value(mass), points[point])


# -- what a body has of its own --------------------------------------------------------------------------------------


def _own(values: Values, body: DeclaredMass, points: Points) -> Distribution:
    """The mass with its centre and inertia, or with the bar that it fills."""
    centre = _centre(values, body, points)
    match body.inertia:
        case Moments((single,)):
            return Distribution(_mass(values, body), centre, values.value(single))
        case Moments(moments):
            return Distribution(_mass(values, body), centre, _tensor(values.vector(moments)))
        case InertiaMatrix(rows):
            tensor = ca.sparsify(ca.vertcat(*[values.vector(row).T for row in rows]))
            return Distribution(_mass(values, body), centre, tensor)
    if isinstance(body.inertia, PointMass) or (body.inertia is None and body.bar is None):
        return point_mass(values.space, _mass(values, body), centre)
    if isinstance(body.inertia, Centred):
        solid = solid_of(values, body.inertia, points)
    else:
        assert body.bar is not None
        solid = _bar(values, body, points[body.bar[1]][0])
    mass = _mass(values, body, solid)
    return Distribution(mass, centre, solid.inertia(values.space, mass))


def _centre(values: Values, body: DeclaredMass, points: Points) -> ca.SX:
    if isinstance(body.com, str):
        return points[body.com]
    if body.com is not None:
        return values.vector(body.com)
    if body.bar is not None:
        return points[body.bar[1]] / 2
    return next(iter(points.values())) if len(points) == 1 else ca.SX(values.space.dimension, 1)


def _bar(values: Values, body: DeclaredMass, length: ca.SX) -> solids.UniformSolid:
    """A bar along its x axis: round, rectangular or slender."""
    if body.radius is not None:
        return solids.cylinder(values.value(body.radius), length)
    if body.section is not None:
        return solids.box(ca.vertcat(length, values.vector(body.section)))
    return solids.rod(length)


def _tensor(values: ca.SX) -> ca.SX:
    if values.numel() == 3:
        return ca.diag(values)
    xx, yy, zz, xy, xz, yz = (values[i] for i in range(6))
    return ca.vertcat(ca.horzcat(xx, xy, xz), ca.horzcat(xy, yy, yz), ca.horzcat(xz, yz, zz))


def _mass(
    values: Values,
    owner: DeclaredMass | Part,
    solid: solids.UniformSolid | None = None,
    common: Expression | None = None,
) -> ca.SX:
    """The mass that is given, or that of a density: of the owner itself, else of the whole body (*common*)."""
    if owner.mass is not None:
        return values.value(owner.mass)
    density = common if owner.density is None else owner.density
    assert density is not None and solid is not None and solid.volume is not None
    return values.value(density) * solid.volume


# -- parts -----------------------------------------------------------------------------------------------------------


def outlines_of(values: Values, body: DeclaredMass, points: Points) -> tuple[ca.SX, ...]:
    """Polylines (d × n) that show the shapes and the mesh of a body, in its own axes; in space, also its round inertia."""
    parts = _placed_parts(values, body, points)
    lines = tuple(line for _, solid, frame in parts for line in placed_lines(values.space, solid, frame))
    if not isinstance(body.inertia, Cylinder | Tube) or values.space.dimension < 3:
        return lines
    frame = Frame(_centre(values, body, points), ca.SX.eye(3))
    disc = placed_lines(values.space, solid_of(values, body.inertia, points), frame)
    return (*lines, *disc, *diameters(disc[0]))


def _placed_parts(
    values: Values, body: DeclaredMass, points: Points
) -> Iterator[tuple[Part, solids.UniformSolid, Frame]]:
    """Shapes and mesh as solids, with their frames in the body."""
    for shape in body.shapes.values():
        yield shape, solid_of(values, shape.solid, points), part_frame(values, shape, points)
    if body.mesh is not None:
        scale = values.value(body.mesh.scale)
        yield body.mesh, _mesh_solid(body.mesh.solid, scale), part_frame(values, body.mesh, points)


def part_frame(values: Values, part: Part, points: Points) -> Frame:
    """Where a part lies in its body."""
    axes = turned(values, part.rotation)
    if part.at is None:
        return axes
    origin = points[part.at] if isinstance(part.at, str) else values.vector(part.at)
    return Frame(origin, axes.axes, axes.angle)


def solid_of(values: Values, declared: SolidForm, points: Points) -> solids.UniformSolid:
    """A declared solid in its own axes."""
    match declared:
        case Rod(length):
            return solids.rod(values.value(length))
        case Box(edges):
            return solids.box(values.vector(edges))
        case Cylinder(radius, length, axis, inner):
            return solids.cylinder(values.value(radius), values.value(length), axis, value_or_zero(values, inner))
        case Tube(radius, wall, length, axis):
            outer = values.value(radius)
            return solids.cylinder(outer, values.value(length), axis, outer - values.value(wall))
        case Sphere(radius, inner):
            return solids.sphere(values.value(radius), value_or_zero(values, inner))
        case Cone(radius, length, axis, top):
            return solids.cone(values.value(radius), values.value(length), axis, value_or_zero(values, top))
        case Plate(corners, thickness):
            places = [points[corner] if isinstance(corner, str) else values.vector(corner) for corner in corners]
            return solids.plate(ca.horzcat(*places), None if thickness is None else values.value(thickness))
    raise AssertionError(declared)


def value_or_zero(values: Values, expression: Expression | None) -> ca.SX | float:
    """An expression that may be left out."""
    return 0.0 if expression is None else values.value(expression)


def _mesh_solid(mesh: MeshSolid, scale: ca.SX) -> solids.UniformSolid:
    """A mesh in metres."""
    centre, gyration = ca.SX(mesh.centre), ca.SX(mesh.gyration)
    lines = tuple(scale * ca.SX(edge).T for edge in mesh.edges)
    return solids.UniformSolid(scale**3 * mesh.volume, scale * centre, scale**2 * gyration, lines)
