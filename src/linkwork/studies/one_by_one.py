"""Variants one by one: in this process, and on all cores as soon as that is worth the start of others."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence

from linkwork.errors import RefusedError
from linkwork.studies.processes import UnknownThereError, ask_in_processes, framed
from linkwork.studies.question import Answered, Question
from linkwork.studies.variants import GivenVariants

START_UP = 3.0  # s that other processes need before they answer


def cores() -> int:
    """How many cores this process may use."""
    known = getattr(os, "sched_getaffinity", None)
    return len(known(0)) if known is not None else os.cpu_count() or 1


def check_workers(workers: int | None) -> int:
    """How many cores are used."""
    if workers is None:
        return cores()
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise RefusedError(f"workers = {workers!r}: give how many cores are used, such as {cores()}")
    return workers


class OneByOne:
    """Asks the verb for one variant after the other. notes: what is to be said of how that happened."""

    def __init__(self, question: Question, given: GivenVariants, workers: int) -> None:
        self.question, self.given, self.workers = question, given, workers
        self.notes: list[str] = []
        self._here = workers == 1  # whether no other process is asked

    def answers(self, numbers: Sequence[int]) -> Iterator[tuple[int, Answered]]:
        """Answers as they come, each with the number of its variant."""
        left = list(numbers)
        if left:
            self.question.begin()
        began, first = time.monotonic(), True
        while left:
            number = left.pop(0)
            yield number, self.question.ask(self.given.of(number))
            if first:  # which compiles
                began, first, count = time.monotonic(), False, len(left)
            elif self._worth_it(time.monotonic() - began, count - len(left), len(left)):
                yield from self._in_processes(left)
                return

    def _worth_it(self, passed: float, done: int, left: int) -> bool:
        """Whether processes would be sooner, their start included."""
        if self._here:
            return False
        alone = passed / done * left
        return alone > START_UP + alone / min(self.workers, left or 1)

    def _in_processes(self, left: list[int]) -> Iterator[tuple[int, Answered]]:
        asked = set(left)
        try:
            framed(self.question)
            for number, answer in ask_in_processes(self.question, self.given, left, self.workers):
                asked.discard(number)
                yield number, answer
        except UnknownThereError as reason:
            self.notes.append(f"on one core: what is asked cannot be handed to other processes ({reason})")
            self._here = True
            yield from self.answers([number for number in left if number in asked])
