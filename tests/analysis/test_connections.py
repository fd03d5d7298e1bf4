"""Joints that close and open in a run, against rigid bodies in NumPy (``references/planar_bodies.py``), phase by phase."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from references.planar_bodies import GROUND, Array, Level, Part, Pin, PlanarBodies

FORMULATIONS = ("multipliers", "partitioning", "baumgarte", "augmented_lagrangian", "range_space", "r_projection")
KINDS = ("relative", "reference_point", "natural", "mixed")


def connection(bodies: list[str], at: list[str], active: bool = False, **keys: Any) -> dict[str, Any]:
    joint = {"kind": "revolute", "bodies": bodies, "at": at, **keys}
    return {"kind": "connection", "joint": joint, "active": active}


def bar(length: float, mass: float) -> Part:
    return Part(mass, mass * length**2 / 12)


def state(result: lw.Result, bodies: tuple[str, ...], sample: int = -1) -> tuple[Array, Array]:
    """Centres and angles of all bodies, and their rates."""
    q = [result[f"{body}.{name}"][sample] for body in bodies for name in ("x", "y", "angle")]
    v = [result[f"{body}.{name}"][sample] for body in bodies for name in ("vx", "vy", "speed")]
    return np.array(q), np.array(v)


def rates(result: lw.Result, bodies: tuple[str, ...], sample: int = -1) -> Array:
    return np.array([result[f"{body}.{name}"][sample] for body in bodies for name in ("ax", "ay", "acceleration")])


# -- two pendulums that are coupled --------------------------------------------------------------------------------------

TWO: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [0.6, -0.8], "P": [2.0, 0.3], "B": [3.2, 0.3], "C": [3.2, 1.1]},
    "bodies": {
        "one": {"bar": ["O", "A"], "mass": 2},
        "two": {"bar": ["P", "B"], "mass": 1},
        "three": {"bar": ["B", "C"], "mass": 1.5},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "one"]},
        "P": {"kind": "revolute", "bodies": ["ground", "two"]},
        "B": {"kind": "revolute", "bodies": ["two", "three"]},
    },
    "relations": {
        "hook": {
            "kind": "connection",
            "joint": {"kind": "revolute", "bodies": ["one", "three"], "at": ["A", "C"]},
            "active": False,
        }
    },
    "switches": {
        "catch": {"connect": "hook", "at": "0.4 s", "catching": "anywhere"},
        "free": {"release": "hook", "at": "1 s"},
    },
}
BODIES = ("one", "two", "three")
PARTS = PlanarBodies((bar(1.0, 2.0), bar(1.2, 1.0), bar(0.8, 1.5)))
PINS = [
    Pin(GROUND, (0.0, 0.0), 0, (-0.5, 0.0)),
    Pin(GROUND, (2.0, 0.3), 1, (-0.6, 0.0)),
    Pin(1, (0.6, 0.0), 2, (-0.4, 0.0)),
]
HOOK = Pin(0, (0.5, 0.0), 2, (0.4, 0.0))


def check_coupled(coordinates: str, formulation: str) -> None:
    result = lw.simulate(
        TWO, times=[0, 0.4, 0.7, 1.2], coordinates=coordinates, formulation=formulation, rtol=1e-12, atol=1e-13
    )
    assert result.outcome.completed, result.outcome
    q, v = PARTS.moved(PINS, *state(lw.simulate(TWO, times=[0, 0.1]), BODIES, 0), 0.4)
    closed = [*PINS, HOOK.here(q)]
    behind, impulse = PARTS.behind(closed, q, v)
    # the sample at the time of the change shows the state before or behind it
    found = state(result, BODIES, 1)
    np.testing.assert_allclose(found[0], q, atol=1e-10)
    q, v = PARTS.moved(closed, q, behind, 0.3)
    np.testing.assert_allclose(state(result, BODIES, 2), (q, v), atol=3e-10)
    acceleration, push = PARTS.accelerations(closed, *state(result, BODIES, 2))
    size = np.abs(acceleration).max()
    np.testing.assert_allclose(rates(result, BODIES, 2), acceleration, atol=1e-10 * size)
    joints = ("O", "P", "B", "hook")
    pushes = np.array([result[f"{joint}.{name}"][2] for joint in joints for name in ("fx", "fy")])
    np.testing.assert_allclose(pushes, push, atol=1e-10 * np.abs(push).max())
    q, v = PARTS.moved(PINS, *PARTS.moved(closed, q, v, 0.3), 0.2)
    np.testing.assert_allclose(state(result, BODIES, 3), (q, v), atol=3e-9)
    assert result["hook.fx"][3] == result["hook.fy"][3] == 0.0
    assert np.abs(impulse).max() > 0.1


@pytest.mark.parametrize("coordinates", KINDS)
def test_coupled_pendulums_agree_with_a_model_of_each_phase(coordinates: str) -> None:
    check_coupled(coordinates, "multipliers")


@pytest.mark.parametrize("formulation", FORMULATIONS[1:])
def test_coupled_pendulums_agree_in_every_formulation(formulation: str) -> None:
    check_coupled("relative", formulation)


def test_joining_loses_the_energy_of_the_relative_motion() -> None:
    """Carnot: what is lost is the kinetic energy of the lost velocities, ½ (v⁻ − v⁺)ᵀ M (v⁻ − v⁺)."""
    before = lw.simulate(lw.Model(**TWO).with_(switches=None), times=[0, 0.4], rtol=1e-12, atol=1e-13)
    q, v = state(before, BODIES)
    behind, _ = PARTS.behind([*PINS, HOOK.here(q)], q, v)
    lost = PARTS.kinetic(v - behind)
    assert lost == pytest.approx(PARTS.kinetic(v) - PARTS.kinetic(behind), rel=1e-10)
    result = lw.simulate(TWO, until=1.2, rtol=1e-12, atol=1e-13)
    assert result["work.dissipated"][-1] == pytest.approx(lost, rel=1e-9)
    assert result["work.dissipated"][300] == 0.0
    assert result.audit.passed, result.audit
    assert [mode.holds for mode in result.modes] == [(), ("hook",), ()]
    assert [event.name for event in result.events] == ["hook connects", "hook lets go"]


def test_a_run_goes_on_from_its_middle_with_what_is_closed() -> None:
    whole = lw.simulate(TWO, times=[0, 1.2])
    half = lw.simulate(TWO, until=0.7)
    rest = lw.simulate(half, times=[0.7, 1.2])
    np.testing.assert_allclose(state(rest, BODIES), state(whole, BODIES), atol=1e-8)
    assert [mode.holds for mode in rest.modes] == [("hook",), ()]
    other = lw.simulate(half, times=[0.7, 1.2], coordinates="reference_point")
    np.testing.assert_allclose(state(other, BODIES), state(whole, BODIES), atol=1e-8)


# -- a body that is earthed in flight ------------------------------------------------------------------------------------

DOUBLE: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [1, 0], "B": [1.7, 0.2]},
    "bodies": {
        "upper": {"bar": ["O", "A"], "mass": 2},
        "lower": {"bar": ["A", "B"], "mass": 1},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
        "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
    },
    "switches": {"hold": {"ground": "upper", "at": 0.3}, "free": {"release": "hold", "at": 0.8}},
}
LOWER = float(np.hypot(0.7, 0.2))
PAIR = PlanarBodies((bar(1.0, 2.0), bar(LOWER, 1.0)))
HUNG = [Pin(GROUND, (0.0, 0.0), 0, (-0.5, 0.0)), Pin(0, (0.5, 0.0), 1, (-LOWER / 2, 0.0))]


@pytest.mark.parametrize("coordinates", KINDS)
def test_a_body_is_earthed_where_it_is(coordinates: str) -> None:
    names = ("upper", "lower")
    result = lw.simulate(DOUBLE, times=[0, 0.6, 1.1], coordinates=coordinates, rtol=1e-12, atol=1e-13)
    assert [event.name for event in result.events] == ["hold is grounded", "hold lets go"]
    start = state(lw.simulate(DOUBLE, times=[0, 0.1]), names, 0)
    q, v = PAIR.moved(HUNG, *start, 0.3)
    held = [*HUNG, Level(GROUND, 0), Pin(GROUND, (0.0, 0.0), 0, (0.0, 0.0)).here(q)]
    q, v = PAIR.moved(held, q, PAIR.behind(held, q, v)[0], 0.3)
    np.testing.assert_allclose(state(result, names, 1), (q, v), atol=1e-9)
    np.testing.assert_allclose(rates(result, names, 1), PAIR.accelerations(held, q, v)[0], atol=1e-8)
    assert result["upper.speed"][1] == pytest.approx(0.0, abs=1e-12)
    q, v = PAIR.moved(HUNG, *PAIR.moved(held, q, v, 0.2), 0.3)
    np.testing.assert_allclose(state(result, names, 2), (q, v), atol=1e-8)


def test_what_pin_and_earth_hold_together_is_said_to_be_open() -> None:
    """The pin and the earth hold the upper bar both: their sum is known, the share of each is not."""
    result = lw.simulate(DOUBLE, until=0.7)
    reactions = {name: result.reactions[name] for name in ("O", "A", "hold")}
    assert {name: item.not_unique for name, item in reactions.items()} == {
        "O": ("fx", "fy"),
        "A": (),
        "hold": ("fx", "fy"),
    }
    lower = PAIR.parts[1].mass * np.array([result["lower.ax"][-1], result["lower.ay"][-1] + 9.81])
    both = [result[f"O.{name}"][-1] + result[f"hold.{name}"][-1] for name in ("fx", "fy")]
    np.testing.assert_allclose(both, lower + [0.0, 2 * 9.81], atol=1e-8)


def test_a_free_body_is_earthed_in_flight() -> None:
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"P": [0, 0]},
        bodies={"plate": {"points": ["P"], "com": "P", "mass": 3, "inertia": 0.2}},
        initial={"plate": {"vx": 2, "vy": 5, "speed": 3}},
        switches={"stop": {"ground": "plate", "when": "plate.vy", "crossing": "falling"}},
    )
    result = lw.simulate(model, until=1)
    top = 5 / 9.81
    (event,) = result.events
    assert event.time == pytest.approx(top, abs=1e-12)
    assert result["plate.x"][-1] == pytest.approx(2 * top, abs=1e-9)
    assert result["plate.angle"][-1] == pytest.approx(3 * top, abs=1e-9)
    assert result["stop.fy"][-1] == pytest.approx(3 * 9.81, rel=1e-12)
    assert result["work.dissipated"][-1] == pytest.approx(0.5 * 3 * 2**2 + 0.5 * 0.2 * 3**2, rel=1e-9)


# -- a chain that closes to a four-bar -----------------------------------------------------------------------------------

CHAIN: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [0.3, 0.2], "B": [1.1, 0.5], "C": [1.3, -0.2], "H": [1.2, 0.1]},
    "bodies": {
        "crank": {"bar": ["O", "A"], "mass": 1},
        "rod": {"bar": ["A", "B"], "mass": 2},
        "rocker": {"bar": ["B", "C"], "mass": 1.5},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
        "B": {"kind": "revolute", "bodies": ["rod", "rocker"]},
    },
    "initial": {"O": {"speed": 3}},
    "relations": {
        "close": {
            "kind": "connection",
            "joint": {"kind": "revolute", "bodies": ["ground", "rocker"], "at": ["H", "C"]},
            "active": False,
        }
    },
    "switches": {"latch": {"connect": "close", "when": "C.y + 0.5", "catching": "anywhere"}},
}
LINKS = ("crank", "rod", "rocker")


def lengths() -> list[float]:
    points = {name: np.array(place) for name, place in CHAIN["points"].items()}
    return [float(np.linalg.norm(points[b] - points[a])) for a, b in ("OA", "AB", "BC")]


def test_a_chain_closes_to_a_four_bar_like_one_that_was_built_so() -> None:
    r, rod, rocker = lengths()
    bodies = PlanarBodies((bar(r, 1.0), bar(rod, 2.0), bar(rocker, 1.5)))
    pins = [
        Pin(GROUND, (0.0, 0.0), 0, (-r / 2, 0.0)),
        Pin(0, (r / 2, 0.0), 1, (-rod / 2, 0.0)),
        Pin(1, (rod / 2, 0.0), 2, (-rocker / 2, 0.0)),
    ]
    result = lw.simulate(CHAIN, until=1.0, rtol=1e-12, atol=1e-13)
    when = result.events[0].time
    q, v = bodies.moved(pins, *state(result, LINKS, 0), when)
    place = Pin.place(q, 2, (rocker / 2, 0.0))
    assert place[1] == pytest.approx(-0.5, abs=1e-10)
    behind, impulse = bodies.behind([*pins, Pin(GROUND, tuple(place), 2, (rocker / 2, 0.0))], q, v)
    # a four-bar that is one from the start, from the state by hand
    built = lw.Model(**CHAIN).with_(
        points={"H": place.tolist(), **drawn(q, (r, rod, rocker))},
        relations=None,
        switches=None,
        joints={"C": {"kind": "revolute", "bodies": ["ground", "rocker"], "at": ["H", "C"]}},
        initial=None,
    )
    built = built.with_(initial={"O": {"speed": float(behind[2])}})
    after = lw.simulate(built, times=[0, 1.0 - when], rtol=1e-12, atol=1e-13)
    for name in ("ax", "ay", "acceleration", "x", "y"):
        for body in LINKS:
            assert result[f"{body}.{name}"][-1] == pytest.approx(after[f"{body}.{name}"][-1], abs=2e-9)
    for joint, other in (("O", "O"), ("A", "A"), ("B", "B"), ("close", "C")):
        for name in ("fx", "fy"):
            assert result[f"{joint}.{name}"][-1] == pytest.approx(after[f"{other}.{name}"][-1], abs=5e-9)
    assert result.audit.passed, result.audit
    assert np.linalg.norm(impulse) > 1.0


def drawn(q: Array, sizes: tuple[float, ...]) -> dict[str, list[float]]:
    """The points of the chain in a state."""
    ends = {"A": (0, sizes[0]), "B": (1, sizes[1]), "C": (2, sizes[2])}
    return {name: Pin.place(q, body, (size / 2, 0.0)).tolist() for name, (body, size) in ends.items()}


def test_other_verbs_say_that_nothing_is_grounded_there() -> None:
    """Or refuse it; a model without relations has them too."""
    model = lw.example("four_bar").with_(switches={"stand": {"ground": "rocker", "at": 0.2}})
    with pytest.raises(
        lw.errors.RefusedError, match="solve_kinematics does not take relations that come and go yet: 'stand'"
    ):
        lw.solve_kinematics(model, {"O": "2*t"}, until=1)
    told = "nothing is connected, grounded or released here: stand"
    assert told in lw.linearise(model).notes
    assert told in lw.find_equilibrium(model).notes
    assert told in lw.realtime(model, "1 ms").notes  # but by hand
    assert told not in lw.simulate(model, until=0.1).notes


@pytest.mark.parametrize("until_released", [True, False])
def test_reactions_of_two_pins_are_not_unique_while_both_hold(until_released: bool) -> None:
    """Also where this is a small part of the run: an arm between two fixed pins has an axial force that nobody knows."""
    switches = {"catch": {"connect": "hook", "when": "arm.A.x", "crossing": "falling", "catching": "1 mm"}}
    if until_released:
        switches["let"] = {"release": "hook", "at": "1 s"}
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.5, 0], "H": [0, -0.5]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 2}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        relations={
            "hook": {
                "kind": "connection",
                "joint": {"kind": "revolute", "bodies": ["ground", "arm"], "at": ["H", "A"]},
                "active": False,
            }
        },
        switches=switches,
    )
    result = lw.simulate(model, until=2)
    assert result.reactions["O"].not_unique == result.reactions["hook"].not_unique == ("fy",)
