"""When joints close and open: several at once, beside stops and friction, under loads, a hundred times, or not at all."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import LinkworkError, ModelError

G = 9.81
BALL = {"com": "P", "mass": 2}


def connection(bodies: list[str], at: list[str], kind: str, active: bool = False, **keys: Any) -> dict[str, Any]:
    return {"kind": "connection", "active": active, "joint": {"kind": kind, "bodies": bodies, "at": at, **keys}}


def rail(body: str, at: str, axis: tuple[float, float], **keys: Any) -> dict[str, Any]:
    return {"kind": "prismatic", "bodies": ["ground", body], "at": at, "axis": list(axis), **keys}


DOUBLE: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -G],
    "points": {"O": [0, 0], "A": [1, 0], "B": [1.7, 0.2]},
    "bodies": {"upper": {"bar": ["O", "A"], "mass": 2}, "lower": {"bar": ["A", "B"], "mass": 1}},
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
        "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
    },
}


def side_by_side(axis: tuple[float, float] = (0, 1), **keys: Any) -> dict[str, Any]:
    """Two blocks on parallel rails, a metre apart across them."""
    across = [axis[1], -axis[0]]
    return {
        "space": "planar",
        "points": {"P": [0, 0], "Q": across},
        "bodies": {
            "one": {"points": ["P"], "com": "P", "mass": 2},
            "two": {"points": ["Q"], "com": "Q", "mass": 1},
        },
        "joints": {"first": rail("one", "P", axis), "second": rail("two", "Q", axis)},
        "relations": {"hook": connection(["one", "two"], ["P", "Q"], "point_on_line", axis=across)},
    } | keys


# -- several at once -----------------------------------------------------------------------------------------------------


def test_a_body_that_is_grounded_twice_stays_and_each_share_is_open() -> None:
    switches = {
        "one": {"ground": "lower", "at": 0.2},
        "two": {"ground": "lower", "at": 0.2},
        "free": {"release": "one", "at": 0.5},
        "go": {"release": "two", "at": 0.7},
    }
    result = lw.simulate(lw.Model(**DOUBLE, switches=switches), until=1)
    assert [mode.holds for mode in result.modes] == [(), ("one", "two"), ("two",), ()]
    held = slice(250, 700)
    np.testing.assert_allclose(result["lower.speed"][held], 0.0, atol=1e-11)
    # Newton for the lower bar: what both give together
    lower = result["A.fy"][held] + result["one.fy"][held] + result["two.fy"][held]
    np.testing.assert_allclose(lower, G + result["lower.ay"][held], atol=1e-9)
    assert result["one.fy"][600] == 0.0
    assert result.audit.passed, result.audit


def test_two_that_close_at_one_instant_share_one_impulse() -> None:
    """Three blocks become one: the momentum stays, whatever the order in which the switches are written."""
    base = side_by_side(gravity=[0, 0])
    base["points"]["R"] = [2, 0]
    base["bodies"]["three"] = {"points": ["R"], "com": "R", "mass": 3}
    base["joints"]["third"] = rail("three", "R", (0, 1))
    base["relations"]["other"] = connection(["two", "three"], ["Q", "R"], "point_on_line", axis=[1, 0])
    base["initial"] = {"first": {"speed": 6}, "second": {"speed": 1}, "third": {"speed": -1}}
    closing = {name: {"connect": name, "at": 0.5, "catching": "anywhere"} for name in ("hook", "other")}
    for names in (("hook", "other"), ("other", "hook")):
        result = lw.simulate(lw.Model(**base, switches={name: closing[name] for name in names}), until=1)
        common = (2 * 6 + 1 - 3) / 6
        for body in ("one", "two", "three"):
            assert result[f"{body}.vy"][-1] == pytest.approx(common, abs=1e-12)
        assert [event.name for event in result.events] == [f"{name} connects" for name in names]
        lost = 0.5 * (2 * 36 + 1 + 3) - 0.5 * 6 * common**2
        assert result["work.dissipated"][-1] == pytest.approx(lost, rel=1e-12)


# -- beside stops and friction -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0.0, 0.7])
@pytest.mark.parametrize("size", [1.0, 10.0])
def test_what_closes_takes_another_body_off_its_stop(turn: float, size: float) -> None:
    axis = (-float(np.sin(turn)), float(np.cos(turn)))
    model = side_by_side(axis, gravity=(-G * np.array(axis)).tolist(), initial={"second": {"speed": 6.0}})
    model["points"] = {"P": [0, 0], "Q": [size * axis[1], -size * axis[0]]}
    model["joints"]["first"] |= {"limits": [0, None]}
    height = "second.position - 0.3"
    switches = {"catch": {"connect": "hook", "when": height, "crossing": "rising", "catching": "anywhere"}}
    result = lw.simulate(lw.Model(**model, switches=switches), until=1.2)
    speed = np.sqrt(36 - 2 * G * 0.3)
    when = (6 - speed) / G
    up = speed / 3  # of three kilograms
    names = [event.name for event in result.events]
    assert names == ["hook connects", "first.position.lower is left", "first.position.lower is reached"]
    assert result.events[0].time == pytest.approx(when, abs=1e-11)
    assert result.events[2].time == pytest.approx(when + 2 * up / G, abs=1e-10)
    assert result["second.position"][-1] == pytest.approx(0.3, abs=1e-9 * size)
    assert result.audit.passed, result.audit


def test_what_is_let_go_sticks_where_friction_holds_it() -> None:
    model = side_by_side((1, 0), gravity=[0, -G], forces={"pull": {"kind": "effort", "joint": "second", "value": 12}})
    model["points"] = {"P": [0, 0], "Q": [0, -1]}
    model["joints"]["first"] |= {"friction": {"coefficient": 0.3, "static": 0.4}}
    model["relations"]["hook"]["active"] = True
    # the pull alone moves both, and the block alone comes to rest
    result = lw.simulate(lw.Model(**model, switches={"go": {"release": "hook", "at": 1}}), until=3)
    together = (12 - 0.3 * 2 * G) / 3
    stop = 1 + together / (0.3 * G)
    assert result["one.vx"][333] == pytest.approx(together * result.time[333], rel=1e-8)
    (last,) = [event for event in result.events if event.name == "first sticks"]
    assert last.time == pytest.approx(stop, abs=1e-9)
    assert [mode.holds for mode in result.modes] == [("hook",), (), ("first.friction",)]


def test_friction_that_cannot_be_known_is_told() -> None:
    """Where a rail and the ground hold a block both, what presses the rail is open, and so is its friction."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0]},
        bodies={"block": {"points": ["P"], "com": "P", "mass": 2}},
        joints={"way": rail("block", "P", (1, 0), friction={"coefficient": 0.3})},
        forces={"pull": {"kind": "effort", "joint": "way", "value": 10}},
        switches={"hold": {"ground": "block", "at": 0.5}},
    )
    result = lw.simulate(model, until=1)
    assert not result.outcome.completed
    assert "hold" in result.outcome.reason and "way" in result.outcome.reason and "not unique" in result.outcome.reason


# -- under loads ---------------------------------------------------------------------------------------------------------


def test_a_weld_breaks_where_its_moment_exceeds_what_it_bears() -> None:
    weld = {"weld": connection(["upper", "lower"], ["A", "A"], "fixed", active=True)}
    free = lw.simulate(lw.Model(**DOUBLE, relations=weld), until=1, rtol=1e-11)
    largest = float(np.abs(free["weld.moment_z"]).max())
    assert largest > 3
    shear = {"shear": {"release": "weld", "moment": "3 N*m"}}
    result = lw.simulate(lw.Model(**DOUBLE, relations=weld, switches=shear), until=1, rtol=1e-11)
    (event,) = result.events
    assert event.name == "weld breaks"
    before = np.interp(event.time, free.time, np.abs(free["weld.moment_z"]))
    assert before == pytest.approx(3, abs=1e-4)
    exact = lw.simulate(lw.Model(**DOUBLE, relations=weld), times=[0, event.time], rtol=1e-11)
    assert abs(exact["weld.moment_z"][-1]) == pytest.approx(3, abs=1e-8)
    stronger = {"shear": {"release": "weld", "moment": 1.01 * largest}}
    assert not lw.simulate(lw.Model(**DOUBLE, relations=weld, switches=stronger), until=1).events


def test_a_hook_that_is_too_weak_opens_where_it_closes() -> None:
    """It takes the impulse, and what then hangs on it is more than it bears."""
    model = side_by_side(gravity=[0, -G], initial={"second": {"position": 0.5}})
    model["joints"]["first"] |= {"limits": [0, None]}
    hooks = {
        "catch": {"connect": "hook", "when": "second.position - 0.2", "catching": "anywhere"},
        "weak": {"release": "hook", "force": 5},
    }
    result = lw.simulate(lw.Model(**model, switches=hooks), until=0.4)
    assert [event.name for event in result.events][-1] == "hook breaks"
    assert result.events[0].time == result.events[-1].time == pytest.approx(np.sqrt(2 * 0.3 / G), abs=1e-10)
    assert result["two.vy"][-1] == pytest.approx(-G * (0.4 - result.events[0].time), abs=1e-9)


# -- again and again -----------------------------------------------------------------------------------------------------


def cycles(count: int) -> lw.Model:
    times = [0.1 * i for i in range(1, 2 * count + 1)]
    return lw.Model(
        **DOUBLE, switches={"h": {"ground": "upper", "at": times[::2]}, "g": {"release": "h", "at": times[1::2]}}
    )


def test_a_hundred_cycles_take_no_more_memory_than_their_records() -> None:
    model = cycles(100)
    result = lw.simulate(model, until=20.05)
    assert len(result.modes) == 201
    assert result.audit.passed, result.audit
    tracemalloc.start()
    lw.simulate(model, until=20.05, times=None)
    first = tracemalloc.get_traced_memory()[0]
    for _ in range(3):
        lw.simulate(model, until=20.05)
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert grown < 2**20, f"{grown} bytes"


def test_a_long_chain_closes_and_opens() -> None:
    """What pushes has no formula in a straight chain of many links, and no switch without a load asks for one."""
    count = 30
    chain: dict[str, Any] = {
        "space": "planar",
        "gravity": [0, -G],
        "points": {f"P{i}": [i, 0] for i in range(count + 1)},
        "bodies": {f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": 1} for i in range(count)},
        "joints": {
            f"P{i}": {"kind": "revolute", "bodies": ["ground" if i == 0 else f"b{i - 1}", f"b{i}"]}
            for i in range(count)
        },
        "relations": {"hook": connection(["ground", f"b{count - 1}"], [f"P{count}", f"P{count}"], "revolute")},
        "switches": {
            "close": {"connect": "hook", "when": f"P{count}.y + 3", "catching": "anywhere"},
            "open": {"release": "hook", "at": 1.2},
        },
    }
    result = lw.simulate(lw.Model(**chain), until=1.5)
    assert [mode.freedoms for mode in result.modes] == [count, count - 2, count]
    assert result.audit.passed, result.audit
    end = result[f"P{count}.y"][(result.time > result.events[0].time) & (result.time < 1.2)]
    np.testing.assert_allclose(end, -3, atol=1e-9)


# -- where and when ------------------------------------------------------------------------------------------------------


def test_what_is_too_far_open_is_told_with_how_far() -> None:
    model = side_by_side(gravity=[0, 0], initial={"second": {"position": 0.25, "speed": -1}})
    at = {"catch": {"connect": "hook", "at": 0.1, "catching": "2 cm"}}
    result = lw.simulate(lw.Model(**model, switches=at), until=1)
    assert not result.outcome.completed
    assert "hook is open by 0.15 m" in result.outcome.reason and "catching: 0.15 m" in result.outcome.reason
    assert result.outcome.element == "hook"
    passing = {"catch": {"connect": "hook", "at": [0.1, 0.24], "catching": "2 cm", "otherwise": "pass"}}
    result = lw.simulate(lw.Model(**model, switches=passing), until=1)
    (event,) = result.events
    assert event.time == pytest.approx(0.24)
    assert event.values["opening"] == pytest.approx(0.01, abs=1e-12)
    exact = {"catch": {"connect": "hook", "when": "second.position - first.position"}}
    result = lw.simulate(lw.Model(**model, switches=exact), until=1)
    assert result.events[0].values["opening"] < 1e-12


@pytest.mark.parametrize(("crossing", "when"), [("falling", 0.75), ("rising", 0.25), ("either", 0.25)])
def test_a_formula_is_passed_the_way_that_is_asked_for(crossing: str, when: float) -> None:
    model = side_by_side(gravity=[0, 0], forces={"way": {"kind": "effort", "joint": "first", "value": "2*cos(2*pi*t)"}})
    catch = {"catch": {"connect": "hook", "when": "sin(2*pi*(t - 0.25))", "crossing": crossing}}
    catch["catch"] |= {"catching": "anywhere"}
    result = lw.simulate(lw.Model(**model, switches=catch), until=1)
    assert result.events[0].time == pytest.approx(when, abs=1e-9)


def test_times_of_the_start_act_at_once() -> None:
    switches = {"h": {"ground": "upper", "at": 0}, "g": {"release": "h", "at": 0.1}}
    result = lw.simulate(lw.Model(**DOUBLE, switches=switches), until=0.2)
    assert [mode.holds for mode in result.modes] == [("h",), ()]
    assert np.abs(result["upper.speed"][:500]).max() == 0.0


@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural"])
def test_how_far_open_an_angle_is_does_not_depend_on_coordinates(coordinates: str) -> None:
    """Beyond a quarter turn too, where the sine of an angle says less."""
    weld = {"weld": connection(["upper", "lower"], ["A", "A"], "fixed")}
    switches = {"close": {"connect": "weld", "at": 0.5, "catching": "anywhere"}}
    still = DOUBLE | {"gravity": [0, 0], "initial": {"A": {"speed": 6}}}
    result = lw.simulate(
        lw.Model(**still, relations=weld, switches=switches), times=[0, 0.5, 0.8], coordinates=coordinates
    )
    turned = result["A.angle"][-1] - result["A.angle"][0]
    assert turned > np.pi / 2
    assert result["A.angle"][1] == pytest.approx(result["A.angle"][-1], abs=1e-9)
    assert result.events[0].values["opening"] == pytest.approx(turned, rel=1e-9)


def test_numbers_of_switches_may_be_live_parameters() -> None:
    model = side_by_side(gravity=[0, 0], initial={"second": {"position": 0.25, "speed": -1}})
    values = {"late": 0.1, "wide": 0.2, "strong": 1e3}
    model["parameters"] = {name: {"value": value, "live": True} for name, value in values.items()}
    model["forces"] = {"pull": {"kind": "effort", "joint": "second", "value": 6}}
    catch = {
        "catch": {"connect": "hook", "at": "late", "catching": "wide"},
        "tear": {"release": "hook", "force": "strong"},
    }
    built = lw.Model(**model, switches=catch)
    assert [event.time for event in lw.simulate(built, until=0.4).events] == [pytest.approx(0.1)]
    later = lw.simulate(built, until=0.4, parameters={"late": 0.2})
    assert [event.time for event in later.events] == [pytest.approx(0.2)]
    assert not lw.simulate(built, until=0.4, parameters={"wide": 0.01}).outcome.completed
    weak = lw.simulate(built, until=0.4, parameters={"strong": 3})
    assert [event.name for event in weak.events] == ["hook connects", "hook breaks"]


def test_formulations_and_verbs_that_take_no_switches_say_so() -> None:
    model = lw.Model(**DOUBLE, relations={"weld": connection(["upper", "lower"], ["A", "A"], "fixed", active=True)})
    with pytest.raises(LinkworkError, match=r"'weld' closes and opens by switches, which 'moreau_jean' does not heed"):
        lw.simulate(model, until=1, integrator="moreau_jean", fixed_step=1e-3)
    with pytest.raises(LinkworkError, match=r"hybrid.*weld"):
        lw.simulate(model, until=1, formulation="hybrid")
    with pytest.raises(LinkworkError, match="weld"):
        lw.solve_kinematics(model, until=1)


def test_equilibria_are_those_of_what_is_closed_at_the_start() -> None:
    weld = connection(["upper", "lower"], ["A", "A"], "fixed", active=True)
    rigid = lw.find_equilibrium(lw.Model(**DOUBLE, relations={"weld": weld}))
    centre = (2 * np.array([0.5, 0.0]) + np.array([1.35, 0.1])) / 3
    assert rigid["O.angle"] == pytest.approx(-np.pi / 2 - np.arctan2(*centre[::-1]), abs=1e-9)
    loose = lw.find_equilibrium(lw.Model(**DOUBLE, relations={"weld": weld | {"active": False}}))
    assert loose["O.angle"] == pytest.approx(-np.pi / 2, abs=1e-9)
    assert loose["A.angle"] == pytest.approx(0.0, abs=1e-9)


def test_multipliers_across_what_closes_are_refused() -> None:
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0, -1]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bar"]}},
        forces={"drive": {"kind": "effort", "joint": "O", "value": "sin(2*pi*t) - 0.3*O.speed - O.angle"}},
        switches={
            "hold": {"ground": "bar", "when": "sin(2*pi*t) - 0.5", "crossing": "rising"},
            "free": {"release": "hold", "when": "sin(2*pi*t)", "crossing": "falling"},
        },
    )
    with pytest.raises(LinkworkError, match="a connection closes or opens"):
        lw.floquet(model, 1.0, find=True)


def test_linear_equations_are_those_of_what_is_closed() -> None:
    """A welded pendulum has the frequency √(m g r / J), also where the weld has closed on the way."""
    down = DOUBLE | {"points": {"O": [0, 0], "A": [0, -1], "B": [0, -1.7]}}
    weld = {"weld": connection(["upper", "lower"], ["A", "A"], "fixed")}
    closing = {"close": {"connect": "weld", "at": 0.1}}
    run = lw.simulate(lw.Model(**down, relations=weld, switches=closing), until=0.2)
    inertia = 2 / 3 + 0.7**2 / 12 + 1.35**2
    frequency = np.sqrt(G * (2 * 0.5 + 1.35) / inertia)
    found = lw.linearise(run, 0.15).eigenvalues
    np.testing.assert_allclose(np.abs(found.imag), frequency, rtol=1e-9)
    assert len(found) == 2 and len(lw.linearise(run, 0.05).eigenvalues) == 4


def test_inverse_dynamics_takes_one_phase_alone() -> None:
    weld = {"weld": connection(["upper", "lower"], ["A", "A"], "fixed", active=True)}
    switches = {"go": {"release": "weld", "at": 0.3}}
    with pytest.raises(LinkworkError, match=r"'weld' has opened at t = 0.3 s"):
        lw.inverse_dynamics(lw.simulate(lw.Model(**DOUBLE, relations=weld, switches=switches), until=0.5))
    found = lw.inverse_dynamics(lw.simulate(lw.Model(**DOUBLE, relations=weld), until=0.5))
    assert np.abs(found["O.angle.effort"]).max() < 1e-8


FAULTS = [
    ({"x": {"connect": "hok", "at": 1}}, "there is no connection 'hok'.*hook"),
    ({"x": {"connect": "O", "at": 1}}, "'O' is a joint, which holds at all times"),
    ({"x": {"connect": "hook"}}, "connects at no time"),
    ({"x": {"connect": "hook", "release": "hook", "at": 1}}, "does connect and release"),
    ({"x": {"at": 1}}, "nothing is done"),
    ({"x": {"ground": "lowr", "at": 1}}, "there is no body 'lowr'"),
    ({"x": {"ground": "ground", "at": 1}}, "grounds the ground"),
    ({"x": {"connect": "hook", "at": -1}}, "before the start"),
    ({"x": {"release": "hook", "force": -3}}, "must be positive"),
    ({"x": {"connect": "hook", "at": 1, "force": 3}}, "goes with release"),
    ({"x": {"release": "hook", "at": 1, "catching": "1 mm"}}, "goes with connect"),
    ({"x": {"connect": "hook", "at": "1 m"}}, "1 m"),
    ({"x": {"connect": "hook", "when": "lower.speeed"}}, "speeed"),
    ({"hook": {"ground": "lower", "at": 1}}, "the same name under relations"),
    ({"x": {"connect": "hook", "at": 1, "crossing": "falling"}}, "goes with when"),
]


@pytest.mark.parametrize(("switches", "told"), FAULTS)
def test_faults_of_switches_are_named(switches: dict[str, Any], told: str) -> None:
    hook = {"hook": connection(["ground", "lower"], ["O", "B"], "revolute")}
    with pytest.raises(ModelError, match=f"(?s){told}"):
        lw.Model(**DOUBLE, relations=hook, switches=switches)


@pytest.mark.parametrize(
    ("joint", "told"),
    [
        ({"kind": "revolute", "bodies": ["ground", "lowr"], "at": ["O", "B"]}, "there is no body 'lowr'"),
        ({"kind": "revolute", "bodies": ["ground", "lower"], "at": ["O", "Z"]}, "there is no point 'Z'"),
        ({"kind": "revolute", "bodies": ["lower", "lower"], "at": ["A", "B"]}, "with itself"),
        ({"kind": "revolute", "bodies": ["ground", "lower"]}, "at.*is missing"),
        ({"kind": "prismatic", "bodies": ["ground", "lower"], "at": ["O", "B"]}, "axis.*is missing"),
        (
            {"kind": "revolute", "bodies": ["ground", "lower"], "at": ["O", "B"], "limits": [0, 1]},
            "a connection has none",
        ),
        ({"kind": "spherical", "bodies": ["ground", "lower"], "at": ["O", "B"]}, "needs a model in space"),
    ],
)
def test_faults_of_connections_are_named(joint: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError, match=f"(?s){told}"):
        lw.Model(**DOUBLE, relations={"hook": {"kind": "connection", "joint": joint}})


def test_a_file_keeps_connections_and_switches() -> None:
    switches = {
        "catch": {
            "connect": "hook",
            "when": "B.y - 0.3",
            "crossing": "falling",
            "catching": "1 mm",
            "otherwise": "pass",
        },
        "go": {"release": "hook", "at": ["1 s", "2 s"], "force": "500 N"},
        "foot": {"ground": "lower"},
    }
    model = lw.Model(
        **DOUBLE, relations={"hook": connection(["ground", "lower"], ["O", "B"], "revolute")}, switches=switches
    )
    again = lw.loads(lw.dump(model))
    assert again == model
    assert again.switches["go"].at is not None


# -- what is told --------------------------------------------------------------------------------------------------------


def test_freedoms_of_every_phase_are_told() -> None:
    """A double pendulum has two, grounded at its upper bar one, at its lower bar none; a weld leaves one."""
    relations = {"weld": connection(["upper", "lower"], ["A", "A"], "fixed")}
    switches = {
        "weld_it": {"connect": "weld", "at": 0.1, "catching": "anywhere"},
        "part": {"release": "weld", "at": 0.2},
        "one": {"ground": "upper", "at": 0.3},
        "free": {"release": "one", "at": 0.4},
        "two": {"ground": "lower", "at": 0.5},
    }
    model = lw.Model(**DOUBLE, relations=relations, switches=switches)
    for coordinates in ("relative", "reference_point", "natural"):
        modes = lw.simulate(model, until=0.6, coordinates=coordinates).modes
        assert [mode.freedoms for mode in modes] == [2, 1, 2, 1, 2, 0]
        assert "freedoms" in str(modes)


def test_an_analysis_lists_what_closes_and_opens() -> None:
    relations = {"hook": connection(["ground", "lower"], ["O", "B"], "revolute")}
    switches = {
        "catch": {"connect": "hook", "when": "B.y - 0.3", "crossing": "falling"},
        "go": {"release": "hook", "at": ["1 s", "2 s"], "force": "500 N"},
        "foot": {"ground": "lower"},
    }
    text = str(lw.analyse(lw.Model(**DOUBLE, relations=relations, switches=switches)))
    assert "hook (revolute, ground - lower): open at the start" in text
    assert "catch connects hook where B.y - 0.3 is zero falling" in text
    assert "go releases hook at 1 s and 2 s, or where its force exceeds 500 N" in text
    assert "foot grounds lower by hand" in text
