"""The room that a solid takes, as hulls of corners (3 × n, m) with a radius round them, in its own axes.

What is round about an axis is a prism of 32 sides around it: never smaller than the solid, and at most 0.5 % of its
radius wider.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.elements.outlines import SIDES

# sides across the axes, so that it is as wide along them as the circle
_STEPS = (np.arange(SIDES) + 0.5) * 2 * pi / SIDES
_AROUND = np.array([np.cos(_STEPS), np.sin(_STEPS)]) / cos(pi / SIDES)


@dataclass(frozen=True, eq=False)
class Extent:
    """All places at most *radius* away from the hull of corners (d × n).

    ring: the corners are such a polygon, which need not be convex; in space the same once more, at its other face
    """

    corners: ca.SX
    radius: ca.SX | float = 0.0
    ring: int = 0


def ball(radius: ca.SX) -> Extent:
    """A sphere about the origin."""
    return Extent(ca.SX(3, 1), radius)


def bar(length: ca.SX, radius: ca.SX | float = 0.0) -> Extent:
    """A line along x about the origin, with round ends where it has a radius: a capsule."""
    return Extent(ca.vertcat(ca.horzcat(-length / 2, length / 2), ca.SX(2, 2)), radius)


def prism(corners: ca.SX, depth: ca.SX | float, *, ring: int = 0) -> Extent:
    """A polygon (2 × n) between both ends of its depth along z."""
    ends = [ca.vertcat(corners, ca.repmat(ca.SX(sign * depth / 2), 1, corners.shape[1])) for sign in (-1, 1)]
    return Extent(ca.horzcat(*ends), 0.0, ring)


def block(a: ca.SX, b: ca.SX, c: ca.SX | float) -> Extent:
    """A box about its middle."""
    return prism(ca.vertcat(ca.horzcat(-a, a, a, -a), ca.horzcat(-b, -b, b, b)) / 2, c)


def turned_solid(space: Space, axis: str, stations: list[tuple[ca.SX | float, ca.SX | float]]) -> Extent:
    """Circles of given radii at given heights along an axis; seen along it, in the plane, a disc."""
    if space.planar and axis == "z":
        radii = [ca.SX(radius) for _, radius in stations]
        return Extent(ca.SX(3, 1), ca.fmax(radii[0], radii[-1]))
    rings = [ca.vertcat(ca.SX(_AROUND) * radius, ca.repmat(ca.SX(height), 1, SIDES)) for height, radius in stations]
    order = {"x": (2, 0, 1), "y": (1, 2, 0), "z": (0, 1, 2)}[axis]
    joined = ca.horzcat(*rings)
    return Extent(ca.vertcat(*[joined[i, :] for i in order]))


def in_body(space: Space, extent: Extent, frame: Frame) -> Extent:
    """The extent of a solid (d × n) in the axes of a body; in the plane seen from above."""
    corners = extent.corners[: space.dimension, :]
    if space.planar and extent.ring:
        corners = corners[:, : extent.ring]
    return replace(extent, corners=frame.axes @ corners + ca.repmat(frame.origin, 1, corners.shape[1]))
