"""Files are written whole or not at all; older ones are replaced where Linkwork wrote them, foreign ones when asked for.

``overwrite`` means the same everywhere: None replaces what Linkwork itself wrote and refuses foreign files, True replaces
any file, False none. With None, a file that would get the content that it has already is no obstacle.
"""

from __future__ import annotations

import csv
import filecmp
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from linkwork.algebra.given import FilePath
from linkwork.answer.own_files import is_own
from linkwork.errors import ResultError
from linkwork.storage import new_part, replaced


def refuse_existing(path: Path, *, overwrite: bool | None) -> None:
    """Complain if *path* cannot be written: it may not be replaced, or its folder is missing or cannot be written to."""
    _check_folder(path)
    _check_target(path, overwrite)
    try:
        handle, name = new_part(path)
        os.close(handle)
        os.unlink(name)
    except OSError as error:
        raise _unwritten(path, error) from None


@contextmanager
def written_whole(path: FilePath, *, overwrite: bool | None = None) -> Iterator[Path]:
    """Give a temporary path beside *path*; what was written there becomes *path* when the block ends well.

    A full disk, or anything else that the system refuses, is a ResultError; the older file stays as it was.
    """
    target = Path(path)
    _check_folder(target)

    def agree(part: Path) -> None:
        if overwrite is not None or not _same(part, target):
            _check_target(target, overwrite)

    try:
        with replaced(target, agree) as part:
            yield part
    except OSError as error:
        raise _unwritten(target, error) from error


def write_bytes(path: FilePath, content: bytes, *, overwrite: bool | None = None) -> Path:
    """Write *content* whole."""
    with written_whole(path, overwrite=overwrite) as part:
        part.write_bytes(content)
    return Path(path)


def write_rows(path: FilePath, rows: Iterable[Sequence[object]], *, overwrite: bool | None = None) -> Path:
    """Write rows as comma-separated values; the first one is the heading, whose names are quoted."""
    first, *others = rows
    with written_whole(path, overwrite=overwrite) as part, part.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_NONNUMERIC).writerow(first)
        csv.writer(file).writerows(others)
    return Path(path)


def _check_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise ResultError(f"cannot write '{path}': the folder '{path.parent}' does not exist; create it first")


def _check_target(path: Path, overwrite: bool | None) -> None:
    """Complain if something stands at *path* that may not be replaced."""
    if path.is_dir():
        raise ResultError(f"cannot write '{path}': it is a folder; give the name of a file in it")
    if not path.exists():
        return
    if not path.is_file():
        raise ResultError(f"cannot write '{path}': it is no regular file; give another name")
    if overwrite or (overwrite is None and is_own(path)):
        return
    foreign = "" if overwrite is False else " and was not written by Linkwork"
    raise ResultError(
        f"'{path}' exists already{foreign}; choose another name, or allow it with overwrite=True (--force)"
    )


def _unwritten(path: Path, error: OSError) -> ResultError:
    reason = error.strerror or str(error)
    return ResultError(f"cannot write '{path}': {reason[:1].lower()}{reason[1:]}; write it to another folder")


def _same(part: Path, target: Path) -> bool:
    """Whether the file is there already with this very content."""
    try:
        return target.is_file() and filecmp.cmp(part, target, shallow=False)
    except OSError:
        return False
