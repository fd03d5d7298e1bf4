"""Files that a description names: relative to its own folder in a model file, to the working directory in Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def with_files(data: Mapping[str, Any], rename: Callable[[str], str]) -> Mapping[str, Any]:
    """The same plain data with the mesh files of all bodies renamed; whatever is not as it should be stays."""
    bodies = data.get("bodies")
    if not isinstance(bodies, Mapping):
        return data
    return {**data, "bodies": {name: _body(body, rename) for name, body in bodies.items()}}


def _body(body: Any, rename: Callable[[str], str]) -> Any:
    mesh = body.get("mesh") if isinstance(body, Mapping) else None
    if not isinstance(mesh, Mapping) or not isinstance(mesh.get("file"), str) or not mesh["file"]:
        return body
    return {**body, "mesh": {**mesh, "file": rename(mesh["file"])}}


def seen_from(folder: Path, file: str) -> str:
    """A path relative to the working directory as one relative to a *folder*; absolute paths stay."""
    if os.path.isabs(file):
        return file
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # on another drive
        return Path(file).absolute().as_posix()
