"""How results are drawn. They know views by their names alone.

A view is a function of a result with options, named by file and function as in ``plots.plot``, or from outside by module and
function, ``my_package.views.draw``; it is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from linkwork.above import ask

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure


def drawn(view: str, /, *given: Any, **options: Any) -> Figure:
    """The figure that a view makes."""
    return cast("Figure", ask("draws", view)(*given, **options))


def page(view: str, /, *given: Any, **options: Any) -> Path:
    """The file that a view writes."""
    return cast("Path", ask("draws", view)(*given, **options))


def markup(view: str, /, *given: Any) -> str:
    """The HTML that a view gives."""
    return cast(str, ask("draws", view)(*given))
