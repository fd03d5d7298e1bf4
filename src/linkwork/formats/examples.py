"""Mechanisms that come with Linkwork, by name: each a commented model file of the folder ``mechanisms``."""

from __future__ import annotations

from pathlib import Path
from typing import overload

from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.formats.native import EXAMPLES, load
from linkwork.model import Model


@overload
def example(name: str) -> Model: ...
@overload
def example(name: None = None) -> dict[str, str]: ...
def example(name: str | None = None) -> Model | dict[str, str]:
    """A mechanism that comes with Linkwork, by its name; without one, all names with what they are."""
    return {known: _about(known) for known in example_names()} if name is None else load(_file(name))


def example_names() -> list[str]:
    """Names of the mechanisms that come with Linkwork."""
    return sorted(file.stem for file in EXAMPLES.glob("*.yaml"))


def example_text(name: str) -> str:
    """The commented model file of such a mechanism."""
    return _file(name).read_text(encoding="utf-8")


def _about(name: str) -> str:
    """What it is: the first sentence of the comment in its file."""
    lines = iter(example_text(name).splitlines())
    words: list[str] = []
    for line in lines:
        if line.startswith("#"):
            words.append(line.removeprefix("#").strip())
        elif words:
            break
    return " ".join(words).partition(". ")[0].rstrip(".")


def _file(name: str) -> Path:
    names = example_names()
    if name not in names:
        raise UnknownNameError(
            f"there is no example '{name}'; {did_you_mean(name, names)} lw.example() and linkwork new list all of them"
        )
    return EXAMPLES / f"{name}.yaml"
