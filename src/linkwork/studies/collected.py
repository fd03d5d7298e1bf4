"""What has been found so far: a row of each variant, in the order of the variants whoever found it first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.results.outcome import Outcome
from linkwork.results.study import NOT_BEGUN
from linkwork.results.study_store import PEAKS
from linkwork.studies.question import Question

MOST = 5 * 10**8  # numbers that are kept
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Portion:
    """What was found of some variants (n): their numbers, values (n, ...), peaks (n, quantities, 4), outcomes and words."""

    numbers: Numbers
    values: Array
    peaks: Array
    outcomes: tuple[Outcome, ...]
    words: tuple[dict[str, str], ...]

    @property
    def nbytes(self) -> int:
        return self.values.nbytes + self.peaks.nbytes


def joined(portions: Sequence[Portion]) -> Portion:
    """Several as one."""
    return Portion(
        np.concatenate([portion.numbers for portion in portions]),
        np.concatenate([portion.values for portion in portions]),
        np.concatenate([portion.peaks for portion in portions]),
        tuple(outcome for portion in portions for outcome in portion.outcomes),
        tuple(words for portion in portions for words in portion.words),
    )


@dataclass(eq=False)
class Collected:
    """Rows of N variants; those without an outcome are still to be found."""

    question: Question
    count: int
    outcomes: list[Outcome | None] = field(init=False)
    words: list[dict[str, str]] = field(init=False)
    values: Array = field(init=False)
    peaks: Array = field(init=False)
    in_lanes: int = 0  # how many were found so

    def __post_init__(self) -> None:
        size = self.count * int(np.prod(self.question.shape))
        if size > MOST:
            raise RefusedError(
                f"{size:.3g} numbers are more than the {MOST:g} that are kept: name fewer quantities, take a longer step, "
                "or final=True"
            )
        self.outcomes = [None] * self.count
        self.words = [{} for _ in range(self.count)]
        self.values = np.full((self.count, *self.question.shape), np.nan)
        shape = len(self.question.names) if self.question.peaks else 0, len(PEAKS)
        self.peaks = np.full((self.count, *shape), np.nan)

    def put(self, portion: Portion) -> None:
        """Keep what was found."""
        self.values[portion.numbers], self.peaks[portion.numbers] = portion.values, portion.peaks
        for number, outcome, words in zip(portion.numbers.tolist(), portion.outcomes, portion.words, strict=True):
            self.outcomes[number], self.words[number] = outcome, words

    @property
    def left(self) -> Numbers:
        """Numbers of the variants that are still to be found."""
        return np.array([i for i, outcome in enumerate(self.outcomes) if outcome is None], dtype=np.int64)

    @property
    def done(self) -> int:
        return self.count - len(self.left)

    @property
    def ended(self) -> tuple[Outcome, ...]:
        """How each ended; those that were not begun say so."""
        return tuple(NOT_BEGUN if outcome is None else outcome for outcome in self.outcomes)
