"""Figures: one axis per unit, every name in a legend, nothing global touched."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from exact_results import conical_pendulum_result, four_bar_result
from linkwork.errors import ResultError, UnknownNameError
from linkwork.results import ArraySource, Outcome, Quantity, Status
from linkwork.views import plot


def test_one_axis_per_unit_with_names_and_units() -> None:
    result = four_bar_result()
    figure = result.plot("B.[xy]", "crank.angle", "A.x")
    metres, angle = figure.axes
    assert [line.get_label() for line in metres.lines if not line.get_label().startswith("_")] == ["B.x", "B.y", "A.x"]
    assert metres.get_ylabel() == "[m]" and angle.get_ylabel() == "crank.angle [rad]"
    assert angle.get_xlabel() == "time [s]"
    np.testing.assert_array_equal(metres.lines[0].get_ydata(), result["B.x"])


def test_events_are_marked_on_every_axis() -> None:
    figure = plot(four_bar_result(), "B.x", "crank.angle")
    for axis in figure.axes:
        assert any(np.allclose(line.get_xdata(), 0.25) for line in axis.lines)
    assert [text.get_text() for text in figure.axes[0].texts] == ["rocker turns"]


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
