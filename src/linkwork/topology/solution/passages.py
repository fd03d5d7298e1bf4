"""Joints as a loop passes through them: from one cluster to the next, reduced to what is unknown of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import about_x, about_z
from linkwork.algebra.space import Space
from linkwork.elements.joints import JointKind
from linkwork.elements.joints.prismatic import sliding_axis

TURN, SLIDE = "turn", "slide"


@dataclass(frozen=True, eq=False)
class Passage:
    """A joint between two clusters.

    near, far: its frame on either side, each in the coordinates of the cluster that it belongs to
    backwards: whether its child is on the near side
    values: its coordinates in order; None where they are unknown
    direction: of the axis of its first unknown freedom in the world, where the plan was made, as numbers (3)
    guess: the angle of a screw in the state, which says on which of its turns it is
    """

    joint: str
    kind: JointKind
    near: Frame
    far: Frame
    backwards: bool
    values: tuple[ca.SX | None, ...]
    direction: ca.DM
    guess: ca.SX | None = None

    @property
    def unknown(self) -> tuple[int, ...]:
        return tuple(i for i, value in enumerate(self.values) if value is None)

    def reversed(self) -> Passage:
        """The same joint, passed in the other sense."""
        return replace(self, near=self.far, far=self.near, backwards=not self.backwards)


@dataclass(frozen=True, eq=False)
class Pair:
    """What one unknown freedom leaves between two clusters: a common axis, along or about which they move.

    near, far: frames that coincide but for the motion; axis: which of their axes; sense: −1 where the joint counts the
    other way; place: of the freedom in the joint
    """

    motion: str
    near: Frame
    far: Frame
    axis: int
    sense: int
    place: int


def elementary_motions(kind: JointKind, space: Space) -> tuple[tuple[str, int], ...]:
    """The single motions that make up a joint, each a turn about or a slide along an axis of its frame, in order."""
    if space.planar:
        return {"R": ((TURN, 2),), "P": ((SLIDE, 0),), "L": ((SLIDE, 0), (TURN, 2))}[kind.letter]
    return {
        "R": ((TURN, 2),),
        "P": ((SLIDE, sliding_axis(space)),),
        "C": ((TURN, 2), (SLIDE, 2)),
        "U": ((TURN, 2), (TURN, 0)),
    }[kind.letter]


def elementary_frame(space: Space, motion: str, axis: int, value: ca.SX) -> Frame:
    """The displacement of one elementary motion."""
    if space.planar:
        if motion == TURN:
            return Frame.planar(ca.SX(2, 1), value)
        still = Frame.identity(2)
        return Frame(still.axes[:, axis] * value, still.axes, still.angle)
    if motion == SLIDE:
        return Frame(ca.SX.eye(3)[:, axis] * value, ca.SX.eye(3))
    return Frame(ca.SX(3, 1), about_z(value) if axis == 2 else about_x(value))


def single_pair(space: Space, passage: Passage) -> Pair:
    """A joint with one unknown freedom; what is known of it goes into the frames."""
    (pair,) = pairs_of(space, passage)
    return pair


def pairs_of(space: Space, passage: Passage) -> list[Pair]:
    """A joint as a row of single motions, in the order in which the loop meets them; what is known goes into the frames.

    Between two of them stands a cluster without bodies, whose frame is where the first of them ends.
    """
    motions, unknown = elementary_motions(passage.kind, space), passage.unknown
    parent, child = (passage.far, passage.near) if passage.backwards else (passage.near, passage.far)
    found = []
    for place, last in zip(unknown, (-1, *unknown), strict=False):
        before = _product(space, passage, motions, range(last + 1, place))
        start = parent @ before if last < 0 else before
        end = Frame.identity(space.dimension)
        if place == unknown[-1]:
            end = child @ _product(space, passage, motions, range(place + 1, len(motions))).inverse()
        motion, axis = motions[place]
        found.append(
            Pair(motion, end, start, axis, -1, place) if passage.backwards else Pair(motion, start, end, axis, 1, place)
        )
    return found[::-1] if passage.backwards else found


def _product(space: Space, passage: Passage, motions: Sequence[tuple[str, int]], places: Sequence[int]) -> Frame:
    total = Frame.identity(space.dimension)
    for place in places:
        value = passage.values[place]
        assert value is not None
        total = total @ elementary_frame(space, *motions[place], value)
    return total
