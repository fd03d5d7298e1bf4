"""One self-contained HTML page with the moving mechanism; it opens from disk without a network."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from linkwork.algebra.given import FilePath
from linkwork.answer.files import refuse_existing, write_bytes
from linkwork.errors import ResultError
from linkwork.results import Result
from linkwork.results.assembly_modes import AssemblyModes
from linkwork.views.palette import SERIES
from linkwork.views.scene import build_modes_scene, build_scene

SCRIPTS = (
    *("motion.js", "camera.js", "pen.js", "symbols.js", "connections.js", "loads.js", "stage.js", "space.js"),
    *("chart.js", "panel.js", "happenings.js", "player.js"),
)


def write_page(
    result: Result,
    path: FilePath,
    *,
    trace: str | Sequence[str] | None = None,
    plot: str | Sequence[str] | None = None,
    quantities: Sequence[str] | None = None,
    follow: str | None = None,
    frames: int = 1200,
    overwrite: bool | None = None,
) -> Path:
    """Write the page of *result* to *path* (.html)."""
    target = _target(path, overwrite)
    scene = build_scene(result, trace=trace, plot=plot, quantities=quantities, follow=follow, frames=frames)
    return write_bytes(target, page_text(scene).encode(), overwrite=overwrite)


def write_modes_page(modes: AssemblyModes, path: FilePath, *, overwrite: bool | None = None) -> Path:
    """Write the page of all assembly modes to *path* (.html)."""
    target = _target(path, overwrite)
    return write_bytes(target, page_text(build_modes_scene(modes)).encode(), overwrite=overwrite)


def _target(path: FilePath, overwrite: bool | None) -> Path:
    target = Path(path)
    if target.suffix.lower() not in {".html", ".htm"}:
        raise ResultError(f"an animation is written as a web page: give '{target.name}' the ending .html")
    refuse_existing(target, overwrite=overwrite)
    return target


def page_text(scene: dict[str, Any], *, autoplay: bool = True) -> str:
    """The page as text: template, style, scripts and data in one."""
    folder = files("linkwork.views") / "assets"
    data = {**scene, "palette": list(SERIES), "autoplay": autoplay}
    parts = {
        "TITLE": html.escape(scene["name"] or "mechanism"),
        "STYLE": (folder / "page.css").read_text(encoding="utf-8"),
        "DATA": script_json(data),
        "SCRIPT": "\n".join((folder / name).read_text(encoding="utf-8") for name in SCRIPTS),
    }
    # one pass over the template: what is put in is never searched again
    pieces = (folder / "page.html").read_text(encoding="utf-8").split("%%")
    return "".join(parts[piece] if index % 2 else piece for index, piece in enumerate(pieces))


def script_json(data: Any) -> str:
    """JSON that is safe inside a script element: no text in it can end the element or open a comment."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
