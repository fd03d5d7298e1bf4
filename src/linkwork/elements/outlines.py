"""What a solid looks like: polylines (3 × n, m) along its edges, in its own axes, for the views."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import casadi as ca
import numpy as np

Lines = tuple[ca.SX, ...]
SIDES = 32  # of the polygon that stands for a circle
_ROUND = np.array([[np.cos(angle), np.sin(angle)] for angle in np.linspace(0, 2 * np.pi, SIDES + 1)]).T


def prism_lines(corners: ca.SX, depth: ca.SX | float) -> Lines:
    """A polygon (2 × n) at both ends of its depth along z, and the edges between them."""
    ring = ca.horzcat(corners, corners[:, 0])
    ends = [_at_height(ring, sign * depth / 2) for sign in (-1, 1)]
    return (*ends, *_between(ends[0], ends[1], range(corners.shape[1])))


def box_lines(a: ca.SX, b: ca.SX, c: ca.SX) -> Lines:
    """The edges of a box about its middle."""
    return prism_lines(ca.vertcat(ca.horzcat(-a, a, a, -a), ca.horzcat(-b, -b, b, b)) / 2, c)


def round_lines(axis: str, stations: Iterable[tuple[ca.SX | float, ca.SX | float]]) -> Lines:
    """Circles of given radii at given heights along an axis, and four lines between neighbours."""
    circles = [_at_height(ca.SX(_ROUND) * radius, height) for height, radius in stations]
    lines = list(circles)
    for one, other in pairwise(circles):
        lines += _between(one, other, range(0, SIDES, SIDES // 4))
    return tuple(_along(axis, line) for line in lines)


def diameters(circle: ca.SX) -> Lines:
    """Two lines across a circle, which show how it turns."""
    return tuple(_between(circle[:, : SIDES // 2], circle[:, SIDES // 2 :], (0, SIDES // 4)))


def ball_lines(radius: ca.SX) -> Lines:
    """Three great circles."""
    circle = _at_height(ca.SX(_ROUND) * radius, 0.0)
    return tuple(_along(axis, circle) for axis in "xyz")


def _at_height(flat: ca.SX, height: ca.SX | float) -> ca.SX:
    return ca.vertcat(flat, ca.repmat(ca.SX(height), 1, flat.shape[1]))


def _between(one: ca.SX, other: ca.SX, indices: Iterable[int]) -> list[ca.SX]:
    return [ca.horzcat(one[:, i], other[:, i]) for i in indices]


def _along(axis: str, line: ca.SX) -> ca.SX:
    """The same line with its z axis along another one."""
    order = {"x": (2, 0, 1), "y": (1, 2, 0), "z": (0, 1, 2)}[axis]
    return ca.vertcat(*[line[i, :] for i in order])
