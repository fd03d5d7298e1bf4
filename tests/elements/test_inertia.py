"""Uniform solids against Gauss quadrature over them, and their composition against the theorem of parallel axes."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest
from numpy.typing import NDArray
from random_mechanisms import random_inertia, random_rotation

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import PLANAR, SPATIAL, Space
from linkwork.elements.inertia import (
    Distribution,
    UniformSolid,
    box,
    combined,
    cone,
    cylinder,
    placed,
    plate,
    point_mass,
    rod,
    sphere,
)

Array = NDArray[np.float64]
Cloud = tuple[Array, Array]  # points (n, 3) and volumes (n,)
N = 16
NODES, WEIGHTS = np.polynomial.legendre.leggauss(N)
R, L, r = 0.2, 0.9, 0.07


def tensor(points: Array, weights: Array) -> Array:
    """∫ρ (x·x 1 − x xᵀ) over points (n, 3)."""
    squares = np.einsum("n,nk,nk->", weights, points, points)
    return squares * np.eye(3) - np.einsum("n,ni,nj->ij", weights, points, points)


def cloud(place: Callable[..., Array], *ranges: tuple[float, float]) -> Cloud:
    """Gauss points of the map *place* from a box of parameters to space; its Jacobian by finite differences is exact."""
    axes = [(low + high) / 2 + (high - low) / 2 * NODES for low, high in ranges]
    weights = [(high - low) / 2 * WEIGHTS for low, high in ranges]
    u = np.stack(np.meshgrid(*axes, indexing="ij")).reshape(3, -1)
    w = np.prod(np.stack(np.meshgrid(*weights, indexing="ij")).reshape(3, -1), axis=0)
    # complex steps give exact derivatives
    steps = [place(*(u + 1e-30j * np.eye(3)[:, [i]])).imag / 1e-30 for i in range(3)]
    return place(*u).real.T, w * np.abs(np.linalg.det(np.stack(steps).transpose(2, 0, 1)))


def round_cloud(inner: Callable[[Array], Array], outer: Callable[[Array], Array], low: float, high: float) -> Cloud:
    """A body of revolution about z between two radii of the height."""

    def place(s: Array, phi: Array, z: Array) -> Array:
        radius = inner(z) + s * (outer(z) - inner(z))
        return np.stack([radius * np.cos(phi), radius * np.sin(phi), z])

    return cloud(place, (0, 1), (-np.pi, np.pi), (low, high))


def ball(inner: float, outer: float) -> Cloud:
    def place(rho: Array, phi: Array, u: Array) -> Array:
        return np.stack([rho * np.cos(phi) * np.sin(u), rho * np.sin(phi) * np.sin(u), rho * np.cos(u)])

    return cloud(place, (inner, outer), (-np.pi, np.pi), (0, np.pi))


def fan(corners: Array, thickness: float) -> Cloud:
    """Triangles between the origin and the edges of a polygon, with signed volumes."""
    points, weights = [], []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):

        def place(s: Array, t: Array, z: Array, a: Array = a, b: Array = b) -> Array:
            return np.stack([s * (a[0] + t * (b - a)[0]), s * (a[1] + t * (b - a)[1]), z])

        p, w = cloud(place, (0, 1), (0, 1), (-thickness / 2, thickness / 2))
        points.append(p)
        weights.append(w * np.sign(a[0] * b[1] - a[1] * b[0]))
    return np.vstack(points), np.concatenate(weights)


def along(axis: str, points: Cloud) -> Cloud:
    """The same cloud with its z axis along another one."""
    return np.roll(points[0], {"x": 1, "y": 2, "z": 0}[axis], axis=1), points[1]


def numeric(expression: ca.SX | float) -> Array:
    return np.array(ca.DM(ca.densify(ca.SX(expression))))


PENTAGON = np.array([[0.3, -0.1], [0.5, 0.3], [0.2, 0.25], [-0.1, 0.6], [-0.2, 0.05]])  # not convex
CASES = {
    "box": (box(ca.SX([0.3, 0.5, 0.7])), cloud(lambda *u: np.stack(u), (-0.15, 0.15), (-0.25, 0.25), (-0.35, 0.35))),
    **{
        f"cylinder {axis}": (
            cylinder(ca.SX(R), ca.SX(L), axis),
            along(axis, round_cloud(lambda z: 0 * z, lambda z: R + 0 * z, -L / 2, L / 2)),
        )
        for axis in "xyz"
    },
    "hollow cylinder": (
        cylinder(ca.SX(R), ca.SX(L), "y", ca.SX(r)),
        along("y", round_cloud(lambda z: r + 0 * z, lambda z: R + 0 * z, -L / 2, L / 2)),
    ),
    "sphere": (sphere(ca.SX(R)), ball(0.0, R)),
    "hollow sphere": (sphere(ca.SX(R), ca.SX(r)), ball(r, R)),
    **{
        f"cone {axis}": (
            cone(ca.SX(R), ca.SX(L), axis),
            along(axis, round_cloud(lambda z: 0 * z, lambda z: R * (1 - z / L), 0, L)),
        )
        for axis in "xyz"
    },
    "frustum": (
        cone(ca.SX(R), ca.SX(L), "z", ca.SX(r)),
        round_cloud(lambda z: 0 * z, lambda z: R + (r - R) * z / L, 0, L),
    ),
    "plate": (plate(ca.SX(ca.DM(PENTAGON.T)), ca.SX(0.04)), fan(PENTAGON, 0.04)),
}


@pytest.mark.parametrize("name", CASES)
def test_solids_against_quadrature(name: str) -> None:
    solid, (points, weights) = CASES[name]
    assert solid.volume is not None
    volume = weights.sum()
    centre = weights @ points / volume
    np.testing.assert_allclose(float(solid.volume), volume, rtol=1e-12)
    np.testing.assert_allclose(numeric(solid.centre).ravel(), centre, atol=1e-13)
    np.testing.assert_allclose(numeric(solid.gyration), tensor(points - centre, weights) / volume, atol=1e-13)
    np.testing.assert_allclose(numeric(solid.inertia(PLANAR, ca.SX(3.0))), 3 * numeric(solid.gyration)[2:, 2:])


def test_rod_lies_along_x() -> None:
    mass, length = 2.0, 1.3
    expected = tensor(np.column_stack([length / 2 * NODES, 0 * NODES, 0 * NODES]), mass * WEIGHTS / 2)
    solid = rod(ca.SX(length))
    assert solid.volume is None
    np.testing.assert_allclose(numeric(solid.inertia(SPATIAL, ca.SX(mass))), expected, atol=1e-14)
    assert float(solid.inertia(PLANAR, ca.SX(mass))) == pytest.approx(expected[2, 2])


def test_exact_values() -> None:
    """Textbook values: 2/5 and 2/3 m R², 3/10 and 3/20 m R² + 3/80 m L², m (3 R² + L²)/12, a right triangle."""
    m = ca.SX(1)
    assert float(sphere(ca.SX(R)).inertia(SPATIAL, m)[0, 0]) == pytest.approx(2 / 5 * R**2, rel=1e-15)
    assert float(sphere(ca.SX(R), ca.SX(R)).inertia(SPATIAL, m)[1, 1]) == pytest.approx(2 / 3 * R**2, rel=1e-15)
    peak = cone(ca.SX(R), ca.SX(L), "z")
    assert float(peak.centre[2]) == pytest.approx(L / 4, rel=1e-15)
    assert float(peak.gyration[2, 2]) == pytest.approx(3 / 10 * R**2, rel=1e-15)
    assert float(peak.gyration[0, 0]) == pytest.approx(3 / 20 * R**2 + 3 / 80 * L**2, rel=1e-14)
    straight = cone(ca.SX(R), ca.SX(L), "x", ca.SX(R))
    np.testing.assert_allclose(numeric(straight.gyration), numeric(cylinder(ca.SX(R), ca.SX(L)).gyration), rtol=1e-14)
    b, h = 0.3, 0.8
    triangle = plate(ca.SX([[0, b, 0], [0, 0, h]]), None)
    assert triangle.volume is None
    np.testing.assert_allclose(numeric(triangle.centre).ravel(), [b / 3, h / 3, 0], atol=1e-16)
    np.testing.assert_allclose(numeric(triangle.gyration)[2, 2], (b**2 + h**2) / 18, rtol=1e-14)
    np.testing.assert_allclose(numeric(triangle.gyration)[0, 1], b * h / 36, rtol=1e-14)  # −∫xy


def test_the_sense_and_the_place_of_a_polygon_do_not_matter() -> None:
    one = plate(ca.SX(ca.DM(PENTAGON.T)), ca.SX(0.04))
    other = plate(ca.SX(ca.DM(PENTAGON[::-1].T + 100)), ca.SX(0.04))
    assert float(other.volume) == pytest.approx(float(one.volume), rel=1e-12)
    np.testing.assert_allclose(numeric(other.centre)[:2] - 100, numeric(one.centre)[:2], atol=1e-12)
    np.testing.assert_allclose(numeric(other.gyration), numeric(one.gyration), atol=1e-13)


def test_an_angle_plate_is_two_boxes() -> None:
    corners = [[0, 0], [4, 0], [4, 1], [1, 1], [1, 3], [0, 3]]
    angle = plate(ca.SX(corners).T, ca.SX(0.5))
    legs = [(ca.SX([4, 1, 0.5]), [2, 0.5, 0]), (ca.SX([1, 2, 0.5]), [0.5, 2, 0])]
    parts = [placed(SPATIAL, box(e), e[0] * e[1] * e[2], Frame(ca.SX(at), ca.SX.eye(3))) for e, at in legs]
    whole = combined(SPATIAL, parts)
    assert float(angle.volume) == pytest.approx(float(whole.mass), rel=1e-14)
    np.testing.assert_allclose(numeric(angle.centre), numeric(whole.centre), atol=1e-14)
    np.testing.assert_allclose(numeric(angle.inertia(SPATIAL, whole.mass)), numeric(whole.inertia), rtol=1e-13)


# -- composition -----------------------------------------------------------------------------------------------------


def random_parts(rng: np.random.Generator) -> list[tuple[UniformSolid, float, Array, Array]]:
    """Solids with masses, places and axes; one of them takes mass away."""
    solids = [
        box(ca.SX(rng.uniform(0.1, 1, 3))),
        sphere(ca.SX(0.3)),
        cone(ca.SX(0.3), ca.SX(0.6), "y"),
        rod(ca.SX(1.0)),
    ]
    masses = [2.0, -0.4, 1.1, 0.7]
    return [(s, m, rng.normal(size=3), random_rotation(rng)) for s, m in zip(solids, masses, strict=True)]


@pytest.mark.parametrize("seed", range(5))
def test_parts_add_up_by_parallel_axes(seed: int) -> None:
    """Second moments about the origin of the body, summed and brought back to the common centre."""
    parts = random_parts(np.random.default_rng(seed))
    total, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for solid, mass, at, axes in parts:
        centre = at + axes @ numeric(solid.centre).ravel()
        gyration = axes @ numeric(solid.gyration) @ axes.T
        spread = np.trace(gyration) / 2 * np.eye(3) - gyration  # ∫ x xᵀ from the inertia tensor
        total, first = total + mass, first + mass * centre
        second += mass * (spread + np.outer(centre, centre))
    expected = second - np.outer(first, first) / total
    whole = combined(
        SPATIAL, [placed(SPATIAL, s, ca.SX(m), Frame(ca.SX(at), ca.SX(ca.DM(axes)))) for s, m, at, axes in parts]
    )
    assert float(whole.mass) == pytest.approx(total, rel=1e-14)
    np.testing.assert_allclose(numeric(whole.centre).ravel(), first / total, atol=1e-14)
    np.testing.assert_allclose(numeric(whole.inertia), np.trace(expected) * np.eye(3) - expected, atol=1e-13)


def test_the_plane_sees_the_moment_about_z() -> None:
    """Parts turned about z only: the planar composition is the spatial one, seen from above."""
    parts = random_parts(np.random.default_rng(7))
    flat, full = [], []
    for i, (solid, mass, at, _) in enumerate(parts):
        c, s = np.cos(i), np.sin(i)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        full.append(placed(SPATIAL, solid, ca.SX(mass), Frame(ca.SX(at), ca.SX(ca.DM(turn)))))
        flat.append(placed(PLANAR, solid, ca.SX(mass), Frame.planar(ca.SX(at[:2]), ca.SX(i))))
    seen, whole = combined(PLANAR, flat), combined(SPATIAL, full)
    np.testing.assert_allclose(numeric(seen.centre), numeric(whole.centre)[:2], atol=1e-14)
    assert float(seen.inertia) == pytest.approx(numeric(whole.inertia)[2, 2], rel=1e-13)


def test_a_hole_is_a_solid_of_negative_mass() -> None:
    density, at = 7.8, Frame.identity(3)
    outer, bore = cylinder(ca.SX(R), ca.SX(L), "z"), cylinder(ca.SX(r), ca.SX(L), "z")
    hollow = cylinder(ca.SX(R), ca.SX(L), "z", ca.SX(r))
    whole = combined(
        SPATIAL,
        [placed(SPATIAL, outer, density * outer.volume, at), placed(SPATIAL, bore, -density * bore.volume, at)],
    )
    assert float(whole.mass) == pytest.approx(density * float(hollow.volume), rel=1e-14)
    np.testing.assert_allclose(
        numeric(whole.inertia), numeric(hollow.inertia(SPATIAL, density * hollow.volume)), rtol=1e-13
    )


@pytest.mark.parametrize("space", [PLANAR, SPATIAL], ids=lambda space: space.name)
def test_points_have_no_inertia_of_their_own(space: Space) -> None:
    place = ca.SX(np.arange(1.0, 1 + space.dimension))
    alone = combined(space, [point_mass(space, ca.SX(2), place), point_mass(space, ca.SX(0), -place)])
    assert alone.inertia.is_zero() and float(alone.mass) == 2
    pair = combined(space, [point_mass(space, ca.SX(2), place), point_mass(space, ca.SX(2), -place)])
    np.testing.assert_allclose(numeric(pair.inertia), numeric(space.steiner(ca.SX(4), place)), rtol=1e-15)
    assert not numeric(pair.centre).any()


def test_composition_does_not_care_for_grouping() -> None:
    rng = np.random.default_rng(3)
    parts = [Distribution(ca.SX(m), ca.SX(rng.normal(size=3)), ca.SX(ca.DM(random_inertia(rng)))) for m in (1, 2, 3, 4)]
    at_once = combined(SPATIAL, parts)
    grouped = combined(SPATIAL, [combined(SPATIAL, parts[:2]), combined(SPATIAL, parts[2:])])
    np.testing.assert_allclose(numeric(grouped.centre), numeric(at_once.centre), rtol=1e-13)
    np.testing.assert_allclose(numeric(grouped.inertia), numeric(at_once.inertia), rtol=1e-13)
