"""Files that a description names: which of them may be read.

A model file may come from anywhere. What it names must be a regular file of a bounded size, in the folder of the model
file or below it; ``load(path, allow_outside=True)`` allows others. A model that is built in Python may name any file.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from linkwork.model.fields import refused

_FOLDER: ContextVar[Path | None] = ContextVar("folder that named files must be in", default=None)


@contextmanager
def files_within(folder: Path | None) -> Iterator[None]:
    """In the block, files that models name must lie in *folder*; None: anywhere."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


def allowed_file(name: str, most: int) -> Path:
    """The path of a file that may be read, of at most so many bytes; ModelError tells why it may not."""
    path, folder = Path(name), _FOLDER.get()
    try:
        real = Path(os.path.realpath(path))
        if folder is not None and not real.is_relative_to(os.path.realpath(folder)):
            raise refused(
                f"the file '{name}' lies outside the folder of the model file",
                "move it there, or allow it with load(path, allow_outside=True) (--allow-outside)",
            )
        status = real.stat()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        if isinstance(error, FileNotFoundError):
            raise refused(
                f"there is no file '{name}'", "a relative path starts at the folder of the model file"
            ) from None
        raise refused(f"the file '{name}' cannot be read: {reason}", "give its path from the model file") from None
    if not stat.S_ISREG(status.st_mode):
        raise refused(f"'{name}' is no regular file", "give the name of a file with numbers")
    if status.st_size > most:
        raise refused(f"the file '{name}' is larger than {most // 2**20} MB", "leave out what is not needed")
    return real
