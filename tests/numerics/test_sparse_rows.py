"""Rows that touch few unknowns: the same rank, null space and shortest solution as by singular values of the whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linkwork.numerics.matrices.sparse_rows import SparseRows
from linkwork.numerics.policy import POLICY


def sparse(rng: np.random.Generator, m: int, n: int, touched: int) -> np.ndarray:
    rows = np.zeros((m, n))
    for row in rows:
        row[rng.choice(n, size=min(touched, n), replace=False)] = rng.normal(size=min(touched, n))
    return rows


@example(273, 12, 21, 4, 0)  # small pivots one after the other, of rows that are far from depending on each other
@given(st.integers(0, 2**32 - 1), st.integers(0, 25), st.integers(1, 25), st.integers(1, 5), st.integers(0, 4))
def test_singular_values_say_the_same(seed: int, m: int, n: int, touched: int, repeated: int) -> None:
    """With rows that repeat others, exactly or by a sum, and right sides that contradict each other."""
    rng = np.random.default_rng(seed)
    rows = sparse(rng, m, n, touched)
    extra = [rng.normal(size=m) @ rows for _ in range(repeated)] if m else []
    rows = POLICY.unit_rows(np.vstack([rows, *extra]))[0]
    right = rng.normal(size=len(rows))
    sizes = np.linalg.svd(rows, compute_uv=False) if rows.size else np.zeros(0)
    if np.any((sizes > 1e-12) & (sizes < 1e-3)):
        return
    found = SparseRows(rows, right)
    rank = found.clear + POLICY.count(found.sizes)
    assert rank == POLICY.count(sizes)
    free = found.null_space(rank)
    assert free.shape == (n, n - rank)
    np.testing.assert_allclose(rows @ free, 0.0, atol=1e-11)
    np.testing.assert_allclose(free.T @ free, np.eye(n - rank), atol=1e-12)
    np.testing.assert_allclose(
        found.solution(1e-10), np.linalg.pinv(rows, rcond=1e-9) @ right, atol=1e-8 / min([1.0, *sizes[:rank]])
    )


@pytest.mark.parametrize("small", [1e-3, 1e-5, 1e-6, 2e-7, 5e-8, 1e-9])
def test_a_small_singular_value_is_found_to_its_digits(small: float) -> None:
    """The last condition of a long chain repeats the others but for a little: what is left is that of the whole."""
    rng, n = np.random.default_rng(4), 60
    rows = np.zeros((n, n))
    for i in range(n - 1):
        rows[i, i : i + 2] = rng.normal(size=2) + [2.0, 0.0]
    rows = POLICY.unit_rows(rows)[0]
    motion = np.linalg.svd(rows[:-1])[2][-1]
    # across all freedoms, and by a little along the one that is left
    rows[-1, [0, 1, n - 2, n - 1]] = rng.normal(size=4)
    rows[-1] -= (rows[-1] @ motion) * motion
    rows[-1] = rows[-1] / np.linalg.norm(rows[-1]) + small * motion
    exact = float(np.linalg.svd(rows, compute_uv=False)[-1])
    found = SparseRows(rows, rows @ np.ones(n))
    assert found.clear + len(found.sizes) == n
    assert float(found.sizes[-1] if len(found.sizes) else np.inf) == pytest.approx(exact, rel=1e-3) or exact > 1e-4
    assert found.clear + POLICY.count(found.sizes) == (n if exact > POLICY.rank else n - 1)
    np.testing.assert_allclose(found.solution(1e-10), 1.0, atol=1e-14 / exact)


def test_a_chain_leaves_nothing_to_be_decided() -> None:
    """A row between every body and the next: no loop, and no singular value."""
    rows = np.eye(400)[:-1] - np.eye(400)[1:]
    found = SparseRows(rows / np.sqrt(2.0))
    assert found.clear == 399 and not len(found.sizes)
    np.testing.assert_allclose(np.abs(found.null_space(399)), 0.05, atol=1e-12)
