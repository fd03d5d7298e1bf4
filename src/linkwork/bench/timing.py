"""How times are taken: processor time of this process, the best of several runs, which a busy machine disturbs least.

Every solver here runs in one thread, so that on an idle machine this is the time on the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import process_time


def best_time(function: Callable[[], object], count: int = 1, *, rounds: int = 25, limit: float = 5.0) -> float:
    """Seconds per item of a function that does *count* of them, the best of several rounds.

    *limit*: no new round begins after so many seconds.
    """
    best, begin = float("inf"), process_time()
    for _ in range(rounds):
        start = process_time()
        function()
        end = process_time()
        best = min(best, (end - start) / count)
        if end - begin > limit:
            break
    return best


def best_times(functions: Sequence[Callable[[], object]], *, rounds: int = 5, limit: float = 0.1) -> list[float]:
    """Seconds of each function, the best of several rounds through all: none has the bad minutes to itself.

    *limit*: seconds that a function may repeat itself within a round.
    """
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        best = [min(old, best_time(one, limit=limit)) for old, one in zip(best, functions, strict=True)]
    return best


def median_times(functions: Sequence[Callable[[], object]], *, rounds: int = 41, limit: float = 5.0) -> list[float]:
    """Seconds of each function, the median of so many rounds in which each of them is called once.

    *limit*: no new round begins after so many seconds.
    """
    times: list[list[float]] = [[] for _ in functions]
    begin = process_time()
    for _ in range(rounds):
        for own, function in zip(times, functions, strict=True):
            start = process_time()
            function()
            own.append(process_time() - start)
        if process_time() - begin > limit:
            break
    return [median(own) for own in times]
