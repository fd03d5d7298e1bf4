"""What is asked of an answer that has a motion: paths, pictures and tables in units, names of pins, and what is refused."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from linkages import revolute

import linkwork as lw


@cache
def found() -> lw.answers.InverseDynamics:
    """A crank of 0.1 m on whose pin hang a bar and a second one; it turns at 2 rad/s."""
    model = lw.Model(
        name="hanging",
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.1, 0], "B": [0.1, -0.3], "C": [0.2, -0.2], "D": [0.4, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "left": {"bar": ["A", "C"], "mass": 2},
            "right": {"bar": ["A", "B"], "mass": 0.5},
            "rocker": {"bar": ["D", "C"], "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": {"kind": "revolute", "bodies": ["crank", "left", "right"]},
            "C": revolute("left", "rocker"),
            "D": revolute("ground", "rocker"),
        },
        drivers={"motor": {"joint": "O", "position": "2*t"}, "hang": {"joint": "A_right", "position": "-pi/2 - 2*t"}},
    )
    return lw.inverse_dynamics(model, until="1 s", step="0.05 s")


def test_the_path_of_a_point_is_asked_of_an_answer_with_a_motion() -> None:
    path = lw.measures.point_path(found(), "crank.A")
    assert path.length[-1] == pytest.approx(2 * 0.1)
    assert found().plot_path("crank.A").axes
    with pytest.raises(lw.errors.ArgumentError, match="plot_path has no argument 'pat'"):
        found().plot_path("crank.A", pat="x.png")


@pytest.mark.parametrize("given", ["left", None, 3.0])
def test_measures_of_what_is_no_motion_are_refused_in_words(given: object) -> None:
    for ask in (lw.measures.point_path, lw.measures.instant_centre, lw.measures.path_curvature):
        with pytest.raises(lw.errors.RefusedError, match="is no motion: give a result"):
            ask(given, "crank")  # type: ignore[operator]


@pytest.mark.parametrize("units", [{"crank.A.x": "mm"}, {"A.x": "mm", "A.y": "mm"}, {"A.?": "mm"}])
def test_paths_are_drawn_in_a_unit_of_length(units: dict[str, str]) -> None:
    plain, (axis,) = found().plot_path("crank.A").axes[0], found().plot_path("crank.A", units=units).axes
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("x [mm]", "y [mm]")
    assert axis.get_xlim() == pytest.approx(plain.get_xlim())
    for place in axis.get_xticks():
        assert float(axis.xaxis.get_major_formatter()(place)) == pytest.approx(1000 * place, abs=1e-6)
    with pytest.raises(lw.errors.UnitError, match="'kg' is a mass"):
        found().plot_path("crank.A", units={"A.x": "kg"})
    with pytest.raises(lw.errors.RefusedError, match="by names or patterns"):
        found().plot_path("crank.A", units="mm")
    with pytest.raises(lw.errors.UnitError, match="is a speed"):
        found().plot_path("crank.A", units={"A.vx": "mm/s"})
    with pytest.raises(lw.errors.RefusedError, match="one unit"):
        found().plot_path("crank.A", units={"A.x": "mm", "A.y": "m"})


def test_tables_of_loads_are_told_in_units() -> None:
    plain, other = found().peak_loads(), found().peak_loads(units={"force": "kN", "force time": "ms"})
    assert "force, kN" in str(other) and "at t, ms" in str(other) and "force, N" in str(plain)
    column = {item.name: item for item in other.columns()}["force"].values
    assert other[0].force == plain[0].force == column[0]
    heads, first, *_ = other.table()
    assert first[heads.index("force [kN]")] == pytest.approx(plain[0].force / 1000)
    assert f"{plain[0].force / 1000:.4g}" in str(other)
    assert str(found().result.peak_loads(units={"force": "kN"})) == str(found().peak_loads({"force": "kN"}))
    with pytest.raises(lw.errors.UnitError, match="'mm' is a length"):
        found().peak_loads(units={"force": "mm"})


def test_loads_of_motors_are_told_in_units_of_each() -> None:
    plain, other = found().motor_loads(), found().motor_loads(units={"motor": "N*mm", "peak power": "mW"})
    motor, hang = other
    assert (motor.unit, hang.unit) == ("N*mm", "N*m")
    assert motor.peak == pytest.approx(1000 * plain[0].peak) and motor.rms == pytest.approx(1000 * plain[0].rms)
    assert "N*mm" in str(other) and "peak power, mW" in str(other)
    for ask in (found().motor_loads, found().peak_loads, found().result.peak_loads):
        with pytest.raises(lw.errors.ArgumentError, match=r"has no argument 'unit'"):
            ask(unit={"motor": "N*mm"})  # type: ignore[call-arg]


def test_the_name_of_a_motor_has_a_unit_in_its_plot() -> None:
    plain, other = found().plot("motor").axes[0], found().plot("motor", units={"motor": "N*mm"}).axes[0]
    assert "N*mm" in other.get_ylabel()
    np.testing.assert_allclose(other.lines[0].get_ydata(), 1000 * np.asarray(plain.lines[0].get_ydata()))
    over = found().plot("O.angle", over="motor").axes[0]
    np.testing.assert_allclose(over.lines[0].get_xdata(), found()["motor"])


@pytest.mark.parametrize("name", ["A.fx", "A.angle", "A.effort"])
def test_a_quantity_of_a_pin_of_several_bodies_names_its_joints(name: str) -> None:
    told = (
        "'A' is a pin of several bodies: its joints are A_left, A_right; name one of them, such as A_left." + name[2:]
    )
    for ask in (found().__getitem__, found().result.__getitem__, found().plot, found().result.plot):
        with pytest.raises(lw.errors.UnknownNameError, match=told):
            ask(name)
    # the point itself has a place
    assert found()["A.x"][0] == pytest.approx(0.1)
    with pytest.raises(lw.errors.UnknownNameError, match="did you mean"):
        found()["O.fxx"]
