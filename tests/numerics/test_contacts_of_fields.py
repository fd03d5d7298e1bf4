"""Ground of heights: as a plane where it is one, balls against all triangles by least squares, and boxes on peaks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from convex_checks import by_least_squares, turns
from hypothesis import given
from hypothesis import strategies as st

from linkwork.errors import RefusedError
from linkwork.numerics.collision.broad_phase import Kinship, all_contacts, scene_record
from linkwork.numerics.collision.narrow_phase import contacts
from linkwork.numerics.collision.solids import (
    convex_record,
    corners_of,
    field_record,
    located,
    plane_record,
    turned_record,
)

SEEDS = st.integers(0, 2**32 - 1)
CUBE = 0.4 * np.array(list(product((-1.0, 1.0), repeat=3)))


def triangles(heights: np.ndarray, spacing: tuple[float, float]) -> np.ndarray:
    """All triangles (m, 3, 3) of a field, in its own axes."""
    rows, columns = heights.shape
    x, y = spacing[0] * (np.arange(columns) - (columns - 1) / 2), spacing[1] * (np.arange(rows) - (rows - 1) / 2)
    points = np.stack([*np.meshgrid(x, y), heights], axis=2)
    low, right, across, up = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    parts = [np.stack(corners, axis=2).reshape(-1, 3, 3) for corners in ((low, right, across), (low, across, up))]
    return np.concatenate(parts)


@given(seed=SEEDS)
def test_balls_against_all_triangles(seed):
    """The nearest of all, on rough ground at any pose; below the ground negative."""
    rng = np.random.default_rng(seed)
    heights, spacing = rng.uniform(-0.4, 0.4, (7, 9)), (0.5, 0.4)
    place, axes = rng.normal(size=3), turns(rng, 1, 3)[0]
    field = located(field_record(heights, spacing), place, axes)
    local = np.append(rng.uniform(-0.6, 0.6, 2), rng.uniform(-0.3, 0.8))
    ball = located(convex_record(np.zeros((1, 3)), 0.2), place + axes @ local)
    found = contacts(field, ball, reach=5.0)
    tiles = triangles(heights, spacing)
    away = min(by_least_squares(local[None, :], tile) for tile in tiles)
    inside = [np.linalg.solve(np.vstack([tile[:, :2].T, np.ones(3)]), [*local[:2], 1.0]) for tile in tiles]
    (surface,) = {round(float(w @ tile[:, 2]), 9) for w, tile in zip(inside, tiles, strict=True) if np.all(w > 0.0)}
    assert found.gap[0] == pytest.approx((away if local[2] > surface else -away) - 0.2, abs=1e-9)
    np.testing.assert_allclose(found.points[1] - found.points[0], found.gap[:, None] * found.normal, atol=1e-12)
    back = contacts(ball, field, reach=5.0)
    np.testing.assert_allclose(back.normal, -found.normal)
    np.testing.assert_allclose(back.points[0], found.points[1])


@given(seed=SEEDS)
def test_a_slope_is_a_plane(seed):
    """Balls, capsules, boxes and cylinders have the gaps of a plane on a slope."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(0.5 * np.arange(-6, 7), 0.5 * np.arange(-6, 7))
    field = field_record(0.1 * x + 0.3 * y, (0.5, 0.5))
    normal = np.array([-0.1, -0.3, 1.0]) / np.linalg.norm([0.1, 0.3, 1.0])
    side = np.cross(normal, [1.0, 0, 0]) / np.linalg.norm(np.cross(normal, [1.0, 0, 0]))
    plane = located(plane_record(), (0, 0, 0), np.column_stack([np.cross(side, normal), side, normal]))
    shapes = (
        convex_record(np.zeros((1, 3)), 0.3),
        convex_record([[-0.4, 0, 0], [0.4, 0, 0]], 0.2),
        convex_record(CUBE, 0.05),
        turned_record([(-0.4, 0.2), (0.4, 0.3)]),
    )
    for shape in shapes:
        located(shape, (0, 0, 0), turns(rng, 1, 3)[0])
        high = contacts(plane, shape).gap[0]
        located(shape, rng.uniform(-0.3, 0.3) * side + (-0.05 - high) * normal, shape.axes.reshape(3, 3).copy())
        found, wanted = contacts(field, shape), contacts(plane, shape)
        assert found.gap[0] == pytest.approx(wanted.gap[0], abs=1e-12)
        np.testing.assert_allclose(found.normal[0], normal, atol=1e-9)
        assert found.features[0][0] == "face"


def test_a_box_on_a_peak_and_over_the_edge():
    """The peak touches its lower face, whose corners are in the air; beyond the grid there is no ground."""
    heights = np.zeros((7, 7))
    heights[3, 3] = 1.0
    field = field_record(heights, (1.0, 1.0))
    box = located(convex_record(CUBE), (0.1, 0.2, 1.35))
    found = contacts(field, box)
    assert len(found) == 1 and found.gap[0] == pytest.approx(-0.05, abs=1e-14)
    np.testing.assert_allclose(found.normal, [[0, 0, 1]], atol=1e-14)
    np.testing.assert_allclose(found.points[0], [[0, 0, 1]], atol=1e-14)
    assert found.features == (("edge",), ("face",))
    assert len(contacts(field, located(box, (10, 0, -1)))) == 0
    assert len(contacts(field, located(box, (2.3, 0.2, 5.0)), reach=0.1)) == 0


def test_a_level_box_has_its_corners():
    """On flat ground points of the grid beside it, which it could be left by sideways, do not count."""
    field = field_record(np.zeros((21, 21)), (0.1, 0.1))
    box = located(convex_record(CUBE), (0.02, 0.03, 0.35))
    found = contacts(field, box, reach=0.2)
    np.testing.assert_allclose(found.gap, -0.05, atol=1e-14)
    np.testing.assert_allclose(found.normal, [[0, 0, 1]] * 4, atol=1e-13)
    spots = np.sort(np.round(found.points[0][:, :2], 9), axis=0)
    low = corners_of(box)[corners_of(box)[:, 2] < 0][:, :2]
    np.testing.assert_allclose(spots, np.sort(low, axis=0), atol=1e-9)


def test_a_field_in_a_scene():
    field = field_record(np.zeros((5, 5)), (1.0, 1.0))
    balls = [located(convex_record(np.zeros((1, 3)), 0.3), (x, 0.2, 0.25)) for x in (-1.0, 0.0, 1.2)]
    scene = scene_record([*balls, field, plane_record()], Kinship(range(5)))
    located(scene.entries[4].shape, (0, 0, -3))
    assert all_contacts(scene) == 3
    np.testing.assert_allclose(scene.gap[:3], -0.05, atol=1e-14)


@pytest.mark.parametrize("heights", [[0.0, 1.0], [[0.0, 1.0]], [[0.0, np.nan], [0.0, 0.0]]])
def test_what_is_no_field_is_refused(heights):
    with pytest.raises(RefusedError, match="finite heights in two rows"):
        field_record(heights, (1.0, 1.0))
