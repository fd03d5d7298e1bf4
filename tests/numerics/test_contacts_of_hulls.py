"""Contacts of hulls with round edges: gaps against least squares and differences of hulls, manifolds against formulas."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from convex_checks import by_difference, by_least_squares, turns
from hypothesis import given
from hypothesis import strategies as st

from linkwork.errors import RefusedError
from linkwork.numerics.collision.narrow_phase import Contacts, contacts
from linkwork.numerics.collision.solids import convex_record, corners_of, located, plane_record
from linkwork.numerics.kernels.collision.shape_record import ShapeRecord

SEEDS = st.integers(0, 2**32 - 1)


def box(*halves: float, radius: float = 0.0) -> ShapeRecord:
    return convex_record(list(product(*((-half, half) for half in halves))), radius)


def ball(radius: float, d: int = 3) -> ShapeRecord:
    return convex_record(np.zeros((1, d)), radius)


def capsule(half: float, radius: float) -> ShapeRecord:
    return convex_record([[-half, 0.0, 0.0], [half, 0.0, 0.0]], radius)


def turned_about(axis: int, angle: float) -> np.ndarray:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turned = np.eye(3)
    turned[i, i], turned[i, j], turned[j, i], turned[j, j] = np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)
    return turned


def drawn_shape(rng: np.random.Generator, d: int) -> tuple[np.ndarray, float]:
    """Corners of a point, a bar, a sheet, a box or a hull, at times very flat, and a radius that may be none."""
    extents = 10.0 ** rng.uniform(-3.0, 0.0, size=d)
    if rng.random() < 0.4:
        corners = np.array(list(product((-1.0, 1.0), repeat=d)))
    else:
        corners = rng.normal(size=(rng.integers(1, 12), d))
    return corners * extents, float(rng.choice([0.0, 0.3]))


def drawn_pair(seed: int, d: int) -> tuple[list[ShapeRecord], list[tuple], np.random.Generator]:
    rng = np.random.default_rng(seed)
    shapes = [drawn_shape(rng, d) for _ in range(2)]
    axes = turns(rng, 2, d)
    if rng.random() < 0.3:
        axes[1] = axes[0]
    poses = list(zip(rng.choice([0.3, 1.5]) * rng.normal(size=(2, d)), axes, strict=True))
    records = [located(convex_record(*shape), *pose) for shape, pose in zip(shapes, poses, strict=True)]
    return records, poses, rng


def check_places(found: Contacts, size: float = 1.0) -> None:
    """Points are a gap apart along the normal, the deepest are first, and all are different."""
    np.testing.assert_allclose(found.points[1] - found.points[0], found.gap[:, None] * found.normal, atol=1e-13 * size)
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, rtol=1e-13)
    assert np.all(found.gap >= found.gap[0] - 1e-13 * size)
    assert 1 <= len(found) <= 4


@pytest.mark.parametrize("d", [2, 3])
@given(seed=SEEDS)
def test_gaps_are_those_of_least_squares_and_differences(d, seed):
    (one, other), _, rng = drawn_pair(seed, d)
    found = contacts(one, other, reach=float(rng.choice([0.0, 0.1, 10.0])))
    check_places(found)
    corners = [corners_of(shape)[:, :d] for shape in (one, other)]
    wanted = by_least_squares(*corners)
    if wanted < 1e-8:
        wanted = -by_difference(*corners)
    assert found.gap[0] == pytest.approx(wanted - one.radius - other.radius, abs=1e-12)


@pytest.mark.parametrize("d", [2, 3])
@given(seed=SEEDS)
def test_exchange_motion_and_scale_change_nothing(d, seed):
    (one, other), poses, rng = drawn_pair(seed, d)
    found = contacts(one, other)
    assert contacts(other, one).gap[0] == pytest.approx(found.gap[0], abs=1e-13)
    shift, turn, scale = rng.normal(size=d), turns(rng, 1, d)[0], 10.0 ** rng.uniform(-3, 3)
    moved = []
    for shape, (place, axes) in zip((one, other), poses, strict=True):
        corners = scale * np.reshape(shape.local, (-1, 3))[:, :d]
        moved.append(located(convex_record(corners, scale * shape.radius), scale * (turn @ place + shift), turn @ axes))
    again = contacts(*moved)
    check_places(again, scale)
    assert again.gap[0] == pytest.approx(scale * found.gap[0], abs=1e-12 * scale)


@given(seed=SEEDS, small=st.sampled_from([0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4]), inside=st.booleans())
def test_gaps_near_touching(seed, small, inside):
    """Hulls are moved along the normal of their least distance until they nearly touch: that is then their gap."""
    (one, other), _, _ = drawn_pair(seed, 3)
    found = contacts(one, other)
    radii, small = one.radius + other.radius, -small if inside else small
    place = other.place + (small - radii - found.gap[0]) * found.normal[0]
    after = contacts(one, located(other, place, np.reshape(other.axes, (3, 3))))
    # what is nearer than 1e-12 touches; beyond that corners slide off each other, or another way out is shorter
    assert after.gap[0] + radii == pytest.approx(0.0 if inside else small, abs=2e-12 + (abs(small) if inside else 0.0))


@pytest.mark.parametrize("angle", [0.0, 45.0, 90.0, 30.0])
@pytest.mark.parametrize("gap", [-0.1, -1e-9, 0.0, 1e-9, 0.1])
def test_box_on_box_has_four_corners(angle, gap):
    """A cube of edge 1 on one of edge 4, turned about the vertical: its four corners."""
    low, high = box(2, 2, 2), located(box(0.5, 0.5, 0.5), (0.3, -0.2, 2.5 + gap), turned_about(2, np.radians(angle)))
    found = contacts(low, high, reach=1e-6)
    check_places(found)
    np.testing.assert_allclose(found.gap, gap, atol=1e-14)
    np.testing.assert_allclose(found.normal, [[0, 0, 1]] * 4, atol=1e-15)
    wanted = corners_of(high)[corners_of(high)[:, 2] < 2.4][:, :2]
    order = [int(np.argmin(np.linalg.norm(wanted - spot, axis=1))) for spot in found.points[0][:, :2]]
    assert sorted(order) == [0, 1, 2, 3]
    np.testing.assert_allclose(found.points[0][:, :2], wanted[order], atol=1e-13)
    assert set(found.features[0]) == set(found.features[1]) == {"face"}


def test_box_over_the_rim_is_clipped():
    """Half of a cube stands over the rim: two corners of the cube, and two points of the rim."""
    low, high = box(1, 1, 1), located(box(0.5, 0.5, 0.5), (1.0, 0.0, 1.5))
    spots = contacts(low, high, reach=1e-6).points[0][:, :2]
    wanted = [[0.5, -0.5], [0.5, 0.5], [1.0, -0.5], [1.0, 0.5]]
    np.testing.assert_allclose(spots[np.lexsort(spots.T[::-1])], wanted, atol=1e-14)


def test_octagon_of_equal_boxes_is_reduced_to_four():
    """Cubes on each other, turned by 45°: the overlap has eight corners, of which four span it."""
    found = contacts(box(1, 1, 1), located(box(1, 1, 1), (0, 0, 2), turned_about(2, np.pi / 4)), reach=1e-6)
    assert len(found) == 4
    np.testing.assert_allclose(np.linalg.norm(found.points[0][:, :2], axis=1), 1 / np.cos(np.pi / 8), rtol=1e-13)


@pytest.mark.parametrize("gap", [-0.05, 0.0, 0.05])
def test_crossed_edges(gap):
    """Two cubes that stand on edges across each other meet in one point with the normal across both."""
    height = 2 * np.sqrt(2) + gap
    one = located(box(1, 1, 1), (0, 0, 0), turned_about(0, np.pi / 4))
    other = located(box(1, 1, 1), (0.3, -0.4, height), turned_about(1, np.pi / 4))
    found = contacts(one, other)
    assert found.gap[0] == pytest.approx(gap, abs=1e-14)
    np.testing.assert_allclose(found.normal[0], [0, 0, 1], atol=1e-13)
    np.testing.assert_allclose(found.points[0][0], [0.3, 0, np.sqrt(2)], atol=1e-13)
    assert (found.features[0][0], found.features[1][0]) == ("edge", "edge")
    np.testing.assert_allclose(np.abs(found.along[0][0]), [1, 0, 0], atol=1e-13)
    np.testing.assert_allclose(np.abs(found.along[1][0]), [0, 1, 0], atol=1e-13)


def test_parallel_edges_meet_in_two_points():
    """A cube on its edge along a face, and edge on edge."""
    edge = located(box(1, 0.1, 0.1), (0.5, 0, 1 + 0.1 * np.sqrt(2)), turned_about(0, np.pi / 4))
    spots = contacts(box(1, 1, 1), edge, reach=1e-6).points[0]
    np.testing.assert_allclose(spots[np.argsort(spots[:, 0])], [[-0.5, 0, 1], [1, 0, 1]], atol=1e-13)
    other = located(box(1, 0.1, 0.1), (0, 0, 1 + 0.3 * np.sqrt(2)), turned_about(0, np.pi / 4))
    spots = contacts(edge, other, reach=0.11 * np.sqrt(2)).points[0]
    np.testing.assert_allclose(np.sort(spots[:2, 0]), [-0.5, 1], atol=1e-13)


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-5, 1e-2, 0.3])
def test_a_tilted_box_keeps_four_corners_within_reach(tilt):
    """The gaps of all corners of the lower face are those of the corners, however far they are from level."""
    high = located(box(0.5, 0.5, 0.5), (0, 0, 1.6), turned_about(1, tilt))
    found = contacts(box(2, 2, 1), high, reach=1.0)
    lower = np.sort(corners_of(high)[:, 2])[:4] - 1.0
    np.testing.assert_allclose(np.sort(found.gap), lower, atol=1e-12)


@pytest.mark.parametrize("flip", [False, True])
def test_planes(flip):
    """Every corner has its height over a plane; a capsule has two ends, a ball one point."""
    axes = turned_about(0, 0.4)
    plane, normal = located(plane_record(), (1, 2, 3), axes), axes[:, 2]
    for shape, count in ((ball(0.2), 1), (capsule(0.5, 0.1), 2), (box(1, 2, 3), 4), (box(1, 2, 3, radius=0.2), 4)):
        located(shape, (0.3, 2.5, 4.0), turned_about(1, 0.7))
        pair = (shape, plane) if flip else (plane, shape)
        found = contacts(*pair, reach=100.0)
        check_places(found)
        heights = np.sort((corners_of(shape) - plane.place) @ normal - shape.radius)
        assert len(found) == count
        assert found.gap[0] == pytest.approx(heights[0], abs=1e-14)
        assert np.all(np.isclose(found.gap[:, None], heights, atol=1e-13).any(axis=1))
        np.testing.assert_allclose(found.normal, [-normal if flip else normal] * count, atol=1e-15)
    with pytest.raises(RefusedError, match="two planes have no contact"):
        contacts(plane, plane)


def test_balls_and_capsules_by_formulas():
    one, other = ball(0.5), located(ball(0.25), (1.0, 2.0, 2.0))
    found = contacts(one, other)
    assert found.gap[0] == pytest.approx(2.25, rel=1e-15)
    np.testing.assert_allclose(found.points[0][0], np.array([1, 2, 2]) / 6, rtol=1e-14)
    assert contacts(one, located(other, (0, 0, 0))).gap[0] == -0.75
    # skew capsules cross at one point, parallel ones have both ends of their overlap
    bars = capsule(1.0, 0.1), located(capsule(1.0, 0.05), (0.2, 0.4, 0.3), turned_about(2, np.pi / 2))
    found = contacts(*bars)
    assert found.gap[0] == pytest.approx(0.15, abs=1e-15)
    np.testing.assert_allclose(found.points[0][0], [0.2, 0.0, 0.1], atol=1e-15)
    found = contacts(bars[0], located(bars[1], (1.5, 0.0, 0.3)), reach=1e-6)
    np.testing.assert_allclose(found.gap, 0.15, atol=1e-15)
    np.testing.assert_allclose(np.sort(found.points[0][:, 0]), [0.5, 1.0], atol=1e-15)
    found = contacts(box(1, 1, 1), located(capsule(0.5, 0.1), (0.8, 0, 1.05)), reach=1e-6)
    np.testing.assert_allclose(found.gap, -0.05, atol=1e-15)
    np.testing.assert_allclose(np.sort(found.points[0][:, 0]), [0.3, 1.0], atol=1e-15)


@pytest.mark.parametrize("aspect", [1e-6, 1e-3, 1e3, 1e6])
def test_huge_aspects(aspect):
    """A needle or a sheet over a cube, level and by its corner."""
    shape = box(1.0, aspect, 0.5)
    for axes in (np.eye(3), turned_about(1, 0.7) @ turned_about(2, 0.1)):
        # as far up as its lowest corner reaches down
        located(shape, (0, 0, 0), axes)
        located(shape, (0, 0, 1.25 - corners_of(shape)[:, 2].min()), axes)
        wanted = by_least_squares(corners_of(box(1, 1, 1)) / max(aspect, 1), corners_of(shape) / max(aspect, 1))
        assert contacts(box(1, 1, 1), shape).gap[0] == pytest.approx(wanted * max(aspect, 1), abs=1e-9 * max(aspect, 1))


def test_planar_polygons_discs_and_half_planes():
    """A square on a square has both ends of its side; the normal of a half-plane is its local y."""
    low, high = box(2, 1), located(box(0.5, 0.5), (1.9, 1.45))
    found = contacts(low, high, reach=1e-6)
    np.testing.assert_allclose(found.gap, -0.05, atol=1e-15)
    np.testing.assert_allclose(np.sort(found.points[0][:, 0]), [1.4, 2.0], atol=1e-15)
    angle = 0.3
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    slope = located(plane_record(planar=True), (0.0, 0.0), axes)
    disc = located(ball(0.2, 2), (1.0, 2.0))
    found = contacts(slope, disc)
    assert found.gap[0] == pytest.approx(2 * np.cos(angle) - np.sin(angle) - 0.2, rel=1e-14)
    np.testing.assert_allclose(found.normal[0], [-np.sin(angle), np.cos(angle), 0], atol=1e-15)
    stick = located(convex_record([[-1.0, 0.0], [1.0, 0.0]]), (0.0, 0.0))
    found = contacts(stick, located(disc, (1.5, 0.3)))
    assert found.gap[0] == pytest.approx(np.hypot(0.5, 0.3) - 0.2, rel=1e-14)


def test_curvatures():
    """Of balls in both directions, of capsules across their axes; faces have none, and sharp edges no finite one."""
    found = contacts(ball(0.5), located(capsule(1.0, 0.1), (0.2, 0.0, 0.6)))
    assert found.features == (("corner",), ("edge",))
    np.testing.assert_allclose([found.bends[0][0], found.bends[1][0]], [2.0, 10.0])
    np.testing.assert_allclose(np.abs(found.along[1][0]), [1, 0, 0], atol=1e-13)
    found = contacts(box(1, 1, 1), located(ball(0.1), (1.5, 1.5, 1.5)))
    assert found.features == (("corner",), ("corner",)) and found.bends[0][0] == np.inf
    rounded = contacts(plane_record(), located(box(1, 1, 1, radius=0.1), (0, 0, 1.1)), reach=1e-9)
    assert rounded.features[1] == ("face",) * 4 and not np.any(rounded.bends[1])
