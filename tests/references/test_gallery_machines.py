"""Machines of the gallery whose parts touch: where they stand and what they carry, against geometry and statics."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.optimize import fsolve

GALLERY = Path(__file__).parents[2] / "examples" / "contact"


@pytest.fixture
def ran(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of a script that has been run."""
    monkeypatch.chdir(tmp_path)
    found = runpy.run_path(str(GALLERY / f"plot_{request.param}.py"), run_name="__main__")
    plt.close("all")
    return found


def judge(run: Any) -> None:
    """What touches does not overlap or pull, and what is apart does not push."""
    assert run.outcome.completed and run.audit.passed, str(run.audit)
    for name in run.names("*.gap"):
        gap, force = run[name], run[name.removesuffix("gap") + "force"]
        assert np.min(gap) >= -1e-11 and np.min(force) >= 0.0
        assert np.max(np.abs(gap * force)) <= 1e-10


@pytest.mark.parametrize("ran", ["geneva_walls"], indirect=True)
def test_a_geneva_drive_steps_by_a_quarter(ran: dict[str, Any]) -> None:
    run = ran["run"]
    judge(run)
    # a pin beside the middle of a slot by its play: geometry alone
    assert np.sum(ran["drives"]) > 50 and np.sum(ran["brakes"]) > 50
    assert np.max(np.abs(run["W.angle"] - ran["towards"] - ran["beside"])[ran["drives"]]) < 1e-13
    assert np.max(np.abs(run["W.angle"] - ran["towards"] + ran["beside"])[ran["brakes"]]) < 1e-13
    # it presses with what the wheel takes: its moment of inertia, its bearing
    k = np.flatnonzero(ran["drives"])
    lever = np.sqrt(np.sum(ran["pin"][k] ** 2, axis=1) - ran["PLAY"] ** 2)
    moment = 4e-4 * run["wheel.acceleration"][k] + 2e-3 * run["W.speed"][k]
    assert -run["drive.pin_wall_2b.force"][k] * lever == pytest.approx(moment, rel=1e-7, abs=1e-9)
    # the load, over the lever of the only end that holds it
    ((name, force),) = ran["held"].items()
    place = np.array([run[f"lock.disc_{name}.{axis}"][ran["waits"]] for axis in "xy"])
    lever = ran["D"] * np.sin(np.arctan2(*np.abs(place[::-1])))
    assert force == pytest.approx(0.02 / lever, rel=1e-9)
    assert force == pytest.approx(0.02 / (ran["D"] * np.sin(0.57)), rel=1e-3)
    ends = [run["W.angle"][np.searchsorted(run.time, when)] for when in (1.5, 3.2)]
    assert ends == pytest.approx([-np.pi / 2, -np.pi], abs=1e-3)


@pytest.mark.parametrize("ran", ["ratchet"], indirect=True)
def test_a_ratchet_holds_in_a_notch(ran: dict[str, Any]) -> None:
    run, k = ran["run"], ran["rests"]
    judge(run)
    root, tip, step, r = ran["ROOT"], ran["TIP"], ran["STEP"], ran["ROUND"]

    # in the axes of the wheel: a tip that touches the face of tooth 3, along its radius, and the back of tooth 2
    face = np.array([np.cos(3 * step), np.sin(3 * step)])
    before = np.array([face[1], -face[0]])
    first, last = tip * np.array([np.cos(2 * step), np.sin(2 * step)]), root * face
    along = (last - first) / np.linalg.norm(last - first)
    out = np.array([along[1], -along[0]])
    out *= np.sign(out @ first)
    centre = np.linalg.solve(np.array([before, out]), [r, out @ first + r])

    # the wheel and the pawl stand where both have it
    def left(x: np.ndarray) -> np.ndarray:
        c, s = np.cos(x[0]), np.sin(x[0])
        q = np.radians(197) + x[1]
        pawl = ran["PIVOT"] + ran["REACH"] * np.array([np.cos(q), np.sin(q)])
        return np.asarray(np.array([[c, -s], [s, c]]) @ centre - pawl)

    wheel, pawl = fsolve(left, [-0.5, 0.05], xtol=1e-14)
    assert [run["O.angle"][k], run["P.angle"][k]] == pytest.approx([wheel, pawl], abs=1e-10)
    # two forces for two moments
    c, s = np.cos(wheel), np.sin(wheel)
    turn = np.array([[c, -s], [s, c]])
    at, pushes = turn @ centre, [turn @ before, turn @ out]
    moments = np.array([[p[0] * n[1] - p[1] * n[0] for n in pushes] for p in (at, ran["PIVOT"] - at)])
    spring = 0.02 * (np.radians(40) - pawl)
    # the wheel: −0.3 less the moments of both; the pawl: the spring and both
    expected = np.linalg.solve(moments, [-0.3, spring])
    found = [ran["pressing"]["tooth_3"], ran["pressing"]["tooth_2"]]
    assert found == pytest.approx(list(expected), rel=1e-8)
    # beyond, a click for every tooth
    assert np.diff(ran["clicks"]) == pytest.approx(np.diff(ran["clicks"])[0], rel=0.05)
    assert len(ran["clicks"]) == 3
