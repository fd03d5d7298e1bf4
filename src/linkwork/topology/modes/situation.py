"""A plan at one position, in numbers: live parameters have values, the inputs stand where the bodies have them.

Everything folds to constants here, so that a plan is walked through again and again without compiling anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space, numbers
from linkwork.elements.joints import JointKind
from linkwork.position.geometry import GROUND, Geometry, Pose, inside
from linkwork.position.poses import PoseConditions, Poses
from linkwork.topology.plan.blocks import Array, LinearRelation, Network, Plan
from linkwork.topology.solution.solve import Branches, Given, Linear, PartialSolution, joint_named

HALF = np.pi + 1e-6
"""Half a turn, with room for rounding errors: bodies that turn together by half a turn all turn the same way."""


class Situation:
    """A plan with the poses and parameter values at which it is looked at."""

    def __init__(self, conditions: PoseConditions, network: Network, plan: Plan, poses: Poses, p: Array) -> None:
        self.conditions, self.network, self.plan, self.poses, self.p = conditions, network, plan, poses, p
        self.geometry = with_numbers(conditions.geometry, p)
        self.space: Space = self.geometry.space
        self.length = conditions.length
        self.starts = 0  # of a search for assemblies at least; it takes as many as it needs
        self.told: tuple[str, ...] = ()  # bodies by whose places assemblies are told apart; none: all
        self.frames = {
            GROUND: self.geometry.ground_frame,
            **{name: poses[name].frame() for name in self.geometry.bodies},
        }

    @cached_property
    def given(self) -> Given:
        """The coordinates of all joints and free bodies, and the constants of the relations."""
        joints = {name: joint_named(self.geometry, self.network, name) for name in self.network.edges}
        positions = {
            name: joint.kind.positions(self.space, *joint.frames(self.frames)) for name, joint in joints.items()
        }
        positions |= {name: ca.SX(self.poses[name].origin) for name in self.conditions.own}
        relations = {relation.name: _linear(relation, positions) for relation in self.network.relations}
        return Given(positions, relations)

    def begin(self) -> PartialSolution:
        """A walk through the plan that has not begun yet."""
        return PartialSolution(self.geometry, self.network, self.plan, self.given, Branches({}))

    def opening(self, poses: Poses) -> float:
        """The largest opening of any joint, over the size of the mechanism or rad."""
        given = [numbers_of(poses[name]) for name in self.geometry.bodies]
        found = np.array(self._openings(np.concatenate([*given, np.zeros(0)])))
        return float(np.max(np.abs(found), initial=0.0))

    @cached_property
    def _openings(self) -> ca.Function:
        d, frames, symbols = self.space.dimension, {GROUND: self.geometry.ground_frame}, []
        for name in self.geometry.bodies:
            origin, axes = ca.SX.sym(f"r_{name}", d), ca.SX.sym(f"R_{name}", d, d)
            frames[name] = Frame(origin, axes)
            symbols += [origin, ca.vec(axes)]
        gaps = [opening_of(self.space, j.kind, *j.frames(frames), self.length) for j in self.geometry.joints.values()]
        stacked = ca.vertcat(ca.SX(0, 1), *gaps)
        return ca.Function("openings", [ca.vertcat(ca.SX(0, 1), *symbols)], [ca.densify(stacked)])

    def poses_of(self, frames: Mapping[str, Frame]) -> dict[str, Pose]:
        """Frames of all bodies as poses; in the plane with the angles that are nearest to those of the situation."""
        found = {}
        for name in self.geometry.bodies:
            origin, axes = numbers(frames[name].origin).ravel(), numbers(frames[name].axes)
            angle, known = None, self.poses[name].angle
            if known is not None:
                turned = np.arctan2(axes[1, 0], axes[0, 0]) - known
                angle = float(known + HALF - (HALF - turned) % (2 * np.pi))
            found[name] = Pose(origin, axes, angle)
        return found | {name: self.poses[name] for name in map(inside, self.geometry.insides)}

    def distance(self, poses: Poses) -> float:
        """The largest distance of a body from where the situation has it: of origins over the size, or of axes."""
        gaps = [
            max(float(np.max(np.abs(pose.origin - other.origin))) / self.length, _largest(pose.axes - other.axes))
            for pose, other in ((poses[name], self.poses[name]) for name in self.geometry.bodies)
        ]
        return max(gaps, default=0.0)


def with_numbers(geometry: Geometry, p: Array) -> Geometry:
    """The geometry of the joints with its live parameters replaced by numbers."""

    def number(expression: ca.SX) -> ca.SX:
        whole = ca.densify(ca.SX(expression))
        if whole.is_constant():
            return whole
        value = geometry.number(whole, p)
        return ca.SX(value.reshape(expression.shape))

    def fixed(frame: Frame) -> Frame:
        angle = None if frame.angle is None else number(ca.SX(frame.angle))
        return Frame(number(frame.origin), number(frame.axes), angle)

    joints = {
        name: replace(joint, kind=joint.kind.evaluated(number), a=fixed(joint.a), b=fixed(joint.b))
        for name, joint in geometry.joints.items()
    }
    return replace(geometry, joints=joints)


def opening_of(space: Space, kind: JointKind, a: Frame, b: Frame, length: float) -> ca.SX:
    """What is open between two frames of a joint: b as seen from a, less where the coordinates of the joint place it.

    The conditions of a joint do not tell alone: they also hold where an axis points the other way round.
    """
    relative = a.inverse() @ b
    # any attitude of a child that can turn anyhow is right
    attitude = kind.neutral(space)[len(kind.scalars(space)) :]
    closed = kind.motion(space, ca.vertcat(kind.values(space, a, b), attitude))
    gap = (relative.origin - closed.origin) / length
    return gap if kind.spins(space) else ca.vertcat(gap, ca.vec(relative.axes - closed.axes))


def numbers_of(pose: Pose) -> Array:
    """Origin and axes (by columns) of a pose in one array."""
    return np.concatenate([pose.origin, pose.axes.ravel(order="F")])


def _linear(relation: LinearRelation, positions: Mapping[str, ca.SX]) -> Linear:
    factors = {key: ca.SX(factor) for key, factor in relation.terms}
    return Linear(factors, sum((factor * positions[name][i] for (name, i), factor in factors.items()), ca.SX(0)))


def _largest(values: Array) -> float:
    return float(np.max(np.abs(values)))
