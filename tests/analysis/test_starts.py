"""Starts with other values of live parameters: those of a model in which the values are written, and remembered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.prepared import prepare as preparing
from linkwork.coordinates import relative


def windows(count: int, mass: Any, height: Any, speed: Any = -1.0) -> dict[str, Any]:
    points: dict[str, Any] = {}
    bodies: dict[str, Any] = {}
    joints: dict[str, Any] = {}
    for k in range(count + 1):
        points |= {f"A{k}": [k, 0], f"B{k}": [k, height]}
        bodies[f"rod{k}"] = {"bar": [f"A{k}", f"B{k}"], "mass": mass}
        joints[f"A{k}"] = {"kind": "revolute", "bodies": ["ground", f"rod{k}"]}
    for k in range(count):
        bodies[f"coupler{k}"] = {"bar": [f"B{k}", f"B{k + 1}"], "mass": 1}
        joints[f"left{k}"] = {"kind": "revolute", "bodies": [f"rod{k}", f"coupler{k}"], "at": f"B{k}"}
        joints[f"right{k}"] = {"kind": "revolute", "bodies": [f"coupler{k}", f"rod{k + 1}"], "at": f"B{k + 1}"}
    return {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": points,
        "bodies": bodies,
        "joints": joints,
        "initial": {"A0": {"speed": speed}},
    }


def live(count: int) -> lw.Model:
    parameters = {name: {"value": value, "live": True} for name, value in (("m", 1.0), ("h", 1.0), ("w", -1.0))}
    return lw.Model(**windows(count, "m", "h", "w"), parameters=parameters)


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", ["relative", "natural"])
@pytest.mark.parametrize("changed", [{"m": 2.5}, {"h": 0.7}, {"w": 0.4}, {"m": 0.3, "h": 1.3}])
def test_other_values_give_the_motion_of_a_model_that_has_them(kind, changed):
    values = {"m": 1.0, "h": 1.0, "w": -1.0} | changed
    written = lw.Model(**windows(2, values["m"], values["h"], values["w"]))
    settings = {"until": 0.2, "step": 0.1, "coordinates": kind}
    one, other = lw.simulate(live(2), parameters=changed, **settings), lw.simulate(written, **settings)
    for name in ("B0.x", "B2.y", "A1.speed", "energy.total"):
        np.testing.assert_allclose(one[name], other[name], atol=1e-9 * max(1.0, np.abs(other[name]).max()))


def test_a_start_is_assembled_once_for_each_value(monkeypatch):
    calls = []
    assemble, place = preparing.assemble, relative.place_joint
    monkeypatch.setattr(preparing, "assemble", lambda *args: calls.append("assembled") or assemble(*args))
    monkeypatch.setattr(relative, "place_joint", lambda *args: calls.append("measured") or place(*args))
    mechanism = lw.prepare(live(3))
    calls.clear()
    first = mechanism.start({"m": 2.0})
    # a mass moves nothing: no joint is measured again
    assert calls == ["assembled"]
    kept = first.y.copy()
    first.y[:] = np.nan
    np.testing.assert_array_equal(mechanism.start({"m": 2.0}).y, kept)
    assert calls == ["assembled"]
    other = mechanism.start({"h": 0.5})
    assert calls.count("assembled") == 2 and "measured" in calls
    assert other.p[1] == 0.5


def test_starts_that_are_remembered_are_few():
    mechanism = lw.prepare(live(1))
    for k in range(preparing.STARTS + 5):
        mechanism.start({"m": 1.0 + k})
    assert len(vars(mechanism)["_made"]["start"]) <= preparing.STARTS
