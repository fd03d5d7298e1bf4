"""The ledger of a run: what comes in, what is destroyed and what is stored balance, in memory and in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from combinations import COMBINATIONS, every_combination, every_kind

import linkwork as lw
from linkwork.analysis.motion.course import Run


def driven_four_bar(**driver: Any) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.6, 0.8], "B": [2.9, 1.9], "C": [2.2, 0], "W": [3, 3]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": 1.0, "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": 2.5, "mass": 2, "points": {"P": [1.2, 0.5]}},
            "rocker": {"bar": ["C", "B"], "length": 2.0, "mass": 1.5},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
        drivers={"motor": {"joint": "O", **driver}} if driver else {},
        forces={
            "spring": {"kind": "spring", "between": ["P", "W"], "stiffness": 20, "damping": 3, "free_length": 1},
            "bearing": {"kind": "friction", "joint": "C", "viscous": 0.2},
            "push": {"kind": "force", "at": "coupler.P", "value": ["5*sin(3*t)", 2]},
        },
        initial={} if driver else {"O": {"speed": 2.0}},
    )


@pytest.mark.matrix("coordinates", "formulation")
@every_combination
def test_the_balance_of_a_driven_mechanism(coordinates: str, formulation: str) -> None:
    model = driven_four_bar(speed="3 + sin(2*t)")
    result = lw.simulate(
        model, until=3, step=0.05, coordinates=coordinates, formulation=formulation, rtol=1e-10, atol=1e-12
    )
    size = np.abs(result["work.dissipated"]).max()
    assert size > 10.0
    assert np.abs(result["energy.balance"]).max() < 1e-7 * size
    given = result["motor.work"] + result["push.work"]
    np.testing.assert_allclose(result["work.supplied"], given, atol=1e-9 * size)
    # works of all elements and of the weights change the kinetic energy
    everything = sum(result[f"{name}.work"] for name in ("motor", "push", "spring", "bearing"))
    weights = sum(
        -9.81 * m * (result[f"{b}.y"] - result[f"{b}.y"][0]) for b, m in (("crank", 1), ("coupler", 2), ("rocker", 1.5))
    )
    change = result["energy.kinetic"] - result["energy.kinetic"][0]
    np.testing.assert_allclose(everything + weights, change, atol=1e-7 * size)


@pytest.mark.matrix("coordinates", "formulation")
@pytest.mark.parametrize(("coordinates", "formulation"), COMBINATIONS)
def test_the_balance_of_free_motion(coordinates: str, formulation: str) -> None:
    result = lw.simulate(
        driven_four_bar(), until=3, step=0.5, coordinates=coordinates, formulation=formulation, rtol=1e-10, atol=1e-12
    )
    assert np.abs(result["energy.balance"]).max() < 1e-7 * result["work.dissipated"][-1]


def test_the_balance_follows_the_error_of_the_run() -> None:
    """RK4: the balance falls with the fourth power of the step, so that the integration of powers adds nothing."""
    errors = []
    for step in (0.02, 0.01, 0.005):
        result = lw.simulate(driven_four_bar(), until=1, step=0.25, integrator="rk4", fixed_step=step)
        errors.append(np.abs(result["energy.balance"]).max())
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.all(orders > 3.5), (errors, orders)


def test_power_is_the_rate_of_work() -> None:
    result = lw.simulate(driven_four_bar(position="t^2"), until=1, step=1e-3, rtol=1e-10)
    for name in ("motor", "spring", "bearing"):
        slope = np.gradient(result[f"{name}.work"], result.time, edge_order=2)
        np.testing.assert_allclose(slope, result[f"{name}.power"], atol=1e-4 * np.abs(slope).max() + 1e-9)
    np.testing.assert_allclose(result["motor.power"], result["motor.effort"] * 2 * result.time, atol=1e-9)


def test_works_after_an_event_and_with_few_samples() -> None:
    model = driven_four_bar()
    stopped = lw.simulate(model, until=3, events={"enough": lw.Event("t - 1.2345", stop=True)}, rtol=1e-10, atol=1e-12)
    assert stopped.time[-1] == pytest.approx(1.2345)
    assert np.abs(stopped["energy.balance"]).max() < 1e-7
    few = lw.simulate(model, times=[float(stopped.time[-1])], rtol=1e-10, atol=1e-12)
    assert few["work.dissipated"][-1] == pytest.approx(stopped["work.dissipated"][-1], rel=1e-8)


def test_works_are_kept_in_files(tmp_path: Path) -> None:
    result = lw.simulate(driven_four_bar(speed=2), until=1, step=0.1)
    loaded = lw.load_result(result.save(tmp_path / "run.nc"))
    for name in ("energy.balance", "work.supplied", "work.dissipated", "motor.work", "spring.power", "spring.length"):
        np.testing.assert_array_equal(loaded[name], result[name])
        assert loaded.quantity(name) == result.quantity(name)
    assert np.abs(loaded["energy.balance"]).max() < 1e-6


@every_kind
def test_a_strut_whose_length_is_given_does_work(kind: str) -> None:
    """It pushes with the force that it is known for, times the rate of its length."""
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "P": [1, 0.2], "W": [1, -1]},
        bodies={"arm": {"bar": ["O", "P"], "mass": 2}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        relations={"strut": {"kind": "distance", "between": ["ground.W", "arm.P"], "length": "1.2 + 0.1*sin(3*t)"}},
    )
    result = lw.simulate(model, until=1, step=0.02, coordinates=kind, rtol=1e-10, atol=1e-12)
    assert np.abs(result["energy.balance"]).max() < 1e-8
    assert np.ptp(result["strut.work"]) > 0.5
    rate = 0.3 * np.cos(3 * result.time)
    gap = np.column_stack([result["P.x"] - 1, result["P.y"] + 1])
    push = np.column_stack([result["strut.fx"], result["strut.fy"]])
    along = np.sum(push * gap, axis=1) / np.linalg.norm(gap, axis=1)
    np.testing.assert_allclose(result["strut.power"], along * rate, atol=1e-7)


def shaken_arm() -> lw.Model:
    """A driven arm, whose steps follow it alone, and a torque that shakes it."""
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        drivers={"motor": {"joint": "O", "position": "sin(30*t)"}},
        forces={"shaker": {"kind": "effort", "joint": "O", "value": "5*sin(200*t)"}},
    )


@pytest.mark.matrix("integrator", "kind")
@every_kind
@pytest.mark.parametrize("integrator", [None, "dopri5", "radau5", "adams"])
def test_works_of_forces_that_no_state_feels(kind: str, integrator: str | None) -> None:
    """A torque that shakes a driven arm: w = ∫ 5 sin(200 t) 30 cos(30 t) dt, though the steps follow the arm alone."""
    result = lw.simulate(shaken_arm(), until=2.0, step=0.5, coordinates=kind, integrator=integrator)
    t = result.time
    exact = 75 * ((1 - np.cos(230 * t)) / 230 + (1 - np.cos(170 * t)) / 170)
    np.testing.assert_allclose(result["shaker.work"], exact, atol=1e-7)
    assert result.audit.passed


def test_works_are_resolved_as_finely_as_they_are_wanted() -> None:
    """By its name a small work is found with shorter steps; the audit of a heavy wheel beside it does not need them."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "W": [5, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}, "wheel": {"points": ["W"], "mass": 100, "inertia": 1000}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"]},
            "W": {"kind": "revolute", "bodies": ["ground", "wheel"]},
        },
        drivers={"motor": {"joint": "O", "position": "0.3*sin(3*t)"}},
        forces={"shaker": {"kind": "effort", "joint": "O", "value": "0.001*sin(200*t)"}},
        initial={"W": {"speed": 100}},
    )
    result = lw.simulate(model, until=2.0, step=0.5)
    kept = result.source.gathered  # type: ignore[attr-defined]
    runs, again = [], kept.again
    kept.again = lambda *given: runs.append(given) or again(*given)
    assert result.audit.passed
    assert not runs
    t = result.time
    exact = 0.00045 * ((1 - np.cos(203 * t)) / 203 + (1 - np.cos(197 * t)) / 197)
    np.testing.assert_allclose(result["shaker.work"], exact, atol=1e-11)
    assert runs


def test_works_are_never_those_of_a_run_that_was_not_finished() -> None:
    """Shorter steps that resolve a power may be more than are allowed: then works are those of the steps that were taken."""
    options: dict[str, Any] = {"until": 2.0, "step": 0.5, "coordinates": "natural", "integrator": "radau5"}
    cost = lw.simulate(shaken_arm(), **options).statistics
    result = lw.simulate(shaken_arm(), **options, max_steps=int(cost["steps"]) + int(cost["rejected"]))
    assert result.outcome.completed
    t = result.time
    exact = 75 * ((1 - np.cos(230 * t)) / 230 + (1 - np.cos(170 * t)) / 170)
    np.testing.assert_allclose(result["shaker.work"], exact, atol=1e-4)


@pytest.mark.parametrize("integrator", ["gauss4", "radau3", "generalised_alpha"])
def test_works_at_few_nodes_are_not_doubted_without_need(integrator: str) -> None:
    """Two nodes of a step find powers as well as the states are found; the run is not done again with shorter steps."""
    model = driven_four_bar(speed=2.0)
    result = lw.simulate(model, until=0.5, step=0.05, coordinates="natural", integrator=integrator, rtol=1e-7)
    gathered = result.source.gathered  # type: ignore[attr-defined]
    again, gathered.again = gathered.again, lambda *wanted: tried.append(wanted) or again(*wanted)
    tried: list[object] = []
    usual = lw.simulate(model, until=0.5, step=0.05, rtol=1e-11, atol=1e-13)
    scale = np.abs(usual["motor.work"]).max()
    np.testing.assert_allclose(result["motor.work"], usual["motor.work"], atol=1e-4 * scale)
    assert not tried


def test_works_beside_a_singular_position_are_not_held_against_the_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arms of a governor are driven through the level, where the rhombus that lifts its sleeve has no height.

    Accelerations, and with them the power of the driver, are the noise of positions there, in steps that are short
    already: no shorter ones are tried, and the sum of all works is told to be unknown. The motion is that of the driver.
    """
    again: list[float] = []
    monkeypatch.setattr(Run, "_again", lambda run, grid, step: again.append(step))
    engine = lw.load(Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "steam_engine.yaml").with_(
        drivers={"leads": {"joint": "left_pin", "freedom": "angle", "speed": 3.663}}
    )
    options = {"formulation": "canonical_index2", "integrator": "tr_bdf2", "rtol": 1e-7, "atol": 1e-9}
    result = lw.simulate(engine, 0.2, step=0.0025, **options)
    assert not again
    assert result.outcome.completed
    np.testing.assert_allclose(result["left.angle"] - result["left.angle"][0], 3.663 * result.time, atol=1e-5)
    assert result.audit.passed, str(result.audit)
    assert "works" in result.audit.line.partition("not checked")[0]
