"""The cross test at length: python benchmarks/crossings.py --cells 5000 --seed 0 --processes 2 --report crossings.jsonl

Every cell is a mechanism of the library with forces that jump, springs, dampers and drivers added, in some combination of
coordinates, formulation and integrator; see tests/references/crossings.py. What is neither right nor refused is told. The
report has a line for every cell, written as soon as it is known; cells that are in it already are not run again.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Process, Queue
from pathlib import Path
from queue import Empty

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "references"))

from crossing_checks import ENDLESS, GOOD, RAW, check
from crossings import GROUP, cells

LIMIT = 60.0  # s of the processor for one cell, after which it counts as one that never ends
GRACE = 60.0  # s more for the first cell of a group, whose model is compiled and whose usual run is made
WAITED = 10  # times that, on a machine that has other things to do


@dataclass(frozen=True)
class Answer:
    """A cell, what it is worth and how long it took; as a line of the report."""

    number: int
    kind: str
    text: str
    seconds: float

    @property
    def line(self) -> str:
        return json.dumps(self.__dict__)


def _work(seed: int, numbers: list[int], answers: Queue[Answer]) -> None:
    for number in numbers:
        # the signal ends the process, wherever it is
        signal.setitimer(signal.ITIMER_PROF, LIMIT + GRACE * (number == numbers[0]))
        begun = time.process_time()
        try:
            (cell,) = cells(seed, [number])
            found = check(cell)
            kind, text = found.kind, str(found)
        except Exception as error:
            kind, text = RAW, f"{RAW}: cell {number}: {type(error).__name__}: {error}"
        answers.put(Answer(number, kind, text, round(time.process_time() - begun, 2)))


class Worker:
    """A process that works through groups of cells, and is begun anew where one never ends."""

    def __init__(self, seed: int) -> None:
        self.seed, self.left, self.since, self.fresh = seed, list[int](), 0.0, True

    def begin(self, numbers: list[int]) -> None:
        self.answers: Queue[Answer] = Queue()
        self.left, self.since, self.fresh = numbers, time.perf_counter(), True
        self.process = Process(target=_work, args=(self.seed, numbers, self.answers), daemon=True)
        self.process.start()

    def poll(self) -> Iterator[Answer]:
        """What it has found, if anything."""
        try:
            found = self.answers.get(timeout=0.2)
        except Empty:
            waited = time.perf_counter() - self.since
            if waited < WAITED * (LIMIT + GRACE * self.fresh) and self.process.is_alive():
                return
            self.process.kill()
            self.process.join()
            text = f"{ENDLESS} or killed: {next(cells(self.seed, self.left[:1]))}"
            found = Answer(self.left[0], ENDLESS, text, round(waited, 2))
            if self.left[1:]:
                self.begin(self.left[1:])
        else:
            self.since, self.fresh, self.left = time.perf_counter(), False, self.left[1:]
        if found.kind == ENDLESS and self.left[:1] == [found.number]:
            self.left = []
        yield found


def _run(seed: int, numbers: list[int], processes: int) -> Iterator[Answer]:
    """All cells, each group by one process."""
    groups = [[n for n in numbers if n // GROUP == g] for g in dict.fromkeys(n // GROUP for n in numbers)]
    workers = [Worker(seed) for _ in range(processes)]
    while groups or any(worker.left for worker in workers):
        for worker in workers:
            if not worker.left and groups:
                worker.begin(groups.pop(0))
            if worker.left:
                yield from worker.poll()


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--cells", type=int, default=5000)
    reader.add_argument("--from", dest="first", type=int, default=0)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--processes", type=int, default=1)
    reader.add_argument("--report", type=Path, default=None)
    given = reader.parse_args()
    known: list[Answer] = []
    if given.report is not None and given.report.exists():
        known = [Answer(**json.loads(line)) for line in given.report.read_text().splitlines()]
    done, begun = {answer.number for answer in known}, time.perf_counter()
    left = [n for n in range(given.first, given.first + given.cells) if n not in done]
    counts = Counter(answer.kind for answer in known)
    for answer in _run(given.seed, left, given.processes):
        counts[answer.kind] += 1
        if answer.kind not in GOOD:
            print(answer.text, flush=True)
        if given.report is not None:
            with given.report.open("a") as report:
                report.write(answer.line + "\n")
    print(f"{dict(counts)} in {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
