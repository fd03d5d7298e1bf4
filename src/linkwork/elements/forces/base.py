"""The contract of a force: what it applies to bodies and joints, and the potential it has.

A load is a force at a point of a body together with a moment, in world axes. An effort acts along the coordinate of a
joint, on the child, and with the opposite sign on the parent.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import casadi as ca

from linkwork.algebra.frames import Frame


@dataclass(frozen=True, eq=False)
class Load:
    """A force (d) at the world point ``at`` (d) of a body, and a moment (k), world axes."""

    body: str
    at: ca.SX
    force: ca.SX
    moment: ca.SX


@dataclass(frozen=True, eq=False)
class Effort:
    """A force or torque along freedom number ``freedom`` of a joint."""

    joint: str
    freedom: int
    value: ca.SX


@dataclass(frozen=True, eq=False)
class Action:
    """All that one force element does."""

    loads: tuple[Load, ...] = ()
    efforts: tuple[Effort, ...] = ()
    potential: ca.SX = field(default_factory=lambda: ca.SX(1, 1))


@dataclass(frozen=True, eq=False)
class Station:
    """A point of a body: where it is and how fast it moves (world axes)."""

    body: str
    position: ca.SX
    velocity: ca.SX


@dataclass(frozen=True, eq=False)
class Solid:
    """A body: its frame and its angular velocity (k) in the world."""

    body: str
    frame: Frame
    omega: ca.SX


@dataclass(frozen=True, eq=False)
class JointCoordinate:
    """Freedom number ``freedom`` of a joint: its coordinate, an angle counting turns, and its rate."""

    joint: str
    freedom: int
    value: ca.SX
    rate: ca.SX
