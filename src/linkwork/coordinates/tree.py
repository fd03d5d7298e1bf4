"""Joints of a spanning tree, walked from their inboard to their outboard bodies, each with its own unknowns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.orientations import Orientation
from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.coordinates.passage import JointPassage, columns_at, passage, positions
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

    def passage(self, space: Space) -> JointPassage:
        """From the near frame to the far one."""
        return passage(self.kind, space, self.backwards, self.q, self.v)


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
    near, far = (
        _placed(geometry, poses.get(body), frame, p)
        for body, frame in ((joint.inboard, joint.near), (joint.outboard, joint.far))
    )
    a, b = (far, near) if joint.backwards else (near, far)
    kind = joint.kind.evaluated(lambda number: ca.SX(float(geometry.number(number, p))))
    q = positions(kind, geometry.space, a, b)
    if not joint.index:
        return q, np.zeros(0)
    columns = columns_at(kind, geometry.space, joint.backwards, near.axes, q)
    moved = [_velocity(geometry.space, poses, twists, body, far.origin) for body in (joint.outboard, joint.inboard)]
    found = np.linalg.lstsq(columns, moved[0] - moved[1], rcond=None)[0]
    return q, np.asarray(found, dtype=np.float64)


def _placed(geometry: Geometry, pose: Pose | None, local: Frame, p: Array) -> Pose:
    """A joint frame in the world; without a pose in the ground."""
    axes = np.atleast_2d(geometry.number(local.axes, p))
    angle = None if local.angle is None else float(geometry.number(local.angle, p))
    own = Pose(np.atleast_1d(geometry.number(local.origin, p)), axes, angle)
    return own if pose is None else pose.carried(own)


def _velocity(space: Space, poses: Mapping[str, Pose], twists: Mapping[str, Array], body: str, place: Array) -> Array:
    """Velocity of a place and angular velocity of a body, or of the ground."""
    if body == GROUND:
        return np.zeros(space.freedoms)
    d, arm = space.dimension, place - poses[body].origin
    velocity, omega = twists[body][:d], twists[body][d:]
    swept = omega[0] * np.array([-arm[1], arm[0]]) if space.planar else np.cross(omega, arm)
    return np.concatenate([velocity + swept, omega])
