"""Random mechanisms of every joint kind: all combinations of coordinates and formulation move them alike.

The reference backend saves the compilation of models that are used once.
"""

from __future__ import annotations

import numpy as np
import pytest
from combinations import COMBINATIONS
from hypothesis import given
from random_mechanisms import examples, random_kinds, random_tree, seeds

import linkwork as lw


def compare(model: lw.Model) -> None:
    axes = "xy" if model.space == "planar" else "xyz"
    names = [f"{body}.{letter}{axis}" for body in model.bodies for letter in ("", "v", "a") for axis in axes]
    names += [f"{joint}.f{axis}" for joint in model.joints for axis in axes]
    first: dict[str, np.ndarray] = {}
    for coordinates, formulation in COMBINATIONS:
        result = lw.simulate(
            model,
            0.05,
            step=0.025,
            coordinates=coordinates,
            formulation=formulation,
            rtol=1e-11,
            atol=1e-13,
            max_steps=10_000,
            backend="reference",
        )
        assert result.outcome.completed, result.outcome
        values = result.values(names)
        assert np.max(result.closure_error) < 1e-10
        turnover = max(1.0, float(np.max(result["energy.kinetic"])))
        np.testing.assert_allclose(result.energy, result.energy[0], atol=1e-8 * turnover)
        first = first or values
        for name in names:
            size = max(1.0, float(np.max(np.abs(first[name]))))
            np.testing.assert_allclose(values[name], first[name], atol=1e-6 * size, err_msg=name)


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
