"""Scripts of the gallery with stops and friction: what they show, against what follows by hand."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

GALLERY = Path(__file__).parents[2] / "examples" / "contact"
G = 9.81


@pytest.fixture
def ran(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names of a script that has been run."""
    monkeypatch.chdir(tmp_path)
    found = runpy.run_path(str(GALLERY / f"plot_{request.param}.py"), run_name="__main__")
    plt.close("all")
    return found


@pytest.mark.parametrize("ran", ["rubbing_four_bar"], indirect=True)
def test_what_the_four_bar_loses_is_the_work_of_its_pins(ran: dict[str, Any]) -> None:
    """At every moment; and each torque is that of the circle of friction, against the turning of its pin."""
    run = ran["run"]
    assert np.max(np.abs(ran["lost"] - sum(ran["works"].values()))) < 1e-6 * ran["lost"][-1]
    assert all(np.all(np.diff(work) > -1e-9) for work in ran["works"].values())
    moving = run.time < run.events[0].time
    bodies = {"O": ("crank",), "A": ("coupler", "crank"), "B": ("rocker", "coupler"), "C": ("rocker",)}
    for pin, (child, *parent) in bodies.items():
        slip = run[f"{child}.speed"] - sum(run[f"{name}.speed"] for name in parent)
        force = np.hypot(run[f"{pin}.fx"], run[f"{pin}.fy"])
        expected = -np.sign(slip) * 0.01 * np.sin(np.arctan(0.3)) * force
        clear = moving & (np.abs(slip) > 1e-3)
        assert run[f"{pin}.friction.torque"][clear] == pytest.approx(expected[clear], rel=1e-6)
    assert {name.partition(" ")[2] for name in (event.name for event in run.events)} == {"sticks"}
    assert run["O.speed"][-1] == pytest.approx(0.0, abs=1e-9) and ran["slick"].modes.spans == {}


@pytest.mark.parametrize("ran", ["toggle_clamp"], indirect=True)
def test_the_clamp_holds_with_the_depth_of_its_workpiece(ran: dict[str, Any]) -> None:
    closed, weak = ran["closed"], ran["weak"]
    assert -closed["guide.position.stop"][-1] == pytest.approx(5e5 * ran["depth"], rel=1e-9)
    held = closed.modes.spans["O.angle.lower"]
    assert held[-1][1] == closed.time[-1] and held[-1][0] < 0.2
    assert closed["O.angle.stop"][-1] > 0.0 and closed.audit.passed, str(closed.audit)
    # the weak hand is held by friction, and springs back once it lets go
    sticks = weak.modes.spans["O.friction"]
    assert sticks[0][1] == pytest.approx(0.2) and weak["guide.position.stop"][-1] == 0.0
    assert "O.angle.lower" not in weak.modes.spans


@pytest.mark.parametrize("ran", ["self_locking"], indirect=True)
def test_screw_and_clamp_hold_where_their_shape_says_so(ran: dict[str, Any]) -> None:
    holds, down, lead = ran["holds"], ran["runs_down"], 8e-3 / (2 * np.pi)
    slope = np.arctan(lead / 0.012)
    assert holds["thread.speed"][700] == pytest.approx(ran["gained"], rel=1e-6)
    assert holds.modes.spans["thread.friction"][-1][1] == holds.time[-1]
    # what runs down is braked with tan(slope - friction angle)
    arm = 0.012 * np.tan(slope - np.arctan(0.08))
    falling = -200 * G * arm / (0.4 + 200 * lead * arm)
    late = (down.time > 1.2) & (down["thread.speed"] < 0)
    assert np.any(late) and down["thread.acceleration"][late] == pytest.approx(falling, rel=1e-6)
    clamp, lw = ran["bar_clamp"], ran["lw"]
    for reach, spans in ((101, 1), (99, 0)):
        run = lw.simulate(clamp, until=2, parameters={"reach": f"{reach} mm"})
        assert len(run.modes.spans) == spans, reach


@pytest.mark.slow
@pytest.mark.parametrize("ran", ["many_contacts"], indirect=True)
def test_the_stack_stands_and_the_chain_lies_on_its_table(ran: dict[str, Any]) -> None:
    """Nothing moves in ten seconds; no link is deeper in the table or in the floor than a step lets it."""
    run, fallen = ran["run"], ran["fallen"]
    assert run.time[-1] == 10.0 and run.audit.passed, str(run.audit)
    assert np.max(np.abs(ran["heights"] - ran["heights"][:, :1])) < 1e-6
    assert np.max(np.abs([run[f"box{i}.x"] - run[f"box{i}.x"][0] for i in range(50)])) < 1e-6
    assert fallen.audit.passed, str(fallen.audit)
    ends = np.array([[fallen[f"link{i}.P{k}.{axis}"] for axis in "xy"] for i in range(20) for k in (i, i + 1)])
    over = (ends[:, 0] > -0.2) & (ends[:, 0] < 0.8) & (ends[:, 1] > -0.05)
    assert np.min(ends[:, 1][over]) > -1e-3 and np.min(ends[:, 1]) > -0.6 - 1e-3
    # it began without speed, and what it has lost is what contacts took
    lost = fallen["energy.total"][0] - fallen["energy.total"]
    assert lost[-1] > 1.0 and lost == pytest.approx(fallen["work.dissipated"], abs=1e-3 * lost[-1])


@pytest.mark.parametrize("ran", ["bouncing_rod"], indirect=True)
def test_the_first_blow_of_the_rod_is_that_by_hand_and_none_goes_through_the_floor(ran: dict[str, Any]) -> None:
    run, first = ran["run"], ran["first"]
    assert first.time == pytest.approx(np.sqrt(1 / G), rel=1e-12)
    assert first.values["impulse"] == pytest.approx(ran["blow"], rel=1e-9)
    assert min(run["rod.A.y"].min(), run["rod.B.y"].min()) > -1e-12
    assert run.audit.passed and np.all(np.diff(run["work.dissipated"]) > -1e-9)
    assert run["energy.kinetic"][-1] < 1e-12 and set(run.modes[-1].holds) == {
        f"ends.corner_{k}{part}" for k in (1, 2) for part in ("", ".friction")
    }
