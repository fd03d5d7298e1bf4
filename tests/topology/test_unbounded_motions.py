"""Motions that go on for ever, come back at once, or go nowhere."""

from __future__ import annotations

from math import inf, pi
from typing import Any

import mechanisms
import numpy as np
import pytest
from drawn_linkages import revolute

import linkwork as lw
from linkwork.position.circuit import Continuation


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
    assert limits.course is Continuation.UNBOUNDED
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
    assert limits.course is Continuation.CLOSED and limits["X"].full_turn
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
    limits = lw.find_limits(model, max_steps=200)
    # a rack that needs a million radians for a metre has not gone far after two hundred steps
    assert limits.course is (Continuation.UNBOUNDED if ratio == 10 else Continuation.ENDLESS)
    assert (limits["B"].range.low, limits["B"].range.high) == (-inf, inf) and limits["B"].certain
    assert limits["A"].full_turn or limits["A"].range.width == inf


def test_gears_of_an_irrational_ratio_never_return() -> None:
    model = lw.Model(
        space="planar",
        points={"A": [0, 0], "B": [1, 0]},
        bodies=carriages(one=["A"], two=["B"]),
        joints={"A": revolute("ground", "one"), "B": revolute("ground", "two")},
        couplings={"mesh": {"joints": ["A", "B"], "ratio": "sqrt(2)"}},
    )
    limits = lw.find_limits(model, max_steps=100)
    assert limits.course is Continuation.ENDLESS
    assert all(item.full_turn and item.certain for item in limits.coordinates.values())


def test_a_pendulum_turns_without_limits() -> None:
    limits = lw.find_limits(mechanisms.simple_pendulum())
    assert limits.course is Continuation.CLOSED and not limits.branch_points and limits.kind is None
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
    assert limits.course is Continuation.ENDED
    assert not any(item.moves for item in limits.coordinates.values())
    assert "infinitesimal" in str(limits)


def geared_five_bar(ratio: str) -> lw.Model:
    """Two cranks that a gear ties together, and a dyad between them that never stretches."""
    points = {"O": [0, 0], "A": [0.1, 0.3], "B": [0.7, 1.1], "D": [1.1, 0.25], "C": [1.0, 0]}
    bars = {"first": ["O", "A"], "left": ["A", "B"], "right": ["D", "B"], "second": ["C", "D"]}
    return lw.Model(
        space="planar",
        points=points,
        bodies={name: {"bar": ends, "mass": 1} for name, ends in bars.items()},
        joints={
            "O": revolute("ground", "first"),
            "A": revolute("first", "left"),
            "B": revolute("left", "right"),
            "D": revolute("second", "right"),
            "C": revolute("ground", "second"),
        },
        couplings={"gear": {"joints": ["O", "C"], "ratio": ratio}},
    )


def angle_between_bars() -> tuple[float, float]:
    """The least and the largest angle at B whatever the cranks do, by the law of cosines."""
    O, A, B, D, C = (np.array(p) for p in ([0, 0], [0.1, 0.3], [0.7, 1.1], [1.1, 0.25], [1.0, 0]))
    left, right = (float(np.linalg.norm(B - end)) for end in (A, D))
    cranks = float(np.linalg.norm(A - O) + np.linalg.norm(D - C))
    spans = np.array([1.0 - cranks, 1.0 + cranks])
    low, high = np.arccos((left**2 + right**2 - spans**2) / (2 * left * right))
    return float(low), float(high)


def test_a_circuit_of_many_turns_comes_round() -> None:
    """A ratio of 19 : 17 needs as many turns of the two cranks; followed for too short, it is not called unbounded."""
    model = geared_five_bar("19/17")
    short = lw.find_limits(model, max_steps=100)
    assert short.course is Continuation.ENDLESS and short["O"].full_turn and "unbounded" not in str(short)
    limits = lw.find_limits(model)
    assert limits.course is Continuation.CLOSED
    assert (limits["O"].turns, limits["C"].turns) == (19, 17)
    low, high = angle_between_bars()
    # so many turns come close to every pair of angles of the cranks
    assert limits["B"].range.width == pytest.approx(high - low, abs=1e-2) and limits["B"].range.width < high - low


def test_a_motion_that_never_comes_round_has_the_ranges_that_were_seen() -> None:
    """With an irrational ratio no circuit closes, and still nothing is unbounded: cranks turn, the dyad opens and closes."""
    low, high = angle_between_bars()
    widths = []
    for steps in (60, 150):
        limits = lw.find_limits(geared_five_bar("sqrt(2)"), max_steps=steps)
        assert limits.course is Continuation.ENDLESS
        assert limits["O"].full_turn and limits["C"].full_turn and limits["O"].range.width == pytest.approx(2 * pi)
        assert not limits["B"].certain and limits["B"].range.width < high - low
        assert "at least" in str(limits) and "unbounded" not in str(limits)
        widths.append(limits["B"].range.width)
    assert widths[0] < widths[1] and widths[1] == pytest.approx(high - low, abs=0.05)
    with pytest.raises(lw.errors.RefusedError, match=r"max_steps = 0"):
        lw.find_limits(geared_five_bar("2"), max_steps=0)
