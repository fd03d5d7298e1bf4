"""What a mechanism looks like, for the views: a drawing made of its geometry."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space
from linkwork.elements.extents import Extent
from linkwork.numerics.geometry.polygons import convex_parts
from linkwork.position.geometry import GROUND, Array, BodyGeometry, JointGeometry
from linkwork.results.drawing import BodyDrawing, Drawing, JointDrawing, Piece, SpringDrawing, StringDrawing, Vector
from linkwork.topology import Topology


def draw(topology: Topology, p: Array) -> Drawing:
    """Make the drawing of a mechanism for given live parameters."""
    geometry = topology.geometry

    def place(local: ca.SX) -> Vector:
        return tuple(float(x) for x in np.atleast_1d(geometry.number(ca.densify(local), p)))

    profiles = _profiles(topology, p)
    bodies = {
        name: BodyDrawing(
            {point: place(x) for point, x in {**body.points, **geometry.pins.get(name, {})}.items()},
            body.segments,
            place(body.centre),
            (*_polylines(topology, body, p), *_wheels(topology, name), *profiles.get(name, ())),
            tuple(piece for extent in body.extents for piece in _pieces(topology, extent, p)),
        )
        for name, body in geometry.bodies.items()
    }
    joints = tuple(_joint(joint, geometry.space, place) for joint in geometry.joints.values())
    springs = tuple(
        SpringDrawing(name, (_end(topology, ends[0], place), _end(topology, ends[1], place)))
        for name, force in topology.model.forces.items()
        if (ends := force.drawn_between) is not None
    )
    ground = {name: place(point) for name, point in geometry.ground_points.items()}
    strings = tuple(
        StringDrawing(name, tuple((stop.body, place(stop.local)) for stop in relation.lines()))
        for name, relation in geometry.relations.items()
        if relation.lines()
    )
    lines = tuple(profiles.get(GROUND, ()))
    gravity, renames = place(geometry.gravity), dict(topology.model.renames)
    return Drawing(topology.model.space, ground, bodies, joints, springs, gravity, strings, lines, renames)


def _joint(joint: JointGeometry, space: Space, place: Callable[[ca.SX], Vector]) -> JointDrawing:
    """The symbol moves with the child, or with the parent where the child is the ground and shares its axis."""
    kind, index = joint.kind, 0 if space.planar else 2
    on_child = joint.child != GROUND or kind.axis_on_parent
    body, other, frame = (joint.child, joint.parent, joint.b) if on_child else (joint.parent, joint.child, joint.a)
    carrier, axes = (joint.parent, joint.a) if kind.axis_on_parent else (body, frame)
    wanted = kind.shares_axis or kind.axes[space.name] > 0
    axis = (*place(axes.axis(index)), 0.0)[:3] if wanted else None
    return JointDrawing(joint.name, kind.name, body, place(frame.origin), other, axis, carrier)


def _polylines(topology: Topology, body: BodyGeometry, p: Array) -> tuple[tuple[Vector, ...], ...]:
    """The outlines of a body, evaluated together."""
    if not body.outlines:
        return ()
    d = topology.geometry.space.dimension
    values = topology.geometry.number(ca.densify(ca.horzcat(*body.outlines)), p).reshape(d, -1)
    ends = np.cumsum([line.shape[1] for line in body.outlines])[:-1]
    return tuple(tuple(map(tuple, line.T.tolist())) for line in np.split(values, ends, axis=1))


def _pieces(topology: Topology, extent: Extent, p: Array) -> Iterator[Piece]:
    """The convex parts of the room that a body takes, as numbers."""
    number = topology.geometry.number
    corners = number(ca.densify(extent.corners), p).reshape(extent.corners.shape).T
    radius = float(number(ca.SX(extent.radius), p))
    ring, faces = extent.ring, len(corners) // max(extent.ring, 1)
    if not ring:
        yield Piece(tuple(map(tuple, corners.tolist())), radius)
        return
    # in the axes of its own plane
    flat = corners[:ring] - corners[0]
    across = np.linalg.svd(flat)[2][:2]
    for part in convex_parts(flat @ across.T):
        chosen = [i + ring * face for face in range(faces) for i in part]
        yield Piece(tuple(map(tuple, corners[chosen].tolist())), radius)


def _wheels(topology: Topology, body: str) -> tuple[tuple[Vector, ...], ...]:
    """The pitch circles of the wheels on a body, each once."""
    geometry = topology.geometry
    wheels = [wheel for coupled in geometry.couplings.values() for wheel in coupled.wheels if wheel.body == body]
    lines = [tuple(map(tuple, wheel.outline(geometry.space.dimension).T.round(12).tolist())) for wheel in wheels]
    return tuple(dict.fromkeys(lines))


def _profiles(topology: Topology, p: Array) -> dict[str, list[tuple[Vector, ...]]]:
    """The lines of the relations, such as the profile of a cam, by body."""
    geometry = topology.geometry
    found: dict[str, list[tuple[Vector, ...]]] = {}
    for relation in geometry.relations.values():
        for body, points in relation.outline(geometry.space, lambda item: geometry.number(item, p)):
            found.setdefault(body, []).append(tuple(map(tuple, points.tolist())))
    return found


def _end(topology: Topology, reference: str, place: object) -> tuple[str, Vector]:
    owner, point = reference.split(".", 1) if "." in reference else (topology.owner(reference), reference)
    assert callable(place)
    return owner, place(topology.local_point(owner, point))
