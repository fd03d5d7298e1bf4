"""A closed spatial loop in every parametrisation of orientations moves and pushes as without any: in natural coordinates."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from linkages import swing

import linkwork as lw
from linkwork.algebra.orientations import ALL_ORIENTATIONS

TIGHT: dict[str, Any] = {"until": 1.5, "step": 0.02, "rtol": 1e-11, "atol": 1e-13}
METHODS = [("relative", "partitioning"), ("reference_point", "multipliers")]
RUNS = [(orientation.name, *method) for orientation in ALL_ORIENTATIONS for method in METHODS]
RUNS += [("tait_bryan", "relative", "hybrid"), ("axis_angle", "mixed", "partitioning")]
RUNS += [("euler_angles", "reference_point", "baumgarte")]
COMPARED = ("upper.x", "upper.z", "lower.y", "upper.q0", "upper.q2", "lower.q1", "lower.q3", "lower.wx", "upper.wy")


@cache
def reference() -> lw.Result:
    return lw.simulate(swing(), coordinates="natural", formulation="partitioning", **TIGHT)


@pytest.mark.matrix("orientation", "kind", "formulation")
@pytest.mark.parametrize(("orientation", "kind", "formulation"), RUNS)
def test_motion_reactions_and_energy(orientation: str, kind: str, formulation: str) -> None:
    result = lw.simulate(swing(), coordinates=f"{kind}:{orientation}", formulation=formulation, **TIGHT)
    assert result.outcome.completed, result.outcome
    for name in COMPARED:
        np.testing.assert_allclose(result[name], reference()[name], rtol=0, atol=1e-8)
    for name in ("O.fx", "O.fz", "A.fy", "C.fz"):
        np.testing.assert_allclose(result[name], reference()[name], rtol=0, atol=1e-7)
    assert np.abs(result.energy - result.energy[0]).max() < 1e-8
    assert result.closure_error.max() < (1e-8 if formulation == "baumgarte" else 1e-13)
