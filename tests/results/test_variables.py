"""Results say what they are over: time, a coordinate, or samples; and are shown over and in what is asked for."""

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
    assert (sweep.variable.name, sweep.variable.unit) == ("O.angle", "rad")
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


@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural", "mixed"])
@pytest.mark.parametrize("method", ["closed_form", "modified"])
def test_rows_that_fall_give_the_derivatives_of_those_that_grow(coordinates: str, method: str) -> None:
    """Derivatives by the angle know nothing of the way in which it is gone through; forces are those at 1 rad/s."""
    if method == "closed_form" and coordinates != "relative":
        pytest.skip("closed forms belong to relative coordinates")
    rows = np.linspace(-0.7, 2.0, 28)
    options = {"coordinates": coordinates, "method": method}
    up, down = (lw.solve_kinematics(FILE, {"O.angle": values}, **options) for values in (rows, rows[::-1]))
    assert down.audit.passed
    np.testing.assert_allclose(down.time, rows[::-1], atol=1e-15)
    np.testing.assert_allclose(down["O.angle"], rows[::-1], atol=1e-11)
    np.testing.assert_allclose(down["O.speed"], 1.0, atol=1e-10)
    for name in ("B.vx", "B.ax", "B.jx", "A.fx", "A.speed", "O.torque", "energy.kinetic", "B.fx"):
        if name in up:
            np.testing.assert_allclose(down[name][::-1], up[name], rtol=1e-7, atol=1e-9, err_msg=name)
    slope = np.gradient(down["B.x"], down["O.angle"], edge_order=2)
    assert down["B.vx"][1:-1] == pytest.approx(slope[1:-1], abs=3e-3)


def test_what_looks_at_a_sweep_is_told_by_its_angle(tmp_path: Path) -> None:
    """Minima, paths, peaks, clearances and films of rows that fall are those of rows that grow."""
    model = lw.example("four_bar")
    rows = np.radians(np.arange(60, 421, 5))
    up, down = (lw.solve_kinematics(model, {"O.angle": values}) for values in (rows, rows[::-1]))
    for found in (up, down):
        told = str(lw.measures.transmission_angle(found, "B"))
        assert "29.9947 (at 6.283 rad) to 64.0555 (at 3.142 rad)" in told
        place = np.degrees(found.time[np.argmax(np.hypot(found["C.fx"], found["C.fy"]))])
        assert f"N in C at O.angle = {np.radians(place):.4g} rad" in str(found)
        title = found.plot_path("coupler.B", time=np.radians(90)).axes[0].get_title(loc="left")
        assert "1.571 rad" in title
    paths = [lw.measures.point_path(found, "coupler.B") for found in (up, down)]
    assert paths[1].length[-1] == pytest.approx(paths[0].length[-1], rel=1e-12)
    assert lw.interference(down).facts() == lw.interference(up).facts()
    assert lw.envelope(down, "coupler").area == pytest.approx(lw.envelope(up, "coupler").area, rel=1e-6)
    loads = [lw.inverse_dynamics(model, found) for found in (up, down)]
    np.testing.assert_allclose(loads[1]["O.effort"], loads[0]["O.effort"], rtol=1e-8)
    pages = [found.animate(tmp_path / f"{i}.html").read_text() for i, found in enumerate((up, down))]
    assert len(pages[0]) == pytest.approx(len(pages[1]), rel=1e-2)


def test_a_model_that_moves_by_itself_is_swept_over_the_way() -> None:
    """Where other drivers go with the time, the time is that in which the angle goes its way at 1 rad/s."""
    model = lw.Model(
        space="planar",
        points={"O": (0, 0), "A": (1, 0), "B": (2, 0)},
        bodies={"upper": {"bar": ("O", "A"), "mass": 1}, "lower": {"bar": ("A", "B"), "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ("ground", "upper")},
            "A": {"kind": "revolute", "bodies": ("upper", "lower")},
        },
        drivers={"D": {"joint": "A", "position": "0.3 + 2*t"}},
    )
    found = lw.solve_kinematics(model, {"O.angle": [0.5, 0.4, 0.1]})
    assert found.variable.label == "way of O.angle [rad]"
    np.testing.assert_allclose(found["A.angle"], [0.3, 0.5, 1.1])


def test_a_guide_is_swept_by_its_length() -> None:
    name = next(j for j, joint in lw.load(FILE).joints.items() if joint.kind == "prismatic")
    first = lw.simulate(FILE, times=[0.0])[f"{name}.position"][0]
    found = lw.solve_kinematics(FILE, {f"{name}.position": first - np.linspace(0.0, 0.01, 5)})
    assert found.variable.label == f"{name}.position [m]"
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
        assert next(csv.reader(file)) == ["O.angle [rad]", "B.x [m]", "B.vx [m/rad]"]
    assert sweep.to_dataframe(["B.vx"]).index.name == "O.angle"
    dataset = sweep.to_xarray(["B.vx"])
    assert dataset["O.angle"].attrs["units"] == "rad"
    assert dataset["B.vx"].attrs["units"] == "m/rad"
    stored = lw.load_result(sweep.save(tmp_path / "sweep.nc"))
    assert stored.variable == sweep.variable and stored.quantity("B.ax").unit == "m/rad^2"
    assert stored.identical(sweep)
    page = sweep.animate(tmp_path / "sweep.html").read_text()
    assert json.dumps({"name": "O.angle", "unit": "rad"}, separators=(",", ":")) in page.replace('": ', '":').replace(
        ', "', ',"'
    )
    assert "time" not in dict(sweep.facts())
    assert dict(sweep.facts())["O.angle"].startswith("0.2 to 3 rad")


def test_plots_name_what_they_are_over(sweep: lw.Result) -> None:
    axis = sweep.plot("B.vx").axes[-1]
    assert axis.get_xlabel() == "O.angle [rad]"
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
