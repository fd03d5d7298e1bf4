"""Where joints sit: at which points of which bodies. Looked up once for a model, and then by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwork.model.body import Body
from linkwork.model.connected import groups
from linkwork.model.joint import GROUND, Joint

PlacedPoint = tuple[str, str]
"""A body and a point of it."""


class Seats:
    """The joints of every point, the points of every body, and what joints hold together."""

    def __init__(self, points: Mapping[str, Any], bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
        self._joints: dict[str, dict[str, Joint]] = {}
        self._pins: dict[str, dict[str, None]] = {}
        self._owners: dict[str, list[str]] = {}
        self._ground = set[str]()
        ties: list[tuple[PlacedPoint, PlacedPoint]] = []
        for name, body in bodies.items():
            for point in body.point_names:
                self._owners.setdefault(point, []).append(name)
        for name, joint in joints.items():
            first, last = own = joint_points(name, joint)
            for point in own:
                self._joints.setdefault(point, {})[name] = joint
            for owner, point in zip(joint.bodies, own, strict=True):
                if point in points:
                    self._pins.setdefault(owner, {})[point] = None
            if GROUND in joint.bodies and (place := point_on(name, joint, GROUND)) in points:
                self._ground.add(place)
            if joint.mechanics.shares_point:
                ties.append(((joint.bodies[0], first), (joint.bodies[1], last)))
        seats = dict.fromkeys(seat for tie in ties for seat in tie)
        self._held = {seat: frozenset(group) for group in groups(seats, ties) for seat in group}

    def joints(self, point: str) -> dict[str, Joint]:
        """The joints that sit at a point."""
        return self._joints.get(point, {})

    def pins(self, body: str) -> list[str]:
        """The sketch points at which joints hold a body, whether it lists them or not."""
        return list(self._pins.get(body, ()))

    def owners(self, point: str) -> list[str]:
        """The bodies that list a point; the ground first where one of its joints sits there."""
        return [*([GROUND] if point in self._ground else []), *self._owners.get(point, [])]

    def held_with(self, body: str, point: str) -> frozenset[PlacedPoint]:
        """The points, with their bodies, that joints hold to a point of a body, so that they never part; with itself."""
        return self._held.get((body, point), frozenset([(body, point)]))


def point_on(name: str, joint: Joint, body: str) -> str:
    """The name of the joint's point on one of its bodies."""
    at = joint.at or (name,)
    return at[0] if len(at) == 1 or joint.parent == body else at[1]


def joint_points(name: str, joint: Joint) -> tuple[str, str]:
    """The names of the joint's point on the parent and on the child."""
    at = joint.at or (name,)
    return at[0], at[-1]
