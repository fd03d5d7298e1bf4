"""Regions of stability as figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import linkwork as lw


def boundary(axes: Axes) -> np.ndarray:
    """The points of the lines of a contour at |R| = 1, as z."""
    (lines,) = [c for c in axes.collections if not c.get_facecolor().size]
    return np.concatenate([path.vertices @ [1, 1j] for path in lines.get_paths()])


def test_the_region_of_euler_is_the_disc_around_minus_one() -> None:
    figure = lw.integrators.stability_region("euler").plot()
    z = boundary(figure.axes[0])
    np.testing.assert_allclose(np.abs(z + 1), 1.0, atol=2e-3)
    assert z.real.min() == pytest.approx(-2.0, abs=1e-3)


def test_every_method_is_named_and_inside_the_window() -> None:
    figure = lw.integrators.stability_region("rk4", "dop853", "trapezoidal").plot()
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["rk4", "dop853", "trapezoidal"]
    assert axes.get_xlim()[0] < -lw.integrators.stability_limits("dop853").real
    assert axes.get_ylim()[1] > lw.integrators.stability_limits("dop853").imaginary


def test_multistep_methods_are_stable_where_their_roots_say() -> None:
    """The edge of ab2 is 2 (ζ² − ζ) / (3 ζ − 1) on the unit circle; bdf2 is shown with all of its edge."""
    zeta = np.exp(1j * np.linspace(0, 2 * np.pi, 2000))
    locus = 2 * (zeta**2 - zeta) / (3 * zeta - 1)
    z = boundary(lw.integrators.stability_region("ab2").plot().axes[0])
    distances = np.abs(z[:, None] - locus).min(axis=1)
    assert np.max(distances) < 5e-3
    assert z.real.min() == pytest.approx(-1.0, abs=1e-2)
    zeta = 1 / zeta
    edge = 1.5 - 2 * zeta + 0.5 * zeta**2
    window = lw.integrators.stability_limits("bdf2").plot().axes[0]
    assert window.get_xlim()[1] > edge.real.max()
    assert window.get_ylim()[1] > edge.imag.max()


def test_given_axes_are_drawn_in_and_files_are_written(tmp_path: Path) -> None:
    axes = Figure().subplots()
    path = tmp_path / "region.png"
    assert lw.integrators.stability_region("heun").plot(axes=axes, path=path) is axes.figure
    assert axes.has_data()
    assert path.stat().st_size > 1000
    with pytest.raises(lw.errors.ResultError, match=r"region\.png"):
        lw.integrators.stability_region("heun").plot(path=path, overwrite=False)
    with pytest.raises(lw.errors.RefusedError, match="integrator"):
        lw.integrators.stability_region()
