"""Variants one by one on all cores: each in a process of its own, as most of the work around a run is Python.

The processes are started with the interpreter alone: nothing of a script or a notebook runs in them again. One that is lost
takes the variant with it that it was at, which is told, and another one takes its place.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue
from typing import cast

from linkwork.studies.question import Answered, Question
from linkwork.studies.variants import GivenVariants
from linkwork.studies.worker import receive, send


class UnknownThereError(Exception):
    """Another process does not know what the question is about; says what."""


class Worker:
    """One process with the question."""

    def __init__(self, question: bytes) -> None:
        places = [item or os.getcwd() for item in sys.path]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "linkwork.studies.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
            start_new_session=True,  # an interrupt is for this process alone
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        try:
            self._in.write(question)
            self._in.flush()
            told = receive(self._out)
        except (EOFError, OSError):
            raise UnknownThereError(f"other processes cannot be started: {self.end}") from None
        if told:
            raise UnknownThereError(told)

    def ask(self, parameters: dict[str, float]) -> Answered | None:
        """The answer for a variant, None where the process is lost."""
        try:
            send(self._in, parameters)
            return cast(Answered, receive(self._out))
        except (EOFError, OSError):
            return None

    @property
    def end(self) -> str:
        """How it ended, in words."""
        code = self._process.wait()
        return f"the process was ended by signal {-code}" if code < 0 else f"the process ended with code {code}"

    def close(self) -> None:
        """End it, whatever it is at."""
        with suppress(OSError):
            self._in.close()
        self._process.kill()
        self._process.wait()
        self._out.close()


def framed(question: Question) -> bytes:
    """The question as processes read it."""
    try:
        data = pickle.dumps(question)
    except Exception as error:  # whatever a user's class says
        raise UnknownThereError(f"{type(error).__name__}: {error}") from None
    return len(data).to_bytes(8, "little") + data


def ask_in_processes(
    question: Question, given: GivenVariants, numbers: Sequence[int], workers: int
) -> Iterator[tuple[int, Answered]]:
    """Answers as they come, each with the number of its variant."""
    pool = _Pool(question, given, numbers)
    try:
        yield from pool.run(min(workers, len(numbers)))
    finally:
        pool.close()


class _Pool:
    """Threads of this process, each with a worker whom it asks for one variant after the other."""

    def __init__(self, question: Question, given: GivenVariants, numbers: Sequence[int]) -> None:
        self.question, self.given, self._framed = question, given, framed(question)
        self._left: Queue[int] = Queue()
        for number in numbers:
            self._left.put(number)
        self._count = len(numbers)
        self._found: Queue[tuple[int, Answered] | BaseException] = Queue()
        self._workers: set[Worker] = set()
        self._lock, self._closed = threading.Lock(), False

    def run(self, workers: int) -> Iterator[tuple[int, Answered]]:
        for _ in range(workers):
            threading.Thread(target=self._serve, daemon=True, name="linkwork study").start()
        for _ in range(self._count):
            found = self._found.get()
            if isinstance(found, BaseException):
                raise found
            yield found

    def _serve(self) -> None:
        try:
            worker = self._begin()
            while worker is not None:
                number = self._left.get_nowait()
                answer = worker.ask(self.given.of(number))
                if answer is None:
                    if self._closed:
                        return
                    answer = self.question.unanswered(f"{worker.end} while it was at this variant")
                    self._drop(worker)
                    worker = self._begin()
                self._found.put((number, answer))
        except Empty:
            return
        except BaseException as error:
            self._found.put(error)

    def _begin(self) -> Worker | None:
        worker = Worker(self._framed)
        with self._lock:
            if not self._closed:
                self._workers.add(worker)
                return worker
        worker.close()
        return None

    def _drop(self, worker: Worker) -> None:
        with self._lock:
            self._workers.discard(worker)
        worker.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            workers, self._workers = self._workers, set()
        for worker in workers:
            worker.close()
