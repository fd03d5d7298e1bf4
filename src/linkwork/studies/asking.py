"""From what a user asks of many variants to one question: names checked, samples laid out, before anything is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.analysis.walk.subject import Noun, Subject, subject_of
from linkwork.arrays import Array
from linkwork.errors import LinkworkError, RefusedError
from linkwork.studies.question import VERBS, Question, motion_in
from linkwork.studies.variants import GivenVariants, read_variants

TRIED = 8  # variants that are asked for the names of quantities, where the model as it is has no answer


@dataclass(frozen=True)
class Keeping:
    """What is kept of each variant: quantities by names or patterns, all samples or the last one, peaks."""

    quantities: Sequence[str] | None = None
    final: bool = False
    peaks: bool = False


def ask_many(
    verb: str,
    model: Noun,
    options: Mapping[str, Any],
    given: tuple[Any, Any],
    keeping: Keeping,
    grid: Array | None = None,
) -> tuple[Question, GivenVariants]:
    """The question and its variants; given: parameters and initial values; grid: the samples, else those of the answer."""
    subject = subject_of(model, f"{verb}_many")
    _check_start(subject, verb, bool(given[1]))
    variants = read_variants(subject.model, *given)
    noun: Noun = variants.model if given[1] is not None or isinstance(model, (str, Path, Mapping)) else model
    asked = {key: value for key, value in options.items() if value is not None}
    first, answer = _first_answer(verb, noun, asked if grid is None else {**asked, "times": [0.0]}, variants)
    result = motion_in(answer)
    names = result.select(list(keeping.quantities if keeping.quantities is not None else VERBS[verb].usual(answer)))
    samples = result.time if grid is None else grid
    if keeping.final and not keeping.peaks and grid is not None:
        samples = grid[[0, -1]] if len(grid) > 1 else grid
    question = Question(
        verb,
        noun,
        asked if grid is None else {**asked, "times": samples},
        tuple(result.quantity(name) for name in names),
        np.array(samples),
        result.variable,
        final=keeping.final or (grid is None and len(result.time) == 1),
        peaks=keeping.peaks,
        settings=dict(result.settings),
        first=first,
    )
    return question, variants


def _check_start(subject: Subject, verb: str, initial: bool) -> None:
    if subject.state is not None:
        raise RefusedError(
            f"{verb}_many begins where the model does: a run or an equilibrium has the parameters of one variant; give the "
            "model, with initial values for the variants"
        )
    if initial and (subject.made is not None or subject.poses is not None):
        raise RefusedError(f"{verb}_many: initial values belong to the model; give it, and not what was made of it")


def _first_answer(
    verb: str, noun: Noun, options: Mapping[str, Any], variants: GivenVariants
) -> tuple[Mapping[str, Any], Any]:
    """An answer, with its options, for the model as it is or for the first variant that has one: it knows all quantities."""
    refused: LinkworkError | None = None
    tried = ({"parameters": variants.of(number)} for number in range(min(TRIED, len(variants))))
    for own in ({}, *tried):
        try:
            return {**options, **own}, VERBS[verb].ask(noun, **options, **own)
        except LinkworkError as error:
            refused = refused or error
    assert refused is not None
    raise refused
