"""Distances of meshes by coal, where it is installed, against hulls; and what is said where it is not."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest
from convex_checks import turns
from scipy.spatial import ConvexHull

from linkwork.errors import RefusedError
from linkwork.numerics.collision.meshes import MeshSurface, surface_distance
from linkwork.numerics.collision.narrow_phase import contacts
from linkwork.numerics.collision.solids import convex_record, located, plane_record, turned_record

STILL = np.zeros(3), np.eye(3)


def mesh_of(corners: np.ndarray) -> MeshSurface:
    return MeshSurface(corners, ConvexHull(corners).simplices.astype(np.int64))


CUBE = mesh_of(np.array(list(product((-1.0, 1.0), repeat=3))))


def test_without_coal_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "coal", None)
    with pytest.raises(
        RefusedError, match=r'distances of meshes need the package coal: pip install "linkwork\[collision\]"'
    ):
        surface_distance(CUBE, MeshSurface(CUBE.corners, CUBE.triangles), (STILL, STILL))


@pytest.mark.parametrize("seed", range(20))
def test_hulls_as_meshes(seed):
    pytest.importorskip("coal")
    rng = np.random.default_rng(seed)
    clouds = [rng.normal(size=(12, 3)) for _ in range(2)]
    poses = [(2.0 * rng.normal(size=3), axes) for axes in turns(rng, 2, 3)]
    found = surface_distance(*map(mesh_of, clouds), tuple(poses))
    wanted = contacts(*[located(convex_record(cloud), *pose) for cloud, pose in zip(clouds, poses, strict=True)]).gap[0]
    assert found.distance == pytest.approx(max(wanted, 0.0), abs=1e-6)
    assert found.overlaps == (wanted < 0.0)


def test_meshes_and_shapes():
    pytest.importorskip("coal")
    for shape in (convex_record(np.zeros((1, 3)), 0.3), turned_record([(-0.3, 0.3), (0.3, 0.3)]), plane_record()):
        located(shape, (0.2, 0.1, 1.5) if shape.count else (0, 0, -1.2))
        found = surface_distance(CUBE, shape, (STILL, STILL))
        assert found.distance == pytest.approx(0.2, abs=1e-6)
    with pytest.raises(RefusedError, match="meshes touch meshes, balls"):
        surface_distance(CUBE, convex_record([[0, 0, 0], [1, 0, 0]], 0.1), (STILL, STILL))
