"""Helical joint (S, screw): a rotation about and a translation along a common axis, in a fixed ratio.

With θ the angle and z the advance, z = h θ. The pitch of a declaration is the advance per turn, 2π h.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import about_z
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition
from linkwork.elements.joints.base import (
    Directions,
    Follower,
    Freedom,
    JointKind,
    JointNumber,
    Measure,
    angle_about_z,
    axis_rows,
    joint_row,
    slide_rows,
)

TURN = 2 * ca.pi


class Helical(JointKind):
    """A screw of the given ``pitch`` in m/rad (negative: left-handed), which may depend on live parameters."""

    name = "helical"
    letter = "S"
    axes: ClassVar = {"spatial": 1}
    numbers: ClassVar = {
        "pitch": JointNumber(
            "length",
            "advance per turn, negative for a left-handed thread",
            "2 mm",
            otherwise="give the advance per turn; without any, the kind is revolute",
        )
    }
    shares_axis = True

    def __init__(self, pitch: ca.SX | float = 1 / TURN) -> None:
        self.pitch = ca.SX(pitch)

    def with_numbers(self, values: Mapping[str, ca.SX]) -> Helical:
        return Helical(values["pitch"] / TURN)

    def seat(self, space: Space, a: Frame, b: Frame) -> Frame:
        # the thread lies as it is drawn: no advance at the sketch
        return Frame(ca.vertcat(0, 0, _height(a, b)), ca.SX.eye(3))

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        return (Freedom("angle", "speed", "angle", winds=True),)

    def followers(self, space: Space) -> tuple[Follower, ...]:
        return (Follower("position", "position_rate", "angle", self.pitch),)

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return Frame(ca.vertcat(0, 0, self.pitch * q[0]), about_z(q[0]))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        z = ca.SX.eye(3)[:, 2]
        return self.pitch * z, z

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        gap = _height(a, b) - self.pitch * self._angle(space, a, b)
        return [*slide_rows(space, a, b), *axis_rows(a, b), joint_row("advance along z", "slide", gap)]

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        return (Measure(value=self._angle(space, a, b), axis=a.axis(2)),)

    def _angle(self, space: Space, a: Frame, b: Frame) -> ca.SX:
        """θ = α + 2π k: α from its sine and cosine, its turn k the one nearest to z / h.

        The number of the turn is constant wherever the joint is nearly closed, so that the angle has the derivative of α.
        """
        principal = angle_about_z(space, a, b).principal
        return principal + TURN * ca.floor((_height(a, b) / self.pitch - principal) / TURN + 0.5)

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        x, y, z = (a.axis(i) for i in range(3))
        # the power f·(h θ̇ z) + m·(θ̇ z) of what acts along the axis vanishes: m = −h f
        return Directions((x, y), (x, y), ((z, -self.pitch * z),))

    def efforts(self, space: Space, a: Frame, b: Frame) -> tuple[tuple[ca.SX, ca.SX], ...]:
        # a torque about the axis
        return ((ca.SX(3, 1), a.axis(2)),)


def _height(a: Frame, b: Frame) -> ca.SX:
    """z: how far the origin of b lies along the axis of a."""
    return ca.dot(a.axis(2), b.origin - a.origin)
