"""Faces and edges of cores, as the kernels know them (``kernels/collision/shape_record.py``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from linkwork.arrays import Array
from linkwork.numerics.geometry.convex import Convex, convex_hull

ALIKE = 1e-9  # difference of planes, in units of the size, that are the same one


@dataclass(frozen=True, eq=False)
class CoreFaces:
    """Corners (n, 3), normals (f, 3) of faces with the rings of corners round them, and edges: ends and faces beside."""

    corners: Array
    normals: Array
    rings: Sequence[Sequence[int]]
    ends: Sequence[tuple[int, int]] = ()
    sides: Sequence[tuple[int, int]] = ()


def faces_of(shape: Convex) -> CoreFaces:
    """Those of the core of a convex shape, in the plane or in space."""
    rank, axes = shape._span
    if shape.dimension == 2:
        return _flat(shape.corners, rank)
    corners = shape.corners
    if rank == 0:
        return CoreFaces(corners, np.vstack([np.eye(3), -np.eye(3)]), [[0]] * 6)
    if rank == 1:
        round_it = [axes[1], axes[2], -axes[1], -axes[2]]
        return CoreFaces(corners, np.array(round_it), [[0, 1]] * 4, [(0, 1)] * 4, [(i, (i + 1) % 4) for i in range(4)])
    if rank == 2:
        return _sheet(corners, axes)
    return _solid(corners)


def _ring(places: Array) -> list[int]:
    """Corners of a convex polygon (n, 2), to the left round it."""
    middle = places.mean(axis=0)
    return [int(i) for i in np.argsort(np.arctan2(*(places - middle).T[::-1]))]


def _sides(ring: Array) -> Array:
    """Outward unit normals (n, 2) of the sides of a polygon that goes round to the left."""
    along = np.roll(ring, -1, axis=0) - ring
    return np.column_stack([along[:, 1], -along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)


def _flat(corners: Array, rank: int) -> CoreFaces:
    """A shape of the plane: sides without edges."""
    lifted = np.column_stack([corners, np.zeros(len(corners))])
    if rank == 0:
        return CoreFaces(lifted, np.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]]), [[0]] * 4)
    order = [0, 1] if rank == 1 else _ring(corners)
    normals = np.column_stack([_sides(corners[order]), np.zeros(len(order))])
    return CoreFaces(lifted, normals, [(order[i], order[(i + 1) % len(order)]) for i in range(len(order))])


def _sheet(corners: Array, axes: Array) -> CoreFaces:
    """A flat polygon in space: two faces and its sides, every one of which stands between two edges in one place."""
    ring = _ring(corners @ axes[:2].T)
    count, up = len(ring), np.cross(axes[0], axes[1])
    across = _sides((corners @ axes[:2].T)[ring]) @ axes[:2]
    pairs = [(ring[i], ring[(i + 1) % count]) for i in range(count)]
    normals = np.vstack([across, up, -up])
    edges = [(side, (i, count + k)) for k in (0, 1) for i, side in enumerate(pairs)]
    return CoreFaces(corners, normals, [*pairs, ring, ring[::-1]], [x[0] for x in edges], [x[1] for x in edges])


def _solid(corners: Array) -> CoreFaces:
    """Triangles in one plane are one face."""
    size = float(np.max(np.linalg.norm(corners - corners.mean(axis=0), axis=1)))
    middle = corners.mean(axis=0)
    hull = convex_hull((corners - middle) / size)
    planes: list[Array] = []
    members: list[set[int]] = []
    for plane, triangle in zip(hull.equations, hull.simplices, strict=True):
        known = next((i for i, one in enumerate(planes) if np.max(np.abs(one - plane)) < ALIKE), None)
        if known is None:
            planes.append(plane)
            members.append(set())
            known = len(planes) - 1
        members[known] |= {int(k) for k in triangle}
    rings = [_ring_about(corners, sorted(found), plane[:3]) for plane, found in zip(planes, members, strict=True)]
    beside: dict[tuple[int, int], list[int]] = {}
    for face, ring in enumerate(rings):
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            beside.setdefault((min(a, b), max(a, b)), []).append(face)
    edges = [(ends, (faces[0], faces[1])) for ends, faces in beside.items() if len(faces) == 2]
    return CoreFaces(corners, np.array([x[:3] for x in planes]), rings, [x[0] for x in edges], [x[1] for x in edges])


def _ring_about(corners: Array, members: Sequence[int], normal: Array) -> list[int]:
    """Corners of a face in their order round its normal."""
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    places = corners[list(members)] @ np.array([first, np.cross(normal, first)]).T
    return [members[i] for i in _ring(places)]


def prism_faces(sides: int) -> CoreFaces:
    """The order of faces and edges of a prism: its sides, the face below and that above; corners below, then above."""
    low, high = list(range(sides)), list(range(sides, 2 * sides))
    after = [*range(1, sides), 0]
    rings = [[low[i], low[k], high[k], high[i]] for i, k in enumerate(after)]
    ends = [(low[i], high[i]) for i in range(sides)] + [(ring[i], ring[after[i]]) for ring in (low, high) for i in low]
    beside = [(i - 1 if i else sides - 1, i) for i in low] + [(i, face) for face in (sides, sides + 1) for i in low]
    none = np.zeros((2 * sides, 3))
    return CoreFaces(none, np.zeros((sides + 2, 3)), [*rings, low[::-1], high], ends, beside)


def as_rows(values: ArrayLike) -> Array:
    """Numbers of the plane or of space as rows of three."""
    rows = np.atleast_2d(np.asarray(values, float))
    return np.column_stack([rows, np.zeros((len(rows), 3 - rows.shape[1]))])
