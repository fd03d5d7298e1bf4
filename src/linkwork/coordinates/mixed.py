"""Mixed coordinates: the place of every body, plus the relative variables of the joints.

A body has the position of its centre of mass and its angle, in space a unit quaternion; its velocities are that of the
centre of mass in world axes and its angular velocity, in space about its own axes. The mass matrix of the bodies is then
constant, and only ω × I ω stands beside the weights. A joint adds one unknown for each angle and each length that it
leaves free, with one more condition that says what it is: drivers, gears and springs in joints act on these unknowns
themselves, and angles count their turns. Relative variables have no inertia of their own: their rows of M are zero.

Sources: García de Jalón and Bayo, sections 2.1.2 and 2.2.2 (reference points), 2.1.4 and 2.2.4 (mixed coordinates); Lee,
Youm and Chung, "Dynamics of multibody systems with analytical kinematics", section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import matrix_to_quaternion
from linkwork.algebra.space import Space
from linkwork.coordinates.base import (
    Array,
    ConstraintRow,
    CoordinateKind,
    Kinematics,
    RowLabel,
    Twist,
    characteristic_length,
    joint_rows,
)
from linkwork.elements.joints import FREE
from linkwork.elements.joints.base import Freedom, Measure
from linkwork.topology.geometry import GROUND, BodyGeometry, Geometry, JointGeometry, Pose
from linkwork.topology.graph import SpanningTree


@dataclass(frozen=True, eq=False)
class PlacedBody:
    """A body whose centre of mass moves like a frame without a joint, with its unknowns."""

    body: BodyGeometry
    q: ca.SX  # position of the centre of mass; angle, or unit quaternion
    v: ca.SX  # velocity of the centre of mass (world axes); angular velocity (in space: body axes)

    def motion(self, space: Space) -> tuple[Frame, Twist]:
        """The body frame and its velocity, led back from the centre of mass."""
        centre = FREE.motion(space, self.q)
        translation, rotation = FREE.columns(space, self.q)
        back, omega = -(centre.axes @ self.body.com), rotation @ self.v
        frame = Frame(centre.origin + back, centre.axes, centre.angle)
        return frame, Twist(translation @ self.v + space.turn(omega, back), omega)

    def mass(self, space: Space) -> ca.SX:
        """diag(m 1, I), constant."""
        return ca.diagcat(self.body.mass * ca.SX.eye(space.dimension), self.body.inertia)

    def bias(self, space: Space, gravity: ca.SX) -> ca.SX:
        """Weight and gyroscopic moment: [m g; −ω × I ω]."""
        omega = self.v[space.dimension :]
        return ca.vertcat(self.body.mass * gravity, -space.gyroscopic(self.body.inertia, omega))


@dataclass(frozen=True, eq=False)
class JointVariables:
    """The angles and lengths that a joint leaves free, as unknowns."""

    joint: JointGeometry
    freedoms: tuple[Freedom, ...]
    q: ca.SX
    v: ca.SX

    def measures(self, space: Space, frames: Mapping[str, Frame]) -> tuple[Measure, ...]:
        """What the frames of the bodies say about them."""
        return self.joint.kind.measure(space, *self.joint.frames(frames))

    def rows(self, space: Space, frames: Mapping[str, Frame], length: float) -> list[ConstraintRow]:
        """One condition for each of them: it is what the frames of the bodies say."""
        return [
            ConstraintRow(
                RowLabel(self.joint.name, freedom.name, "definition"),
                define(measure, self.q[i]),
                1.0 if freedom.kind == "length" else length,
            )
            for i, (freedom, measure) in enumerate(zip(self.freedoms, self.measures(space, frames), strict=True))
        ]


def define(measure: Measure, q: ca.SX) -> ca.SX:
    """What vanishes when *q* is the measured coordinate.

    An angle α that is known by its sine and cosine: sin(α − q) = sin α cos q − cos α sin q, of slope ∓1 wherever it
    vanishes, whereas the scalar and the vector product (García de Jalón and Bayo, eqs. 2.63 and 2.65) take turns.
    """
    if measure.value is not None:
        return measure.value - q
    assert measure.sine is not None and measure.cosine is not None
    return measure.sine * ca.cos(q) - measure.cosine * ca.sin(q)


@dataclass(frozen=True, eq=False)
class Unknowns:
    """All bodies and, behind them, all relative variables of a mechanism, with their symbols."""

    geometry: Geometry
    bodies: tuple[PlacedBody, ...]
    joints: tuple[JointVariables, ...]

    @property
    def space(self) -> Space:
        return self.geometry.space

    def places(self) -> tuple[ca.SX, ca.SX, ca.SX]:
        """q, v and q̇ of the bodies."""
        rates = [FREE.rates(self.space, body.q, body.v) for body in self.bodies]
        return ca.vertcat(*[b.q for b in self.bodies]), ca.vertcat(*[b.v for b in self.bodies]), ca.vertcat(*rates)

    def variables(self) -> tuple[ca.SX, ca.SX]:
        """q and v of the relative variables."""
        empty = ca.SX(0, 1)
        return ca.vertcat(empty, *[j.q for j in self.joints]), ca.vertcat(empty, *[j.v for j in self.joints])

    def retract(self) -> ca.SX | None:
        if self.space.planar:
            return None
        moved = [FREE.retract(self.space, body.q, body.v) for body in self.bodies]
        return ca.vertcat(*moved, *[joint.q + joint.v for joint in self.joints])

    def motions(self) -> tuple[dict[str, Frame], dict[str, Twist]]:
        """Frames and velocities of all bodies, the ground included."""
        still = Twist(ca.SX(self.space.dimension, 1), ca.SX(self.space.rotations, 1))
        motions = {body.body.name: body.motion(self.space) for body in self.bodies}
        frames = {name: frame for name, (frame, _) in motions.items()}
        twists = {name: twist for name, (_, twist) in motions.items()}
        return {GROUND: self.geometry.ground_frame, **frames}, {GROUND: still, **twists}

    def rows(self, frames: Mapping[str, Frame], length: float) -> list[ConstraintRow]:
        """The conditions of the joints, and what the relative variables are."""
        held = [row for name in self.geometry.joints for row in joint_rows(self.geometry, name, frames, length)]
        return held + [row for joint in self.joints for row in joint.rows(self.space, frames, length)]

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of q and v: of a body like those of one without joints, of a joint those of its freedoms."""
        free = FREE.freedoms(self.space)
        shifts = [f.name for f in FREE.scalars(self.space)]
        places = shifts + [f"q{i}" for i in range(FREE.count_positions(self.space) - len(shifts))]
        q_names = [f"{body.body.name}.{name}" for body in self.bodies for name in places]
        v_names = [f"{body.body.name}.{f.rate}" for body in self.bodies for f in free]
        freedoms = [(joint.joint.name, f) for joint in self.joints for f in joint.freedoms]
        q_names += [f"{name}.{f.name}" for name, f in freedoms]
        v_names += [f"{name}.{f.rate}" for name, f in freedoms]
        return tuple(q_names), tuple(v_names)

    def scales(self, length: float) -> Array:
        freedoms = [f for _ in self.bodies for f in FREE.freedoms(self.space)]
        freedoms += [f for joint in self.joints for f in joint.freedoms]
        return np.array([length if f.kind == "length" else 1.0 for f in freedoms])


class Mixed(CoordinateKind):
    name = "mixed"
    summary = "centres of mass and orientations of the bodies, plus the relative variables of the joints"

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        space, length, unknowns = geometry.space, characteristic_length(geometry), name_unknowns(geometry)
        (q_bodies, v_bodies, rates), (q_joints, v_joints) = unknowns.places(), unknowns.variables()
        frames, twists = unknowns.motions()
        q_names, v_names = unknowns.names()
        massless = v_joints.numel()
        return Kinematics(
            q=ca.vertcat(q_bodies, q_joints),
            v=ca.vertcat(v_bodies, v_joints),
            q_names=q_names,
            v_names=v_names,
            rates=ca.vertcat(rates, v_joints),
            retract=unknowns.retract(),
            frames=frames,
            twists=twists,
            joint_values={joint.joint.name: joint.q for joint in unknowns.joints},
            joint_rates={joint.joint.name: joint.v for joint in unknowns.joints},
            rows=tuple(unknowns.rows(frames, length)),
            mass=ca.diagcat(*[body.mass(space) for body in unknowns.bodies], ca.SX(massless, massless)),
            bias=ca.vertcat(*[body.bias(space, geometry.gravity) for body in unknowns.bodies], ca.SX(massless, 1)),
            scale=unknowns.scales(length),
            length=length,
        )

    def place(
        self, geometry: Geometry, tree: SpanningTree, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
    ) -> tuple[Array, Array]:
        unknowns = name_unknowns(geometry)
        placed = [_place_body(geometry, body, poses[name], twists[name], p) for name, body in geometry.bodies.items()]
        q, v = (np.concatenate(parts) for parts in zip(*placed, strict=True))
        # the relative variables follow from the bodies
        frames = unknowns.motions()[0]
        measures = [item.principal for joint in unknowns.joints for item in joint.measures(geometry.space, frames)]
        values = ca.vertcat(ca.SX(0, 1), *measures)
        q_bodies, v_bodies, rates = unknowns.places()
        speeds = ca.jtimes(values, q_bodies, rates)
        f = ca.Function(
            "variables", [q_bodies, v_bodies, geometry.parameters], [ca.densify(values), ca.densify(speeds)]
        )
        found = [np.array(item).ravel() for item in f(q, v, p)]
        return np.concatenate([q, found[0]]), np.concatenate([v, found[1]])


def name_unknowns(geometry: Geometry) -> Unknowns:
    """Give every body and every joint with an angle or a length its symbols; the spins of a ball are nobody's rates."""
    space = geometry.space
    bodies = [
        PlacedBody(body, ca.SX.sym(f"q_{name}", FREE.count_positions(space)), ca.SX.sym(f"v_{name}", space.freedoms))
        for name, body in geometry.bodies.items()
    ]
    joints = []
    for name, joint in geometry.joints.items():
        freedoms = joint.kind.scalars(space)
        if freedoms:
            q, v = (ca.SX.sym(f"{letter}_{name}", len(freedoms)) for letter in "qv")
            joints.append(JointVariables(joint, freedoms, q, v))
    return Unknowns(geometry, tuple(bodies), tuple(joints))


def _place_body(geometry: Geometry, body: BodyGeometry, pose: Pose, twist: Array, p: Array) -> tuple[Array, Array]:
    """q and v of one body from the pose and the velocity of its frame."""
    space, d = geometry.space, geometry.space.dimension
    arm = pose.axes @ np.atleast_1d(geometry.number(body.com, p))
    swept = np.array(ca.DM(space.turn(ca.SX(ca.DM(twist[d:])), ca.SX(ca.DM(arm))))).ravel()
    if space.planar:
        assert pose.angle is not None
        turn, spin = np.array([pose.angle]), twist[d:]
    else:
        turn, spin = matrix_to_quaternion(pose.axes), pose.axes.T @ twist[d:]
    return np.concatenate([pose.origin + arm, turn]), np.concatenate([twist[:d] + swept, spin])
