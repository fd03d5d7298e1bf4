"""Signed distances between two convex shapes in many positions at once, with their nearest places.

The hulls A and B of the corners have the distance of the origin from their difference C = {a − b}. Outside of C it is
found by the method of Gilbert, Johnson and Keerthi (IEEE J. Robotics Automation 4 (1988) 193-203): the point v of a simplex
of C nearest to the origin is replaced by that of the simplex with the support w of C against v, until v·v − v·w = 0. This
is finite for hulls of corners. Inside, the depth is the least way out,

    min over n of  max_A n·a − min_B n·b,

whose n is a normal of a face of C: one of A or B, or in space one that two edges span (the theorem of separating axes).
Radii of both shapes are taken off at the end. All positions go through every step together.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.numerics.geometry.convex import Convex, convex_hull

MOST = 60  # steps of a simplex
EXACT = 1e-14  # v·v − v·w, of v·v, that counts as none
TOUCH = 1e-12  # distance of hulls, of the size of both, that counts as none
THIN = 1e-13  # square of the sine between edges of a simplex that is flat
MANY = 2000  # directions of edges beyond which the difference itself is built
PORTION = 20_000_000  # numbers that are held at once


@dataclass(frozen=True, eq=False)
class PoseSamples:
    """Places (N, d) of a frame and its axes (N, d, d)."""

    origin: Array
    axes: Array

    def __len__(self) -> int:
        return len(self.origin)

    def points(self, local: Array) -> Array:
        """Points (m, d) of the frame in the world, (N, m, d)."""
        return np.asarray(np.einsum("nij,mj->nmi", self.axes, local) + self.origin[:, None, :])

    def seen_from(self, other: PoseSamples) -> PoseSamples:
        """The same frame in the axes of another one."""
        turned = np.swapaxes(other.axes, 1, 2)
        shift = np.einsum("nij,nj->ni", turned, self.origin - other.origin)
        return PoseSamples(shift, np.asarray(turned @ self.axes))

    def at(self, rows: NDArray[np.intp] | NDArray[np.bool_] | slice) -> PoseSamples:
        """Some of the positions."""
        return PoseSamples(self.origin[rows], self.axes[rows])


@dataclass(frozen=True, eq=False)
class Gaps:
    """Distances (N), negative where shapes overlap, and the places of either (N, d) between which they are."""

    distance: Array
    one: Array
    other: Array


def signed_distances(one: Convex, other: Convex, poses: tuple[PoseSamples, PoseSamples]) -> Gaps:
    """Distances of two shapes in world positions of both."""
    seen = poses[1].seen_from(poses[0])
    corners = seen.points(other.corners)
    places = nearest_places(one.corners, corners)
    apart = np.linalg.norm(places[1] - places[0], axis=1)
    inside = apart <= TOUCH * (one.size + other.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        normal = (places[1] - places[0]) / apart[:, None]
    if np.any(inside):
        depth, normal[inside] = _depths(one, other, seen.at(inside), corners[inside])
        out = depth[:, None] * normal[inside]
        touching = nearest_places(one.corners, corners[inside] + out[:, None, :])[0]
        places[0][inside], places[1][inside], apart[inside] = touching, touching - out, -depth
    ends = [places[0] + one.radius * normal, places[1] - other.radius * normal]
    world = [poses[0].origin + np.einsum("nij,nj->ni", poses[0].axes, end) for end in ends]
    return Gaps(apart - one.radius - other.radius, world[0], world[1])


# -- apart -----------------------------------------------------------------------------------------------------------


def nearest_places(one: Array, other: Array) -> tuple[Array, Array]:
    """The nearest places (N, d) of the hull of corners (m, d) and of hulls of moved corners (N, k, d)."""
    count, _, d = other.shape
    size = TOUCH * float(np.max(np.abs(one), initial=0.0) + np.max(np.abs(other), initial=0.0))
    ends = np.zeros((count, 2, d + 1, d))  # corners of simplices, of either shape
    weights = np.zeros((count, d + 1))
    ends[:, 0, 0], ends[:, 1, 0], weights[:, 0] = one[0], other[:, 0], 1.0
    active = np.arange(count)
    for _ in range(MOST):
        simplex, share = ends[active], weights[active]
        v = np.einsum("nk,nkd->nd", share, simplex[:, 0] - simplex[:, 1])
        squared = np.sum(v * v, axis=1)
        a = one[np.argmin(v @ one.T, axis=1)]
        moved = other[active]
        b = moved[np.arange(len(active)), np.argmax(np.einsum("nd,nkd->nk", v, moved), axis=1)]
        going = (squared - np.sum(v * (a - b), axis=1) > EXACT * squared) & (squared > size**2) & (share[:, -1] == 0.0)
        active = active[going]
        if not active.size:
            break
        # the new corner stands first, the others keep their order
        fresh = np.stack([a[going], b[going]], axis=1)[:, :, None, :]
        grown = np.concatenate([fresh, simplex[going, :, :d]], axis=2)
        filled = np.minimum(np.sum(share[going] > 0.0, axis=1), d)
        share = _reduced(grown[:, 0] - grown[:, 1], filled)
        found = np.sum(np.einsum("nk,nkd->nd", share, grown[:, 0] - grown[:, 1]) ** 2, axis=1)
        better = found < squared[going]
        active = active[better]
        ends[active] = _sorted(grown[better], share[better])
        weights[active] = -np.sort(-share[better], axis=1)
    one_place, other_place = (np.einsum("nk,nkd->nd", weights, ends[:, i]) for i in (0, 1))
    return one_place, other_place


def _sorted(simplex: Array, share: Array) -> Array:
    """Corners in the order of falling weights, so that those out of use are the last."""
    order = np.argsort(-share, axis=1)
    return np.take_along_axis(simplex, order[:, None, :, None], axis=2)


def _reduced(y: Array, filled: NDArray[np.intp]) -> Array:
    """Weights (N, d + 1) of the point nearest to the origin in simplices y (N, d + 1, d); the first corner is in it.

    Behind the first corner so many are in use as *filled* says.
    """
    count, corners, _ = y.shape
    best, weights = np.full(count, np.inf), np.zeros((count, corners))
    for further in range(corners):
        for others in combinations(range(1, corners), further):
            rows = np.flatnonzero(filled >= max(others, default=0))
            if not rows.size:
                continue
            share, sound = _foot(y[rows, 0], y[rows][:, list(others)])
            point = np.einsum("nk,nkd->nd", share, y[rows][:, [0, *others]])
            squared = np.where(sound, np.sum(point * point, axis=1), np.inf)
            take = squared < best[rows]
            best[rows[take]] = squared[take]
            weights[rows[take]] = 0.0
            weights[rows[take][:, None], [0, *others]] = share[take]
    return weights


def _foot(first: Array, others: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Weights (N, k + 1) of the foot of the origin on the plane of corners, and whether it lies between them."""
    if not others.shape[1]:
        return np.ones((len(first), 1)), np.ones(len(first), dtype=bool)
    along = others - first[:, None, :]
    gram = along @ np.swapaxes(along, 1, 2)
    squares = np.prod(np.diagonal(gram, axis1=1, axis2=2), axis=1)
    sound = np.linalg.det(gram) > THIN * squares
    gram[~sound] = np.eye(gram.shape[1])
    share = np.linalg.solve(gram, -(along @ first[:, :, None]))[:, :, 0]
    share = np.column_stack([1.0 - share.sum(axis=1), share])
    return np.asarray(share), np.asarray(sound & np.all(share >= 0.0, axis=1))


# -- overlapping -----------------------------------------------------------------------------------------------------


def _depths(one: Convex, other: Convex, seen: PoseSamples, corners: Array) -> tuple[Array, Array]:
    """How far (N) and in which directions (N, d) the other hull must go to leave the first."""
    if one.dimension == 3 and len(one.edges) * len(other.edges) > MANY:
        found = [_way_out(one.corners, moved) for moved in corners]
        return np.array([item[0] for item in found]), np.array([item[1] for item in found])
    across = len(one.normals) + len(other.normals) + len(one.edges) * len(other.edges)
    step = max(1, PORTION // (across * (len(one.corners) + len(other.corners))))
    parts = [slice(i, i + step) for i in range(0, len(seen), step)]
    both = [_least(one, other, seen.at(part), corners[part]) for part in parts]
    return np.concatenate([item[0] for item in both]), np.concatenate([item[1] for item in both])


def _least(one: Convex, other: Convex, seen: PoseSamples, corners: Array) -> tuple[Array, Array]:
    """The least overlap along all directions in question."""
    count, d = len(seen), one.dimension
    turned = np.swapaxes(seen.axes, 1, 2)
    directions = [np.broadcast_to(one.normals, (count, *one.normals.shape)), other.normals @ turned]
    if d == 3 and len(one.edges) and len(other.edges):
        spanned = np.cross(one.edges[None, :, None, :], (other.edges @ turned)[:, None, :, :])
        directions.append(spanned.reshape(count, -1, 3))
    n = np.concatenate(directions, axis=1)
    length = np.linalg.norm(n, axis=2, keepdims=True)
    n = n / np.maximum(length, 1e-300)
    first, second = n @ one.corners.T, n @ np.swapaxes(corners, 1, 2)
    forth = np.max(first, axis=2) - np.min(second, axis=2)
    back = np.max(second, axis=2) - np.min(first, axis=2)
    overlap = np.where(length[:, :, 0] > 1e-9, np.minimum(forth, back), np.inf)
    least = np.argmin(overlap, axis=1)
    rows = np.arange(count)
    sign = np.where(forth[rows, least] <= back[rows, least], 1.0, -1.0)
    return overlap[rows, least], sign[:, None] * n[rows, least]


def _way_out(one: Array, other: Array) -> tuple[float, Array]:
    """The same by the faces of the difference of two hulls, for one position."""
    difference = (one[:, None, :] - other[None, :, :]).reshape(-1, one.shape[1])
    faces = convex_hull(difference).equations
    nearest = faces[int(np.argmax(faces[:, -1]))]
    return float(-nearest[-1]), nearest[:-1]
