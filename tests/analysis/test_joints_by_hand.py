"""Joints that a hand closes and opens in real time, against runs in which switches do it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import RefusedError

MODEL: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [1, 0], "B": [1.7, 0.2]},
    "bodies": {"upper": {"bar": ["O", "A"], "mass": 2}, "lower": {"bar": ["A", "B"], "mass": 1}},
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
        "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
    },
    "relations": {
        "weld": {
            "kind": "connection",
            "active": False,
            "joint": {"kind": "fixed", "bodies": ["upper", "lower"], "at": ["A", "A"]},
        }
    },
    "switches": {"foot": {"ground": "upper"}},
}


def test_a_hand_does_what_switches_do() -> None:
    rt = lw.realtime(MODEL, "0.5 ms", keep=5000)
    rt.advance(0.2)
    rt.connect("weld", "anywhere")
    rt.advance(0.3)
    rt.ground("upper")
    rt.advance(0.4)
    rt.release("weld")
    rt.advance(0.5)
    rt.release("upper")
    rt.advance(0.6)
    switches = {
        "one": {"connect": "weld", "at": 0.2, "catching": "anywhere"},
        "foot": {"ground": "upper", "at": 0.3},
        "two": {"release": "weld", "at": 0.4},
        "three": {"release": "foot", "at": 0.5},
    }
    run = lw.simulate(lw.Model(**MODEL | {"switches": switches}), times=[0, 0.25, 0.35, 0.45, 0.55, 0.6])
    names = ("O.angle", "A.angle", "O.speed", "A.speed", "weld.moment_z", "foot.moment_z")
    kept = rt.result
    for sample, time in enumerate(run.time[1:], start=1):
        step = int(np.argmin(np.abs(kept.time - time)))
        for name in names:
            assert kept[name][step] == pytest.approx(run[name][sample], abs=1e-6), (name, time)
    assert [event.name for event in rt.hand.events] == [event.name for event in run.events]
    assert rt.hand.closed == ()


def test_a_reset_opens_what_was_open_at_the_start() -> None:
    rt = lw.realtime(MODEL, "1 ms")
    rt.connect("weld")
    assert rt.hand.closed == ("weld",)
    rt.step(100)
    assert rt["A.speed"] == pytest.approx(0.0, abs=1e-12)
    rt.reset()
    assert rt.hand.closed == ()
    rt.step(100)
    assert abs(rt["A.speed"]) > 0.1


def test_what_a_hand_cannot_do_is_told_and_changes_nothing() -> None:
    rt = lw.realtime(MODEL, "1 ms")
    rt.step(300)
    before = rt.state
    with pytest.raises(RefusedError, match="weld is open by"):
        rt.connect("weld")
    with pytest.raises(RefusedError, match=r"no connection 'wld'.*weld"):
        rt.connect("wld")
    with pytest.raises(RefusedError, match=r"no switch grounds 'lower'.*upper"):
        rt.ground("lower")
    with pytest.raises(RefusedError, match="no connection 'lower'"):
        rt.release("lower")
    assert rt.state == before
    assert rt.step().completed


def test_ropes_beside_act_and_are_refused_where_steps_do_not_heed_them() -> None:
    rope = {"rope": {"kind": "rope", "between": ["ground.O", "lower.B"], "length": 1.75}}
    model = lw.Model(**MODEL | {"relations": MODEL["relations"] | rope})
    rt = lw.realtime(model, "1 ms", outputs=["B.x", "B.y"])
    for _ in range(200):
        rt.step(10)
        assert np.hypot(rt["B.x"], rt["B.y"]) < 1.75 + 1e-4
    rt.connect("weld", "anywhere")
    rt.step(100)
    assert rt["A.speed"] == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(RefusedError, match="'rope'"):
        lw.realtime(model, "1 ms", integrator="rk4")
