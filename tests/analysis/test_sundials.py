"""CVODE and IDA on compiled equations: another program with the same motion, events, jumps and outcomes.

SOURCE of the numbers: SUNDIALS through scikit-sundae, against the integrators of Linkwork.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import mechanisms
import numpy as np
import pytest

import linkwork as lw

UNTIL = 0.4


def test_without_the_package_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sksundae", None)
    monkeypatch.delitem(sys.modules, "sksundae.cvode", raising=False)
    with pytest.raises(lw.errors.RefusedError, match=r"need the package scikit-sundae: pip install .linkwork.sundials"):
        lw.simulate(mechanisms.four_bar(), until=0.1, integrator="cvode")


@functools.cache
def four_bar() -> lw.Model:
    return mechanisms.four_bar()


@functools.cache
def run(**options: Any) -> lw.Result:
    pytest.importorskip("sksundae")
    return lw.simulate(four_bar(), until=UNTIL, rtol=1e-9, atol=1e-11, **options)


@functools.cache
def reference() -> lw.Result:
    return lw.simulate(four_bar(), until=UNTIL, rtol=1e-12, atol=1e-13, integrator="dop853")


@pytest.mark.parametrize(
    "options",
    [
        {"integrator": "cvode"},
        {"integrator": "cvode_adams"},
        {"integrator": "cvode", "coordinates": "natural"},
        {"integrator": "ida"},
        {"integrator": "ida", "formulation": "index1", "coordinates": "reference_point"},
    ],
    ids=lambda options: " ".join(options.values()),
)
def test_another_program_has_the_same_motion(options: dict[str, str]) -> None:
    result = run(**options)
    assert result.outcome.completed and result.settings["integrator"] == options["integrator"]
    for name in ("O.angle", "O.speed", "C.angle"):
        np.testing.assert_allclose(result[name], reference()[name], atol=2e-6)
    assert np.all(np.diff(result.steps) > 0.0) and len(result.steps) == result.statistics["steps"] + 1
    assert np.max(np.abs(result.closure_error)) < 1e-9


def test_powers_are_integrated_over_the_same_steps() -> None:
    np.testing.assert_allclose(run(integrator="cvode")["energy.balance"], 0.0, atol=1e-5)


def test_events_are_located_and_end_a_run() -> None:
    pytest.importorskip("sksundae")
    events = {"pass": lw.Event("O.angle - 1"), "end": lw.Event("B.y - 1.5", stop=True)}
    results = [lw.simulate(four_bar(), until=2, integrator=name, events=events) for name in ("cvode", "dop853")]
    assert str(results[0].outcome).split(" at ")[0] == str(results[1].outcome).split(" at ")[0]
    np.testing.assert_allclose(*([event.time for event in result.events] for result in results), atol=1e-7)
    assert [event.name for event in results[0].events] == [event.name for event in results[1].events]


def test_jumps_are_located_too() -> None:
    pytest.importorskip("sksundae")
    model = lw.Model(
        space="planar",
        points={"O": [0, 0]},
        bodies={"cart": {"points": ["O"], "mass": 2, "inertia": 1}},
        joints={"S": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [1, 0]}},
        forces={"f": {"kind": "effort", "joint": "S", "value": "if(t < 0.3, 4, -6)"}},
    )
    result = lw.simulate(model, until=1, integrator="cvode")
    np.testing.assert_allclose(result["S.speed"], np.minimum(2 * result.time, 0.6 - 3 * (result.time - 0.3)), atol=1e-7)
    assert np.min(np.abs(result.steps - 0.3)) < 1e-12


def test_a_limit_of_steps_is_told() -> None:
    pytest.importorskip("sksundae")
    result = lw.simulate(four_bar(), until=UNTIL, integrator="cvode", max_steps=20)
    assert "the limit of 20 steps is reached" in result.outcome.reason and 0.0 < result.outcome.time < UNTIL


def test_conditions_of_a_higher_index_are_refused() -> None:
    pytest.importorskip("sksundae")
    with pytest.raises(lw.errors.RefusedError, match="'index1'"):
        lw.simulate(four_bar(), until=UNTIL, integrator="ida", formulation="index3")
    with pytest.raises(lw.errors.RefusedError, match="cannot integrate"):
        lw.simulate(four_bar(), until=UNTIL, integrator="cvode", formulation="index1")
