"""Small pictures of what a model is made of, drawn by Linkwork itself from the models in ``drawn/``; none can go stale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from matplotlib.figure import Figure

import linkwork as lw
from linkwork.results.sketch import draw
from linkwork.topology import Topology
from linkwork.views.figures import mechanism_axis
from linkwork.views.still import draw_mechanism, picture_of

HERE = Path(__file__).parent
SIZE = (2.1, 1.5)  # inches
PALE, MARGIN = 0.3, 0.1  # of other positions; round a mechanism, beside its size
FRAME = 0.3  # m, of the axes of a body
RED, INK, STEEL = "#d55e00", "#1c2430", "#8a94a3"
Item = Mapping[str, Any]


def sections() -> dict[str, dict[str, Item]]:
    """The pictures of every file, by their captions."""
    files = sorted((HERE / "drawn").glob("*.yaml"))
    return {file.stem: yaml.safe_load(file.read_text(encoding="utf-8")) for file in files}


def write_drawings(folder: Path, include: Path) -> None:
    """Write all pictures to a folder, and for every section the text that shows them."""
    folder.mkdir(parents=True, exist_ok=True)
    for section, items in sections().items():
        text = [":::{container} drawn"]
        for name, item in items.items():
            path = folder / f"{section}_{name.replace(' ', '_')}.svg"
            write_drawing(item, path)
            place = f"/{path.relative_to(HERE).as_posix()}"
            text += [f"```{{figure}} {place}", f":alt: {name}", "", f"{_caption(section, name)}", "```"]
        (include / f"{section}_drawn.inc").write_text("\n".join([*text, ":::", ""]), encoding="utf-8")


def _caption(section: str, name: str) -> str:
    """Kinds in code type, as they are written."""
    return f"`{name}`" if " " not in name and section != "frames" else name


def write_drawing(item: Item, path: Path) -> None:
    """Write one picture: the mechanism, other positions of it pale behind, and arrows."""
    figure = Figure(figsize=SIZE)
    topology = lw.analyse(_model(item))
    drawing, poses = draw(topology, topology.geometry.defaults), topology.assembly.poses
    axis = mechanism_axis(figure, 111, drawing)
    figure.subplots_adjust(0, 0, 1, 1)
    frames = [poses[name] for name in item.get("frames", ())]
    others = [lw.analyse(_changed(topology.model, change)) for change in item.get("pale", ())]
    pictures = [picture_of(drawing, poses), *(picture_of(drawing, other.assembly.poses) for other in others)]
    corners = np.min([p.low for p in pictures], axis=0), np.max([p.high for p in pictures], axis=0)
    _frame(axis, *corners, _extra(item, frames))
    for picture in pictures[1:]:
        draw_mechanism(axis, picture, shade=PALE)
    if item.get("sketch"):
        _draw_sketch(axis, topology)
    draw_mechanism(axis, pictures[0])
    _annotate(axis, item, frames)
    figure.savefig(path, metadata={"Date": None})


def _model(item: Item) -> lw.Model:
    return lw.example(item["example"]) if "example" in item else lw.Model(**item["model"])


def _changed(model: lw.Model, change: Item) -> lw.Model:
    return lw.Model(**{**model.to_dict(), **{k: {**model.to_dict().get(k, {}), **v} for k, v in change.items()}})


def _extra(item: Item, frames: Sequence[Any]) -> list[Any]:
    """Places (n × 2) of arrows and their words, which need room too."""
    tips = [np.add(arrow["from"], 1.2 * np.array(arrow["by"])) for arrow in item.get("arrows", ())]
    rounds = [*item.get("turns", ()), *item.get("coils", ())]
    tips += [np.add(turn["at"], side * turn["radius"]) for turn in rounds for side in (-1.3, 1.3)]
    tips += [pose.origin + 1.2 * FRAME * direction for pose in frames for direction in pose.axes.T]
    sketch = item["model"]["points"] if item.get("sketch") else {}
    return [*tips, *item.get("names", {}).values(), *sketch.values()]


def _frame(axis: Any, low: Any, high: Any, extra: list[Any]) -> None:
    """Limits that hold everything, without numbers."""
    axis.set_axis_off()
    if len(low) == 3:
        middle, half = 0.5 * (low + high), 0.5 * float(np.max(high - low))
        axis.set(**{f"{name}lim": (m - half, m + half) for name, m in zip("xyz", middle, strict=True)})
        axis.set_box_aspect((1, 1, 1), zoom=1.25)
        return
    low, high = np.min([low, *extra], axis=0), np.max([high, *extra], axis=0)
    span = np.max((high - low) / SIZE) * np.array(SIZE) * (1 + 2 * MARGIN) + 0.08
    middle = 0.5 * (low + high) - (0, 0.03 * span[1])  # supports lie below their pins
    axis.set(**{f"{n}lim": (m - s / 2, m + s / 2) for n, m, s in zip("xy", middle, span, strict=True)}, aspect="equal")


def _draw_sketch(axis: Any, topology: Topology) -> None:
    """What was drawn: points as crosses, bars as dashed lines."""
    points = {name: [float(str(x)) for x in place] for name, place in topology.model.to_dict()["points"].items()}
    for body in topology.model.bodies.values():
        axis.plot(*np.transpose([points[name] for name in body.bar or ()]), "--", color=RED, linewidth=0.9, zorder=9)
    for name, place in points.items():
        axis.plot(*place, "x", color=RED, markersize=5, zorder=9)
        axis.annotate(name, place, xytext=(4, 3), textcoords="offset points", fontsize=7, color=RED, zorder=9)


def _annotate(axis: Any, item: Item, frames: Sequence[Any]) -> None:
    """Arrows, lines and words over the mechanism, and the axes of bodies."""
    for pose in frames:
        for name, direction in zip("xy", pose.axes.T, strict=True):
            _arrow(axis, pose.origin, FRAME * direction, name)
    for arrow in item.get("arrows", ()):
        _arrow(axis, arrow["from"], np.array(arrow["by"]), arrow["text"])
    for turn in item.get("turns", ()):
        _turn(axis, np.array(turn["at"]), turn["radius"], turn["text"])
    for coil in item.get("coils", ()):
        for part in (0.6, 1.0):
            angle = np.linspace(0.5, 5.8, 40)
            axis.plot(*_ring(coil["at"], part * coil["radius"], angle), color=RED, linewidth=1.2, zorder=20)
    for ring in item.get("rings", ()):
        axis.plot(*_ring(ring["at"], ring["size"], np.linspace(0, 7, 80)), "--", color=RED, linewidth=1.2, zorder=20)
    for ends in item.get("lines", ()):
        axis.plot(*np.transpose(ends), color=STEEL, linewidth=1.5, zorder=20)
    for name, place in item.get("names", {}).items():
        axis.annotate(name, place, xytext=(4, -9), textcoords="offset points", fontsize=7, color=INK, zorder=20)


def _ring(at: Any, size: Any, angle: Any) -> Any:
    return np.reshape(at, (2, 1)) + np.reshape(size, (-1, 1)) * np.array([np.cos(angle), np.sin(angle)])


def _turn(axis: Any, at: Any, radius: float, text: str) -> None:
    angle = np.linspace(np.radians(-60), np.radians(110), 40)
    arc = _ring(at, radius, angle)
    axis.plot(*arc[:, :-2], color=RED, linewidth=1.4, zorder=20)
    look = {"arrowstyle": "-|>", "color": RED, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 9}
    axis.annotate("", arc[:, -1], xytext=arc[:, -4], arrowprops=look, zorder=20)
    axis.text(*(at + radius * np.array([1.1, -0.45])), text, fontsize=8, color=RED, zorder=20)


def _arrow(axis: Any, start: Any, by: Any, text: str) -> None:
    look = {"arrowstyle": "-|>", "color": RED, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 9}
    axis.annotate("", np.add(start, by), xytext=start, arrowprops=look, zorder=20)
    axis.annotate(text, np.add(start, 1.12 * by), fontsize=8, color=RED, ha="center", va="center", zorder=20)
