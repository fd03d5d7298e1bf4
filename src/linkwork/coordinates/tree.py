"""Joints of a spanning tree, walked from their inboard to their outboard bodies, each with its own unknowns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.orientations import Orientation
from linkwork.algebra.space import Space, numbers
from linkwork.arrays import Array
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
        return -(back @ (translation - swept)), self._spun(space, -(turn_back @ rotation), -1.0)

    def far_columns(self, space: Space) -> tuple[ca.SX, ca.SX]:
        """The same in axes of the far frame."""
        back = self.motion(space).axes.T
        along, about = self.columns(space)
        along, about = back @ along, about if space.planar else back @ about
        if not self.backwards:
            about = self._spun(space, about, 1.0)
        return ca.sparsify(ca.simplify(along)), ca.sparsify(ca.simplify(about))

    def _spun(self, space: Space, about: ca.SX, sign: float) -> ca.SX:
        """Angular velocities in axes of the child, in which those that are spins are unit vectors whatever q is."""
        if not self.kind.spins(space):
            return about
        return ca.horzcat(about[:, :-3], sign * ca.SX.eye(3))

    def drift(self, space: Space) -> tuple[ca.SX, ca.SX]:
        """Relative acceleration and angular acceleration where v̇ = 0, in near axes; spins add none to the latter."""
        rates, v = self.kind.rates(space, self.q, self.v), self.v
        if not self.q.numel():
            return ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
        scalars = v.numel() - 3 * self.kind.spins(space)
        along, about = self.columns(space)
        return ca.jtimes(along @ v, self.q, rates), ca.jtimes(about[:, :scalars] @ v[:scalars], self.q, rates)


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
