"""Every exception that Linkwork raises on purpose.

A message says what it got, what is valid, what to do, and which element of the user's model it is about.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest

from linkwork.words import bare, translated

__all__ = [
    "ArgumentError",
    "AssemblyError",
    "AuditWarning",
    "CompileError",
    "EquilibriumError",
    "ExpressionError",
    "Fault",
    "FrozenError",
    "LinkworkError",
    "ModelError",
    "RefusedError",
    "ResultError",
    "UnitError",
    "UnknownNameError",
]

MANY = 1000  # names that are compared letter by letter with one that is not among them
TOLD = 200  # faults of a description after which nobody reads on

_INSIDE = (os.path.dirname(__file__) + os.sep, functools.__file__, contextlib.__file__)
"""Files whose lines say nothing to a user: those of Linkwork, and of the wrappers of Python around them."""


def printable(text: str) -> str:
    """The text with halves of characters (lone surrogates, which no terminal takes) written out as \\ud800."""
    return text.encode("utf-8", "backslashreplace").decode()


def warn_user(text: str, category: type[Warning]) -> None:
    """Warn at the line that called Linkwork: that of the first frame outside of it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INSIDE):
        frame, level = frame.f_back, level + 1
    warnings.warn(printable(text), category, stacklevel=level)


class LinkworkError(Exception):
    """Base of all errors of Linkwork; the command line shows its text without a traceback."""

    def __init__(self, *args: object) -> None:
        super().__init__(*(printable(item) if isinstance(item, str) else item for item in args))


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a description: where, why, and what would be right."""

    path: str
    reason: str
    suggestion: str = ""

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        hint = f"\n    -> {self.suggestion}" if self.suggestion else ""
        return printable(f"{where}{self.reason}{hint}")


class ModelError(LinkworkError):
    """The description of a mechanism is faulty; carries all its faults, not only the first; of very many the first ones."""

    def __init__(self, faults: Iterable[Fault], source: str = "model") -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        self.source = source
        count = len(self.faults)
        head = f"{source}: {count} fault{'s' if count != 1 else ''}"
        if count >= TOLD:
            head = f"{source}: {count} faults; what is behind them is not told"
        super().__init__("\n".join([head, *(f"  {fault}" for fault in self.faults)]))


class UnitError(LinkworkError):
    """A text with a unit cannot be read, or its unit has the wrong dimension."""


class ExpressionError(LinkworkError):
    """A formula cannot be parsed, names something unknown, or has no value where one is needed."""


class AssemblyError(LinkworkError):
    """The mechanism cannot be put together near the sketch; names the joint that stays open."""


class EquilibriumError(LinkworkError):
    """No position of rest was found; names the joint that is pushed on."""


class RefusedError(LinkworkError):
    """A combination that makes no sense was asked for; says which ones would work."""


class FrozenError(LinkworkError, TypeError):
    """A model was to be changed in place; says how to make a changed one."""


class ArgumentError(LinkworkError, TypeError):
    """A verb was given an argument by a name that it does not have, or of the wrong kind; says which ones it has."""


class Faults:
    """Gathers what several checks find, so that all of it can be told at once.

    ``with faults: check()`` keeps an error; ``faults.tell()`` raises what was found, a single one as it is.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[LinkworkError] = []

    def __enter__(self) -> Faults:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, LinkworkError):
            return False
        self.found += error.faults if isinstance(error, ManyFaultsError) else [error]
        return True

    def tell(self) -> None:
        """Raise what was found, if anything."""
        if len(self.found) == 1:
            raise self.found[0]
        if self.found:
            raise ManyFaultsError(self.source, self.found)


class ManyFaultsError(RefusedError):
    """Several things that were asked for make no sense; carries them all."""

    def __init__(self, source: str, faults: Iterable[LinkworkError]) -> None:
        self.faults: tuple[LinkworkError, ...] = tuple(faults)
        super().__init__("\n".join([f"{source}: {len(self.faults)} faults", *(f"  {fault}" for fault in self.faults)]))


class UnknownNameError(LinkworkError, KeyError):
    """A name that is not there; lists the nearest valid ones."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class CompileError(LinkworkError):
    """An expression cannot be turned into machine code."""


class ResultError(LinkworkError):
    """A result file cannot be read, or a result does not hold what was asked for."""


class AuditWarning(UserWarning):
    """A result has failed its own audit; the text names what failed, and what to do."""


def nearest(name: str, valid: Iterable[str], count: int = 3) -> list[str]:
    """Return the valid names closest to *name*, best first; those alone that differ by case, spaces and hyphens."""
    from difflib import get_close_matches  # only a message needs it

    names = _likely(name, list(valid))
    same = [candidate for candidate in names if bare(candidate) == bare(name)]
    if same:
        return same[:count]
    lowered = {candidate.lower(): candidate for candidate in reversed(names)}
    matches = get_close_matches(name.lower(), list(lowered), n=count, cutoff=0.5)
    return [lowered[match] for match in matches]


def _likely(name: str, valid: list[str]) -> list[str]:
    """Of thousands of names those that begin alike and are about as long, which alone are compared letter by letter."""
    if len(valid) <= MANY:
        return valid
    for length in (len(name) - 1, len(name) // 2, 1):
        if found := [item for item in valid if item.startswith(name[:length])]:
            return [item for item in found if abs(len(item) - len(name)) <= 2][:MANY] or found[:MANY]
    return []


FIRST = {name: i for i, name in enumerate(("angle", "position", "speed", "length", "x", "y", "z"))}
"""Of an element the quantities that are meant first."""


def did_you_mean(name: str, valid: Iterable[str], asked: str = "") -> str:
    """Return a suggestion sentence for a misspelt *name*: the nearest valid ones, or a list of all.

    Words of other tools are known (``words.py``); asked: what a name of ours is asked for, 'joint' or 'unit', as there.
    """
    valid = list(dict.fromkeys(valid))
    close = nearest(name, valid)
    if not any(bare(item) == bare(name) for item in close) and (told := translated(name, valid, asked)):
        return told
    own = [item for item in valid if item.startswith(f"{name}.")] if asked == "quantity" else []
    if own:
        first = sorted(own, key=lambda item: FIRST.get(item.removeprefix(f"{name}."), len(FIRST)))
        return f"name a quantity of it, such as {', '.join(first[:3])}"
    if close:
        return f"did you mean '{close[0]}'?" if len(close) == 1 else "did you mean one of: " + ", ".join(close) + "?"
    shown = ", ".join(nsmallest(12, valid))
    return f"valid names: {shown}{', ...' if len(valid) > 12 else ''}" if shown else ""
