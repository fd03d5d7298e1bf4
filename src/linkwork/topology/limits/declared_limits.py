"""Whether a position respects the stops that the joints declare."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, inf

import numpy as np

from linkwork.algebra.given import Parameters
from linkwork.arrays import Array
from linkwork.position.poses import Poses
from linkwork.topology.topology import Topology

EXACT = 1e-9  # rad, or part of the size of the mechanism: beyond a stop by less, a coordinate rests on it


@dataclass(frozen=True)
class Beyond:
    """A coordinate that is beyond its stops: its name, its value and the stops, rad or m."""

    name: str
    value: float
    low: float
    high: float
    angular: bool

    def __str__(self) -> str:
        return self.told("starts")

    def told(self, verb: str) -> str:
        """A line with the word for how it comes to be there."""
        low, high = self._text(self.low), self._text(self.high)
        return f"{self.name} {verb} at {self._text(self.value)}, beyond its limits ({low} to {high})"

    def _text(self, value: float) -> str:
        if abs(value) == inf:
            return "none"
        return f"{round(degrees(value), 6) + 0.0:g} deg" if self.angular else f"{round(value, 12) + 0.0:g} m"


def starts_beyond(topology: Topology) -> tuple[Beyond, ...]:
    """The coordinates that are beyond their stops where the mechanism is assembled."""
    return are_beyond(topology, topology.assembly.poses, topology.geometry.defaults)


def are_beyond(topology: Topology, poses: Poses, p: Array, parameters: Parameters | None = None) -> tuple[Beyond, ...]:
    """Those that are beyond them with other poses and parameters."""
    conditions, found = topology.conditions, []
    values = conditions.readings_at(poses, p)
    for name, joint in topology.model.joints.items():
        for freedom, ends in joint.ranges.items():
            place = conditions.index(name, freedom)
            low, high = (
                side if end is None else topology.model.number(end, parameters)
                for end, side in zip(ends, (-inf, inf), strict=True)
            )
            value, reading = float(values[place]), conditions.readings[place]
            if reading.wraps:
                value = _nearest_turn(value, low, high)
            margin = EXACT * float(conditions.units[place])
            if not low - margin <= value <= high + margin:
                found.append(Beyond(f"{name}.{freedom}", value, low, high, reading.angular))
    return tuple(found)


def _nearest_turn(value: float, low: float, high: float) -> float:
    """The angle with the number of whole turns with which it is nearest to the middle of its range."""
    if abs(low) == inf or abs(high) == inf:
        return value
    return value + 2 * np.pi * round(((low + high) / 2 - value) / (2 * np.pi))
