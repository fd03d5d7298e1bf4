"""Given impulses: velocities, impulses of joints and works against equations written by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ModelError, RefusedError
from linkwork.results import load_result

KINDS = ("relative", "natural", "reference_point")


def pendulum(turned: float = 0.0, **parts: object) -> lw.Model:
    """A rod of 2 kg and 1 m that hangs at O, with the centre of percussion C; all of it turned."""
    down = [float(np.sin(turned)), -float(np.cos(turned))]
    given = {
        "space": "planar",
        "gravity": [0, 0],
        "points": {"O": [0, 0], "P": down},
        "bodies": {"rod": {"bar": ["O", "P"], "mass": 2, "points": {"C": ["2/3", 0]}}},
        "joints": {"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
    }
    return lw.Model(**(given | parts))


def blow(**keys: object) -> dict[str, object]:
    return {"kind": "impulse", "at": "0.5 s"} | keys


def end(result: lw.Result, name: str) -> float:
    return float(result[name][-1])


def test_a_free_rod_that_is_struck_at_its_end_flies_and_turns_as_its_momenta_say() -> None:
    rod = lw.Model(
        space="planar",
        gravity=[0, 0],
        points={"A": [0, 0], "B": [1, 0]},
        bodies={"rod": {"bar": ["A", "B"], "mass": 2}},
        forces={"hit": blow(on="rod.B", value=["0", "3 N*s"])},
    )
    result = lw.simulate(rod, until=1.0, rtol=1e-11)
    assert end(result, "rod.vy") == pytest.approx(3 / 2, abs=1e-10)  # P / m
    assert end(result, "rod.speed") == pytest.approx(3 * 0.5 / (2 / 12), abs=1e-10)  # P d / I
    (event,) = result.events
    assert event.time == pytest.approx(0.5, abs=1e-14)
    assert str(event) == "hit strikes at t = 0.5 s (impulse = 3 N*s, energy = 9 J)"
    assert end(result, "hit.work") == pytest.approx(9.0, abs=1e-12)
    assert abs(end(result, "energy.balance")) < 1e-9
    assert result.audit.passed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("turned", [0.0, np.pi / 4])
def test_a_pendulum_that_is_struck_at_its_centre_of_percussion_does_not_push_on_its_pin(
    kind: str, turned: float
) -> None:
    across = [3 * float(np.cos(turned)), 3 * float(np.sin(turned))]
    hit = pendulum(turned, forces={"hit": blow(on="rod.C", value=across)})
    result = lw.simulate(hit, until=1.0, coordinates=kind)
    assert end(result, "rod.speed") == pytest.approx(3 * (2 / 3) / (2 / 3), abs=1e-8)
    assert result.events[0].reactions == pytest.approx({"O.fx": 0.0, "O.fy": 0.0}, abs=1e-12)
    struck = pendulum(turned, forces={"hit": blow(on="rod.P", value=across)})
    beside = lw.simulate(struck, until=1.0, coordinates=kind).events[0].reactions
    # P (d l / k² − 1) at the pin, m v_C = P + R
    pushed = 2 * 0.5 * (3 / (2 / 3)) - 3
    assert beside == pytest.approx({"O.fx": pushed * np.cos(turned), "O.fy": pushed * np.sin(turned)}, abs=1e-12)


def test_impulses_of_one_instant_act_together() -> None:
    both = pendulum(forces={"one": blow(on="rod.C", value=[3, 0]), "two": blow(joint="O", value="1 N*m*s")})
    result = lw.simulate(both, until=1.0)
    assert end(result, "rod.speed") == pytest.approx(3 + 1.5, abs=1e-8)
    works = {event.name: event.values["energy"] for event in result.events}
    assert works == pytest.approx({"one strikes": 3 * (2 / 3) * 4.5 / 2, "two strikes": 4.5 / 2})
    opposite = pendulum(forces={"one": blow(joint="O", value=1), "two": blow(joint="O", value=-1)})
    still = lw.simulate(opposite, until=1.0)
    assert end(still, "rod.speed") == pytest.approx(0.0, abs=1e-14)
    assert len(still.events) == 2


FOUR_BAR = {"A": (0.0, 0.0), "B": (0.3, 0.8), "C": (1.4, 1.1), "D": (1.6, 0.0)}


def four_bar(hit: dict[str, object], **parts: object) -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, 0],
        points={name: list(place) for name, place in FOUR_BAR.items()},
        bodies={
            "crank": {"bar": ["A", "B"], "mass": 1},
            "coupler": {"bar": ["B", "C"], "mass": 2},
            "rocker": {"bar": ["C", "D"], "mass": 3},
        },
        joints={
            "A": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "B": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "C": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "D": {"kind": "revolute", "bodies": ["rocker", "ground"]},
        },
        forces={"hit": hit},
        **parts,
    )


def by_hand(given: np.ndarray) -> np.ndarray:
    """(10.18) in natural coordinates x = (B, C) of a four-bar with uniform bars of 1, 2 and 3 kg: rates behind P at C."""
    a, b, c, d = (np.array(FOUR_BAR[name]) for name in "ABCD")
    mass, eye = np.zeros((4, 4)), np.eye(2)
    mass[:2, :2] += 1 / 3 * eye
    mass[2:, 2:] += 3 / 3 * eye
    mass += 2 / 6 * np.block([[2 * eye, eye], [eye, 2 * eye]])
    rows = np.zeros((3, 4))
    rows[0, :2] = b - a
    rows[1] = np.concatenate([b - c, c - b])
    rows[2, 2:] = c - d
    system = np.block([[mass, rows.T], [rows, np.zeros((3, 3))]])
    return np.linalg.solve(system, np.concatenate([[0, 0], given, np.zeros(3)]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1.0, 1e3])
def test_a_four_bar_that_is_struck_at_its_coupler_answers_as_the_impulse_equations_say(kind: str, size: float) -> None:
    given = size * np.array([2.0, -1.0])
    model = four_bar({"kind": "impulse", "on": "coupler.C", "value": given.tolist(), "at": 0})
    result = lw.simulate(model, until=1e-3, coordinates=kind)
    found, pushes = np.split(by_hand(given), [4])
    for place, name in enumerate(("coupler.B.vx", "coupler.B.vy", "coupler.C.vx", "coupler.C.vy")):
        assert float(result[name][0]) == pytest.approx(found[place], abs=1e-11 * size)
    assert result.events[0].values["energy"] == pytest.approx(given @ found[2:] / 2, rel=1e-11)
    # the crank feels D'Alembert's forces of its bar, and the bar pushes along itself
    b, c = np.array(FOUR_BAR["B"]), np.array(FOUR_BAR["C"])
    coupler = 2 / 6 * (2 * found[:2] + found[2:]) + pushes[1] * (b - c)
    reactions = result.events[0].reactions
    on_child = np.array([reactions["B.fx"], reactions["B.fy"]])
    assert on_child == pytest.approx(coupler, abs=1e-10 * size)
    # momentum of the whole: the pins of the frame and P
    whole = 0.5 * (1 * found[:2] + 2 * (found[:2] + found[2:]) + 3 * found[2:])
    frame = np.array([reactions["A.fx"] - reactions["D.fx"], reactions["A.fy"] - reactions["D.fy"]])
    assert frame + given == pytest.approx(whole, abs=1e-10 * size)


@pytest.mark.parametrize(
    "formulation", ["hybrid", "partitioning", "velocity_transformation", "penalty", "canonical", "ggl"]
)
def test_formulations_agree_behind_a_blow(formulation: str) -> None:
    struck = four_bar(blow(on="coupler.C", value=[2, -1], at=0.1))
    result = lw.simulate(struck, until=0.2, formulation=formulation, coordinates="relative")
    reference = lw.simulate(struck, until=0.2, formulation="multipliers", coordinates="natural")
    assert end(result, "coupler.C.vx") == pytest.approx(end(reference, "coupler.C.vx"), abs=1e-8)
    assert abs(end(result, "energy.balance")) < 1e-8
    assert result.audit.passed


def test_a_driver_holds_its_speed_across_a_blow_and_its_impulse_does_work() -> None:
    drivers = {"motor": {"joint": "A", "speed": "3 rad/s"}}
    driven = lw.simulate(four_bar(blow(on="coupler.C", value=[2, -1], at=0.1), drivers=drivers), until=0.2)
    assert end(driven, "crank.speed") == pytest.approx(3.0, abs=1e-9)
    given, taken = end(driven, "hit.work"), driven.events[0].values["energy"]
    assert given == pytest.approx(taken, rel=1e-9)
    # nothing is free: what the blow brings in the motor takes away
    still = lw.simulate(four_bar(blow(on="coupler.C", value=[0, 0], at=0.1), drivers=drivers), until=0.2)
    assert end(driven, "coupler.C.vx") == pytest.approx(end(still, "coupler.C.vx"), abs=1e-9)
    moved = end(driven, "motor.work") - end(still, "motor.work")
    assert moved == pytest.approx(-given, rel=1e-6)


@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
def test_a_blow_onto_a_stop_on_which_a_body_rests_moves_nothing_and_one_away_from_it_does(law: str) -> None:
    limited = {"O": {"kind": "revolute", "bodies": ["ground", "rod"], "limits": {"angle": ["-90 deg", "0 deg"]}}}
    rest = {"O": {"angle": 0}}
    points = {"O": [0, 0], "P": [1, 0]}

    def struck(value: float) -> lw.Result:
        model = pendulum(
            points=points, joints=limited, initial=rest, forces={"hit": blow(joint="O", value=value)}, gravity=[0, 9.81]
        )
        return lw.simulate(model, until=0.6, impact=law)

    pressed = struck(4.0)
    assert end(pressed, "rod.speed") == pytest.approx(0.0, abs=1e-12)
    hit = next(event for event in pressed.events if event.name == "hit strikes")
    assert hit.values == pytest.approx({"impulse": 4.0, "energy": 0.0}, abs=1e-12)
    assert pressed.modes[-1].holds == pressed.modes[0].holds == ("O.angle.upper",)
    away = struck(-4.0)
    assert end(away, "rod.speed") < 0.0
    assert next(e for e in away.events if e.name == "hit strikes").values["energy"] == pytest.approx(4 * 6 / 2)
    assert away.audit.passed


def test_the_time_of_a_blow_follows_a_live_parameter() -> None:
    timed = pendulum(
        parameters={"T": {"value": 0.25, "live": True}, "J": {"value": 2, "live": True}},
        forces={"hit": {"kind": "impulse", "joint": "O", "value": "J", "at": "2*T"}},
    )
    early = lw.simulate(timed, until=1.0, parameters={"T": 0.1, "J": 4})
    assert early.events[0].time == pytest.approx(0.2, abs=1e-14)
    assert end(early, "rod.speed") == pytest.approx(4 / (2 / 3), abs=1e-8)
    never = lw.simulate(timed, until=1.0, parameters={"T": 0.6})
    assert never.events == ()
    assert end(never, "rod.speed") == 0.0


def test_a_run_that_goes_on_from_another_one_is_struck_once() -> None:
    hit = pendulum(forces={"hit": blow(joint="O", value=1)})
    for between, struck in ((0.25, False), (0.5, False), (0.75, True)):
        first = lw.simulate(hit, until=between)
        later = lw.simulate(first, until=1.0)
        assert bool(first.events) is struck
        assert bool(later.events) is not struck
        assert end(later, "rod.speed") == pytest.approx(1.5, abs=1e-8)


def test_what_is_hit_at_the_instant_of_a_blow_is_hit_before() -> None:
    limited = {"kind": "revolute", "bodies": ["ground", "rod"], "limits": {"angle": ["-90 deg", 0.5]}}
    meeting = pendulum(
        points={"O": [0, 0], "P": [1, 0]},
        joints={"O": limited | {"stops": {"restitution": 0.5}}},
        initial={"O": {"angle": 0, "speed": 1}},
        forces={"hit": blow(joint="O", value="2/3*1 N*m*s")},
    )
    result = lw.simulate(meeting, until=1.0)
    assert end(result, "rod.speed") == pytest.approx(0.0, abs=1e-12)  # −0.5 + 1, into the stop
    assert result.events[-1].values["energy"] == pytest.approx(2 / 3 * (-0.5) / 2)
    assert result.audit.passed


def test_a_pin_that_is_struck_takes_the_whole_impulse() -> None:
    box = lw.Model(
        space="planar",
        gravity=[0, -10],
        points={"C": [0, 0.5]},
        bodies={"box": {"points": ["C"], "com": "C", "mass": 2, "inertia": 1}},
        joints={"way": {"kind": "revolute", "bodies": ["ground", "box"], "at": "C"}},
        forces={"hit": blow(on="box.C", value=[3, -4])},
    )
    held = lw.simulate(box, until=0.6)
    assert held.events[0].reactions == pytest.approx({"way.fx": -3.0, "way.fy": 4.0})
    assert held.events[0].values["energy"] == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
@pytest.mark.parametrize(("along", "rubbed"), [(0.9, 0.3), (6.0, 1.0)])
def test_a_ball_on_a_floor_is_rubbed_by_the_impulse_with_which_a_blow_presses_it(
    law: str, along: float, rubbed: float
) -> None:
    r, m = 0.1, 2.0
    skin = {"cylinder": {"radius": r, "length": 0.1, "axis": "z"}, "mass": m}
    ball = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        bodies={"ball": {"points": {"C": [0, 0]}, "origin": [0, r], "shapes": {"skin": skin}}},
        surfaces={"floor": {"plane": [0, 1]}},
        contacts={"c": {"between": ["floor", "ball"], "friction": 0.5, "restitution": 0.4}},
        forces={"hit": blow(on="ball.C", value=[along, -2.0])},
    )
    result = lw.simulate(ball, times=[0, 0.4, 0.5 + 1e-9], impact=law)
    # to roll it takes P / 3, and 0.5 · 2 N·s is all that friction gives
    assert end(result, "ball.vx") == pytest.approx((along - rubbed) / m, abs=1e-7)
    assert end(result, "ball.speed") == pytest.approx(-rubbed * r / (m * r**2 / 2), abs=1e-6)
    assert end(result, "ball.vy") == pytest.approx(0.0, abs=1e-12)
    assert result.audit.passed


def test_a_moment_on_a_body_in_space_changes_its_spin_by_its_inertia() -> None:
    box = lw.Model(
        space="spatial",
        gravity=[0, 0, 0],
        points={"P": [0, 0, 0]},
        bodies={"box": {"points": ["P"], "mass": 2, "inertia": [0.1, 0.2, 0.25], "com": [0, 0, 0]}},
        forces={"spin": blow(body="box", value=[1, 2, 3])},
    )
    result = lw.simulate(box, until=0.6)
    event = result.events[0]
    assert event.values["energy"] == pytest.approx(0.5 * (1 / 0.1 + 4 / 0.2 + 9 / 0.25))
    assert event.units["impulse"] == "N*m*s"


def test_a_joint_that_sticks_lets_go_where_a_blow_turns_it() -> None:
    rubs = {"kind": "revolute", "bodies": ["ground", "rod"], "friction": {"coefficient": 0.3, "radius": 0.05}}
    stuck = pendulum(gravity=[0, -9.81], joints={"O": rubs}, forces={"hit": blow(joint="O", value=1)})
    result = lw.simulate(stuck, times=[0, 0.5, 0.5 + 1e-9])
    assert result["rod.speed"] == pytest.approx([0.0, 0.0, 1.5], abs=1e-7)
    assert [event.name for event in result.events] == ["hit strikes", "O slips"]
    assert result.audit.passed


def test_results_keep_the_impulses_of_joints(tmp_path: Path) -> None:
    result = lw.simulate(pendulum(forces={"hit": blow(joint="O", value=1)}), until=1.0)
    kept = load_result(result.save(tmp_path / "hit.nc"))
    assert kept.events[0].reactions == result.events[0].reactions
    assert kept.events[0].reactions["O.fx"] == pytest.approx(2 * 0.5 * 1.5)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"joint": "Q", "value": 1}, "there is no joint 'Q'"),
        ({"on": "rod.P", "joint": "O", "value": 1}, "names on and joint"),
        ({"value": 1}, "strikes nothing"),
        ({"on": "ground.O", "value": [1, 0]}, "on no body"),
        ({"on": "rod.P", "value": [1, 0, 0]}, "has 3 components"),
        ({"joint": "O", "value": [1, 2]}, "has 2 components"),
        ({"joint": "O", "value": "2 N*s"}, "N*s"),
        ({"joint": "O", "value": 1, "at": "-1 s"}, "before the start"),
        ({"joint": "O", "value": "t"}, "the time t"),
        ({"on": "rod.P", "freedom": "angle", "value": [1, 0]}, "goes with joint"),
    ],
)
def test_wrong_blows_are_told(keys: dict[str, object], words: str) -> None:
    with pytest.raises(ModelError, match=r"hit|impulse") as told:
        pendulum(forces={"hit": blow(**keys)})
    assert words in str(told.value)


def test_a_blow_without_a_time_is_told() -> None:
    with pytest.raises(ModelError, match="at"):
        pendulum(forces={"hit": {"kind": "impulse", "joint": "O", "value": 1}})


def test_verbs_along_whose_motions_nothing_strikes_say_so() -> None:
    hit = pendulum(forces={"hit": blow(joint="O", value=1)})
    with pytest.raises(RefusedError, match="'hit'"):
        lw.realtime(hit)
    with pytest.raises(RefusedError, match="'hit'"):
        lw.inverse_dynamics(hit)
    with pytest.raises(RefusedError, match="'hit'"):
        lw.floquet(hit)
    with pytest.raises(RefusedError, match="'hit'"):
        lw.simulate(hit, until=1.0, integrator="moreau_jean", fixed_step="1 ms")


def test_verbs_that_know_no_blows_note_it() -> None:
    struck = pendulum(gravity=[0, -9.81], forces={"hit": blow(on="rod.P", value=["1 N*s", "0"])})
    told = "nothing strikes here: hit"
    for found in (
        lw.find_equilibrium(struck),
        lw.linearise(struck),
        lw.modes(lw.find_equilibrium(struck)),
        lw.solve_kinematics(struck, {"O": "2*t"}, until=1),
    ):
        assert told in found.notes, type(found).__name__
    assert told not in lw.simulate(struck, until=0.1).notes
