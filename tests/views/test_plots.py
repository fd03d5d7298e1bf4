"""Figures: one axis per unit, every name in a legend, nothing global touched."""

import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from exact_results import conical_pendulum_result, four_bar_result
from linkwork.answer import Column
from linkwork.errors import RefusedError, ResultError, UnknownNameError
from linkwork.results import ArraySource, Outcome, Quantity, Status
from linkwork.results.quantities import Variable
from linkwork.views import plot
from linkwork.views.plots import shared_label


def test_one_axis_per_unit_with_names_and_units() -> None:
    result = four_bar_result()
    figure = result.plot("B.[xy]", "crank.angle", "A.x")
    metres, angle = figure.axes
    assert [line.get_label() for line in metres.lines if not line.get_label().startswith("_")] == ["B.x", "B.y", "A.x"]
    assert metres.get_ylabel() == "B.x, B.y, A.x [m]" and angle.get_ylabel() == "crank.angle [rad]"
    assert angle.get_xlabel() == "time [s]"
    np.testing.assert_array_equal(metres.lines[0].get_ydata(), result["B.x"])


def test_events_are_marked_on_every_axis() -> None:
    figure = plot(four_bar_result(), "B.x", "crank.angle")
    for axis in figure.axes:
        (lines,) = axis.collections
        assert np.allclose([segment[:, 0] for segment in lines.get_segments()], 0.25)
    figure.canvas.draw()
    (names,) = figure.axes[0].artists
    assert names.drawn == ["rocker turns"]


def test_stopped_run_says_so_in_the_title() -> None:
    stopped = four_bar_result(outcome=Outcome(Status.STOPPED_EARLY, "dead centre", 1.5))
    assert "stopped at t = 1.5 s: dead centre" in plot(stopped, "B.x").axes[0].get_title(loc="left")


def test_defaults_are_angles_and_energies_else_no_poses() -> None:
    assert len(plot(four_bar_result()).axes) == 2
    labels = [line.get_label() for axis in plot(conical_pendulum_result()).axes for line in axis.lines]
    assert labels == ["bob.x", "bob.y", "bob.z", "S.fx", "S.fy", "S.fz"]


def test_figure_is_written_whole_and_never_over_another(tmp_path: Path) -> None:
    path = tmp_path / "plot.png"
    four_bar_result().plot("B.x", path=path)
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ResultError, match="exists already"):
        four_bar_result().plot("B.x", path=path, overwrite=False)
    with pytest.raises(ResultError, match=r"endings that work: .*png"):
        four_bar_result().plot("B.x", path=tmp_path / "plot.doc")
    with pytest.raises(UnknownNameError):
        four_bar_result().plot("B.q", path=tmp_path / "other.png")
    assert [entry.name for entry in tmp_path.iterdir()] == ["plot.png"]


def test_names_are_never_read_as_formulas(tmp_path: Path) -> None:
    names = ["$\\frac{", "_hidden", "a$b"]
    result = four_bar_result()
    source = ArraySource({n: Quantity(n, "m") for n in names}, {n: result.time for n in names})
    figure = replace(result, name="$x_", source=source).plot(path=tmp_path / "plot.svg")
    assert len(figure.axes[0].get_legend().get_texts()) == 3


def test_plotting_needs_no_window_system() -> None:
    before = "matplotlib.pyplot" in sys.modules
    plot(four_bar_result(), "B.x")
    assert ("matplotlib.pyplot" in sys.modules) is before


def test_showing_without_a_display_is_refused() -> None:
    import matplotlib

    with matplotlib.rc_context(), pytest.raises(ResultError, match=r"no display.*path="):
        matplotlib.use("agg")
        plot(four_bar_result(), "B.x", show=True)


def test_notebooks_show_figures_by_themselves() -> None:
    picture, size = four_bar_result().plot("B.x")._repr_png_()
    assert picture.startswith(b"\x89PNG") and size == {"width": 768, "height": 369}


def test_axes_are_named_by_what_their_quantities_have_in_common() -> None:
    def headed(*names: str, unit: str = "m") -> str:
        return shared_label([Column(name, np.zeros(2), unit) for name in names])

    assert headed("B.x") == "B.x [m]" and headed("B.x", "B.y") == "B.x, B.y [m]"
    assert headed("crank.angle", "coupler.angle", "rocker.angle", unit="rad") == "angle [rad]"
    assert headed("energy.kinetic", "energy.potential", "energy.total", unit="J") == "energy [J]"
    assert headed("coupler.P.x", "coupler.Q.y", "rocker.R.x") == "length [m]"
    assert headed("a_long_name.x", "another_name.y", "third_name.z", unit="1") == ""
    assert headed("momentum.x", "a.momentum.x", "b.momentum.x", unit="N*s") == "momentum.x [N*s]"
    assert headed("momentum.x", "momentum.y", "momentum.z", unit="N*s") == "momentum [N*s]"
    assert headed("a.momentum.x", "b.momentum.y", "c.momentum.z", unit="N*s") == "momentum [N*s]"
    assert headed("racket.wx", "racket.wy", "racket.wz", unit="deg/s") == "racket.w [deg/s]"


def test_several_runs_share_a_figure() -> None:
    long, short = four_bar_result(), four_bar_result(samples=51, until=1.0)
    (axis,) = long.plot("B.x", beside={"short": short}, label="long").axes
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["long", "short"]
    assert axis.get_ylabel() == "B.x [m]"
    curves = {line.get_label(): line for line in axis.lines}
    np.testing.assert_array_equal(curves["long"].get_data(), [long.time, long["B.x"]])
    np.testing.assert_array_equal(curves["short"].get_data(), [short.time, short["B.x"]])
    assert curves["long"].get_color() != curves["short"].get_color()


def test_a_run_beside_that_stopped_says_so() -> None:
    stopped = four_bar_result(outcome=Outcome(Status.STOPPED_EARLY, "dead centre", 1.5))
    title = four_bar_result().plot("B.x", beside={"other": stopped}).axes[0].get_title(loc="left")
    assert title == "four_bar\nother: stopped at t = 1.5 s: dead centre"


def test_several_runs_of_several_quantities_over_a_third_in_other_units() -> None:
    long, short = four_bar_result(), four_bar_result(samples=51, until=1.0)
    options = {"over": "crank.angle", "units": {"crank.angle": "deg", "B.*": "mm"}, "beside": {"short": short}}
    (axis,) = long.plot("B.x", "B.y", **options).axes
    curves = {line.get_label(): line for line in axis.lines}
    assert [*curves][:4] == ["B.x, four_bar", "B.y, four_bar", "B.x, short", "B.y, short"]
    assert axis.get_xlabel() == "crank.angle [deg]" and axis.get_ylabel() == "B.x, B.y [mm]"
    expected = [np.degrees(short["crank.angle"]), 1000 * short["B.y"]]
    np.testing.assert_allclose(curves["B.y, short"].get_data(), expected)
    assert curves["B.x, short"].get_color() == curves["B.x, four_bar"].get_color()
    assert curves["B.x, short"].get_linestyle() != curves["B.x, four_bar"].get_linestyle()


def test_runs_that_have_no_axis_in_common_are_refused() -> None:
    run = four_bar_result()
    with pytest.raises(RefusedError, match=r"as in beside=\{'stiff': other\}"):
        run.plot("B.x", beside=[run])  # type: ignore[arg-type]
    with pytest.raises(ResultError, match="called 'four_bar' too"):
        run.plot("B.x", beside={"four_bar": run})
    with pytest.raises(UnknownNameError, match=r"no quantity 'crank.angle'"):
        run.plot("crank.angle", beside={"other": conical_pendulum_result()})
    with pytest.raises(ResultError, match=r"'swept' is over turn \[rad\], 'four_bar' over time \[s\]"):
        run.plot("B.x", beside={"swept": replace(run, variable=Variable("turn", "rad"))})
    catalogue = {**run.source.catalogue, "B.x": Quantity("B.x", "rad")}
    odd = replace(run, source=ArraySource(catalogue, {name: run[name] for name in run.names()}))
    with pytest.raises(ResultError, match=r"B.x is in m in 'four_bar', and in rad in 'odd'"):
        run.plot("B.x", beside={"odd": odd})


def test_a_figure_for_print_has_its_size_and_letters_that_are_text(tmp_path: Path) -> None:
    figure = four_bar_result().plot("B.x", size=(90, 60), path=tmp_path / "print.svg")
    np.testing.assert_allclose(25.4 * figure.get_size_inches(), [90, 60])
    text = (tmp_path / "print.svg").read_text(encoding="utf-8")
    assert ">B.x [m]</text>" in text and 'width="255.1' in text
    four_bar_result().plot("B.x", size=(90, 60), path=tmp_path / "print.pdf")
    assert b"/FontFile2" in (tmp_path / "print.pdf").read_bytes()
    assert figure.axes[0].xaxis.label.get_size() == 8.0
    with pytest.raises(RefusedError, match="in millimetres"):
        four_bar_result().plot("B.x", size=(3.5, 2.4))
    with pytest.raises(RefusedError, match="axes that are given"):
        four_bar_result().plot("B.x", size=(90, 60), axes=figure.axes[0])


def test_a_model_shows_its_drawing_and_its_analysis_in_notebooks() -> None:
    model = lw.example("four_bar")
    html = model._repr_html_()
    assert "src='data:image/png;base64," in html and "<details>" in html and "Spanning tree" in html
    far = lw.Model(
        **{
            **model.to_dict(),
            "bodies": {**model.to_dict()["bodies"], "coupler": {"bar": ["A", "B"], "length": 40, "mass": 1}},
        }
    )
    assert "does not pass its check" in far._repr_html_()


def test_a_polar_axis_has_an_angle_round_it() -> None:
    from matplotlib.figure import Figure

    result = four_bar_result()
    for units in (None, {"crank.angle": "deg"}):
        axes = Figure().add_subplot(projection="polar")
        result.plot("B.x", over="crank.angle", axes=axes, units=units)
        np.testing.assert_allclose(axes.lines[0].get_xdata(), result["crank.angle"])
        np.testing.assert_array_equal(axes.lines[0].get_ydata(), result["B.x"])
        axes.figure.savefig(BytesIO())
    with pytest.raises(RefusedError, match=r"polar axis goes an angle, not time \[s\]"):
        result.plot("B.x", axes=Figure().add_subplot(projection="polar"))


def test_the_locus_of_a_vector_has_one_scale() -> None:
    result = four_bar_result()
    (locus,) = result.plot("B.y", over="B.x").axes
    assert locus.get_aspect() == 1.0 and locus.get_xlabel() == "B.x [m]" and locus.get_ylabel() == "B.y [m]"
    # nothing else has: other points, other units
    for figure in (result.plot("B.y", over="A.x"), result.plot("B.y", over="B.x", units={"B.x": "mm"})):
        assert figure.axes[0].get_aspect() == "auto"


def flat(values: np.ndarray, *beside: tuple[str, np.ndarray], unit: str = "N*s") -> tuple[float, list[str]]:
    """How much of its axis a curve fills that is called momentum.x, and what stands at the ticks."""
    result, arrays = four_bar_result(samples=len(values)), {"momentum.x": values, **dict(beside)}
    source = ArraySource({name: Quantity(name, unit) for name in arrays}, arrays)
    figure = replace(result, source=source, events=()).plot("momentum.x")
    figure.canvas.draw()
    (axis,) = figure.axes
    low, high = axis.get_ylim()
    assert low < np.min(values) and np.max(values) < high
    ticks = [text.get_text() for text in axis.get_yticklabels() if low <= text.get_position()[1] <= high]
    return float(np.ptp(values)) / (high - low), ticks


def test_what_is_conserved_is_a_level_line() -> None:
    noise = np.random.default_rng(1).uniform(-1, 1, 101)
    filled, ticks = flat(2.0 + 4e-16 * noise)
    assert filled < 1e-6 and 2.0 in map(float, ticks) and len(set(ticks)) == len(ticks) > 2
    # at zero, beside the momentum of a body
    filled, ticks = flat(1e-15 * noise, ("a.momentum.x", 3.0 * noise))
    assert (
        filled < 1e-6
        and 0.0 in [float(text.replace("\N{MINUS SIGN}", "-")) for text in ticks]
        and len(set(ticks)) == len(ticks) > 2
    )
    # an error of the run that can be seen, and no more
    assert 0.05 < flat(2.0 + 1e-7 * noise)[0] < 0.2


def test_small_changes_that_are_real_fill_the_axis() -> None:
    noise = np.random.default_rng(1).uniform(-1, 1, 101)
    assert flat(1e-9 * noise)[0] > 0.8
    assert flat(2.0 + 1e-5 * noise)[0] > 0.8
    assert flat(1e-5 * noise, ("a.momentum.x", 3.0 * noise))[0] > 0.8


def test_small_changes_are_told_from_rounding_in_any_unit() -> None:
    result = four_bar_result()
    source = ArraySource({"B.x": Quantity("B.x", "m")}, {"B.x": 2.0 + 1e-9 * np.sin(result.time)})
    (axis,) = replace(result, source=source, events=()).plot("B.x", units={"B.x": "mm"}).axes
    low, high = axis.get_ylim()
    assert 1800 < low < 1999 and 2001 < high < 2200


def test_one_curve_needs_no_legend() -> None:
    result = four_bar_result()
    assert result.plot("B.x").axes[0].get_legend() is None
    assert result.plot("B.x", "B.y").axes[0].get_legend() is not None
    (text,) = result.plot("B.x", label="first").axes[0].get_legend().get_texts()
    assert text.get_text() == "first"


def test_what_has_no_values_says_so() -> None:
    result = four_bar_result()
    nothing = np.full(len(result), np.nan)
    source = ArraySource({n: Quantity(n, "m") for n in ("bad", "good")}, {"bad": nothing, "good": result.time})
    run = replace(result, source=source, events=())
    (axis,) = run.plot("bad").axes
    assert [text.get_text() for text in axis.texts] == ["no values"]
    (axis,) = run.plot("bad", "good").axes
    assert not axis.texts
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["bad (no values)", "good"]


def test_a_run_that_stops_where_it_begins_has_an_empty_plot() -> None:
    """Events are marked along samples, of which there are none."""
    model = lw.Model(
        space="planar",
        points={"P": [0, 0]},
        bodies={"b": {"points": ["P"], "com": "P", "mass": 1}},
        joints={"J": {"kind": "prismatic", "bodies": ["ground", "b"], "at": "P", "axis": [0, 1]}},
        forces={"f": {"kind": "effort", "joint": "J", "value": "mod(t, 0)"}},
    )
    result = lw.simulate(model, until=1)
    assert len(result) == 0
    figure = result.plot("J.position")
    assert "stopped at t = 0 s" in figure.axes[0].get_title(loc="left")
