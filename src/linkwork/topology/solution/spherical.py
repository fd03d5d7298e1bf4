"""Spherical loops of three clusters: three turns about axes through one point."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import SPATIAL
from linkwork.algebra.turns import Turn
from linkwork.closed_form.spherical import spherical_dyad
from linkwork.topology.solution.assembled import Assembled
from linkwork.topology.solution.passages import Passage, single_pair


def solve_spherical(passages: Sequence[Passage], side: ca.SX | int) -> Assembled:
    """The spherical dyad on one *side*: +1 is its branch 'left'."""
    pairs = [single_pair(SPATIAL, passage) for passage in passages]
    near = [(pair.near.origin, pair.near.axis(pair.axis)) for pair in pairs]
    far = [(pair.far.origin, pair.far.axis(pair.axis)) for pair in pairs]
    # of every cluster: the axis shared with its outer neighbour, that shared with the other link, the common point
    (axis1, axis3), centre = (near[0][1], far[2][1]), _crossing(near[0], far[2])
    links = [(far[0], near[1]), (near[2], far[1])]
    arcs = [_arc(outer[1], inner[1]) for outer, inner in links]
    branch = spherical_dyad(axis1, arcs[0], arcs[1], axis3, side)
    frames = []
    for outer, (local_outer, local_inner), arc in zip((axis1, axis3), links, arcs, strict=True):
        axes = _triad(outer, branch.axis, arc) @ _triad(local_outer[1], local_inner[1], arc).T
        frames.append(Frame(centre - axes @ _crossing(local_outer, local_inner), axes))
    return Assembled((frames[0], frames[1]), branch.valid)


def _arc(first: ca.SX, second: ca.SX) -> Turn:
    return ca.dot(first, second), ca.norm_2(ca.cross(first, second))


def _triad(first: ca.SX, second: ca.SX, arc: Turn) -> ca.SX:
    """Orthonormal axes (3 × 3) that two unit vectors with a known arc between them define."""
    c, s = arc
    return ca.horzcat(first, (second - c * first) / s, ca.cross(first, second) / s)


def _crossing(first: tuple[ca.SX, ca.SX], second: tuple[ca.SX, ca.SX]) -> ca.SX:
    """Where two lines (point, unit direction) meet: o₁ + t u₁ with t = ((o₂ − o₁) × u₂)·(u₁ × u₂) / |u₁ × u₂|²."""
    (o1, u1), (o2, u2) = first, second
    across = ca.cross(u1, u2)
    return o1 + ca.dot(ca.cross(o2 - o1, u2), across) / ca.sumsqr(across) * u1
