"""Distances of convex shapes against formulas, least squares over all corners, and the difference of both hulls."""

from __future__ import annotations

import numpy as np
import pytest
from convex_checks import by_difference, by_least_squares, turns

from linkwork.numerics.geometry.convex import Convex, hull_of
from linkwork.numerics.geometry.distances import Gaps, PoseSamples, signed_distances
from linkwork.numerics.geometry.polygons import convex_parts, signed_area

SQUARE = hull_of([[-1, -1], [1, -1], [1, 1], [-1, 1]])
BOX = hull_of([[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)])


def still(*places: tuple[float, ...]) -> PoseSamples:
    origin = np.array(places, dtype=float)
    return PoseSamples(origin, np.tile(np.eye(origin.shape[1]), (len(origin), 1, 1)))


def between(one: Convex, other: Convex, *places: tuple[float, ...]) -> Gaps:
    return signed_distances(one, other, (still(*[tuple(0.0 for _ in place) for place in places]), still(*places)))


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("counts", [(1, 5), (2, 2), (2, 8), (8, 8), (12, 20)])
def test_random_hulls(d, counts):
    rng = np.random.default_rng(10 * d + counts[1])
    one, other = (hull_of(rng.normal(size=(count, d))) for count in counts)
    poses = PoseSamples(1.5 * rng.normal(size=(40, d)), turns(rng, 40, d))
    found = signed_distances(one, other, (still(*np.zeros((40, d))), poses))
    for i, corners in enumerate(poses.points(other.corners)):
        apart = by_least_squares(one.corners, corners)
        wanted = apart if apart > 1e-9 else -by_difference(one.corners, corners)
        assert found.distance[i] == pytest.approx(wanted, abs=1e-12)
    assert np.any(found.distance > 0)
    np.testing.assert_allclose(np.linalg.norm(found.one - found.other, axis=1), np.abs(found.distance), atol=1e-12)


def test_many_edges_take_the_faces_of_the_difference():
    rng = np.random.default_rng(3)
    one, other = (hull_of(rng.normal(size=(60, 3))) for _ in range(2))
    assert len(one.edges) * len(other.edges) > 2000
    place = (0.7, 0.2, -0.1)
    found = between(one, other, place)
    assert found.distance[0] == pytest.approx(-by_difference(one.corners, other.corners + place), abs=1e-12)


def test_discs_balls_and_capsules():
    for d in (2, 3):
        one, other = (Convex(np.zeros((1, d)), radius) for radius in (0.5, 0.25))
        place = np.arange(1.0, d + 1)
        found = between(one, other, tuple(place), tuple(0.1 * place))
        size = np.linalg.norm(place)
        np.testing.assert_allclose(found.distance, [size - 0.75, 0.1 * size - 0.75], atol=1e-14)
        np.testing.assert_allclose(found.one[0], 0.5 * place / size, atol=1e-14)
    # skew bars: along x through the origin, along y at the height 0.3
    bars = [hull_of([[-1, 0, 0], [1, 0, 0]], 0.1), hull_of([[0, -1, 0], [0, 1, 0]], 0.05)]
    found = between(*bars, (0.2, 0.4, 0.3), (1.5, 0.0, 0.0), (0.2, 0.4, 0.0))
    np.testing.assert_allclose(found.distance, [0.15, 0.35, -0.15], atol=1e-14)
    np.testing.assert_allclose(found.one[0], [0.2, 0.0, 0.1], atol=1e-14)


def test_parallel_and_collinear_bars():
    """Where no simplex is unique: bars beside each other, in one line apart, and in one line over each other."""
    for d in (2, 3):
        first, second = np.eye(d)[:2]
        bar = hull_of([0 * first, first], 0.01)
        found = between(bar, bar, tuple(0.5 * first + 0.3 * second), tuple(1.2 * first), tuple(0.5 * first))
        np.testing.assert_allclose(found.distance, [0.28, 0.18, -0.02], atol=1e-14)
        for tilt in 10.0 ** np.arange(-15, -5):
            tilted = hull_of([0 * first, first + tilt * second])
            assert between(hull_of([0 * first, first]), tilted, tuple(0.3 * second)).distance[0] == pytest.approx(0.3)


def test_squares_and_boxes():
    found = between(SQUARE, SQUARE, (3.0, 0.5), (1.5, 0.2), (4.0, 5.0))
    np.testing.assert_allclose(found.distance, [1.0, -0.5, np.hypot(2, 3)], atol=1e-14)
    found = between(BOX, BOX, (2.5, 0.0, 0.0), (1.9, 3.0, 4.0), (3.0, 5.0, 7.0), (0.0, 0.0, 0.0))
    np.testing.assert_allclose(found.distance, [0.5, -0.1, np.sqrt(3), -2.0], atol=1e-14)
    disc = Convex(np.zeros((1, 2)), 0.3)
    found = between(SQUARE, disc, (0.2, 0.1), (1.2, 0.0), (2.0, 2.0))
    np.testing.assert_allclose(found.distance, [-1.1, -0.1, np.sqrt(2) - 0.3], atol=1e-14)
    # a bar through a plate without thickness is as deep as it is thick
    plate, bar = hull_of([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]), hull_of([[0, 0, -1], [0, 0, 2]], 0.1)
    found = between(plate, bar, (0.3, 0.2, 0.0))
    assert found.distance[0] == pytest.approx(-0.7 - 0.1)  # out by the nearest side


def test_a_distance_is_the_same_from_both_sides_and_in_all_axes():
    rng = np.random.default_rng(5)
    one, other = hull_of(rng.normal(size=(6, 3)), 0.2), hull_of(rng.normal(size=(9, 3)), 0.1)
    poses = [PoseSamples(rng.normal(size=(30, 3)), turns(rng, 30, 3)) for _ in range(2)]
    found, back = signed_distances(one, other, (poses[0], poses[1])), signed_distances(other, one, (poses[1], poses[0]))
    np.testing.assert_allclose(found.distance, back.distance, atol=1e-12)
    turned, shift = turns(rng, 1, 3)[0], rng.normal(size=3)
    moved = [PoseSamples(pose.origin @ turned.T + shift, turned @ pose.axes) for pose in poses]
    seen = signed_distances(one, other, (moved[0], moved[1]))
    np.testing.assert_allclose(seen.distance, found.distance, atol=1e-12)
    apart = found.distance > 0
    np.testing.assert_allclose(seen.one[apart], (found.one @ turned.T + shift)[apart], atol=1e-9)


def test_hulls_keep_their_vertices_only():
    assert len(hull_of([[0, 0], [1, 0], [0.5, 0.0], [1, 1], [0, 1], [0.5, 0.5]]).corners) == 4
    assert len(hull_of([[0, 0, 0], [1, 1, 1], [0.5, 0.5, 0.5]]).corners) == 2
    assert len(hull_of([[2, 2, 2], [2, 2, 2]]).corners) == 1
    assert (len(BOX.normals), len(BOX.edges)) == (3, 3)


def test_polygons_fall_into_convex_parts():
    star = np.array([[0, 0], [1, 0.3], [0.5, 0], [1, -0.3]])
    for ring in (star, star[::-1], np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]])):
        parts = convex_parts(ring)
        assert len(parts) == len(ring) - 2
        assert sum(signed_area(ring[part]) for part in parts) == pytest.approx(abs(signed_area(ring)))
        assert all(signed_area(ring[part]) > 0 for part in parts)
    assert len(convex_parts(SQUARE.corners)) == 1
