"""The geometry and inertia of a model, resolved: every body with its local points, every joint with its two frames,
every coupling with its terms.

Numbers that depend on live parameters stay expressions of the parameter symbols ``p``; all others are constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import snap, straightened
from linkwork.algebra.space import Space, numbers
from linkwork.arrays import Array
from linkwork.elements.bodies import BodyKind
from linkwork.elements.couplings.backlash import Backlash
from linkwork.elements.couplings.base import Coupled
from linkwork.elements.extents import Extent
from linkwork.elements.inertia import Distribution
from linkwork.elements.joints import JointKind
from linkwork.elements.relations.base import Relation
from linkwork.elements.relations.clearance import ClearanceRelation
from linkwork.elements.shapes.touchables import ContactLaw, Touchables
from linkwork.errors import RefusedError
from linkwork.outline import outlined

GROUND = "ground"
VANISHED = 1e-12  # of the size of what an expression is made of: a zero but for rounding
OTHERS = "take reference_point coordinates, for all or for this body alone"
SAMPLES = 3  # random values of the live parameters at which an identity is tried


@dataclass(frozen=True, eq=False)
class Pose:
    """Position (d) and axes (d × d) of a body frame in the world, as numbers; in the plane with its angle.

    The unknowns of a relation travel among the poses under its name: they stand in ``origin``, and there are no axes. So do
    the coordinates of a body's own, under ``inside``, with their ``rates``: both are given, and no assembly changes them.
    """

    origin: Array
    axes: Array
    angle: float | None = None
    rates: Array = field(default_factory=lambda: np.zeros(0))

    def point(self, local: Array) -> Array:
        return self.origin + self.axes @ local

    def __matmul__(self, inner: Pose) -> Pose:
        """The pose *inner*, given in this one, seen from where this one is seen."""
        turned = None if self.angle is None or inner.angle is None else self.angle + inner.angle
        axes = straightened(self.axes @ inner.axes) if turned is None else turn(turned)
        return Pose(self.point(inner.origin), axes, turned)

    def carried(self, inner: Pose) -> Pose:
        """The same, of axes that need no straightening: these products do not follow each other."""
        turned = None if self.angle is None or inner.angle is None else self.angle + inner.angle
        axes = self.axes @ inner.axes if turned is None else turn(turned)
        return Pose(self.point(inner.origin), axes, turned)

    def inverse(self) -> Pose:
        """The outside of this pose, seen from it."""
        return Pose(-(self.axes.T @ self.origin), self.axes.T, None if self.angle is None else -self.angle)

    def frame(self) -> Frame:
        """This pose as a frame of constants."""
        angle = None if self.angle is None else ca.SX(self.angle)
        return Frame(ca.SX(self.origin), ca.SX(self.axes), angle)


def inside(body: str) -> str:
    """The name under which the coordinates of a body's own travel among the poses."""
    return f"{body}.own"


@dataclass(frozen=True, eq=False)
class BodyGeometry:
    """A body in its own axes."""

    name: str
    points: Mapping[str, ca.SX]
    kind: BodyKind
    drawn: Frame  # its frame in the sketch
    segments: tuple[tuple[str, str], ...] = ()
    outlines: tuple[ca.SX, ...] = ()  # polylines (d × n) that show its parts
    extents: tuple[Extent, ...] = ()  # the room that it takes

    @property
    def centre(self) -> ca.SX:
        """The centre of mass of the body as it is drawn."""
        return self.kind.drawn.centre

    @property
    def places(self) -> tuple[ca.SX, ...]:
        """Its points and its centre of mass, as it is drawn."""
        return (*self.points.values(), self.centre)


@dataclass(frozen=True, eq=False)
class JointGeometry:
    """A joint with frame ``a`` in the parent and frame ``b`` in the child, both in the axes of bodies as they are drawn.

    Bodies that change their shape carry them elsewhere: ask for ``frames``, or for ``Geometry.fixed_frames``.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    a: Frame
    b: Frame
    near: ca.SX = field(default_factory=lambda: ca.SX(0))  # its angle where it is drawn, if that is beyond half a turn

    def frames(self, bodies: Mapping[str, Frame]) -> tuple[Frame, Frame]:
        """The two joint frames in the world, for given frames of the bodies (the ground included)."""
        return bodies[self.parent] @ self.a, bodies[self.child] @ self.b

    def frame_in(self, body: str) -> Frame:
        """The joint frame in one of its two bodies, as it is drawn."""
        return self.a if body == self.parent else self.b


def turn(angle: float) -> Array:
    """The axes (2 × 2) that an angle turns."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _angle(frame: Frame, row: Array) -> float | None:
    return None if frame.angle is None else float(row[-1])


@outlined
@dataclass(frozen=True, eq=False)
class Geometry:
    """All bodies and joints of a model, as functions of the live parameters."""

    space: Space
    parameters: ca.SX
    parameter_names: tuple[str, ...]
    defaults: Array
    bodies: Mapping[str, BodyGeometry]
    joints: Mapping[str, JointGeometry]
    ground_points: Mapping[str, ca.SX]  # those that the ground holds
    sketch_points: Mapping[str, ca.SX]  # all points of the sketch, where they are drawn
    gravity: ca.SX
    relations: Mapping[str, Relation] = field(default_factory=dict)
    fixed_values: Mapping[str, ca.SX] = field(default_factory=dict)
    couplings: Mapping[str, Coupled] = field(default_factory=dict)
    clearings: Mapping[str, tuple[ClearanceRelation, ContactLaw]] = field(default_factory=dict)  # that rub or give way
    meshes: Mapping[str, tuple[Coupled, Backlash]] = field(default_factory=dict)  # couplings that hold nothing for good
    start: Mapping[str, Frame] = field(default_factory=dict)  # frames of bodies that do not start as they are drawn
    pins: Mapping[str, Mapping[str, ca.SX]] = field(default_factory=dict)  # by body: points of its joints, if unlisted
    touchables: Touchables = field(default_factory=Touchables)  # who touches whom
    begins: tuple[str, ...] = ()  # bodies whose motion at the start is given: trees of what floats begin with them
    slender: frozenset[str] = frozenset()  # bars between balls whose spin about their line is nobody's concern

    @property
    def outward(self) -> list[str]:
        """Bodies in the order in which a tree begins with those that float."""
        return list(dict.fromkeys([*self.begins, *self.bodies]))

    def rigid(self, body: str, by: str, remedy: str = OTHERS) -> Distribution:
        """Mass, centre of mass and inertia of a body that has to be rigid; *by*: who takes no other."""
        found = self.bodies[body].kind
        if found.matter is None:
            raise RefusedError(f"body '{body}' is {found.name}, but {by} take only rigid bodies; {remedy}")
        return found.matter

    def all_rigid(self, by: str, remedy: str = OTHERS) -> None:
        """Refuse bodies that are not rigid."""
        for name in self.bodies:
            self.rigid(name, by, remedy)

    def fixed_frames(self, joint: str, by: str) -> tuple[Frame, Frame]:
        """The two frames of a joint, which have to be fixed in their bodies."""
        found = self.joints[joint]
        self.require_shape([name for name in (found.parent, found.child) if name != GROUND], by, OTHERS)
        return found.a, found.b

    def require_shape(self, bodies: Iterable[str], by: str, remedy: str = "use simulate or find_equilibrium") -> None:
        """Refuse bodies of which places move in their frames; *by*: who takes no others."""
        for name in bodies:
            kind = self.bodies[name].kind
            if not kind.keeps_shape:
                raise RefusedError(
                    f"body '{name}' is {kind.name}, but {by} take only bodies that keep their shape; {remedy}"
                )

    @cached_property
    def insides(self) -> dict[str, BodyKind]:
        """The bodies that have coordinates for themselves."""
        return {name: body.kind for name, body in self.bodies.items() if body.kind.unknowns}

    @property
    def own_unknowns(self) -> list[str]:
        """Names of the coordinates that bodies have for themselves."""
        return [f"{name}.{item.name}" for name, kind in self.insides.items() for item in kind.unknowns]

    def is_massless(self, body: str) -> bool:
        return float(self.number(self.bodies[body].kind.mass)) == 0.0

    def masses(self) -> list[float]:
        """Of all bodies, kg."""
        return [float(self.number(body.kind.mass)) for body in self.bodies.values()]

    @property
    def ground_frame(self) -> Frame:
        return Frame.identity(self.space.dimension)

    def sketch(self, values: Array | None = None) -> dict[str, Pose]:
        """The poses of all bodies in the sketch; by default for the default parameters."""
        return self._placed(self._drawn, {name: body.drawn for name, body in self.bodies.items()}, values)

    def beginning(self, values: Array | None = None) -> dict[str, Pose]:
        """The poses from which the mechanism is put together: those of the sketch, and of ``start`` in their place."""
        return self._placed(self._begun, self._beginning, values) if self.start else self.sketch(values)

    def _placed(self, function: ca.Function, frames: Mapping[str, Frame], values: Array | None) -> dict[str, Pose]:
        poses = dict(zip(frames, self._numbers(function, list(frames.values()), values), strict=True))
        return poses | self._first_unknowns(poses, values) | self._first_inside(values)

    def numbers(self, frames: Sequence[Frame], values: Array) -> list[Pose]:
        """Frames that depend on the live parameters, as numbers."""
        return self._numbers(self._frames_function(frames), frames, values)

    def _numbers(self, function: ca.Function, frames: Sequence[Frame], values: Array | None) -> list[Pose]:
        d = self.space.dimension
        found = np.array(function(self.defaults if values is None else values)).reshape(len(frames), -1)
        return [
            Pose(row[:d].copy(), row[d:-1].reshape(d, d, order="F").copy(), _angle(frame, row))
            for frame, row in zip(frames, found, strict=True)
        ]

    @property
    def _beginning(self) -> dict[str, Frame]:
        return {name: self.start.get(name, body.drawn) for name, body in self.bodies.items()}

    @cached_property
    def _drawn(self) -> ca.Function:
        return self._frames_function([body.drawn for body in self.bodies.values()])

    @cached_property
    def _begun(self) -> ca.Function:
        return self._frames_function(list(self._beginning.values()))

    def _frames_function(self, frames: Sequence[Frame]) -> ca.Function:
        """Origin, axes (column by column) and angle of frames, one after the other, of the live parameters."""
        parts = [ca.SX(0, 1)]
        for frame in frames:
            angle = ca.SX(0) if frame.angle is None else ca.SX(frame.angle)
            parts += [ca.densify(frame.origin), ca.vec(ca.densify(frame.axes)), angle]
        return ca.Function("frames", [self.parameters], [ca.densify(ca.vertcat(*parts))])

    def seats(self, values: Array) -> Array:
        """All that places joints in their bodies, as one array."""
        return np.array(self._seats(values)).ravel()

    @cached_property
    def _seats(self) -> ca.Function:
        parts = [ca.SX(0, 1)]
        for joint in self.joints.values():
            parts += [ca.SX(getattr(joint.kind, name)) for name in joint.kind.numbers]
            for frame in (joint.a, joint.b):
                parts += [ca.densify(frame.origin), ca.vec(ca.densify(frame.axes))]
        return ca.Function("seats", [self.parameters], [ca.densify(ca.vertcat(*parts))])

    def _first_unknowns(self, poses: Mapping[str, Pose], values: Array | None) -> dict[str, Pose]:
        """Where the unknowns of the relations begin."""
        if not any(relation.unknowns for relation in self.relations.values()):
            return {}
        frames = {GROUND: self.ground_frame, **{name: pose.frame() for name, pose in poses.items()}}
        return {
            name: Pose(relation.start(self.space, frames, lambda item: self.number(item, values)), np.zeros((0, 0)))
            for name, relation in self.relations.items()
            if relation.unknowns
        }

    def _first_inside(self, values: Array | None) -> dict[str, Pose]:
        """Where the coordinates of bodies' own begin, and with which rates."""
        found = {}
        for name, kind in self.insides.items():
            s, rates = (np.atleast_1d(self.number(item, values)) for item in kind.start)
            found[inside(name)] = Pose(s, np.zeros((0, 0)), rates=rates)
        return found

    def as_drawn(self, poses: Mapping[str, Pose]) -> dict[str, Pose]:
        """The poses with the coordinates of bodies' own at zero, where these are drawn."""
        own = {name: poses[name] for name in map(inside, self.insides)}
        return {**poses, **{name: replace(pose, origin=0 * pose.origin) for name, pose in own.items()}}

    def seated(self, joint: JointGeometry, poses: Mapping[str, Pose]) -> tuple[Frame, Frame]:
        """The two frames of a joint in its bodies, where these have them now."""
        own = {name: ca.SX(poses[inside(name)].origin) for name in self.insides}
        a, b = (
            self.bodies[body].kind.seat(own[body], frame) if body in own else frame
            for body, frame in ((joint.parent, joint.a), (joint.child, joint.b))
        )
        return a, b

    def key(self, joint: str, freedom: str | None) -> tuple[str, int]:
        """A joint and the place of one of its freedoms, by default the first."""
        names = [f.name for f in self.joints[joint].kind.freedoms(self.space)]
        return joint, 0 if freedom is None else names.index(freedom)

    @property
    def heavy(self) -> tuple[str, ...]:
        """Relations with unknowns that have inertia, which are inputs of no plan."""
        moved = {name: [item.mass for item in relation.unknowns] for name, relation in self.relations.items()}
        return tuple(name for name, masses in moved.items() if any(mass is not None for mass in masses))

    def number(self, expression: ca.SX, values: Array | None = None) -> Array:
        """Evaluate an expression of the live parameters; by default at their default values."""
        if expression.is_constant():
            return numbers(expression).squeeze()
        f = ca.Function("f", [self.parameters], [ca.densify(expression)])
        return np.array(f(self.defaults if values is None else values)).squeeze()

    def sample_parameters(self) -> list[Array]:
        """A few random values of the live parameters near their defaults, always the same ones."""
        rng, count = np.random.default_rng(0), len(self.defaults)
        return [
            self.defaults * rng.uniform(0.9, 1.1, count) + 0.01 * rng.normal(size=count)
            for _ in range(SAMPLES if count else 1)
        ]

    @cached_property
    def length(self) -> float:
        """The largest distance between two points of one body, or of the ground, in metres (1 when there is none)."""
        groups = [body.points for body in self.bodies.values()] + [self.ground_points]
        largest = 0.0
        for points in groups:
            places = np.array([self.number(point) for point in points.values()])
            if len(places) > 1:
                largest = max(largest, float(np.linalg.norm(places.max(axis=0) - places.min(axis=0))))
        return largest if largest > 0 else 1.0

    def vanishes(self, expression: ca.SX, size: float = 1.0) -> bool:
        """Whether an expression of the live parameters is zero for all of their values, tried at random ones.

        size: of the values of which it is a difference, such as ``length`` where it is one
        """
        values = [self.number(expression, p) for p in self.sample_parameters()]
        return all(bool(np.all(np.abs(value) <= VANISHED * size)) for value in values)

    def tidy(self, expression: ca.SX, sizes: Array | float = 1.0) -> ca.SX:
        """Constants without the rounding errors of zeros and ones, which fold away; other expressions as they are.

        sizes: of the terms that the entries are sums of
        """
        if not expression.is_constant():
            return expression
        return ca.sparsify(ca.SX(snap(numbers(expression), sizes)))

    def product(self, *factors: ca.SX) -> ca.SX:
        """The product of matrices, tidied beside the sizes of its terms: those of the factors may be of any unit."""
        whole = reduce(ca.mtimes, factors)
        if not whole.is_constant():
            return whole
        terms = reduce(np.matmul, [np.abs(numbers(item)) for item in factors])
        return self.tidy(whole, len(factors) * terms)
