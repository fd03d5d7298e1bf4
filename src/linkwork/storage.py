"""Files that appear whole or not at all: written under a hidden name in the same folder, and renamed when complete."""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

LEFT_OVER = 24 * 3600.0  # s after which a temporary file belongs to nobody
_PART = re.compile(r"\.linkwork-([0-9a-f]{8})-([0-9]+)-")


@contextmanager
def replaced(target: Path, agree: Callable[[Path], object] = lambda part: None) -> Iterator[Path]:
    """Give a temporary path beside *target*; what was written there becomes *target* when the block ends well.

    agree: is called with the complete file before it takes its place, and may raise. OSError tells of a full disk or a
    folder that cannot be written to; the older file stays as it was, and nothing is left behind.
    """
    target = target.resolve() if target.is_symlink() else target
    remove_left_over(target.parent)
    handle, name = new_part(target)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        part.chmod(_mode(target))
        with part.open("rb+") as file:
            os.fsync(file.fileno())  # a full disk may tell only now
        agree(part)
        os.replace(part, target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def new_part(target: Path) -> tuple[int, str]:
    """A new hidden file beside *target*, open; its name tells the machine and the process that writes it."""
    mark = f".linkwork-{_host()}-{os.getpid()}-"
    return tempfile.mkstemp(prefix=mark, suffix=target.suffix[:40], dir=target.parent)


def remove_left_over(folder: Path) -> None:
    """Remove the temporary files of programs that were killed while they wrote to *folder*."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _PART.match(entry.name)
            if found is None:
                continue
            with suppress(OSError):
                gone = found[1] == _host() and not _lives(int(found[2]))
                if gone or time.time() - entry.stat(follow_symlinks=False).st_mtime > LEFT_OVER:
                    os.unlink(entry.path)


def _host() -> str:
    return sha256(platform.node().encode()).hexdigest()[:8]


def _lives(process: int) -> bool:
    """Whether a process of this machine exists; where that cannot be asked without harm, it does."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _mode(target: Path) -> int:
    """The mode of the older file, or what a new one gets (reading the mask means setting it, briefly)."""
    if target.is_file():
        return target.stat().st_mode & 0o777
    mask = os.umask(0o022)
    os.umask(mask)
    return 0o666 & ~mask
