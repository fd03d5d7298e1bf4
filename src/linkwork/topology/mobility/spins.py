"""Passive spins: bodies that can turn about the line of the two balls between which they hang, and move nothing else by it.

A link on two balls has one, a leg of two parts that slide along the line of its balls one for both, or one for each of them
where the slide is a cylindrical joint. Euler's equation about the line u of a body that is round about it, with its centre
of mass on it and no moment about it, is

    I₃ d(u·ω)/dt = 0,

so that u·ω = 0 is a motion of it, and the only one from rest. A body without inertia about its line has no other that
anybody could tell. Where a body is not round, or something asks for its angle, its spin is a freedom like all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.model import Model
from linkwork.model.connected import groups
from linkwork.position.geometry import GROUND, Array, Geometry, JointGeometry
from linkwork.topology.mobility.slender import concern_of, is_ball

STRAIGHT = 1e-9  # part of the size of a link by which balls, centres of mass and inertia may be beside the line
BESIDE = 1e-6  # part of its distance along the line by which a point is beside it
SPINNING = "spins between balls"
WITHIN = ("prismatic", "fixed")  # joints inside a group that turns as one


@dataclass(frozen=True, eq=False)
class PassiveSpin:
    """Bodies that turn together about the line of their balls; its unit vector in the axes of each of them.

    starts: a point of the line in each of them;
    joints: those on which they hang; matters: why the dynamics has to tell it; empty where it stays what it is
    """

    lines: Mapping[str, ca.SX]
    starts: Mapping[str, ca.SX]
    joints: tuple[str, ...]
    matters: str

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(self.lines)

    @property
    def name(self) -> str:
        """The body by which it is called."""
        return self.bodies[0]

    def moves(self, geometry: Geometry, body: str, local: Array) -> bool:
        """Whether it moves a point of a body."""
        if body not in self.lines:
            return False
        arm, line = local - geometry.number(self.starts[body]), geometry.number(self.lines[body])
        return float(np.linalg.norm(np.cross(arm, line))) > BESIDE * max(float(np.linalg.norm(arm)), 1e-300)

    def turned_by(self, coordinates: Iterable[tuple[str, str]]) -> PassiveSpin:
        """The same where joint coordinates (joint, name) are driven: one about the line turns what hangs on its joint."""
        driven = next(
            (f"{joint}.{name}" for joint, name in coordinates if joint in self.joints and name == "angle"), ""
        )
        return replace(self, matters=f"what drives {driven} turns it") if driven and not self.matters else self

    def weightless(self, geometry: Geometry) -> bool:
        """Whether its bodies have no inertia about the line."""
        return all(
            geometry.bodies[name].kind.is_rigid
            and _vanishes(geometry, ca.dot(u, geometry.rigid(name, SPINNING).inertia @ u) / _moment(geometry, name))
            for name, u in self.lines.items()
        )


def find_spins(model: Model, geometry: Geometry) -> tuple[PassiveSpin, ...]:
    """All passive spins, in the order of the bodies."""
    if geometry.space.planar or not any(is_ball(geometry, joint) for joint in geometry.joints.values()):
        return ()
    related = {name for relation in geometry.relations.values() for name in relation.bodies}
    guided = {text for guide in model.guides.values() for text in guide.reference.split(".")}
    held = related | {name for name, body in geometry.bodies.items() if guided & {name, *body.points}}
    found = (_spin_of(model, geometry, group) for group in _groups(geometry) if not held & set(group))
    return tuple(spin for spin in found if spin is not None)


def spin_texts(spins: Sequence[PassiveSpin]) -> Iterator[str]:
    """What to say about each passive spin that the dynamics has to tell."""
    for spin in spins:
        if spin.matters:
            who = f"{spin.name} spins" if len(spin.bodies) == 1 else f"{' and '.join(spin.bodies)} spin together"
            yield f"{who} freely between two balls, and that matters: {spin.matters}"


def spins_taken(spins: Sequence[PassiveSpin]) -> list[str]:
    """What a motion says about passive spins that its inputs leave open, where anybody could tell."""
    return [
        f"{text}; nothing gives its spin: it moves without any (u·ω = 0), and its reactions are those of that motion"
        for text in spin_texts(spins)
    ]


def _groups(geometry: Geometry) -> Iterator[tuple[str, ...]]:
    """Moving bodies that turn alike, because joints between them leave no rotation."""
    inner = [(j.parent, j.child) for j in geometry.joints.values() if j.kind.name in WITHIN]
    return (group for group in groups((GROUND, *geometry.bodies), inner) if GROUND not in group)


@dataclass(frozen=True, eq=False)
class _Group:
    """Bodies that turn alike, with their frames in the axes of the first, and the joints that end on them."""

    geometry: Geometry
    frames: Mapping[str, Frame]
    ends: tuple[tuple[JointGeometry, Frame], ...]

    @property
    def size(self) -> float:
        """Length of the line between its ends."""
        start, *others = (self.geometry.number(frame.origin) for _, frame in self.ends)
        return max((float(np.linalg.norm(place - start)) for place in others), default=0.0)

    def line(self) -> ca.SX | None:
        """Direction of the line: of its slide where it has one, else from ball to ball; None where there is none."""
        axes = [frame.axis(2) for joint, frame in self.ends if joint.kind.name == "cylindrical"]
        axes += [
            self.frames[joint.parent].axes @ joint.a.axis(2)
            for joint in self.geometry.joints.values()
            if joint.kind.name == "prismatic" and joint.parent in self.frames and joint.child in self.frames
        ]
        start, *others = (frame.origin for _, frame in self.ends)
        far = max(others, key=lambda place: float(np.linalg.norm(self.geometry.number(place - start))), default=start)
        if self.size > 0.0:
            axes.append((far - start) / ca.norm_2(far - start))
        return axes[0] if axes and self._straight(axes) else None

    def _straight(self, axes: Sequence[ca.SX]) -> bool:
        """Whether all directions are one, and the ends of the group lie on the line."""
        u, start, length = axes[0], self.ends[0][1].origin, self.size or 1.0
        beside = [ca.cross(axis, u) for axis in axes[1:]]
        beside += [ca.cross(frame.origin - start, u) / length for _, frame in self.ends]
        return _vanishes(self.geometry, ca.vertcat(ca.SX(0, 1), *beside))


def _spin_of(model: Model, geometry: Geometry, names: tuple[str, ...]) -> PassiveSpin | None:
    """The spin of a group between balls and cylindrical joints on one line; None where it has none."""
    touching = [joint for joint in geometry.joints.values() if {joint.parent, joint.child} & set(names)]
    outer = [joint for joint in touching if not {joint.parent, joint.child} <= set(names)]
    balls = [joint for joint in outer if is_ball(geometry, joint)]
    if not balls or any(joint not in balls and joint.kind.name != "cylindrical" for joint in outer) or len(outer) < 2:
        return None
    frames = _placed(geometry, names)
    held = [(joint, joint.parent if joint.parent in names else joint.child) for joint in outer]
    group = _Group(geometry, frames, tuple((joint, frames[name] @ joint.frame_in(name)) for joint, name in held))
    u = group.line()
    if u is None:
        return None
    start = group.ends[0][1].origin
    joints = [joint.name for joint in outer]
    reasons = [_matters(model, geometry, (name, frames[name]), (start, u), joints) for name in names]
    if model.base is not None and model.base.omega is not None:
        reasons.append("the ground turns")
    lines = {name: frames[name].axes.T @ u for name in names}
    starts = {name: frames[name].inverse().point(start) for name in names}
    return PassiveSpin(lines, starts, tuple(joints), next((reason for reason in reasons if reason), ""))


def _placed(geometry: Geometry, names: tuple[str, ...]) -> dict[str, Frame]:
    """Frames of the bodies of a group in the axes of the first, with all slides at zero."""
    frames = {names[0]: Frame.identity(3)}
    inner = [j for j in geometry.joints.values() if j.kind.name in WITHIN and {j.parent, j.child} <= set(names)]
    while len(frames) < len(names):
        for joint in inner:
            if joint.parent in frames and joint.child not in frames:
                frames[joint.child] = frames[joint.parent] @ joint.a @ joint.b.inverse()
            elif joint.child in frames and joint.parent not in frames:
                frames[joint.parent] = frames[joint.child] @ joint.b @ joint.a.inverse()
    return frames


def _matters(
    model: Model,
    geometry: Geometry,
    placed: tuple[str, Frame],
    line: tuple[ca.SX, ca.SX],
    joints: Sequence[str],
) -> str:
    """Why the spin of a body about a line (a point and its direction) is not left alone; empty where it is."""
    (name, frame), (start, u), body = placed, line, geometry.bodies[placed[0]]
    if not body.kind.is_rigid:
        return f"{name} is {body.kind.name}, not rigid"
    inertia = frame.axes @ geometry.rigid(name, SPINNING).inertia @ frame.axes.T
    i3 = ca.dot(u, inertia @ u)
    round_about = i3 * (u @ u.T) + (ca.trace(inertia) - i3) / 2 * (ca.SX.eye(3) - u @ u.T)
    size = _moment(geometry, name)

    def beside(local: ca.SX) -> ca.SX:
        return ca.cross(frame.point(local) - start, u)

    length = max((float(np.linalg.norm(geometry.number(p - start))) for p in _places(frame, body.points)), default=0.0)
    centre = beside(body.centre)
    if not geometry.is_massless(name) and not _vanishes(geometry, centre / (length or 1.0)):
        off = float(np.linalg.norm(geometry.number(centre)))
        return f"the centre of mass of {name} is {off:.3g} m beside the line of its balls"
    if not _vanishes(geometry, ca.vec(inertia - round_about) / size):
        return f"the inertia of {name} is not the same all round the line of its balls"
    off_line = [
        point for point, local in body.points.items() if not _vanishes(geometry, beside(local) / (length or 1.0))
    ]
    return concern_of(model, name, joints, off_line)


def _vanishes(geometry: Geometry, expression: ca.SX) -> bool:
    """Whether an expression of the live parameters, in parts of a size, is next to nothing for all of their values."""
    values = [geometry.number(expression, p) for p in geometry.sample_parameters()]
    return all(bool(np.all(np.abs(value) <= STRAIGHT)) for value in values)


def _moment(geometry: Geometry, name: str) -> float:
    """The size of the inertia of a body."""
    return float(np.max(np.abs(geometry.number(geometry.rigid(name, SPINNING).inertia)), initial=0.0)) or 1.0


def _places(frame: Frame, points: Mapping[str, ca.SX]) -> list[ca.SX]:
    return [frame.point(local) for local in points.values()]
