"""What carries two bodies whose joint has a clearance: all relative motions, under the names that the joint has for its own.

The joint itself holds nothing, its conditions are one-sided (``elements/relations/clearance.py``). In the plane the
coordinates are the one of the joint and the two in which the clearance lets it give way; in space the position along the
axes of the parent and the attitude.
"""

from __future__ import annotations

from typing import ClassVar

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.contribution import Condition
from linkwork.elements.joints.base import SPINS, Directions, Freedom, JointKind, Measure
from linkwork.elements.joints.free import Free

WITH_CLEARANCE = "with clearance"
ALL = Free()


class LooseRevolute(JointKind):
    """A pin in a hole that is larger than it: in the plane; in space a pin in a bush, which it may also tilt in."""

    name = f"revolute {WITH_CLEARANCE}"
    symbol = "revolute"
    axes: ClassVar = {"planar": 0, "spatial": 1}
    order: ClassVar = (2, 0, 1)  # of the coordinates of the plane among x, y, angle

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        shifts = tuple(Freedom(f"position_{a}", f"position_{a}_rate", "length") for a in space.axis_names)
        return (Freedom("angle", "speed", "angle"), *shifts) if space.planar else (*shifts, *SPINS)

    def motion(self, space: Space, q: ca.SX) -> Frame:
        return ALL.oriented(self.orientation).motion(space, self._sorted(space, q))

    def columns(self, space: Space, q: ca.SX) -> tuple[ca.SX, ca.SX]:
        found = ALL.oriented(self.orientation).columns(space, self._sorted(space, q))
        translation, rotation = (item[:, list(self.order)] if space.planar else item for item in found)
        return translation, rotation

    def rows(self, space: Space, a: Frame, b: Frame) -> list[Condition]:
        return []

    def measure(self, space: Space, a: Frame, b: Frame) -> tuple[Measure, ...]:
        found = ALL.measure(space, a, b)
        return tuple(found[i] for i in self.order) if space.planar else found

    def reactions(self, space: Space, a: Frame, b: Frame) -> Directions:
        return Directions((), ())

    def _sorted(self, space: Space, q: ca.SX) -> ca.SX:
        """The coordinates of a free body."""
        return ca.vertcat(*[q[self.order.index(i)] for i in range(3)]) if space.planar else q


class LoosePrismatic(LooseRevolute):
    """A slider in a guide that is wider than it, in the plane."""

    name = f"prismatic {WITH_CLEARANCE}"
    symbol = "prismatic"
    axes: ClassVar = {"planar": 1}
    order: ClassVar = (0, 1, 2)

    def freedoms(self, space: Space) -> tuple[Freedom, ...]:
        across = Freedom("position_y", "position_y_rate", "length")
        return Freedom("position", "speed", "length"), across, Freedom("angle", "angle_rate", "angle")


class LooseCylindrical(LooseRevolute):
    """A pin in a bush in which it may also slide."""

    name = f"cylindrical {WITH_CLEARANCE}"
    symbol = "cylindrical"
    axes: ClassVar = {"spatial": 1}


class LooseSpherical(LooseRevolute):
    """A ball in a hollow ball."""

    name = f"spherical {WITH_CLEARANCE}"
    symbol = "spherical"
    axes: ClassVar = {"spatial": 0}


LOOSE: dict[tuple[str, str], JointKind] = {
    ("revolute", "planar"): LooseRevolute(),
    ("prismatic", "planar"): LoosePrismatic(),
    ("spherical", "spatial"): LooseSpherical(),
    ("revolute", "spatial"): LooseRevolute(),
    ("cylindrical", "spatial"): LooseCylindrical(),
}
"""By the kind of the joint and the space."""
