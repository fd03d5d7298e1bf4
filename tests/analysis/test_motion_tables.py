"""Motions in files: units of the headings are read, names that are nearly coordinates are refused, what is left is told."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import LinkworkError

MASS, LENGTH, G = 2.0, 1.0, 9.81
TIMES = np.linspace(0.0, 0.7, 15)


@cache
def rod() -> lw.Model:
    return lw.loads("""
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], P: [1, 0]}
bodies: {rod: {bar: [O, P], mass: 2 kg}}
joints: {O: {kind: revolute, bodies: [ground, rod]}}
""")


def effort(angle: float, acceleration: float) -> float:
    """About the pin: m l²/3 φ̈ = τ − m g l/2 cos φ."""
    return MASS * LENGTH**2 / 3 * acceleration + MASS * G * LENGTH / 2 * np.cos(angle)


def written(folder: Path, heading: str, *columns: np.ndarray) -> Path:
    path = folder / "motion.csv"
    np.savetxt(path, np.column_stack(columns), delimiter=",", header=heading, comments="", fmt="%.17g")
    return path


@pytest.mark.parametrize("heading", ["time,O [deg]", "time [s],O.angle (deg)", '# t,"O.angle [deg] (filmed)"'])
@pytest.mark.parametrize("verb", ["inverse_dynamics", "solve_kinematics"])
def test_a_motion_in_degrees_is_one_in_degrees(tmp_path, heading, verb):
    path = written(tmp_path, heading, TIMES, np.full(TIMES.size, 60.0))
    found = getattr(lw, verb)(rod(), path)
    np.testing.assert_allclose(found["O.angle"], np.pi / 3, rtol=1e-15)
    if verb == "inverse_dynamics":
        np.testing.assert_allclose(found["O.angle.effort"], effort(np.pi / 3, 0.0), rtol=1e-9)


@pytest.mark.parametrize(
    ("unit", "told"), [("O.angle [grad]", "write deg or gon"), ("O.speed [1/min]", "write rpm or rad/min")]
)
@pytest.mark.parametrize("verb", ["inverse_dynamics", "solve_kinematics"])
def test_units_that_people_mean_differently_are_refused(tmp_path, unit, told, verb):
    path = written(tmp_path, f"time,{unit}", TIMES, np.full(TIMES.size, 60.0))
    with pytest.raises(LinkworkError, match=rf"column '{re.escape(unit)}': .*{told}"):
        getattr(lw, verb)(rod(), path)


def test_times_and_rates_have_units_too(tmp_path):
    """φ = t² in milliseconds, degrees, rpm and degrees per second squared: no spline is needed, and the effort is exact."""
    columns = [1e3 * TIMES, np.degrees(TIMES**2), 2 * TIMES * 30 / np.pi, np.full(TIMES.size, np.degrees(2.0))]
    path = written(tmp_path, "time [ms],O.angle [deg],O.speed [rpm],O.acceleration [deg/s^2]", *columns)
    found = lw.inverse_dynamics(rod(), path)
    assert found.notes == ()
    np.testing.assert_allclose(found.time, TIMES, rtol=1e-15)
    np.testing.assert_allclose(found["O.angle.effort"], effort(TIMES**2, 2.0), rtol=1e-12)


@pytest.mark.parametrize("names", [None, ["O.angle", "O.speed", "O.acceleration"]])
def test_what_a_result_writes_in_other_units_is_read_back(tmp_path, names):
    run = lw.simulate(rod(), until=0.7, step=0.05, rtol=1e-12)
    path = run.save(tmp_path / "run.csv", names, units={"time": "ms", "O.angle": "deg", "O.speed": "rpm"})
    found = lw.inverse_dynamics(rod(), path)
    assert found.notes == ()
    np.testing.assert_allclose(found["O.angle"], run["O.angle"], atol=1e-14)
    # nothing but gravity moves it
    np.testing.assert_allclose(found["O.angle.effort"], 0.0, atol=1e-12)
    again = found.save(tmp_path / "inverse.csv", units={"O.angle": "deg"})
    moved = lw.solve_kinematics(rod(), again)
    assert moved.notes == ()
    np.testing.assert_allclose(moved["O.angle"], run["O.angle"], atol=1e-14)


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("time,O.angle [furlong]", r"column 'O.angle \[furlong\]': 'furlong' is a length; an angle such as '30 deg'"),
        ("time [deg],O.angle", r"column 'time \[deg\]': 'deg' is an angle; a time such as"),
        ("time,O.angle [grad ians]", r"column 'O.angle \[grad ians\]'"),
        ("time,O.angle,O.speed [Hz]", r"column 'O.speed \[Hz\]': .*Hz counts cycles; write rev/s"),
        ("time,O.angle,O.accelertion", r"column 'O.accelertion': did you mean 'O.acceleration'\?"),
        ("time,O.angle [deg],o.speed", r"column 'o.speed': did you mean 'O.speed'\?"),
        ("time,O.angle,O.angle [deg]", r"columns 'O.angle' and 'O.angle \[deg\]' are the same"),
        ("time,O.angle,O [rad]", "the same as 'O.angle' and as 'O'; give it once"),
    ],
)
@pytest.mark.parametrize("verb", ["inverse_dynamics", "solve_kinematics"])
def test_what_cannot_be_meant_is_refused_by_its_column(tmp_path, heading, text, verb):
    columns = [TIMES, np.full(TIMES.size, 1.0), np.full(TIMES.size, 5.0)][: 1 + heading.count(",")]
    with pytest.raises(lw.LinkworkError, match=text):
        getattr(lw, verb)(rod(), written(tmp_path, heading, *columns))


@pytest.mark.parametrize("verb", ["inverse_dynamics", "solve_kinematics"])
def test_columns_that_are_nothing_of_the_run_are_told(tmp_path, verb):
    columns = [TIMES, *np.full((4, TIMES.size), 1.0)]
    path = written(tmp_path, "time,O.angle [rad],knee,O.fx [N],O.moment", *columns)
    told = [note for note in getattr(lw, verb)(rod(), path).notes if "not read" in note]
    assert told == [f"knee, O.moment of '{path}' are no quantities of this run, and are not read"]


def test_only_rates_that_nobody_gives_are_those_of_splines():
    angle, speed, acceleration = 1 + TIMES**2, 2 * TIMES, np.full(TIMES.size, 2.0)

    def notes(**rates: np.ndarray) -> tuple[str, ...]:
        given = {"O.angle": angle, **{f"O.{name}": values for name, values in rates.items()}}
        return lw.inverse_dynamics(rod(), given, times=TIMES).notes

    assert notes() == ("rates of O.angle are those of splines",)
    assert notes(acceleration=acceleration) == ("O.speed is that of a spline",)
    assert notes(speed=speed) == ("O.acceleration is that of a spline",)
    assert notes(speed=speed, acceleration=acceleration) == ()
