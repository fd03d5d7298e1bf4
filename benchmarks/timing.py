"""How times are taken: the best of several runs, which a busy machine disturbs least."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence


def best_time(function: Callable[[], object], count: int = 1, *, rounds: int = 25, limit: float = 5.0) -> float:
    """Seconds per item of a function that does *count* of them, the best of several rounds.

    *limit*: no new round begins after so many seconds.
    """
    best, begin = float("inf"), time.perf_counter()
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        end = time.perf_counter()
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
