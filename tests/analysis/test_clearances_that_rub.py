"""Clearances whose parts rub or give way: exact motions of pins in holes and blocks in guides, and SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork import testing
from linkwork.errors import ModelError, RefusedError

G, GAP, HOLE, MASS, INERTIA = 9.81, 2e-3, 0.02, 1.5, 2e-4
PIN = HOLE - GAP
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def journal(clearance: dict[str, Any], *, angle: float = 0.0, turned: float = 0.0, **more: Any) -> lw.Model:
    """A pin in a hole of the ground, its centre at an angle from below; gravity may be turned."""
    at = [GAP * np.sin(angle + turned), -GAP * np.cos(angle + turned)]
    data: dict[str, Any] = {
        "space": "planar",
        "gravity": [G * np.sin(turned), -G * np.cos(turned)],
        "points": {"O": [0, 0], "P": at},
        "bodies": {"pin": {"points": ["P"], "com": "P", "mass": MASS, "inertia": INERTIA}},
        "joints": {
            "J": {
                "kind": "revolute",
                "bodies": ["ground", "pin"],
                "at": ["O", "P"],
                "clearance": {"gap": GAP, "radius": HOLE, **clearance},
            }
        },
    }
    return lw.Model(**{**data, **more})


def bearing_angle(result: lw.Result, turned: float = 0.0) -> np.ndarray:
    """Of the centre of the pin, from below."""
    return np.unwrap(np.arctan2(result["J.position_x"], -result["J.position_y"])) - turned


@pytest.mark.parametrize("turned", [0.0, np.pi / 4])
@pytest.mark.parametrize("mu", [0.1, 0.4])
def test_a_shaft_that_turns_climbs_to_the_angle_of_friction(mu: float, turned: float) -> None:
    """There the force of the hole, turned by arctan μ, bears the weight; the torque is that of the circle of friction."""
    phi = np.arctan(mu)
    drive = {"motor": {"joint": "J", "freedom": "angle", "speed": 30.0}}
    result = lw.simulate(journal({"friction": mu}, angle=-phi, turned=turned, drivers=drive), until=0.5, **TIGHT)
    assert bearing_angle(result, turned) == pytest.approx(-phi, abs=1e-9)
    assert result["J.contact.force"] == pytest.approx(MASS * G * np.cos(phi), rel=1e-9)
    assert np.abs(result["J.contact.friction"]) == pytest.approx(MASS * G * np.sin(phi), rel=1e-9)
    assert result["motor.effort"][-1] == pytest.approx(MASS * G * PIN * np.sin(phi), rel=1e-9)
    assert result["J.contact.slip"][-1] == pytest.approx(30.0 * PIN, rel=1e-9)
    assert not [event for event in result.events if "parts" in event.name or "free" in event.name]


def test_it_swings_about_that_angle_as_scipy_has_it() -> None:
    """m c ψ'' = −W sin ψ − μ (W cos ψ + m c ψ'²) while the pin slips one way."""
    mu = 0.3

    def flow(_: float, y: np.ndarray) -> list[float]:
        press = G * np.cos(y[0]) + GAP * y[1] ** 2
        return [y[1], (-G * np.sin(y[0]) - mu * press) / GAP]

    drive = {"motor": {"joint": "J", "freedom": "angle", "speed": 60.0}}
    result = lw.simulate(journal({"friction": mu}, drivers=drive), until=0.2, **TIGHT)
    exact = solve_ivp(flow, (0, 0.2), [0.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-14, t_eval=result.time).y[0]
    assert np.ptp(exact) > 0.5
    assert bearing_angle(result) == pytest.approx(exact, abs=1e-7)
    assert result.audit.passed


def test_a_pin_rolls_in_its_hole() -> None:
    """Without slip it is a pendulum of the length c with the mass m + J/R₁²."""
    start, inertia = 0.5, MASS + INERTIA / PIN**2

    def flow(_: float, y: np.ndarray) -> list[float]:
        return [y[1], -MASS * G * np.sin(y[0]) / (inertia * GAP)]

    result = lw.simulate(journal({"friction": 0.8}, angle=start), until=0.3, **TIGHT)
    exact = solve_ivp(flow, (0, 0.3), [start, 0.0], method="DOP853", rtol=1e-12, atol=1e-14, t_eval=result.time).y
    assert bearing_angle(result) == pytest.approx(exact[0], abs=1e-7)
    assert PIN * result["pin.speed"] == pytest.approx(-GAP * exact[1], abs=1e-8)
    assert set(result.modes.spans) == {"J.contact", "J.contact.friction"}
    assert result["work.dissipated"][-1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("mu", [0.05, 0.3])
def test_a_block_brakes_in_its_guide(mu: float) -> None:
    """Its weight presses it on the lower line: it stops after v/μ g, and stays."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0], "Q": [0, -1e-3]},
        bodies={"block": {"points": ["Q"], "com": "Q", "mass": 2, "inertia": 0.01}},
        joints={
            "S": {
                "kind": "prismatic",
                "bodies": ["ground", "block"],
                "at": ["P", "Q"],
                "axis": [1, 0],
                "clearance": {"gap": 1e-3, "length": 0.2, "friction": mu},
            }
        },
        initial={"S": {"speed": 1.0}},
    )
    end = 1.0 / (mu * G)
    result = lw.simulate(model, until=1.2 * end, **TIGHT)
    assert result["S.speed"] == pytest.approx(np.maximum(1.0 - mu * G * result.time, 0.0), abs=1e-9)
    stops = [event.time for event in result.events if "sticks" in event.name]
    assert stops and stops == pytest.approx([end] * len(stops), rel=1e-10)
    carried = sum(result[f"S.{end}_{side}.force"] for end in ("front", "rear") for side in ("left", "right"))
    assert carried == pytest.approx(2 * G, rel=1e-9)
    assert result["work.dissipated"][-1] == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("law", ["linear", "hunt_crossley"])
@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural", "mixed"])
def test_a_soft_pin_falls_into_its_hole_as_scipy_has_it(law: str, coordinates: str) -> None:
    """Along a line it hits the hole, with k δ + d δ' or k δ^1.5 (1 + d δ'), which never pull."""
    k, d = (1e6, 100.0) if law == "linear" else (1e8, 0.5)

    def flow(_: float, y: np.ndarray) -> list[float]:
        deep = abs(y[0]) - GAP
        rate = np.sign(y[0]) * y[1]
        push = 0.0
        if deep > 0.0:
            push = max(0.0, k * deep + d * rate if law == "linear" else k * deep**1.5 * (1 + d * rate))
        return [y[1], -G - np.sign(y[0]) * push / MASS]

    data = journal({"stiffness": k, "damping": d, "law": law}).to_dict()
    data["points"]["P"] = [0, 0]
    result = lw.simulate(lw.Model(**data), until=0.1, coordinates=coordinates, **TIGHT)
    run = solve_ivp(flow, (0, 0.1), [0, 0], method="DOP853", rtol=1e-11, atol=1e-14, max_step=1e-5, t_eval=result.time)
    assert result["J.position_y"] == pytest.approx(run.y[0], abs=2e-8)
    assert result.audit.passed
    assert result["J.contact.force"].min() == 0.0 < result["J.contact.force"].max()


def loose_slider_crank(**clearance: Any) -> lw.Model:
    """A driven slider-crank whose wrist pin is loose."""
    w, a, rod = 20.0, np.radians(40.0), 0.3
    crank = 0.1 * np.array([np.cos(a), np.sin(a)])
    lean = -np.arcsin(crank[1] / rod)
    turning = -crank[0] * w / (rod * np.cos(lean))
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": crank, "B": [crank[0] + rod * np.cos(lean), 0.0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 0.6},
            "slider": {"points": ["B"], "com": "B", "mass": 0.8, "inertia": 1e-3},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
            "B": {
                "kind": "revolute",
                "bodies": ["rod", "slider"],
                "clearance": {"gap": 1e-4, "radius": 0.01, **clearance},
            },
            "S": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": "B", "axis": [1, 0]},
        },
        drivers={"motor": {"joint": "O", "position": "40 deg + 20*t"}},
        initial={"A": {"speed": turning - w}, "S": {"speed": -crank[1] * w - rod * np.sin(lean) * turning}},
    )


@pytest.mark.parametrize(
    "clearance",
    [
        {"restitution": 0.2, "friction": 0.1},
        {"friction": 0.1, "smoothing": 1e-3},
        {"stiffness": 1e8, "damping": 1e3},
        {"stiffness": 1e10, "damping": 0.5, "law": "hunt_crossley", "friction": 0.1, "smoothing": 1e-3},
    ],
    ids=["rubs", "rubs smoothly", "soft", "soft and rubs"],
)
def test_a_slider_crank_closes_its_energy(clearance: dict[str, Any]) -> None:
    """The parts hardly leave the way of a joint that fits, and what friction and blows take is told."""
    result = lw.simulate(loose_slider_crank(**clearance), until=1.0)
    assert result.outcome.completed
    assert result.audit.passed
    assert np.ptp(result["energy.balance"]) < 2e-5
    fitting = loose_slider_crank().to_dict()
    fitting["joints"]["B"].pop("clearance")
    fitting["initial"] = {}
    exact = lw.simulate(lw.Model(**fitting), until=1.0)
    assert np.abs(result["S.position"] - exact["S.position"]).max() < 3e-4
    assert result["work.dissipated"][-1] > 0.0


def test_a_pin_in_a_bush_rubs_at_both_ends() -> None:
    """A shaft in a wide bush, driven about its axis: both ends climb to the angle of friction."""
    mu, phi = 0.25, np.arctan(0.25)
    at = [GAP * np.sin(-phi), -GAP * np.cos(phi), 0.0]
    model = lw.Model(
        space="spatial",
        gravity=[0, -G, 0],
        points={"O": [0, 0, 0], "P": at},
        bodies={"shaft": {"points": ["P"], "com": "P", "mass": MASS, "inertia": [1e-3, 1e-3, INERTIA]}},
        joints={
            "J": {
                "kind": "revolute",
                "bodies": ["ground", "shaft"],
                "at": ["O", "P"],
                "axis": [0, 0, 1],
                "clearance": {"gap": GAP, "length": 0.1, "radius": HOLE, "friction": mu, "smoothing": 1e-6},
            }
        },
        forces={"motor": {"kind": "torque", "body": "shaft", "value": [0, 0, MASS * G * PIN * np.sin(phi)]}},
        initial={"J": {"omega": [0, 0, 30.0]}},
    )
    result = lw.simulate(model, until=0.05)
    for end in ("front", "rear"):
        assert result[f"J.{end}.force"] == pytest.approx(MASS * G * np.cos(phi) / 2, rel=1e-6)
        assert result[f"J.{end}.friction"] == pytest.approx(MASS * G * np.sin(phi) / 2, rel=1e-6)


# -- other verbs, what is refused ----------------------------------------------------------------------------------------


def test_a_slider_without_inertia_that_cannot_turn_moves_as_one_with_some() -> None:
    """Drawn in the middle of its clearance, where the gap has no direction; a point has no inertia and needs none."""

    def ran(**inertia: float) -> lw.Result:
        model = lw.Model(
            space="planar",
            gravity=[0, -G],
            points={"O": [0, 0], "B": [0.3, 0.1]},
            bodies={
                "rod": {"bar": ["O", "B"], "mass": 1},
                "slider": {"points": ["B"], "com": "B", "mass": 1, **inertia},
            },
            joints={
                "O": {"kind": "revolute", "bodies": ["ground", "rod"]},
                "B": {
                    "kind": "revolute",
                    "bodies": ["rod", "slider"],
                    "clearance": {"gap": 0.5e-3, "friction": 0.1, "radius": 0.01},
                },
                "S": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": "B", "axis": [1, 0]},
            },
        )
        assert "friction 0.1)" in " ".join(str(lw.analyse(model)).split())
        return lw.simulate(model, until=0.2)

    point, body = ran(), ran(inertia=1e-9)
    assert point.outcome.completed and point.audit.passed, point.outcome
    assert [event.name for event in point.events] == ["B.contact touches", "B.contact slips", "B.contact sticks"]
    for name in ("O.angle", "O.speed", "S.position", "B.contact.force"):
        assert point[name] == pytest.approx(body[name], rel=1e-9, abs=1e-12), name


def test_where_nobody_can_tell_what_touches_it_is_refused() -> None:
    rubs = loose_slider_crank(friction=0.1)
    with pytest.raises(RefusedError, match=r"clearances whose parts come and go: 'B'.*give its parts a stiffness"):
        lw.realtime(rubs)
    with pytest.raises(RefusedError, match="'B' rubs in its clearance"):
        lw.simulate(rubs, until=0.1, integrator="moreau_jean", fixed_step=1e-4)


@pytest.mark.parametrize(
    ("clearance", "reason"),
    [
        ({"friction": -0.1}, "cannot be negative"),
        ({"static": 0.1}, "stands without friction"),
        ({"stiffness": 1e5, "restitution": 0.2}, "whose damping says what comes back"),
        ({"stiffness": 0.0}, "must be positive"),
        ({"stiffness": 1e5, "friction": 0.2}, "friction of what gives way does not hold"),
        ({"damping": 5}, "belongs to parts that give way"),
        ({"stiffness": 1e5, "law": "hertz"}, "valid names: linear, hunt_crossley"),
        ({"stribeck": 0.1}, "is not known"),
    ],
)
def test_what_makes_no_sense_is_told(clearance: dict[str, Any], reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        journal(clearance)


def test_friction_needs_the_radius_of_what_rubs() -> None:
    data = journal({}).to_dict()
    data["joints"]["J"]["clearance"] = {"gap": GAP, "friction": 0.1}
    with pytest.raises(ModelError, match=r"clearance.radius: is missing: of the hole"):
        lw.Model(**data)


def test_it_is_written_and_read_back() -> None:
    testing.check_saved(journal({"friction": 0.1, "static": 0.2}))
    testing.check_saved(journal({"stiffness": "1e5 N/m", "damping": 3, "law": "hunt_crossley"}))
