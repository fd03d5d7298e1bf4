"""Events whose values leap across zero at an impact or a blow are told, and end runs that they should."""

import numpy as np
import pytest

import linkwork as lw

G = 9.81


def ball(**more) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0]},
        bodies={"ball": {"points": ["P"], "com": "P", "mass": 1}},
        joints={
            "guide": {
                "kind": "prismatic",
                "bodies": ["ground", "ball"],
                "at": "P",
                "axis": [0, 1],
                "limits": [0, None],
                "stops": {"restitution": 0.5},
            }
        },
        initial={"guide": {"position": 1}},
        **more,
    )


def times(result: lw.Result, name: str) -> list[float]:
    return [event.time for event in result.events if event.name == name]


def test_a_speed_that_is_turned_round_has_crossed_zero() -> None:
    first = np.sqrt(2 / G)
    asked = {
        "up": lw.Event("guide.speed", direction=1),
        "down": lw.Event("guide.speed", direction=-1),
        "both": "guide.speed",
        "never": lw.Event("guide.speed - 10"),
        "fast": lw.Event("guide.speed + 3", direction=1),
    }
    result = lw.simulate(ball(), until=1.2, events=asked)
    hits = [
        first,
        2 * first,
        2.5 * first,
    ]  # a flight of half the speed takes as long as the fall, and the next half of it
    tops = [1.5 * first, 2.25 * first, 2.625 * first]
    assert times(result, "up") == pytest.approx(hits, abs=1e-12)
    assert times(result, "down") == pytest.approx(tops, abs=1e-12)
    assert times(result, "both") == pytest.approx(sorted([*hits, *tops]), abs=1e-12)
    assert times(result, "never") == []
    assert times(result, "fast") == pytest.approx([first], abs=1e-12)  # the second hit comes with less
    assert result.audit.passed


def test_a_run_ends_just_before_the_leap_that_it_should_end_at() -> None:
    result = lw.simulate(ball(), until=2, events={"up": lw.Event("guide.speed", direction=1, stop=True)})
    assert result.outcome.reason == "event 'up'"
    assert result.time[-1] == pytest.approx(np.sqrt(2 / G), abs=1e-12)
    assert result["guide.speed"][-1] == pytest.approx(-np.sqrt(2 * G), rel=1e-12)
    assert result.audit.passed, result.audit


def test_a_blow_is_a_leap_too() -> None:
    model = lw.Model(
        space="planar",
        points={"P": [0, 0]},
        bodies={"cart": {"points": ["P"], "com": "P", "mass": 2}},
        joints={"rail": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "P", "axis": [1, 0]}},
        forces={
            "blow": {"kind": "impulse", "on": "cart.P", "value": [6, 0], "at": 0.5},
            "pull": {"kind": "effort", "joint": "rail", "value": "if(t < 1, 1, -1)"},
        },
        initial={"rail": {"speed": -1}},
    )
    result = lw.simulate(model, until=1.5, events={"starts": "rail.speed"})
    assert times(result, "starts") == pytest.approx([0.5], abs=1e-14)
    assert result["rail.speed"][-1] == pytest.approx(-1 + 0.25 + 3 + 0.25 - 0.25, rel=1e-9)


@pytest.mark.parametrize("coordinates", ["relative", "natural", "reference_point"])
def test_it_does_not_depend_on_coordinates(coordinates: str) -> None:
    result = lw.simulate(ball(), until=1.2, coordinates=coordinates, events={"up": lw.Event("ball.vy", direction=1)})
    assert times(result, "up") == pytest.approx(np.sqrt(2 / G) * np.array([1, 2, 2.5]), abs=1e-9)
