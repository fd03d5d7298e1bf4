"""A study from a question and its variants to what became of them: found, kept on disk while it goes on, and told."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from linkwork.algebra.given import FilePath
from linkwork.progress import working
from linkwork.results.study import Study
from linkwork.studies.by_lanes import by_lanes
from linkwork.studies.collected import Collected, Portion
from linkwork.studies.folder import StudyFolder
from linkwork.studies.key import asked_of
from linkwork.studies.many_starts import LeftOutError
from linkwork.studies.one_by_one import OneByOne
from linkwork.studies.question import Question
from linkwork.studies.variants import GivenVariants


def run_study(
    question: Question,
    given: GivenVariants,
    *,
    workers: int,
    folder: FilePath | None = None,
    progress: Callable[[float], object] | None = None,
) -> Study:
    """Ask the question of all variants. An interrupt leaves what was found so far; the others were not begun."""
    began = time.monotonic()
    collected, notes = Collected(question, len(given)), [*given.doubts]
    kept = None if folder is None else StudyFolder.begin(folder, asked_of(question, given))
    if kept is not None:
        notes += _taken(collected, kept)
    alone = OneByOne(question, given, workers)
    name = given.model.name or "the model"
    with working(f"{question.verb}, {len(given)} variants of {name}", progress) as done:
        try:
            for portion in _portions(alone, collected):
                collected.put(portion)
                if kept is not None:
                    kept.keep(portion)
                if done is not None:
                    done(collected.done / len(given))
        except KeyboardInterrupt:
            notes.append(_interrupted(collected, kept))
        finally:
            if kept is not None:
                kept.write()
                kept.close()
    notes += alone.notes
    notes += [f"not all of it is in '{kept.path}': {kept.unwritten}"] if kept is not None and kept.unwritten else []
    return _study(question, given, collected, tuple(notes), time.monotonic() - began)


def _portions(alone: OneByOne, collected: Collected) -> Iterator[Portion]:
    """What lanes find, then what is left."""
    try:
        for portion in by_lanes(alone.question, alone.given, collected.left, alone.workers):
            collected.in_lanes += len(portion.numbers)
            yield portion
    except LeftOutError as reason:
        alone.notes.append(f"one by one, as lanes do not take it: {reason}")
    for number, answer in alone.answers(collected.left.tolist()):
        words = (dict(answer.words),)
        yield Portion(np.array([number]), answer.values[None], answer.peaks[None], (answer.outcome,), words)


def _taken(collected: Collected, kept: StudyFolder) -> list[str]:
    """Take what the folder holds already; what is to be said of it."""
    for portion in kept.found():
        collected.put(portion)
    damaged = ", ".join(kept.damaged)
    told = [f"{collected.done} of {collected.count} variants were in '{kept.path}'"] if collected.done else []
    return [*told, *([f"{damaged} in '{kept.path}' cannot be read: what it held was found again"] if damaged else [])]


def _interrupted(collected: Collected, kept: StudyFolder | None) -> str:
    left = collected.count - collected.done
    way = f"asked again with folder='{kept.path}', it goes on" if kept is not None else "folder= keeps what is found"
    return f"interrupted with {left} variants to go; {way}"


def _study(
    question: Question, given: GivenVariants, collected: Collected, notes: tuple[str, ...], wall: float
) -> Study:
    names = question.names
    words = dict.fromkeys(name for words in collected.words for name in words)
    return Study(
        name=given.model.name or "mechanism",
        verb=question.verb,
        given=given.given,
        quantities={quantity.name: quantity for quantity in question.quantities},
        values={name: collected.values[:, i] for i, name in enumerate(names)},
        outcomes=collected.ended,
        samples=None if question.final else question.samples,
        variable=question.variable,
        peaks={name: collected.peaks[:, i] for i, name in enumerate(names)} if question.peaks else {},
        words={name: tuple(words.get(name, "") for words in collected.words) for name in words},
        settings=question.settings,
        statistics={"in lanes": collected.in_lanes, "wall time": wall},
        notes=notes,
    )
