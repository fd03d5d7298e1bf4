"""Connection: a joint that is closed and opened while the mechanism runs. It carries no body.

Its frame in the parent has a seat K, a small displacement that is set where it closes, so that what is open by a little
stays so and nothing jumps. With the frames A and B of the joint in parent and child,

    Φ(F_parent A K, F_child B) = 0.

In the plane K has the numbers x, y and an angle, in space x, y, z and a quaternion.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import from_quaternion
from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.contribution import (
    Condition,
    Contribution,
    Frames,
    OwnState,
    Placement,
    Reading,
)
from linkwork.elements.joining import Joined
from linkwork.elements.joints import JointKind
from linkwork.elements.relations.base import Relation

OPENING = "opening"  # name of the reading
GROUP = "joint"  # of all its rows
GROUNDED, CLOSED = (("is grounded", "lets go"), "grounded"), (("connects", "lets go"), "closed")  # what it does, and is


def seat_names(space: Space) -> tuple[str, ...]:
    """Names of the numbers of a seat."""
    return (*space.axis_names, *(("angle",) if space.planar else ("q0", "q1", "q2", "q3")))


def neutral_seat(space: Space) -> Array:
    """The seat of a joint that closes as it is declared."""
    return np.array([0.0, 0.0, 0.0] if space.planar else [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])


def seat_frame(space: Space, numbers: ca.SX) -> Frame:
    """K."""
    d = space.dimension
    if space.planar:
        return Frame.planar(numbers[:d], numbers[d])
    return Frame(numbers[:d], from_quaternion(numbers[d:]))


@dataclass(frozen=True, eq=False)
class ConnectionRelation(Relation):
    """A joint of a kind between two bodies, with its frames in their axes.

    active: whether it is closed at first; grounds: whether it holds a body where that is, rather than where it is drawn
    """

    kind: ClassVar[str] = "connection"

    space: Space
    joint: JointKind
    parent: str
    child: str
    a: Frame
    b: Frame
    active: bool
    grounds: bool = False

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.parent, self.child

    @cached_property
    def seat(self) -> tuple[ca.SX, ...]:
        """The numbers of its seat."""
        return tuple(ca.SX.sym(f"seat {name}") for name in seat_names(self.space))

    def ends(self, frames: Frames) -> tuple[Frame, Frame]:
        """The two frames of the joint in the world as it is declared, without its seat."""
        return frames[self.parent] @ self.a, frames[self.child] @ self.b

    def rows(self, ends: tuple[Frame, Frame], seat: ca.SX) -> list[Condition]:
        """Its conditions between two frames in the world."""
        return self.joint.rows(self.space, ends[0] @ seat_frame(self.space, seat), ends[1])

    def contribute(self, at: Placement) -> Contribution:
        ends = self.ends(at.frames)
        rows = (
            Condition(
                row.component,
                row.residual,
                "" if row.is_length else f"moment_{row.component[-1]}",
                is_length=row.is_length,
                group=GROUP,
                guarded=row.guarded,
                part=row.part,
            )
            for row in self.rows(ends, ca.vertcat(*self.seat))
        )
        start, none = neutral_seat(self.space), ca.SX(0)
        numbers = zip(seat_names(self.space), self.seat, start, strict=True)
        gap = ends[1].origin - ends[0].origin
        return Contribution(
            conditions=tuple(rows),
            constants=tuple(OwnState(f"seat_{name}", own, none, ca.SX(first)) for name, own, first in numbers),
            readings={} if self.grounds else self._readings(ends, gap),
            joined=Joined(self.active, *(GROUNDED if self.grounds else CLOSED)),
        )

    def _readings(self, ends: tuple[Frame, Frame], gap: ca.SX) -> dict[str, Reading]:
        """How far its points are apart."""
        along = (ca.dot(ends[0].axis(i), gap) for i in range(self.space.dimension))
        found = {OPENING: Reading("m", "distance of its points, closed or open", ca.norm_2(gap))}
        return found | {
            f"{OPENING}_{axis}": Reading("m", f"the same along {axis} of the joint on {self.parent}", value)
            for axis, value in zip(self.space.axis_names, along, strict=True)
        }
