"""The memory of shapes for the kernels: hulls of corners with a radius, turned shapes, planes and fields of heights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.collision.faces import CoreFaces, as_rows, faces_of, prism_faces
from linkwork.numerics.geometry.convex import Convex, hull_of
from linkwork.numerics.kernels.collision.rims import BESIDE, COARSE, fit_rims
from linkwork.numerics.kernels.collision.shape_record import HULL, PLANE, TURNED, ShapeRecord, locate
from linkwork.numerics.loader import compiled

AROUND = 7 + 2 * BESIDE + 1  # corners of the polygon that stands for a rim


def hull_record(shape: Convex) -> ShapeRecord:
    """The hull of corners with a radius: a point, a ball, a capsule, a box, a polygon; in the plane as in space."""
    faces = faces_of(shape)
    record = _record(faces, kind=HULL, radius=shape.radius, flat=int(shape.dimension == 2))
    record.size = float(np.max(np.linalg.norm(faces.corners, axis=1)))
    record.local[:], record.local_normals[:] = faces.corners.ravel(), faces.normals.ravel()
    return located(record)


def convex_record(points: ArrayLike, radius: float = 0.0) -> ShapeRecord:
    """The same from points, some of which may be inside."""
    return hull_record(hull_of(points, radius))


def turned_record(stations: Sequence[tuple[float, float]], radius: float = 0.0) -> ShapeRecord:
    """A cylinder or the frustum of a cone about its z axis: two stations of height and radius."""
    (low, r), (high, s) = stations
    if not high > low or min(r, s) < 0.0 or max(r, s) <= 0.0:
        raise RefusedError(
            f"stations {stations} are none of a turned shape: give (height, radius) twice, from below up"
        )
    record = _record(prism_faces(AROUND), kind=TURNED, radius=radius)
    record.size = float(max(np.hypot(low, r), np.hypot(high, s)))
    record.stations[:] = low, r, high, s
    record.axes[:] = np.eye(3).ravel()
    compiled(fit_rims)(record, 0.0, COARSE)
    return record


def plane_record(*, planar: bool = False) -> ShapeRecord:
    """The half-space below the local x-y plane; in the plane that below the local x axis, whose normal is y."""
    record = ShapeRecord(kind=PLANE, flat=int(planar))
    return located(record)


def located(record: ShapeRecord, place: ArrayLike = (0.0, 0.0, 0.0), axes: ArrayLike | None = None) -> ShapeRecord:
    """Put a shape to a place (d) with axes (d, d), as columns."""
    given = np.asarray(place, float)
    turned = np.eye(len(given)) if axes is None else np.asarray(axes, float)
    record.place[:] = as_rows(given)[0]
    whole = np.eye(3)
    whole[: len(given), : len(given)] = turned
    if record.kind == PLANE and record.flat:
        # its local y is the normal, which is the third axis of planes in space
        whole = np.ascontiguousarray(whole[:, [2, 0, 1]])
    record.axes[:] = whole.ravel()
    compiled(locate)(record)
    return record


def corners_of(record: ShapeRecord) -> Array:
    """The corners of its core in the world (n, 3)."""
    return record.corners.reshape(-1, 3)


def _record(faces: CoreFaces, *, kind: int, radius: float, flat: int = 0) -> ShapeRecord:
    record = ShapeRecord(
        kind=kind,
        count=len(faces.corners),
        faces=len(faces.rings),
        rims=sum(map(len, faces.rings)),
        edges=len(faces.ends),
        radius=float(radius),
        flat=flat,
    )
    record.first[:] = np.cumsum([0, *map(len, faces.rings)])
    record.ring[:] = list(chain.from_iterable(faces.rings))
    record.ends[:] = np.ravel(faces.ends)
    record.sides[:] = np.ravel(faces.sides)
    return record
