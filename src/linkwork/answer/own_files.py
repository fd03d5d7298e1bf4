"""Which files Linkwork wrote: told by a mark in their content, never by their names.

Results end with a checksum, pages name their generator, pictures and films their software, tables have a heading whose names
are all quoted. Model files carry no mark: they belong to whoever edits them.
"""

from __future__ import annotations

import mmap
import re
from pathlib import Path

HEAD = 1024 * 1024  # bytes in which the mark of a page, a picture or a table must stand
SOFTWARE = "Linkwork"
JSON_HEAD = f'{{\n "program": "{SOFTWARE}",'
RESULT_MARKS = (b"linkwork_format", b"linkwork_checksum")  # names of attributes, which HDF5 keeps as plain bytes
HEAD_MARKS = (
    f'<meta name="generator" content="{SOFTWARE}">'.encode(),
    b"Software\0" + SOFTWARE.encode(),  # PNG
    f"%%Creator: {SOFTWARE}".encode(),  # PostScript
    f"<dc:title>{SOFTWARE}</dc:title>".encode(),  # SVG
    b"\x21\xfe" + bytes([len(SOFTWARE)]) + SOFTWARE.encode(),  # GIF, a comment
    b"\xa9cmt"
    + (16 + len(SOFTWARE)).to_bytes(4, "big")
    + b"data\0\0\0\1\0\0\0\0"
    + SOFTWARE.encode(),  # MP4, a comment
)
PDF, PDF_MARK = b"%PDF-", f"/Creator ({SOFTWARE})".encode()
HDF5 = b"\x89HDF\r\n\x1a\n"
# every name quoted, numbers not, and a unit in brackets (or a table of modes or facts, which may have none)
TABLE_HEAD = re.compile(rb'(?:"(?:[^"]|"")*"|[-+.\w]*)(?:,(?:"(?:[^"]|"")*"|[-+.\w]*))*\r\n')
TABLE_MARK = re.compile(rb'"mode"|"fact","value"|"[^"]+ \[[^"\]]+\]')


def is_own(path: Path) -> bool:
    """Whether the file at *path* was written by Linkwork; one that cannot be read is not."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
            if any(mark in head for mark in HEAD_MARKS) or head.startswith(JSON_HEAD.encode()):
                return True
            if head.startswith(HDF5):
                return _holds(file.fileno(), RESULT_MARKS)
            if head.startswith(PDF):
                return _holds(file.fileno(), (PDF_MARK,))
            heading = TABLE_HEAD.match(head)
            return heading is not None and TABLE_MARK.search(heading[0]) is not None
    except (OSError, ValueError):
        return False


def _holds(descriptor: int, marks: tuple[bytes, ...]) -> bool:
    with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as content:
        return any(content.find(mark) >= 0 for mark in marks)
