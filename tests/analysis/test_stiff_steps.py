"""Explicit methods on stiff models say that it is stiff, how long their steps may be, and which method would do."""

from __future__ import annotations

import re

import numpy as np
import pytest

import linkwork as lw

DAMPING, MASS = 1e5, 1.0
RATE = 3 * DAMPING / MASS  # of the rod about its end: c l² / (m l² / 3)


def braked() -> lw.Model:
    """A rod that falls on a damper: its speed decays within 3.3 µs."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0], "W": [1, -0.5]},
        bodies={"rod": {"bar": ["O", "A"], "mass": MASS}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        forces={"S": {"kind": "spring", "between": ["A", "W"], "free_length": 0, "stiffness": 1e4, "damping": DAMPING}},
    )


@pytest.mark.parametrize("integrator", ["dop853", "dopri5", "adams", "taylor"])
def test_too_many_steps_of_an_explicit_method_are_told_as_stiffness(integrator: str) -> None:
    result = lw.simulate(braked(), until=0.1, integrator=integrator, max_steps=1000)
    reason = result.outcome.reason
    assert "the model is stiff: motions that decay within 3.3e-06 s" in reason
    assert f"the explicit '{integrator}'" in reason and "take 'radau5'" in reason
    assert "loosen" not in reason
    # and that is right
    assert lw.simulate(braked(), until=0.1, integrator="radau5", max_steps=1000).outcome.completed


@pytest.mark.parametrize(("integrator", "limit"), [("rk4", 2.785), ("euler", 2.0), ("heun", 2.0)])
def test_fixed_steps_beyond_the_stability_limit_are_told_with_it(integrator: str, limit: float) -> None:
    result = lw.simulate(braked(), until=0.1, integrator=integrator, fixed_step="1 ms")
    assert not result.outcome.completed
    told = re.search(r"the steps of 0.001 s are unstable.*a fixed_step below ([\d.e-]+) s", result.outcome.reason)
    assert told and float(told[1]) == pytest.approx(limit / RATE, rel=0.02)
    # a little shorter they do, a little longer they do not
    fine = lw.simulate(braked(), until=0.002, integrator=integrator, fixed_step=0.95 * limit / RATE)
    assert fine.outcome.completed and not any("unstable" in note for note in fine.notes)
    coarse = lw.simulate(braked(), until=0.002, integrator=integrator, fixed_step=1.1 * limit / RATE)
    assert any("unstable" in text for text in (*coarse.notes, coarse.outcome.reason))


def test_ordinary_runs_are_not_called_stiff() -> None:
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
    )
    for integrator in ("rk4", "euler", "heun", "abm4"):
        result = lw.simulate(model, until=5, integrator=integrator, fixed_step="1 ms")
        assert not any("unstable" in note for note in result.notes)
    short = lw.simulate(model, until=10, integrator="dop853", max_steps=10)
    assert "stiff" not in short.outcome.reason and "max_steps" in short.outcome.reason


def test_a_step_of_a_stiff_model_that_an_implicit_method_takes_is_no_fault() -> None:
    result = lw.simulate(braked(), until=0.1, integrator="radau5", fixed_step="1 ms")
    assert result.outcome.completed and not any("unstable" in note for note in result.notes)
    exact = lw.simulate(braked(), until=0.1, rtol=1e-11, atol=1e-13)
    # behind the first steps, which do not see the decay itself
    late = result.time > 0.005
    with pytest.warns(lw.errors.AuditWarning, match="'radau5' destroys energy on purpose"):
        assert not result.audit.passed
    np.testing.assert_allclose(result["O.angle"][late], exact["O.angle"][late], atol=1e-9)


def test_vibrations_that_fixed_steps_damp_to_nothing_are_told() -> None:
    """A torsion spring on a light tip: |R(iωh)| < 1 below the stability limit, and the vibration is gone."""

    def model(stiffness: float) -> lw.Model:
        return lw.Model(
            space="planar",
            points={"O": [0, 0], "B": [0.2, 0]},
            bodies={"tip": {"bar": ["O", "B"], "mass": 0.05}},
            joints={"O": {"kind": "revolute", "bodies": ["ground", "tip"]}},
            forces={"s": {"kind": "torsion_spring", "joint": "O", "free_angle": 0, "stiffness": stiffness}},
            initial={"O": {"angle": 0.01}},
        )

    inertia, h = 0.05 * 0.2**2 / 3, 1e-3
    for z in (0.3, 1.5, 2.5):
        result = lw.simulate(model((z / h) ** 2 * inertia), until=2, integrator="rk4", fixed_step=h, audit=False)
        growth = abs(1 + 1j * z - z**2 / 2 - 1j * z**3 / 6 + z**4 / 24)
        lost = growth**2000 < 0.1
        told = [note for note in result.notes if "do not follow vibrations" in note]
        assert bool(told) == lost
        if told:
            assert f"{z / h / (2 * np.pi):.3g} Hz" in told[0]
            assert abs(result["s.torque"][-1]) < 1e-3 * abs(result["s.torque"][0])
