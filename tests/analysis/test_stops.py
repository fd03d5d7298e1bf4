"""Stops at the limits of joints: rigid ones with restitution, and springs with dampers, against exact motions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import linkwork as lw
from linkwork.equations.formulations import ALL_FORMULATIONS
from linkwork.errors import AssemblyError, ModelError

G = 9.81
ALL_KINDS = ("relative", "reference_point", "natural", "mixed")
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def ball(restitution: float, height: float = 1.0, *, turned: float = 0.0, size: float = 1.0) -> lw.Model:
    """A ball that falls along a guide onto its lower stop; the guide and gravity turned, all lengths *size* times."""
    along = [-np.sin(turned), np.cos(turned)]
    return lw.Model(
        space="planar",
        gravity=[-G * size * x for x in along],
        points={"P": [0, 0]},
        bodies={"ball": {"points": ["P"], "mass": 2, "com": "P"}},
        joints={
            "guide": {
                "kind": "prismatic",
                "bodies": ["ground", "ball"],
                "at": "P",
                "axis": along,
                "limits": [0, None],
                "stops": {"restitution": restitution},
            }
        },
        initial={"guide": {"position": height * size}},
    )


def rod(
    limits: list[Any], *, speed: float | None = None, angle: float = 0.0, gravity: float = G, **joint: Any
) -> lw.Model:
    """A rod of 2 kg and 1 m on a pin; its lowest position may be the parameter *lowest*."""
    return lw.Model(
        space="planar",
        gravity=[0, -gravity],
        points={"O": [0, 0], "A": [np.cos(angle), np.sin(angle)]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 2}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"], "limits": limits, **joint}},
        parameters={"lowest": {"value": "-60 deg", "live": True}},
        **({} if speed is None else {"initial": {"O": {"speed": speed}}}),
    )


def names(result: lw.Result) -> list[str]:
    return [event.name for event in result.events]


# -- a ball that bounces -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_ball_bounces_ever_faster_and_comes_to_rest(kind: str) -> None:
    """t_n = t₁ (1 + 2 e (1 − eⁿ⁻¹)/(1 − e)), speeds eⁿ⁻¹ √(2 g h), rest at t₁ (1 + e)/(1 − e)."""
    e, first = 0.8, np.sqrt(2 / G)
    result = lw.simulate(ball(e), until=6, coordinates=kind, **TIGHT)
    *hits, last = result.events
    n = np.arange(len(hits))
    assert {event.name for event in hits} == {"guide.position.lower is hit"}
    assert [event.time for event in hits] == pytest.approx(first * (1 + 2 * e * (1 - e**n) / (1 - e)), abs=1e-9)
    # impulses of the last jumps, of some 1e-5 m/s, feel the rounding errors of places
    impulses = np.array([event.values["impulse"] for event in hits])
    assert impulses[:20] == pytest.approx(2 * (1 + e) * first * G * e ** n[:20], rel=1e-8)
    assert last.name == "guide.position.lower is reached"
    assert last.values["rest from"] == pytest.approx(first * (1 + e) / (1 - e), abs=1e-8)
    resting = result.time > last.time
    assert np.all(result["guide.position.stop"][result.time < last.time] == 0.0)
    assert result["guide.position.stop"][resting] == pytest.approx(2 * G, rel=1e-10)
    assert np.abs(result["guide.position"][resting]).max() < 1e-12
    assert result["guide.position"].min() > -1e-12
    assert result["work.dissipated"][-1] == pytest.approx(2 * G, rel=1e-10)
    assert [mode.holds for mode in result.modes] == [(), ("guide.position.lower",)]
    assert result.audit.passed, str(result.audit)


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_bounces_do_not_depend_on_the_scale_or_the_direction(size: float) -> None:
    e, first = 0.7, np.sqrt(2 / G)
    result = lw.simulate(ball(e, turned=np.pi / 4, size=size), until=4, rtol=1e-11, atol=1e-13 * size)
    assert result.events[4].time == pytest.approx(first * (1 + 2 * e * (1 - e**4) / (1 - e)), abs=1e-9)
    assert result.events[-1].values["rest from"] == pytest.approx(first * (1 + e) / (1 - e), abs=1e-6)
    assert result.audit.passed, str(result.audit)


def test_nothing_is_lost_where_all_of_the_speed_comes_back() -> None:
    result = lw.simulate(ball(1.0), until=20, **TIGHT)
    assert len(result.events) == 22  # (20 s − t₁) / 2 t₁ further ones behind the first
    assert result["energy.total"] == pytest.approx(result["energy.total"][0], rel=1e-9)
    assert result.audit.passed, str(result.audit)


def test_what_lies_on_its_stop_stays_and_what_is_pulled_away_leaves() -> None:
    lying = lw.simulate(ball(0.9, height=0.0), until=1)
    assert not lying.events
    assert lying["guide.position.stop"] == pytest.approx(2 * G)
    pulled = ball(0.9, height=0.0).with_(forces={"pull": {"kind": "effort", "joint": "guide", "value": "30*sin(t)"}})
    result = lw.simulate(pulled, until=1.2, **TIGHT)
    (left,) = result.events
    assert left.name == "guide.position.lower is left"
    assert left.time == pytest.approx(np.arcsin(2 * G / 30), abs=1e-10)
    held = result.time < left.time
    assert result["guide.position.stop"][held] == pytest.approx(2 * G - 30 * np.sin(result.time[held]), rel=1e-9)


# -- impulses of several bodies ------------------------------------------------------------------------------------------


def cradle(restitution: float, gap: float = 1e-3, count: int = 5) -> lw.Model:
    """Equal balls on one guide, of which each is a stop for the next; the first one runs into them."""
    balls = [f"ball{i + 1}" for i in range(count)]
    before = ["ground", *balls[:-1]]
    return lw.Model(
        space="planar",
        points={"P": [0, 0]},
        bodies={name: {"points": ["P"], "mass": 0.3, "com": "P"} for name in balls},
        joints={
            f"g{i + 1}": {
                "kind": "prismatic",
                "bodies": [before[i], name],
                "at": "P",
                "axis": [1, 0],
                **({"limits": [0.1, None], "stops": {"restitution": restitution}} if i else {}),
            }
            for i, name in enumerate(balls)
        },
        initial={
            "g1": {"position": 0.0, "speed": 1.0},
            "g2": {"position": 0.1 + gap, "speed": -1.0},
            **{f"g{i + 1}": {"position": 0.1 + gap, "speed": 0.0} for i in range(2, count)},
        },
    )


@pytest.mark.parametrize("restitution", [1.0, 0.9])
def test_balls_of_a_cradle_hit_one_after_the_other(restitution: float) -> None:
    """After the first pass v₅ = ((1 + e)/2)⁴, v_k = ((1 + e)/2)ᵏ⁻¹ (1 − e)/2."""
    e = restitution
    until = 0.001 * sum((2 / (1 + e)) ** k for k in range(4)) + 1e-9
    result = lw.simulate(cradle(e), until=until, **TIGHT)
    speeds = np.cumsum([result[f"g{i}.speed"][-1] for i in range(1, 6)])
    expected = [((1 + e) / 2) ** (k - 1) * (1 - e) / 2 for k in range(1, 5)] + [((1 + e) / 2) ** 4]
    assert speeds == pytest.approx(expected, abs=1e-10)
    assert names(result) == [f"g{k}.position.lower is hit" for k in range(2, 6)]


def test_two_pendulums_hit_a_stop_between_them_as_their_mass_matrix_says() -> None:
    """M (v⁺ − v⁻) = Cᵀ Λ, C v⁺ = −e C v⁻ for the relative angle of a double pendulum."""
    e, first, second = 0.4, -1.1, 0.9
    tip = [np.cos(first), np.sin(first)]
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={
            "O": [0, 0],
            "A": tip,
            "B": [tip[0] + 0.7 * np.cos(first + second), tip[1] + 0.7 * np.sin(first + second)],
        },
        bodies={"upper": {"bar": ["O", "A"], "mass": 2}, "lower": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"], "limits": [None, 1.0], "stops": {"restitution": e}},
        },
        initial={"O": {"speed": 0.5}, "A": {"speed": 2.0}},
    )
    result = lw.simulate(model, until=0.2, **TIGHT)
    (hit,) = result.events
    assert hit.name == "A.angle.upper is hit"
    before, after = (
        lw.simulate(model, times=[0.0, hit.time + step], **TIGHT) if step else None for step in (-1e-9, 1e-9)
    )
    assert before is not None
    assert after is not None
    angle, m1, m2, a, b = 1.0, 2.0, 1.0, 1.0, 0.7
    coupled = m2 * a * b / 2 * np.cos(angle)
    mass = np.array(
        [
            [m1 * a**2 / 3 + m2 * a**2 + m2 * b**2 / 3 + 2 * coupled, m2 * b**2 / 3 + coupled],
            [m2 * b**2 / 3 + coupled, m2 * b**2 / 3],
        ]
    )
    v = np.array([before["O.speed"][-1], before["A.speed"][-1]])
    along = np.array([0.0, 1.0])
    answer = np.linalg.solve(mass, along)
    push = (1 + e) * v[1] / (along @ answer)
    found = np.array([after["O.speed"][-1], after["A.speed"][-1]])
    assert found == pytest.approx(v - push * answer, abs=1e-6)
    assert hit.values["impulse"] == pytest.approx(push, rel=1e-7)
    lost = 0.5 * push * v[1] * (1 - e)
    assert result["work.dissipated"][-1] == pytest.approx(lost, rel=1e-7)
    assert result.audit.passed, str(result.audit)


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_two_stops_that_are_hit_at_once_send_back_both_speeds(kind: str, e: float) -> None:
    """Where nothing is left to push, what stops push with is no pull either."""
    stop = {"limits": [None, 0], "stops": {"restitution": e}}
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0], "B": [2, 0]},
        bodies={"upper": {"bar": ["O", "A"], "mass": 2}, "lower": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"], **stop},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"], **stop},
        },
        initial={"O": {"speed": 1.0}, "A": {"speed": 2.0}},
    )
    result = lw.simulate(model, until=0.01, coordinates=kind, **TIGHT)
    assert result["O.speed"][0] == pytest.approx(-e, abs=1e-13)
    assert result["A.speed"][0] == pytest.approx(-2 * e, abs=1e-13)
    # M (v⁺ − v⁻) = Λ of both angles, where the bars are in line
    whole, coupled, own = 2 / 3 + 1 + 1 / 3 + 1, 1 / 3 + 1 / 2, 1 / 3
    pushes = [event.values["impulse"] for event in result.events]
    assert pushes == pytest.approx([(1 + e) * (whole + 2 * coupled), (1 + e) * (coupled + 2 * own)])
    assert result.audit.passed, str(result.audit)


def four_bar(**rocker: Any) -> lw.Model:
    """The four-bar of the library with a stop at its rocker."""
    model = lw.example("four_bar")
    joints = {name: joint.to_dict() for name, joint in model.joints.items()}
    return model.with_(joints=joints | {"C": {**joints["C"], **rocker}})


@pytest.mark.parametrize("formulation", [known.name for known in ALL_FORMULATIONS if known.abilities.limits])
def test_a_stop_in_a_loop_is_the_same_in_all_formulations(formulation: str) -> None:
    model = four_bar(limits=["60 deg", "100 deg"], stops={"restitution": 0.5})
    settings = {"until": 2.0, "step": 0.02, **TIGHT}
    usual = lw.simulate(model, coordinates="natural", **settings)
    assert len(usual.events) > 1
    kind = next(known for known in ALL_FORMULATIONS if known.name == formulation).kinds
    other = lw.simulate(model, coordinates=(kind or ("reference_point",))[0], formulation=formulation, **settings)
    assert names(other) == names(usual)
    exact = next(known for known in ALL_FORMULATIONS if known.name == formulation).abilities.exact
    assert other["C.angle"] == pytest.approx(usual["C.angle"], abs=1e-7 if exact else 1e-4)
    assert np.degrees(usual["C.angle"]).max() < 100 + 1e-8
    assert usual.audit.passed, str(usual.audit)


# -- stops that give way ----------------------------------------------------------------------------------------------------


def test_a_stop_that_gives_way_sends_back_half_a_vibration() -> None:
    """Without gravity δ = v/ω_d e^(−ζωt) sin ω_d t until k δ + c δ̇ = 0; from then on it does not pull."""
    stiffness, damping, inertia, speed = 4000.0, 8.0, 2.0 / 3, 1.5
    model = rod([None, 0.3], speed=speed, gravity=0, stops={"stiffness": stiffness, "damping": damping})
    omega, zeta = np.sqrt(stiffness / inertia), damping / (2 * np.sqrt(stiffness * inertia))
    damped = omega * np.sqrt(1 - zeta**2)
    # k δ + c δ̇ = 0 at tan ω_d t = −2 ζ √(1 − ζ²) / (1 − 2 ζ²)
    duration = (np.pi - np.arctan2(2 * zeta * np.sqrt(1 - zeta**2), 1 - 2 * zeta**2)) / damped
    decay = np.exp(-zeta * omega * duration)
    back = speed * decay * (np.cos(damped * duration) - zeta / np.sqrt(1 - zeta**2) * np.sin(damped * duration))
    result = lw.simulate(model, until=0.3 / speed + duration + 0.05, rtol=1e-11, atol=1e-13)
    assert result["O.speed"][-1] == pytest.approx(back, rel=1e-8)
    assert result["O.angle.stop"].max() == 0.0
    deepest = np.max(result["O.angle"]) - 0.3
    assert deepest == pytest.approx(
        speed / omega * np.exp(-zeta / np.sqrt(1 - zeta**2) * np.arctan2(np.sqrt(1 - zeta**2), zeta)), rel=1e-4
    )
    assert result["work.dissipated"][-1] == pytest.approx(0.5 * inertia * (speed**2 - back**2), rel=1e-8)
    assert result.audit.passed, str(result.audit)


# -- a rod between stops -------------------------------------------------------------------------------------------------


def test_a_rod_swings_between_its_stops_and_the_print_tells() -> None:
    result = lw.simulate(rod(["-60 deg", "20 deg"]), until=2)
    first = result.events[0]
    assert first.name == "O.angle.lower is reached"
    speed = np.sqrt(3 * G * np.sin(np.pi / 3))
    assert first.values["impulse"] == pytest.approx(2 / 3 * speed, rel=1e-8)
    # it lies there, and the stop holds its weight
    assert result["O.angle.stop"][-1] == pytest.approx(2 * G * 0.5 * np.cos(np.pi / 3), rel=1e-9)
    assert result["O.angle"][-1] == pytest.approx(-np.pi / 3, abs=1e-12)
    assert "O.angle.lower is reached" in str(result)
    assert result.reactions["O.angle"]["stop"][-1] == result["O.angle.stop"][-1]
    # half of the weight is held by the pin, half by the couple of the stop
    assert result["O.fy"][-1] == pytest.approx(2 * G, rel=1e-9)


def test_a_run_goes_on_on_its_stop() -> None:
    model = rod(["-60 deg", None])
    first = lw.simulate(model, until=1)
    second = lw.simulate(first, until=2)
    assert second.modes.rows[0].holds == ("O.angle.lower",)
    assert not second.events
    assert second["O.angle"] == pytest.approx(-np.pi / 3, abs=1e-12)


def test_limits_may_be_live() -> None:
    low = lw.simulate(rod(["lowest", None]), until=1, parameters={"lowest": "-30 deg"})
    assert low["O.angle"][-1] == pytest.approx(-np.pi / 6, abs=1e-12)


def test_a_coordinate_that_starts_turns_away_is_inside() -> None:
    """The angle as drawn is −170 degrees, 190 of the range; the count of turns is the user's where he gave it."""
    model = rod(["170 deg", "200 deg"], angle=-np.radians(170))
    result = lw.simulate(model, until=0.5)
    assert result.status.message == "completed"
    assert np.degrees(result["O.angle"].max()) <= -160 + 1e-6


def test_a_start_beyond_a_stop_is_refused_with_what_would_do() -> None:
    with pytest.raises(AssemblyError, match=r"stop O.angle: upper is exceeded by 10 deg .* draw it inside"):
        lw.simulate(rod([None, "20 deg"], angle=np.radians(30)), until=1)


def test_a_driver_that_runs_into_a_stop_says_so() -> None:
    driven = rod([-1, 0.5]).with_(drivers={"motor": {"joint": "O", "position": "t"}})
    result = lw.simulate(driven, until=1)
    assert not result.outcome.completed
    assert result.outcome.time == pytest.approx(0.5, abs=1e-9)
    assert "motor" in result.outcome.reason
    assert "O.angle" in result.outcome.reason


# -- other questions -----------------------------------------------------------------------------------------------------


def test_motions_that_are_given_tell_where_they_pass_a_stop() -> None:
    model = rod(["-60 deg", "20 deg"])
    for found in (
        lw.solve_kinematics(model, {"O": "-t"}, until=2),
        lw.inverse_dynamics(model, {"O": "-t"}, until=2).result,
    ):
        (told,) = (note for note in found.notes if "is beyond its limits" in note)
        assert told.startswith("O.angle is beyond its limits (-60 deg to 20 deg) at t = 1.048")
    inside = lw.solve_kinematics(model, {"O": "-0.1*t"}, until=2)
    assert not any("is beyond" in note for note in inside.notes)


def test_passings_of_stops_are_listed_by_name() -> None:
    """α = −1.2 sin t passes −60 deg and 20 deg where sin t says, there and back."""
    model = rod(["-60 deg", "20 deg"])
    for found in (
        lw.solve_kinematics(model, {"O": "-1.2*sin(t)"}, until=2 * np.pi, step=0.05),
        lw.inverse_dynamics(model, {"O": "-1.2*sin(t)"}, until=2 * np.pi, step=0.05).result,
    ):
        low, high = np.arcsin(np.pi / 3 / 1.2), np.arcsin(np.pi / 9 / 1.2)
        names = [f"O.angle.{side} is passed{back}" for side in ("lower", "upper") for back in ("", " back")]
        assert [event.name for event in found.events] == names
        times = [low, np.pi - low, np.pi + high, 2 * np.pi - high]
        assert [event.time for event in found.events] == pytest.approx(times, abs=1e-6)


def test_passings_of_ropes_and_surfaces_are_listed_by_name() -> None:
    """Of an arm that swings by α = sin(2 t)/2, against the zeros of its own distances."""
    arm = lw.loads("""
linkwork: 1
space: planar
points: {O: [0, 0], A: [1, 0], P: [0.4, 1.2]}
bodies: {arm: {bar: [O, A], mass: 2}}
joints: {O: {kind: revolute, bodies: [ground, arm]}}
surfaces:
  floor: {plane: [0, 1], at: [0, -0.25]}
  tip: {ball: 0.05, on: arm, at: [1, 0]}
contacts: {landing: {between: [floor, tip]}}
relations: {line: {kind: rope, between: [ground.P, arm.A], length: 1.5}}
""")
    found = lw.solve_kinematics(arm, {"O": "0.5*sin(2*t)"}, until=3, step=0.01)

    def angle(t: float) -> float:
        return float(0.5 * np.sin(2 * t))

    def taut(t: float) -> float:
        return float(1.5 - np.hypot(np.cos(angle(t)) - 0.4, np.sin(angle(t)) - 1.2))

    def gap(t: float) -> float:
        return float(np.sin(angle(t)) + 0.25 - 0.05)

    rooms = {"line": taut, "landing": gap}
    ends = {"is passed": (np.pi / 2, 0.75 * np.pi), "is passed back": (0.75 * np.pi, np.pi)}
    wanted = {f"{name} {word}": brentq(room, *end) for name, room in rooms.items() for word, end in ends.items()}
    assert {event.name: event.time for event in found.events} == pytest.approx(wanted, abs=1e-7)
    assert found.audit.passed
    assert "no rope pulls here: line" in found.notes
    assert any("nothing touches here" in note for note in found.notes)


def test_a_loop_beside_a_slack_rope_is_followed_as_without_it() -> None:
    plain = lw.example("four_bar")
    roped = plain.with_(relations={"line": {"kind": "rope", "between": ["ground.O", "coupler.B"], "length": 9}})
    motion = {"O": "2*t"}
    one, other = (lw.solve_kinematics(model, motion, until=1, step=0.01) for model in (plain, roped))
    efforts = [lw.inverse_dynamics(model, motion, until=1, step=0.01) for model in (plain, roped)]
    first, second = (found.result[f"{next(iter(found.motors))}.effort"] for found in efforts)
    assert np.max(np.abs(first - second)) < 1e-9
    assert np.max(np.abs(one["B.x"] - other["B.x"])) < 1e-10  # positions by iterations, not by the formulas


def test_samples_of_real_time_say_what_its_print_says() -> None:
    steps = lw.realtime(rod(["-60 deg", "20 deg"]), "1 ms", keep=100, integrator="rk4")
    steps.advance(0.5)
    (told,) = (note for note in steps.notes if "limits" in note)
    assert told in steps.result.notes


def test_a_pose_that_is_asked_for_beyond_a_stop_says_so() -> None:
    model = rod(["lowest", "20 deg"])
    (told,) = lw.assemble(model, {"O": "-80 deg"}).doubts
    assert told == "O.angle is at -80 deg, beyond its limits (-60 deg to 20 deg)"
    assert not lw.assemble(model, {"O": "-80 deg"}, parameters={"lowest": "-90 deg"}).doubts
    assert not lw.assemble(model, {"O": "20 deg"}).doubts


def test_a_run_that_goes_on_from_a_motion_without_stops_has_them() -> None:
    motion = lw.solve_kinematics(rod(["-60 deg", "20 deg"]), {"O": "-0.1*t"}, until=2)
    result = lw.simulate(motion, until=4)
    assert result["O.angle"].min() > -np.pi / 3 - 1e-9
    prepared = lw.simulate(lw.prepare(rod(["-60 deg", "20 deg"])), until=2)
    assert prepared["O.angle"].min() > -np.pi / 3 - 1e-9


def test_what_a_stop_does_may_be_live() -> None:
    """Restitution, stiffness and damping from run to run; what cannot be is refused with the parameter."""
    values = {"back": 0.5, "stiff": 1e4, "loss": 3.0}
    model = ball(0.5).with_(parameters={key: {"value": value, "live": True} for key, value in values.items()})
    guide = {"kind": "prismatic", "bodies": ["ground", "ball"], "at": "P", "axis": [0, 1], "limits": [0, None]}
    first = np.sqrt(2 / G)
    rigid = model.with_(joints={"guide": {**guide, "stops": {"restitution": "back"}}})
    for back in (0.2, 0.6):
        result = lw.simulate(rigid, until=5, parameters={"back": back}, **TIGHT)
        assert result.events[1].time == pytest.approx(first * (1 + 2 * back), abs=1e-9)
    backs = np.linspace(0.3, 1, 20)
    many = lw.simulate_many(rigid, 0.7, parameters={"back": backs}, step=0.7)
    late = 0.7 - first
    assert many["guide.position"][:, -1] == pytest.approx(backs * first * G * late - G * late**2 / 2, abs=1e-9)
    sprung = model.with_(joints={"guide": {**guide, "stops": {"stiffness": "stiff", "damping": "loss"}}})
    soft = lw.simulate(sprung, until=1, parameters={"stiff": 1e3, "loss": 0.0}, **TIGHT)
    deepest = (-2 * G - np.sqrt(4 * G**2 + 4 * 1e3 * G)) / 1e3  # ½ k δ² = m g (h + δ)
    assert soft["guide.position"].min() == pytest.approx(deepest, rel=1e-4)
    with pytest.raises(ModelError, match=r"stops\.restitution: is 2; .* with back = 2"):
        lw.simulate(rigid, until=1, parameters={"back": 2.0})
    with pytest.raises(ModelError, match=r"stops\.stiffness: is -5"):
        lw.simulate(sprung, until=1, parameters={"stiff": -5.0})


@pytest.mark.parametrize("integrator", ["hht", "trapezoidal"])
@pytest.mark.parametrize("step", [1e-4, 1e-3])
def test_a_stop_that_is_left_more_slowly_than_steps_tell_is_left(integrator: str, step: float) -> None:
    """The front wheel of a bicycle comes off its stop: within 1e-4 s by 1e-15 rad, and within 1e-3 s by 3e-8 rad."""
    bicycle = lw.load(Path(lw.__file__).parent / "mechanisms" / "bicycle.yaml")
    wheel = bicycle.joints["F"].to_dict() | {"limits": {"angle": [-0.349, 0.3175]}, "stops": {"restitution": 0.0}}
    brake = {"kind": "effort", "joint": "R", "freedom": "angle", "value": "-84.44*R.speed"}
    model = bicycle.with_(joints={"F": wheel}, forces={"brake": brake})
    result = lw.simulate(model, until=0.1, coordinates="mixed", integrator=integrator, fixed_step=step)
    assert result.outcome.completed, result.outcome
    assert {event.name for event in result.events} == {"F.angle.upper is reached", "F.angle.upper is left"}
    assert result.audit["limits"].passed
    exact = lw.simulate(model, until=0.1, coordinates="mixed")
    assert result["F.angle"][-1] == pytest.approx(exact["F.angle"][-1], abs=2e-4)
