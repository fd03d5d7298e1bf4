"""A model in a notebook: how it is put together, what it is made of, and what its analysis has to say."""

from __future__ import annotations

from base64 import b64encode

from linkwork.answer import Text
from linkwork.answer.grid import escaped
from linkwork.errors import LinkworkError
from linkwork.model import Model
from linkwork.topology.analyse import analyse
from linkwork.views.modes import plot_start
from linkwork.views.notebook import ShownFigure

LARGEST = 60  # bodies of a model that is analysed to be shown
HEIGHT = 320  # pixels of its drawing, at most


def model_markup(model: Model) -> str:
    """The drawing beside the declarations, the analysis folded below them; or why there is none."""
    told = Text(model).html()
    if len(model.bodies) > LARGEST:
        return told
    try:
        topology = analyse(model)
        figure = plot_start(topology)
    except LinkworkError as error:
        return f"{told}<p><b>It does not pass its check:</b></p>{Text(error).html()}"
    assert isinstance(figure, ShownFigure)
    figure.axes[0].set_title("", loc="left")
    picture = b64encode(figure.picture()).decode()
    look = f"max-height:{HEIGHT}px;max-width:100%"
    drawing = f"<img alt='{escaped(model.name)}' style='{look}' src='data:image/png;base64,{picture}'>"
    check = "".join(part.html() for part in topology.report())
    return (
        f"<div style='display:flex;flex-wrap:wrap;gap:2em'>{drawing}<div>{told}</div></div>"
        f"<details><summary>analysis</summary>{check}</details>"
    )
