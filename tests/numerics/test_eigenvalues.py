"""Eigenvalues by blocks: chains of zeros are exact, others are those of the whole matrix."""

import numpy as np

from linkwork.numerics.systems.eigenvalues import block_eigenvalues


def test_a_chain_of_integrators_has_exact_zeros():
    """A Jordan block of size 4 that a rotation of states does not hide has a fourfold zero; whole, it is found to 1e-4."""
    chain = np.diag([3.0, 0.2, 7.0], 1)
    order = [2, 0, 3, 1]
    assert np.array_equal(block_eigenvalues(chain[np.ix_(order, order)]), np.zeros(4))


def test_blocks_keep_the_eigenvalues_of_the_whole():
    rng = np.random.default_rng(2)
    for _ in range(20):
        blocks = [rng.normal(size=(n, n)) for n in (1, 3, 2)]
        whole = np.zeros((6, 6))
        whole[:1, :1], whole[1:4, 1:4], whole[4:, 4:] = blocks
        whole[:1, 1:], whole[1:4, 4:] = rng.normal(size=(1, 5)), rng.normal(size=(3, 2))
        order = rng.permutation(6)
        exact = np.concatenate([np.linalg.eigvals(block) for block in blocks])
        found = block_eigenvalues(whole[np.ix_(order, order)])
        np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(exact), rtol=1e-11)
        assert np.all(np.diff(np.abs(found)) > -1e-8)


def test_nothing_has_no_eigenvalues():
    assert block_eigenvalues(np.zeros((0, 0))).shape == (0,)
