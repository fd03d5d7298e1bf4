"""What a notebook shows: whatever a user meets is represented in short, and answers are pages that are well formed."""

from __future__ import annotations

import inspect
import re
import sys
from base64 import b64decode
from dataclasses import fields, is_dataclass
from html import escape, unescape
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.views import notebook

LONGEST = 500  # letters
INTERNAL = (" object at 0x", "<function ", "SX(", "MX(", "<bound method")
PLAIN = (
    str,
    bytes,
    int,
    float,
    complex,
    type(None),
    np.ndarray,
    np.generic,
    type,
    FunctionType,
    MethodType,
    ModuleType,
)
VOID = {"img", "br", "meta", "input", "link", "hr"}
ROOMS = ("answers", "coordinates", "elements", "errors", "formats", "formulations", "integrators", "measures")


class Page(HTMLParser):
    """A page whose elements are closed in the order in which they were opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == [], f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes what is not open"


def parts(item: Any) -> dict[str, Any]:
    """What stands behind the dots of an object, but for what is computed by calling it."""
    names = {*dir(type(item)), *(field.name for field in fields(item))} if is_dataclass(item) else {*dir(type(item))}
    found = {}
    for name in sorted(names):
        if name.startswith("_") or inspect.isroutine(inspect.getattr_static(type(item), name, None)):
            continue
        try:
            found[name] = getattr(item, name)
        except (lw.LinkworkError, AttributeError):
            continue
    return found


def represented(path: str, item: Any) -> None:
    """A representation says in short what it is."""
    if isinstance(item, (list, tuple)):
        for entry in item[:2]:
            represented(f"{path}[]", entry)
    elif not isinstance(item, PLAIN) and type(item).__module__.startswith("linkwork"):
        text = repr(item)
        assert len(text) <= LONGEST, f"{path}: {text[:80]}..., {len(text)} letters"
        assert not any(word in text for word in INTERNAL), f"{path}: {text}"


@pytest.fixture(scope="module")
def met() -> dict[str, Any]:
    """What somebody meets in the first hour."""
    model = lw.example("driven_four_bar")
    free = lw.example("four_bar")
    run = lw.simulate(model, until=0.1, step=0.01, events={"seen": "O.angle - 1.7"})
    rest = lw.find_equilibrium(free)
    linear = lw.linearise(rest)
    return {
        "model": model,
        "result": run,
        "audit": run.audit,
        "reactions": run.reactions,
        "topology": lw.analyse(model),
        "coordinates": lw.number(free),
        "equations": lw.formulate(free),
        "mechanism": lw.prepare(free),
        "program": lw.build(lw.formulate(free)),
        "pose": lw.assemble(free, {"O": "30 deg"}),
        "modes": lw.assembly_modes(free),
        "kinematics": lw.solve_kinematics(model, until=0.1, step=0.01),
        "inverse": lw.inverse_dynamics(model, until=0.1, step=0.01),
        "rest": rest,
        "linear": linear,
        "vibrations": lw.modes(linear),
        "drag": lw.drag_point(free, "A", [(0.5, 0.8)]),
        "positions": lw.solve_positions(free, {"O.angle": [0.8, 0.9]}),
        "limits": lw.find_limits(free),
        "room": lw.envelope(run),
        "stepped": lw.realtime(free, "1 ms", keep=5),
        "event": lw.Event("O.angle"),
    }


def test_what_is_met_and_all_its_parts_are_represented_in_short(met: dict[str, Any]) -> None:
    for name, item in met.items():
        represented(name, item)
        for part, value in parts(item).items():
            represented(f"{name}.{part}", value)


def test_public_objects_are_represented_in_short() -> None:
    for room in ROOMS:
        module = import_module(f"linkwork.{room}")
        for name in getattr(module, "__all__", dir(module)):
            if not name.startswith("_"):
                represented(f"{room}.{name}", getattr(module, name))


def test_every_answer_is_a_page_that_is_well_formed(met: dict[str, Any]) -> None:
    for item in met.values():
        if hasattr(item, "_repr_html_"):
            Page(item._repr_html_())
    shown = {name: Page(met[name]._repr_html_()).tags for name in ("model", "result", "topology", "reactions")}
    assert "img" in shown["model"] and "details" in shown["model"]  # a drawing, and its analysis folded
    assert "iframe" in shown["result"]
    assert "img" in Page(met["modes"]._repr_html_()).tags
    assert "table" in shown["topology"] and "table" in shown["reactions"]


def test_without_trust_a_result_is_a_still_picture_and_text(met: dict[str, Any]) -> None:
    """Where frames are taken out, as sanitisers do, its start and what is printed are left."""
    left = re.sub(r"<iframe.*?</iframe>", "", met["result"]._repr_html_(), flags=re.DOTALL)
    picture = re.search(r"src='data:image/png;base64,([^']+)'", left)
    assert picture is not None and b64decode(picture.group(1)).startswith(b"\x89PNG")
    assert escape(str(met["result"])) in left and "Trust the notebook" in left


def test_films_and_pages_are_shown_and_are_paths(met: dict[str, Any], tmp_path: Path) -> None:
    film = met["result"].movie(tmp_path / "run.gif", fps=5, speed=0.1, size=(64, 48))
    page = met["result"].animate(tmp_path / "run.html")
    modes = met["modes"].animate(tmp_path / "modes.html")
    assert film == tmp_path / "run.gif" and isinstance(film, Path) and film.read_bytes().startswith(b"GIF")
    shown = re.search(r"<img .*src='data:image/gif;base64,([^']+)'>", film._repr_html_())  # type: ignore[attr-defined]
    assert shown is not None and b64decode(shown.group(1)) == film.read_bytes()
    for file in (page, modes):
        frame = re.search(r'sandbox="allow-scripts" srcdoc="([^"]*)"', file._repr_html_())  # type: ignore[attr-defined]
        assert frame is not None and unescape(frame.group(1)) == file.read_text()
    assert type(film)(tmp_path / "other.txt")._repr_html_() is None  # type: ignore[attr-defined]
    film.unlink()
    assert film._repr_html_() is None  # type: ignore[attr-defined]


def test_cells_can_be_run_twice(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of the first time are no obstacle, and the numbers are the same."""
    monkeypatch.chdir(tmp_path)
    found = []
    for _ in range(2):
        result = lw.simulate(lw.example("four_bar"), until=0.1, step=0.02)
        result.save("run.nc")
        result.save("run.csv")
        result.plot("O.angle", path="run.png")
        result.animate("run.html")
        result.movie("run.gif", fps=5, speed=0.1, size=(64, 48))
        lw.assemble(lw.example("four_bar"), {"O": "30 deg"}).save("pose.yaml")
        found.append(result["O.angle"])
    np.testing.assert_array_equal(*found)


def test_a_plot_is_a_picture_without_magic_words() -> None:
    figure = lw.simulate(lw.example("pendulum"), until=0.1, step=0.05).plot("O.angle")
    picture, size = figure._repr_png_()  # type: ignore[attr-defined]
    assert picture.startswith(b"\x89PNG") and size["width"] > 100


class Cells:
    """As much of IPython as is asked: callbacks when a cell ends, and what is displayed."""

    def __init__(self) -> None:
        self.ending: list[Any] = []
        self.shown: list[Any] = []
        self.kernel = self.events = self.display = self

    def get_ipython(self) -> Cells:
        return self

    def register(self, event: str, function: Any) -> None:
        assert event == "post_run_cell"
        self.ending += [] if function in self.ending else [function]

    def unregister(self, event: str, function: Any) -> None:
        assert event == "post_run_cell"
        self.ending.remove(function)

    def __call__(self, figure: Any) -> None:  # of `display`
        figure._repr_mimebundle_(include=None, exclude=None)
        self.shown.append(figure)

    def end(self, value: Any = None) -> list[Any]:
        """What is below a cell with a value."""
        self.shown = []
        if value is not None:
            self(value)
        for function in tuple(self.ending):
            function("how the cell went")
        return self.shown


def test_what_is_plotted_in_a_cell_is_shown_below_it_once(
    met: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the line ends with a semicolon, is not the last one, or is the value of the cell."""
    cells = Cells()
    monkeypatch.setitem(sys.modules, "IPython", cells)
    result = met["result"]
    silent = result.plot("O.angle")
    assert cells.end() == [silent]
    several = [result.plot("O.angle"), result.plot_path("A"), met["rest"].plot()]
    assert cells.end() == several
    valued = result.plot("O.angle")
    assert cells.end(valued) == [valued]
    first, last = result.plot("O.angle"), result.plot("C.angle")
    assert cells.end(last) == [last, first]
    # pictures of representations are shown with them, files are written, and axes are somebody's own
    assert met["modes"]._repr_html_() and met["model"]._repr_html_() and result._repr_html_()
    result.plot("O.angle", path=tmp_path / "angle.png")
    result.plot("O.angle", axes=silent.axes[0])
    assert cells.end() == [] and cells.ending == []


def test_outside_notebooks_no_figure_waits(monkeypatch: pytest.MonkeyPatch, met: dict[str, Any]) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    met["result"].plot("O.angle")
    assert notebook._waiting == []
