"""The union of polygons in the plane, as outlines round it and round its holes, by shapely (the extra ``regions``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.arrays import Array
from linkwork.extras import bring

THIN = 1e-9  # of the size: what is not wider, region or gap, is the error of poses


@dataclass(frozen=True, eq=False)
class Union:
    """Outlines (n, 2), to the left round the region and to the right round its holes, and the area between them."""

    rings: tuple[Array, ...]
    area: float


def union_of_hulls(clouds: Sequence[Array]) -> Union:
    """The union of the convex hulls of sets of points (m, 2); those in a line have no area and do not count."""
    if not clouds:
        return Union((), 0.0)
    shapely, size = bring("shapely"), float(np.max(np.ptp(np.vstack(clouds), axis=0)))
    hulls = shapely.convex_hull([shapely.multipoints(points) for points in clouds])
    region = shapely.union_all(hulls[shapely.area(hulls) > 0.0])
    # thin gaps are closed: grown and shrunk again, with pointed corners
    for way in (THIN * size, -THIN * size):
        region = shapely.buffer(region, way, join_style="mitre")
    lines = shapely.get_rings(shapely.orient_polygons(shapely.get_parts(region)))
    areas = shapely.area(shapely.polygons(lines))
    wide = areas > THIN * size * shapely.length(lines)
    signs = np.where(shapely.is_ccw(lines), 1.0, -1.0)
    rings = tuple(shapely.get_coordinates(line)[:-1] for line in lines[wide])
    return Union(rings, float(np.sum((signs * areas)[wide])))
