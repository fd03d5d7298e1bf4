"""Rows with few entries: every operation gives what NumPy gives for the whole matrix."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkwork.numerics.matrices.long_rows import LongRows, is_finite, row_of, stacked


@given(st.integers(0, 2**32 - 1), st.integers(0, 8), st.integers(1, 8))
def test_rows_are_those_of_the_whole_matrix(seed: int, m: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    whole = rng.normal(size=(m, n)) * (rng.random((m, n)) < 0.4)
    places = np.nonzero(whole)
    shuffled = rng.permutation(len(places[0]))
    found = LongRows.of_entries((m, n), places[0][shuffled], places[1][shuffled], whole[places][shuffled])
    assert found.shape == (m, n) and len(found) == m and found.size == m * n
    np.testing.assert_array_equal(np.asarray(found), whole)
    np.testing.assert_array_equal(np.asarray(LongRows.of_array(whole)), whole)
    vector, matrix, sizes = rng.normal(size=n), rng.normal(size=(n, 3)), rng.uniform(1, 2, m)
    np.testing.assert_allclose(found @ vector, whole @ vector, atol=1e-14)
    np.testing.assert_allclose(found @ matrix, whole @ matrix, atol=1e-14)
    assert (found @ matrix[:, :0]).shape == (m, 0)
    np.testing.assert_array_equal(np.asarray(found / sizes[:, None]), whole / sizes[:, None])
    np.testing.assert_allclose(found.lengths(), np.linalg.norm(whole, axis=1), atol=1e-15)
    chosen = rng.integers(0, m, 5) if m else np.zeros(0, dtype=int)
    np.testing.assert_array_equal(np.asarray(found[chosen]), whole[chosen])
    for i in range(m):
        np.testing.assert_array_equal(row_of(found, i), whole[i])
    more = rng.normal(size=(2, n))
    np.testing.assert_array_equal(
        np.asarray(stacked([found, more, more[0], found])), np.vstack([whole, more, more[0], whole])
    )
    others = LongRows.of_array(rng.normal(size=(4, n)) * (rng.random((4, n)) < 0.4))
    np.testing.assert_allclose(np.asarray(found.onto(others)), whole @ np.asarray(others).T, atol=1e-14)
    assert found.onto(others[[]]).shape == (m, 0)
    columns, values = found.entries()
    assert len(columns) == len(values) == m
    for row, at, numbers in zip(whole, columns, values, strict=True):
        np.testing.assert_array_equal(at, np.flatnonzero(row))
        np.testing.assert_array_equal(numbers, row[at])


def test_a_number_that_is_none_shows_in_both_ways() -> None:
    whole = np.array([[1.0, 0.0], [0.0, np.nan]])
    assert not is_finite(whole) and not is_finite(
        LongRows.of_entries((2, 2), *np.nonzero(whole), whole[np.nonzero(whole)])
    )
    assert is_finite(whole[:1]) and is_finite(LongRows.of_array(whole[:1]))
