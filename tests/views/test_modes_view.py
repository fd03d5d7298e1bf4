"""Pictures of assembly modes: one panel each, bodies where their poses put them, the mode in use highlighted."""

from collections.abc import Callable
from pathlib import Path

import linkages
import matplotlib
import mechanisms
import numpy as np
import pytest
from matplotlib.colors import to_hex
from test_scene import unpack

import linkwork as lw
from linkwork.errors import ResultError
from linkwork.views.backdrop import place
from linkwork.views.modes import USED
from linkwork.views.picture import Picture
from linkwork.views.sampled import standing_samples
from linkwork.views.scene import build_modes_scene


def test_every_mode_has_a_panel_with_its_name() -> None:
    modes = lw.assembly_modes(mechanisms.andrews())
    figure = modes.plot()
    assert len(figure.axes) == len(modes) == 4
    titles = [axis.get_title() for axis in figure.axes]
    assert titles[0] == "mode 1: right, left, left"
    (used,) = [i for i, mode in enumerate(modes) if mode.in_use]
    assert [i for i, title in enumerate(titles) if "(in use)" in title] == [used]
    edges = [to_hex(axis.spines["left"].get_edgecolor()) for axis in figure.axes]
    assert [i for i, colour in enumerate(edges) if colour == USED] == [used]
    # one scale for all
    assert len({(axis.get_xlim(), axis.get_ylim()) for axis in figure.axes}) == 1


def test_bars_are_drawn_between_the_pins() -> None:
    modes = lw.assembly_modes(mechanisms.four_bar())
    other = modes[1]
    assert not other.in_use
    ends = Picture(modes.drawing, other).lines("coupler")[0]
    # the crank keeps A at (0.6, 0.8); the coupler is 2.5 m long, its other end 2 m from C
    np.testing.assert_allclose(ends[0], [0.6, 0.8], atol=1e-10)
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(2.5)
    assert np.linalg.norm(ends[1] - [2.2, 0]) == pytest.approx(2.0)
    drawn = [np.array(line.get_data()).T for line in modes.plot().axes[1].lines]
    assert any(line.shape == ends.shape and np.allclose(line, ends) for line in drawn)


def test_spatial_modes_are_drawn_in_space() -> None:
    figure = lw.assembly_modes(linkages.spherical_four_bar()).plot()
    assert [axis.name for axis in figure.axes] == ["3d", "3d"]
    figure.canvas.draw()


def test_names_of_joints_at_one_place_stand_together() -> None:
    figure = lw.assembly_modes(linkages.slider_crank()).plot()
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["O", "A", "B, guide"]


def test_the_figure_is_written_and_belongs_to_no_window(tmp_path: Path) -> None:
    import matplotlib.pyplot as pyplot

    before = (pyplot.get_fignums(), dict(matplotlib.rcParams))
    modes = lw.assembly_modes(mechanisms.simple_pendulum())
    modes.plot(path=tmp_path / "modes.svg")
    assert "<svg" in (tmp_path / "modes.svg").read_text(encoding="utf-8")
    with pytest.raises(ResultError, match="exists already"):
        modes.plot(path=tmp_path / "modes.svg", overwrite=False)
    assert (pyplot.get_fignums(), dict(matplotlib.rcParams)) == before


# -- the page to click through ---------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [mechanisms.andrews, linkages.spherical_four_bar])
def test_the_page_has_a_frame_for_every_mode_where_its_bodies_are(model: Callable[[], lw.Model]) -> None:
    modes = lw.assembly_modes(model())
    scene = build_modes_scene(modes)
    assert [still["name"] for still in scene["stills"]] == [mode.name for mode in modes]
    assert modes[scene["used"]].in_use and scene["stills"][scene["used"]]["text"] == "in use"
    poses = standing_samples(modes.drawing, [mode.poses for mode in modes]).poses
    for name, body in modes.drawing.bodies.items():
        for point in body.points.values():
            wanted = [mode.poses[name].point(np.asarray(point)) for mode in modes]
            np.testing.assert_allclose(place(poses[name], point), wanted, atol=1e-12)


def test_coordinates_of_the_modes_are_listed_with_their_units() -> None:
    modes = lw.assembly_modes(linkages.slider_crank())
    entries = {entry["name"]: entry for entry in build_modes_scene(modes)["quantities"]}
    assert entries["A.angle"]["unit"] == "rad" and entries["guide.position"]["unit"] == "m"
    found = entries["guide.position"]["offset"] + unpack(entries["guide.position"]["values"])
    np.testing.assert_allclose(found, [mode["guide.position"] for mode in modes], rtol=1e-6)


def test_the_page_of_modes_is_one_file(tmp_path: Path) -> None:
    modes = lw.assembly_modes(mechanisms.four_bar())
    page = modes.animate(tmp_path / "modes.html")
    assert page.read_text(encoding="utf-8").count("<script") == 2
    (tmp_path / "mine.html").write_text("mine")
    with pytest.raises(ResultError, match="exists already"):
        modes.animate(tmp_path / "mine.html")
    with pytest.raises(ResultError, match=r"ending \.html"):
        modes.animate(tmp_path / "modes.png")
