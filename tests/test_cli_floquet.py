"""The command `floquet`: multipliers of a rod that is shaken, and of a motion that does not close."""

import pytest
from typer.testing import CliRunner

from linkwork.cli import app

ROD = """
linkwork: 1
name: rod
space: planar
gravity: [0, -9.81]
parameters: {a: {value: 50 mm, live: true}}
points: {O: [0, 0], P: [0, 0.5]}
bodies:
  slide: {points: [O], mass: 1, com: O, inertia: 1}
  rod: {bar: [O, P], mass: 2}
joints:
  S: {kind: prismatic, bodies: [ground, slide], axis: [0, 1], at: O}
  O: {kind: revolute, bodies: [slide, rod]}
drivers:
  shaker: {joint: S, position: a*cos(60*t)}
"""


@pytest.fixture
def rod(tmp_path):
    file = tmp_path / "rod.yaml"
    file.write_text(ROD)
    return str(file)


def test_multipliers_are_listed_drawn_and_written(rod, tmp_path):
    files = [tmp_path / name for name in ("circle.png", "floquet.csv", "motion.html")]
    options = ["--plot", str(files[0]), "--save", str(files[1]), "--html", str(files[2])]
    done = CliRunner().invoke(app, ["floquet", rod, *options])
    assert done.exit_code == 0, done.output
    assert "marginal, small variations stay" in done.output
    assert all(file.stat().st_size > 100 for file in files)
    assert "unstable" in CliRunner().invoke(app, ["floquet", rod, "-p", "a=0.02"]).output


def test_a_period_that_is_none_is_refused(rod):
    assert "not periodic" in str(CliRunner().invoke(app, ["floquet", rod, "--period", "0.1s"]).exception)
    assert CliRunner().invoke(app, ["floquet", rod, "--period", "-1s"]).exit_code == 2
