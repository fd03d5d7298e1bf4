"""Guidance: a point of a body, or the whole body, follows given functions of time.

The position of the point has the conditions r − f(t) = 0. An orientation A*(t) in space, given by roll, pitch and yaw about
the body's own x, y and z, A* = R_z(yaw) R_y(pitch) R_x(roll), has three conditions that are regular in every orientation:
with E = A*ᵀA, a rotation by φ about n,

    Φ = 2 (E − Eᵀ)ˇ / (1 + tr E) = 2 tan(φ/2) n.

Their λ is the torque in the axes of the body. Where only some of the three angles are given, each is compared with that of
the body, which is regular but for a pitch of ±90°.
Source: García de Jalón and Bayo, Problem 3/21 (six driving equations for a rigid body).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import casadi as ca

from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition, Contribution, Place, Placement
from linkwork.elements.relations.base import Formula, Relation

ANGLES = ("roll", "pitch", "yaw")


@dataclass(frozen=True, eq=False)
class Guidance(Relation):
    """Functions of time for coordinates of a place (None: free), for the angle in the plane, or for angles in space."""

    kind: ClassVar[str] = "guidance"
    driving: ClassVar[bool] = True

    place: Place
    ground: str
    position: tuple[Formula | None, ...]
    angles: Mapping[str, Formula]

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.ground, self.place.body

    def contribute(self, at: Placement) -> Contribution:
        place, axes = self.place.world(at.frames), at.frames[self.place.body].axes
        rows = [
            Condition(f"{axis} of {self.place.body}", place[i] - wanted(at.time))
            for i, (axis, wanted) in enumerate(zip(at.space.axis_names, self.position, strict=False))
            if wanted is not None
        ]
        turning = self._turning(at.space, axes, at.time)
        if at.space.planar or set(self.angles) != set(ANGLES):
            return Contribution((*rows, *turning))
        # world components of the torque
        weights = {f"m{axis}": ca.vertcat(ca.SX(len(rows), 1), axes[i, :].T) for i, axis in enumerate("xyz")}
        return Contribution((*rows, *turning), weights=weights)

    def orientation(self, t: ca.SX) -> tuple[Place, ca.SX] | None:
        if set(self.angles) != set(ANGLES):
            return None
        roll, pitch, yaw = (self.angles[name](t) for name in ANGLES)
        return self.place, _turn(2, yaw) @ _turn(1, pitch) @ _turn(0, roll)

    def _turning(self, space: Space, axes: ca.SX, t: ca.SX) -> list[Condition]:
        body = self.place.body
        if space.planar:
            return [
                Condition(f"angle of {body}", _angle_from(wanted(t), axes[1, 0], axes[0, 0]), "torque", is_length=False)
                for wanted in self.angles.values()
            ]
        whole = self.orientation(t)
        if whole is not None:
            error = whole[1].T @ axes
            aside = error - error.T
            turn = 2 * ca.vertcat(aside[2, 1], aside[0, 2], aside[1, 0]) / (1 + ca.trace(error))
            return [
                Condition(f"rotation of {body} about {axis}", turn[i], is_length=False) for i, axis in enumerate("xyz")
            ]
        level = ca.sqrt(axes[0, 0] ** 2 + axes[1, 0] ** 2)
        read = {
            "roll": (axes[2, 1], axes[2, 2]),
            "pitch": (-axes[2, 0], level),
            "yaw": (axes[1, 0], axes[0, 0]),
        }
        return [
            Condition(f"{name} of {body}", _angle_from(formula(t), *read[name]), f"{name}_torque", is_length=False)
            for name, formula in self.angles.items()
        ]


def _angle_from(wanted: ca.SX, sine: ca.SX, cosine: ca.SX) -> ca.SX:
    """How far an angle is ahead of the wanted one, −π to π."""
    c, s = ca.cos(wanted), ca.sin(wanted)
    return ca.atan2(sine * c - cosine * s, cosine * c + sine * s)


def _turn(axis: int, angle: ca.SX) -> ca.SX:
    """The rotation by an angle about x, y or z."""
    c, s = ca.cos(angle), ca.sin(angle)
    first, second = (axis + 1) % 3, (axis + 2) % 3
    turn = ca.SX.eye(3)
    turn[first, first], turn[second, second] = c, c
    turn[first, second], turn[second, first] = -s, s
    return turn
