"""Block triangular form: every group needs only unknowns of the groups before it, and no group can be split."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkwork.loops.triangular import block_triangular


@given(st.integers(1, 14), st.floats(0.02, 0.4), st.integers(0, 2**31))
def test_groups_are_solvable_one_after_the_other(n: int, density: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pattern = (rng.random((n, n)) < density) | np.eye(n, dtype=bool)[rng.permutation(n)]
    groups = block_triangular(pattern)
    assert groups is not None
    known: set[int] = set()
    for rows, columns in groups:
        assert len(rows) == len(columns)
        for row in rows:
            assert set(np.flatnonzero(pattern[row])) <= known | set(columns)
        known |= set(columns)
    assert known == set(range(n))


@given(st.integers(0, 2**31))
def test_the_finest_order_of_a_hidden_triangle_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 9
    triangle = np.tril(rng.random((n, n)) < 0.4) | np.eye(n, dtype=bool)
    groups = block_triangular(triangle[rng.permutation(n)][:, rng.permutation(n)])
    assert groups is not None
    assert [len(rows) for rows, _ in groups] == [1] * n


def test_a_structurally_singular_pattern_is_refused() -> None:
    pattern = np.ones((3, 3), dtype=bool)
    pattern[:2, :2] = False
    pattern[:2, 2] = True
    assert block_triangular(pattern) is None
