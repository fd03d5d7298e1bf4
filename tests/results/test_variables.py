"""Results say what they are over: time, the way of a coordinate, or samples; and are shown over and in what is asked for."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

FILE = Path(__file__).parents[2] / "src/linkwork/mechanisms/slider_crank.yaml"


@pytest.fixture(scope="module")
def sweep() -> lw.Result:
    """A crank moved through half a turn by its angle: nothing says when."""
    return lw.solve_kinematics(FILE, {"O.angle": np.linspace(0.2, 3.0, 57)})


def test_rates_of_a_sweep_are_derivatives_over_its_angle(sweep: lw.Result) -> None:
    assert (sweep.variable.name, sweep.variable.unit) == ("way of O.angle", "rad")
    units = {name: sweep.quantity(name).unit for name in ("B.x", "B.vx", "B.ax", "B.jx", "O.speed", "O.angle", "B.fx")}
    assert units == {
        "B.x": "m",
        "B.vx": "m/rad",
        "B.ax": "m/rad^2",
        "B.jx": "m/rad^3",
        "O.speed": "rad/rad",
        "O.angle": "rad",
        "B.fx": "N",
    }
    # central differences over the angle
    slope = np.gradient(sweep["B.x"], sweep["O.angle"], edge_order=2)
    assert sweep["B.vx"][1:-1] == pytest.approx(slope[1:-1], abs=1e-3)
    assert any("at 1 rad/s" in note for note in sweep.notes)


def test_a_guide_is_swept_by_its_length() -> None:
    name = next(j for j, joint in lw.load(FILE).joints.items() if joint.kind == "prismatic")
    first = lw.simulate(FILE, times=[0.0])[f"{name}.position"][0]
    found = lw.solve_kinematics(FILE, {f"{name}.position": first - np.linspace(0.0, 0.01, 5)})
    assert found.variable.label == f"way of {name}.position [m]"
    assert found.quantity("O.speed").unit == "rad/m"
    assert found.quantity("O.acceleration").unit == "rad/m^2"


def test_rows_without_times_are_over_their_number() -> None:
    model = lw.Model(
        space="planar",
        points={"O": (0, 0), "A": (1, 0), "B": (2, 0)},
        bodies={"upper": {"bar": ("O", "A"), "mass": 1}, "lower": {"bar": ("A", "B"), "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ("ground", "upper")},
            "A": {"kind": "revolute", "bodies": ("upper", "lower")},
        },
    )
    rows = {"O.angle": [0, 0.1, 0.3], "A.angle": [0.5, 0.4, 0.2]}
    found = lw.solve_kinematics(model, rows)
    assert found.variable.label == "sample"
    assert found.quantity("B.vx").unit == "m/sample"
    assert lw.solve_kinematics(model, rows, times=[0, 1, 2]).variable.label == "time [s]"


def test_tables_pages_and_files_say_it(sweep: lw.Result, tmp_path: Path) -> None:
    with sweep.save(tmp_path / "sweep.csv", ["B.x", "B.vx"]).open() as file:
        assert next(csv.reader(file)) == ["way of O.angle [rad]", "B.x [m]", "B.vx [m/rad]"]
    assert sweep.to_dataframe(["B.vx"]).index.name == "way of O.angle"
    dataset = sweep.to_xarray(["B.vx"])
    assert dataset["way of O.angle"].attrs["units"] == "rad"
    assert dataset["B.vx"].attrs["units"] == "m/rad"
    stored = lw.load_result(sweep.save(tmp_path / "sweep.nc"))
    assert stored.variable == sweep.variable and stored.quantity("B.ax").unit == "m/rad^2"
    assert stored.identical(sweep)
    page = sweep.animate(tmp_path / "sweep.html").read_text()
    assert json.dumps({"name": "way of O.angle", "unit": "rad"}, separators=(",", ":")) in page.replace(
        '": ', '":'
    ).replace(', "', ',"')
    assert "time" not in dict(sweep.facts())
    assert dict(sweep.facts())["way of O.angle"].startswith("0 to 2.8 rad")


def test_plots_name_what_they_are_over(sweep: lw.Result) -> None:
    axis = sweep.plot("B.vx").axes[-1]
    assert axis.get_xlabel() == "way of O.angle [rad]"
    assert axis.get_ylabel() == "B.vx [m/rad]"
    run = lw.simulate(FILE, 0.1)
    assert run.plot("B.x").axes[-1].get_xlabel() == "time [s]"


def test_plots_over_a_quantity_and_in_other_units() -> None:
    run = lw.simulate(FILE, 0.5, events={"high": "O.angle - 1"})
    figure = run.plot("B.x", "O.speed", over="O.angle", units={"O.angle": "deg", "B.*": "mm", "O.speed": "rpm"})
    place, speed = figure.axes
    assert speed.get_xlabel() == "O.angle [deg]"
    assert (place.get_ylabel(), speed.get_ylabel()) == ("B.x [mm]", "O.speed [rpm]")
    x, y = place.lines[0].get_data()
    assert x == pytest.approx(np.degrees(run["O.angle"]))
    assert y == pytest.approx(1000 * run["B.x"])
    assert speed.lines[0].get_ydata() == pytest.approx(run["O.speed"] * 60 / (2 * np.pi))
    for event, line in zip(run.events, place.lines[1:], strict=True):
        assert line.get_xdata()[0] == pytest.approx(np.degrees(np.interp(event.time, run.time, run["O.angle"])))
    assert run.plot("B.x", units={"time": "ms"}).axes[0].lines[0].get_xdata()[-1] == pytest.approx(500)


def test_tables_in_other_units(tmp_path: Path) -> None:
    run = lw.simulate(FILE, 0.1, step=0.05)
    with run.save(tmp_path / "run.csv", ["O.angle", "B.x"], units={"O.angle": "deg", "time": "ms"}).open() as file:
        heading, *rows = csv.reader(file)
    assert heading == ["time [ms]", "O.angle [deg]", "B.x [m]"]
    assert [float(row[1]) for row in rows] == pytest.approx(np.degrees(run["O.angle"]))
    assert [float(row[0]) for row in rows] == pytest.approx([0, 50, 100])
    frame = run.to_dataframe(["O.angle"], units={"*.angle": "deg"})
    assert frame.attrs["units"] == {"O.angle": "deg"}
    assert frame["O.angle"].to_numpy() == pytest.approx(np.degrees(run["O.angle"]))


def test_units_that_do_not_fit_are_refused(sweep: lw.Result) -> None:
    for names, units, told in (
        (["B.x"], {"B.x": "deg"}, r"B\.x is a length, in m; 'deg' is an angle"),
        (["B.x"], {"B.x": "mmm"}, "mmm"),
    ):
        with pytest.raises(lw.errors.UnitError, match=told):
            sweep.plot(*names, units=units)
    with pytest.raises(lw.errors.UnknownNameError, match="nothing"):
        sweep.plot("B.x", units={"nothing": "m"})
    with pytest.raises(lw.errors.UnknownNameError, match="nothing"):
        sweep.plot("B.x", over="nothing")


def test_a_sweep_is_no_run_to_go_on_from(sweep: lw.Result) -> None:
    with pytest.raises(lw.errors.RefusedError, match="samples, which end with it"):
        lw.simulate(sweep, 4.0)
