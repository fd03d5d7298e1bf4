"""Objects that are looked into rather than read: their representation says what they hold, not all of it."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")
NAMED = 6  # parts that are named


def outlined(kind: type[T]) -> type[T]:
    """A class whose objects are represented by its name and those of their parts: ``<Drawing of space, ground, ...>``."""
    names = [name for name in getattr(kind, "__annotations__", {}) if not name.startswith("_")]
    parts = ", ".join([*names[:NAMED], *(["..."] if len(names) > NAMED else [])])
    text = f"<{kind.__name__}{f' of {parts}' if parts else ''}>"

    def represented(self: T) -> str:
        return text

    kind.__repr__ = represented  # type: ignore[method-assign, assignment]
    return kind
