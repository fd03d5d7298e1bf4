"""What a file format is: suffixes, a reader of texts, a writer of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from linkwork.errors import Fault, ModelError


@dataclass(frozen=True)
class Document:
    """Plain data read from a text, the line of each path that is known, and faults of the text itself."""

    data: Mapping[str, Any]
    lines: Mapping[str, int] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class Format:
    """A text format for the native description: how its texts become plain data and back."""

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[str], Document]
    write: Callable[[Mapping[str, Any]], str]


MAX_DEPTH = 40
"""Deepest nesting of lists and mappings in a file."""


def unreadable(reason: str, suggestion: str = "") -> ModelError:
    """The error of a text that is no description at all."""
    return ModelError([Fault("", reason, suggestion)], source="text")


def checked_top(data: Any) -> Mapping[str, Any]:
    """The top of a description must be a mapping."""
    hint = "begin with 'linkwork: 1' and 'space: planar'"
    if data is None:
        raise unreadable("the file is empty", hint)
    if not isinstance(data, dict):
        what = "a list" if isinstance(data, list) else "a single value"
        raise unreadable(f"the file contains {what} instead of keys with values", hint)
    return data
