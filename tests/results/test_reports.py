"""What is printed says what a user needs, with units, and nothing that frightens or that nobody can use."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.answer.grid import WIDTH, Grid, wrapped
from linkwork.results.summary import many
from linkwork.results.timing import duration

DIGITS = r"(-?[\d.]+(?:e[+-]\d+)?)"


@cache
def driven() -> lw.Result:
    """A four-bar whose crank a motor turns, with a spring."""
    return lw.simulate(lw.example("driven_four_bar"), until="1 s", step="10 ms")


@cache
def swinging() -> lw.Result:
    return lw.simulate(lw.example("four_bar"), until="1 s", step="10 ms")


def told(answer: object) -> str:
    """A print as one line."""
    return " ".join(str(answer).split())


def number(pattern: str, text: str) -> float:
    found = re.search(pattern.replace("#", DIGITS), text)
    assert found is not None, f"{pattern} is not in:\n{text}"
    return float(found[1])


def test_a_driven_run_says_what_its_motor_and_its_joints_bear() -> None:
    result, text = driven(), told(driven())
    assert text.startswith("Result 'driven_four_bar': completed time 0 to 1 s, 101 samples audit passed: energy ")
    torque = np.abs(result["motor.effort"])
    signed = result["motor.effort"][np.argmax(torque)]
    assert number(r"torque # N\*m of motor", text) == pytest.approx(signed, rel=1e-3)
    assert number(r"of motor at t = # s", text) == pytest.approx(result.time[np.argmax(torque)], abs=1e-6)
    forces = {name: np.hypot(result[f"{name}.fx"], result[f"{name}.fy"]) for name in "OABC"}
    largest = max(forces, key=lambda name: forces[name].max())
    assert number(rf"force # N in {largest} at", text) == pytest.approx(forces[largest].max(), rel=1e-3)
    assert number(r"freedoms O\.angle # to", text) == pytest.approx(np.degrees(result["O.angle"].min()), rel=1e-4)
    assert number(r"O\.angle \S+ to # deg", text) == pytest.approx(np.degrees(result["O.angle"].max()), rel=1e-4)


@pytest.mark.parametrize("run", [driven, swinging], ids=["driven", "free"])
def test_nothing_is_said_that_nobody_can_use(run) -> None:
    text = str(run())
    for odd in ("independent: none", "prescribed", "wall time", "statistics", "1 times", "energy change", "0 rejected"):
        assert odd not in text
    assert re.search(r"[\d.]+ (s|ms|µs) of computing", text)
    assert "rtol 1e-09 and atol 1e-11 at every step" in text
    assert all(len(line) <= WIDTH for line in text.splitlines())


def test_a_run_that_stops_says_so_in_its_first_line() -> None:
    """The crank cannot go round: the loop cannot be closed beyond a dead centre."""
    declared = lw.example("driven_four_bar").to_dict()
    crank = {**declared["bodies"]["crank"], "length": 2.4}
    model = lw.Model(**{**declared, "bodies": {**declared["bodies"], "crank": crank}})
    result = lw.simulate(model, until=2, step=0.01)
    first, second = str(result).splitlines()[:2]
    assert first == f"Result 'driven_four_bar': stopped at t = {result.outcome.time:.6g} s"
    assert second.startswith("  outcome") and "past its limit of" in told(result) and "dead centre" in told(result)
    assert "independent: ;" not in told(result)


def test_a_sweep_that_stops_says_where_and_names_the_coordinate() -> None:
    declared = lw.example("four_bar").to_dict()
    lengths = {"crank": 4.5, "coupler": 2.5, "rocker": 3.5}
    bodies = {name: {**declared["bodies"][name], "length": lengths[name]} for name in lengths}
    model = lw.Model(**{**declared, "bodies": bodies})
    result = lw.solve_kinematics(model, {"O": list(np.arange(0.9, 3.0, 0.05))})
    assert not result.outcome.completed
    assert "stopped at O.angle = " in str(result).splitlines()[0] and " t = " not in str(result)
    assert "input O goes past its limit" in told(result) and "input_O" not in str(result)


def test_sets_of_coordinates_change_once_or_several_times() -> None:
    """Which those were is for who compares methods: it stands beside the costs, and is not printed."""
    result = lw.simulate(lw.example("four_bar"), until=1, coordinates="natural", formulation="partitioning")
    workings = str(result.statistics["workings"])
    assert re.search(r"the set changed (once|[2-9] times)", workings) and "1 times" not in workings
    assert "independent" not in told(result) and "the set changed" not in told(result)


def test_a_step_by_another_way_through_the_same_equations_is_no_note() -> None:
    result = lw.simulate(
        lw.example("quick_return"), until=0.5, step=0.05, formulation="multipliers", rtol=1e-6, atol=1e-8
    )
    assert "by the null space" in str(result.statistics["workings"])
    assert "null space" not in told(result) and not [note for note in result.notes if "pivots" in note]


def test_a_file_keeps_what_is_printed(tmp_path: Path) -> None:
    loaded = lw.load_result(driven().save(tmp_path / "run.nc"))
    assert loaded.freedoms == driven().freedoms == ("O.angle",)
    assert str(loaded) == str(driven())


def test_freedoms_without_a_plan_are_those_of_the_tree() -> None:
    disc = lw.simulate(lw.example("rolling_disc"), until=0.1, step=0.05)
    assert {"disc.x", "disc.y"} <= {name for name in disc.freedoms if name in disc}
    assert f"disc.x {disc['disc.x'].min():.5g} to" in told(disc)


def test_reactions_say_when_and_leave_rounding_errors_out() -> None:
    gears = lw.simulate(lw.example("planetary_gear"), until=0.5, step=0.05)
    text = str(gears.reactions)
    assert "e-1" not in text and "not unique" in text and " at " in text
    assert "not unique" not in str(driven().reactions)
    peak = driven().reactions.peaks()
    assert {item.element for item in peak} == set("OABC")
    assert max(peak, key=lambda item: item.force).force == pytest.approx(
        max(np.hypot(driven()[f"{name}.fx"], driven()[f"{name}.fy"]).max() for name in "OABC"), rel=1e-14
    )


def test_the_first_line_of_an_analysis_has_the_degrees_of_freedom() -> None:
    assert str(lw.analyse(lw.example("four_bar"))).startswith("four_bar (planar): 1 degree of freedom, 3 moving bodies")
    first = str(lw.analyse(lw.example("planetary_gear"))).splitlines()[0]
    assert "2 degrees of freedom, 2 redundant constraints" in first


@pytest.mark.parametrize("name", ["four_bar", "driven_four_bar", "slider_crank", "planetary_gear", "bicycle"])
def test_all_that_is_printed_fits_and_has_no_odd_numbers(name: str) -> None:
    model = lw.example(name)
    run = lw.simulate(model, until=0.5, step=0.01)
    stepped = lw.realtime(model, "1 ms")
    stepped.step(20)
    answers = [run, run.audit, run.reactions, run.reactions.peaks(), run.multipliers, run.modes, lw.analyse(model)]
    answers += [lw.diagnose(model), lw.assemble(model), lw.envelope(run), lw.interference(run), lw.modes(model)]
    answers += [stepped, stepped.timing, lw.measures.rank_coordinates(model), lw.number(model), lw.linearise(model)]
    for answer in answers:
        title, *lines = str(answer).splitlines()
        assert len(title) <= 110 and all(len(line) <= 110 for line in lines), answer
        assert not re.search(
            r"(?<![\d.])1 (times|steps|iterations|states|modes|samples|bodies|joints)\b|-0 |nan|e\+0[1-4]", str(answer)
        )


def test_bodies_that_touch_do_not_overlap() -> None:
    """The wrist of the arm: three links that share a point all the time, but for rounding errors."""
    found = lw.interference(lw.simulate(lw.example("puma_560"), until=1, step=0.01))
    assert found.clear and "-0" not in str(found).split()


def test_lines_are_broken_between_words() -> None:
    long = "  first " + "word " * 40
    assert all(len(line) <= WIDTH for line in wrapped(long)) and wrapped(long)[1].startswith("    word")
    assert wrapped("x" * 200) == ["x" * 200] and wrapped("  short") == ["  short"]
    grid = Grid([("label", "word " * 40), ("b", "c")])
    assert all(len(line) <= WIDTH for line in grid.lines()) and grid.lines()[-1] == "  b      c"


def test_counts_and_durations_are_words() -> None:
    assert [many(1, "steps of rk4"), many(2, "samples")] == ["1 step of rk4", "2 samples"]
    assert [duration(s) for s in (0.7758, 12.0, 2.5e-5)] == ["776 ms", "12 s", "25 µs"]


TUMBLING = """
linkwork: 1
name: racket
space: spatial
points: {G: [0, 0, 0], T: [0.3, 0, 0]}
bodies:
  racket: {points: [G, T], mass: 1 kg, com: G, inertia: [0.02, 0.02, 0.03]}
initial: {racket: {omega: [0, 0, 2], velocity: [0, 0, 0]}}
"""


def test_turning_that_has_no_coordinates_is_told() -> None:
    """A body that turns at 2 rad/s about an axis of symmetry: after half a second it has turned by 1 rad."""
    text = told(lw.simulate(lw.loads(TUMBLING), until="0.5 s"))
    assert number("racket turns by up to # deg", text) == pytest.approx(np.degrees(1.0), rel=1e-4)
    assert number("at up to # deg/s", text) == pytest.approx(np.degrees(2.0), rel=1e-4)
    assert "racket turns by up to 0 deg, at up to 0 deg/s" in told(
        lw.simulate(lw.loads(TUMBLING.replace("2]", "0]")), until=1)
    )


def test_ball_joints_say_how_fast_they_turn() -> None:
    top = TUMBLING.replace("initial", "joints: {G: {kind: spherical, bodies: [ground, racket]}}\ninitial")
    top = top.replace("racket: {omega", "G: {omega").replace(", velocity: [0, 0, 0]", "")
    text = told(lw.simulate(lw.loads(top), until=1))
    assert number("G turns at up to # deg/s", text) == pytest.approx(np.degrees(2.0), rel=1e-4)


def test_a_bicycle_says_that_its_frame_turns_and_names_quantities_alone() -> None:
    result = lw.simulate(lw.example("bicycle"), until="1 s")
    assert number("frame turns by up to # deg", told(result)) > 0.1
    workings = str(result.statistics["workings"])
    assert "spinx" not in told(result) + workings and "the turning of frame about its x axis" in workings


def test_errors_of_rounding_are_no_peaks() -> None:
    """A motor that turns a balanced rod steadily gives nothing; a spring as drawn leaves two blocks without forces."""
    rod = lw.loads("""
linkwork: 1
name: full turn
space: planar
points: {O: [0, 0], P: [0.3, 0]}
bodies: {rod: {bar: [O, P], mass: 1 kg}}
joints: {O: {kind: revolute, bodies: [ground, rod]}}
drivers: {motor: {joint: O, speed: 1 rev/s}}
""")
    result = lw.simulate(rod, until="1 s")
    text = told(result)
    assert np.max(np.abs(result["motor.effort"])) < 1e-12
    assert "of motor" not in text
    # centripetal force m ω² l / 2
    assert number("peaks force # N in O", text) == pytest.approx(4 * np.pi**2 * 0.15, rel=1e-3)
