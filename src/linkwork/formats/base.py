"""What a file format is: suffixes, a reader of sources, a writer of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from linkwork.errors import Fault, LinkworkError, ModelError, RefusedError
from linkwork.outline import outlined


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

    def __post_init__(self) -> None:
        if isinstance(self.notes, str):
            object.__setattr__(self, "notes", (self.notes,))


@outlined
@dataclass(frozen=True)
class Format:
    """How the texts of a file become the plain data of a model, and back; without *write* it is only read.

    suffixes: '.yaml' and the like; the case of letters does not count
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[SourceText], Document]
    write: Callable[[Mapping[str, Any]], str] | None = None

    def __post_init__(self) -> None:
        given = (self.suffixes,) if isinstance(self.suffixes, str) else self.suffixes
        if not all(ending.startswith(".") and ending[1:] for ending in given):
            raise RefusedError(
                f"the suffixes of the format '{self.name}' are {given!r}; they begin with a dot: '.yaml'"
            )
        object.__setattr__(self, "suffixes", tuple(ending.lower() for ending in given))

    def document(self, source: SourceText) -> Document:
        """What it reads, whatever else a reader does being its fault."""
        try:
            found = self.read(source)
        except LinkworkError:
            raise
        except Exception as error:
            raise unreadable(
                f"the reader of the format '{self.name}' fails: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(found, Document):
            given = type(found).__name__
            raise unreadable(f"the reader of the format '{self.name}' gives a '{given}'; it has to give a Document")
        return replace(found, data=checked_top(found.data))

    def text(self, data: Mapping[str, Any]) -> str:
        """What it writes, if it does."""
        if self.write is None:
            raise RefusedError(f"the format '{self.name}' is only read; choose another to write a model")
        try:
            return self.write(data)
        except LinkworkError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise RefusedError(f"the format '{self.name}' cannot write this model: {reason}") from error


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
