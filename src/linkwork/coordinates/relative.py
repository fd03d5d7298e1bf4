"""Relative coordinates: the joint coordinates of a spanning tree, plus the closing conditions of the cut joints.

Frames and velocities run in world axes from joint to joint, with lever arms between neighbours only, so that a mechanism far
from the origin loses no digits. Notation for a body: o the origin of its inboard joint, Δ = o − o(inboard), u and w the
relative velocity and angular velocity in the joint. M and h are found in the axes of the joints (``recursion``), so that
those of a body that turns freely do not depend on its attitude, nor on the length of its quaternion.

Source of the conditions: García de Jalón and Bayo, sections 2.1.1 and 2.2.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.algebra.written import written_by_pattern
from linkwork.coordinates.base import (
    Array,
    Kinematics,
    Later,
    OrientedKind,
    Twist,
    joint_rows,
    orientation_rows,
    reframe_all,
)
from linkwork.coordinates.recursion.composite import mass_matrix
from linkwork.coordinates.recursion.newton_euler import forces_of
from linkwork.coordinates.recursion.outward import go_outwards
from linkwork.coordinates.tree import TreeJoint, place_joint, tree_joints
from linkwork.elements.joints import FREE
from linkwork.position.geometry import GROUND, Geometry, Pose
from linkwork.topology.graph.graph import SpanningTree


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Expressions of one body while the recursion runs (world axes)."""

    frame: Frame
    reference: ca.SX  # local coordinates of o
    velocity: ca.SX  # of o
    omega: ca.SX


@dataclass(frozen=True)
class Relative(OrientedKind):
    """*orientation*: how free bodies and ball joints of the tree are turned."""

    name: ClassVar[str] = "relative"
    summary: ClassVar[str] = "joint coordinates of a spanning tree, closing conditions for the cut joints"

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        space = geometry.space
        joints = tree_joints(geometry, tree, self.parametrisation)
        motions, bodies = propagate(geometry, joints), cache(lambda: go_outwards(geometry, joints))
        v = ca.vertcat(*[joint.v for joint in joints])
        frames = {name: motion.frame for name, motion in motions.items()}
        twists = {name: origin_twist(space, motion) for name, motion in motions.items()}
        length = geometry.length
        rows = [row for cut in tree.cuts for row in joint_rows(geometry, cut.name, frames, length)]
        return Kinematics(
            q=ca.vertcat(*[joint.q for joint in joints]),
            v=v,
            q_names=tuple(name for joint in joints for name in joint.position_names(space)),
            v_names=tuple(f"{joint.name}.{f.rate}" for joint in joints for f in joint.kind.freedoms(space)),
            rates=ca.vertcat(*[joint.kind.rates(space, joint.q, joint.v) for joint in joints]),
            retract=_retract(space, joints),
            frames=frames,
            twists=twists,
            joint_values={joint.name: joint.q for joint in joints if joint.kind.name != FREE.name},
            joint_rates={joint.name: joint.v for joint in joints},
            rows=tuple(rows),
            inertia=Later(lambda: mass_matrix(geometry, joints, bodies())),
            weights=Later(lambda: -forces_of(geometry, joints, bodies(), ca.SX(v.numel(), 1))),
            scale=_scales(space, joints, length),
            length=length,
            identities=tuple(
                row for joint in joints for row in orientation_rows(space, joint.name, joint.kind, joint.q, length)
            ),
            reframe=reframe_all(space, [(joint.kind, joint.q) for joint in joints]),
        )

    def place(
        self, geometry: Geometry, tree: SpanningTree, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
    ) -> tuple[Array, Array]:
        q: list[Array] = []
        v: list[Array] = []
        for joint in tree_joints(geometry, tree, self.parametrisation):
            position, velocity = place_joint(geometry, joint, poses, twists, p)
            q.append(position)
            v.append(velocity)
        return (np.concatenate(q) if q else np.zeros(0)), (np.concatenate(v) if v else np.zeros(0))


def propagate(geometry: Geometry, joints: list[TreeJoint]) -> dict[str, BodyMotion]:
    """Frames and velocities of all bodies, from the ground outwards."""
    space = geometry.space
    zero, still = ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
    motions = {GROUND: BodyMotion(geometry.ground_frame, zero, zero, still)}
    for joint in joints:
        motions[joint.outboard] = advance(space, joint, motions[joint.inboard])
    return motions


def carried(space: Space, frame: Frame, twist: Twist) -> BodyMotion:
    """A body that moves by other means than the tree, as the start of a chain."""
    return BodyMotion(frame, ca.SX(space.dimension, 1), twist.velocity, twist.omega)


def advance(space: Space, joint: TreeJoint, inner: BodyMotion) -> BodyMotion:
    """The motion of the outboard body of a joint."""
    near, own = inner.frame @ joint.near, joint.passage(space)
    moving = own.origin, own.translation, own.rotation, joint.v
    seat = joint.near.origin - inner.reference
    found = _moved(near.axes, inner.frame.axes, seat, inner.velocity, inner.omega, *moving, space=space)
    return BodyMotion(near @ own.frame @ joint.far.inverse(), joint.far.origin, found[0], found[1])


@written_by_pattern
def _moved(*given: ca.SX, space: Space) -> list[ca.SX]:
    """Velocity of the far side of a joint and angular velocity there, beyond those of the near side: ω = ω₀ + w."""
    (near, axes, seat, velocity, omega), (origin, translation, rotation, v) = given[:5], given[5:]
    u, w = near @ (translation @ v), rotation @ v
    spin = space.turn(omega, axes @ seat + near @ origin)
    return [velocity + spin + u, omega + (w if space.planar else near @ w)]


def origin_twist(space: Space, motion: BodyMotion) -> Twist:
    back = motion.frame.axes @ (-motion.reference)
    return Twist(motion.velocity + space.turn(motion.omega, back), motion.omega)


def _retract(space: Space, joints: list[TreeJoint]) -> ca.SX | None:
    if not any(joint.kind.spins(space) for joint in joints):
        return None
    return ca.vertcat(*[joint.kind.retract(space, joint.q, joint.v) for joint in joints])


def _scales(space: Space, joints: list[TreeJoint], length: float) -> Array:
    kinds = [f.kind for joint in joints for f in joint.kind.freedoms(space)]
    return np.array([length if kind == "length" else 1.0 for kind in kinds])
