"""The sweep over the settings of all solvers of a task: errors, and times of those that are right enough.

Error: the largest of what is observed at 101 times. Time: processor time of the integration alone, the best of several
rounds through all solvers; models are built and compiled before. What is read off a run, such as its energy, is not timed.
"""

from __future__ import annotations

import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from linkwork.bench.peers.base import Contender, Timed
from linkwork.bench.task import Task
from linkwork.bench.timing import best_times
from linkwork.results.comparison import Setting

LARGEST, LOOSE = 1.0, 100.0  # error beyond which a setting says nothing; that of a task with a looser limit, over it
LONGEST = 20.0  # s, after which any run is given up


@dataclass(frozen=True)
class Pace:
    """longest [s] of a run beyond which finer settings are left out; rounds of timing, each of *limit* seconds."""

    longest: float = 2.0
    rounds: int = 5
    limit: float = 0.05


QUICK = Pace(0.05, 3, 0.01)


def measure(
    task: Task,
    contenders: Sequence[Contender],
    effort: Pace,
    told: Callable[[str], object] = print,
) -> dict[str, list[Setting]]:
    """All settings of all solvers that finish in time, by the names of solvers; *told*: what is refused, and why."""
    kept: list[tuple[Contender, float, float, Timed]] = []
    for contender in contenders:
        for setting in contender.settings:
            tried = attempt(task, contender, setting, told, 20 * effort.longest)
            if tried is None:
                continue
            run, error, seconds = tried
            if run is None:
                break
            if error < max(LARGEST, LOOSE * task.accuracy):
                kept.append((contender, setting, error, run))
            if seconds > effort.longest:
                break
    times = best_times([run for *_, run in kept], rounds=effort.rounds, limit=effort.limit)
    results: dict[str, list[Setting]] = {contender.name: [] for contender in contenders}
    for (contender, setting, error, _), seconds in zip(kept, times, strict=True):
        results[contender.name].append(Setting(setting, error, seconds))
    return {name: points for name, points in results.items() if points}


def attempt(
    task: Task, contender: Contender, setting: float, told: Callable[[str], object] = print, patience: float = LONGEST
) -> tuple[Timed | None, float, float] | None:
    """A run with its error and the seconds that it took; None where it is refused, and no run where it takes too long."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run = contender.prepare(setting)
            with _patience(min(patience, LONGEST)):
                start = time.process_time()
                found = run()
                seconds = time.process_time() - start
            return run, task.error(contender.read(found)), seconds
        except TimeoutError as error:
            told(f"{task.name}, {contender.name}, {setting:g}: {error}; nor are finer settings tried")
            return None, np.inf, patience
        except Exception as error:  # programs fail in many ways, and others have to go on
            told(
                f"{task.name}, {contender.name}, {setting:g}: {(str(error) or type(error).__name__).splitlines()[0][:120]}"
            )
            return None


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """End what takes longer, where the system can and Python is asked now and then."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise TimeoutError(f"not done in {seconds:.3g} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
