"""Accuracy that was asked for is reached, or it is said how far it holds."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from mechanisms import double_pendulum, four_bar, simple_pendulum
from scipy.special import ellipj, ellipk

import linkwork as lw
from linkwork.analysis.motion import accuracy as asked
from linkwork.errors import RefusedError


@pytest.mark.parametrize("accuracy", [1e-4, 1e-7, 1e-10])
def test_a_pendulum_is_as_exact_as_asked_for(accuracy: float) -> None:
    """θ(t) = 2 arcsin(k sn(K − ω t, k²)) from rest at θ₀, k = sin(θ₀ / 2): by elliptic functions."""
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "P": [np.sin(2.5), -np.cos(2.5)]},
        bodies={"bob": {"points": ["O", "P"], "masses": {"P": 1.0}}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bob"]}},
    )
    result = lw.simulate(model, until=10, accuracy=accuracy)
    assert result.accuracy is not None
    assert result.accuracy.satisfied
    k2, omega = np.sin(2.5 / 2) ** 2, np.sqrt(9.81)
    angle = 2 * np.arcsin(np.sqrt(k2) * ellipj(ellipk(k2) - omega * result.time, k2)[0])
    x = result["P.x"] - np.sin(angle)
    assert np.abs(x).max() < accuracy
    assert np.abs(x).max() < max(2 * result.accuracy.reached, 1e-13)


def test_chaotic_motion_says_so() -> None:
    with pytest.warns(lw.errors.AuditWarning, match="chaotic"):
        text = str(lw.simulate(double_pendulum(), until=40, accuracy=1e-6))
    assert "the motion is chaotic" in " ".join(text.split())
    result = lw.simulate(double_pendulum(), until=40, accuracy=1e-6, audit=False)
    found = result.accuracy
    assert found is not None
    assert found.chaotic
    assert 3.0 < found.holds_until < 30.0
    # up to there it holds: against a run with another integrator
    other = lw.simulate(double_pendulum(), until=found.holds_until, step=found.holds_until / 10, integrator="taylor",
                        rtol=1e-15, atol=1e-17)  # fmt: skip
    mine = lw.simulate(double_pendulum(), times=list(other.time), accuracy=1e-6, audit=False)
    assert np.abs(mine["P.angle"] - other["P.angle"]).max() < 1e-6


def test_steps_of_fixed_size_are_halved() -> None:
    result = lw.simulate(four_bar(), until=2, integrator="rk4", fixed_step=0.02, accuracy=1e-6)
    assert result.accuracy is not None
    assert result.accuracy.satisfied
    assert result.accuracy.runs > 2
    exact = lw.simulate(four_bar(), until=2, rtol=1e-13, atol=1e-15)
    assert np.abs(result["O.angle"] - exact["O.angle"]).max() < 1e-6


def test_what_was_reached_is_printed_and_kept(tmp_path: Path) -> None:
    result = lw.simulate(simple_pendulum(), until=1, accuracy=1e-6)
    assert "1e-06 asked for" in str(result)
    loaded = lw.load_result(result.save(tmp_path / "run.nc"))
    assert loaded.accuracy == result.accuracy


@pytest.mark.parametrize("accuracy", [0.0, 2.0, "much", np.nan])
def test_what_is_no_accuracy_is_refused(accuracy: float) -> None:
    with pytest.raises(RefusedError, match="accuracy"):
        lw.simulate(simple_pendulum(), until=1, accuracy=accuracy)


@pytest.mark.parametrize("wish", [1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-13])
def test_no_run_is_compared_with_itself(wish: float) -> None:
    tolerances = [options["rtol"] for options in asked._finer(wish, 1e-9, None)]
    assert len(tolerances) > 1
    assert all(finer < 0.5 * coarser for coarser, finer in itertools.pairwise(tolerances))
