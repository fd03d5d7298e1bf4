"""Planar loops of three clusters, in the plane or built in space: dyads and parallelograms.

A pin in a slot is a slide and a turn with a cluster without bodies between them.

In space every cluster gets a flat frame, whose z axis is the common normal; in these frames the loop is planar, and what
is left along the normal is constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.closed_form.dyads import DyadBranch, DyadSide, StraightGuide, normal, prp, rpp, rpr, rrp, rrr
from linkwork.closed_form.parallelogram import parallelogram
from linkwork.topology.solution.assembled import Assembled
from linkwork.topology.solution.passages import TURN, Pair, Passage, pairs_of, single_pair


@dataclass(frozen=True, eq=False)
class Corner:
    """A pin, or a point and the direction of a guide, in the flat coordinates of one cluster; height along the normal."""

    point: ca.SX
    direction: ca.SX | None
    height: ca.SX

    @property
    def guide(self) -> StraightGuide:
        assert self.direction is not None
        return StraightGuide(self.point, self.direction)


@dataclass(frozen=True, eq=False)
class FlatLoop:
    """Three clusters and three joints in flat coordinates: joint i leads from cluster i to cluster i + 1.

    near[i] and far[i] are its corners on either side.
    """

    letters: str
    near: tuple[Corner, Corner, Corner]
    far: tuple[Corner, Corner, Corner]

    def reversed(self) -> FlatLoop:
        """The loop run through the other way, from the same cluster."""
        return FlatLoop(self.letters[::-1], self.far[::-1], self.near[::-1])


PlanarPose = tuple[ca.SX, ca.SX]
"""Origin (2) and turn (cosine, sine) of a cluster, both (2), in the flat coordinates of the first."""


def solve_dyad(space: Space, passages: Sequence[Passage], side: DyadSide) -> Assembled:
    """The dyad on one *side*: +1 is the first branch of its family."""
    joints = [pairs_of(space, passage) for passage in passages]
    pairs = [pair for found in joints for pair in found]
    flats = _flat_frames(space, passages, pairs)
    loop = _flatten(space, pairs, flats)
    poses, valid = _solve(loop, side)
    frames = _frames(space, loop, poses, flats)
    # inside a joint that slides and turns stands a cluster without bodies
    ends = np.cumsum([len(found) for found in joints])[:-1]
    return Assembled(tuple(frames[end - 1] for end in ends), valid)


def solve_parallelogram(space: Space, passages: Sequence[Passage], base: Frame) -> Assembled:
    """Coupler and rocker of a parallelogram; *base* is the joint of its crank, in the coordinates of the first cluster."""
    pairs = [single_pair(space, passage) for passage in passages]
    flats = _flat_frames(space, passages, pairs)
    loop = _flatten(space, pairs, flats)
    foot = _corner(space, base, None, flats[0]).point
    arm1, arm2 = loop.near[1].point - loop.far[0].point, loop.far[1].point - loop.near[2].point
    lengths = ca.norm_2(arm1), ca.norm_2(arm2)
    branch = parallelogram(foot, loop.near[0].point, loop.far[2].point, *lengths)
    return Assembled(_frames(space, loop, _poses_of_pins(loop, branch), flats), branch.valid)


def _solve(loop: FlatLoop, side: DyadSide) -> tuple[tuple[PlanarPose, PlanarPose], ca.SX]:
    solvers = {"RRR": _rrr, "RRP": _rrp, "RPR": _rpr, "PRP": _prp, "RPP": _rpp}
    if loop.letters in solvers:
        return solvers[loop.letters](loop, side)
    (first, second), valid = _solve(loop.reversed(), side)
    return (second, first), valid


def _rrr(loop: FlatLoop, side: DyadSide) -> tuple[tuple[PlanarPose, PlanarPose], ca.SX]:
    arm1, arm2 = loop.near[1].point - loop.far[0].point, loop.far[1].point - loop.near[2].point
    branch = rrr(loop.near[0].point, ca.norm_2(arm1), ca.norm_2(arm2), loop.far[2].point, side)
    return _poses_of_pins(loop, branch), branch.valid


def _poses_of_pins(loop: FlatLoop, branch: DyadBranch) -> tuple[PlanarPose, PlanarPose]:
    arm1, arm2 = loop.near[1].point - loop.far[0].point, loop.far[1].point - loop.near[2].point
    first = _divide(branch.first, arm1 / ca.norm_2(arm1))
    second = _divide(branch.second, arm2 / ca.norm_2(arm2))
    return (
        _hung(loop.near[0].point, loop.far[0].point, first),
        _hung(loop.far[2].point, loop.near[2].point, second),
    )


def _rrp(loop: FlatLoop, side: DyadSide) -> tuple[tuple[PlanarPose, PlanarPose], ca.SX]:
    arm = loop.near[1].point - loop.far[0].point
    offset, along = _across(loop.near[2], loop.far[1].point)
    branch = rrp(loop.near[0].point, ca.norm_2(arm), loop.far[2].guide, offset, side)
    first = _divide(branch.first, arm / ca.norm_2(arm))
    second = _divide(loop.far[2].guide.direction, along)
    return (
        (_hung(loop.near[0].point, loop.far[0].point, first), _hung(branch.point, loop.far[1].point, second)),
        branch.valid,
    )


def _rpr(loop: FlatLoop, side: DyadSide) -> tuple[tuple[PlanarPose, PlanarPose], ca.SX]:
    backwards, along1 = _across(loop.near[1], loop.far[0].point)
    offset2, along2 = _across(loop.far[1], loop.near[2].point)
    branch = rpr(loop.near[0].point, -backwards, offset2, loop.far[2].point, side)
    first, second = _divide(branch.first, along1), _divide(branch.second, along2)
    return (
        (
            _hung(loop.near[0].point, loop.far[0].point, first),
            _hung(loop.far[2].point, loop.near[2].point, second),
        ),
        branch.valid,
    )


def _prp(loop: FlatLoop, side: DyadSide) -> tuple[tuple[PlanarPose, PlanarPose], ca.SX]:
    offset1, along1 = _across(loop.far[0], loop.near[1].point)
    offset2, along2 = _across(loop.near[2], loop.far[1].point)
    branch = prp(loop.near[0].guide, offset1, offset2, loop.far[2].guide)
    first = _divide(loop.near[0].guide.direction, along1)
    second = _divide(loop.far[2].guide.direction, along2)
    return (
        (_hung(branch.point, loop.near[1].point, first), _hung(branch.point, loop.far[1].point, second)),
        branch.valid,
    )


def _rpp(loop: FlatLoop, side: DyadSide) -> tuple[tuple[PlanarPose, PlanarPose], ca.SX]:
    """Cluster 2 slides on cluster 0 and carries the guide of cluster 1, which is pinned to cluster 0."""
    outer, inner = loop.near[2], loop.far[1]
    ground = loop.far[2].guide
    offset, along2 = _across(outer, inner.point)
    assert inner.direction is not None
    turn = _divide(inner.direction, along2)
    backwards, along1 = _across(loop.near[1], loop.far[0].point)
    # the carried guide rides beside the guide of the ground, and the pin lies beside the carried guide
    guide = StraightGuide(ground.at(ca.SX(0), offset), ground.direction)
    branch = rpp(loop.near[0].point, backwards, (turn[0], turn[1]), guide)
    first, second = _divide(branch.first, along1), _divide(ground.direction, along2)
    start = guide.at(branch.slides[1], ca.SX(0))
    return (
        (_hung(loop.near[0].point, loop.far[0].point, first), _hung(start, inner.point, second)),
        branch.valid,
    )


def _across(line: Corner, point: ca.SX) -> tuple[ca.SX, ca.SX]:
    """How far to the left of a guide a point of the same cluster lies, and the direction of the guide."""
    assert line.direction is not None
    return ca.dot(normal(line.direction), point - line.point), line.direction


def _divide(end: ca.SX, start: ca.SX) -> ca.SX:
    """The turn (cosine, sine) that carries the unit vector *start* onto *end* (both 2)."""
    return ca.vertcat(end[0] * start[0] + end[1] * start[1], end[1] * start[0] - end[0] * start[1])


def _hung(place: ca.SX, local: ca.SX, turn: ca.SX) -> PlanarPose:
    """The pose of a cluster that has been turned and whose point *local* is at *place*."""
    return place - ca.vertcat(turn[0] * local[0] - turn[1] * local[1], turn[1] * local[0] + turn[0] * local[1]), turn


def _flat_frames(space: Space, passages: Sequence[Passage], pairs: Sequence[Pair]) -> list[Frame]:
    """For every cluster a frame with the normal of the loop as its z axis; in the plane its own coordinates."""
    if space.planar:
        return [Frame.identity(2)] * 3
    turns = [i for i, pair in enumerate(pairs) if pair.motion == TURN]
    reference = passages[turns[0]].direction
    flats = []
    for cluster in range(3):
        sides = [(cluster, pairs[cluster].near), ((cluster - 1) % 3, pairs[cluster - 1].far)]
        turning = [(i, frame) for i, frame in sides if i in turns]
        if turning:
            i, frame = turning[0]
            upright = float(ca.dot(passages[i].direction, reference)) > 0
            flats.append(_upright(frame, pairs[i].axis, upright))
        else:
            ahead = ca.cross(passages[sides[0][0]].direction, passages[sides[1][0]].direction)
            upright = float(ca.dot(ahead, reference)) > 0
            first, second = (frame.axis(pairs[i].axis) for i, frame in sides)
            flats.append(_across_slides(first, second, sides[0][1].origin, upright))
    return flats


def _upright(frame: Frame, axis: int, upright: bool) -> Frame:
    """The frame with its chosen axis as z, or the opposite of z."""
    x, y = frame.axis((axis + 1) % 3), frame.axis((axis + 2) % 3)
    z = frame.axis(axis)
    return Frame(frame.origin, ca.horzcat(x, y, z) if upright else ca.horzcat(x, -y, -z))


def _across_slides(first: ca.SX, second: ca.SX, origin: ca.SX, upright: bool) -> Frame:
    """A frame whose plane holds the directions of two slides."""
    z = ca.cross(first, second) if upright else ca.cross(second, first)
    z = z / ca.norm_2(z)
    return Frame(origin, ca.horzcat(first, ca.cross(z, first), z))


def _flatten(space: Space, pairs: Sequence[Pair], flats: Sequence[Frame]) -> FlatLoop:
    near = [_corner(space, pair.near, pair, flats[i]) for i, pair in enumerate(pairs)]
    far = [_corner(space, pair.far, pair, flats[(i + 1) % 3]) for i, pair in enumerate(pairs)]
    letters = "".join("R" if pair.motion == TURN else "P" for pair in pairs)
    return FlatLoop(letters, (near[0], near[1], near[2]), (far[0], far[1], far[2]))


def _corner(space: Space, frame: Frame, pair: Pair | None, flat: Frame) -> Corner:
    slides = pair is not None and pair.motion != TURN
    if space.planar:
        return Corner(frame.origin, frame.axis(pair.axis) if pair is not None and slides else None, ca.SX(0))
    local = flat.axes.T @ (frame.origin - flat.origin)
    direction = flat.axes.T @ frame.axis(pair.axis) if pair is not None and slides else None
    return Corner(local[:2], None if direction is None else direction[:2], local[2])


def _frames(
    space: Space, loop: FlatLoop, poses: tuple[PlanarPose, PlanarPose], flats: Sequence[Frame]
) -> tuple[Frame, Frame]:
    """From flat poses to frames of the clusters in the coordinates of the first."""
    heights = (loop.near[0].height - loop.far[0].height, loop.far[2].height - loop.near[2].height)
    found = []
    for (origin, turn), height, flat in zip(poses, heights, flats[1:], strict=True):
        c, s = turn[0], turn[1]
        if space.planar:
            found.append(Frame(origin, ca.vertcat(ca.horzcat(c, -s), ca.horzcat(s, c))))
            continue
        axes = ca.vertcat(ca.horzcat(c, -s, 0), ca.horzcat(s, c, 0), ca.SX([[0, 0, 1]]))
        found.append(flats[0] @ Frame(ca.vertcat(origin, height), axes) @ flat.inverse())
    return found[0], found[1]
