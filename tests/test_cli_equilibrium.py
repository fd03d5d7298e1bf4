"""The commands `find-equilibrium`, `find-equilibria` and `equilibrium-path`."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwork.cli import main

MODEL = """
linkwork: 1
name: balance
space: planar
gravity: [0, -10]
parameters:
  F: {value: 0 N, live: true}
points: {O: [0, 0], P: [0, -0.5]}
bodies:
  pan: {points: [P], mass: 2 kg, inertia: 1}
joints:
  guide: {kind: prismatic, bodies: [ground, pan], at: [O, P], axis: [0, 1]}
forces:
  spring: {kind: spring, between: [O, pan.P], stiffness: 200 N/m, free_length: 0.3 m}
  load: {kind: force, at: pan.P, value: [0, -F]}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "balance.yaml"
    path.write_text(MODEL)
    return path


def run(command: str, *words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main([command, *words])
    return int(end.value.code or 0)


def test_the_command_prints_one_all_or_a_path(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("find-equilibrium", str(model), "-p", "F=20", "--plot", str(tmp_path / "rest.png")) == 0
    text = capsys.readouterr().out
    assert "Equilibrium of balance: stable" in text and "200 N/m along guide.position" in text
    assert (tmp_path / "rest.png").exists()
    assert run("find-equilibria", str(model), "--method", "multipliers") == 0
    assert "of balance, from 40 starts" in capsys.readouterr().out
    assert run("equilibrium-path", str(model), "--along", "F=0:20:3") == 0
    assert "3 equilibria of balance along F" in capsys.readouterr().out
    assert run("equilibrium-path", str(model), "--along", "F=0:20", "--save", str(tmp_path / "path.csv")) == 0
    assert (tmp_path / "path.csv").read_text().splitlines()[-1].startswith("25,20.0,stable,")
    assert run("find-equilibrium", str(model), "--save", str(tmp_path / "path.csv")) == 0  # it is Linkwork's own
    (tmp_path / "notes.csv").write_text("bought, tested\n")
    assert run("find-equilibrium", str(model), "--save", str(tmp_path / "notes.csv")) == 5
    assert run("find-equilibrium", str(model), "--save", str(tmp_path / "rest.nc")) == 0
    assert run("find-equilibria", str(model), "--save", str(tmp_path / "all.csv")) == 0
    assert "stable" in (tmp_path / "all.csv").read_text()


def test_wrong_words_are_told(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("equilibrium-path", str(model), "--along", "F=0") == 2
    assert run("equilibrium-path", str(model), "--along", "F=0:1:2", "--along", "F=1:2:2") == 2
    assert run("find-equilibrium", str(model), "--method", "guess") == 1
    assert "there is no method 'guess'" in capsys.readouterr().err
