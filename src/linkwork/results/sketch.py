"""What a mechanism looks like, for the views: a drawing made of its geometry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space
from linkwork.elements.contribution import Place
from linkwork.elements.drawings import Drawings
from linkwork.elements.extents import Extent
from linkwork.numerics.geometry.polygons import convex_parts
from linkwork.position.geometry import GROUND, Array, BodyGeometry, JointGeometry
from linkwork.results.drawing import (
    BodyDrawing,
    Drawing,
    JointDrawing,
    LoadDrawing,
    MeshDrawing,
    Piece,
    SpringDrawing,
    StringDrawing,
    Vector,
    WheelDrawing,
)
from linkwork.topology import Topology
from linkwork.topology.relations import DrawnMechanism

SECTIONS = ("relations", "couplings", "drivers", "forces", "outputs", "definitions")


def draw(topology: Topology, p: Array) -> Drawing:
    """Make the drawing of a mechanism for given live parameters."""
    geometry = topology.geometry

    def place(local: ca.SX) -> Vector:
        return tuple(float(x) for x in np.atleast_1d(geometry.number(ca.densify(local), p)))

    drawings = _drawings(topology, p)
    lines = _outlines(drawings)
    joints = tuple(_joint(joint, geometry.space, place) for joint in geometry.joints.values())
    return Drawing(
        space=topology.model.space,
        ground={name: place(point) for name, point in geometry.ground_points.items()},
        bodies={
            name: BodyDrawing(
                {point: place(x) for point, x in {**body.points, **geometry.pins.get(name, {})}.items()},
                body.segments,
                place(body.centre),
                (*_polylines(topology, body, p), *lines.get(name, ())),
                tuple(piece for extent in body.extents for piece in _pieces(topology, extent, p)),
            )
            for name, body in geometry.bodies.items()
        },
        joints=joints,
        springs=tuple(_springs(drawings, place)),
        gravity=place(geometry.gravity),
        strings=tuple(_strings(drawings, place)),
        outlines=tuple(lines.get(GROUND, ())),
        renames=dict(topology.model.renames),
        meshes=tuple(_mesh(name, item) for name, item in drawings if item.wheels),
        loads=(*_loads(drawings, place), *_efforts(topology, joints)),
        sections={name: section for section in SECTIONS for name in getattr(topology.model, section)},
    )


def _springs(drawings: Iterable[tuple[str, Drawings]], place: Callable[[ca.SX], Vector]) -> Iterator[SpringDrawing]:
    for name, item in drawings:
        if item.spring is not None:
            first, second = (_end(end, place) for end in item.spring)
            yield SpringDrawing(name, (first, second), item.look or "spring")


def _strings(drawings: Iterable[tuple[str, Drawings]], place: Callable[[ca.SX], Vector]) -> Iterator[StringDrawing]:
    for name, item in drawings:
        if item.string:
            yield StringDrawing(name, tuple(_end(stop, place) for stop in item.string), item.look or "rope", item.radii)


def _mesh(name: str, item: Drawings) -> MeshDrawing:
    wheels = (WheelDrawing(w.body, tuple(w.centre.tolist()), tuple(w.axis.tolist()), w.radius) for w in item.wheels)
    return MeshDrawing(name, item.look, tuple(wheels))


def _loads(drawings: Iterable[tuple[str, Drawings]], place: Callable[[ca.SX], Vector]) -> Iterator[LoadDrawing]:
    """What forces and torques at places push with."""
    for name, item in drawings:
        for load in item.loads:
            yield LoadDrawing(name, *_end(load.at, place), load.force, load.moment)


def _efforts(topology: Topology, joints: Iterable[JointDrawing]) -> Iterator[LoadDrawing]:
    """What drivers, motors, springs and friction push with along the only coordinate of a joint, on its child."""
    model, space, drawn = topology.model, topology.geometry.space, {joint.name: joint for joint in joints}
    drivers = ((name, driver.joint, "effort") for name, driver in model.joint_drivers.items())
    forces = ((name, joint, "") for name, force in model.forces.items() for joint in force.joints[:1])
    for name, joint, reading in (*drivers, *forces):
        symbol, freedoms = drawn[joint], topology.geometry.joints[joint].kind.freedoms(space)
        if len(freedoms) != 1:
            continue
        turns = freedoms[0].unit == "rad"
        axis = (0.0, 0.0, 1.0) if turns and space.planar else symbol.axis
        if axis is None:
            continue
        # the symbol is on the parent where the child is the ground
        sign = 1.0 if symbol.body == topology.geometry.joints[joint].child else -1.0
        names = (reading or ("torque" if turns else "force"),)
        part = {"moment": names} if turns else {"force": names}
        yield LoadDrawing(
            name, symbol.body, symbol.point, **part, axis=tuple(sign * x for x in axis), carrier=symbol.carrier
        )


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


@dataclass(frozen=True, eq=False)
class _Pencil:
    """What elements ask when they are drawn, at given live parameters."""

    sketch: DrawnMechanism
    p: Array

    @property
    def space(self) -> Space:
        return self.sketch.space

    def number(self, expression: ca.SX) -> Array:
        return np.asarray(self.sketch.geometry.number(expression, self.p))

    def place(self, reference: str) -> Place:
        return self.sketch.place(reference)

    def centre(self, body: str) -> Place:
        return Place(body, self.sketch.geometry.bodies[body].centre)


def _drawings(topology: Topology, p: Array) -> list[tuple[str, Drawings]]:
    """What is drawn of couplings, relations and forces, with their names."""
    geometry, model = topology.geometry, topology.model
    pen = _Pencil(DrawnMechanism(model, geometry, topology.local_point), p)
    sections = (geometry.couplings, geometry.relations, model.forces)
    return [(name, element.drawings(pen)) for section in sections for name, element in section.items()]


def _outlines(drawings: Iterable[tuple[str, Drawings]]) -> dict[str, list[tuple[Vector, ...]]]:
    """The lines on every body, such as the profile of a cam, each once."""
    found: dict[str, dict[tuple[Vector, ...], None]] = {}
    for body, points in (line for _, item in drawings for line in item.outlines):
        found.setdefault(body, {})[tuple(map(tuple, points.round(12).tolist()))] = None
    return {body: list(lines) for body, lines in found.items()}


def _end(at: Place, place: Callable[[ca.SX], Vector]) -> tuple[str, Vector]:
    return at.body, place(at.local)
