"""The contract of a force: what it applies to bodies and joints, and what it does to the energy.

A load is a force at a point of a body together with a moment, in world axes. An effort acts along the coordinate of a
joint, on the child, and with the opposite sign on the parent. With the potential V of an element, the kinetic energy T of
parts that it has for itself, the power D ≥ 0 that it destroys and the power S that it brings in from outside, the power of
its loads and efforts is

    P = S − D − d(T + V)/dt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import casadi as ca

from linkwork.algebra.frames import Frame


def _zero() -> ca.SX:
    return ca.SX(1, 1)


@dataclass(frozen=True, eq=False)
class Load:
    """A force (d) at the world point ``at`` (d) of a body, and a moment (k), world axes."""

    body: str
    at: ca.SX
    force: ca.SX
    moment: ca.SX


@dataclass(frozen=True, eq=False)
class JointEffort:
    """A force or torque along freedom number ``freedom`` of a joint."""

    joint: str
    freedom: int
    value: ca.SX


@dataclass(frozen=True, eq=False)
class OwnState:
    """A state of the element: its rate, and its value at the start, both expressions."""

    name: str
    symbol: ca.SX
    rate: ca.SX
    start: ca.SX


@dataclass(frozen=True, eq=False)
class Reading:
    """A quantity of the element that results show."""

    unit: str
    text: str
    value: ca.SX


@dataclass(frozen=True, eq=False)
class Action:
    """All that one force element does.

    potential: V; kinetic: T; dissipation: D. supplies: whether the element has a source S of power; without one,
    P = −D − d(T + V)/dt.
    """

    loads: tuple[Load, ...] = ()
    efforts: tuple[JointEffort, ...] = ()
    potential: ca.SX = field(default_factory=_zero)
    kinetic: ca.SX = field(default_factory=_zero)
    dissipation: ca.SX = field(default_factory=_zero)
    supplies: bool = False
    states: tuple[OwnState, ...] = ()
    readings: Mapping[str, Reading] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Station:
    """A point of a body: where it is and how fast it moves (world axes)."""

    body: str
    position: ca.SX
    velocity: ca.SX


@dataclass(frozen=True, eq=False)
class Solid:
    """A body: its frame and its angular velocity (k) in the world; in the plane its angle, counting turns."""

    body: str
    frame: Frame
    omega: ca.SX
    angle: ca.SX | None = None


@dataclass(frozen=True, eq=False)
class JointCoordinate:
    """Freedom number ``freedom`` of a joint: its coordinate, an angle counting turns, and its rate."""

    joint: str
    freedom: int
    value: ca.SX
    rate: ca.SX
    unit: str = "rad"  # 'rad' or 'm'

    @property
    def effort_unit(self) -> str:
        return "N" if self.unit == "m" else "N*m"
