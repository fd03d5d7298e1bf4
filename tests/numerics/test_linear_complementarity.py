"""Linear complementarity: known problems, all solutions of small ones, and what has none."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import nnls

from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.linear import all_solutions, solve_box, solve_linear
from linkwork.numerics.complementarity.solving import solve_contacts
from linkwork.numerics.kernels.complementarity import dantzig, lemke
from linkwork.numerics.loader import compiled


def is_solution(m: np.ndarray, q: np.ndarray, z: np.ndarray) -> bool:
    w = m @ z + q
    near = 1e-8 * (np.abs(m) @ np.abs(z) + np.abs(q)).max()
    size = 1e-8 * np.abs(z).max(initial=0.0)
    return bool(np.all(z >= 0.0) and np.all(w >= -near) and np.all((z <= size) | (w <= near)))


@pytest.mark.parametrize("n", [1, 2, 5, 10, 20])
def test_the_problem_of_murty(n: int) -> None:
    """Upper triangular, 1 on the diagonal and 2 above, q = −1: pivots by least index take 2ⁿ − 1; z = (0, ..., 0, 1)."""
    m = np.triu(2.0 * np.ones((n, n)), 1) + np.eye(n)
    found = solve_linear(m, -np.ones(n))
    assert found.solved
    np.testing.assert_allclose(found.z, np.eye(n)[-1], atol=1e-12)


@pytest.mark.parametrize("n", [2, 4, 6, 8, 10])
def test_the_problem_of_fathi(n: int) -> None:
    """L Lᵀ of the same triangle: positive definite, and ill-conditioned (Y. Fathi 1979)."""
    low = np.tril(2.0 * np.ones((n, n)), -1) + np.eye(n)
    found = solve_linear(low @ low.T, -np.ones(n), limit=2 ** (n + 1))
    assert found.solved and is_solution(low @ low.T, -np.ones(n), found.z)
    np.testing.assert_allclose(found.z, np.eye(n)[0], atol=1e-9)


def test_solutions_of_random_problems_are_among_all_of_them() -> None:
    rng = np.random.default_rng(1)
    found_none = 0
    for k in range(120):
        n = int(rng.integers(1, 8))
        root = rng.normal(size=(n, int(rng.integers(1, n + 1))))
        turn = rng.normal(size=(n, n))
        # positive semi-definite, of lower rank and with a skew part: copositive-plus, of which a ray says all
        m, q = root @ root.T + (turn - turn.T) * (k % 2), rng.normal(size=n)
        found, expected = solve_linear(m, q), all_solutions(m, q)
        assert found.solved == bool(expected)
        if found.solved:
            assert is_solution(m, q, found.z)
        else:
            found_none += 1
            y = found.ray
            assert y is not None and "no solution" in found.status
            assert np.all(y >= 0.0) and np.all(m.T @ y <= 1e-9 * np.abs(m.T) @ y) and q @ y < 0.0
    assert 10 < found_none < 110


@pytest.mark.parametrize("seed", range(20))
def test_degenerate_problems_come_to_an_end(seed: int) -> None:
    """Small integers: many rows tie."""
    rng = np.random.default_rng(seed)
    root = rng.integers(-1, 2, size=(7, 4))
    m, q = (root @ root.T).astype(float), root @ rng.integers(-1, 2, size=4).astype(float)
    found = solve_linear(m, q)
    assert found.solved and is_solution(m, q, found.z)


def test_copositive_problems_are_solved() -> None:
    """Not positive definite, entries ≥ 0: strictly copositive, so that each q has a solution and Lemke's method finds it."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        m, q = rng.uniform(0.0, 2.0, (5, 5)) + 0.1 * np.eye(5), rng.normal(size=5)
        assert np.linalg.eigvalsh(m + m.T)[0] < 0.0
        found = solve_linear(m, q)
        assert found.solved and is_solution(m, q, found.z)


@pytest.mark.parametrize("first", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("second", [1e-6, 1.0, 1e6])
def test_units_of_rows_do_not_matter(first: float, second: float) -> None:
    rng = np.random.default_rng(5)
    root, q = rng.normal(size=(6, 6)), rng.normal(size=6)
    m, units = root @ root.T, np.array([first] * 3 + [second] * 3)
    usual = solve_linear(m, q)
    found = solve_linear(m * np.outer(units, units), units * q)
    np.testing.assert_allclose(units * found.z, usual.z, atol=1e-8)
    boxed = solve_box(m * np.outer(units, units), units * q)
    np.testing.assert_allclose(units * boxed.x, usual.z, atol=1e-8)


def rod(angle: float, speed: float, mu: float, inertia: float) -> tuple[float, float]:
    """Painlevé's rod, half a length and a mass of one, that slides to the right on a tip: normal acceleration a f + b.

    ÿ = ẍ_n of the tip with the force (−μ f, f): a = 1 + (cos θ − μ sin θ) cos θ / J, b = ω² sin θ − g
    """
    c, s = np.cos(angle), np.sin(angle)
    return 1.0 + c * (c - mu * s) / inertia, speed**2 * s - 9.81


def test_a_rod_that_slides_and_jams() -> None:
    """P. Painlevé 1895: with much friction a < 0. Then a slow rod has no force at all, and a fast one two answers."""
    usual = rod(1.0, 0.0, 0.3, 1.0 / 3.0)
    assert usual[0] > 0.0
    (one,) = all_solutions([[usual[0]]], [usual[1]])
    assert one == pytest.approx(9.81 / usual[0]) and solve_linear([[usual[0]]], [usual[1]]).z == pytest.approx(one)
    slow, fast = rod(1.0, 0.0, 2.0, 1.0 / 3.0), rod(1.0, 5.0, 2.0, 1.0 / 3.0)
    assert slow[0] < 0.0
    assert all_solutions([[slow[0]]], [slow[1]]) == []
    assert "no solution" in solve_linear([[slow[0]]], [slow[1]]).status
    two = all_solutions([[fast[0]]], [fast[1]])
    assert len(two) == 2
    np.testing.assert_allclose(sorted(x[0] for x in two), [0.0, -fast[1] / fast[0]])
    assert solve_linear([[fast[0]]], [fast[1]]).solved


def test_a_ray_that_tells_nothing_says_so() -> None:
    """A matrix that is not copositive: the method ends in a ray, though there is a solution."""
    m, q = [[0.0, 1.0], [2.0, 0.0]], [-1.0, -1.0]
    found = solve_linear(m, q)
    assert not found.solved and found.ray is None and "none found" in found.status
    np.testing.assert_allclose(all_solutions(m, q), [[0.5, 1.0]])


@given(
    root=arrays(float, (4, 4), elements=st.floats(-2.0, 2.0).map(lambda x: round(x, 2))),
    q=arrays(float, 4, elements=st.floats(-2.0, 2.0).map(lambda x: round(x, 2))),
)
def test_positive_definite_problems_have_one_solution(root: np.ndarray, q: np.ndarray) -> None:
    m = root @ root.T + 0.1 * np.eye(4)
    low = np.linalg.cholesky(m)
    expected, _ = nnls(low.T, -np.linalg.solve(low, q))
    found, boxed = solve_linear(m, q), solve_box(m, q)
    assert found.solved and boxed.solved
    np.testing.assert_allclose(found.z, expected, atol=1e-7)
    np.testing.assert_allclose(boxed.x, expected, atol=1e-7)


def boxes(a: np.ndarray, b: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    """w of a box by all combinations of sides; it is unique, x need not be."""
    for sides in product((0, 1, 2), repeat=b.size):
        x = np.choose(sides, [np.zeros(b.size), lo, hi])
        own = [i for i, side in enumerate(sides) if side == 0]
        if own:
            x[own] = np.linalg.lstsq(a[np.ix_(own, own)], -(a @ x + b)[own], rcond=1e-12)[0]
        w, near = a @ x + b, 1e-9
        at_side = [
            abs(v) < near if s == 0 else v > -near if s == 1 else v < near for v, s in zip(w, sides, strict=True)
        ]
        if all(at_side) and np.all(x >= lo - near) and np.all(x <= hi + near):
            return w
    raise AssertionError("no combination")


@pytest.mark.parametrize("seed", range(30))
def test_boxes_are_those_of_all_combinations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(5, 5 if seed % 2 else 3))  # every other one is singular
    a, b = root @ root.T, root @ rng.normal(size=root.shape[1])
    lo = rng.uniform(-1.0, 0.5, 5)
    hi = lo + rng.uniform(0.0, 1.5, 5)
    found = solve_box(a, b, lo, hi)
    assert found.solved and np.all(found.x >= lo) and np.all(found.x <= hi)
    np.testing.assert_allclose(found.w, boxes(a, b, lo, hi), atol=1e-7)


def test_equations_among_them() -> None:
    """Rows without bounds are equations: joints beside stops."""
    rng = np.random.default_rng(9)
    root = rng.normal(size=(6, 6))
    a, b = root @ root.T, rng.normal(size=6)
    found = solve_box(a, b, -np.inf, np.inf)
    np.testing.assert_allclose(found.x, np.linalg.solve(a, -b), rtol=1e-9)


def test_what_no_force_can_stop_says_so() -> None:
    """Two rows that pull one body apart."""
    a = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert "no solution" in solve_box(a, [-1.0, -1.0]).status
    assert "no solution" in solve_linear(a, [-1.0, -1.0]).status


def test_friction_in_a_box_is_coulombs_in_the_plane() -> None:
    """One direction: the box is the cone, once its bounds agree. One pass has those of no friction at all."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        root = rng.normal(size=(6, 9))
        a, b = root @ root.T, root @ rng.normal(size=9)
        friction = ([-1, 0, -1, 2, -1, 4], np.full(6, 0.3))
        found = solve_box(a, b, [0.0, 0, 0, 0, 0, 0], np.inf, friction=friction)
        cone = solve_contacts(ContactProblem.of(a, b, 0.3, sizes=2))
        # Coulomb's law without De Saxcé's correction is the box with its bounds: u_n = 0 where it slides
        assert found.solved and cone.solved
        np.testing.assert_allclose(found.w, cone.u, atol=1e-6 * np.abs(b).max())


def test_a_box_is_not_round() -> None:
    """A block that slides along a diagonal has √2 times the friction in a box: axes matter, which cones do not know."""
    a, b, s = np.eye(3), np.array([-1.0, 2.0, 0.0]), np.sqrt(0.5)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, s, -s], [0.0, s, s]])
    straight, turned = (
        solve_box(a, right, [0.0, 0.0, 0.0], np.inf, friction=([-1, 0, 0], np.full(3, 0.5))) for right in (b, turn @ b)
    )
    assert np.linalg.norm(straight.x[1:]) == pytest.approx(0.5)
    assert np.linalg.norm(turned.x[1:]) == pytest.approx(0.5 * np.sqrt(2.0))


def test_kernels_say_the_same_in_python() -> None:
    rng = np.random.default_rng(4)
    root, q = rng.normal(size=(4, 3)), rng.normal(size=4)
    m = (root @ root.T + 0.1 * np.eye(4)).reshape(-1)
    answers = []
    for way in (compiled, lambda kernel: kernel):
        table = lemke.LinearProblem(n=4, limit=100, matrix=m, q=q)
        lemke_steps = [way(lemke.write_table)(table), way(lemke.pivot)(table.table, 4, way(lemke.first_row)(table), 8)]
        box = dantzig.BoxProblem(n=4, passes=1, given=m, b=q, lo=np.zeros(4), hi=np.full(4, 2e300), mu=np.zeros(4))
        box.normal = np.full(4, -1)
        assert way(dantzig.run_dantzig)(box) == dantzig.SOLVED and lemke_steps == [None, None]
        answers.append(np.concatenate([table.table, box.x, box.w]))
    np.testing.assert_allclose(*answers, atol=1e-13)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(RefusedError, match="n × n"):
        solve_linear(np.eye(3), np.ones(2))
    with pytest.raises(RefusedError, match="symmetric"):
        solve_box(np.triu(np.ones((2, 2))), np.ones(2))
    with pytest.raises(RefusedError, match="above"):
        solve_box(np.eye(2), np.ones(2), 1.0, 0.0)
    with pytest.raises(RefusedError, match="at most 16"):
        all_solutions(np.eye(17), np.ones(17))
