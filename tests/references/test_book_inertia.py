"""Chapter 4 of the book: mass matrices in natural coordinates, point masses, and one mechanism by three routes.

SOURCE of all: J. García de Jalón and E. Bayo, Kinematic and Dynamic Simulation of Multibody Systems, Springer 1994,
sections 4.1 and 4.2 and the problems of chapter 4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import casadi as ca
import numpy as np
import pytest
from combinations import every_combination
from numpy.typing import NDArray
from random_mechanisms import random_inertia
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.coordinates.numbering import number

Array = NDArray[np.float64]


def mass_matrix(model: lw.Model, unknowns: Sequence[str]) -> Array:
    """The rows and columns of M in natural coordinates that belong to *unknowns*; all others must be zero."""
    c = number(lw.analyse(model), "natural")
    assert not ca.depends_on(c.mass, c.q)
    whole = np.array(ca.DM(ca.densify(c.mass)))
    names = list(c.kinematics.q_names)
    chosen = [names.index(name) for name in unknowns]
    others = [i for i in range(len(names)) if i not in chosen]
    assert not whole[others].any()
    return whole[np.ix_(chosen, chosen)]


# -- the plane -------------------------------------------------------------------------------------------------------

PLANAR = ("A.x", "A.y", "B.x", "B.y")


def planar_matrix(body: dict[str, Any], length: float = 1.0) -> Array:
    """M of a body between the points A and B, which two massless links carry."""
    points = {"O": [0, -1], "A": [0, 0], "B": [length, 0], "C": [length, -1]}
    bodies = {"a": {"bar": ["O", "A"], "mass": 0}, "b": body, "c": {"bar": ["C", "B"], "mass": 0}}
    pairs = {"O": ("ground", "a"), "A": ("a", "b"), "B": ("b", "c"), "C": ("ground", "c")}
    joints = {name: {"kind": "revolute", "bodies": list(pair)} for name, pair in pairs.items()}
    return mass_matrix(lw.Model(space="planar", points=points, bodies=bodies, joints=joints), PLANAR)


def by_equation_4_48(m: float, x: float, y: float, inertia: float, length: float = 1.0) -> Array:
    """(4.48); *inertia* about the point i, (x, y) the centre of gravity seen from it."""
    e, d = inertia / length**2, m * y / length
    a, b = m - 2 * m * x / length + e, m * x / length - e
    return np.array([[a, 0, b, -d], [0, a, d, b], [b, d, e, 0], [-d, b, 0, e]])


@pytest.mark.parametrize("seed", range(4))
def test_planar_body_with_two_points(seed: int) -> None:
    # SOURCE: eq. (4.48)
    rng = np.random.default_rng(seed)
    m, x, y, moment, length = rng.uniform(0.5, 2, 5)
    body = {"bar": ["A", "B"], "mass": m, "com": [x, -y], "inertia": moment}
    expected = by_equation_4_48(m, x, -y, moment + m * (x**2 + y**2), length)
    np.testing.assert_allclose(planar_matrix(body, length), expected, atol=1e-14)


def test_uniform_bar() -> None:
    # SOURCE: Example 4.6
    found = planar_matrix({"bar": ["A", "B"], "mass": 6.0}, 1.7)
    np.testing.assert_allclose(found, np.kron([[2, 1], [1, 2]], np.eye(2)), atol=1e-15)
    rod = {"bar": ["A", "B"], "shapes": {"s": {"rod": 1.7, "mass": 6, "at": [0.85, 0]}}}
    np.testing.assert_allclose(planar_matrix(rod, 1.7), found, atol=1e-15)


UP, DOWN = {"U": [0, 1]}, {"D": [0, -1]}
PROBLEM_4_1 = {
    "a": ({"masses": {"A": 1}}, by_equation_4_48(1, 0, 0, 0)),
    "b": ({"masses": {"B": 1}}, by_equation_4_48(1, 1, 0, 1)),
    "c": ({"masses": {"U": 1}, "points": UP}, by_equation_4_48(1, 0, 1, 1)),
    "d": ({"masses": {"D": 1}, "points": DOWN}, by_equation_4_48(1, 0, -1, 1)),
    "e": (
        {"shapes": {"disc": {"cylinder": {"radius": 1, "length": 0.1, "axis": "z"}, "mass": 1}}},
        by_equation_4_48(1, 0, 0, 1 / 2),
    ),
}


@pytest.mark.parametrize("case", PROBLEM_4_1)
def test_point_masses_and_a_disc(case: str) -> None:
    # SOURCE: Problem 4/1, the distance of i and j is 1
    body, expected = PROBLEM_4_1[case]
    np.testing.assert_allclose(planar_matrix({"bar": ["A", "B"], **body}), expected, atol=1e-15)


COUPLING = np.kron([[0, 1], [1, 0]], np.eye(2))
MASSES = {"A": 2, "B": 1, "U": -0.5, "D": -0.5}


def test_masses_that_make_a_given_matrix() -> None:
    # SOURCE: Problem 4/2; m_A + m_B + m_U + m_D = 2, m_B = 1, m_U = m_D, m_B + m_U + m_D = 0
    units = np.stack([PROBLEM_4_1[case][1].ravel() for case in "abcd"], axis=1)
    solution, residual, rank, _ = np.linalg.lstsq(units, COUPLING.ravel(), rcond=None)
    assert rank == 4 and residual < 1e-28
    np.testing.assert_allclose(solution, list(MASSES.values()), atol=1e-14)


def test_negative_masses_on_a_real_body() -> None:
    """A body that is heavy enough for them has the sum of the matrices; alone they are no body."""
    # SOURCE: Problem 4/2
    heavy = {"bar": ["A", "B"], "points": UP | DOWN, "mass": 12.0}
    found = planar_matrix({**heavy, "masses": MASSES})
    np.testing.assert_allclose(found, planar_matrix(heavy) + COUPLING, atol=1e-14)
    assert np.linalg.eigvalsh(found)[0] > 0
    with pytest.raises(lw.errors.ModelError, match=r"bodies.b: no body has the moment of inertia -0.5 kg·m²"):
        planar_matrix({"bar": ["A", "B"], "points": UP | DOWN, "masses": MASSES})


# -- space -----------------------------------------------------------------------------------------------------------

A, B = np.array([0.1, -0.2, 0.3]), np.array([1.1, 0.4, -0.1])
U, V = np.array([0.0, 0.6, 0.8]), np.array([0.48, 0.6, -0.64])
SPATIAL = tuple(f"{name}.{axis}" for name in ("A", "B", "A.axis", "B.axis") for axis in "xyz")


def spatial_model(body: dict[str, Any], hinged: bool = True) -> lw.Model:
    """A body between the points A and B, which two massless links carry; hinges along u and v, or balls."""
    points = {"O": (A - [0, 0, 1]).tolist(), "A": A.tolist(), "B": B.tolist(), "C": (B - [0, 0, 1]).tolist()}
    bodies = {"a": {"bar": ["O", "A"], "mass": 0}, "b": body, "c": {"bar": ["C", "B"], "mass": 0}}
    pairs = {"O": ("ground", "a"), "A": ("a", "b"), "B": ("b", "c"), "C": ("ground", "c")}
    joints: dict[str, Any] = {name: {"kind": "spherical", "bodies": list(pair)} for name, pair in pairs.items()}
    if hinged:
        joints["A"] |= {"kind": "revolute", "axis": U.tolist()}
        joints["B"] |= {"kind": "revolute", "axis": V.tolist()}
    return lw.Model(space="spatial", points=points, bodies=bodies, joints=joints)


def body_at(places: dict[str, Array], **more: Any) -> dict[str, Any]:
    """A body with points by name, its axes along those of the world."""
    return {"points": {name: place.tolist() for name, place in places.items()}, "origin": [0, 0, 0], **more}


def by_equation_4_61(m: float, centre: Array, inertia: Array) -> Array:
    """(4.61); *inertia* about the centre."""
    second = np.trace(inertia) / 2 * np.eye(3) - inertia  # ∫ρ (r − r_G)(r − r_G)ᵀ
    inverse = np.linalg.inv(np.stack([B - A, U, V], axis=1))
    a = inverse @ (centre - A)
    z = inverse @ (second + m * np.outer(centre - A, centre - A)) @ inverse.T
    small = np.zeros((4, 4))
    small[0, 0] = m - 2 * m * a[0] + z[0, 0]
    small[0, 1:] = small[1:, 0] = m * a - z[0]
    small[1:, 1:] = z
    return np.kron(small, np.eye(3))


@pytest.mark.parametrize("seed", range(3))
def test_spatial_body_with_two_points_and_two_vectors(seed: int) -> None:
    # SOURCE: eq. (4.61)
    rng = np.random.default_rng(seed)
    m, centre, inertia = rng.uniform(0.5, 2), rng.normal(size=3), random_inertia(rng)
    body = body_at({"A": A, "B": B}, mass=m, com=centre.tolist(), inertia=inertia.tolist())
    found = mass_matrix(spatial_model(body), SPATIAL)
    np.testing.assert_allclose(found, by_equation_4_61(m, centre, inertia), atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_any_body_is_ten_point_masses(seed: int) -> None:
    """Ten numbers describe a rigid body, and so do masses, some negative, at ten given points."""
    # SOURCE: eq. (4.61) and Problems 4/2 and 4/4
    rng = np.random.default_rng(seed)
    m, centre, inertia = rng.uniform(0.5, 2), rng.normal(size=3), random_inertia(rng)
    second = np.trace(inertia) / 2 * np.eye(3) - inertia + m * np.outer(centre, centre)
    e = 0.8 * np.eye(3)
    places = np.array([0 * e[0], *e, *-e, e[0] + e[1], e[1] + e[2], e[2] + e[0]])
    upper = np.triu_indices(3)
    moments = [[1, *place, *np.outer(place, place)[upper]] for place in places]
    masses = np.linalg.solve(np.array(moments).T, [m, *(m * centre), *second[upper]])
    assert masses.min() < 0
    points = {"A": A, "B": B} | {f"P{i}": place for i, place in enumerate(places)}
    body = body_at(points, masses={f"P{i}": float(mass) for i, mass in enumerate(masses)})
    found = mass_matrix(spatial_model(body), SPATIAL)
    np.testing.assert_allclose(found, by_equation_4_61(m, centre, inertia), atol=1e-11)


def test_slender_bar_in_space() -> None:
    # SOURCE: eq. (4.86) and Problem 4/3
    found = mass_matrix(spatial_model({"bar": ["A", "B"], "mass": 6.0}, hinged=False), SPATIAL[:6])
    np.testing.assert_allclose(found, np.kron([[2, 1], [1, 2]], np.eye(3)), atol=1e-14)


# -- one mechanism, three routes -------------------------------------------------------------------------------------

M1, M2, L, G = 3.0, 2.0, 1.0, 9.81
START = (0.5, 0.7, -1.0, 2.0)  # q1 along the rod, q2 its angle, and their rates
TIMES = np.linspace(0, 1, 11)


def sliding_mass() -> lw.Model:
    """Figure 4.2: the mass m1 slides along a massless rod that carries m2 at its tip."""
    q1, q2, rate1, rate2 = START
    direction = np.array([np.cos(q2), np.sin(q2)])
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "B": (L * direction).tolist(), "S": (q1 * direction).tolist()},
        bodies={"rod": {"bar": ["O", "B"], "masses": {"B": M2}}, "slider": {"points": ["S"], "masses": {"S": M1}}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "rod"]},
            "guide": {
                "kind": "prismatic",
                "bodies": ["rod", "slider"],
                "at": ["O", "S"],
                "axis": direction.tolist(),
            },
        },
        initial={"O": {"speed": rate2}, "guide": {"speed": rate1}},
    )


def lagrange(q: Array, v: Array) -> tuple[Array, Array]:
    """Example 4.2: M and right-hand side in the independent coordinates."""
    (q1, q2), (w1, w2) = q, v
    inertia = np.diag([M1, M2 * L**2 + M1 * q1**2])
    quadratic = np.array([M1 * q1 * w2**2, -2 * M1 * q1 * w1 * w2])
    weight = np.array([M1 * G * np.sin(q2), (M1 * q1 + M2 * L) * G * np.cos(q2)])
    return inertia, quadratic - weight


def cartesian(x: Array, v: Array) -> Array:
    """Example 4.3: accelerations of both masses, with two multipliers; x = (x1, y1, x2, y2)."""
    x1, y1, x2, y2 = x
    u1, w1, u2, w2 = v
    jacobian = np.array([[0, 0, 2 * x2, 2 * y2], [y2, -x2, -y1, x1]])
    quadratic = np.array([2 * (u2**2 + w2**2), 2 * (u1 * w2 - u2 * w1)])  # Φ̇_q q̇
    matrix = np.block([[np.diag([M1, M1, M2, M2]), jacobian.T], [jacobian, np.zeros((2, 2))]])
    return np.linalg.solve(matrix, np.concatenate([[0, -M1 * G, 0, -M2 * G], -quadratic]))[:4]


def canonical(q: Array, p: Array) -> tuple[Array, Array]:
    """Example 4.5: q̇ from p = M q̇ (4.28), and ṗ = L_q (4.29)."""
    q1, q2 = q
    v = p / [M1, M2 * L**2 + M1 * q1**2]
    weight = np.array([M1 * G * np.sin(q2), (M1 * q1 + M2 * L) * G * np.cos(q2)])
    return v, np.array([M1 * q1 * v[1] ** 2, 0]) - weight


def places(q: Array, v: Array) -> tuple[Array, Array]:
    """Positions and velocities of both masses, (x1, y1, x2, y2)."""
    (q1, q2), (w1, w2) = q, v
    along, across = np.array([np.cos(q2), np.sin(q2)]), np.array([-np.sin(q2), np.cos(q2)])
    return np.concatenate([q1 * along, L * along]), np.concatenate([w1 * along + q1 * w2 * across, L * w2 * across])


def integrated(rate: Callable[[Array, Array], tuple[Array, Array]], start: tuple[Array, Array]) -> Array:
    """The first halves of the states at TIMES, (n, 11), by SciPy at 1e-12."""
    n = len(start[0])

    def slope(_: float, y: Array) -> Array:
        return np.concatenate(rate(y[:n], y[n:]))

    run = solve_ivp(slope, (0, 1), np.concatenate(start), method="DOP853", rtol=1e-12, atol=1e-13, t_eval=TIMES)
    return np.asarray(run.y[:n])


@cache
def routes() -> dict[str, Array]:
    """Positions of both masses (4, 11) by the equations of the three examples."""
    q, v = np.array(START[:2]), np.array(START[2:])
    independent = integrated(lambda a, b: (b, np.linalg.solve(*lagrange(a, b))), (q, v))
    momenta = integrated(canonical, (q, lagrange(q, v)[0] @ v))
    return {
        "4.2": np.stack([places(a, v)[0] for a in independent.T], axis=1),
        "4.3": integrated(lambda a, b: (b, cartesian(a, b)), places(q, v)),
        "4.5": np.stack([places(a, v)[0] for a in momenta.T], axis=1),
    }


def test_three_routes_agree() -> None:
    # SOURCE: Examples 4.2, 4.3 and 4.5, as printed (the mass matrix depends on q1, not on q2 as the text says)
    found = routes()
    np.testing.assert_allclose(found["4.3"], found["4.2"], atol=1e-9)
    np.testing.assert_allclose(found["4.5"], found["4.2"], atol=1e-10)


@every_combination
def test_every_combination_takes_the_same_route(coordinates: str, formulation: str) -> None:
    # SOURCE: Examples 4.2, 4.3 and 4.5
    result = lw.simulate(
        sliding_mass(), times=TIMES, coordinates=coordinates, formulation=formulation, rtol=1e-10, atol=1e-12
    )
    names = ("S.{}x", "S.{}y", "B.{}x", "B.{}y")
    positions, velocities, accelerations = (np.stack([result[n.format(k)] for n in names]) for k in ("", "v", "a"))
    np.testing.assert_allclose(positions, routes()["4.2"], atol=1e-7)
    for i in range(len(TIMES)):
        expected = cartesian(positions[:, i], velocities[:, i])
        np.testing.assert_allclose(accelerations[:, i], expected, atol=1e-6)


def test_the_equations_are_those_of_the_examples() -> None:
    # SOURCE: Examples 4.2 and 4.3
    relative = number(lw.analyse(sliding_mass()), "relative")
    assert relative.kinematics.q_names == ("O.angle", "guide.position")
    equations = ca.Function("f", [relative.q, relative.v, relative.p], [relative.mass, relative.forces])
    rng = np.random.default_rng(0)
    for _ in range(5):
        q, v = rng.normal(size=2), rng.normal(size=2)
        mass, forces = (np.array(value) for value in equations(q, v, np.zeros(relative.p.numel())))
        expected_mass, expected_forces = lagrange(q[::-1], v[::-1])
        np.testing.assert_allclose(mass, expected_mass[::-1, ::-1], atol=1e-14)
        np.testing.assert_allclose(forces.ravel(), expected_forces[::-1], atol=1e-13)
