"""Modes as a band below the curves, events as lines with names that never lie on each other."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

import linkwork as lw
from exact_results import four_bar_result
from linkwork.results import EventRecord, Result
from linkwork.results.run_modes import RunMode, RunModes
from linkwork.views.event_names import EventNames
from linkwork.views.happenings import ROWS, band_rows


def with_modes(*held: tuple[str, ...], events: tuple[tuple[float, str], ...] = ()) -> Result:
    """A run of 2 s with modes of one length."""
    ends = np.linspace(0.0, 2.0, len(held) + 1)
    rows = tuple(RunMode(a, b, names) for (a, b), names in zip(pairwise(ends), held, strict=True))
    modes = RunModes(rows, True, {"O.friction": "sticks", "rope": "taut"})
    told = tuple(EventRecord(name, at) for at, name in events)
    return replace(four_bar_result(), modes=modes, events=told)


def bars(figure: Figure) -> dict[str, list[tuple[float, float]]]:
    """What stands in the band of a figure, by the names of its rows: from when to when."""
    axis = figure.axes[-1]
    rows = [text.get_text() for text in axis.get_yticklabels()]
    drawn = [item for item in axis.collections if len(item.get_paths()[0].vertices) > 2]
    return {
        name: [(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for path in item.get_paths()]
        for name, item in zip(rows, drawn, strict=True)
    }


def drawn_names(figure: Figure) -> list[str]:
    figure.canvas.draw()
    return [
        name for axis in figure.axes for item in axis.artists if isinstance(item, EventNames) for name in item.drawn
    ]


def test_the_band_has_a_row_for_everything_that_held_and_bars_while_it_did() -> None:
    figure = with_modes((), ("O.friction",), ("O.friction", "rope"), ("rope",)).plot("B.x", "crank.angle")
    assert len(figure.axes) == 3 and figure.axes[-1].get_xlabel() == "time [s]"
    assert bars(figure) == {"O.friction (sticks)": [(0.5, 1.5)], "rope (taut)": [(1.0, 2.0)]}


def test_the_band_can_be_left_out_and_is_not_there_without_modes() -> None:
    run = with_modes((), ("rope",), events=((1.0, "rope goes taut"),))
    plain = run.plot("B.x", band=False)
    assert len(plain.axes) == 1 and not plain.axes[0].collections and not plain.axes[0].artists
    assert len(with_modes((), ()).plot("B.x").axes) == 1
    assert len(four_bar_result().plot("B.x").axes) == 1


def test_there_is_no_band_over_another_quantity_or_on_axes_that_are_given() -> None:
    run = with_modes((), ("rope",), events=((1.0, "rope goes taut"),))
    over = run.plot("B.x", over="crank.angle")
    assert len(over.axes) == 1 and drawn_names(over) == ["rope goes taut"]
    axis = Figure().add_subplot()
    assert run.plot("B.x", axes=axis).axes == [axis]
    round_axis = Figure().add_subplot(projection="polar")
    assert len(run.plot("B.x", over="crank.angle", axes=round_axis).axes) == 1


def test_runs_beside_each_other_have_rows_of_their_own() -> None:
    one, other = with_modes((), ("rope",)), with_modes(("rope",), ())
    rows = bars(one.plot("B.x", beside={"long": other}, label="short"))
    assert rows == {"rope (taut), short": [(1.0, 2.0)], "rope (taut), long": [(0.0, 1.0)]}


def test_of_many_conditions_those_that_hold_longest_have_rows_and_the_others_one() -> None:
    """Condition i holds in the last i of 30 modes: the longest are the last, and of the others the longest is seen."""
    run = with_modes(*[tuple(f"c{i}" for i in range(1, 31) if 30 - i <= k) for k in range(30)])
    rows = band_rows({"": run})
    assert len(rows) == ROWS
    assert [row.name for row in rows[:-1]] == [f"c{i}" for i in range(30, 30 - ROWS + 1, -1)]
    assert rows[-1].name == f"any of {30 - ROWS + 1} others"
    assert rows[-1].spans == ((pytest.approx(2.0 - 2.0 * (30 - ROWS + 1) / 30), 2.0),)


def test_a_thousand_modes_are_drawn_in_a_moment() -> None:
    held = [("rope",) * (k % 2) + (f"c{k % 37}",) for k in range(1000)]
    run = with_modes(*held, events=tuple((2.0 * k / 1000, f"change {k % 5}") for k in range(1000)))
    run.plot("B.x").canvas.draw()  # fonts are loaded once
    begun = time.perf_counter()
    figure = run.plot("B.x")
    figure.canvas.draw()
    assert time.perf_counter() - begun < 10.0
    assert len(bars(figure)) == ROWS


@pytest.mark.parametrize("step", [1.0, 0.3, 0.05, 0.01, 0.001])
def test_names_of_events_never_lie_on_each_other_nor_beyond_the_axis(step: float) -> None:
    places = np.arange(0.001, 2.0, step)
    figure = with_modes((), events=tuple((at, f"O.angle.lower is hit, {i % 3}") for i, at in enumerate(places))).plot(
        "B.x"
    )
    boxes: list[tuple[float, float]] = []
    figure.canvas.draw()
    (names,) = figure.axes[0].artists
    draw_text = figure.canvas.get_renderer().draw_text
    renderer = figure.canvas.get_renderer()

    def kept(gc: object, x: float, y: float, text: str, prop: object, *others: object, **named: object) -> None:
        width = renderer.get_text_width_height_descent(text, prop, False)[0]
        boxes.append((x, x + width))
        draw_text(gc, x, y, text, prop, *others, **named)

    renderer.draw_text = kept
    names.draw(renderer)
    assert boxes and len(boxes) == len(names.drawn)
    assert all(a[1] < b[0] for a, b in pairwise(boxes))
    assert max(end for _, end in boxes) <= figure.axes[0].bbox.x1 + 1.0


def test_many_events_of_one_name_are_named_once() -> None:
    run = with_modes((), events=tuple((0.01 * i, "is hit") for i in range(150)))
    assert drawn_names(run.plot("B.x")) == ["is hit"]


def test_a_run_with_a_stop_that_rubs_shows_when_both_hold() -> None:
    gate = lw.loads("""
        linkwork: 1
        space: planar
        gravity: [0, -9.81]
        points: {O: [0, 0], A: [0.6, 0.8]}
        bodies: {gate: {bar: [O, A], mass: 4}}
        joints:
          O:
            kind: revolute
            bodies: [ground, gate]
            limits: [0, null]
            friction: {coefficient: 0.2, radius: 20 mm}
        """)
    run = lw.simulate(gate, until=1)
    shown = bars(run.plot("O.angle"))
    assert list(shown) == ["O.angle.lower (pressed)", "O.friction (sticks)"]
    closed = run.events[-1].time
    assert all(spans == [(pytest.approx(closed), 1.0)] for spans in shown.values())


def test_where_nothing_turns_the_degrees_of_freedom_are_plotted_unasked() -> None:
    ball = lw.loads("""
        linkwork: 1
        space: planar
        gravity: [0, -9.81]
        points: {P: [0, 0]}
        bodies: {ball: {points: [P], com: P, mass: 1}}
        joints: {guide: {kind: prismatic, bodies: [ground, ball], at: P, axis: [0, 1]}}
        """)
    assert lw.simulate(ball, until=1).plot().axes[0].get_ylabel() == "guide.position [m]"


def test_events_at_one_time_share_a_name() -> None:
    run = with_modes(
        (), events=((0.5, "O.angle.lower is reached"), (0.5, "O sticks"), (0.5, "A sticks"), (1.6, "O slips"))
    )
    assert drawn_names(run.plot("B.x")) == ["O.angle.lower is reached and 2 more", "O slips"]
