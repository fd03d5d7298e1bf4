"""From declarations to geometry: local points, joint frames and inertia, as functions of the live parameters.

A body's local geometry is exact where it is given (the length of a bar, local points) and comes from the sketch where it
is not. Directions of joint axes are given in world axes at the sketch and are fixed in both bodies through their poses in
the sketch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import frame_about, least_rotation, nearest_rotation, snap
from linkwork.algebra.space import Space, column, numbers, space_named
from linkwork.algebra.whole_turns import turns_beyond
from linkwork.algebra.written import written_by_pattern
from linkwork.elements.joints import JointKind
from linkwork.errors import Fault, ModelError
from linkwork.model import Body, Joint, Model
from linkwork.model.extent import extents_of
from linkwork.model.geometry import turned
from linkwork.model.mass import outlines_of
from linkwork.model.places import pin_owner, pins_of
from linkwork.model.start import StartPose
from linkwork.position.geometry import GROUND, Array, BodyGeometry, Geometry, JointGeometry
from linkwork.topology.clearances import clearings_of
from linkwork.topology.contacts import resolve_contacts
from linkwork.topology.mobility.slender import find_slender
from linkwork.topology.plan.couplings import resolve_couplings
from linkwork.topology.relations import DrawnMechanism, resolve_relations

ONE_PLACE = 1e-9  # of the size of the sketch: points that are no farther apart are one


class Resolver:
    """Evaluates the expressions of a model and places its parts."""

    def __init__(self, model: Model, given: Array | None = None) -> None:
        self.model = model
        self.space: Space = space_named(model.space)
        self.live = tuple(model.live_parameters)
        self.parameters = ca.vertcat(*[ca.SX.sym(name) for name in self.live]) if self.live else ca.SX(0, 1)
        values = model.parameter_values()
        self.defaults = np.array([values[name] for name in self.live]) if given is None else given
        self._cache: dict[str, ca.SX] = {name: self.parameters[i] for i, name in enumerate(self.live)}
        sketch = {name: self.vector(point) for name, point in model.points.items()}
        self.points: Mapping[str, ca.SX] = sketch
        self.places: Mapping[str, Array] = {name: self.number(point) for name, point in sketch.items()}
        self.size = max((float(np.max(np.abs(place))) for place in self.places.values()), default=0.0) or 1.0  # m

    def parameter(self, name: str) -> ca.SX:
        """A parameter: a symbol when live, else the value of its formula."""
        if name not in self._cache:
            self._cache[name] = to_sx(self.model.parameters[name].value, self.parameter)
        return self._cache[name]

    def value(self, expression: Expression) -> ca.SX:
        return ca.SX(to_sx(expression, self.parameter))

    def vector(self, expressions: tuple[Expression, ...]) -> ca.SX:
        return column([self.value(expression) for expression in expressions])

    def number(self, expression: ca.SX) -> Array:
        """The value at the default parameters."""
        if expression.is_constant():
            return numbers(expression).ravel()
        return np.array(ca.Function("f", [self.parameters], [ca.densify(expression)])(self.defaults)).ravel()


def resolve(model: Model, given: Array | None = None) -> Geometry:
    """Resolve the geometry and inertia of a model, and check it with its own live parameters, or with those *given*."""
    resolver = Resolver(model, given)
    bodies = {name: _body(resolver, name, body) for name, body in model.bodies.items()}
    _release_rotors(resolver, bodies)
    joints = {name: _joint(resolver, bodies, name, joint) for name, joint in model.joints.items()}
    pins = _pins(model, bodies, joints)
    ground = _ground_points(resolver, bodies, pins)

    def local_point(body: str, point: str) -> ca.SX:
        return _point_on(resolver, bodies, body, point)

    geometry = Geometry(
        space=resolver.space,
        parameters=resolver.parameters,
        parameter_names=resolver.live,
        defaults=resolver.defaults,
        bodies=bodies,
        joints=joints,
        ground_points=ground,
        pins=pins,
        sketch_points=resolver.points,
        gravity=resolver.vector(model.gravity) if model.gravity else ca.SX(resolver.space.dimension, 1),
        fixed_values={name: resolver.parameter(name) for name in model.parameters},
        start={name: _started(resolver, pose) for name, pose in model.start.items()},
    )
    sketch = DrawnMechanism(model, geometry, local_point, lambda name, joint: _joint(resolver, bodies, name, joint))
    couplings, meshes = resolve_couplings(sketch)
    geometry = replace(geometry, relations=resolve_relations(sketch), couplings=couplings, meshes=meshes)
    geometry = replace(geometry, touchables=resolve_contacts(sketch), clearings=clearings_of(sketch))
    begins = tuple(name for name in geometry.bodies if name in model.initial)
    return replace(geometry, slender=find_slender(model, geometry), begins=begins)


def _started(resolver: Resolver, pose: StartPose) -> Frame:
    still = Frame.identity(resolver.space.dimension)
    axes = still if pose.rotation is None else turned(resolver, pose.rotation)
    return Frame(resolver.vector(pose.origin), axes.axes, axes.angle)


def _pins(
    model: Model, bodies: Mapping[str, BodyGeometry], joints: Mapping[str, JointGeometry]
) -> dict[str, dict[str, ca.SX]]:
    """The sketch points at which joints hold bodies that do not list them, in the axes of these."""
    found: dict[str, dict[str, ca.SX]] = {}
    for name, joint in joints.items():
        for body, point, frame in zip(
            (joint.parent, joint.child), model.joint_points(name), (joint.a, joint.b), strict=True
        ):
            if body != GROUND and point in model.points and point not in bodies[body].points:
                found.setdefault(body, {}).setdefault(point, frame.origin)
    return found


def _ground_points(
    resolver: Resolver, bodies: Mapping[str, BodyGeometry], pins: Mapping[str, Mapping[str, ca.SX]]
) -> dict[str, ca.SX]:
    """The sketch points that the ground holds: its own pins, and what no body has."""
    model = resolver.model
    listed = {point for body in bodies.values() for point in body.points}
    moving = {point for points in pins.values() for point in points}
    own = set(pins_of(model, GROUND))
    sliding = {point for point in moving - listed if pin_owner(model, point) is None}
    held = (own - sliding) | (own & listed)
    return {name: at for name, at in resolver.points.items() if name in held or name not in listed | moving}


# -- bodies ----------------------------------------------------------------------------------------------------------


def _body(resolver: Resolver, name: str, body: Body) -> BodyGeometry:
    points = body.placed_points(resolver, resolver.points)
    drawn = _tidy(resolver, _bar(resolver, body.bar) if body.bar else _plate(resolver, body))
    segments = (body.bar,) if body.bar else _outline(list(points))
    lines, room = outlines_of(resolver, body, points), extents_of(resolver, body, points, segments)
    return BodyGeometry(name, points, body.embody(resolver, points), drawn, segments, lines, room)


def _release_rotors(resolver: Resolver, bodies: dict[str, BodyGeometry]) -> None:
    """Take the inertia of free rotors about their axes, J u uᵀ, off the bodies that carry them."""
    for force in resolver.model.forces.values():
        if force.carried is None:
            continue
        name, direction, inertia = force.carried
        axis = resolver.vector(direction) if direction else ca.SX(1)
        axis = axis / ca.norm_2(axis)
        bodies[name] = replace(bodies[name], kind=bodies[name].kind.released(axis, resolver.value(inertia)))


def _tidy(resolver: Resolver, frame: Frame) -> Frame:
    """Numbers where nothing depends on a live parameter, with rounding errors of 0 and ±1 removed."""

    def tidy(expression: ca.SX, size: float = 1.0) -> ca.SX:
        if not expression.is_constant():
            return expression
        return ca.sparsify(ca.SX(snap(numbers(expression), size)))

    angle = None if frame.angle is None else tidy(ca.SX(frame.angle))
    return Frame(tidy(frame.origin, resolver.size), tidy(frame.axes), angle)


def _outline(names: list[str]) -> tuple[tuple[str, str], ...]:
    if len(names) < 2:
        return ()
    pairs = list(pairwise(names))
    return tuple(pairs if len(names) == 2 else [*pairs, (names[-1], names[0])])


def _bar(resolver: Resolver, bar: tuple[str, str]) -> Frame:
    """The frame of a bar: x from its first point to its second."""
    first, second = (resolver.points[point] for point in bar)
    (direction,) = _direction(first, second)
    return _frame_along(resolver, first, direction)


@written_by_pattern
def _direction(first: ca.SX, second: ca.SX) -> list[ca.SX]:
    """From one place to another, of unit length."""
    return [(second - first) / ca.norm_2(second - first)]


@written_by_pattern
def _planar_axes(direction: ca.SX) -> list[ca.SX]:
    """Axes with x along a direction, and their angle."""
    normal = ca.vertcat(-direction[1], direction[0])
    return [ca.horzcat(direction, normal), ca.atan2(direction[1], direction[0])]


def _frame_along(resolver: Resolver, origin: ca.SX, direction: ca.SX) -> Frame:
    """Axes with x along *direction*; in space z as near to the world's z as possible."""
    if resolver.space.planar:
        axes, angle = _planar_axes(direction)
        return Frame(origin, axes, angle)
    up = ca.SX([0, 0, 1]) if abs(resolver.number(direction)[2]) < 0.99 else ca.SX([0, 1, 0])
    y = ca.cross(up, direction)
    y = y / ca.norm_2(y)
    return Frame(origin, ca.horzcat(direction, y, ca.cross(direction, y)))


def _plate(resolver: Resolver, body: Body) -> Frame:
    """The frame of a body by sketch points (world axes, origin in the first), or by local points placed or fitted."""
    still = Frame.identity(resolver.space.dimension)
    if body.sketch_points:
        return Frame(resolver.points[body.sketch_points[0]], still.axes, still.angle)
    if body.origin is None and body.rotation is None:
        return _fitted(resolver, body)
    axes = turned(resolver, body.rotation)
    if isinstance(body.origin, str):
        return Frame(resolver.points[body.origin], axes.axes, axes.angle)
    origin = still.origin if body.origin is None else resolver.vector(body.origin)
    return Frame(origin, axes.axes, axes.angle)


def _fitted(resolver: Resolver, body: Body) -> Frame:
    """The frame that brings the local points nearest to the sketch points of the same names (Kabsch)."""
    space = resolver.space
    names = [name for name in body.local_points if name in resolver.places]
    if not names:
        return Frame.identity(space.dimension)
    local = ca.horzcat(*[resolver.vector(body.local_points[name]) for name in names])
    world = ca.horzcat(*[resolver.points[name] for name in names])
    middle, place = ca.sum2(local) / len(names), ca.sum2(world) / len(names)
    if space.planar and len(names) > 1:
        pairs = [(local[:, i] - middle, world[:, i] - place) for i in range(len(names))]
        sine = sum((space.moment(one, other) for one, other in pairs), ca.SX(1, 1))
        angle = ca.atan2(sine, sum((ca.dot(one, other) for one, other in pairs), ca.SX(1, 1)))
        turned = Frame.planar(ca.SX(2, 1), angle)
    elif space.planar:
        turned = Frame.identity(2)
    else:
        # in space the rotation is that of the default parameters
        sizes = [resolver.number(item).reshape(3, -1).T for item in (local - middle, world - place)]
        turned = Frame(ca.SX(3, 1), ca.sparsify(ca.SX(_turned(sizes[0], sizes[1], ONE_PLACE * resolver.size))))
    return Frame(place - turned.axes @ middle, turned.axes, turned.angle)


def _turned(local: Array, world: Array, short: float) -> Array:
    """Axes that bring points (n × d) nearest to their places; where these leave a spin open, the least rotation.

    short: distance (m) below which points are at one place or in a line
    """
    d = local.shape[1]
    spread = np.linalg.matrix_rank(local, tol=short)
    if spread == 0:
        return np.eye(d)
    if spread < d - 1:
        u, _, vt = np.linalg.svd(world.T @ local)
        return snap(least_rotation(vt[0], u[:, 0]))
    return snap(nearest_rotation(world.T @ local))


# -- joints ----------------------------------------------------------------------------------------------------------


def _joint(resolver: Resolver, bodies: Mapping[str, BodyGeometry], name: str, joint: Joint) -> JointGeometry:
    kind = _kind(resolver, joint)
    at = joint.at or (name,)
    parent, child = joint.bodies
    places = [
        _point_on(resolver, bodies, body, point) for body, point in zip((parent, child), (at[0], at[-1]), strict=True)
    ]
    drawn = _joint_frames(resolver, joint, name)
    frames = [
        _local_frame(resolver, bodies, body, place, world)
        for body, place, world in zip((parent, child), places, drawn, strict=True)
    ]
    a, b = _referred(resolver, bodies, kind, joint, frames[0], frames[1])
    return JointGeometry(name, kind, parent, child, a, b, _near(resolver, kind, joint))


def _near(resolver: Resolver, kind: JointKind, joint: Joint) -> ca.SX:
    """Near which angle a joint is drawn: a reference beyond half a turn counts its turns."""
    if joint.reference is None or not kind.freedoms(resolver.space)[0].angular:
        return ca.SX(0)
    reference = resolver.value(joint.reference)
    return ca.if_else(turns_beyond(reference) == 0, 0, reference)


def _kind(resolver: Resolver, joint: Joint) -> JointKind:
    return joint.mechanics.with_numbers({key: resolver.value(number) for key, number in joint.numbers.items()})


def _point_on(resolver: Resolver, bodies: Mapping[str, BodyGeometry], body: str, point: str) -> ca.SX:
    """Local coordinates of a point: the body's own, or the sketch point seen from the body's place in the sketch."""
    if body != GROUND and point in bodies[body].points:
        return bodies[body].points[point]
    place = resolver.points[point] if point in resolver.points else _borrowed(bodies, point)
    if body == GROUND:
        return place
    return _tidy(resolver, bodies[body].drawn.inverse() @ Frame(place, ca.SX.eye(resolver.space.dimension))).origin


def _borrowed(bodies: Mapping[str, BodyGeometry], point: str) -> ca.SX:
    """Where another body's own point lies in the sketch."""
    carrier = next(body for body in bodies.values() if point in body.points)
    return carrier.drawn.point(carrier.points[point])


def _joint_frames(resolver: Resolver, joint: Joint, name: str) -> tuple[Frame | None, Frame | None]:
    """The axes of the joint on parent and child in the world at the sketch, or None where each body's own axes serve."""
    if len(joint.directions) < 2 or not joint.MECHANICS.bends:
        frame = _joint_frame(resolver, joint, name)
        return frame, frame
    zero, (first, second) = ca.SX(3, 1), (resolver.vector(axis) for axis in joint.directions)
    straight = _axes_about(first, ca.SX(frame_about(resolver.number(first))[:, 0]))
    return Frame(zero, straight), Frame(zero, _bend(first, second) @ straight)


def _bend(first: ca.SX, second: ca.SX) -> ca.SX:
    """The smallest rotation that brings one direction to another: 1 + k + k k / (1 + c), k = (a × b)×, c = a·b."""
    a, b = first / ca.norm_2(first), second / ca.norm_2(second)
    k = ca.skew(ca.cross(a, b))
    return ca.SX.eye(3) + k + (k @ k) / (1 + ca.dot(a, b))


def _joint_frame(resolver: Resolver, joint: Joint, name: str) -> Frame | None:
    """The axes of a joint that is drawn straight."""
    zero = ca.SX(resolver.space.dimension, 1)
    if resolver.space.planar:
        if not joint.directions:
            # a fixed joint keeps the bodies as they are drawn, a revolute one counts from their own axes
            return Frame.identity(2) if joint.kind == "fixed" else None
        x = resolver.vector(joint.directions[0])
        return Frame.planar(zero, ca.atan2(x[1], x[0]))
    if len(joint.directions) == 2:
        first, second = (resolver.vector(axis) for axis in joint.directions)
        _check_perpendicular(joint, name, resolver.number(first), resolver.number(second))
        return Frame(zero, _axes_about(first, second))
    if joint.directions:
        axis = resolver.vector(joint.directions[0])
        beside = frame_about(resolver.number(axis))[:, 0]
        return Frame(zero, _axes_about(axis, ca.SX(beside)))
    return Frame.identity(3)


def _axes_about(axis: ca.SX, beside: ca.SX) -> ca.SX:
    """Axes with z along *axis* and x along the part of *beside* normal to it."""
    z = axis / ca.norm_2(axis)
    x = beside - ca.dot(beside, z) * z
    x = x / ca.norm_2(x)
    return ca.horzcat(x, ca.cross(z, x), z)


def _check_perpendicular(joint: Joint, name: str, first: Array, second: Array) -> None:
    cosine = abs(float(np.dot(first, second))) / float(np.linalg.norm(first) * np.linalg.norm(second))
    if cosine > 1e-6:
        angle = np.degrees(np.arccos(min(cosine, 1.0)))
        reason = f"the two axes of a {joint.kind} joint cross at {angle:.4g} degrees"
        raise ModelError([Fault(f"joints.{name}.axes", reason, "choose perpendicular axes")])


def _local_frame(
    resolver: Resolver, bodies: Mapping[str, BodyGeometry], body: str, origin: ca.SX, world: Frame | None
) -> Frame:
    """The joint frame in a body, at a local origin, from its axes in the world at the sketch."""
    if world is None:
        return Frame.planar(origin, ca.SX(1, 1))
    still = Frame.identity(resolver.space.dimension)
    carrier = still if body == GROUND else bodies[body].drawn
    turned = Frame(still.origin, carrier.axes, carrier.angle).inverse() @ world
    tidy = _tidy(resolver, turned)
    return Frame(origin, tidy.axes, tidy.angle)


def _referred(
    resolver: Resolver, bodies: Mapping[str, BodyGeometry], kind: JointKind, joint: Joint, a: Frame, b: Frame
) -> tuple[Frame, Frame]:
    """Turn or shift frame a so that the joint coordinate has its ``reference`` value at the sketch."""
    space = resolver.space
    still = Frame.identity(space.dimension)
    frames = {name: still if name == GROUND else bodies[name].drawn for name in joint.bodies}
    seat = kind.seat(space, frames[joint.parent] @ a, frames[joint.child] @ b)
    a = a if seat is None else _tidy(resolver, a @ seat)
    if joint.reference is None:
        return a, b
    measure = kind.measure(space, frames[joint.parent] @ a, frames[joint.child] @ b)[0]
    shift = measure.principal - resolver.value(joint.reference)
    moved = kind.motion(space, ca.vertcat(shift, kind.neutral(space)[1:]))
    return _tidy(resolver, a @ moved), b
