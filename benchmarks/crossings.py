"""The cross test at length: python benchmarks/crossings.py --cells 5000 --seed 0 --from 0 --report crossings.txt

Every cell is a mechanism of the library with forces that jump, springs, dampers and drivers added, in some combination of
coordinates, formulation and integrator; see tests/references/crossings.py. What is neither right nor refused is told.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from multiprocessing import Process, Queue
from pathlib import Path
from queue import Empty

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "references"))

from crossings import GOOD, Verdict, cells, check

LIMIT = 600.0  # s for one cell, after which it counts as one that never ends


def _work(seed: int, numbers: list[int], answers: Queue[tuple[int, str, str]]) -> None:
    for number in numbers:
        try:
            (cell,) = cells(seed, [number])
            found: Verdict = check(cell)
            answers.put((number, found.kind, str(found)))
        except Exception as error:
            answers.put((number, "RAW", f"RAW: cell {number}: {type(error).__name__}: {error}"))


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--cells", type=int, default=5000)
    reader.add_argument("--from", dest="first", type=int, default=0)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--report", type=Path, default=None)
    given = reader.parse_args()
    counts: Counter[str] = Counter()
    left, begun = list(range(given.first, given.first + given.cells)), time.perf_counter()
    lines: list[str] = []
    while left:
        answers: Queue[tuple[int, str, str]] = Queue()
        worker = Process(target=_work, args=(given.seed, left, answers))
        worker.start()
        while left:
            try:
                number, kind, text = answers.get(timeout=LIMIT)
            except Empty:
                number, kind, text = left[0], "ENDLESS", f"ENDLESS or killed: cell {left[0]} of seed {given.seed}"
                worker.kill()
            left.remove(number)
            counts[kind] += 1
            if kind not in GOOD:
                lines.append(text)
                print(text, flush=True)
                if given.report is not None:
                    given.report.write_text("\n".join([str(dict(counts)), *lines]) + "\n")
            if kind == "ENDLESS":
                break
        worker.join()
    print(f"{dict(counts)} in {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
