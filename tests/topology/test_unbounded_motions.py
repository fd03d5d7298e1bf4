"""Motions that go on for ever, come back at once, or go nowhere."""

from __future__ import annotations

from math import inf, pi
from typing import Any

import mechanisms
import numpy as np
import pytest
from drawn_linkages import revolute

import linkwork as lw
from linkwork.topology.circuit import Course


def slide(name: str, *bodies: str, axis: list[float], at: Any) -> dict[str, Any]:
    return {name: {"kind": "prismatic", "bodies": list(bodies), "axis": axis, "at": at}}


def carriages(**points: list[str]) -> dict[str, Any]:
    return {name: {"points": [at[0]], "mass": 1, "inertia": 1} for name, at in points.items()}


def test_a_slot_that_follows_a_slide_goes_to_infinity() -> None:
    """x = h tan θ: the arm turns by 90° either way without ever getting there."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [0.3, 1.0], "Q": [0, 1.0]},
        bodies=carriages(arm=["O"], block=["P"], slider=["P"]),
        joints={
            "O": revolute("ground", "arm"),
            **slide("slot", "arm", "block", axis=[0.3, 1.0], at=["O", "P"]),
            "pin": revolute("block", "slider", at="P"),
            **slide("guide", "ground", "slider", axis=[1, 0], at=["Q", "P"]),
        },
    )
    limits = lw.find_limits(model)
    assert limits.course is Course.UNBOUNDED
    assert (limits["guide"].range.low, limits["guide"].range.high) == (-inf, inf)
    assert (limits["slot"].range.low, limits["slot"].range.high) == (pytest.approx(1.0, abs=1e-12), inf)
    upright = np.arctan2(0.3, 1.0)
    expected = limits["O"].start + np.array([upright - pi / 2, upright + pi / 2])
    assert [limits["O"].range.low, limits["O"].range.high] == pytest.approx(expected, abs=1e-8)
    assert "unbounded" in str(limits)


def test_the_trammel_of_archimedes_closes() -> None:
    model = lw.Model(
        space="planar",
        points={"X": [0.8, 0], "Y": [0, 0.6], "O": [0, 0]},
        bodies={"rod": {"bar": ["X", "Y"], "mass": 1}, **carriages(level=["X"], upright=["Y"])},
        joints={
            **slide("x", "ground", "level", axis=[1, 0], at=["O", "X"]),
            **slide("y", "ground", "upright", axis=[0, 1], at=["O", "Y"]),
            "X": revolute("level", "rod"),
            "Y": revolute("upright", "rod"),
        },
    )
    limits = lw.find_limits(model)
    assert limits.course is Course.CLOSED and limits["X"].full_turn
    for name, crossing in (("x", "y"), ("y", "x")):
        assert [limits[name].range.low, limits[name].range.high] == pytest.approx([-1, 1], abs=1e-13)
        other = lw.find_limits(model, crossing)[name]
        assert [dead.input for dead in other.dead_centres] == pytest.approx([0, 0], abs=1e-12)


@pytest.mark.parametrize("ratio", [10, 1e6])
def test_rack_and_pinion_go_on_and_on(ratio: float) -> None:
    model = lw.Model(
        space="planar",
        points={"A": [0, 0], "B": [1, 0]},
        bodies=carriages(pinion=["A"], rack=["B"]),
        joints={"A": revolute("ground", "pinion"), **slide("B", "ground", "rack", axis=[1, 0], at="B")},
        couplings={"mesh": {"joints": ["B", "A"], "ratio": 1 / ratio}},
    )
    limits = lw.find_limits(model)
    # a rack that needs a million radians for a metre has not gone far after a thousand steps
    assert limits.course is (Course.UNBOUNDED if ratio == 10 else Course.ENDLESS)
    for name in "AB":
        assert (limits[name].range.low, limits[name].range.high) == (-inf, inf)


def test_gears_of_an_irrational_ratio_never_return(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwork.topology.circuit.LONGEST", 100)
    model = lw.Model(
        space="planar",
        points={"A": [0, 0], "B": [1, 0]},
        bodies=carriages(one=["A"], two=["B"]),
        joints={"A": revolute("ground", "one"), "B": revolute("ground", "two")},
        couplings={"mesh": {"joints": ["A", "B"], "ratio": "sqrt(2)"}},
    )
    limits = lw.find_limits(model)
    assert limits.course is Course.ENDLESS
    assert all((item.range.low, item.range.high) == (-inf, inf) for item in limits.coordinates.values())


def test_a_pendulum_turns_without_limits() -> None:
    limits = lw.find_limits(mechanisms.simple_pendulum())
    assert limits.course is Course.CLOSED and not limits.branch_points and limits.kind is None
    assert limits["O"].full_turn and limits["O"].dead_centres == ()


def test_a_freedom_that_is_only_infinitesimal_goes_nowhere() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={"left": {"bar": ["O", "A"], "mass": 1}, "right": {"bar": ["A", "B"], "mass": 1}},
        joints={"O": revolute("ground", "left"), "A": revolute("left", "right"), "B": revolute("ground", "right")},
    )
    assert lw.analyse(model).freedoms == 1
    limits = lw.find_limits(model)
    assert limits.course is Course.ENDED
    assert not any(item.moves for item in limits.coordinates.values())
    assert "infinitesimal" in str(limits)
