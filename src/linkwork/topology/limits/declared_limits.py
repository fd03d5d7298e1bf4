"""Whether the assembled position respects the stops that the joints declare."""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, inf

import casadi as ca
import numpy as np

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.topology.topology import Topology

EXACT = 1e-9  # rad, or part of the size of the mechanism: beyond a stop by less, a coordinate rests on it


@dataclass(frozen=True)
class Beyond:
    """A coordinate that starts beyond its stops: its name, its value and the stops, rad or m."""

    name: str
    value: float
    low: float
    high: float
    angular: bool

    def __str__(self) -> str:
        low, high = self._text(self.low), self._text(self.high)
        return f"{self.name} starts at {self._text(self.value)}, beyond its limits ({low} to {high})"

    def _text(self, value: float) -> str:
        if abs(value) == inf:
            return "none"
        return f"{round(degrees(value), 6) + 0.0:g} deg" if self.angular else f"{round(value, 12) + 0.0:g} m"


def starts_beyond(topology: Topology) -> tuple[Beyond, ...]:
    """The coordinates that are beyond their stops where the mechanism is assembled."""
    conditions, p = topology.conditions, topology.geometry.defaults
    values = conditions.readings_at(topology.assembly.poses, p)
    found = []
    for name, joint in topology.model.joints.items():
        for freedom, ends in joint.ranges.items():
            place = conditions.index(name, freedom)
            low, high = (_number(topology, end, side) for end, side in zip(ends, (-inf, inf), strict=True))
            value, reading = float(values[place]), conditions.readings[place]
            if reading.wraps:
                value = _nearest_turn(value, low, high)
            margin = EXACT * float(conditions.units[place])
            if not low - margin <= value <= high + margin:
                found.append(Beyond(f"{name}.{freedom}", value, low, high, reading.angular))
    return tuple(found)


def _number(topology: Topology, end: Expression | None, otherwise: float) -> float:
    if end is None:
        return otherwise
    return float(topology.geometry.number(ca.SX(to_sx(end, topology.geometry.fixed_values.__getitem__))))


def _nearest_turn(value: float, low: float, high: float) -> float:
    """The angle with the number of whole turns with which it is nearest to the middle of its range."""
    if abs(low) == inf or abs(high) == inf:
        return value
    return value + 2 * np.pi * round(((low + high) / 2 - value) / (2 * np.pi))
