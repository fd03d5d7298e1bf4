"""Distances of triangle meshes, convex or not, by coal (the extra ``collision``).

A mesh is its surface. As long as two are apart their distance is exact; where they cut each other the points are told at
which triangles do, but how deep solids overlap is not asked of surfaces: contacts with depths are those of hulls, into which
a body is divided.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.extras import bring
from linkwork.numerics.kernels.collision.shape_record import PLANE, TURNED, ShapeRecord

CUTS = 64  # points that are told at most


@dataclass(frozen=True, eq=False)
class MeshSurface:
    """Triangles (m, 3) between corners (n, 3, m)."""

    corners: Array
    triangles: NDArray[np.int64]

    @cached_property
    def model(self) -> Any:
        """What coal searches: a tree of boxes."""
        found = bring("coal").BVHModelOBBRSS()
        found.beginModel(len(self.triangles), len(self.corners))
        for triangle in self.corners[self.triangles]:
            found.addTriangle(*triangle)
        found.endModel()
        return found


@dataclass(frozen=True, eq=False)
class SurfaceDistance:
    """The distance of two surfaces, zero where they cut, the nearest points of both (3), and where they cut (n, 3)."""

    distance: float
    points: tuple[Array, Array]
    cuts: Array

    @property
    def overlaps(self) -> bool:
        return bool(len(self.cuts))


MeshOrSolid = MeshSurface | ShapeRecord
Posed = tuple[Array, Array]
"""Place (3) and axes (3, 3)."""


def surface_distance(one: MeshOrSolid, other: MeshOrSolid, poses: tuple[Posed, Posed]) -> SurfaceDistance:
    """How far two surfaces are apart at given poses; shapes have those of their records."""
    coal = bring("coal")
    models = [_model(coal, surface) for surface in (one, other)]
    frames = [_transform(coal, surface, pose) for surface, pose in zip((one, other), poses, strict=True)]
    pairs = (models[0], frames[0], models[1], frames[1])
    result = coal.DistanceResult()
    distance = coal.distance(*pairs, coal.DistanceRequest(), result)
    points = np.array(result.getNearestPoint1()), np.array(result.getNearestPoint2())
    if distance > 0.0:
        return SurfaceDistance(float(distance), points, np.zeros((0, 3)))
    request, found = coal.CollisionRequest(), coal.CollisionResult()
    request.num_max_contacts = CUTS
    coal.collide(*pairs, request, found)
    cuts = [np.array(found.getContact(i).pos) for i in range(found.numContacts())]
    return SurfaceDistance(0.0, points, np.array(cuts).reshape(-1, 3))


def _model(coal: Any, surface: MeshOrSolid) -> Any:
    """A mesh, or a shape as coal knows it."""
    if isinstance(surface, MeshSurface):
        return surface.model
    if surface.kind == PLANE:
        return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    if surface.kind == TURNED:
        low, r, high, s = surface.stations
        if r == s and low == -high and surface.radius == 0.0:
            return coal.Cylinder(r, high - low)
    elif surface.count == 1:
        return coal.Sphere(surface.radius)
    raise RefusedError("meshes touch meshes, balls, cylinders about their middle and planes; give others as meshes")


def _transform(coal: Any, surface: MeshOrSolid, pose: Posed) -> Any:
    place, axes = pose
    if isinstance(surface, ShapeRecord):
        place, axes = np.array(surface.place), surface.axes.reshape(3, 3)
        if surface.kind != PLANE and surface.count == 1:
            place = np.array(surface.corners[:3])
    found = coal.Transform3s()
    found.setTranslation(np.asarray(place, float))
    found.setRotation(np.asarray(axes, float))
    return found
