"""A content-addressed cache on disk: bytes under a key that names their content.

A cache may be lost at any time: an entry that is damaged, or a directory that cannot be written, is a miss and never
an error. Each entry carries a digest of its key and its bytes, because neither damaged machine code nor that of another
module must be executed. The entries lie in a folder that only its owner can enter; one that belongs to somebody else, or
that others may write to, is not used.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_DIGEST_BYTES = 32
_SUFFIX = ".bin"
_PRIVATE = 0o700
DEFAULT_LIMIT = 512 * 2**20  # bytes kept on disk


def cache_directory() -> Path:
    """Return the directory of the cache: the variable LINKWORK_CACHE, or the user's cache directory."""
    chosen = os.environ.get("LINKWORK_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base)) / "linkwork"


class ObjectCache:
    """Bytes by key, in one directory. Writing is atomic, so that several processes may share the directory."""

    def __init__(self, directory: Path | str | None = None, limit: int = DEFAULT_LIMIT) -> None:
        self.directory = (Path(directory) if directory is not None else cache_directory()) / "objects"
        self.limit = limit
        self._trimmed = False

    def __repr__(self) -> str:
        return f"ObjectCache({str(self.directory)!r})"

    def get(self, key: str) -> bytes | None:
        """Return the bytes stored under *key*; None if there are none, or if they are damaged."""
        path = self._path(key)
        try:
            if not self._private():
                return None
            stored = path.read_bytes()
        except OSError:
            return None
        digest, data = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
        if _digest(key, data) != digest:
            return None
        with suppress(OSError):  # the age of an entry counts from its last use
            os.utime(path)
        return data

    def put(self, key: str, data: bytes) -> None:
        """Store *data* under *key*; if that is not possible, nothing happens."""
        temporary = None
        try:
            self.directory.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                self.directory.mkdir(mode=_PRIVATE)
            if not self._private():
                return
            handle, temporary = tempfile.mkstemp(dir=self.directory, suffix=".tmp")
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(key, data))
                file.write(data)
            os.replace(temporary, self._path(key))
        except OSError:
            if temporary is not None:
                with suppress(OSError):
                    os.unlink(temporary)
            return
        if not self._trimmed:  # once per process is often enough
            self._trimmed = True
            self.trim()

    def clear(self) -> None:
        """Remove every entry."""
        self.trim(limit=0)

    def works(self) -> bool:
        """Whether an entry that is put there can be had back."""
        key = f"trial-{os.getpid()}"
        self.put(key, b"trial")
        found = self.get(key) == b"trial"
        with suppress(OSError):
            self._path(key).unlink()
        return found

    def size(self) -> int:
        """Bytes of all entries."""
        return sum(size for _, size, _ in self._entries())

    def _entries(self) -> list[tuple[int, int, Path]]:
        """Time of last use, size and file of every entry."""
        entries = []
        with suppress(OSError):
            for path in self.directory.glob(f"*{_SUFFIX}"):
                with suppress(OSError):
                    status = path.stat()
                    entries.append((status.st_mtime_ns, status.st_size, path))
        return entries

    def trim(self, limit: int | None = None) -> None:
        """Remove the entries that were not used for the longest time until at most *limit* bytes remain."""
        allowed, entries = self.limit if limit is None else limit, self._entries()
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries, key=lambda entry: entry[0]):
            if total <= allowed:
                return
            with suppress(OSError):
                path.unlink()
            total -= size

    def _path(self, key: str) -> Path:
        return self.directory / f"{key}{_SUFFIX}"

    def _private(self) -> bool:
        """Whether nobody else can have put entries into the folder; one of our own is closed to others."""
        if sys.platform == "win32":  # the user's folders are private there
            return True
        status = os.lstat(self.directory)
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            return False
        if status.st_mode & 0o022:  # others may have written to it: what it holds is not trusted
            self.trim(limit=0)
        if status.st_mode & 0o077:
            os.chmod(self.directory, _PRIVATE)
        return True


def _digest(key: str, data: bytes) -> bytes:
    """Of the name of an entry and its bytes: a renamed entry is another one."""
    return hashlib.sha256(len(key).to_bytes(8, "little") + key.encode() + data).digest()
