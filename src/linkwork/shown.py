"""How results are drawn. They know views by their names alone.

A view is a function of a result with options, named by file and function as in ``plots.plot``, or from outside by module and
function, ``my_package.views.draw``; it is imported when it is first asked for.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from linkwork.above import ask

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ShownFile(type(Path())):  # type: ignore[misc]
    """The path of a film or a page, which notebooks show."""

    __slots__ = ()

    def with_segments(self, *segments: Any) -> Path:
        """What is made of it, such as its folder, is a path like any other."""
        return Path(*segments)

    def _repr_html_(self) -> str | None:
        return cast("str | None", ask("draws", "cells.file_markup")(self))


def drawn(view: str, /, *given: Any, **options: Any) -> Figure:
    """The figure that a view makes."""
    return cast("Figure", ask("draws", view)(*given, **options))


def page(view: str, /, *given: Any, **options: Any) -> Path:
    """The file that a view writes."""
    return ShownFile(ask("draws", view)(*given, **options))


def markup(view: str, /, *given: Any) -> str:
    """The HTML that a view gives."""
    return cast(str, ask("draws", view)(*given))
