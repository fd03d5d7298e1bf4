"""The comparison itself: the sweep, what is missing, and what is told of it in print and on the page."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.bench import compare as comparing
from linkwork.bench.peers import find_contenders
from linkwork.bench.peers.base import Contender
from linkwork.bench.peers.heyoka_taylor import translate
from linkwork.bench.peers.linkwork_flow import fresh_flow, prepared
from linkwork.bench.sweep import Pace, measure
from linkwork.bench.task import Task, angle
from linkwork.bench.tasks import task_named
from linkwork.cli import main
from linkwork.numerics.flows.context import flow_parameters
from linkwork.results.comparison import Compared, Comparison, Setting, Sweep

SWING = Task("a swing", "a swing <b>, 0.1 s", lambda: lw.example("pendulum"), 0.1, None, unit="J")


def call(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["bench", *words])
    return int(end.value.code or 0)


def peer(name: str, errors: dict[float, float]) -> Contender:
    """A program whose settings have known errors."""

    def prepare(setting: float) -> Callable[[], float]:
        if errors[setting] < 0:
            raise RuntimeError(f"{name} will not have {setting:g}")
        return lambda: errors[setting]

    grid = SWING.grid
    return Contender(name, tuple(errors), prepare, lambda error: np.linspace(0.0, error, grid.size))


def clock(monkeypatch: pytest.MonkeyPatch, seconds: Sequence[float]) -> None:
    monkeypatch.setattr("linkwork.bench.sweep.best_times", lambda runs, **_: list(seconds[: len(runs)]))


def test_a_sweep_has_the_errors_and_times_of_all_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    clock(monkeypatch, [3.0, 5.0, 7.0])
    told: list[str] = []
    found = measure(
        SWING,
        [peer("quick", {1e-3: 1e-4, 1e-6: 1e-7}), peer("slow", {1e-3: -1.0, 1e-6: 1e-8, 1e-9: 1e9})],
        Pace(),
        told.append,
    )
    assert found["quick"] == [Setting(1e-3, pytest.approx(1e-4), 3.0), Setting(1e-6, pytest.approx(1e-7), 5.0)]
    assert found["slow"] == [Setting(1e-6, pytest.approx(1e-8), 7.0)]  # one is refused, one says nothing
    assert told == ["a swing, slow, 0.001: slow will not have 0.001"]


def test_the_fastest_setting_that_is_accurate_enough_stands_for_a_program() -> None:
    own = Sweep("Linkwork", "Linkwork, default", "tolerance", (Setting(1e-3, 1e-2, 1.0), Setting(1e-6, 1e-7, 2.0)))
    loose = Sweep("Other", "Other, loose", "step", (Setting(0.1, 1e-3, 0.1),))
    tight = Sweep("Other", "Other, tight", "step", (Setting(0.1, 1e-6, 9.0), Setting(0.01, 1e-9, 6.0)))
    never = Sweep("Never", "Never", "step", (Setting(0.1, 1e-3, 0.1),))
    standings = Compared("a", "a", 1e-6, "rad", False, (own, loose, tight, never)).standings()
    assert list(standings) == ["Linkwork", "Other"]
    assert standings["Other"].ratio == 3.0 and standings["Other"].told == "Other, tight, step 0.01 s"


@pytest.fixture
def comparison() -> Comparison:
    own = Sweep("Linkwork", "Linkwork, default", "tolerance", (Setting(1e-3, 1e-4, 1e-3), Setting(1e-6, 1e-7, 2e-3)))
    other = Sweep("Other & Co", "Other & Co, best", "step", (Setting(0.1, 1e-3, 5e-3), Setting(0.01, 1e-9, 6e-3)))
    one = Compared("swing", "a <swing>", 1e-6, "rad", False, (own, other))
    single = tuple(
        Sweep(name, name, "", (Setting(np.nan, 0.0, t),)) for name, t in (("Linkwork", 1e-6), ("Other & Co", 5e-5))
    )
    return Comparison(
        (one, Compared("chain", "a chain", 1e-6, "", False, single)),
        {"Linkwork": "1.2.3", "Other & Co": "4.5"},
        {"drake": "it is not installed"},
        "2 cores of a machine",
        refused=("swing, Other & Co, 1: would not",),
    )


def test_print_and_table_say_ratios_and_what_is_missing(comparison: Comparison) -> None:
    text = " ".join(str(comparison).split())
    assert "Linkwork 1.2.3, Other & Co 4.5" in text and "2 cores of a machine" in text
    assert "drake is missing: it is not installed; pip install drake" in text
    assert "a <swing> 1e-06 rad 2 ms 3 x" in text and "a chain 1e-06 1 µs 50 x" in text
    rows = comparison.table(["program", "ratio"])
    assert [row[2] for row in rows[1:]][3] == pytest.approx(3.0)
    assert comparison.plot("swing").axes[0].get_xscale() == "log"


def test_the_page_has_plots_versions_settings_and_what_is_missing(comparison: Comparison, tmp_path: Path) -> None:
    page = comparison.animate(tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 1 and "largest error" in page
    for told in ("Other &amp; Co 4.5", "a &lt;swing&gt;", "drake is missing", "2 of step 0.1 to 0.01", "would not"):
        assert told in page
    assert "http://" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    )
    with pytest.raises(lw.errors.ResultError, match=r"\.html"):
        comparison.animate(tmp_path / "page.txt")


def test_a_program_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    contenders, missing = find_contenders(task_named("a01"))
    assert "mujoco" in missing and not [item for item in contenders if item.program == "MuJoCo"]
    monkeypatch.setattr(comparing, "known", lambda quick=False: (SWING,))
    monkeypatch.setattr(comparing, "find_contenders", lambda task: ([], {"mujoco": "no wheel"}))
    found = comparing.compare(quick=True)
    assert any("opensim is missing: its libraries" in note and "pip" not in note for note in found.notes)
    assert found.missing["mujoco"] == "no wheel" and found.programs["Linkwork"] == lw.__version__
    (only,) = found.compared
    assert only.programs == ("Linkwork",) and only.standings()["Linkwork"].ratio == 1.0


def test_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    swing = Task("swing", "a swing, 0.1 s", lambda: lw.example("pendulum"), 0.1, None, unit="J")
    monkeypatch.setattr(comparing, "known", lambda quick=False: (swing,))
    monkeypatch.setattr(comparing, "find_contenders", lambda task: ([], {}))
    page = tmp_path / "page.html"
    assert call("--quick", "--json", "--html", str(page)) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["columns"]["program"][0] == "Linkwork" and page.exists()
    assert f"page       {page}" in captured.err
    assert call("swing", "--quick") == 0 and "a swing, 0.1 s" in capsys.readouterr().out
    assert call("swung") == 1 and "did you mean 'swing'" in capsys.readouterr().err


def test_an_angle_is_observed_as_its_change() -> None:
    assert angle("B.angle", -1.0)(["A.angle", "B.angle"], np.array([[0.0, 1.0], [0.0, 3.0]])) == pytest.approx(
        [0.0, -2.0]
    )


@pytest.mark.parametrize("name", ["andrews", "a04", "a05"])
def test_heyoka_is_given_the_equations_that_linkwork_compiles(name: str) -> None:
    """Branches of their formulas too: rates are those of the compiled function."""
    heyoka = pytest.importorskip("heyoka")
    task = task_named(name)
    mechanism, start = prepared(task)
    function = mechanism.program["flow0" if "flow0" in mechanism.program else "accelerate"]
    p = flow_parameters(fresh_flow(task)) if "flow0" in mechanism.program else mechanism.start().p
    variables = heyoka.make_vars(*(f"y{i}" for i in range(start.size)))
    rates = translate(function.instructions, variables, p, heyoka, start.size)
    found = heyoka.cfunc(rates, variables)(start)
    expected = function(0.0, start, p[: function.size_p])[: start.size]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12 * np.abs(expected).max())
