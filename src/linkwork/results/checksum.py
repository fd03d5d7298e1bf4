"""The checksum of a result file, in a trailer behind its HDF5 content, where HDF5, netCDF and MATLAB do not look.

    content | 8 bytes: its length | 32 bytes: SHA-256 of the content | 16 bytes: mark

HDF5 libraries take a damaged file for a whole one and may fail in any way, or never end: nothing is given to them before
its checksum was right.
"""

from __future__ import annotations

import hashlib
import mmap
from pathlib import Path

from linkwork.answer.own_files import HDF5, RESULT_MARKS
from linkwork.errors import ResultError

MARK = b"LINKWORK-SHA-256"
LENGTH, DIGEST = 8, 32
TRAILER = LENGTH + DIGEST + len(MARK)
CHECKED = 2  # the first format with a checksum


def sealed(content: bytes) -> bytes:
    """The content with its trailer."""
    return content + len(content).to_bytes(LENGTH, "little") + hashlib.sha256(content).digest() + MARK


def check_content(path: Path) -> bool:
    """Whether the file has a checksum, which is right; older files have none. ResultError tells what is wrong."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return _check(path, content)
    except (OSError, ValueError) as error:  # ValueError: an empty file
        reason = (error.strerror if isinstance(error, OSError) else None) or "it is empty"
        raise ResultError(f"'{path}' is not a readable Linkwork result ({reason})") from None


def _check(path: Path, content: mmap.mmap) -> bool:
    size = len(content) - TRAILER
    if size > 0 and content[-len(MARK) :] == MARK:
        length = int.from_bytes(content[size : size + LENGTH], "little")
        if length == size and _digest(content, size) == content[size + LENGTH : size + LENGTH + DIGEST]:
            return True
        raise ResultError(f"'{path}' is damaged: its checksum is wrong; take a copy, or run the model again")
    older, newer = RESULT_MARKS
    if content.find(newer) >= 0:
        raise ResultError(f"'{path}' is damaged or was cut off: its checksum is missing; take a copy of it")
    if content[: len(HDF5)] != HDF5:
        raise ResultError(f"'{path}' is not a readable Linkwork result (it does not begin as a netCDF-4 file)")
    if content.find(older) < 0:
        raise ResultError(f"'{path}' is a netCDF file, but not one that Linkwork wrote")
    return False


def _digest(content: mmap.mmap, size: int) -> bytes:
    with memoryview(content) as view, view[:size] as part:
        return hashlib.sha256(part).digest()


def unsealed(content: bytes) -> bytes | None:
    """What `sealed` was given, None where that is damaged."""
    size = len(content) - TRAILER
    whole = size >= 0 and sealed(content[:size]) == content
    return content[:size] if whole else None
