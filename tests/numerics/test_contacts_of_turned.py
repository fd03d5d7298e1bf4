"""Contacts of cylinders and cones: certificates from their support functions, and formulas.

Along any unit vector n two convex shapes are D(n) = −h₁(n) − h₂(−n) apart, with their support functions h. Their gap is the
largest D, so that a normal with D(n) = gap proves that the gap is none too large, and points of both at that distance that
it is none too small where they are apart; where they overlap no other direction may have a larger D.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from convex_checks import turns
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from linkwork.errors import RefusedError
from linkwork.numerics.collision.narrow_phase import contacts
from linkwork.numerics.collision.solids import convex_record, corners_of, located, plane_record, turned_record
from linkwork.numerics.kernels.collision.shape_record import TURNED, ShapeRecord

SEEDS = st.integers(0, 2**32 - 1)


def cylinder(radius: float, length: float, margin: float = 0.0) -> ShapeRecord:
    return turned_record([(-length / 2, radius), (length / 2, radius)], margin)


def reach(shape: ShapeRecord, n: np.ndarray) -> np.ndarray:
    """The support function."""
    if shape.kind != TURNED:
        return np.max(n @ corners_of(shape).T, axis=-1) + shape.radius
    axes = shape.axes.reshape(3, 3)
    along, across = n @ axes[:, 2], np.hypot(n @ axes[:, 0], n @ axes[:, 1])
    low, r, high, s = shape.stations
    return n @ shape.place + np.maximum(low * along + r * across, high * along + s * across) + shape.radius


def apart(one: ShapeRecord, other: ShapeRecord, n: np.ndarray) -> np.ndarray:
    return -reach(one, n) - reach(other, -n)


def farthest(one: ShapeRecord, other: ShapeRecord, rng: np.random.Generator) -> float:
    """The largest D of many directions, from the best of which a simplex climbs."""
    n = rng.normal(size=(4000, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    values = apart(one, other, n)
    best = -np.inf
    for start in n[np.argsort(-values)[:2]]:
        corners = np.vstack([np.zeros(3), 0.05 * np.eye(3)])
        found = minimize(
            lambda x, start=start: -apart(one, other, (start + x) / np.linalg.norm(start + x)),
            np.zeros(3),
            method="Nelder-Mead",
            options={"initial_simplex": corners, "xatol": 1e-10, "fatol": 1e-12, "maxiter": 2000},
        )
        best = max(best, -found.fun)
    return best


def drawn_other(rng: np.random.Generator) -> ShapeRecord:
    size, margin = 10.0 ** rng.uniform(-1, 0, 3), float(rng.choice([0.0, 0.1]))
    match rng.integers(4):
        case 0:
            return turned_record([(-size[0], size[1]), (size[2], size[1])], margin)
        case 1:
            return turned_record([(-size[0], size[1]), (size[2], rng.choice([0.0, 0.5]) * size[1])], margin)
        case 2:
            return convex_record(list(product(*((-half, half) for half in size))), margin)
    return convex_record(rng.normal(size=(rng.integers(1, 12), 3)), margin)


@given(seed=SEEDS)
def test_gaps_have_certificates(seed):
    """Also with both shapes exchanged, which take other ways to it, and far from overlapping deeply."""
    rng = np.random.default_rng(seed)
    one, other = (
        turned_record([(-0.5, 0.3), (0.6, rng.choice([0.3, 0.1, 0.5]))], rng.choice([0.0, 0.1])),
        drawn_other(rng),
    )
    axes, places = turns(rng, 2, 3), rng.choice([0.4, 1.5]) * rng.normal(size=(2, 3))
    if rng.random() < 0.3:
        axes[1] = axes[0]
    located(one, places[0], axes[0])
    located(other, places[1], axes[1])
    found, back = contacts(one, other, reach=0.05), contacts(other, one)
    assert back.gap[0] == pytest.approx(found.gap[0], abs=1e-9)
    np.testing.assert_allclose(found.points[1] - found.points[0], found.gap[:, None] * found.normal, atol=1e-13)
    n = found.normal[0]
    assert apart(one, other, n) == pytest.approx(found.gap[0], abs=1e-11)
    for shape, point in zip((one, other), (found.points[0][0], found.points[1][0]), strict=True):
        assert signed_height(shape, point) <= 1e-9
    core = found.gap[0] + one.radius + other.radius
    if -0.2 < core < 0.0:
        assert farthest(one, other, rng) <= found.gap[0] + 1e-8


def signed_height(shape: ShapeRecord, point: np.ndarray) -> float:
    """The gap of a point, as a ball without a radius: formulas for turned shapes."""
    return float(contacts(shape, located(convex_record(np.zeros((1, 3))), point)).gap[0])


@given(seed=SEEDS)
def test_points_and_turned_shapes(seed):
    """In the half-plane of the axis a turned shape is a trapezoid: the planar narrow phase of hulls."""
    rng = np.random.default_rng(seed)
    r, s = rng.choice([0.0, 0.2, 1.0], 2)
    if r == s == 0.0:
        r = 0.5
    axes, place = turns(rng, 1, 3)[0], rng.normal(size=3)
    shape = located(turned_record([(-0.3, r), (0.7, s)]), place, axes)
    local = rng.normal(size=3) * rng.choice([0.3, 1.5])
    found = contacts(shape, located(convex_record(np.zeros((1, 3)), 0.05), place + axes @ local))
    mirrored = [[r, -0.3], [-r, -0.3], [s, 0.7], [-s, 0.7]]
    flat = contacts(
        convex_record(mirrored), located(convex_record(np.zeros((1, 2)), 0.05), [np.hypot(*local[:2]), local[2]])
    )
    assert found.gap[0] == pytest.approx(flat.gap[0], abs=1e-13)


def turned_about_y(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])


@pytest.mark.parametrize("ground", ["plane", "box"])
@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-4, 0.3, np.pi / 2 - 1e-9, np.pi / 2])
def test_cylinders_on_the_ground(ground, tilt):
    """Upright four points of the rim, flat both ends of the generator, else the lowest point of the rim: h cos + r sin."""
    low = (
        plane_record()
        if ground == "plane"
        else located(convex_record(list(product((-3.0, 3.0), repeat=3))), (0, 0, -3))
    )
    drum = located(cylinder(0.5, 2.0), (0.1, 0.2, 1.5), turned_about_y(tilt))
    found = contacts(low, drum, reach=1e-6)
    assert found.gap[0] == pytest.approx(1.5 - np.cos(tilt) - 0.5 * np.sin(tilt), abs=1e-14)
    np.testing.assert_allclose(found.normal[0], [0, 0, 1], atol=1e-15)
    if tilt < 1e-8:
        assert len(found) == 4 and set(found.features[1]) == {"face"}
        np.testing.assert_allclose(np.linalg.norm(found.points[0][:, :2] - [0.1, 0.2], axis=1), 0.5, atol=1e-8)
        # the four stand round the axis
        assert np.linalg.norm(found.points[0][:, :2].mean(axis=0) - [0.1, 0.2]) < 0.1
    elif tilt > np.pi / 2 - 1e-8:
        assert len(found) == 2 and set(found.features[1]) == {"barrel"}
        np.testing.assert_allclose(np.sort(found.points[0][:, 0]), [-0.9, 1.1], atol=1e-7)
        np.testing.assert_allclose(found.bends[1], 2.0, rtol=1e-7)
        np.testing.assert_allclose(np.abs(found.along[1]), [[1, 0, 0]] * 2, atol=1e-7)
    else:
        assert found.features[1][0] == "edge" and found.bends[1][0] == np.inf


def test_crossed_and_parallel_cylinders():
    """Barrels across each other meet in one point, with the distance of their axes less both radii; parallel ones in two."""
    one = located(cylinder(0.3, 2.0), (0, 0, 0), turned_about_y(np.pi / 2))
    for height in (0.9, 0.5, 0.45):
        axes = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
        found = contacts(one, located(cylinder(0.2, 1.0), (0.3, 0.1, height), axes))
        assert found.gap[0] == pytest.approx(height - 0.5, abs=1e-13)
        np.testing.assert_allclose(found.points[0][0], [0.3, 0.0, 0.3], atol=1e-8)
        assert found.features == (("barrel",), ("barrel",))
        np.testing.assert_allclose([found.bends[0][0], found.bends[1][0]], [1 / 0.3, 5.0], rtol=1e-7)
        found = contacts(one, located(cylinder(0.2, 1.0), (0.8, 0, height), turned_about_y(np.pi / 2)), reach=1e-6)
        np.testing.assert_allclose(found.gap, height - 0.5, atol=1e-13)
        np.testing.assert_allclose(np.sort(found.points[0][:, 0])[[0, -1]], [0.3, 1.0], atol=1e-7)


def test_curvature_of_a_cone():
    """On its side a cone of half-angle β has the curvature cos β/ρ across its generators."""
    cone = turned_record([(0.0, 1.0), (1.0, 0.0)])
    normal = np.array([1.0, 0.0, 1.0]) / np.sqrt(2)
    found = contacts(cone, located(convex_record(np.zeros((1, 3)), 0.1), np.array([0.6, 0, 0.4]) + 0.3 * normal))
    assert found.features[0] == ("barrel",)
    assert found.bends[0][0] == pytest.approx(np.cos(np.pi / 4) / 0.6, rel=1e-12)
    np.testing.assert_allclose(np.abs(found.along[0][0]), np.array([1, 0, 1]) / np.sqrt(2), atol=1e-12)


def test_stations_in_a_wrong_order_are_refused():
    with pytest.raises(RefusedError, match="none of a turned shape"):
        turned_record([(1.0, 0.5), (0.0, 0.5)])
