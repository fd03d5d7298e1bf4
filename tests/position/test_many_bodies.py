"""The conditions of many bodies: matrices that have their entries alone say what whole ones say."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.bench.evaluations import chain
from linkwork.bench.iftomm import n_four_bar
from linkwork.numerics.matrices.long_rows import LongRows
from linkwork.position.rank import null_space, rank_of


@pytest.mark.parametrize(
    "model", [chain(80, "planar"), chain(40, "spatial"), n_four_bar(40)], ids=["plane", "space", "loops"]
)
def test_rates_of_conditions_and_readings_are_differences_of_their_values(model: lw.Model) -> None:
    topology = lw.analyse(model)
    conditions, poses, p = topology.conditions, topology.assembly.poses, topology.geometry.defaults
    _, slopes, _, rates = conditions.rows(poses, p)
    assert isinstance(slopes, LongRows) and isinstance(rates, LongRows)
    direction, small = np.random.default_rng(0).normal(size=conditions.size), 1e-6
    ahead, behind = (conditions.move(poses, sign * small * direction) for sign in (1.0, -1.0))
    for rows, values in ((slopes, conditions.residuals_at), (rates, conditions.readings_at)):
        difference = (values(ahead, p) - values(behind, p)) / (2 * small)
        told = np.array([not name.startswith("omega") for name in _names(topology, rows)])
        np.testing.assert_allclose((rows @ direction)[told], difference[told], atol=1e-6 * conditions.length * 10)
    # the freedoms by singular values of the whole
    whole = np.asarray(slopes)
    sizes = np.linalg.svd(whole / np.linalg.norm(whole, axis=1)[:, None], compute_uv=False)
    assert rank_of(slopes) == int(np.sum(sizes > 1e-7)) == conditions.size - topology.freedoms
    free = null_space(slopes)
    assert free.shape == (conditions.size, topology.freedoms)
    np.testing.assert_allclose(whole @ free, 0.0, atol=1e-10)


def _names(topology: lw.answers.Topology, rows: LongRows) -> list[str]:
    readings = topology.conditions.readings
    return [reading.name for reading in readings] if len(rows) == len(readings) else [""] * len(rows)
