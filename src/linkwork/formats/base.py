"""What a file format is: suffixes, a reader of sources, a writer of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linkwork.errors import Fault, ModelError


@dataclass(frozen=True)
class SourceText:
    """What a reader is given: a text, and the folder of its file, from which files that it names are seen."""

    text: str
    folder: Path | None = None


@dataclass(frozen=True)
class Document:
    """Plain data read from a source, the line of each path that is known, and faults of the text itself.

    notes: what was left out or taken otherwise than it is written; every report and result says it
    renames: names of elements that are others in the file, ``{"left_knee": "left-knee"}``; see ``names.model_names``
    """

    data: Mapping[str, Any]
    lines: Mapping[str, int] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    renames: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Format:
    """How the texts of a file become the plain data of a model, and back."""

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[SourceText], Document]
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
