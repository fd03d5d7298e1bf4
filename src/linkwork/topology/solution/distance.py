"""Loops of a turn and a link between two balls: the link keeps a distance, its own spin is free.

The link follows the line of its balls by the smallest rotation from where its state has it: its spin is neither solved
nor lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import from_quaternion
from linkwork.algebra.space import SPATIAL
from linkwork.closed_form.base import across
from linkwork.closed_form.distance_links import SwingingArm, distance_link
from linkwork.topology.solution.assembled import Assembled
from linkwork.topology.solution.passages import Passage, single_pair


def solve_distance(passages: Sequence[Passage], side: ca.SX | int, ball: str, attitude: ca.SX) -> Assembled:
    """The assembly on one *side*, +1 is 'beyond'.

    *ball* is the joint of the link whose quaternion *attitude* (4) is in the state; the other one closes the loop.
    """
    if passages[2].kind.letter != "G":
        # read the other way round the first cluster is the base, and nothing has to be turned back
        found = solve_distance([passage.reversed() for passage in reversed(passages)], side, ball, attitude)
        return replace(found, frames=found.frames[::-1])
    # turn the loop so that it reads: base, turn, arm, ball, link, ball, base
    first = 0 if passages[0].kind.letter != "G" else 1
    turned = [passages[(first + i) % 3] for i in range(3)]
    frames, valid, quaternion = _solve(turned, side, ball, attitude / ca.norm_2(attitude))
    clusters = [Frame.identity(3), *frames]
    placed = [clusters[(i - first) % 3] for i in range(3)]
    back = placed[0].inverse()
    found_frames = (back @ placed[1], back @ placed[2]) if first else (placed[1], placed[2])
    return Assembled(found_frames, valid, {}, {ball: quaternion})


def solve_two_balls(passages: Sequence[Passage], ball: str, attitude: ca.SX) -> Assembled:
    """A link on two balls of one cluster: only its spin is left. *ball* and *attitude* as above."""
    first, second = passages
    along, between = second.near.origin - first.far.origin, second.far.origin - first.near.origin
    unit = attitude / ca.norm_2(attitude)
    # the balls as a loop meets them, with the cluster in the place of base and arm
    axes, quaternion = _follow(
        (first, first, second), ball, unit, along / ca.norm_2(along), between / ca.norm_2(between), Frame.identity(3)
    )
    link = Frame(first.near.origin - axes @ first.far.origin, axes)
    return Assembled((link,), ca.SX(1), {}, {ball: quaternion})


def _solve(
    loop: Sequence[Passage], side: ca.SX | int, ball: str, attitude: ca.SX
) -> tuple[tuple[Frame, Frame], ca.SX, ca.SX]:
    turn, near_ball, far_ball = loop
    pair = single_pair(SPATIAL, turn)
    axis = pair.near.axis(pair.axis)
    # the arm at its zero position, where the two frames of the turn coincide
    zero = pair.near @ pair.far.inverse()
    swing = SwingingArm(pair.near.origin, axis, zero.point(near_ball.near.origin) - pair.near.origin)
    along = far_ball.near.origin - near_ball.far.origin
    length = ca.norm_2(along)
    branch = distance_link(far_ball.far.origin, length, swing, side)
    arm = _turned(zero, pair.near.origin, axis, branch.turn)
    # from the ball on the arm to the ball on the base
    target = -branch.link
    axes, quaternion = _follow(loop, ball, attitude, along / length, target, arm)
    link = Frame(far_ball.far.origin - axes @ far_ball.near.origin, axes)
    return (arm, link), branch.valid, quaternion


def _turned(frame: Frame, pivot: ca.SX, axis: ca.SX, turn: tuple[ca.SX, ca.SX]) -> Frame:
    c, s = turn
    cross = ca.skew(axis)
    rotation = c * ca.SX.eye(3) + s * cross + (1 - c) * axis @ axis.T
    return Frame(pivot + rotation @ (frame.origin - pivot), rotation @ frame.axes)


def _follow(
    loop: Sequence[Passage], ball: str, attitude: ca.SX, local: ca.SX, target: ca.SX, arm: Frame
) -> tuple[ca.SX, ca.SX]:
    """Axes of the link (3 × 3) in base coordinates, and the quaternion of *ball* that belongs to them."""
    _, near_ball, far_ball = loop
    if far_ball.joint == ball:
        holder, held, on_link, backwards = Frame.identity(3), far_ball.far, far_ball.near, not far_ball.backwards
    else:
        holder, held, on_link, backwards = arm, near_ball.near, near_ball.far, near_ball.backwards
    outer = holder.axes @ held.axes
    motion = from_quaternion(attitude)
    guess = outer @ (motion.T if backwards else motion) @ on_link.axes.T
    start = guess @ local
    turn, scalar, axis = _least_turn(start, target)
    axes = turn @ guess
    # the same rotation as a quaternion, in the axes of the holder
    vector = outer.T @ axis
    if backwards:
        return axes, _product(attitude, ca.vertcat(scalar, -vector))
    return axes, _product(ca.vertcat(scalar, vector), attitude)


def _least_turn(start: ca.SX, end: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """The smallest rotation that carries one unit vector onto another: its matrix, and its quaternion in two parts."""
    w, c = ca.cross(start, end), ca.dot(start, end)
    if c.is_constant() and float(c) < -1 + 1e-9:
        # right round, about any axis across: this happens to other assemblies of a link, not on the way of one
        across_start = across(start)[0, :].T
        return 2 * across_start @ across_start.T - ca.SX.eye(3), ca.SX(0), across_start
    cross = ca.skew(w)
    size = ca.sqrt(2 * (1 + c))
    return ca.SX.eye(3) + cross + cross @ cross / (1 + c), size / 2, w / size


def _product(a: ca.SX, b: ca.SX) -> ca.SX:
    """Product of quaternions, w first."""
    return ca.vertcat(
        a[0] * b[0] - ca.dot(a[1:], b[1:]),
        a[0] * b[1:] + b[0] * a[1:] + ca.cross(a[1:], b[1:]),
    )
