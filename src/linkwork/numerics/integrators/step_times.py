"""Times of the steps of a run, in memory that does not grow without end."""

from __future__ import annotations

import numpy as np

from linkwork.arrays import Array

MOST = 1 << 20  # times that are kept, 8 MB


class StepTimes:
    """The start of a run and the ends of its steps. Beyond MOST steps every second of them is kept, then every fourth, and
    so on; the start and the last two are always there."""

    def __init__(self, start: float) -> None:
        self._kept: list[Array] = [np.array([start])]
        self._size, self._seen, self._stride = 1, 1, 1
        self._last = self._kept[0]

    def add(self, times: Array) -> None:
        """Add the ends of the steps that follow."""
        if not times.size:
            return
        first = -self._seen % self._stride
        self._kept.append(times[first :: self._stride].copy())
        self._size += self._kept[-1].size
        self._seen += times.size
        self._last = np.concatenate([self._last[-1:], times[-2:]])[-2:]
        while self._size > MOST:
            self._kept = [np.concatenate(self._kept)[::2].copy()]
            self._size, self._stride = self._kept[0].size, 2 * self._stride

    def array(self) -> Array:
        """All that are kept, in the order of time."""
        kept = np.concatenate(self._kept)
        return kept if self._stride == 1 else np.union1d(kept, self._last)
