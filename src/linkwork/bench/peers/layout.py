"""A task in numbers, for programs that are given bodies, joints and springs: all axes are those of the world at the start.

Bodies are read off the model that Linkwork runs, as they stand and move at t = 0. The spanning tree is that of the joints in
the order of the model; a joint between two bodies of the tree closes a loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

import linkwork as lw
from linkwork.arrays import Array
from linkwork.bench.peers.linkwork_flow import prepared
from linkwork.model import Model

if TYPE_CHECKING:
    from linkwork.bench.task import Task

GROUND = "ground"
READER = "other programs"
VERTICAL = np.array([0.0, 0.0, 1.0])
COORDINATES = {"revolute": "angle", "prismatic": "position", "spherical": "q"}


@dataclass(frozen=True, eq=False)
class Mounted:
    """A body and the joint that carries it: *kind* at *place* along *axis*, moving with *speed* (3 of a ball, else 1).

    centre, velocity: of mass, in the world; inertia: about it. stiffness, damping: of a spring of the joint, at rest at
    the start. parent: number of a link, -1 for the ground.
    """

    name: str
    joint: str
    parent: int
    kind: str
    place: Array
    axis: Array
    speed: Array
    mass: float
    centre: Array
    inertia: Array
    velocity: Array
    omega: Array
    stiffness: float = 0.0
    damping: float = 0.0


@dataclass(frozen=True, eq=False)
class Closure:
    """A revolute joint between two links that closes a loop."""

    first: int
    second: int
    place: Array
    axis: Array


@dataclass(frozen=True, eq=False)
class Strut:
    """A spring between points of two links (-1: ground), places in the world."""

    first: int
    second: int
    ends: tuple[Array, Array]
    stiffness: float
    damping: float
    free: float


@dataclass(frozen=True, eq=False)
class Arrangement:
    """All of them; torques: about z on the joints of links, constant."""

    planar: bool
    gravity: Array
    links: tuple[Mounted, ...]
    closures: tuple[Closure, ...]
    struts: tuple[Strut, ...]
    torques: Mapping[int, float]

    @property
    def names(self) -> list[str]:
        """Names of the coordinates of the tree, as Linkwork has them."""
        return [f"{link.joint}.{COORDINATES[link.kind]}" for link in self.links]

    @property
    def coordinates(self) -> int:
        """How many coordinates joints have, four of a ball."""
        return sum(4 if link.kind == "spherical" else 1 for link in self.links)

    def offset(self, number: int) -> Array:
        """From the joint of the parent to that of a link."""
        link = self.links[number]
        return link.place - (self.links[link.parent].place if link.parent >= 0 else 0.0)

    def local(self, number: int, place: Array) -> Array:
        """A place of the world at the start, from the joint of a link."""
        return place - (self.links[number].place if number >= 0 else 0.0)

    def pins(self, closure: Closure) -> list[Array]:
        """Points that have to stay together for a loop to stay closed: two on the axis in space."""
        return [closure.place] if self.planar else [closure.place, closure.place + closure.axis]


def in_space(vector: Any) -> Array:
    """Two or three components as three."""
    numbers = np.array(ca.DM(vector), dtype=float).ravel()
    return np.append(numbers, 0.0) if numbers.size == 2 else numbers


@cache
def layout(task: Task) -> Arrangement:
    """The bodies of a task at its start."""
    mechanism, _ = prepared(task)
    model, geometry = mechanism.model, mechanism.topology.geometry
    run = lw.simulate(mechanism, times=[0.0, 1e-9 * task.end])
    poses = {name: _pose(run, name) for name in geometry.bodies}
    poses[GROUND] = np.zeros(3), np.eye(3)
    links: list[Mounted] = []
    closures: list[Closure] = []
    number = {GROUND: -1}
    waiting = list(geometry.joints)
    while waiting:
        name = next(
            item for item in waiting if {geometry.joints[item].parent, geometry.joints[item].child} & set(number)
        )
        waiting.remove(name)
        joint = geometry.joints[name]
        place, axis = _joint_frame(geometry, name, poses)
        if joint.parent in number and joint.child in number:
            closures.append(Closure(number[joint.parent], number[joint.child], place, axis))
            continue
        forward = joint.parent in number
        parent, child = (joint.parent, joint.child) if forward else (joint.child, joint.parent)
        number[child] = len(links)
        carried = name, number[parent], place, axis if forward else -axis
        links.append(_link((run, model, geometry), child, poses, carried))
    struts, torques = _forces(model, geometry, poses, number)
    return Arrangement(
        model.space == "planar", in_space(geometry.gravity), tuple(links), tuple(closures), struts, torques
    )


def _pose(run: lw.Result, body: str) -> tuple[Array, Array]:
    """Origin and axes of a body at the start."""
    if f"{body}.angle" in run.names():
        angle = run[f"{body}.angle"][0]
        c, s = np.cos(angle), np.sin(angle)
        return np.array([run[f"{body}.origin.{x}"][0] for x in "xy"] + [0.0]), np.array(
            [[c, -s, 0], [s, c, 0], [0, 0, 1]]
        )
    w, x, y, z = (run[f"{body}.q{i}"][0] for i in range(4))
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.array([run[f"{body}.origin.{a}"][0] for a in "xyz"]), np.eye(3) + 2 * w * cross + 2 * cross @ cross


def _joint_frame(geometry: Any, joint: str, poses: Mapping[str, tuple[Array, Array]]) -> tuple[Array, Array]:
    """Place and axis of a joint in the world."""
    origin, axes = poses[geometry.joints[joint].parent]
    frame, _ = geometry.fixed_frames(joint, READER)
    own = np.array(ca.DM(frame.axes), dtype=float)
    return origin + axes @ in_space(frame.origin), axes @ own[:, 2] if own.shape[0] == 3 else VERTICAL


def _link(
    start: tuple[lw.Result, Model, Any], body: str, poses: Mapping[str, tuple[Array, Array]], at: tuple[Any, ...]
) -> Mounted:
    run, model, geometry = start
    joint, parent, place, axis = at
    kind = model.joints[joint].kind
    origin, axes = poses[body]
    matter = geometry.rigid(body, READER)
    inertia = np.array(ca.DM(matter.inertia), dtype=float)
    planar = inertia.size == 1
    omega = np.array([0, 0, run[f"{body}.speed"][0]] if planar else [run[f"{body}.w{a}"][0] for a in "xyz"])
    velocity = np.array([run[f"{body}.v{a}"][0] for a in ("xy" if planar else "xyz")] + [0.0] * planar)
    speed = omega if kind == "spherical" else np.array([run[f"{joint}.speed"][0]])
    spring: Any = next((item for item in model.forces.values() if getattr(item, "joint", None) == joint), None)
    return Mounted(
        *(body, joint, parent, kind, place, axis, speed, float(ca.DM(matter.mass))),
        origin + axes @ in_space(matter.centre),
        float(inertia[0, 0]) * np.eye(3) if planar else axes @ inertia @ axes.T,
        velocity,
        omega,
        stiffness=0.0 if spring is None else float(model.number(spring.stiffness)),
        damping=0.0 if spring is None else float(model.number(spring.damping)),
    )


def _forces(
    model: Model, geometry: Any, poses: Mapping[str, tuple[Array, Array]], number: Mapping[str, int]
) -> tuple[tuple[Strut, ...], dict[int, float]]:
    """Springs between points, and torques on bodies, which are carried by the ground."""

    def place(name: str) -> tuple[int, Array]:
        body, _, point = name.rpartition(".")
        if not body:
            return -1, in_space(geometry.ground_points[point])
        origin, axes = poses[body]
        return number[body], origin + axes @ in_space(geometry.bodies[body].points[point])

    struts: list[Strut] = []
    torques: dict[int, float] = {}
    force: Any
    for force in model.forces.values():
        if force.kind == "spring":
            (first, a), (second, b) = (place(str(end)) for end in force.between)
            values = (float(model.number(x)) for x in (force.stiffness, force.damping, force.free_length))
            struts.append(Strut(first, second, (a, b), *values))
        elif force.kind == "torque":
            torques[number[force.body]] = float(model.number(force.value[0]))
    return tuple(struts), torques


def steps_of(task: Task, counts: Sequence[int]) -> tuple[float, ...]:
    """Steps, so many for each interval between two outputs."""
    return tuple(task.end / (len(task.grid) - 1) / count for count in counts)
