"""The command line, with the real readers and writers and a stand-in for the simulation."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import linkwork as lw
from exact_results import four_bar_result
from linkwork.cli import app, main, printing
from linkwork.errors import Fault, ModelError, RefusedError
from linkwork.formats import load
from linkwork.formats.examples import example_names, example_text
from linkwork.results import Outcome, Result, Status, load_result


class Simulation:
    """Stands for `linkwork.simulate`: remembers its arguments, answers with a known result."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.outcome = Outcome(time=2.0)
        self.error: Exception | None = None

    def __call__(self, model: Any, until: float, **options: Any) -> Result:
        self.calls.append({"name": model.name, "until": until, **options})
        if self.error is not None:
            raise self.error
        return four_bar_result(outcome=self.outcome)


@pytest.fixture
def simulation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Simulation:
    fake = Simulation()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lw, "simulate", fake, raising=False)
    monkeypatch.setattr(lw, "load", load, raising=False)
    return fake


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "linkage.yaml"
    path.write_text(example_text("driven_four_bar"), encoding="utf-8")
    return path


def call(*arguments: str | Path) -> int:
    """Exit code of a command."""
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    return int(stop.value.code or 0)


def test_new_writes_a_named_model_once(simulation: Simulation, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("new", "pendulum", "-o", "my: linkage.yaml") == 0
    assert load("my: linkage.yaml").name == "my: linkage"
    assert call("new", "driven_four_bar", "-o", "my: linkage.yaml") == 5
    assert "exists already" in capsys.readouterr().err
    assert call("new", "driven_four_bar", "-o", "my: linkage.yaml", "--force") == 0
    assert "crank" in load("my: linkage.yaml").bodies
    assert call("new", "stewart_platform", "-o", "models") == 0
    assert load("models/stewart_platform.yaml") == lw.example("stewart_platform")


@pytest.mark.parametrize("name", example_names())
def test_every_example_can_be_named_anew(name: str, tmp_path: Path) -> None:
    assert call("new", name, "-o", tmp_path / "mine.yaml") == 0
    assert load(tmp_path / "mine.yaml") == lw.Model(**{**lw.example(name).to_dict(), "name": "mine"})


def test_new_lists_all_examples_and_says_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("new") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == example_names()
    assert call("new", "driven_fourbar") == 1
    assert "did you mean" in capsys.readouterr().err


def test_check_prints_model_and_analysis(
    simulation: Simulation, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("check", model) == 0
    printed = capsys.readouterr().out
    assert "revolute ground - crank" in printed and "by rank at the assembled position: 1" in printed


def test_check_takes_values_of_live_parameters(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With so long a crank the four-bar is no crank-rocker any more."""
    text = model.read_text(encoding="utf-8").replace("crank: {bar: [O, A],", "crank: {bar: [O, A], length: a,")
    model.write_text(text.replace("parameters:\n", "parameters:\n  a: {value: 1 m, live: true}\n"), encoding="utf-8")
    for given, found in (((), True), (("-p", "a=2200 mm"), False)):
        assert call("find-limits", model, *given) == 0
        assert ("crank-rocker" in capsys.readouterr().out) is found
    assert call("check", model, "-p", "b=1") == 1
    assert "'b'" in capsys.readouterr().err


def test_limits_follow_the_motion(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("find-limits", model) == 0
    printed = capsys.readouterr().out
    assert "a closed circuit; crank-rocker" in printed and "full turns  (input)" in printed


def test_check_prints_all_faults(simulation: Simulation, model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = model.read_text().replace("kind: revolute, bodies: [ground, crank]", "kind: revolut, bodies: [ground, x]")
    model.write_text(broken.replace("mass: 1 kg", "mass: -1 kg"))
    assert call("check", model) == 1
    error = capsys.readouterr().err
    assert "revolut" in error and "mass" in error
    assert "Traceback" not in error


def test_check_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("schema") == 0
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
    words = [*options, "-p", "k=500", "-p", "l=25 mm", "--html", "a.html", "--out", tmp_path / "a" / "b"]
    words += ["--save", "linkage.csv", "--save", "linkage.nc"]
    assert call("run", model, *words) == 0
    parameters = {"k": 500.0, "l": "25 mm"}
    expected = {"until": 0.5, "step": 0.001, "integrator": "rk4", "coordinates": "natural"}
    expected |= {"rtol": 1e-6, "atol": 1e-8, "max_steps": 5000}
    assert simulation.calls == [{"name": "driven_four_bar", **expected, "parameters": parameters}]
    names = sorted(path.name for path in (tmp_path / "a" / "b").iterdir())
    assert names == ["a.html", "linkage.csv", "linkage.nc"]
    assert load_result(tmp_path / "a" / "b" / "linkage.nc").identical(four_bar_result())


def test_run_leaves_defaults_to_simulate(simulation: Simulation, model: Path) -> None:
    assert call("run", model) == 0
    assert simulation.calls == [{"name": "driven_four_bar", "until": 10.0}]


def test_run_refuses_old_files_before_it_simulates(
    simulation: Simulation, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "linkage.html").write_text("mine")
    assert call("run", model, "--html", "linkage.html") == 5
    assert "linkage.html' exists already" in capsys.readouterr().err
    assert simulation.calls == []
    assert call("run", model, "--html", "linkage.html", "--force") == 0


@pytest.mark.parametrize(
    ("status", "code"), [(Status.STOPPED_EARLY, 3), (Status.INTERRUPTED, 130), (Status.STOPPED_BY_EVENT, 0)]
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
        ["--until", "1s", "--until", "2s"],
        ["--force", "--keep"],
        ["-p", "k=1", "-p", "k=2"],
        ["--save", "run.txt"],
        ["--html", "run.nc"],
        ["--plot", "run.csv"],
        ["--paths", "run.png"],
        ["--open"],
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
    assert names == [f"driven_four_bar.{ending}" for ending in ("html", "nc", "png", "yaml")]
    printed = capsys.readouterr().out
    assert all(name in printed for name in names)
    assert call("demo", "--out", "shown") == 0  # twice: all of it is our own
    (tmp_path / "shown" / "driven_four_bar.yaml").write_text("mine")
    assert call("demo", "--out", "shown") == 5
    assert (tmp_path / "shown" / "driven_four_bar.yaml").read_text() == "mine"


def test_view_summarises_lists_and_writes(
    simulation: Simulation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = four_bar_result().save(tmp_path / "run.nc")
    assert call("view", file) == 0
    assert "completed" in capsys.readouterr().out
    assert call("view", file, "--names") == 0
    assert "x of joint B (world)" in capsys.readouterr().out
    assert call("view", file, "--html", "page.html", "--trace", "B", "--save", "run.csv") == 0
    assert call("view", file, "--plot", "run.png", "-q", "B.*", "-q", "crank.angle") == 0
    assert {"page.html", "run.csv", "run.png"} < {path.name for path in tmp_path.iterdir()}
    assert call("view", file, "--plot", "run.png", "-q", "Q.x") == 1
    assert call("view", tmp_path / "none.nc") == 5


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--version") == 0
    assert capsys.readouterr().out.strip() == f"linkwork {lw.__version__}"
    assert call("--help") == 0
    printed = capsys.readouterr().out
    assert all(command in printed for command in ("demo", "new", "analyse", "simulate", "view"))


def test_start_imports_nothing_heavy() -> None:
    heavy = ["numba", "casadi", "matplotlib", "xarray", "pandas", "scipy", "pint", "h5netcdf", "numpy"]
    code = f"import sys, linkwork.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"


def test_a_first_result_does_without_scipy() -> None:
    code = "import sys, linkwork as lw; print(lw.simulate(lw.example('four_bar'), until=0.1)); print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert "completed" in done.stdout and done.stdout.splitlines()[-1] == "False"


def test_inverse_prints_writes_and_plots(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    motion = tmp_path / "motion.csv"
    rows = [f"{0.01 * i},{1.0 + 0.02 * i}" for i in range(11)]
    motion.write_text("\n".join(["time [s],O.angle [rad]", *rows]), encoding="utf-8")
    words = ["inverse-dynamics", model, "--motion", motion, "--motor", "O", "--out", tmp_path]
    assert call(*words, "--plot", "efforts.png") == 0
    printed = capsys.readouterr().out
    assert "1 motor for 1 degree of freedom, 11 samples" in printed and "peak loads" in printed
    assert load_result(tmp_path / "linkage_inverse.nc")["O.angle.effort"].size == 11
    assert (tmp_path / "efforts.png").exists()
    assert call(*words, "--keep") == 5  # the files are there already
    assert call(*words) == 0  # and are our own
    assert call(*words, "--force", "--weight", "O.angle=heavy") == 2
    assert call(*words[:4], "--motor", "elbow", "--out", tmp_path) == 1


def test_all_assemblies_are_listed_and_drawn(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "modes.png"
    assert call("assembly-modes", model, "--plot", picture) == 0
    printed = capsys.readouterr().out
    assert "2 assembly modes of driven_four_bar with O.angle = " in printed
    assert "left   in use" in printed and "right" in printed and str(picture) in printed.replace("\n", "")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert call("assembly-modes", model, "--plot", picture, "--keep") == 5
    assert "exists already" in capsys.readouterr().err
    assert call("assembly-modes", model, "--plot", picture, "--force", "--html", tmp_path / "modes.html") == 0
    assert '"stills":[' in (tmp_path / "modes.html").read_text(encoding="utf-8")


def test_realtime_reports_the_cost_of_its_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "swing.yaml").write_text(example_text("pendulum"), encoding="utf-8")
    assert call("realtime", "swing.yaml", "--fixed-step", "2ms", "--steps", "500", "--plot", "times.png") == 0
    text = capsys.readouterr().out
    assert "500 of 2 ms" in text
    assert text.startswith("RealTime 'pendulum' at t = 1 s: ") and "than real time" in text.splitlines()[0]
    assert "real-time factor" in text
    assert (tmp_path / "times.png").exists()
    assert call("realtime", "swing.yaml", "--fixed-step", "0ms") == 2
    assert call("realtime", "swing.yaml", "--clock", "sundial") == 1
    assert "wall" in capsys.readouterr().err


def test_help_is_quick() -> None:
    """In processor time, which others do not count in; the best of three."""
    code = "import sys, time; sys.argv = ['linkwork', '--help']\nfrom linkwork.cli import main\ntry: main()\n"
    code += "except SystemExit: print('\\n', time.process_time())"
    spent = [
        float(
            subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()[-1]
        )
        for _ in range(3)
    ]
    assert min(spent) < 0.4


COMMANDS = [known.name or (known.callback.__name__.replace("_", "-")) for known in app.registered_commands]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_no_pictures(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(command, "--help") == 0
    assert not [c for c in capsys.readouterr().out if ord(c) > 0x2BFF]


def test_the_page_has_every_command_and_every_code() -> None:
    page = (Path(__file__).parents[1] / "docs" / "commands.md").read_text(encoding="utf-8")
    assert not [command for command in COMMANDS if not re.search(rf"`{command}[ `]", page)]
    codes = [printing.WRONG, printing.STOPPED_EARLY, printing.FAILED_AUDIT, printing.FILES, printing.INTERRUPTED]
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == [str(code) for code in sorted([0, 2, *codes])]


def test_the_package_is_the_command_too() -> None:
    """python -m linkwork, where the command is not on the path."""
    told = subprocess.run([sys.executable, "-m", "linkwork", "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.split()[-1] == lw.__version__
    wrong = subprocess.run([sys.executable, "-m", "linkwork", "simulate", "none.yaml"], capture_output=True, text=True)
    assert wrong.returncode == 1 and "none.yaml" in wrong.stderr
