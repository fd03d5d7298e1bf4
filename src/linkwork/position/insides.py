"""What moves inside bodies while poses are looked for: coordinates s of their own, which are given with their rates.

A residual or a reading that depends on s changes by ∂/∂s ṡ while all bodies rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import casadi as ca

from linkwork.algebra.frames import Frame, Twist
from linkwork.elements.bodies import Carrier
from linkwork.position.geometry import Geometry

Insides = Mapping[str, tuple[ca.SX, ...]]
"""By body: coordinates of its own, and their rates."""


@dataclass(frozen=True)
class PoseReading:
    """A coordinate that can be read off the poses: of a joint, or of a body (centre of mass, angle, spin)."""

    element: str
    name: str
    angular: bool
    rate_only: bool = False
    winds: bool = False  # every turn is another position

    @property
    def wraps(self) -> bool:
        """Whether whole turns of it make no difference."""
        return self.angular and not self.winds


def along(values: ca.SX, insides: Insides) -> ca.SX:
    """∂/∂s ṡ of values."""
    if not insides:
        return ca.SX(*values.shape)
    s, rates = (ca.vertcat(*[item[i] for item in insides.values()]) for i in range(2))
    return ca.jtimes(values, s, rates)


def changed(
    geometry: Geometry, reading: PoseReading, value: ca.SX, frames: Mapping[str, Frame], insides: Insides
) -> ca.SX:
    """The rate of a reading while all bodies rest."""
    joint = geometry.joints.get(reading.element)
    if not reading.rate_only:
        return along(value, insides)
    if joint is None:
        return ca.SX(1, 1)
    sides = (joint.parent, joint.a), (joint.child, joint.b)
    a, b = (_turning(geometry, body, place, frames, insides) for body, place in sides)
    return (b - a)[int(reading.name[-1])]


def _turning(geometry: Geometry, body: str, place: Frame, frames: Mapping[str, Frame], insides: Insides) -> ca.SX:
    """The angular velocity that a place in space has in its body."""
    if body not in insides:
        return ca.SX(3, 1)
    carrier = Carrier(replace(frames[body], seat=None), Twist(ca.SX(3, 1), ca.SX(3, 1)), *insides[body])
    return geometry.insides[body].marker(geometry.space, carrier, place).twist.omega
