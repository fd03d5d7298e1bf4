"""Convex shapes in the plane and in space: the hull of corners, blown up by a radius.

One corner with a radius is a disc or a ball, two make a bar with round ends (a capsule); boxes, plates and hulls of
meshes have no radius. With each shape go the directions in which the nearest way out of another one can lie: normals of
its faces, and in space the directions of its edges (``numerics/geometry/distances.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from linkwork.arrays import Array

if TYPE_CHECKING:
    from scipy.spatial import ConvexHull

FLAT = 1e-10  # extent in a direction, of the largest one, that counts as none
ALIKE = 1e-9  # difference of unit vectors that are the same one


@dataclass(frozen=True, eq=False)
class Convex:
    """The hull of corners (m, d), all of them its vertices, and all places at most a radius away from it; m."""

    corners: Array
    radius: float = 0.0

    @property
    def dimension(self) -> int:
        return int(self.corners.shape[1])

    @cached_property
    def size(self) -> float:
        """The distance from the origin that no place of it exceeds."""
        return float(np.max(np.linalg.norm(self.corners, axis=1))) + self.radius

    @cached_property
    def _span(self) -> tuple[int, Array]:
        """Dimension of the hull, and axes (d, d): first those along which it extends."""
        triangle = np.linalg.qr(self.corners - self.corners.mean(axis=0), mode="r")
        _, extents, axes = np.linalg.svd(triangle, full_matrices=True)
        return int(np.sum(extents > FLAT * max(extents[0], 1e-300))) if extents[0] > 0 else 0, axes

    @cached_property
    def _spatial(self) -> ConvexHull:
        return convex_hull(self.corners)

    @cached_property
    def normals(self) -> Array:
        """Unit normals (k, d) of its faces, up to their sign; of a flat one also those across it."""
        rank, axes = self._span
        if rank == 3:
            return _distinct(self._spatial.equations[:, :3])
        if rank == 2:
            sides = _ring_sides(self.corners @ axes[:2].T)
            across = np.column_stack([-sides[:, 1], sides[:, 0]]) @ axes[:2]
            return _distinct(np.vstack([across, axes[2:]]))
        return _distinct(axes[rank:])

    @cached_property
    def edges(self) -> Array:
        """Unit directions (e, d) of its edges, up to their sign."""
        rank, axes = self._span
        if rank == 3:
            return _distinct(_edges(self._spatial))
        if rank == 2:
            return _distinct(_ring_sides(self.corners @ axes[:2].T) @ axes[:2])
        return axes[:rank]


def convex_hull(points: Array) -> ConvexHull:
    """Qhull's hull of points (n, d); its package takes a third of the time in which a first run starts."""
    from scipy.spatial import ConvexHull

    return ConvexHull(points)


def hull_of(points: ArrayLike, radius: float = 0.0) -> Convex:
    """The convex shape of points (n, d), without those that are no vertices."""
    given = np.asarray(points, dtype=float)
    rough = Convex(np.unique(given, axis=0), radius)
    rank, axes = rough._span
    middle = rough.corners.mean(axis=0)
    if rank == 0:
        return Convex(middle[None, :], radius)
    along = (rough.corners - middle) @ axes[:rank].T
    if rank == 1:
        return Convex(rough.corners[[int(np.argmin(along)), int(np.argmax(along))]], radius)
    from scipy.spatial import QhullError

    try:
        return Convex(rough.corners[convex_hull(along).vertices], radius)
    except QhullError:
        return rough


def _ring_sides(corners: Array) -> Array:
    """Unit directions of the sides of a convex polygon (m, 2) whose corners stand in any order."""
    ring = corners[convex_hull(corners).vertices]
    sides = np.roll(ring, -1, axis=0) - ring
    return np.asarray(sides / np.linalg.norm(sides, axis=1, keepdims=True))


def _edges(hull: ConvexHull) -> Array:
    """Directions of the edges between triangles of different planes."""
    normals = hull.equations[:, :3]
    one, which = np.nonzero(hull.neighbors >= 0)
    other = hull.neighbors[one, which]
    bent = np.linalg.norm(np.cross(normals[one], normals[other]), axis=1) > ALIKE
    # a neighbour lies opposite to the corner of the same place
    ends = np.array([np.delete(hull.simplices[i], k) for i, k in zip(one[bent], which[bent], strict=True)])
    along = hull.points[ends[:, 1]] - hull.points[ends[:, 0]]
    return np.asarray(along / np.linalg.norm(along, axis=1, keepdims=True))


def _distinct(directions: Array) -> Array:
    """Unit vectors without those that are others up to their sign."""
    lead = np.argmax(np.abs(directions) > 1e-6, axis=1)
    signed = directions * np.sign(directions[np.arange(len(directions)), lead])[:, None]
    kept = np.unique(np.round(signed / ALIKE).astype(np.int64), axis=0, return_index=True)[1]
    return np.asarray(signed[np.sort(kept)])
