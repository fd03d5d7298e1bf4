"""Without a choice of the integrator a run takes one that suits its accuracy, and changes it with the stiffness."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.prepared.prepare import prepare
from linkwork.numerics.integrators.automatic import spectrum


def pendulum(damping: str, stiffness: float = 10.0) -> lw.Model:
    """Two bars, the second one short, with a spring and a damper between them."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0], "B": [1.2, 0]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 1}, "tip": {"bar": ["A", "B"], "mass": 0.05}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "rod"]},
            "A": {"kind": "revolute", "bodies": ["rod", "tip"]},
        },
        forces={
            "spring": {"kind": "torsion_spring", "joint": "A", "free_angle": 0, "stiffness": stiffness},
            "damper": {"kind": "effort", "joint": "A", "value": f"-({damping})*A.speed"},
        },
    )


@functools.cache
def stiff() -> lw.Result:
    return lw.simulate(pendulum("100"), until=2)


@functools.cache
def swell() -> lw.Result:
    """Stiff about t = 1 s only."""
    return lw.simulate(pendulum("100*exp(-20*(t - 1)^2)"), until=2.5)


def test_a_run_that_is_not_stiff_keeps_its_integrator() -> None:
    result = lw.simulate(pendulum("0"), until=2)
    by_name = lw.simulate(pendulum("0"), until=2, integrator="dop853")
    assert result.settings["integrator"] == "dop853" and not any("stiff" in note for note in result.notes)
    # watching changes no step
    np.testing.assert_array_equal(result.steps, by_name.steps)
    np.testing.assert_array_equal(result["A.angle"], by_name["A.angle"])


def test_fast_vibrations_that_are_followed_are_not_stiff() -> None:
    assert lw.simulate(pendulum("0", stiffness=1e4), until=0.5).settings["integrator"] == "dop853"


def test_a_stiff_run_goes_on_with_implicit_steps() -> None:
    result, explicit = stiff(), lw.simulate(pendulum("100"), until=2, integrator="dop853")
    assert result.settings["integrator"] == "dop853 and radau5"
    assert any(note.startswith("radau5 from t = ") and "stability limits" in note for note in result.notes)
    assert 20 * result.statistics["evaluations"] < explicit.statistics["evaluations"]
    for name in ("O.angle", "A.angle", "O.speed"):
        np.testing.assert_allclose(result[name], explicit[name], atol=3e-7)


def test_it_goes_back_where_stiffness_ends() -> None:
    result = swell()
    changes = [note for note in result.notes if " from t = " in note]
    assert [text.split()[0] for text in changes] == ["radau5", "dop853"]
    times = [float(text.split("t = ")[1].split()[0]) for text in changes]
    assert 0.4 < times[0] < 1.0 < times[1] < 1.9
    explicit = lw.simulate(pendulum("100*exp(-20*(t - 1)^2)"), until=2.5, integrator="dop853", rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(result["O.angle"], explicit["O.angle"], atol=1e-6)
    assert 2 * result.statistics["evaluations"] < explicit.statistics["evaluations"]


def test_costs_are_told_by_integrator() -> None:
    costs = swell().statistics
    assert costs["steps of dop853"] + costs["steps of radau5"] == costs["steps"]
    assert costs["evaluations of dop853"] + costs["evaluations of radau5"] == costs["evaluations"]
    assert costs["Newton iterations"] > costs["factorisations"] > 0
    assert len(swell().steps) == costs["steps"] + 1
    assert np.all(np.diff(swell().steps) > 0)


def test_costs_are_kept_in_files_and_shown(tmp_path: Path) -> None:
    loaded = lw.load_result(swell().save(tmp_path / "run.nc"))
    assert loaded.statistics == swell().statistics
    assert loaded.notes == swell().notes
    assert "steps of radau5" in str(loaded) and "Newton iterations" in str(loaded)


@pytest.mark.parametrize(
    ("formulation", "name"),
    [
        ("ggl", "radau5"),
        ("index1", "radau5"),
        ("canonical_index2", "esdirk43"),
    ],
)
def test_equations_of_implicit_steps_get_an_implicit_integrator(formulation: str, name: str) -> None:
    result = lw.simulate(pendulum("0"), until=0.2, formulation=formulation, rtol=1e-7, atol=1e-9)
    assert result.settings["integrator"] == name
    exact = lw.simulate(pendulum("0"), until=0.2, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(result["A.angle"], exact["A.angle"], atol=1e-5)
    stepped = lw.simulate(pendulum("0"), until=0.2, formulation=formulation, fixed_step="10 ms")
    assert stepped.settings["integrator"] == "trapezoidal"


def test_penalties_that_follow_the_steps_want_a_fixed_one() -> None:
    refused = r"'index3_augmented_lagrangian' has penalties that follow the size of the steps.*give fixed_step.*'ggl'"
    for integrator in (None, "bdf", "esdirk43"):
        with pytest.raises(lw.errors.RefusedError, match=refused):
            lw.simulate(pendulum("0"), until=0.2, formulation="index3_augmented_lagrangian", integrator=integrator)
    stepped = lw.simulate(pendulum("0"), until=0.2, formulation="index3_augmented_lagrangian", fixed_step="10 ms")
    assert stepped.settings["integrator"] == "trapezoidal"


def test_a_run_decides_the_same_when_it_is_repeated() -> None:
    again = lw.simulate(pendulum("100*exp(-20*(t - 1)^2)"), until=2.5)
    np.testing.assert_array_equal(again.steps, swell().steps)
    # works come from the same run with other outputs: energy and works balance through both changes
    np.testing.assert_allclose(swell()["energy.balance"], 0.0, atol=1e-7)


def test_events_are_found_with_both_integrators() -> None:
    event = {"down": lw.Event("O.angle + 0.3", direction=-1), "fast": lw.Event("O.angle + 2.8")}
    found = lw.simulate(pendulum("100*exp(-20*(t - 1)^2)"), until=2.5, events=event)
    times = [e.time for e in found.events]
    angles = lw.simulate(pendulum("100*exp(-20*(t - 1)^2)"), times=times, integrator="dop853")["O.angle"]
    targets = [{"down": -0.3, "fast": -2.8}[e.name] for e in found.events]
    np.testing.assert_allclose(angles, targets, atol=1e-6)
    assert {e.name for e in found.events} == {"down", "fast"}


@pytest.mark.parametrize(("rtol", "name"), [(1e-3, "dopri5"), (1e-4, "dopri5"), (1e-5, "dop853"), (1e-12, "dop853")])
def test_the_order_follows_the_accuracy(rtol: float, name: str) -> None:
    assert lw.simulate(pendulum("0"), until=0.1, rtol=rtol).settings["integrator"] == name


def test_eigenvalues_of_a_damped_spring() -> None:
    # the tip alone, the rod being driven: I φ̈ = −k φ − c φ̇ with I = m l² / 3
    data: dict[str, Any] = pendulum("2").to_dict() | {
        "drivers": {"hold": {"joint": "O", "position": 0}},
        "gravity": [0, 0],
    }
    mechanism = prepare(lw.Model(**data))
    start = mechanism.start()
    values = spectrum(mechanism.flow(start), 0.0, start.y)
    inertia = 0.05 * 0.2**2 / 3
    expected = np.roots([inertia, 2.0, 10.0])
    found = sorted(values, key=abs)[-2:]
    np.testing.assert_allclose(sorted(np.real(found)), sorted(expected), rtol=1e-5)
