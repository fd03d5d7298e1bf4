"""Who draws results. They know views by their names alone; the package that has them is told where all comes together.

A view is a function of a result with options, named by file and function as in ``plots.plot``; it is imported when it is
first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

_packages: list[str] = []


def drawn_by(package: str) -> None:
    """Say which package has the views."""
    _packages[:] = [package]


def drawn(view: str, *given: Any, **options: Any) -> Figure:
    """The figure that a view makes."""
    return cast("Figure", _made(view, *given, **options))


def page(view: str, *given: Any, **options: Any) -> Path:
    """The file that a view writes."""
    return cast("Path", _made(view, *given, **options))


def markup(view: str, *given: Any) -> str:
    """The HTML that a view gives."""
    return cast(str, _made(view, *given))


def _made(view: str, *given: Any, **options: Any) -> Any:
    if not _packages:
        from linkwork.errors import ResultError

        raise ResultError("nothing draws results here: import linkwork, which has views")
    file, _, function = view.partition(".")
    return getattr(import_module(f"{_packages[0]}.{file}"), function)(*given, **options)
