"""Names that are others to users than to formulas, where ``left-knee`` is a difference.

Inside a model all names are of letters, digits and _: ``left_knee``. What its user calls the element is kept beside
(``Model.renames``), is understood wherever names are given, and is written to files again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from linkwork.errors import ExpressionError, Fault


@dataclass(frozen=True)
class Renames:
    """Names of users by those of the model."""

    originals: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _known(self) -> dict[str, str]:
        """Names of the model by those of users that nothing else can be; a dot leads from a body to its point."""
        return {old: new for new, old in self.originals.items() if is_other(old)}

    def of(self, name: str) -> str:
        """The name in the model of an element, a point or a quantity as users call it: left-knee.angle."""
        return ".".join(map(self._part, name.split("."))) if self._known else name

    def _part(self, part: str) -> str:
        name, bracket, index = part.partition("[")
        return self._known.get(part) or self._known.get(name, name) + bracket + index

    def of_block(self, name: str) -> str:
        """The name of a block, its joints joined by '-', of which the names of some may have one too."""
        parts, found = name.split("-"), []
        while parts and self._known:
            ends = (end for end in range(len(parts), 0, -1) if end == 1 or "-".join(parts[:end]) in self._known)
            end = next(ends)
            found.append(self.of("-".join(parts[:end])))
            parts = parts[end:]
        return "-".join([*found, *parts])

    def told(self, name: str) -> str:
        """A name of the model as users call it; also a path with such names, and the name of a block."""
        return re.sub(r"\w+", self._told, name) if self._known else name

    def _told(self, word: re.Match[str]) -> str:
        old = self.originals.get(word[0], "")
        return old if is_other(old) else word[0]

    def check_formula(self, text: str) -> None:
        """Refuse a formula with a name that would be read as something else, such as a difference."""
        for old, new in self._known.items():
            if re.search(rf"(?<![\w.]){re.escape(old)}(?!\w)", text) and re.fullmatch(r"[^\W\d].*\W.*\w", old):
                raise ExpressionError(
                    f"'{old}' is the name of an element\n    -> in formulas write {new}; or, if it is no name, put blanks "
                    "between its parts"
                )

    def shown(self) -> str:
        """All of them, in one line."""
        return ", ".join(f"{new} ('{old}')" for new, old in self.originals.items())


def is_other(name: str) -> bool:
    """Whether a name must be another in formulas, and can be; those with dots mean points of bodies."""
    return bool(name.strip()) and "." not in name and spelt(name) != name


def spelt(name: str) -> str:
    """Letters, digits and _, not beginning with a digit; without the $ that other tools put before a name."""
    bare = name.removeprefix("$") or name
    return re.sub(r"^(?=\d|$)", "_", re.sub(r"[^A-Za-z0-9_]", "_", bare))


def find_renames(paths: Mapping[str, str], given: Mapping[str, str]) -> tuple[Renames, list[Fault]]:
    """What the names of a description are in the model.

    paths: the names, with where each stands first; given: those that are chosen already, as in ``Model.renames``
    """
    chosen = {old: new for new, old in given.items() if new in paths or old in paths}
    found, faults = {new: old for old, new in chosen.items()}, []
    for name, path in paths.items():
        new = chosen.get(name, spelt(name))
        if name in chosen or not is_other(name):
            continue
        other = found.get(new, new if new in paths else None)
        if other is not None:
            reason = f"'{name}' and '{other}' would both be {new} in formulas"
            faults.append(Fault(path, reason, "give one of them another name"))
        else:
            found[new] = name
    return Renames(found), faults


NONE = Renames()
_READ: ContextVar[Renames | None] = ContextVar("names as they are read", default=None)
_WRITTEN: ContextVar[Renames | None] = ContextVar("names as they are written", default=None)


@contextmanager
def names_read(renames: Renames) -> Iterator[None]:
    """In the block, names of users are read as those of the model."""
    token = _READ.set(renames)
    try:
        yield
    finally:
        _READ.reset(token)


@contextmanager
def names_written(renames: Renames) -> Iterator[None]:
    """In the block, names of the model are written as users call them."""
    token = _WRITTEN.set(renames)
    try:
        yield
    finally:
        _WRITTEN.reset(token)


def reading() -> Renames:
    """The names of the model that is being read."""
    return _READ.get() or NONE


def write_names(value: Any) -> Any:
    """A name, several, or a mapping of names as plain data."""
    told = (_WRITTEN.get() or NONE).told
    if isinstance(value, str):
        return told(value)
    if isinstance(value, Mapping):
        return {told(name): item for name, item in value.items()}
    return value if value is None else [told(name) for name in value]
