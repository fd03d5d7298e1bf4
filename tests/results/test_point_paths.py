"""Paths of points against circles, helices and cycloids; their pictures, and those of dragged points."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from drawn_linkages import four_bar

import linkwork as lw


@cache
def turn() -> lw.Result:
    data = four_bar((1.0, 2.5, 2.0, 2.2), 0.4, 1.0).to_dict()
    data["bodies"]["coupler"]["points"] = {"P": [1.1, 0.9]}
    return lw.solve_kinematics(lw.Model(**data), {"O": np.linspace(0.0, 2 * np.pi, 181)})


@cache
def helix() -> lw.Result:
    """A bar of 0.5 m on a cylindrical joint: one turn while it rises by 2π 0.3 m."""
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "A": [0.5, 0, 0]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1, "section": ["10 mm", "10 mm"]}},
        joints={"O": {"kind": "cylindrical", "bodies": ["ground", "bar"], "axis": [0, 0, 1]}},
    )
    return lw.solve_kinematics(model, {"O.angle": "t + 0.1*t^2", "O.position": "0.3*(t + 0.1*t^2)"}, until=3)


def test_a_helix_has_its_curvature_and_torsion():
    """κ = r / (r² + c²), τ = c / (r² + c²), whatever the speed; its length is √(r² + c²) φ."""
    path = lw.measures.point_path(helix(), "A")
    np.testing.assert_allclose(path.curvature, 0.5 / 0.34, rtol=1e-9)
    np.testing.assert_allclose(path.torsion, 0.3 / 0.34, rtol=1e-8)
    np.testing.assert_allclose(path.length[-1], np.sqrt(0.34) * 3.9, rtol=1e-9)
    # the centre lies across the axis, c²/r behind it
    centre = path.centre - path.places
    np.testing.assert_allclose(np.linalg.norm(centre, axis=1), 0.34 / 0.5, rtol=1e-9)
    np.testing.assert_allclose(centre[:, 2], 0.0, atol=1e-9)


def test_circles_about_their_pivots():
    result = turn()
    for pin, pivot, radius in (("A", (0, 0), 1.0), ("B", (2.2, 0), 2.0)):
        path = lw.measures.point_path(result, pin)
        moving = np.linalg.norm(path.velocities, axis=1) > 0.05
        np.testing.assert_allclose(path.centre[moving], np.tile(pivot, (moving.sum(), 1)), atol=1e-7)
        np.testing.assert_allclose(path.radius[moving], radius, rtol=1e-8)
    assert lw.measures.point_path(result, "A").length[-1] == pytest.approx(2 * np.pi, rel=1e-10)
    assert np.all(lw.measures.point_path(result, "A").torsion == 0)


def test_a_coupler_curve():
    path = lw.measures.point_path(turn(), "coupler.P")
    assert path.closed
    np.testing.assert_allclose(path.curvature, lw.measures.path_curvature(turn(), "coupler.P"), rtol=1e-12)
    # against the lengths of chords, which are too short by the third order
    chords = np.sum(np.linalg.norm(np.diff(path.places, axis=0), axis=1))
    assert 0 < path.length[-1] - chords < 1e-3 * chords
    text = str(path)
    assert "closed" in text
    assert "least radius" in text


def test_a_point_that_stands_still_has_no_centre():
    result = lw.solve_kinematics(four_bar((1.0, 2.5, 2.0, 2.2), 0.4, 1.0), {"O": "0.4 + 0*t"}, until=1)
    path = lw.measures.point_path(result, "B")
    assert np.all(np.isnan(path.centre))
    assert str(path).endswith("straight")


def test_what_there_is_no_path_of():
    with pytest.raises(lw.errors.UnknownNameError, match="no point, joint or body that moves; did you mean"):
        lw.measures.point_path(turn(), "coupler.Q")
    fallen = lw.simulate(four_bar((1.0, 2.5, 2.0, 2.2), 0.4, 1.0), 0.1)
    assert np.all(np.isfinite(lw.measures.point_path(fallen, "B").length))


def test_pictures_and_tables(tmp_path):
    result = turn()
    figure = result.plot_path("coupler.P", "B", time=1.0, body="coupler", circle=True, path=tmp_path / "paths.png")
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert labels == ["coupler.P", "B", "instant centre of coupler", "fixed centrode", "moving centrode"]
    assert (tmp_path / "paths.png").exists()
    dashed = result.plot_path("coupler.P", dashes=5)
    # 18 dashes of 5 samples in 180 intervals
    colour = dashed.axes[0].get_legend().get_lines()[0].get_color()
    assert sum(line.get_color() == colour and len(line.get_xdata()) == 6 for line in dashed.axes[0].lines) == 18
    helix().plot_path("A", circle=True, time=1.0)
    with pytest.raises(lw.errors.RefusedError, match="goes from 0 to 3 s"):
        helix().plot_path("A", time=5.0)
    with pytest.raises(lw.errors.RefusedError, match="plane mechanisms"):
        helix().plot_path("A", body="bar")
    with pytest.raises(lw.errors.ResultError, match="exists already"):
        result.plot_path("B", path=tmp_path / "paths.png", overwrite=False)
    lines = lw.measures.point_path(result, "B").save(tmp_path / "b.csv").read_text().splitlines()
    assert lines[0] == '"O.angle [rad]","B.x [m]","B.y [m]","length [m]","curvature [1/m]"'
    assert len(lines) == 182
    lw.measures.point_path(result, "B").plot(path=tmp_path / "b.png")


def test_a_drag_is_kept_drawn_and_animated(tmp_path):
    data = four_bar((1.0, 2.5, 2.0, 2.2), 0.4, 1.0).to_dict()
    data["bodies"]["coupler"]["points"] = {"P": [1.1, 0.9]}
    path = [(0.9, 2.2), (1.1, 2.2), (1.3, 2.2)]
    drag = lw.drag_point(lw.Model(**data), "coupler.P", path)
    page = drag.animate(tmp_path / "drag.html").read_text()
    assert "coupler.P" in page
    again = lw.load_result(drag.save(tmp_path / "drag.nc"))
    np.testing.assert_array_equal(again["coupler.P.distance"], drag.distances)
    np.testing.assert_array_equal(again["O.angle"], drag["O.angle"])
    # the poses of the bodies put the point where it is
    angle = again["coupler.angle"]
    x = again["coupler.origin.x"] + 1.1 * np.cos(angle) - 0.9 * np.sin(angle)
    np.testing.assert_allclose(x, drag.places[:, 0], atol=1e-12)
    assert again.drawing.outlines[-1] == tuple(path)
    assert (
        drag.save(tmp_path / "drag.csv").read_text().startswith('"time [s]","coupler.P.distance [m]","O.angle [rad]"')
    )
    assert len(drag.plot(path=tmp_path / "drag.png").axes[0].get_legend().get_texts()) == 2
    assert drag.result.notes == ("time is the number of the place on the path",)
