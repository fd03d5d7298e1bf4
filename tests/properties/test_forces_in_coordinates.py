"""All forces at once on random mechanisms: generalised forces have the power of the loads, and all methods agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from moved_alike import compare
from random_loads import loaded
from random_mechanisms import examples, random_kinds, seeds

from linkwork.testing import check_elements


@pytest.mark.parametrize("space", ["planar", "spatial"])
@examples(2)
@given(seed=seeds)
def test_all_elements_keep_their_contracts(space: str, seed: int) -> None:
    """Q·v is the sum of what all loads and efforts do, element by element the same in all coordinates; and so on."""
    rng = np.random.default_rng(seed)
    check_elements(loaded(rng, space, random_kinds(rng, space, 3)), time=0.3, seed=seed)


@pytest.mark.parametrize("space", ["planar", "spatial"])
@examples(1)
@given(seed=seeds)
def test_all_methods_move_loaded_trees_alike(space: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    compare(loaded(rng, space, random_kinds(rng, space, 2)), "energy.balance")


def test_all_methods_move_a_loaded_loop_alike() -> None:
    rng = np.random.default_rng(11)
    kinds = ["revolute", "prismatic", "revolute"]
    compare(loaded(rng, "planar", kinds, floating=True, closing=["revolute"]), "energy.balance")
