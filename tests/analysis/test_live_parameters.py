"""Verbs take values of live parameters, and answer as for the model that has them."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest

import linkwork as lw


def linkage(length: float) -> lw.Model:
    """A four-bar whose crank has a live length; a live force pushes it."""
    return lw.Model(
        name="four_bar",
        space="planar",
        gravity=[0, -9.81],
        parameters={"a": {"value": length, "live": True}},
        points={"O": [0, 0], "A": [0.6, 0.8], "B": [2.9, 1.9], "C": [2.2, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": "a", "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": 2.5, "mass": 2},
            "rocker": {"bar": ["C", "B"], "length": 2, "mass": 1.5},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
    )


def rolling(radius: float) -> lw.Model:
    """A wheel in a ring, with a live radius."""
    wheel = {"points": {"O": [0, 0], "A": [0.15, 0.08]}, "com": "O", "mass": 2, "inertia": 0.05, "origin": [0.3, -0.65]}
    track = {"kind": "track", "centre": "wheel.O", "radius": "a", "body": "ground", "r": 1.0}
    live = {"a": {"value": radius, "live": True}}
    return lw.Model(space="planar", parameters=live, bodies={"wheel": wheel}, relations={"track": track})


ASKED: dict[str, tuple[Callable[[float], lw.Model], Callable[..., object]]] = {
    "analyse": (linkage, lambda model, **given: lw.analyse(model, **given).assembly.poses["rocker"].angle),
    "find_limits": (linkage, lambda model, **given: lw.find_limits(model, **given)["C"].range.width),
    "diagnose": (linkage, lambda model, **given: str(lw.diagnose(model, **given))),
    "inverse_function": (
        linkage,
        lambda model, **given: lw.inverse_function(model, ["O"], **given)({"O.angle": 0.9}),
    ),
    "equivalent_linkage": (
        rolling,
        lambda model, **given: lw.measures.equivalent_linkage(model, "track", "wheel.A", **given).table(),
    ),
}


@pytest.mark.parametrize("verb", ASKED)
def test_other_values_answer_as_another_model(verb: str) -> None:
    made, ask = ASKED[verb]
    first, other = (0.2, 0.25) if made is rolling else (1.0, 0.8)
    expected = ask(made(other))
    for model in (made(first), lw.analyse(made(first))):
        np.testing.assert_equal(ask(model, parameters={"a": f"{1e3 * other} mm"}), expected)
    if verb != "diagnose":
        assert str(ask(made(first))) != str(expected)
    with pytest.raises(lw.LinkworkError, match="'b'"):
        ask(made(first), parameters={"b": 1.0})


def test_a_run_has_its_parameters() -> None:
    run = lw.simulate(linkage(1.0), until=0.1, step=0.05)
    assert str(lw.diagnose(run, "50 ms")) == str(lw.diagnose(run, 0.05))
    with pytest.raises(lw.errors.RefusedError, match="parameters already"):
        lw.diagnose(run, 0.05, parameters={"a": 0.8})


@pytest.mark.parametrize("ask", [lw.linearise, lw.modes])
def test_a_time_may_have_a_unit(ask: Callable[..., lw.answers.Answer]) -> None:
    run = lw.simulate(linkage(1.0), until=0.1, step=0.05)
    assert ask(run, "50 ms").table() == ask(run, 0.05).table()
    found, same = (lw.measures.velocity_ellipsoid(run, "B", ["O"], time=time) for time in ("50 ms", 0.05))
    assert found.table() == same.table()


def pushed(length: float) -> lw.Model:
    return linkage(length).with_(forces={"push": lw.elements.Effort(joint="O", value="3*sin(2*t)")})


def test_a_run_begins_with_other_values() -> None:
    """It is put together anew where the run ends, at its time; other values than those of the run move it a little."""
    run = lw.simulate(pushed(1.0), until=0.6, step=0.1, parameters={"a": 1.1})
    same, other = (lw.analyse(run, parameters={"a": a}) for a in (1.1, 1.2))
    assert same.assembly.poses["crank"].angle == pytest.approx(run["O.angle"][-1], abs=1e-9)
    assert same.drives.time == other.drives.time == run.time[-1]
    for topology, a in ((same, 1.1), (other, 1.2)):
        closed = topology.conditions.evaluate(topology.assembly.poses, np.array([a]))[0]
        assert np.max(np.abs(closed)) < 1e-12 and topology.live == {"a": a}


def test_what_begins_in_a_state_is_kept_with_it() -> None:
    run = lw.simulate(pushed(1.0), until=0.6, step=0.1, parameters={"a": 1.1})
    first = lw.prepare(run)
    second = pickle.loads(pickle.dumps(first))
    begun, again = first.start(), second.start()
    assert again.time == begun.time == run.time[-1] and second.topology.live == {"a": 1.1}
    np.testing.assert_array_equal(again.y, begun.y)
    np.testing.assert_array_equal(again.p, begun.p)


def test_a_motor_in_the_place_of_an_effort_leaves_the_values_of_a_run() -> None:
    run = lw.simulate(pushed(1.0), until=0.6, step=0.1, parameters={"a": 1.1})
    motion = {"O.angle": 0.9, "O.speed": 1.0, "O.acceleration": 0.2}
    found = lw.inverse_function(run, ["push"])(motion)["push.effort"]
    assert found == pytest.approx(lw.inverse_function(linkage(1.1), ["O"])(motion)["O.angle.effort"], rel=1e-12)
    assert found != pytest.approx(lw.inverse_function(linkage(1.0), ["O"])(motion)["O.angle.effort"], rel=1e-3)
