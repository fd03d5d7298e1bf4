"""What is asked of every variant, and what is kept of the answer: of each verb that studies know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.analysis.inverse.inverse_dynamics import inverse_dynamics
from linkwork.analysis.runs.simulate import simulate
from linkwork.analysis.runs.solve_kinematics import solve_kinematics
from linkwork.analysis.statics.equilibrium import find_equilibrium
from linkwork.analysis.walk.subject import Noun
from linkwork.arrays import Array
from linkwork.compiler.compiled import always_compiled
from linkwork.errors import LinkworkError
from linkwork.results.outcome import Outcome, Status
from linkwork.results.quantities import TIME, Quantity, Variable
from linkwork.results.result import Result
from linkwork.results.study_store import PEAKS


@dataclass(frozen=True)
class StudiedVerb:
    """A verb that takes ``parameters``; *usual*: quantities of its answer that are kept unless others are asked for;
    words: what is told of an answer in a word."""

    ask: Callable[..., Any]
    usual: Callable[[Any], Sequence[str]]
    words: Callable[[Any], Mapping[str, str]] = field(default=lambda answer: {})


def _freedoms(result: Result) -> tuple[str, ...]:
    """Degrees of freedom that are quantities; the turning of a body that floats is none."""
    return tuple(name for name in result.freedoms if name in result)


VERBS = {
    "simulate": StudiedVerb(simulate, _freedoms),
    "solve_kinematics": StudiedVerb(solve_kinematics, _freedoms),
    "find_equilibrium": StudiedVerb(
        find_equilibrium, lambda rest: tuple(rest.joints), lambda rest: {"stability": rest.stability}
    ),
    "inverse_dynamics": StudiedVerb(inverse_dynamics, lambda found: tuple(f"{motor}.effort" for motor in found.motors)),
}


@dataclass(frozen=True, eq=False)
class Question:
    """One question for all variants: a verb about a noun with its options, and what is kept of its answer.

    samples: where all answers are looked at; final: the last sample alone is kept; peaks: smallest and largest values too
    settings: of the answers, as they say it
    first: options of an answer that everybody asks for before all others, as what is remembered of it decides last digits
    """

    verb: str
    noun: Noun
    options: Mapping[str, Any]
    quantities: tuple[Quantity, ...]
    samples: Array
    variable: Variable = TIME
    final: bool = False
    peaks: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    first: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(quantity.name for quantity in self.quantities)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the values of one variant: quantities, and samples unless the last one alone is kept."""
        return (len(self.quantities),) if self.final else (len(self.quantities), len(self.samples))

    def begin(self) -> None:
        """Compile what is needed, and choose what is chosen once."""
        with always_compiled():
            motion_in(VERBS[self.verb].ask(self.noun, **self.first)).values(self.names)

    def ask(self, parameters: Mapping[str, float]) -> Answered:
        """The answer for one variant; what goes wrong is its outcome, and no other's."""
        studied = VERBS[self.verb]
        try:
            with always_compiled():
                answer = studied.ask(self.noun, parameters=parameters, **self.options)
                result = motion_in(answer)
                if result.outcome.status is Status.INTERRUPTED:
                    raise KeyboardInterrupt
                return self._read(result, dict(studied.words(answer)))
        except LinkworkError as error:
            return self.unanswered(str(error))
        except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
            return self.unanswered(f"{type(error).__name__}: {error}")

    def unanswered(self, reason: str) -> Answered:
        """Of a variant without an answer."""
        begin = float(self.samples[0]) if self.variable.is_time and self.samples.size else 0.0
        return Answered(np.full(self.shape, np.nan), self._no_peaks, Outcome(Status.STOPPED_EARLY, reason, begin))

    @property
    def _no_peaks(self) -> Array:
        return np.full((len(self.names) if self.peaks else 0, len(PEAKS)), np.nan)

    def _read(self, result: Result, words: dict[str, str]) -> Answered:
        found = result.values(self.names)
        values = np.array([found[name] for name in self.names]).reshape(len(self.names), len(result.time))
        peaks = peaks_of(result.time, values) if self.peaks else self._no_peaks
        if self.final:
            ended = result.outcome.completed or result.outcome.status is Status.STOPPED_BY_EVENT
            last = values[:, -1] if ended and values.shape[1] else np.full(len(self.names), np.nan)
            return Answered(last, peaks, result.outcome, words)
        kept = np.full(self.shape, np.nan)
        if self.variable.is_time:
            places = np.minimum(np.searchsorted(self.samples, result.time), len(self.samples) - 1)
            there = self.samples[places] == result.time
            kept[:, places[there]] = values[:, there]
        else:
            count = min(len(self.samples), values.shape[1])
            kept[:, :count] = values[:, :count]
        return Answered(kept, peaks, result.outcome, words)


@dataclass(frozen=True, eq=False)
class Answered:
    """What is kept of one variant: values as ``Question.shape`` has them, peaks (quantities, 4), and how it ended."""

    values: Array
    peaks: Array
    outcome: Outcome
    words: Mapping[str, str] = field(default_factory=dict)


def motion_in(answer: Any) -> Result:
    """The result with all quantities of an answer."""
    found = answer if isinstance(answer, Result) else answer.result
    assert isinstance(found, Result)
    return found


def peaks_of(time: Array, values: Array) -> Array:
    """Smallest and largest values of samples (quantities, samples), and where these are: (quantities, 4)."""
    found = np.full((len(values), len(PEAKS)), np.nan)
    known = np.isfinite(values)
    rows = np.flatnonzero(known.any(axis=1))
    low = np.argmin(np.where(known, values, np.inf)[rows], axis=1)
    high = np.argmax(np.where(known, values, -np.inf)[rows], axis=1)
    found[rows] = np.column_stack([values[rows, low], values[rows, high], time[low], time[high]])
    return found
