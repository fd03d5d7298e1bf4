"""Many bodies: no singular values of the whole, and the same answers as with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mechanisms
import numpy as np
import pytest
from test_outward import chain

import linkwork as lw
from linkwork.position import rank

LIBRARY = Path(__file__).parents[2] / "examples" / "mechanisms"


@pytest.mark.parametrize(
    "model",
    [
        chain(60),
        chain(60, 1.3, initial={f"J{i}": {"angle": 0.1 * (i % 4)} for i in range(60)}),
        mechanisms.n_four_bar(40),
    ],
)
def test_no_singular_values_of_the_whole(model: lw.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, plain = [], np.linalg.svd

    def counted(matrix: np.ndarray, *given: Any, **more: Any) -> Any:
        sizes.append(min(matrix.shape[-2:]))
        return plain(matrix, *given, **more)

    monkeypatch.setattr(np.linalg, "svd", counted)
    topology = lw.topology.analyse(model)
    assert max(sizes, default=0) <= 12 < len(topology.model.bodies)
    assert topology.assembly.residual < 1e-12 * topology.conditions.length


@pytest.mark.parametrize("name", sorted(path.stem for path in LIBRARY.glob("*.yaml")))
def test_elimination_answers_as_singular_values_do(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = lw.load(LIBRARY / f"{name}.yaml")
    one = lw.topology.analyse(model)
    monkeypatch.setattr(rank, "MANY", 0)
    other = lw.topology.analyse(model)
    assert one.mobility == other.mobility
    assert one.plan.inputs == other.plan.inputs
    assert one.assembly.kept == other.assembly.kept
    for body, pose in one.assembly.poses.items():
        np.testing.assert_allclose(other.assembly.poses[body].origin, pose.origin, atol=1e-11 * one.conditions.length)
        np.testing.assert_allclose(other.assembly.poses[body].axes, pose.axes, atol=1e-11)
        np.testing.assert_allclose(other.assembly.twists[body], one.assembly.twists[body], atol=1e-8)
