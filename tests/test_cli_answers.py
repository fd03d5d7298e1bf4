"""Every command that gives an answer: its options mean the same everywhere, and words of users are no markup."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.cli import main, motions, positions, rest, vibrations
from linkwork.cli.answering import Wishes
from linkwork.views import films

NAME = "[red]rod[/] :100: [x"
ROD = f"""
linkwork: 1
name: "{NAME}"
space: planar
gravity: [0, -9.81]
parameters: {{c: {{value: 0, live: true}}}}
points: {{O: [0, 0], P: [1, -2], W: [3, 0], V: [3, -1]}}
bodies: {{rod: {{bar: [O, P], mass: 3}}, wall: {{bar: [W, V], mass: 1}}}}
joints:
  O: {{kind: revolute, bodies: [ground, rod]}}
  W: {{kind: fixed, bodies: [ground, wall]}}
forces: {{bearing: {{kind: torsion_spring, joint: O, stiffness: 0, damping: c}}}}
"""
OF_RESULTS = ("view", "interference", "envelope")
WORDS = {
    "analyse": [],
    "diagnose": [],
    "find_limits": [],
    "assembly_modes": [],
    "assemble": ["--near", "O=30 deg"],
    "simulate": ["--until", "0.1s", "--step", "10ms"],
    "solve_kinematics": ["--motion", "O=0:1:5"],
    "inverse_dynamics": ["--motion", "O.angle=t", "--until", "0.1s", "--step", "10ms"],
    "realtime": ["--steps", "10"],
    "view": [],
    "interference": ["--clearance", "5 mm"],
    "envelope": ["--body", "rod"],
    "find_equilibrium": ["--start", "O.angle=1"],
    "find_equilibria": ["--tries", "3"],
    "equilibrium_path": ["--along", "c=0:1:3"],
    "linearise": ["--input", "O.effort", "--output", "P.x"],
    "frequency_response": ["--input", "O.effort", "--output", "P.x"],
    "modes": [],
    "root_locus": ["--along", "c=0.1:1:3"],
    "floquet": ["--period", "2.5s"],
}
GIVINGS = {body: giving for room in (positions, motions, rest, vibrations) for body, giving in room.COMMANDS.items()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "[red] :100:.yaml").write_text(ROD)
    lw.simulate(lw.loads(ROD), until=0.1).save("[red] :100:.nc")
    return tmp_path


def call(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(list(words))
    return int(end.value.code or 0)


def command(name: str, *more: str) -> list[str]:
    ending = ".nc" if name in OF_RESULTS else ".yaml"
    return [name.replace("_", "-"), f"[red] :100:{ending}", *WORDS[name], *more]


def test_every_command_is_here() -> None:
    assert [body.__name__ for body in GIVINGS] == list(WORDS)


def test_commands_are_named_as_functions_are() -> None:
    others = {"view": "load_result"}
    assert set(WORDS) - set(others) <= set(lw.__all__)


def test_functions_of_models_and_results_have_commands() -> None:
    """What has none takes what no command line can give, or is a stage for those who build on it."""
    of_python = {
        *("load", "loads", "save", "dump", "example", "load_result", "register", "forget"),
        *("number", "formulate", "build", "prepare", "integrate", "inverse_function"),
        *("drag_point", "solve_positions", "simulate_many"),  # rows of places, or of values
    }
    asked = {name for name in lw.__all__ if name[0].islower() and inspect.isfunction(getattr(lw, name))}
    assert asked - of_python - {"export_c"} == set(WORDS) - {"view"}


@pytest.mark.parametrize("body", GIVINGS, ids=lambda body: body.__name__)
def test_an_answer_is_printed_saved_and_drawn(body, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    giving, name = GIVINGS[body], body.__name__
    files = [f"[b] :x:{ending}" for ending in (*giving.endings, ".png")]
    saved = [word for file in files[:-1] for word in ("--save", file)]
    assert call(*command(name, *saved, "--plot", files[-1], "--out", "[out]")) == 0
    printed = capsys.readouterr().out
    assert (NAME in printed) is (name != "diagnose")  # which does not name its model
    for file in files:
        assert str(Path("[out]") / file) in printed
        assert (folder / "[out]" / file).stat().st_size > 0


@pytest.mark.parametrize("body", GIVINGS, ids=lambda body: body.__name__)
def test_json_is_alone_on_standard_output(body, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*command(body.__name__, "--json", "--save", "answer.csv")) == 0
    found, told = capsys.readouterr()
    answer = json.loads(found)
    assert set(answer) >= {"answer", "title", "facts", "notes", "units", "columns"}
    assert "answer.csv" in told
    rows = {len(values) for values in answer["columns"].values()}
    assert rows == {len((folder / "answer.csv").read_text().splitlines()) - 1}


@pytest.mark.parametrize("body", GIVINGS, ids=lambda body: body.__name__)
def test_endings_are_those_of_the_answer(body, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    giving = GIVINGS[body]
    monkeypatch.setattr(Wishes, "write", lambda self, giving, answer, moving: found.append(answer) or [])
    call(*command(body.__name__))
    assert set(giving.numbers(found[0]).endings) == set(giving.endings)


@pytest.mark.parametrize("body", GIVINGS, ids=lambda body: body.__name__)
def test_faults_name_what_was_written(body, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = body.__name__.replace("_", "-")
    words = WORDS[body.__name__]
    odd = "[red]:100:[/b].nc" if body.__name__ in OF_RESULTS else "[red]:100:[/b].yaml"
    assert call(name, odd, *words) == (5 if body.__name__ in OF_RESULTS else 1)
    assert odd in capsys.readouterr().err
    assert call(*command(body.__name__, "--save", "[red]:x:.txt")) == 2
    assert "[red]:x:.txt" in capsys.readouterr().err
    assert call(*command(body.__name__, "--plot", "a.png", "--plot", "b.png")) == 2
    assert "--plot is given more than once" in capsys.readouterr().err


def test_quantities_are_chosen_by_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(*command("simulate", "-q", "P.x", "-q", "O.*", "--json")) == 0
    columns = json.loads(capsys.readouterr().out)["columns"]
    assert {"time", "P.x", "O.angle"} <= set(columns) and "P.y" not in columns
    assert (folder / "[red] :100:.nc").exists()
    assert call(*command("simulate", "-q", "[red]:x:", "--json")) == 1
    assert "'[red]:x:'" in capsys.readouterr().err


def test_plots_are_over_any_quantity_and_in_any_unit(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    drawn: list[Figure] = []
    save = Figure.savefig
    monkeypatch.setattr(
        Figure, "savefig", lambda self, *given, **more: (drawn.append(self), save(self, *given, **more))
    )
    words = ["-q", "P.y", "-q", "O.angle", "--unit", "P.*=mm", "--unit", "O.angle=deg"]
    for name in ("simulate", "solve_kinematics", "inverse_dynamics", "view"):
        files = ["--plot", f"{name}.png", "--save", f"{name}.csv", "--json"]
        assert call(*command(name, *words, "--over", "O.angle", *files)) == 0
        axes = drawn[-1].axes
        assert axes[-1].get_xlabel() == "O.angle [deg]" and any("mm" in axis.get_ylabel() for axis in axes)
        found = json.loads(capsys.readouterr().out)
        assert found["units"]["P.y"] == "mm" and found["units"]["O.angle"] == "deg"
        assert "P.y [mm]" in (folder / f"{name}.csv").read_text(encoding="utf-8")
    assert found["columns"]["P.y"][0] == pytest.approx(-2000.0)


def test_units_and_axes_that_nothing_shows_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, text in (
        (["--over", "O.angle"], "of which plot?"),
        (["--unit", "O.angle=deg"], "of what?"),
        (["--unit", "O.angle", "--json"], "'O.angle' is not name=value"),
    ):
        assert call(*command("simulate", *words)) == 2
        assert text in capsys.readouterr().err
    assert call(*command("simulate", "-q", "P.y", "--unit", "P.y=kg", "--json")) == 1
    assert "kg" in capsys.readouterr().err


def test_several_inputs_move_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two ranges add up: the second does not win."""
    monkeypatch.chdir(tmp_path)
    words = ["--motion", "O=0 deg:90 deg:7", "--motion", "A=0 deg:-30 deg:7"]
    assert call("new", "double_pendulum", "-o", "two.yaml") == 0
    assert call("solve-kinematics", "two.yaml", *words) == 0
    found = lw.load_result("two_kinematics.nc")
    assert [found[name][-1] for name in ("O.angle", "A.angle")] == pytest.approx(
        [1.5707963267948966, -0.5235987755982988]
    )


def test_files_that_are_named_with_a_folder_lie_there(folder: Path) -> None:
    """--out is the folder of those that are named without one."""
    words = command("solve_kinematics", "--plot", "[out]/i.png", "--save", "i.csv", "--out", "[out]")
    assert call(*words) == 0
    assert sorted(path.name for path in (folder / "[out]").iterdir()) == ["i.csv", "i.png"]
    (folder / "other").mkdir()
    whole = str(folder / "other" / "whole.json")
    assert call(*command("analyse", "--save", "other/rod.csv", "--save", whole, "--out", "[out]")) == 0
    assert call("export-c", "[red] :100:.yaml", "--save", "other/rod.c", "--out", "[out]") == 0
    assert sorted(path.name for path in (folder / "other").iterdir()) == ["rod.c", "rod.csv", "whole.json"]


def test_a_program_in_c_is_written(folder: Path) -> None:
    assert call("export-c", "[red] :100:.yaml", "--save", "rod.c") == 0
    assert "linkwork_" in (folder / "rod.c").read_text()
    assert call("export-c", "[red] :100:.yaml", "--save", "rod.txt") == 2


MOVING = [body for body, giving in GIVINGS.items() if giving.moving and giving.film]


@pytest.mark.parametrize("body", MOVING, ids=lambda body: body.__name__)
def test_what_moves_is_a_page_and_a_film(
    body, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(films, "LENGTH", 0.2)
    monkeypatch.setattr(films, "USUAL", (64, 48))
    words = ["--html", "[i]:x:.html", "--movie", "[i]:x:.gif", "--out", "[out]"]
    words += ["--trace", "P"] if GIVINGS[body].quantities else []
    assert call(*command(body.__name__, *words)) == 0
    printed = capsys.readouterr().out
    assert f"film       {Path('[out]') / '[i]:x:.gif'}" in printed
    assert (folder / "[out]" / "[i]:x:.gif").read_bytes().startswith(b"GIF89a")
    assert call(*command(body.__name__, "--movie", "film.avi")) == 2
    assert "'film.avi' has to end in .gif or .mp4" in capsys.readouterr().err


def test_options_have_one_meaning_and_help_names_no_types(capsys: pytest.CaptureFixture[str]) -> None:
    told: dict[str, set[str]] = {}
    for name in ("new", "demo", "export_c", "doctor", *WORDS):
        assert call(name.replace("_", "-"), "--help") == 0
        text = capsys.readouterr().out
        assert all(len(line) <= 80 for line in text.splitlines())
        assert not any(word in text for word in ("list[", "<str>", "<float>", "<int>")) or name in ("new", "demo")
        for option, value in re.findall(r"(--[a-z-]+) ([A-Z=:]+)", text):
            told.setdefault(option, set()).add(value)
    assert {option: values for option, values in told.items() if len(values) > 1} == {}
    assert told["--movie"] == told["--plot"] == told["--html"] == told["--save"] == {"FILE"}


def test_names_in_faults_and_tables_are_no_markup(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "odd.yaml").write_text(
        ROD.replace("rod: {bar", '"[red]a[/red]": {bar').replace("kind: fixed", "kind: '[b]x[/b]'")
    )
    assert call("analyse", "odd.yaml") == 1
    assert "[b]x[/b]" in capsys.readouterr().err
    (folder / "title.yaml").write_text(ROD.replace(NAME, "[bold]t[/bold] :smile:"))
    assert call("simulate", "title.yaml", "--until", "0.1s", "--strict") == 0
    assert "Result '[bold]t[/bold] :smile:': completed" in capsys.readouterr().out
