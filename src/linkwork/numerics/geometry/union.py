"""The union of convex polygons in the plane, as outlines round it and round its holes.

All sides are cut where they meet others. A part of a side belongs to the outline when the place just outside of it, on the
outer side of its polygon, lies in none of them; these parts have the union on their left, and end where others begin. The
area is that of Green's theorem, ½ ∮ (x dy − y dx).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError, cKDTree

Array = NDArray[np.float64]
BESIDE = 1e-12  # of the size: how far beside a side it is looked whether another polygon is there
SAME = 1e-9  # of the size: places that are one
JOINED = 1e-6  # of the size: parts that follow each other; places where sides meet at small angles are not better known
GROUP = 24  # polygons that are united first
PORTION = 4_000_000  # numbers that are held at once


@dataclass(frozen=True, eq=False)
class Union:
    """Outlines (n, 2), to the left round the region and to the right round its holes, and the area between them."""

    rings: tuple[Array, ...]
    area: float


def convex_polygon(points: Array) -> Array | None:
    """The corners (m, 2) of the hull of points, to the left round it; nothing where they lie in a line."""
    try:
        hull = ConvexHull(points)
    except QhullError:
        return None
    return np.asarray(points[hull.vertices])


def union_of(polygons: Sequence[Array]) -> Union:
    """The union of convex polygons (m, 2) whose corners go round to the left."""
    if not polygons:
        return Union((), 0.0)
    size = float(np.max(np.ptp(np.vstack(polygons), axis=0)))
    sides = [_sides(polygon, i) for i, polygon in enumerate(polygons)]
    groups = [sides[i : i + GROUP] for i in range(0, len(sides), GROUP)]
    parts = [replace(_outer(group, SideParts.joined(group), size), owner=i) for i, group in enumerate(groups)]
    found = _outer(sides, SideParts.joined(parts), size)
    area = 0.5 * float(np.sum(found.start[:, 0] * found.end[:, 1] - found.start[:, 1] * found.end[:, 0]))
    return Union(_chained(found, JOINED * size), area)


@dataclass(frozen=True, eq=False)
class SideParts:
    """Parts of sides from start to end (E, 2), outer normals (E, 2), and whose they are (E): those of one do not cross."""

    start: Array
    end: Array
    normal: Array
    owner: NDArray[np.intp] | int

    @classmethod
    def joined(cls, parts: Sequence[SideParts]) -> SideParts:
        """All of them; an owner that is one number belongs to each."""
        owners = [np.broadcast_to(item.owner, len(item.start)) for item in parts]
        start, end, normal = (np.vstack([getattr(item, name) for item in parts]) for name in ("start", "end", "normal"))
        return cls(start, end, normal, np.concatenate(owners))

    def at(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> SideParts:
        """Some of them."""
        return SideParts(self.start[rows], self.end[rows], self.normal[rows], np.asarray(self.owner)[rows])


def _sides(polygon: Array, owner: int) -> SideParts:
    end = np.roll(polygon, -1, axis=0)
    along = end - polygon
    normal = np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    return SideParts(polygon, end, normal, owner)


def _outer(sides: Sequence[SideParts], parts: SideParts, size: float) -> SideParts:
    """What of some parts bounds the union of polygons that are given by their sides."""
    # a part with both ends in one polygon lies in it
    hidden = (_depths(sides, parts.start) < -BESIDE * size) & (_depths(sides, parts.end) < -BESIDE * size)
    cut = _cut(parts.at(~np.any(hidden, axis=1)), size)
    cut = cut.at(np.linalg.norm(cut.end - cut.start, axis=1) > SAME * size)
    outside = np.all(_depths(sides, (cut.start + cut.end) / 2 + BESIDE * size * cut.normal) > 0.0, axis=1)
    return _once(cut.at(outside), SAME * size)


def _depths(sides: Sequence[SideParts], points: Array) -> Array:
    """How far points (n, 2) are outside of polygons (n, k), negative inside."""
    all_sides = SideParts.joined(sides)
    first = np.cumsum([0, *(len(item.start) for item in sides[:-1])])
    offset = np.sum(all_sides.normal * all_sides.start, axis=1)
    found = np.empty((len(points), len(first)))
    step = max(1, PORTION // len(offset))
    for i in range(0, len(points), step):
        beyond = points[i : i + step] @ all_sides.normal.T - offset
        found[i : i + step] = np.maximum.reduceat(beyond, first, axis=1)
    return found


def _cut(parts: SideParts, size: float) -> SideParts:
    """Parts cut where they meet those of others."""
    a, way = parts.start, parts.end - parts.start
    every = np.arange(len(a))
    which, shares = [every, every], [np.zeros(len(a)), np.ones(len(a))]
    for i, j in _near(parts, size):
        cross = way[i, 0] * way[j, 1] - way[i, 1] * way[j, 0]
        gap = a[j] - a[i]
        askew = np.abs(cross) > 1e-12 * np.linalg.norm(way[i], axis=1) * np.linalg.norm(way[j], axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = (gap[:, 0] * way[j, 1] - gap[:, 1] * way[j, 0]) / cross
            r = (gap[:, 0] * way[i, 1] - gap[:, 1] * way[i, 0]) / cross
        meets = askew & (s > 0.0) & (s < 1.0) & (r >= -SAME) & (r <= 1.0 + SAME)
        which.append(i[meets])
        shares.append(s[meets])
        # ends of others on the same line
        own = way[i[~askew]]
        for end in (gap[~askew], (gap + way[j])[~askew]):
            along = np.sum(end * own, axis=1) / np.sum(own * own, axis=1)
            off = np.linalg.norm(end - along[:, None] * own, axis=1)
            on = (along > 0.0) & (along < 1.0) & (off < SAME * size)
            which.append(i[~askew][on])
            shares.append(along[on])
    part, share = np.concatenate(which), np.concatenate(shares)
    order = np.lexsort((share, part))
    part, share = part[order], share[order]
    same = part[1:] == part[:-1]
    chosen, low, high = part[1:][same], share[:-1][same], share[1:][same]
    pieces = parts.at(chosen)
    return replace(pieces, start=a[chosen] + low[:, None] * way[chosen], end=a[chosen] + high[:, None] * way[chosen])


def _near(parts: SideParts, size: float) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Pairs of parts of different owners whose boxes meet, in portions."""
    low = np.minimum(parts.start, parts.end) - SAME * size
    high, owner = np.maximum(parts.start, parts.end) + SAME * size, np.asarray(parts.owner)
    step = max(1, PORTION // max(len(low), 1))
    for k in range(0, len(low), step):
        rows = slice(k, k + step)
        meets = owner[rows, None] != owner
        for axis in (0, 1):
            meets &= low[rows, None, axis] <= high[None, :, axis]
            meets &= high[rows, None, axis] >= low[None, :, axis]
        i, j = np.nonzero(meets)
        yield i + k, j


def _once(parts: SideParts, near: float) -> SideParts:
    """Parts without those that several polygons share."""
    if not len(parts.start):
        return parts
    pairs = cKDTree(np.hstack([parts.start, parts.end])).query_pairs(2 * near, output_type="ndarray")
    return parts.at(np.setdiff1d(np.arange(len(parts.start)), np.max(pairs, axis=1) if len(pairs) else []))


def _chained(parts: SideParts, near: float) -> tuple[Array, ...]:
    """Closed lines of parts that follow each other."""
    if not len(parts.start):
        return ()
    tree = cKDTree(parts.start)
    left = np.ones(len(parts.start), dtype=bool)
    rings = []
    for first in range(len(parts.start)):
        ring, at = [], first
        while left[at]:
            left[at] = False
            ring.append(parts.start[at])
            here = parts.end[at]
            following = [k for k in tree.query_ball_point(here, near) if left[k]]
            at = min(following, key=lambda k: float(np.linalg.norm(parts.start[k] - here)), default=first)
        if len(ring) > 2:
            rings.append(np.array(ring))
    return tuple(rings)
