"""Rooms that lower ones do not know, by what they do: one draws results, others register additions,
declare elements, load machine code and write reports.

A layer knows nothing of those above it. It asks by a word, and the package says who answers where all comes together. What
is asked for is imported then, and not before.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_rooms: dict[str, str] = {}


def tell(**rooms: str) -> None:
    """Say which module does what."""
    _rooms.update(rooms)


def ask(task: str, name: str) -> Any:
    """What the room for a task has under a name, such as ``plots.plot`` of the one that draws; or a module from outside."""
    file, _, thing = name.rpartition(".")
    inside = f"{_rooms[task]}.{file}" if file else _rooms[task]
    try:
        module = import_module(inside)
    except ModuleNotFoundError as error:
        if not file or not f"{inside}.".startswith(f"{error.name}."):
            raise
        module = import_module(file)
    return getattr(module, thing)
