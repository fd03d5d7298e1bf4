"""What cells of a notebook show: a model, a result, and files of films and pages.

Notebooks that come from elsewhere are not trusted: frames and scripts are taken out of what their cells show, pictures and
text stay. A moving page therefore lies over a still picture, which is seen where the page is not.
"""

from __future__ import annotations

import html
from base64 import b64encode
from pathlib import Path
from typing import Any

from linkwork.answer import Text
from linkwork.answer.grid import escaped
from linkwork.errors import LinkworkError
from linkwork.model import Model
from linkwork.results import Result
from linkwork.topology.analyse import analyse
from linkwork.views.figures import Sheet, figure
from linkwork.views.modes import draw_standing, plot_start
from linkwork.views.notebook import ShownFigure
from linkwork.views.page import page_text
from linkwork.views.scene import build_scene
from linkwork.views.still import poses_at

LARGEST = 60  # bodies of a model that is analysed to be shown
DRAWN, HEIGHT, FRAMES = 320, 620, 400  # pixels of a drawing and of a page, at most; frames that a page keeps
HEAVIEST = 20_000_000  # bytes of a film that a notebook keeps
FILMS = {".gif": "<img alt='{name}' style='max-width:100%' src='data:image/gif;base64,{data}'>"}
FILMS[".mp4"] = "<video controls loop style='max-width:100%' src='data:video/mp4;base64,{data}'></video>"


def model_markup(model: Model) -> str:
    """The drawing beside the declarations, the analysis folded below them; or why there is none."""
    told = Text(model).html()
    if len(model.bodies) > LARGEST:
        return told
    try:
        topology = analyse(model)
        drawing = plot_start(topology)
    except LinkworkError as error:
        return f"{told}<p><b>It does not pass its check:</b></p>{Text(error).html()}"
    drawing.axes[0].set_title("", loc="left")
    check = "".join(part.html() for part in topology.report())
    return (
        f"<div style='display:flex;flex-wrap:wrap;gap:2em'>{picture_markup(drawing, model.name, DRAWN)}"
        f"<div>{told}</div></div><details><summary>analysis</summary>{check}</details>"
    )


def result_markup(result: Result) -> str:
    """The moving page in a sandboxed frame, over a still picture of its start and what is printed."""
    told = Text(result).html()
    if not len(result):
        return told
    still = picture_markup(plot_first(result), result.name, DRAWN) if result.drawing.bodies else ""
    page = page_text(build_scene(result, frames=FRAMES), autoplay=False)
    below = f"<p>Trust the notebook to see it move; this is its start.</p>{still}{told}"
    return (
        f"<div style='display:grid'><div style='grid-area:1/1;max-height:{HEIGHT}px;overflow:auto'>{below}</div>"
        f"{_frame(page, result.name, 'grid-area:1/1;position:relative;background:#fff;')}</div>"
    )


@figure
def plot_first(sheet: Sheet, result: Result) -> None:
    """Draw where a motion begins."""
    draw_standing(sheet, "", result.drawing, poses_at(result, float(result.time[0])))


def picture_markup(drawing: Any, name: str, height: int | None = None) -> str:
    """A figure as a picture of a page, at most so many pixels high."""
    assert isinstance(drawing, ShownFigure)
    data, size = drawing._repr_png_()
    look = f"max-width:100%;max-height:{height or size['height']}px"
    return f"<img alt='{escaped(name)}' style='{look}' src='data:image/png;base64,{b64encode(data).decode()}'>"


def file_markup(path: Path) -> str | None:
    """A film or an animated page; nothing of other files, of one that is gone, or that is too large for a notebook."""
    if not path.is_file() or path.stat().st_size > HEAVIEST:
        return None
    match path.suffix.lower():
        case ".html" | ".htm":
            return _frame(path.read_text(encoding="utf-8"), path.name)
        case ending if ending in FILMS:
            return FILMS[ending].format(name=escaped(path.name), data=b64encode(path.read_bytes()).decode())
    return None


def _frame(page: str, name: str, look: str = "") -> str:
    """A page in a frame that can reach nothing outside it."""
    return (
        f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(page, quote=True)}" '
        f'style="{look}width:100%;height:{HEIGHT}px;border:0" title="{html.escape(name)}"></iframe>'
    )
