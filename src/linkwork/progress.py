"""How far long work has come: a line in a notebook or on the error stream of a terminal, after a second, with the time left.

Who works says so, ``with working("simulating") as done: done(0.3)``; of work inside other work the innermost is shown.
A thread of its own writes the line, as compiled code does not pause, and it is gone when the work is done. Where there is no
notebook, and the error stream is no terminal, nothing is written, and nothing is started.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

FIRST, EVERY = 1.0, 0.2  # s, until it is shown, and from one look to the next
ERASE = "\r\x1b[K"
Report = Callable[[float], object]
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(eq=False)
class _Work:
    """Something that takes a while; fraction: of it that is done, where that is known."""

    text: str
    began: float
    fraction: float = 0.0

    def reach(self, fraction: float) -> None:
        self.fraction = fraction

    def line(self, now: float) -> str:
        passed = now - self.began
        if not self.fraction > 0.0:
            return f"{self.text} ... {passed:.0f} s"
        left = round(passed * (1.0 - min(self.fraction, 1.0)) / self.fraction)
        return f"{self.text}: {100 * self.fraction:.0f} %, {left // 60}:{left % 60:02d} left"


class ShownLine(Protocol):
    """Where a line is shown, and taken away."""

    def show(self, line: str) -> None: ...

    def erase(self) -> None: ...


class Terminal:
    """The error stream."""

    def show(self, line: str) -> None:
        self._write(ERASE + line[: shutil.get_terminal_size().columns - 1])

    def erase(self) -> None:
        self._write(ERASE)

    def _write(self, text: str) -> None:
        """A terminal that is gone ends no work."""
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(text)
            sys.stderr.flush()


class Notebook:
    """An output of the cell that runs, changed in place."""

    def __init__(self) -> None:
        self._output: Any = None

    def show(self, line: str) -> None:
        if self._output is None:
            self._output = sys.modules["IPython"].display.DisplayHandle()
            self._output.display({"text/plain": line}, raw=True)
        else:
            self._output.update({"text/plain": line}, raw=True)

    def erase(self) -> None:
        if self._output is not None:
            self._output.update({"text/plain": ""}, raw=True)


_works: list[_Work] = []
_lock = threading.Lock()
_begun = threading.Event()
_thread: threading.Thread | None = None
_shown: ShownLine | None = None  # with a line on it


@contextmanager
def working(text: str, also: Report | None = None) -> Iterator[Report | None]:
    """Work that may take long; gives whom to tell the fraction that is done, or None where nobody looks.

    also: somebody else who wants to know
    """
    if _looked_at() is None:
        yield also
        return
    work = _Work("".join(letter if letter.isprintable() else "?" for letter in text), time.monotonic())

    def tell(fraction: float) -> None:
        work.reach(fraction)
        if also is not None:
            also(fraction)

    with _lock:
        _works.append(work)
    _watch()
    try:
        yield tell
    finally:
        with _lock:
            _works.remove(work)
            if not _works:
                _begun.clear()
                _erase()


def told(text: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A function that says, where it takes long, what it does: of work whose end is not known."""

    def wrapped(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def called(*given: P.args, **options: P.kwargs) -> T:
            with working(text):
                return function(*given, **options)

        return called

    return wrapped


def counted(items: Any, text: str) -> Iterator[Any]:
    """The items one after the other, with how many of them are done."""
    with working(text) as done:
        for i, item in enumerate(items):
            yield item
            if done is not None:
                done((i + 1) / len(items))


def notebook_shell() -> Any | None:
    """The shell of the notebook whose cell runs; None where there is no notebook."""
    python = sys.modules.get("IPython")  # who has one of its notebooks has loaded it
    shell = None if python is None else python.get_ipython()
    return shell if hasattr(shell, "kernel") else None


def _looked_at() -> type[ShownLine] | None:
    """Where somebody looks."""
    if notebook_shell() is not None:
        return Notebook
    try:
        return Terminal if sys.stderr.isatty() else None
    except (AttributeError, ValueError):  # there is none, it is closed, or somebody has put an object of his own there
        return None


def _watch() -> None:
    """Let the thread look; one of them serves the whole process."""
    global _thread
    _begun.set()
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_look, name="linkwork progress", daemon=True)
        _thread.start()


def _look() -> None:
    global _shown
    while _begun.wait():
        time.sleep(EVERY)
        with _lock:
            now = time.monotonic()
            if _works and now - _works[0].began >= FIRST and (kind := _looked_at()):
                _shown = _shown or kind()
                _shown.show(_works[-1].line(now))


def _erase() -> None:
    global _shown
    if _shown is not None:
        _shown.erase()
        _shown = None
