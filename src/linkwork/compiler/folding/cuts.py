"""Where a list is cut, so that stretches that repeat become sections that are equal.

First into many short pieces, at places that the marks around them tell, so that a stretch that comes twice is cut twice in
the same way, wherever it stands (as copies of data are found: Muthitacharoen, Chen and Mazières, *A Low-bandwidth Network
File System*, 2001). Then the pair of neighbours that comes most often is joined, again and again (Larsson and Moffat,
*Off-line dictionary-based compression*, 1999), up to a length that compiles quickly.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from linkwork.compiler.folding.marks import Integers

AROUND = 6  # marks before and behind a place that tell whether it is a cut
APART = 20  # a cut is the least of so many places before and behind it
SHORTEST, LONGEST = 8, 64  # operations of a piece
SECTION = 500  # operations of a section at most
REPEATED = 4  # what comes less often does not count as repeated
ALONE = 1_000  # operations of a section that is not repeated: the time to compile one grows faster than its length


def sections_of(marks: Integers) -> Integers:
    """The places where sections begin, and the end of the list."""
    if not len(marks):
        return np.zeros(1, dtype=np.int64)
    cuts = _pieces(marks)
    kinds, lengths = _kinds_of(marks, cuts), np.diff(cuts)
    return np.concatenate([[0], np.cumsum(_joined_rare(*_joined_pairs(kinds, lengths)))])


def _pieces(marks: Integers) -> Integers:
    """The cuts into pieces: places whose surroundings have the least digest of all nearby, neither too near nor too far."""
    digests = _digests(marks)
    padded = np.pad(digests, APART, constant_values=np.iinfo(digests.dtype).max)
    least = np.flatnonzero(digests <= sliding_window_view(padded, 2 * APART + 1).min(axis=1))
    cuts, count = [0], len(marks)
    for place in [*least.tolist(), count]:
        while place - cuts[-1] > LONGEST:
            cuts.append(cuts[-1] + LONGEST)
        if place - cuts[-1] >= (1 if place == count else SHORTEST):
            cuts.append(place)
    return np.array(cuts, dtype=np.int64)


def _digests(marks: Integers) -> NDArray[np.uint64]:
    """A number for each place that depends on the marks around it and on nothing else."""
    mixed = np.pad(_mix(marks.astype(np.uint64)), AROUND)
    digests = np.zeros(len(marks), dtype=np.uint64)
    for j in range(2 * AROUND):
        digests += _mix(mixed[j : j + len(marks)] * np.uint64(2 * j + 1) + np.uint64(j))
    return digests


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Bits that look random (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014)."""
    z = numbers + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _kinds_of(marks: Integers, cuts: Integers) -> Integers:
    """The number of its kind for each piece: equal marks, equal number."""
    known: dict[bytes, int] = {}
    pieces = (marks[start:stop].tobytes() for start, stop in pairwise(cuts.tolist()))
    return np.array([known.setdefault(piece, len(known)) for piece in pieces])


def _joined_pairs(kinds: Integers, lengths: Integers) -> tuple[Integers, Integers]:
    """Neighbours that often come together are one."""
    count = int(kinds.max()) + 1
    while len(kinds) > 1:
        short = np.flatnonzero(lengths[:-1] + lengths[1:] <= SECTION)
        pairs, times = np.unique(kinds[short] * (count + 1) + kinds[short + 1], return_counts=True)
        # in a row of equal ones every second pair is left
        times = np.where(pairs // (count + 1) == pairs % (count + 1), times // 2, times)
        if not len(times) or times.max() < REPEATED:
            break
        first, second = divmod(int(pairs[times.argmax()]), count + 1)
        places = short[(kinds[short] == first) & (kinds[short + 1] == second)]
        places = _apart(places) if first == second else places
        kinds[places] = count
        lengths[places] += lengths[places + 1]
        kinds, lengths, count = np.delete(kinds, places + 1), np.delete(lengths, places + 1), count + 1
    return kinds, lengths


def _apart(places: Integers) -> Integers:
    """Of places in a row, where what stands there overlaps what stands at the next, every second one."""
    kept, last = list[int](), -2
    for place in places.tolist():
        if place > last + 1:
            kept.append(place)
            last = place
    return np.array(kept, dtype=np.int64)


def _joined_rare(kinds: Integers, lengths: Integers) -> Integers:
    """The lengths where neighbours that are not repeated are one."""
    rare = np.bincount(kinds)[kinds] < REPEATED
    joined, before = list[int](), False
    for length, now in zip(lengths.tolist(), rare.tolist(), strict=True):
        if now and before and joined[-1] + length <= ALONE:
            joined[-1] += length
        else:
            joined.append(length)
        before = now
    return np.array(joined, dtype=np.int64)
