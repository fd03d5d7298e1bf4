"""What a mechanism looks like, for the views: a drawing made of its geometry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Place
from linkwork.elements.couplings.backlash import drawn_with_play
from linkwork.elements.drawings import Drawings
from linkwork.elements.extents import Extent
from linkwork.elements.joints.base import Freedom
from linkwork.elements.stops import LOWER, UPPER
from linkwork.numerics.geometry.polygons import convex_parts
from linkwork.position.geometry import GROUND, Array, BodyGeometry, JointGeometry
from linkwork.results.drawing import (
    BodyDrawing,
    Drawing,
    JointDrawing,
    LoadDrawing,
    MeshDrawing,
    Piece,
    PlaneDrawing,
    SpringDrawing,
    StopDrawing,
    StringDrawing,
    Vector,
    WheelDrawing,
)
from linkwork.results.surface_lines import plane_of, surface_lines
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
    surfaces, planes = _surfaces(topology, p)
    for body, found in surfaces.items():
        lines.setdefault(body, []).extend(found)
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
        stops=tuple(_stops(topology, p)),
        planes=planes,
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
    return MeshDrawing(name, item.look, tuple(wheels), item.play, item.ahead)


def _loads(drawings: Iterable[tuple[str, Drawings]], place: Callable[[ca.SX], Vector]) -> Iterator[LoadDrawing]:
    """What forces and torques at places push with."""
    for name, item in drawings:
        for load in item.loads:
            yield LoadDrawing(name, *_end(load.at, place), load.force, load.moment)


def _efforts(topology: Topology, joints: Iterable[JointDrawing]) -> Iterator[LoadDrawing]:
    """What drivers, motors, springs and friction push with along the coordinate of a joint, on its child."""
    model, drawn = topology.model, {joint.name: joint for joint in joints}
    drivers = ((name, driver.joint, "effort") for name, driver in model.joint_drivers.items())
    forces = ((name, joint, "") for name, force in model.forces.items() for joint in force.joints[:1])
    for name, joint, reading in (*drivers, *forces):
        freedoms = topology.geometry.joints[joint].kind.freedoms(topology.geometry.space)
        if len(freedoms) == 1:
            yield from _along(topology, drawn[joint], name, freedoms[0], reading)
    for name, declared in model.joints.items():
        for freedom in topology.geometry.joints[name].kind.freedoms(topology.geometry.space):
            if freedom.name in declared.ranges:
                yield from _along(topology, drawn[name], f"{name}.{freedom.name}", freedom, "stop", "contact")
            if declared.friction is not None and freedom.kind != "spin":
                yield from _along(topology, drawn[name], f"{name}.friction", freedom, "", "contact")


def _along(
    topology: Topology, symbol: JointDrawing, name: str, freedom: Freedom, reading: str, kind: str = "applied"
) -> Iterator[LoadDrawing]:
    """The arrow of what pushes along a coordinate, on the child; reading: by default torque or force."""
    turns = freedom.unit == "rad"
    axis = (0.0, 0.0, 1.0) if turns and topology.geometry.space.planar else symbol.axis
    if axis is None:
        return
    # the symbol is on the parent where the child is the ground
    sign = 1.0 if symbol.body == topology.geometry.joints[symbol.name].child else -1.0
    names = (reading or ("torque" if turns else "force"),)
    part = {"moment": names} if turns else {"force": names}
    along = tuple(sign * x for x in axis)
    yield LoadDrawing(name, symbol.body, symbol.point, **part, axis=along, carrier=symbol.carrier, kind=kind)


def _stops(topology: Topology, p: Array) -> Iterator[StopDrawing]:
    """Where bodies that turn or slide along their only coordinate have stops, on what they are joined to."""
    geometry, sketch = topology.geometry, _Pencil.of(topology, p).sketch
    for name, declared in topology.model.joints.items():
        joint, freedoms = geometry.joints[name], geometry.joints[name].kind.freedoms(geometry.space)
        if len(freedoms) != 1 or joint.kind.name not in ("revolute", "prismatic") or joint.child == GROUND:
            continue
        for side, end in zip((LOWER, UPPER), declared.ranges.get(freedoms[0].name, (None, None)), strict=True):
            if end is not None:
                value = float(geometry.number(sketch.value(end), p))
                meets = _turned_to if freedoms[0].unit == "rad" else _slid_to
                place = meets(topology, joint, value, -1.0 if side == LOWER else 1.0, p)
                condition = f"{name}.{freedoms[0].name}.{side}"
                yield StopDrawing(condition, joint.parent, *place, freedoms[0].unit == "rad")


def _frame(topology: Topology, frame: Frame, p: Array) -> tuple[Array, Array]:
    """Origin and axes of a frame as numbers."""
    d, number = topology.geometry.space.dimension, topology.geometry.number
    return number(ca.densify(frame.origin), p).reshape(d), number(ca.densify(frame.axes), p).reshape(d, d)


def _slid_to(topology: Topology, joint: JointGeometry, value: float, sign: float, p: Array) -> tuple[Vector, Vector]:
    """Where the origin of the child is at a value, and which way it goes there."""
    origin, axes = _frame(topology, joint.a, p)
    along = axes[:, 0 if topology.geometry.space.planar else 2]
    return tuple((origin + value * along).tolist()), tuple((sign * along).tolist())


def _turned_to(topology: Topology, joint: JointGeometry, value: float, _: float, p: Array) -> tuple[Vector, Vector]:
    """Where the joint is, and where the child's farthest point across the axis is from there at a value."""
    (origin, axes), (own, turned) = (_frame(topology, frame, p) for frame in (joint.a, joint.b))
    child = topology.geometry.bodies[joint.child]
    places = [np.asarray(topology.geometry.number(x, p)) for x in (child.centre, *child.points.values())]
    gaps = [(turned.T @ (place.reshape(len(own)) - own))[:2] for place in places]
    away = max(gaps, key=lambda gap: float(np.linalg.norm(gap)))
    size = float(np.linalg.norm(away))
    c, s = np.cos(value), np.sin(value)
    pointing = np.zeros(len(own))
    pointing[:2] = np.array([[c, -s], [s, c]]) @ (away / size if size > 0.0 else (1.0, 0.0))
    return tuple(origin.tolist()), tuple((axes @ pointing).tolist())


def _surfaces(topology: Topology, p: Array) -> tuple[dict[str, list[tuple[Vector, ...]]], tuple[PlaneDrawing, ...]]:
    """Lines of surfaces that something may touch, by bodies, and planes."""
    lines: dict[str, list[tuple[Vector, ...]]] = {}
    planes = []

    def number(expression: ca.SX) -> Array:
        return np.asarray(topology.geometry.number(expression, p))

    for shape in topology.geometry.touchables.shapes:
        if shape.name not in topology.model.surfaces:
            continue
        found = surface_lines(shape, number)
        lines.setdefault(shape.body, []).extend(tuple(map(tuple, line.tolist())) for line in found)
        plane = plane_of(shape, number)
        if plane is not None:
            planes.append(PlaneDrawing(shape.name, shape.body, *(tuple(item.tolist()) for item in plane)))
    return lines, tuple(planes)


def _joint(joint: JointGeometry, space: Space, place: Callable[[ca.SX], Vector]) -> JointDrawing:
    """The symbol moves with the child, or with the parent where the child is the ground and shares its axis."""
    kind, index = joint.kind, 0 if space.planar else 2
    on_child = joint.child != GROUND or kind.axis_on_parent
    body, other, frame = (joint.child, joint.parent, joint.b) if on_child else (joint.parent, joint.child, joint.a)
    carrier, axes = (joint.parent, joint.a) if kind.axis_on_parent else (body, frame)
    wanted = kind.shares_axis or kind.axes[space.name] > 0
    axis = (*place(axes.axis(index)), 0.0)[:3] if wanted else None
    return JointDrawing(joint.name, kind.symbol or kind.name, body, place(frame.origin), other, axis, carrier)


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

    @classmethod
    def of(cls, topology: Topology, p: Array) -> _Pencil:
        return cls(DrawnMechanism(topology.model, topology.geometry, topology.local_point), p)

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
    pen = _Pencil.of(topology, p)
    meshes = [(name, drawn_with_play(*item, pen)) for name, item in geometry.meshes.items()]
    clearings = {name: relation for name, (relation, _) in geometry.clearings.items()}
    sections = (geometry.couplings, geometry.relations, clearings, model.forces)
    return meshes + [(name, element.drawings(pen)) for section in sections for name, element in section.items()]


def _outlines(drawings: Iterable[tuple[str, Drawings]]) -> dict[str, list[tuple[Vector, ...]]]:
    """The lines on every body, such as the profile of a cam, each once."""
    found: dict[str, dict[tuple[Vector, ...], None]] = {}
    for body, points in (line for _, item in drawings for line in item.outlines):
        found.setdefault(body, {})[tuple(map(tuple, points.round(12).tolist()))] = None
    return {body: list(lines) for body, lines in found.items()}


def _end(at: Place, place: Callable[[ca.SX], Vector]) -> tuple[str, Vector]:
    return at.body, place(at.local)
