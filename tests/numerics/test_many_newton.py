"""Newton's method on many systems at once: each arrives where it would alone, and says so where it does not."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from linkwork.numerics.paths.many_newton import (
    ManyDescent,
    ManySystems,
    damped_steps,
    descend_many,
    exact_steps,
    least_steps,
)


def circles(q: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """|q|² = 1 and q₀ + q₁ = x, the first of them twice: q = (x ± √(2 − x²)) / 2."""
    phi = np.column_stack([np.sum(q**2, axis=1) - 1, np.sum(q**2, axis=1) - 1, q[:, 0] + q[:, 1] - x[:, 0]])
    slope = np.stack([2 * q, 2 * q, np.ones_like(q)], axis=1)
    return phi, slope


SYSTEMS = ManySystems(circles, np.add, np.ones(2))
WAYS = {
    "least": ManyDescent(),
    "exact": ManyDescent(steps=exact_steps),
    "damped": ManyDescent(steps=partial(damped_steps, near=1e-2), most=60),
}


@pytest.mark.parametrize("way", WAYS)
def test_all_arrive_at_once(way: str) -> None:
    x = np.linspace(-1.3, 1.3, 40)[:, None]
    start = np.column_stack([x[:, 0] / 2 + 0.6, x[:, 0] / 2 - 0.6])
    found, ok, crossed = descend_many(SYSTEMS, start, x, WAYS[way])
    aside = np.sqrt(2 - x[:, 0] ** 2)
    assert np.all(ok) and not np.any(crossed)
    np.testing.assert_allclose(found, np.column_stack([x[:, 0] + aside, x[:, 0] - aside]) / 2, atol=1e-11)


def test_what_has_no_solution_is_not_found_and_hinders_nobody() -> None:
    x = np.array([[0.5], [3.0], [np.nan], [-0.5]])
    found, ok, _ = descend_many(SYSTEMS, np.tile([0.9, -0.2], (4, 1)), x, ManyDescent())
    assert ok.tolist() == [True, False, False, True]
    np.testing.assert_allclose(np.sum(found[ok], axis=1), [0.5, -0.5], atol=1e-12)


def test_a_solution_far_away_is_one_of_another_branch() -> None:
    x = np.array([[0.5]])
    near = descend_many(SYSTEMS, np.array([[0.9, -0.2]]), x, ManyDescent(farthest=0.01))
    assert not near[1][0] and near[2][0]


@pytest.mark.parametrize("shape", [(2, 5), (5, 2), (3, 3)])
def test_steps_are_the_shortest(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    slope, phi = rng.normal(size=(6, *shape)), rng.normal(size=(6, shape[0]))
    if shape[0] > shape[1]:
        # no contradictions: rows of length one would be weighed otherwise
        phi = (slope @ rng.normal(size=(6, shape[1], 1)))[:, :, 0]
    shortest = -np.array([np.linalg.pinv(g) @ f for g, f in zip(slope, phi, strict=True)])
    np.testing.assert_allclose(least_steps(slope, phi), shortest, atol=1e-9)
    np.testing.assert_allclose(exact_steps(slope, phi), shortest, atol=1e-11)
    assert np.max(np.abs(ManyDescent(longest=0.1).shortened(slope, phi))) <= 0.1 * (1 + 1e-12)
