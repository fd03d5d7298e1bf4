"""Many bodies: no singular values of the whole, and the same answers as with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mechanisms
import numpy as np
import pytest
from linkages import revolute
from test_outward import chain

import linkwork as lw
from linkwork.numerics.matrices.sparse_rows import SparseRows
from linkwork.numerics.policy import POLICY
from linkwork.position import rank
from linkwork.position.poses import PoseConditions
from linkwork.topology.analyse import sketch_size
from linkwork.topology.resolve import resolve

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"


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


@pytest.mark.parametrize("away", [1e-3, 3e-5, 1e-5, 1e-6, 0.0])
def test_the_limit_lies_where_it_lies_for_the_whole(away: float) -> None:
    """Thirty parallelograms in a row, almost flat: singular values from 1e-6 down are those of all rows together."""
    count, up = 30, [np.cos(away), np.sin(away)]
    points = {f"O{i}": [i, 0] for i in range(count + 1)} | {f"A{i}": [i + up[0], up[1]] for i in range(count + 1)}
    bodies = {f"crank{i}": {"bar": [f"O{i}", f"A{i}"], "mass": 1} for i in range(count + 1)}
    bodies |= {f"rod{i}": {"bar": [f"A{i}", f"A{i + 1}"], "mass": 1} for i in range(count)}
    joints = {f"O{i}": revolute("ground", f"crank{i}") for i in range(count + 1)}
    joints |= {f"L{i}": {**revolute(f"crank{i}", f"rod{i}"), "at": f"A{i}"} for i in range(count)}
    joints |= {f"R{i}": {**revolute(f"rod{i}", f"crank{i + 1}"), "at": f"A{i + 1}"} for i in range(count)}
    geometry = resolve(lw.Model(space="planar", points=points, bodies=bodies, joints=joints))
    conditions = PoseConditions(geometry, sketch_size(geometry))
    unit = POLICY.unit_rows(conditions.evaluate(geometry.sketch(), geometry.defaults)[1])[0]
    values, found = np.linalg.svd(unit, compute_uv=False), SparseRows(unit)
    assert found.clear + POLICY.count(found.sizes) == POLICY.count(values)
    small = values[values < 1e-4]
    assert len(small) == count
    np.testing.assert_allclose(np.sort(found.sizes)[:count], np.sort(small), rtol=1e-5, atol=1e-15)
