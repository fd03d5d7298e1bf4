"""From declarations to geometry: local points, joint frames and inertia, as functions of the live parameters.

A body's local geometry is exact where it is given (the length of a bar, local points) and comes from the sketch where it
is not. Directions of joint axes are given in world axes at the sketch and are fixed in both bodies through their poses in
the sketch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import exponential, frame_about, least_rotation, nearest_rotation, snap
from linkwork.algebra.space import Space, column, space_named
from linkwork.elements.inertia import box_inertia, cylinder_inertia, point_inertia, rod_inertia
from linkwork.elements.joints import JointKind, joint_kind
from linkwork.errors import Fault, ModelError
from linkwork.model import Body, Joint, Model
from linkwork.model.inertia import Box, Cylinder, InertiaMatrix, Moments, PointMass, Rod
from linkwork.model.rotation import AxisAngle, PlanarAngle, Quaternion, RotationMatrix
from linkwork.topology.geometry import GROUND, Array, BodyGeometry, Geometry, JointGeometry, Pose

Value = Callable[[Expression], ca.SX]


class Resolver:
    """Evaluates the expressions of a model and places its parts."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.space: Space = space_named(model.space)
        self.live = tuple(model.live_parameters)
        self.parameters = ca.vertcat(*[ca.SX.sym(name) for name in self.live]) if self.live else ca.SX(0, 1)
        values = model.parameter_values()
        self.defaults = np.array([values[name] for name in self.live])
        self._cache: dict[str, ca.SX] = {name: self.parameters[i] for i, name in enumerate(self.live)}
        sketch = {name: self.vector(point) for name, point in model.points.items()}
        self.points: Mapping[str, ca.SX] = sketch
        self.places: Mapping[str, Array] = {name: self.number(point) for name, point in sketch.items()}

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
            return np.array(ca.DM(expression)).ravel()
        return np.array(ca.Function("f", [self.parameters], [ca.densify(expression)])(self.defaults)).ravel()


def resolve(model: Model) -> Geometry:
    """Resolve the geometry and inertia of a model."""
    resolver = Resolver(model)
    bodies = {name: _body(resolver, name, body) for name, body in model.bodies.items()}
    joints = {name: _joint(resolver, bodies, name, joint) for name, joint in model.joints.items()}
    owned = {point for body in bodies.values() for point in body.points}
    attached = {
        point for name, joint in model.joints.items() if GROUND in joint.bodies for point in joint.at or (name,)
    }
    ground = {name: point for name, point in resolver.points.items() if name not in owned or name in attached}
    return Geometry(
        space=resolver.space,
        parameters=resolver.parameters,
        parameter_names=resolver.live,
        defaults=resolver.defaults,
        bodies=bodies,
        joints=joints,
        ground_points=ground,
        gravity=resolver.vector(model.gravity) if model.gravity else ca.SX(resolver.space.dimension, 1),
        fixed_values={name: resolver.parameter(name) for name in model.parameters},
    )


# -- bodies ----------------------------------------------------------------------------------------------------------


def _body(resolver: Resolver, name: str, body: Body) -> BodyGeometry:
    points, sketch = _bar(resolver, body) if body.bar else _plate(resolver, body)
    points |= {point: resolver.vector(local) for point, local in body.local_points.items()}
    mass, inertia = _inertia(resolver, body, points)
    segments = (body.bar,) if body.bar else _outline(list(points))
    return BodyGeometry(name, points, mass, _centre(resolver, body, points), inertia, sketch, segments)


def _outline(names: list[str]) -> tuple[tuple[str, str], ...]:
    if len(names) < 2:
        return ()
    pairs = list(pairwise(names))
    return tuple(pairs if len(names) == 2 else [*pairs, (names[-1], names[0])])


def _bar(resolver: Resolver, body: Body) -> tuple[dict[str, ca.SX], Pose]:
    """A bar: local x from its first point to its second."""
    assert body.bar is not None
    first, second = body.bar
    drawn = resolver.points[second] - resolver.points[first]
    length = ca.norm_2(drawn) if body.length is None else resolver.value(body.length)
    d = resolver.space.dimension
    points = {first: ca.SX(d, 1), second: ca.sparsify(ca.vertcat(length, *[0] * (d - 1)))}
    direction = resolver.places[second] - resolver.places[first]
    direction = direction / np.linalg.norm(direction)
    return points, _pose_along(resolver.places[first], direction)


def _pose_along(origin: Array, direction: Array) -> Pose:
    """Axes with x along *direction*; in space z as near to the world's z as possible."""
    if len(direction) == 2:
        angle = float(np.arctan2(direction[1], direction[0]))
        return Pose(origin, np.array([[direction[0], -direction[1]], [direction[1], direction[0]]]), angle)
    up = np.array([0.0, 0.0, 1.0]) if abs(direction[2]) < 0.99 else np.array([0.0, 1.0, 0.0])
    y = np.cross(up, direction)
    y = y / np.linalg.norm(y)
    return Pose(origin, snap(np.column_stack([direction, y, np.cross(direction, y)])))


def _plate(resolver: Resolver, body: Body) -> tuple[dict[str, ca.SX], Pose]:
    """A body by sketch points (world axes, origin in the first), or by local points placed or fitted."""
    d = resolver.space.dimension
    angle = 0.0 if resolver.space.planar else None
    if body.sketch_points:
        first = resolver.points[body.sketch_points[0]]
        points = {name: resolver.points[name] - first for name in body.sketch_points}
        return points, Pose(resolver.number(first), np.eye(d), angle)
    if body.origin is not None or body.rotation is not None:
        axes = _axes(resolver, body)
        origin = np.zeros(d) if body.origin is None else _origin(resolver, body, axes)
        turned = float(np.arctan2(axes[1, 0], axes[0, 0])) if resolver.space.planar else None
        return {}, Pose(origin, axes, turned)
    return {}, _fitted(resolver, body)


def _origin(resolver: Resolver, body: Body, axes: Array) -> Array:
    if isinstance(body.origin, str):
        return resolver.places[body.origin]
    assert body.origin is not None
    return resolver.number(resolver.vector(body.origin))


def _axes(resolver: Resolver, body: Body) -> Array:
    def number(expressions: tuple[Expression, ...]) -> Array:
        return resolver.number(resolver.vector(expressions))

    match body.rotation:
        case PlanarAngle(angle):
            (turn,) = number((angle,))
            return snap(np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]))
        case AxisAngle(axis, angle):
            direction = number(axis)
            return snap(exponential(direction / np.linalg.norm(direction) * number((angle,))))
        case Quaternion(wxyz):
            w, *rest = number(wxyz) / np.linalg.norm(number(wxyz))
            vector = np.array(rest)
            size = float(np.linalg.norm(vector))
            return snap(exponential(vector / size * 2 * np.arctan2(size, w)) if size > 0 else np.eye(3))
        case RotationMatrix(rows):
            return snap(nearest_rotation(np.array([number(row) for row in rows])))
    return np.eye(resolver.space.dimension)


def _fitted(resolver: Resolver, body: Body) -> Pose:
    """The pose that brings the local points nearest to the sketch points of the same names (Kabsch)."""
    d = resolver.space.dimension
    names = [name for name in body.local_points if name in resolver.places]
    local = np.array([resolver.number(resolver.vector(body.local_points[name])) for name in names])
    world = np.array([resolver.places[name] for name in names])
    angle = 0.0 if resolver.space.planar else None
    if not names:
        return Pose(np.zeros(d), np.eye(d), angle)
    middle, place = local.mean(axis=0), world.mean(axis=0)
    axes = _turned(local - middle, world - place)
    if resolver.space.planar:
        angle = float(np.arctan2(axes[1, 0], axes[0, 0]))
    return Pose(place - axes @ middle, axes, angle)


def _turned(local: Array, world: Array) -> Array:
    """Axes that bring points (n × d) nearest to their places; where these leave a spin open, the least rotation."""
    d = local.shape[1]
    spread = np.linalg.matrix_rank(local, tol=1e-9)
    if spread == 0:
        return np.eye(d)
    if spread < d - 1:
        u, _, vt = np.linalg.svd(world.T @ local)
        return snap(least_rotation(vt[0], u[:, 0]))
    return snap(nearest_rotation(world.T @ local))


def _centre(resolver: Resolver, body: Body, points: Mapping[str, ca.SX]) -> ca.SX:
    if isinstance(body.com, str):
        return points[body.com]
    if body.com is not None:
        return resolver.vector(body.com)
    if body.bar is not None:
        return points[body.bar[1]] / 2
    return next(iter(points.values())) if len(points) == 1 else ca.SX(resolver.space.dimension, 1)


def _inertia(resolver: Resolver, body: Body, points: Mapping[str, ca.SX]) -> tuple[ca.SX, ca.SX]:
    """Mass and inertia about the centre of mass, from numbers, a shape or the bar itself."""
    space = resolver.space
    shape = body.inertia
    if body.bar is not None and shape is None:
        return _bar_inertia(resolver, body, points[body.bar[1]][0])
    density = None if body.density is None else resolver.value(body.density)
    if isinstance(shape, Box):
        edges = resolver.vector(shape.edges)
        mass = _mass(resolver, body, density, edges[0] * edges[1] * (edges[2] if not space.planar else 1))
        return mass, box_inertia(space, mass, edges)
    if isinstance(shape, Cylinder):
        radius, length = resolver.value(shape.radius), resolver.value(shape.length)
        mass = _mass(resolver, body, density, ca.pi * radius**2 * length)
        return mass, cylinder_inertia(space, mass, radius, length, shape.axis)
    mass = _mass(resolver, body, None, ca.SX(0))
    match shape:
        case Rod(extent):
            return mass, rod_inertia(space, mass, resolver.value(extent))
        case Moments((single,)):
            return mass, resolver.value(single)
        case Moments(values):
            return mass, _tensor(resolver.vector(values))
        case InertiaMatrix(rows):
            return mass, ca.sparsify(ca.vertcat(*[resolver.vector(row).T for row in rows]))
        case PointMass() | None:
            return mass, point_inertia(space)
    raise AssertionError(shape)


def _bar_inertia(resolver: Resolver, body: Body, length: ca.SX) -> tuple[ca.SX, ca.SX]:
    space = resolver.space
    density = None if body.density is None else resolver.value(body.density)
    if body.radius is not None:
        radius = resolver.value(body.radius)
        mass = _mass(resolver, body, density, ca.pi * radius**2 * length)
        return mass, cylinder_inertia(space, mass, radius, length)
    if body.section is not None:
        section = resolver.vector(body.section)
        mass = _mass(resolver, body, density, section[0] * section[1] * length)
        edges = ca.vertcat(length, section[0]) if space.planar else ca.vertcat(length, section)
        return mass, box_inertia(space, mass, edges)
    mass = _mass(resolver, body, None, ca.SX(0))
    return mass, rod_inertia(space, mass, length)


def _mass(resolver: Resolver, body: Body, density: ca.SX | None, volume: ca.SX) -> ca.SX:
    if body.mass is not None:
        return resolver.value(body.mass)
    assert density is not None
    return density * volume


def _tensor(values: ca.SX) -> ca.SX:
    if values.numel() == 3:
        return ca.diag(values)
    xx, yy, zz, xy, xz, yz = (values[i] for i in range(6))
    return ca.vertcat(ca.horzcat(xx, xy, xz), ca.horzcat(xy, yy, yz), ca.horzcat(xz, yz, zz))


# -- joints ----------------------------------------------------------------------------------------------------------


def _joint(resolver: Resolver, bodies: Mapping[str, BodyGeometry], name: str, joint: Joint) -> JointGeometry:
    kind = joint_kind(joint.kind)
    at = joint.at or (name,)
    parent, child = joint.bodies
    places = [
        _point_on(resolver, bodies, body, point) for body, point in zip((parent, child), (at[0], at[-1]), strict=True)
    ]
    axes = _joint_axes(resolver, kind, joint, name)
    frames = [
        _local_frame(resolver.space, bodies, body, place, axes)
        for body, place in zip((parent, child), places, strict=True)
    ]
    a, b = _referred(resolver, bodies, kind, joint, frames[0], frames[1])
    return JointGeometry(name, kind, parent, child, a, b)


def _point_on(resolver: Resolver, bodies: Mapping[str, BodyGeometry], body: str, point: str) -> ca.SX:
    """Local coordinates of a point: the body's own, or the sketch point seen from the body's pose in the sketch."""
    if body == GROUND:
        return resolver.points[point] if point in resolver.points else _borrowed(bodies, point)
    if point in bodies[body].points:
        return bodies[body].points[point]
    place = resolver.places[point] if point in resolver.places else _place_of(resolver, bodies, point)
    pose = bodies[body].sketch
    return column(snap(pose.axes.T @ (place - pose.origin)))


def _borrowed(bodies: Mapping[str, BodyGeometry], point: str) -> ca.SX:
    """Where a body's own point lies in the sketch, as a point of the ground."""
    for body in bodies.values():
        if point in body.points:
            return body.sketch.frame().point(body.points[point])
    raise KeyError(point)


def _place_of(resolver: Resolver, bodies: Mapping[str, BodyGeometry], point: str) -> Array:
    return resolver.number(_borrowed(bodies, point))


def _joint_axes(resolver: Resolver, kind: JointKind, joint: Joint, name: str) -> Array | None:
    """Axes of the joint frames in the world at the sketch, or None where each body's own axes serve."""
    if resolver.space.planar:
        if joint.axis is None:
            # a fixed joint keeps the bodies as they are drawn, a revolute one counts from their own axes
            return np.eye(2) if kind.name == "fixed" else None
        x = resolver.number(resolver.vector(joint.axis))
        x = x / np.linalg.norm(x)
        return snap(np.array([[x[0], -x[1]], [x[1], x[0]]]))
    if joint.axes is not None:
        first, second = (resolver.number(resolver.vector(axis)) for axis in joint.axes)
        cosine = abs(np.dot(first, second)) / np.linalg.norm(first) / np.linalg.norm(second)
        if cosine > 1e-6:
            angle = np.degrees(np.arccos(min(cosine, 1.0)))
            reason = f"the two axes of a universal joint cross at {angle:.4g} degrees"
            raise ModelError([Fault(f"joints.{name}.axes", reason, "choose perpendicular axes")])
        return frame_about(first, beside=second)
    if joint.axis is not None:
        return frame_about(resolver.number(resolver.vector(joint.axis)))
    return np.eye(3)


def _local_frame(
    space: Space, bodies: Mapping[str, BodyGeometry], body: str, origin: ca.SX, axes: Array | None
) -> Frame:
    if space.planar:
        turned = 0.0 if axes is None else float(np.arctan2(axes[1, 0], axes[0, 0]))
        own = 0.0 if body == GROUND else float(bodies[body].sketch.angle or 0.0)
        return Frame.planar(origin, ca.SX(0.0 if axes is None else turned - own))
    assert axes is not None
    local = axes if body == GROUND else snap(bodies[body].sketch.axes.T @ axes)
    return Frame(origin, ca.sparsify(ca.SX(ca.DM(local))))


def _referred(
    resolver: Resolver, bodies: Mapping[str, BodyGeometry], kind: JointKind, joint: Joint, a: Frame, b: Frame
) -> tuple[Frame, Frame]:
    """Turn or shift frame a so that the joint coordinate has its ``reference`` value at the sketch."""
    if joint.reference is None:
        return a, b
    space = resolver.space
    wanted = resolver.value(joint.reference)
    frames = {name: body.sketch.frame() for name, body in bodies.items()} | {GROUND: Frame.identity(space.dimension)}
    measure = kind.measure(space, frames[joint.parent] @ a, frames[joint.child] @ b)[0]
    shift = ca.SX(ca.DM(resolver.number(measure.principal))) - wanted
    return a @ kind.motion(space, ca.vertcat(shift, ca.SX(kind.count_positions(space) - 1, 1))), b
