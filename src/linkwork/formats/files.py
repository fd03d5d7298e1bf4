"""Files that a description names: relative to its own folder in a model file, to the working directory in Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from linkwork.model.sections import SECTIONS


def with_files(data: Mapping[str, Any], rename: Callable[[str], str]) -> Mapping[str, Any]:
    """The same plain data with all files of its elements renamed; whatever is not as it should be stays."""
    named = [section.name for section in SECTIONS if section.files]
    sections = {key: data[key] for key in named if isinstance(data.get(key), Mapping)}
    renamed = {
        key: {name: _element(element, rename) for name, element in section.items()} for key, section in sections.items()
    }
    return {**data, **renamed}


def _element(element: Any, rename: Callable[[str], str]) -> Any:
    """An element with the file of each of its keys, such as ``mesh: {file: part.stl}``, renamed."""
    if not isinstance(element, Mapping):
        return element
    return {key: _key(value, rename) for key, value in element.items()}


def _key(value: Any, rename: Callable[[str], str]) -> Any:
    if not isinstance(value, Mapping) or not isinstance(value.get("file"), str) or not value["file"]:
        return value
    return {**value, "file": rename(value["file"])}


def seen_from(folder: Path, file: str) -> str:
    """A path relative to the working directory as one relative to a *folder*; absolute paths stay."""
    if os.path.isabs(file):
        return file
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # on another drive
        return Path(file).absolute().as_posix()
