"""Relative coordinates: the joint coordinates of a spanning tree, plus the closing conditions of the cut joints.

The recursions run in world axes from joint to joint, with lever arms between neighbours only, so that a mechanism far
from the origin loses no digits. Notation for a body: o the origin of its inboard joint, Δ = o − o(inboard), u and w the
relative velocity and angular velocity in the joint.

Source of the conditions: García de Jalón and Bayo, sections 2.1.1 and 2.2.1; of the recursions: composite rigid bodies
and recursive Newton-Euler (Featherstone, *Rigid Body Dynamics Algorithms*, chapters 5 and 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.orientations import Orientation
from linkwork.algebra.space import Space, numbers
from linkwork.coordinates.base import (
    Array,
    Kinematics,
    OrientedKind,
    Twist,
    joint_rows,
    orientation_rows,
    reframe_all,
)
from linkwork.elements.inertia import Distribution
from linkwork.elements.joints import FREE, JointKind
from linkwork.position.geometry import GROUND, Geometry, Pose
from linkwork.topology.graph.graph import SpanningTree, TreeStep


@dataclass(frozen=True, eq=False)
class TreeJoint:
    """A joint of the tree walked from its inboard to its outboard body, with its own unknowns."""

    name: str
    kind: JointKind
    inboard: str
    outboard: str
    near: Frame  # joint frame in the inboard body
    far: Frame  # joint frame in the outboard body
    backwards: bool
    q: ca.SX
    v: ca.SX
    index: tuple[int, ...]  # positions of v in the vector of all velocities

    def position_names(self, space: Space) -> list[str]:
        return [f"{self.name}.{name}" for name in self.kind.position_names(space)]

    def motion(self, space: Space) -> Frame:
        """The far frame seen from the near one."""
        forward = self.kind.motion(space, self.q)
        return forward.inverse() if self.backwards else forward

    def columns(self, space: Space) -> tuple[ca.SX, ca.SX]:
        """Relative velocity of the far frame per unit of v, in near axes.

        Backwards: x = −Rᵀ d, hence ẋ = −Rᵀ (T − W × d) v and ω = −Rᵀ W v.
        """
        translation, rotation = self.kind.columns(space, self.q)
        if not self.backwards:
            return translation, rotation
        forward = self.kind.motion(space, self.q)
        turned = [space.turn(rotation[:, i], forward.origin) for i in range(rotation.shape[1])]
        swept = ca.horzcat(*turned) if turned else ca.SX(space.dimension, 0)
        back = forward.axes.T
        turn_back = ca.SX.eye(1) if space.planar else back
        return -(back @ (translation - swept)), -(turn_back @ rotation)


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Expressions of one body while the recursion runs (world axes)."""

    frame: Frame
    reference: ca.SX  # local coordinates of o
    velocity: ca.SX  # of o
    omega: ca.SX
    acceleration: ca.SX  # of o, with v̇ = 0 and gravity as an upward acceleration of the ground
    alpha: ca.SX  # with v̇ = 0
    arm: ca.SX  # Δ
    translation: ca.SX  # columns of the joint, world axes
    rotation: ca.SX


@dataclass(frozen=True)
class Relative(OrientedKind):
    """*orientation*: how free bodies and ball joints of the tree are turned."""

    name: ClassVar[str] = "relative"
    summary: ClassVar[str] = "joint coordinates of a spanning tree, closing conditions for the cut joints"

    def describe(self, geometry: Geometry, tree: SpanningTree) -> Kinematics:
        space = geometry.space
        joints = tree_joints(geometry, tree, self.parametrisation)
        motions = propagate(geometry, joints)
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
            mass=mass_matrix(geometry, joints, motions),
            bias=-inverse_dynamics_bias(geometry, joints, motions),
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


def tree_joints(geometry: Geometry, tree: SpanningTree, orientation: Orientation) -> list[TreeJoint]:
    """The joints of the tree with their symbols, in walking order."""
    joints: list[TreeJoint] = []
    count = 0
    for step in tree.steps:
        joint = tree_joint(geometry, step, count, orientation)
        count += len(joint.index)
        joints.append(joint)
    return joints


def tree_joint(geometry: Geometry, step: TreeStep, first: int, orientation: Orientation) -> TreeJoint:
    space = geometry.space
    kind: JointKind = FREE
    if step.link is None:
        name = step.outboard
        near = far = Frame.identity(space.dimension)
        backwards = False
    else:
        declared = geometry.joints[step.link.name]
        name, kind, backwards = declared.name, declared.kind, step.reversed
        a, b = geometry.fixed_frames(declared.name, "relative coordinates")
        near, far = (b, a) if backwards else (a, b)
    kind = kind.oriented(orientation)
    n = len(kind.freedoms(space))
    q = ca.SX.sym(f"q_{name}", kind.count_positions(space))
    v = ca.SX.sym(f"v_{name}", n)
    return TreeJoint(
        name, kind, step.inboard, step.outboard, near, far, backwards, q, v, tuple(range(first, first + n))
    )


def propagate(geometry: Geometry, joints: list[TreeJoint]) -> dict[str, BodyMotion]:
    """Frames, velocities and bias accelerations of all bodies, from the ground outwards."""
    space = geometry.space
    zero, still = ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
    ground = BodyMotion(
        geometry.ground_frame, zero, zero, still, -geometry.gravity, still, zero, ca.SX(space.dimension, 0),
        ca.SX(space.rotations, 0),
    )  # fmt: skip
    motions = {GROUND: ground}
    for joint in joints:
        motions[joint.outboard] = advance(space, joint, motions[joint.inboard])
    return motions


def carried(space: Space, frame: Frame, twist: Twist) -> BodyMotion:
    """A body that moves by other means than the tree, as the start of a chain; its accelerations are left out."""
    zero, still = ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
    none = ca.SX(space.dimension, 0), ca.SX(space.rotations, 0)
    return BodyMotion(frame, zero, twist.velocity, twist.omega, zero, still, zero, *none)


def advance(space: Space, joint: TreeJoint, inner: BodyMotion) -> BodyMotion:
    """The motion of the outboard body of a joint."""
    near = inner.frame @ joint.near
    relative = joint.motion(space)
    translation, rotation = joint.columns(space)
    turn = ca.SX.eye(1) if space.planar else near.axes
    rates = joint.kind.rates(space, joint.q, joint.v)

    def drift(expression: ca.SX) -> ca.SX:
        return ca.jtimes(expression, joint.q, rates) if joint.q.numel() else ca.SX(*expression.shape)

    u_near, w_near = translation @ joint.v, rotation @ joint.v
    u, w = near.axes @ u_near, turn @ w_near
    arm = inner.frame.axes @ (joint.near.origin - inner.reference) + near.axes @ relative.origin
    spin = space.turn(inner.omega, arm)
    # ω = ω₀ + w and α = α₀ + ω₀ × w + ẇ, with ω₀ of the inboard body
    carried = ca.SX(1, 1) if space.planar else ca.cross(inner.omega, w)
    acceleration = (
        inner.acceleration
        + space.turn(inner.alpha, arm)
        + space.turn(inner.omega, spin)
        + 2 * space.turn(inner.omega, u)
        + near.axes @ drift(u_near)
    )
    return BodyMotion(
        frame=near @ relative @ joint.far.inverse(),
        reference=joint.far.origin,
        velocity=inner.velocity + spin + u,
        omega=inner.omega + w,
        acceleration=acceleration,
        alpha=inner.alpha + carried + turn @ drift(w_near),
        arm=arm,
        translation=near.axes @ translation,
        rotation=turn @ rotation,
    )


def mass_matrix(geometry: Geometry, joints: list[TreeJoint], motions: Mapping[str, BodyMotion]) -> ca.SX:
    """M by composite bodies: m, first moment c and inertia I of all that moves with a joint, about the joint."""
    space = geometry.space
    n = sum(len(joint.index) for joint in joints)
    mass = ca.SX(n, n)
    composite = {joint.outboard: _matter(geometry, joint.outboard, motions).about(space) for joint in joints}
    inward = {joint.outboard: joint for joint in joints}
    for joint in reversed(joints):
        m, c, inertia = composite[joint.outboard]
        motion = motions[joint.outboard]
        for k, column in enumerate(joint.index):
            t, r = motion.translation[:, k], motion.rotation[:, k]
            # momentum of the composite body that moves with column k: f = m t + r × c, n = I r + c × t about o
            f = m * t + space.turn(r, c)
            moment = inertia @ r + space.moment(c, t)
            _fill(mass, column, joint, motion, f, moment)
            outer = joint
            while outer.inboard in inward:
                moment = moment + space.moment(motions[outer.outboard].arm, f)
                outer = inward[outer.inboard]
                _fill(mass, column, outer, motions[outer.outboard], f, moment)
        if joint.inboard in composite:
            m0, c0, inertia0 = composite[joint.inboard]
            moved = space.shift_inertia(inertia, m, c, motion.arm)
            composite[joint.inboard] = (m0 + m, c0 + c + m * motion.arm, inertia0 + moved)
    return mass


def _fill(mass: ca.SX, column: int, joint: TreeJoint, motion: BodyMotion, f: ca.SX, moment: ca.SX) -> None:
    for k, row in enumerate(joint.index):
        entry = ca.dot(motion.translation[:, k], f) + ca.dot(motion.rotation[:, k], moment)
        if row == column or not entry.is_zero():
            mass[row, column] = entry
            mass[column, row] = entry


def _matter(geometry: Geometry, name: str, motions: Mapping[str, BodyMotion]) -> Distribution:
    """The mass of one body as it is seen from o (world axes)."""
    matter, motion = geometry.rigid(name, "relative coordinates"), motions[name]
    return matter.seen(geometry.space, motion.frame.axes, motion.reference)


def inverse_dynamics_bias(geometry: Geometry, joints: list[TreeJoint], motions: Mapping[str, BodyMotion]) -> ca.SX:
    """Joint forces that would give v̇ = 0 under gravity (recursive Newton-Euler, inwards)."""
    space = geometry.space
    loads = {GROUND: (ca.SX(space.dimension, 1), ca.SX(space.rotations, 1))}
    for joint in joints:
        motion, matter = motions[joint.outboard], _matter(geometry, joint.outboard, motions)
        loads[joint.outboard] = matter.wrench(space, motion.acceleration, motion.alpha, motion.omega)
    efforts: list[ca.SX] = []
    for joint in reversed(joints):
        f, moment = loads[joint.outboard]
        motion = motions[joint.outboard]
        efforts.insert(0, motion.translation.T @ f + motion.rotation.T @ moment)
        f0, moment0 = loads[joint.inboard]
        loads[joint.inboard] = (f0 + f, moment0 + moment + space.moment(motion.arm, f))
    return ca.vertcat(*efforts)


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


def place_joint(
    geometry: Geometry, joint: TreeJoint, poses: Mapping[str, Pose], twists: Mapping[str, Array], p: Array
) -> tuple[Array, Array]:
    """q and v of one joint of the tree."""
    near, far = _joint_poses(geometry, joint, poses, p)
    a, b = (far, near) if joint.backwards else (near, far)
    kind = joint.kind.evaluated(lambda number: ca.SX(float(geometry.number(number, p))))
    q = numbers(kind.positions(geometry.space, a, b)).ravel()
    if not joint.index:
        return q, np.zeros(0)
    columns = _columns_at(geometry, joint, near.axes, q, p)
    relative = _relative_velocity(geometry, joint, far.origin, poses, twists)
    return q, np.asarray(np.linalg.lstsq(columns, relative, rcond=None)[0], dtype=np.float64)


def _columns_at(geometry: Geometry, joint: TreeJoint, axes: ca.SX, q: Array, p: Array) -> Array:
    """What a joint adds to the velocity and the spin of its outer frame, per unit of v, at q and near *axes*."""
    translation, rotation = joint.columns(geometry.space)
    turn = ca.SX.eye(1) if geometry.space.planar else axes
    stacked = ca.densify(ca.vertcat(axes @ translation, turn @ rotation))
    return np.array(ca.Function("c", [joint.q, geometry.parameters], [stacked])(q, p))


def _relative_velocity(
    geometry: Geometry, joint: TreeJoint, place: ca.SX, poses: Mapping[str, Pose], twists: Mapping[str, Array]
) -> Array:
    """Velocity and spin of the outer body of a joint against the inner one, at a place."""
    space, d = geometry.space, geometry.space.dimension

    def at(body: str) -> ca.SX:
        twist = ca.SX(twists[body]) if body != GROUND else ca.SX(space.freedoms, 1)
        origin = ca.SX(poses[body].origin) if body != GROUND else ca.SX(d, 1)
        return ca.vertcat(twist[:d] + space.turn(twist[d:], place - origin), twist[d:])

    return numbers(at(joint.outboard) - at(joint.inboard)).ravel()


def _joint_poses(geometry: Geometry, joint: TreeJoint, poses: Mapping[str, Pose], p: Array) -> tuple[Frame, Frame]:
    def place(body: str, local: Frame) -> Frame:
        outer = poses[body].frame() if body != GROUND else geometry.ground_frame
        origin = ca.SX(np.atleast_1d(geometry.number(local.origin, p)))
        axes = ca.SX(np.atleast_2d(geometry.number(local.axes, p)))
        angle = None if local.angle is None else ca.SX(float(geometry.number(local.angle, p)))
        return outer @ Frame(origin, axes, angle)

    return place(joint.inboard, joint.near), place(joint.outboard, joint.far)
