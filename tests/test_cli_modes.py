"""Commands about small motions: frequency responses of inputs and outputs by their names, modes, root loci."""

import pytest
from typer.testing import CliRunner

from linkwork.cli import app

PENDULUM = """
linkwork: 1
name: rod
space: planar
gravity: [0, -9.81]
parameters: {c: {value: 0.2 N*m*s/rad, live: true}}
points: {O: [0, 0], P: [0, -2]}
bodies: {rod: {bar: [O, P], mass: 3}}
joints: {O: {kind: revolute, bodies: [ground, rod]}}
forces: {bearing: {kind: torsion_spring, joint: O, stiffness: 0, damping: c}}
"""
DAMPED = "{kind: torsion_spring, joint: O, stiffness: 0, damping: c}"


@pytest.fixture
def rod(tmp_path):
    file = tmp_path / "rod.yaml"
    file.write_text(PENDULUM)
    return file


def test_a_frequency_response_is_listed_drawn_and_written(rod, tmp_path):
    bode, table = tmp_path / "bode.png", tmp_path / "bode.csv"
    options = ["--input", "O.effort", "--output", "P.x", "--output", "O.angle", "--plot", str(bode)]
    done = CliRunner().invoke(app, ["frequency-response", str(rod), *options, "--save", str(table)])
    assert done.exit_code == 0, done.output
    assert "frequency response of rod" in done.output
    # 1 / (m g l / 2) at rest
    assert f"O.angle  O.effort  {1 / (3 * 9.81):.5g}" in done.output
    assert bode.stat().st_size > 1000
    assert table.read_text().splitlines()[0].startswith('"frequency [Hz]","omega [rad/s]","re P.x/O.effort [m/(N*m)]"')
    again = CliRunner().invoke(app, ["frequency-response", str(rod), *options, "--keep"])
    assert again.exit_code != 0 and "exists already" in str(again.exception)


def test_linear_equations_and_modes_are_listed(rod, tmp_path):
    page = tmp_path / "mode.html"
    done = CliRunner().invoke(app, ["modes", str(rod), "--html", str(page)])
    assert done.exit_code == 0 and "1 mode of rod" in done.output and page.exists()
    assert CliRunner().invoke(app, ["modes", str(rod), "--html", str(page), "--mode", "2"]).exit_code == 2
    done = CliRunner().invoke(app, ["linearise", str(rod), "--input", "O.effort", "--output", "P.x"])
    assert done.exit_code == 0 and "O.effort" in done.output


@pytest.mark.parametrize("options", [["--input", "O.effort"], ["--output", "P.x"], ["--input", "c", "--save", "a.txt"]])
def test_questions_that_are_none_are_refused(rod, options):
    assert CliRunner().invoke(app, ["frequency-response", str(rod), *options]).exit_code == 2


def test_names_that_do_not_exist(rod):
    done = CliRunner().invoke(app, ["frequency-response", str(rod), "--input", "O.efort", "--output", "P.x"])
    assert "no input 'O.efort'" in str(done.exception)


@pytest.mark.parametrize("about", [[], ["--equilibrium"]])
def test_a_root_locus_is_listed_drawn_and_written(rod, tmp_path, about):
    """A motor that pushes as a damper would, and the other way where c is negative."""
    rod.write_text(PENDULUM.replace(DAMPED, "{kind: effort, joint: O, value: -c*O.speed}"))
    plot, table = tmp_path / "locus.png", tmp_path / "locus.csv"
    options = ["--along", "c=-1:3:5", "--plot", str(plot), "--save", str(table)]
    done = CliRunner().invoke(app, ["root-locus", str(rod), *options, *about])
    assert done.exit_code == 0, done.output
    # ω² = 3 g / (2 l)
    assert f"a mode of {(1.5 * 9.81 / 2) ** 0.5:.6g} rad/s decays beyond 0" in done.output
    assert plot.stat().st_size > 1000 and len(table.read_text().splitlines()) == 6
    assert CliRunner().invoke(app, ["root-locus", str(rod), "--along", "c=1", *about]).exit_code == 2
    assert CliRunner().invoke(app, ["root-locus", str(rod), "--along", "c=0:1:3", "--html", "x.html"]).exit_code == 2
