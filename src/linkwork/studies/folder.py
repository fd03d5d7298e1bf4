"""A study on disk while it goes on: a folder with what was asked, and files of what was found, each whole with its checksum.

    study.json   what was asked: the key of model, verb, options, variants and quantities, each with a digest of its own
    0001.part    some variants: numbers, values, peaks and outcomes, sealed as result files are

Whoever asks the same question again goes on with the variants that are in no file. A file that is damaged counts as none.
One process at a time works on a folder: it locks the head, and the system unlocks it however the process ends.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from linkwork.algebra.given import FilePath
from linkwork.answer.files import write_bytes
from linkwork.errors import ResultError, warn_user
from linkwork.results.checksum import sealed, unsealed
from linkwork.results.outcome import Outcome, Status
from linkwork.studies.collected import Portion, joined

HEAD = "study.json"
PART = re.compile(r"[0-9]{4,}\.part")
FORMAT = 1
EVERY, LARGE = 5.0, 1 << 26  # s, and bytes, after which what was found is written


def digest(content: str | bytes) -> str:
    """A name of some content."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()[:32]


@dataclass(eq=False)
class StudyFolder:
    """The folder of one study; *asked*: digests of all that was asked, by what it is."""

    path: Path
    asked: Mapping[str, str]
    damaged: list[str] = field(default_factory=list)
    unwritten: str = ""  # why what was found last is not on disk

    def __post_init__(self) -> None:
        self._waiting: list[Portion] = []
        self._written, self._count = time.monotonic(), 0

    @classmethod
    def begin(cls, path: FilePath, asked: Mapping[str, str]) -> StudyFolder:
        """The folder, new or with what was found of the same study; another one is refused."""
        folder = cls(Path(path), asked)
        try:
            folder.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ResultError(f"folder '{path}': {error.strerror or error}; give another one") from None
        head = folder.path / HEAD
        if head.exists():
            folder._check(head)
        elif any(folder.path.iterdir()):
            raise ResultError(f"folder '{path}' has other files and no study in it; give a new or an empty one")
        else:
            content = {"program": "Linkwork", "format": FORMAT, "asked": dict(asked)}
            write_bytes(head, json.dumps(content, indent=1).encode(), overwrite=True)
        folder._lock(head)
        return folder

    def _lock(self, head: Path) -> None:
        self._head = head.open("rb")
        try:
            from fcntl import LOCK_EX, LOCK_NB, flock
        except ImportError:  # systems without such locks: parts have names of their own all the same
            return
        try:
            flock(self._head, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            self.close()
            raise ResultError(
                f"another process is at work on folder '{self.path}'; wait until it has ended, or give another folder"
            ) from None
        except OSError:  # a file system that knows no locks
            return

    def close(self) -> None:
        """Let others go on with it."""
        self._head.close()

    def _check(self, head: Path) -> None:
        try:
            content = json.loads(head.read_text(encoding="utf-8"))
            known, version = dict(content["asked"]), int(content["format"])
        except (OSError, ValueError, KeyError, TypeError):
            raise ResultError(f"'{head}' cannot be read as the head of a study; give another folder") from None
        if version > FORMAT:
            raise ResultError(f"folder '{self.path}' was written by a newer Linkwork; give another folder")
        other = [what for what in {**known, **self.asked} if known.get(what) != self.asked.get(what)]
        if other:
            raise ResultError(
                f"folder '{self.path}' holds another study: {' and '.join(other)} differ; give another folder, or ask "
                "the same question to go on with it"
            )

    def found(self) -> Iterator[Portion]:
        """What the files of the folder hold."""
        for path in sorted(item for item in self.path.iterdir() if PART.fullmatch(item.name)):
            self._count = max(self._count, int(path.stem))
            content = unsealed(path.read_bytes())
            if content is None:
                self.damaged.append(path.name)
            else:
                yield _read(content)

    def keep(self, portion: Portion) -> None:
        """Write what was found, with what waits already when that is much or has waited long."""
        self._waiting.append(portion)
        waited = time.monotonic() - self._written
        if waited > EVERY or sum(item.nbytes for item in self._waiting) > LARGE:
            self.write()

    def write(self) -> None:
        """Write all that waits; where that fails, it waits on."""
        self._written = time.monotonic()
        if not self._waiting:
            return
        self._count += 1
        while (path := self.path / f"{self._count:04d}.part").exists():
            self._count += 1
        try:
            write_bytes(path, sealed(_content(joined(self._waiting))), overwrite=False)
        except ResultError as error:
            if not self.unwritten:
                warn_user(f"{error}. The study goes on, and what it finds is kept in memory alone", UserWarning)
            self.unwritten = str(error)
        else:
            self._waiting, self.unwritten = [], ""


def _content(portion: Portion) -> bytes:
    told = [asdict(outcome) | {"status": outcome.status.name} for outcome in portion.outcomes]
    text = json.dumps({"outcomes": told, "words": portion.words}).encode()
    memory = io.BytesIO()
    np.savez(
        memory,
        numbers=portion.numbers,
        values=portion.values,
        peaks=portion.peaks,
        told=np.frombuffer(text, dtype=np.uint8),
    )
    return memory.getvalue()


def _read(content: bytes) -> Portion:
    with np.load(io.BytesIO(content)) as arrays:
        told = json.loads(arrays["told"].tobytes().decode())
        outcomes = tuple(Outcome(**entry | {"status": Status[entry["status"]]}) for entry in told["outcomes"])
        return Portion(arrays["numbers"], arrays["values"], arrays["peaks"], outcomes, tuple(told["words"]))
