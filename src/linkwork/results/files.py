"""Files are written whole or not at all, and never over an older one unless that was asked for."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from linkwork.errors import ResultError


def refuse_existing(path: Path, *, overwrite: bool) -> None:
    """Complain if *path* exists and may not be replaced, or if its folder is missing."""
    if not path.parent.is_dir():
        raise ResultError(f"cannot write '{path}': the folder '{path.parent}' does not exist; create it first")
    if path.is_dir():
        raise ResultError(f"cannot write '{path}': it is a folder; give the name of a file in it")
    if path.exists() and not overwrite:
        raise ResultError(f"'{path}' exists already; choose another name, or allow it with overwrite=True (--force)")


@contextmanager
def written_whole(path: str | Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give a temporary path beside *path*; what was written there becomes *path* when the block ends well."""
    target = Path(path)
    refuse_existing(target, overwrite=overwrite)
    handle, name = tempfile.mkstemp(prefix=f".{target.stem[:40]}-", suffix=target.suffix, dir=target.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(0o666 & ~_umask())
        refuse_existing(target, overwrite=overwrite)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def write_rows(path: str | Path, rows: Iterable[Sequence[object]], *, overwrite: bool = False) -> Path:
    """Write rows as comma-separated values."""
    with written_whole(path, overwrite=overwrite) as part, part.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return Path(path)


def _umask() -> int:
    """The process's file mode mask (reading it means setting it, briefly)."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
