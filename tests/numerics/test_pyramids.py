"""Pyramids for cones: exact in the plane, and nearer to the exact law the more facets they have."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.choice import ALL_SOLVERS, solver_named
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.polyhedral import MOST, Polyhedral
from linkwork.numerics.complementarity.solving import solve_contacts


def random_problem(seed: int, count: int, freedoms: int, size: int) -> ContactProblem:
    rng = np.random.default_rng(seed)
    jacobian = rng.normal(size=(count * size, freedoms))
    right = jacobian @ rng.normal(size=freedoms)
    return ContactProblem.of(jacobian @ jacobian.T, right, rng.uniform(0.1, 0.5, count), size)


@pytest.mark.parametrize("count", [1, 3, 6])
def test_in_the_plane_pyramids_are_what_all_exact_solvers_find(count: int) -> None:
    for seed in range(5):
        problem = random_problem(seed, count, 4 * count, 2)
        found = solve_contacts(problem, Polyhedral())
        assert found.solved
        for solver in ALL_SOLVERS:
            exact = solve_contacts(problem, solver)
            np.testing.assert_allclose(found.u, exact.u, atol=1e-6 * problem.size, err_msg=solver.name)


def test_without_friction_one_row_of_each_contact_is_asked() -> None:
    problem = random_problem(3, 5, 20, 3)
    smooth = ContactProblem.of(problem.entries.toarray(), problem.b, 0.0)
    found, exact = solve_contacts(smooth, Polyhedral()), solve_contacts(smooth, "interior_point")
    np.testing.assert_allclose(found.u, exact.u, atol=1e-7 * problem.size)


@pytest.mark.parametrize("facets", [3, 4, 8, 16, 64])
def test_friction_is_less_than_that_of_the_cone_by_what_the_facets_cut_off(facets: int) -> None:
    rng = np.random.default_rng(facets)
    for _ in range(20):
        angle, mu = rng.uniform(0.0, 2.0 * np.pi), 0.3
        problem = ContactProblem.of(np.eye(3), [-1.0, 5.0 * np.cos(angle), 5.0 * np.sin(angle)], mu)
        found = solve_contacts(problem, Polyhedral(facets=facets))
        part = np.hypot(found.f[1], found.f[2]) / (mu * found.f[0])
        assert found.solved
        assert np.cos(np.pi / facets) - 1e-9 <= part <= 1.0 + 1e-9
        off = np.arccos(
            np.clip(-(found.f[1:] @ found.u[1:]) / np.linalg.norm(found.f[1:]) / np.linalg.norm(found.u[1:]), -1, 1)
        )
        assert off <= np.pi / facets + 1e-6  # fmt: skip


def test_more_facets_are_nearer_to_the_exact_cone() -> None:
    problem = random_problem(11, 4, 16, 3)
    exact = solve_contacts(problem, "interior_point").u
    errors = [np.abs(solve_contacts(problem, Polyhedral(facets=n)).u - exact).max() for n in (4, 16, 64)]
    assert errors[2] < 0.2 * errors[1] < 0.2 * errors[0]


def test_what_it_is_not_for_is_refused() -> None:
    with pytest.raises(RefusedError, match="3 to 64"):
        Polyhedral(facets=2)
    with pytest.raises(RefusedError, match="coulomb alone"):
        solve_contacts(random_problem(0, 1, 3, 3), "polyhedral", law="convex")
    assert solver_named("polyhedral") == Polyhedral()
    many = random_problem(0, MOST + 1, 300, 3)
    assert not solve_contacts(many, Polyhedral()).solved
