"""Random mechanisms of every joint kind: all combinations of coordinates and formulation move them alike.

The reference backend saves the compilation of models that are used once.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from moved_alike import compare
from random_mechanisms import examples, random_kinds, random_tree, seeds

import linkwork as lw


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("space", ["planar", "spatial"])
@examples(2)
@given(seed=seeds)
def test_trees(space: str, floating: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    compare(lw.Model(**random_tree(rng, space, random_kinds(rng, space, 3), floating)))


@pytest.mark.parametrize("space", ["planar", "spatial"])
@examples(2)
@given(seed=seeds)
def test_loops(space: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    if space == "planar":
        kinds, closing = ["revolute", "prismatic", "revolute"], ["revolute"]
    else:
        kinds, closing = ["universal", "cylindrical", "spherical"], [str(rng.choice(["spherical", "universal"]))]
    model = lw.Model(**random_tree(rng, space, kinds, floating=True, closing=closing))
    assert lw.analyse(model).loops
    compare(model)
