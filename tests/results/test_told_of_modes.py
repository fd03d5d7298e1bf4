"""What is said of runs whose conditions come and go: which held when, counted and summed, with units."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from exact_results import four_bar_result
from linkwork.results import EventRecord
from linkwork.results.run_modes import SHOWN, RunMode, RunModes

G = 9.81
WORDS = {"rub.friction": "sticks", "O.angle.lower": "pressed"}


def falling(restitution: float, limits: str = "[0, null]") -> lw.Model:
    """A ball that falls by 1 m on a stop."""
    return lw.loads(f"""
        linkwork: 1
        space: planar
        gravity: [0, -{G}]
        points: {{P: [0, 0]}}
        bodies: {{ball: {{points: [P], com: P, mass: 1}}}}
        joints:
          guide:
            kind: prismatic
            bodies: [ground, ball]
            at: P
            axis: [0, 1]
            limits: {limits}
            stops: {{restitution: {restitution}}}
        initial: {{guide: {{position: 1}}}}
        """)


def alternating(count: int) -> RunModes:
    """Modes of a second each, of which every other one sticks; from half of them on a stop is pressed as well."""
    rows = []
    for i in range(count):
        sticks = ("rub.friction",) if i % 2 == 0 else ()
        rows.append(RunMode(float(i), i + 1.0, sticks + (("O.angle.lower",) if 2 * i >= count else ()), f"change {i}"))
    return RunModes(tuple(rows), True, WORDS)


def test_spans_join_what_holds_on_where_something_else_changes() -> None:
    modes = alternating(6)
    assert modes.spans == {"rub.friction": [(0, 1), (2, 3), (4, 5)], "O.angle.lower": [(3, 6)]}
    assert modes.lines == [
        "rub.friction (sticks) 3 times, for 3 s of 6 s, not at the end",
        "O.angle.lower (pressed) from 3 s on",
    ]


def test_spans_are_those_of_the_rows() -> None:
    """At every moment those hold whose spans it lies in, also of random modes."""
    random = np.random.default_rng(3)
    ends = np.cumsum(random.uniform(0.1, 1.0, 60))
    names = np.array(["a", "b", "c"])
    held = [tuple(names[random.random(3) < 0.5]) for _ in ends]
    modes = RunModes(tuple(map(RunMode, [0.0, *ends[:-1]], ends, held)), True)
    for row in modes:
        middle = 0.5 * (row.start + row.end)
        assert {name for name, spans in modes.spans.items() if any(a < middle < b for a, b in spans)} == set(row.holds)
    for spans in modes.spans.values():
        assert all(a[1] < b[0] for a, b in pairwise(spans))


def test_of_a_thousand_modes_the_first_and_the_last_are_printed() -> None:
    printed = str(alternating(1000)).splitlines()
    assert len(printed) == 2 + sum(SHOWN) + 1
    assert f"... {1000 - sum(SHOWN)} more" in printed[2 + SHOWN[0]] and printed[-1].startswith("  999 to 1000 s")
    assert len(alternating(1000).table()) == 1001


@pytest.mark.parametrize(
    ("spans", "told"),
    [
        ([(0, 9)], "all the time"),
        ([(0, 4)], "until 4 s"),
        ([(4, 9)], "from 4 s on"),
        ([(4, 5)], "from 4 s to 5 s"),
        ([(0, 1), (8, 9)], "2 times, for 2 s of 9 s, also at the end"),
    ],
)
def test_when_something_held_is_said_in_words(spans: list[tuple[float, float]], told: str) -> None:
    at = sorted({0.0, 9.0, *(end for span in spans for end in span)})
    rows = [RunMode(a, b, ("stop",) if any(s[0] <= a and b <= s[1] for s in spans) else ()) for a, b in pairwise(at)]
    assert RunModes(tuple(rows), True).lines == [f"stop {told}"]


def test_many_bounces_are_counted_and_their_impulses_have_units() -> None:
    """A ball that comes back with 0.9 of its speed: the first impulse is (1 + e) m v."""
    result = lw.simulate(falling(0.9), until=9)
    hits = [event for event in result.events if event.name.endswith("is hit")]
    told = dict(result.facts())
    assert len(hits) > 50
    first, last, size = hits[0].time, hits[-1].time, 1.9 * np.sqrt(2 * G)
    expected = f"guide.position.lower is hit {len(hits)} times, from t = {first:.6g} s to {last:.6g} s, "
    assert told["events"].splitlines()[0] == f"{expected}impulse at most {size:.6g} N*s"
    assert "rest from = " in told["events"].splitlines()[1] and told["events"].endswith(" s)")
    assert told["modes"] == f"guide.position.lower (pressed) from {result.modes[1].start:.6g} s on"


def test_nothing_held_where_no_stop_is_met() -> None:
    assert dict(lw.simulate(falling(0.5, "[-100, null]"), until=1).facts())["modes"] == "nothing held"


def test_impulses_of_angles_are_moments_of_time() -> None:
    arm = lw.loads("""
        linkwork: 1
        space: planar
        gravity: [0, -9.81]
        points: {O: [0, 0], A: [0.5, 0.5]}
        bodies: {arm: {bar: [O, A], mass: 1}}
        joints: {O: {kind: revolute, bodies: [ground, arm], limits: [0, null]}}
        """)
    hit = lw.simulate(arm, until=1).events[0]
    assert hit.units["impulse"] == "N*m*s" and str(hit).endswith(f"(impulse = {hit.values['impulse']:.6g} N*m*s)")


def test_stored_runs_say_the_same(tmp_path: Path) -> None:
    result = lw.simulate(falling(0.5), until=2)
    result.save(tmp_path / "run.nc")
    again = lw.load_result(tmp_path / "run.nc")
    assert again.modes == result.modes and str(again.modes) == str(result.modes)
    assert [str(event) for event in again.events] == [str(event) for event in result.events]


def test_events_with_different_names_and_few_of_them_are_told_one_by_one() -> None:
    few = replace(four_bar_result(), events=tuple(EventRecord(f"e{i}", 0.1 * i) for i in range(8)))
    assert dict(few.facts())["events"].splitlines() == [str(event) for event in few.events]
    more = replace(few, events=tuple(EventRecord(f"e{i % 3}", 0.1 * i) for i in range(9)))
    assert dict(more.facts())["events"].splitlines() == [
        f"e{i} 3 times, from t = {0.1 * i:.6g} s to {0.1 * (i + 6):.6g} s" for i in range(3)
    ]


def test_every_condition_that_comes_and_goes_says_what_it_is_while_it_holds() -> None:
    """Stops, friction, ropes, contacts, clearances and cams that lift off."""
    text = """
        linkwork: 1
        space: planar
        gravity: [0, -9.81]
        points: {O: [0, 0], A: [0.05, 0], B: [0.2, 0]}
        bodies:
          crank: {bar: [O, A], mass: 0.3}
          rod: {bar: [A, B], mass: 0.2}
        joints:
          O: {kind: revolute, bodies: [ground, crank], friction: {coefficient: 0.1, radius: 5 mm}}
          A: {kind: revolute, bodies: [crank, rod], limits: [-1, 1]}
        relations: {line: {kind: rope, between: [ground.O, rod.B], length: 0.2}}
        surfaces: {floor: {plane: [0, 1], at: [0, -0.1]}}
        contacts: {fall: {between: [floor, rod], friction: 0.2}}
        """
    words = lw.simulate(lw.loads(text), until=0.05).modes.words
    assert {words[name] for name in ("O.friction", "A.angle.lower", "line")} == {"sticks", "pressed", "taut"}
    assert {word for name, word in words.items() if name.startswith("fall")} == {"touches", "sticks"}
    loose = lw.loads("""
        linkwork: 1
        space: planar
        gravity: [0, -9.81]
        points: {B: [0, 0]}
        bodies: {bob: {points: [B], com: B, mass: 1, inertia: 0.1}}
        joints: {B: {kind: revolute, bodies: [ground, bob], clearance: {gap: 1 mm}}}
        """)
    run = lw.simulate(loose, until=0.1)
    assert run.modes.words == {"B": "touches"} and run.modes.lines[0].startswith("B (touches) from ")
