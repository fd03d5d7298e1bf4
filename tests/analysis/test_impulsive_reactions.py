"""Impulses of joints where velocities jump by themselves: stops, ropes, contacts and joints that close, by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.results import load_result

G = 9.81
ALL_KINDS = ("relative", "reference_point", "natural", "mixed")
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


@pytest.mark.parametrize("coordinates", ALL_KINDS)
@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_a_rod_on_its_stop(coordinates: str, restitution: float) -> None:
    """The stop gives a moment: (1 + e) J ω of it; the pin stops the centre of the rod, m (1 + e) ω L/2 across it."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0, 1]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 2}},
        joints={
            "O": {
                "kind": "revolute",
                "bodies": ["ground", "rod"],
                "limits": [None, "120 deg"],
                "stops": {"restitution": restitution},
            }
        },
        initial={"O": {"speed": 1.0}},
    )
    result = lw.simulate(model, until=1.0, coordinates=coordinates, **TIGHT)
    event, angle = result.events[0], np.radians(120)
    omega = np.sqrt(1.0 + 3 * G * (1 - np.sin(angle)))
    assert event.values["impulse"] == pytest.approx((1 + restitution) * 2 / 3 * omega, rel=1e-8)
    across = 2 * 0.5 * (1 + restitution) * omega
    assert event.reactions["O.fx"] == pytest.approx(across * np.sin(angle), rel=1e-8)
    assert event.reactions["O.fy"] == pytest.approx(-across * np.cos(angle), rel=1e-8)
    assert event.reactions["O.angle.stop"] == pytest.approx(-event.values["impulse"], rel=1e-10)


def chain() -> lw.Model:
    """Two rods, of which a rope catches the end, and the first a stop later on."""
    stop = {"limits": ["-60 deg", None], "stops": {"restitution": 0.3}}
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={"one": {"bar": ["O", "A"], "mass": 2}, "two": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "one"], **stop},
            "A": {"kind": "revolute", "bodies": ["one", "two"]},
        },
        relations={"line": {"kind": "rope", "between": ["ground.O", "two.B"], "length": 1.9}},
        initial={"A": {"angle": "-90 deg"}},
    )


@pytest.mark.parametrize("coordinates", ALL_KINDS)
def test_every_body_keeps_its_momentum(coordinates: str) -> None:
    """m Δv of the centres is the sum of the impulses on each rod; the tension is that which the event tells."""
    result = lw.simulate(chain(), until=0.6, coordinates=coordinates, **TIGHT)
    taut = result.events[0]
    assert taut.name == "line goes taut"
    assert taut.reactions["line.tension"] == pytest.approx(taut.values["impulse"], rel=1e-9)
    hits = [event for event in result.events if event.values.get("impulse", 0.0) > 1e-2]
    assert len(hits) >= 3
    for event in hits:
        step = 1e-6
        before, after = (
            lw.simulate(chain(), times=[0.0, event.time + side * step], coordinates=coordinates, **TIGHT)
            for side in (-1, 1)
        )
        given = event.reactions
        for axis, weight in (("x", 0.0), ("y", -G)):
            jump = {
                b: after[f"{b}.v{axis}"][-1] - before[f"{b}.v{axis}"][-1] - 2 * step * weight for b in ("one", "two")
            }
            on_one = given[f"O.f{axis}"] - given[f"A.f{axis}"]
            on_two = given[f"A.f{axis}"] + given[f"line.f{axis}"]
            assert 2 * jump["one"] == pytest.approx(on_one, abs=2e-3)
            assert 1 * jump["two"] == pytest.approx(on_two, abs=2e-3)


def test_a_joint_that_closes_tells_what_all_joints_answer() -> None:
    """A rod catches a ball on a rail with its end: ω falls as J/(J + m L²), and the pin holds what is left."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [0, 1]},
        bodies={
            "rod": {"bar": ["O", "A"], "mass": 3},
            "ball": {"points": ["B"], "com": "B", "mass": 1, "inertia": 0.01},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "rod"]},
            "S": {"kind": "prismatic", "bodies": ["ground", "ball"], "at": "B", "axis": [1, 0]},
        },
        relations={
            "hook": {
                "kind": "connection",
                "joint": {"kind": "point_on_line", "bodies": ["rod", "ball"], "at": ["A", "B"], "axis": [1, 0]},
                "active": False,
            }
        },
        switches={"catch": {"connect": "hook", "at": 0.25, "catching": "anywhere"}},
        initial={"O": {"speed": np.pi * 2}},
    )
    result = lw.simulate(model, times=[0.0, 0.25 + 1e-9], **TIGHT)
    event = result.events[0]
    assert event.name == "hook connects"
    # at a quarter of a turn the rod stands upright; the line of the hook, fixed in the rod, too: it pushes across, along −x
    omega, arm = 2 * np.pi, 1.0
    after = (3 / 3) * omega / (3 / 3 + 1 * arm**2)
    assert result["O.speed"][-1] == pytest.approx(after, rel=1e-7)
    push = 1.0 * -after
    assert event.reactions["hook.fx"] == pytest.approx(push, rel=1e-9)
    assert event.reactions["O.fx"] == pytest.approx(3 * 0.5 * (omega - after) + push, rel=1e-9, abs=1e-9)
    assert event.reactions["S.fx"] == pytest.approx(0.0, abs=1e-12)


def test_they_are_stored(tmp_path: Path) -> None:
    result = lw.simulate(chain(), until=0.6)
    kept = load_result(result.save(tmp_path / "chain.nc"))
    assert kept.events[0].reactions == result.events[0].reactions
    assert kept.events[0].reactions["line.tension"] > 0.0
    let_go = next(event for event in result.events if event.name == "line goes slack")
    assert not let_go.reactions
