"""Steps grow where nothing happens, and go on behind jumps of forces, in every method."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.numerics.integrators import ALL_METHODS
from references.engines import single

GUESTS = ("cvode", "cvode_adams", "ida")
ADAPTIVE = [method.name for method in ALL_METHODS if method.adaptive and method.name not in GUESTS]
STIFFLY_ACCURATE = [method.name for method in ALL_METHODS if method.name in ADAPTIVE and method.stiffly_accurate]
FEW = 20


def hanging_rod() -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0, -1]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
    )


@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize("coordinates", ["relative", "natural"])
def test_a_rod_at_rest_takes_few_steps(coordinates: str, integrator: str) -> None:
    formulation = "multipliers" if coordinates == "natural" else None
    result = lw.simulate(
        hanging_rod(), until=10, step=5, coordinates=coordinates, formulation=formulation, integrator=integrator
    )
    assert result.outcome.completed
    assert result.statistics["steps"] <= FEW
    assert np.max(np.abs(result["O.angle"] - result["O.angle"][0])) < 1e-9


@pytest.mark.parametrize("integrator", STIFFLY_ACCURATE)
@pytest.mark.parametrize("formulation", ["ggl", "index1", "index2", "index3"])
def test_a_rod_at_rest_takes_few_steps_with_algebraic_conditions(formulation: str, integrator: str) -> None:
    # its errors and the corrections of its stages are exactly zero
    result = lw.simulate(
        hanging_rod(),
        until=10,
        step=5,
        coordinates="natural",
        formulation=formulation,
        integrator=integrator,
        max_steps=1000,
    )
    assert result.outcome.completed
    assert result.statistics["steps"] <= FEW
    assert np.max(np.abs(result["O.angle"] - result["O.angle"][0])) < 1e-9


@pytest.mark.parametrize("integrator", ["radau5", "radau9"])
@pytest.mark.parametrize("degrees", [0, 150])
def test_ggl_goes_on_behind_jumps_of_a_force(degrees: int, integrator: str) -> None:
    result = lw.simulate(
        single(degrees).model, until=0.3, step=0.1, coordinates="natural", formulation="ggl", integrator=integrator
    )
    assert result.outcome.completed, result.outcome
    assert result["O.angle"][-1] - result["O.angle"][0] == pytest.approx(single(0).angle(0.3), abs=1e-6)


@pytest.mark.parametrize(("coordinates", "rtol"), [("relative", 1e-6), ("relative", 1e-9), ("reference_point", 1e-9)])
def test_a_driver_that_leads_into_a_dead_centre_does_not_creep(coordinates: str, rtol: float) -> None:
    """Speeds grow like 1/√(t* − t): it stops where the rounding of time is felt, and says which driver and joint it was."""
    path = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "rgrrr.yaml"
    model = lw.load(path).with_(drivers={"a": {"joint": "D", "freedom": "angle", "speed": 1.856}})
    result = lw.simulate(model, 0.25, coordinates=coordinates, rtol=rtol, atol=rtol / 100, max_steps=3000)
    assert "driver 'a' drives joint D past its limit" in result.outcome.reason
    assert result.statistics["steps"] < 2000
    assert result.outcome.limit is not None
    assert result.outcome.time == pytest.approx((result.outcome.limit - result["D.angle"][0]) / 1.856, rel=1e-6)


@pytest.mark.parametrize("rate", [1e9, 1e11])
def test_motions_that_are_that_fast_are_followed(rate: float) -> None:
    """A short step is no creeping one: a damper that stops a rod within a part of a run that is next to nothing."""
    model = lw.Model(
        space="planar",
        gravity=[0, 0],
        points={"O": [0, 0], "A": [0, -1]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 3}},  # 1 kg m² about O
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        forces={"damper": {"kind": "effort", "joint": "O", "value": f"if(t > 0.5, -{rate:g}*O.speed, 0)"}},
        initial={"O": {"speed": 1.0}},
    )
    result = lw.simulate(model, 1.0, step=0.5, integrator="radau5")
    assert result.outcome.completed, result.outcome
    assert result["O.angle"][-1] - result["O.angle"][0] == pytest.approx(0.5, abs=1e-7)
