"""Which coordinates keep their sketched values where a sketch leaves a choice: never a matter of the order of a file.

First those that ``initial`` names, then joints by their steps from the ground, then bodies. Among equals the one that moves
most when the mechanism moves (of a crank and a rocker the crank: it is nowhere near its dead centres), then the first name.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.position.geometry import GROUND, Array, Geometry
from linkwork.position.poses import PoseConditions

DIGITS = 6  # of a motion, over the largest: what agrees in these moves alike, and rounding errors decide nothing


@dataclass(frozen=True, eq=False)
class Preference:
    """The readings of a mechanism in the order in which they are kept; ``places`` has, for each, what decides first."""

    conditions: PoseConditions
    places: tuple[tuple[bool, bool, float], ...]  # not in ``initial``, of a body, steps from the ground

    def order(self, moved: Array) -> list[int]:
        """All readings in their order; *moved* (r × k): their rates, over units, in independent motions of one size."""
        sizes = np.linalg.norm(moved, axis=1)
        shares = np.round(sizes / max(float(np.max(sizes, initial=0.0)), 1e-300), DIGITS)
        readings = self.conditions.readings
        return sorted(
            range(len(readings)), key=lambda i: (*self.places[i], -shares[i], readings[i].element, readings[i].name)
        )

    def moved_first(self, moves: Array) -> int | None:
        """The first of all readings that moves, where they move so (r) in one motion; None where none does."""
        moved = moves / self.conditions.units
        none = 10.0**-DIGITS * float(np.max(np.abs(moved), initial=0.0))
        moving = (i for i in self.order(moved[:, None]) if abs(moved[i]) > none)
        return next((i for i in moving if not self.conditions.readings[i].rate_only), None)


def preference(conditions: PoseConditions, initial: Container[str] = ()) -> Preference:
    """The order of a mechanism, with the elements first that ``initial`` names."""
    steps = steps_from_ground(conditions.geometry)
    geometry = conditions.geometry

    def place(element: str) -> tuple[bool, bool, float]:
        joint = geometry.joints.get(element)
        bodies: Sequence[str] = (element,) if joint is None else (joint.parent, joint.child)
        return element not in initial, joint is None, min(steps.get(body, np.inf) for body in bodies)

    return Preference(conditions, tuple(place(reading.element) for reading in conditions.readings))


def steps_from_ground(geometry: Geometry) -> Mapping[str, int]:
    """How many joints lie between a body and the ground; bodies without a way to it are left out."""
    near: dict[str, set[str]] = {}
    for joint in geometry.joints.values():
        near.setdefault(joint.parent, set()).add(joint.child)
        near.setdefault(joint.child, set()).add(joint.parent)
    steps, rim = {GROUND: 0}, [GROUND]
    while rim:
        body = rim.pop(0)
        for other in near.get(body, ()):
            if other not in steps:
                steps[other] = steps[body] + 1
                rim.append(other)
    return steps
