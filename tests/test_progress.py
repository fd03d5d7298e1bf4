"""How far long work has come: on a terminal, after a moment, with the time left, and gone afterwards."""

from __future__ import annotations

import io
import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork import progress
from linkwork.bench.iftomm import n_four_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_once(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal on which lines come at once."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "FIRST", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.002)
    time.sleep(0.3)  # a look that has begun ends
    return stream


def lines(stream: Terminal) -> list[str]:
    return stream.getvalue().split(progress.ERASE)


def test_the_time_left_follows_from_what_is_done() -> None:
    work = progress._Work("walking", began=100.0)
    assert work.line(130.0) == "walking ... 30 s"
    work.reach(0.25)
    assert work.line(130.0) == "walking: 25 %, 1:30 left"
    work.reach(1.0)
    assert work.line(130.0) == "walking: 100 %, 0:00 left"


def test_the_innermost_work_is_shown_and_gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_once(monkeypatch)
    with progress.working("outside \x1b[31m[red]") as done:
        assert done is not None
        done(0.5)
        time.sleep(0.2)
        with progress.working("inside"):
            time.sleep(0.2)
    shown = lines(terminal)
    assert any(line.startswith("outside ?[31m[red]: 50 %") for line in shown)
    assert any(line.startswith("inside ... 0 s") for line in shown)
    assert shown[-1] == ""
    length = len(terminal.getvalue())
    time.sleep(0.1)
    assert len(terminal.getvalue()) == length


def test_nothing_is_written_where_nobody_looks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "FIRST", 0.0)
    with progress.working("work") as done:
        assert done is None
        time.sleep(0.1)
    told: list[float] = []
    with progress.working("work", told.append) as done:
        assert done is not None
        done(0.5)
    assert told == [0.5] and capsys.readouterr() == ("", "")


class Gone(Terminal):
    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")


def test_a_terminal_that_is_gone_ends_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once(monkeypatch)
    closed = io.StringIO()
    closed.close()
    for stream in (Gone(), closed, None, object()):
        monkeypatch.setattr("sys.stderr", stream)
        with progress.working("work"):
            time.sleep(0.1)
    assert progress._thread is not None and progress._thread.is_alive()


def test_short_work_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with progress.working("work"):
        time.sleep(0.5)
    assert stream.getvalue() == ""


def test_long_verbs_say_how_far_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling, simulating, kinematics and equilibria; and the numbers are those without anybody looking."""
    terminal = at_once(monkeypatch)
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path))
    model, fractions = lw.example("double_pendulum"), []
    watched = lw.simulate(model, until=300, step=1.0, progress=fractions.append)
    assert fractions[-1] == 1.0 and all(np.diff(fractions) > 0)
    lw.find_equilibria(model, tries=20)
    turns = np.linspace(0.0, 2000.0, 200_001)
    lw.solve_kinematics(lw.example("four_bar"), {"O": turns}, method="newton")
    shown = "\n".join(lines(terminal))
    assert "compiling ... " in shown
    assert re.search(r"simulating double_pendulum: \d+ %, \d+:\d\d left", shown)
    assert re.search(r"looking for equilibria: \d+ %", shown)
    assert re.search(r"solving the kinematics: \d+ %", shown)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert np.array_equal(lw.simulate(model, until=300, step=1.0)["O.angle"], watched["O.angle"])


def test_what_comes_before_and_after_a_run_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mechanism of some size: its analysis, its equations, and what a printed result looks at."""
    terminal = at_once(monkeypatch)
    result = lw.simulate(n_four_bar(30), until=0.1)
    print(result)
    shown = {line.partition(" ...")[0] for line in lines(terminal)}
    assert {"analysing", "numbering the unknowns", "writing the equations", "auditing", "finding reactions"} <= shown


class Cell:
    """As much of IPython as is asked: a kernel, and outputs that are changed in place."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.kernel = self.display = self

    def get_ipython(self) -> Cell:
        return self

    def DisplayHandle(self) -> Cell:
        self.shown.append("a new output")
        return self

    def update(self, data: dict[str, str], raw: bool) -> None:
        assert raw
        self.shown += data.values()

    __call__ = update  # of `display`, an object here and there


def test_notebooks_show_it_in_one_output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cell = Cell()
    monkeypatch.setitem(sys.modules, "IPython", cell)
    monkeypatch.setattr(progress, "FIRST", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.002)
    time.sleep(0.3)
    with progress.working("walking") as done:
        assert done is not None
        done(0.5)
        time.sleep(0.2)
    assert cell.shown[0] == "a new output" and cell.shown.count("a new output") == 1
    assert cell.shown[1].startswith("walking") and cell.shown[-1] == "" and len(cell.shown) > 3
    assert capsys.readouterr() == ("", "")


def test_a_run_to_where_it_begins_reports_without_dividing_by_its_time() -> None:
    seen: list[float] = []
    result = lw.simulate(lw.example("four_bar"), times=[0.0], progress=seen.append)
    assert len(result) == 1
    assert all(0.0 <= part <= 1.0 for part in seen)
