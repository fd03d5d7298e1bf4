"""The command line, with the real readers and writers and a stand-in for the simulation."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import linkwork as lw
from exact_results import four_bar_result
from linkwork.cli import main
from linkwork.cli.templates import template_names, template_text
from linkwork.errors import Fault, ModelError, RefusedError
from linkwork.formats import load, loads
from linkwork.results import Outcome, Result, Status, load_result


class Simulation:
    """Stands for `linkwork.simulate`: remembers its arguments, answers with a known result."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.outcome = Outcome(time=2.0)
        self.error: Exception | None = None

    def __call__(self, model: Any, until: float, *, progress: Callable[[float], None], **options: Any) -> Result:
        self.calls.append({"name": model.name, "until": until, **options})
        progress(0.5)
        if self.error is not None:
            raise self.error
        return four_bar_result(outcome=self.outcome)


@pytest.fixture
def simulation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Simulation:
    fake = Simulation()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lw, "simulate", fake, raising=False)
    monkeypatch.setattr(lw, "load", load, raising=False)
    monkeypatch.setattr(lw, "analyse", lambda model, **given: f"analysis of {model.name}", raising=False)
    return fake


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "linkage.yaml"
    path.write_text(template_text("four_bar"), encoding="utf-8")
    return path


def call(*arguments: str | Path) -> int:
    """Exit code of a command."""
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    return int(stop.value.code or 0)


@pytest.mark.parametrize("name", template_names())
def test_every_template_is_a_model_of_its_name(name: str) -> None:
    assert loads(template_text(name)).name == name


def test_templates_are_the_promised_ones() -> None:
    assert template_names() == ["double_pendulum", "four_bar", "pendulum", "slider_crank", "spatial_four_bar"]


def test_new_writes_a_named_model_once(simulation: Simulation, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("new", "my: linkage", "--template", "pendulum") == 0
    assert load("my: linkage.yaml").name == "my: linkage"
    assert call("new", "my: linkage") == 1
    assert "exists already" in capsys.readouterr().err
    assert call("new", "my: linkage", "--force") == 0
    assert "crank" in load("my: linkage.yaml").bodies


def test_new_lists_templates_after_a_wrong_one(simulation: Simulation, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("new", "x", "--template", "fourbar") == 1
    error = capsys.readouterr().err
    assert "did you mean" in error and "spatial_four_bar" in error


def test_check_prints_model_and_analysis(
    simulation: Simulation, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("check", model) == 0
    printed = capsys.readouterr().out
    assert "revolute ground - crank" in printed and "analysis of four_bar" in printed


def test_check_takes_values_of_live_parameters(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With so long a crank the four-bar is no crank-rocker any more."""
    text = model.read_text(encoding="utf-8").replace("crank: {bar: [O, A],", "crank: {bar: [O, A], length: a,")
    model.write_text(text.replace("parameters:\n", "parameters:\n  a: {value: 1 m, live: true}\n"), encoding="utf-8")
    for given, found in (((), True), (("-p", "a=2200 mm"), False)):
        assert call("check", model, "--limits", *given) == 0
        assert ("crank-rocker" in capsys.readouterr().out) is found
    assert call("check", model, "-p", "b=1") == 1
    assert "'b'" in capsys.readouterr().err


def test_check_follows_the_motion_when_asked(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", model) == 0
    assert "(input)" not in capsys.readouterr().out
    assert call("check", model, "--limits") == 0
    printed = capsys.readouterr().out
    assert "by rank at the assembled position: 1" in printed
    assert "a closed circuit; crank-rocker" in printed and "full turns  (input)" in printed


def test_check_prints_all_faults(simulation: Simulation, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = model.read_text().replace("kind: revolute, bodies: [ground, crank]", "kind: revolut, bodies: [ground, x]")
    model.write_text(broken.replace("mass: 1 kg", "mass: -1 kg"))
    assert call("check", model) == 1
    error = capsys.readouterr().err
    assert "revolut" in error and "mass" in error
    assert "Traceback" not in error


def test_check_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", "--schema") == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Linkwork mechanism"


def test_run_passes_options_and_writes_what_was_asked(simulation: Simulation, model: Path, tmp_path: Path) -> None:
    options = [
        "--until",
        "500 ms",
        "--step",
        "1ms",
        "--integrator",
        "rk4",
        "--rtol",
        "1e-6",
        "--atol",
        "1e-8",
        "--max-steps",
        "5000",
        "--coordinates",
        "natural",
    ]
    words = [*options, "-p", "k=500", "-p", "l=25 mm", "--html", "--csv", "--out", tmp_path / "a" / "b"]
    assert call("run", model, *words) == 0
    parameters = {"k": 500.0, "l": "25 mm"}
    expected = {"until": 0.5, "step": 0.001, "integrator": "rk4", "coordinates": "natural"}
    expected |= {"rtol": 1e-6, "atol": 1e-8, "max_steps": 5000}
    assert simulation.calls == [{"name": "four_bar", **expected, "parameters": parameters}]
    names = sorted(path.name for path in (tmp_path / "a" / "b").iterdir())
    assert names == ["linkage.csv", "linkage.html", "linkage.nc"]
    assert load_result(tmp_path / "a" / "b" / "linkage.nc").identical(four_bar_result())


def test_run_leaves_defaults_to_simulate(simulation: Simulation, model: Path) -> None:
    assert call("run", model) == 0
    assert simulation.calls == [{"name": "four_bar", "until": 10.0}]


def test_run_refuses_old_files_before_it_simulates(
    simulation: Simulation, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "linkage.html").write_text("mine")
    assert call("run", model, "--html") == 1
    assert "linkage.html' exists already" in capsys.readouterr().err
    assert simulation.calls == []
    assert call("run", model, "--html", "--force") == 0


@pytest.mark.parametrize(
    ("status", "code"), [(Status.STOPPED_EARLY, 1), (Status.INTERRUPTED, 130), (Status.STOPPED_BY_EVENT, 0)]
)
def test_partial_result_is_kept(simulation: Simulation, model: Path, tmp_path: Path, status: Status, code: int) -> None:
    simulation.outcome = Outcome(status, "for a reason", 1.5)
    assert call("run", model) == code
    assert load_result(tmp_path / "linkage.nc").outcome == simulation.outcome


def test_errors_are_text_unless_debugging(
    simulation: Simulation, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    simulation.error = RefusedError("rk4 needs a fixed step; use [bold]dop853[/]")
    assert call("run", model) == 1
    assert capsys.readouterr().err == "error: rk4 needs a fixed step; use [bold]dop853[/]\n"
    with pytest.raises(RefusedError):
        main(["run", str(model), "--debug"])


def test_faults_of_the_model_come_before_the_run(simulation: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(path: Path, **_: bool) -> None:
        raise ModelError([Fault("bodies.crank", "no mass")], str(path))

    monkeypatch.setattr(lw, "load", faulty)
    assert call("run", "any.yaml") == 1
    assert simulation.calls == []


@pytest.mark.parametrize(
    "words",
    [
        ["--until", "10 kg"],
        ["--until", "-1"],
        ["--step", "soon"],
        ["-p", "k"],
        ["-p", "=3"],
        ["--rtol", "x"],
        ["--what"],
    ],
)
def test_wrong_usage_is_exit_code_two(simulation: Simulation, model: Path, words: list[str]) -> None:
    assert call("run", model, *words) == 2
    assert simulation.calls == []


def test_demo_writes_model_result_page_and_plot(
    simulation: Simulation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("demo", "--out", "shown") == 0
    names = sorted(path.name for path in (tmp_path / "shown").iterdir())
    assert names == ["four_bar.html", "four_bar.nc", "four_bar.png", "four_bar.yaml"]
    printed = capsys.readouterr().out
    assert all(name in printed for name in names)
    assert call("demo", "--out", "shown") == 0  # twice: all of it is our own
    (tmp_path / "shown" / "four_bar.yaml").write_text("mine")
    assert call("demo", "--out", "shown") == 1
    assert (tmp_path / "shown" / "four_bar.yaml").read_text() == "mine"


def test_view_summarises_lists_and_writes(
    simulation: Simulation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = four_bar_result().save(tmp_path / "run.nc")
    assert call("view", file) == 0
    assert "completed" in capsys.readouterr().out
    assert call("view", file, "--names") == 0
    assert "x of joint B (world)" in capsys.readouterr().out
    assert call("view", file, "--html", "page.html", "--trace", "B", "--csv", "run.csv") == 0
    assert call("view", file, "--plot", "B.*", "--plot", "crank.angle") == 0
    assert {"page.html", "run.csv", "run.png"} < {path.name for path in tmp_path.iterdir()}
    assert call("view", file, "--plot", "Q.x") == 1
    assert call("view", tmp_path / "none.nc") == 1


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--version") == 0
    assert capsys.readouterr().out.strip() == f"linkwork {lw.__version__}"
    assert call("--help") == 0
    printed = capsys.readouterr().out
    assert all(command in printed for command in ("demo", "new", "check", "run", "view"))


def test_start_imports_nothing_heavy() -> None:
    heavy = ["numba", "casadi", "matplotlib", "xarray", "pandas", "scipy", "pint", "h5netcdf", "numpy"]
    code = f"import sys, linkwork.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"


def test_inverse_prints_writes_and_plots(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    motion = tmp_path / "motion.csv"
    rows = [f"{0.01 * i},{1.0 + 0.02 * i}" for i in range(11)]
    motion.write_text("\n".join(["time [s],O.angle [rad]", *rows]), encoding="utf-8")
    words = ["inverse", model, "--motion", motion, "--motor", "O", "--out", tmp_path]
    assert call(*words, "--plot", tmp_path / "efforts.png", "--csv") == 0
    printed = capsys.readouterr().out
    assert "1 motor for 1 freedom, 11 samples" in printed and "peak loads" in printed
    assert load_result(tmp_path / "linkage_inverse.nc")["O.angle.effort"].size == 11
    assert {"efforts.png", "linkage_inverse.csv"} < {path.name for path in tmp_path.iterdir()}
    assert call(*words, "--keep") == 1  # the files are there already
    assert call(*words) == 0  # and are our own
    assert call(*words, "--force", "--weight", "O.angle=heavy") == 2
    assert call("inverse", model, "--motor", "elbow", "--motion", motion, "--out", tmp_path, "--force") == 1


def test_modes_lists_and_draws_all_assemblies(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "modes.png"
    assert call("assemblies", model, "--plot", picture) == 0
    printed = capsys.readouterr().out
    assert "2 assembly modes of four_bar with O.angle = " in printed
    assert "left   in use" in printed and "right" in printed and str(picture) in printed.replace("\n", "")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert call("assemblies", model, "--plot", picture, "--keep") == 1
    assert "exists already" in capsys.readouterr().err
    assert call("assemblies", model, "--plot", picture, "--force") == 0


def test_realtime_reports_the_cost_of_its_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "swing.yaml").write_text(template_text("pendulum"), encoding="utf-8")
    assert call("realtime", "swing.yaml", "--fixed-step", "2ms", "--steps", "500", "--plot", "times.png") == 0
    text = capsys.readouterr().out
    assert "500 of 2 ms" in text
    assert "time              1 s" in text
    assert "real-time factor" in text
    assert (tmp_path / "times.png").exists()
    assert call("realtime", "swing.yaml", "--fixed-step", "0ms") == 2
    assert call("realtime", "swing.yaml", "--clock", "sundial") == 1
    assert "wall" in capsys.readouterr().err


def test_words_between_colons_stay_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from linkwork.cli.printing import complain, print_names, print_summary, print_written

    complain("no quantity 'a:x:b' at 0:100:21")
    assert "'a:x:b' at 0:100:21" in capsys.readouterr().err
    result = replace(four_bar_result(), name="run :100: :x:", notes=("note :x: [bold]",))
    print_summary(result)
    print_names(result)
    print_written({"result": tmp_path / ":x:.nc"})
    printed = capsys.readouterr().out
    assert "run :100: :x:" in printed and "note :x: [bold]" in printed and ":x:.nc" in printed.replace("\n", "")


@pytest.mark.parametrize("command", ["equilibrium", "modes", "kinematics", "inverse", "run", "assemble", "view"])
def test_help_shows_no_pictures(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(command, "--help") == 0
    assert not [c for c in capsys.readouterr().out if ord(c) > 0x2BFF]
