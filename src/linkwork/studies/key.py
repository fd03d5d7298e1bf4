"""What a study was asked, as digests: by them a folder knows whether it holds the same one."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from importlib.metadata import version
from types import FunctionType
from typing import Any

import numpy as np

from linkwork.analysis.walk.subject import subject_of
from linkwork.formats import dump
from linkwork.studies.folder import digest
from linkwork.studies.question import Question
from linkwork.studies.variants import GivenVariants


def asked_of(question: Question, given: GivenVariants) -> dict[str, str]:
    """Digests by what they are of."""
    subject = subject_of(question.noun, question.verb)
    poses = {name: (pose.origin.tolist(), pose.axes.tolist()) for name, pose in (subject.poses or {}).items()}
    start = (poses, str(subject.kind), repr(subject.formulation))
    kept = (question.names, question.final, question.peaks, question.samples.tolist())
    return {
        "version": version("linkwork"),
        "verb": question.verb,
        "model": digest(dump(subject.model)),
        "start": digest(repr(start)),
        "options": digest(repr(_plain(question.options))),
        "variants": digest(repr(given.names) + given.values.tobytes().hex()),
        "quantities": digest(repr(kept)),
    }


def _plain(value: Any) -> Any:
    """A value as something whose text says all of it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in sorted(value.items(), key=lambda pair: str(pair[0]))}
    if isinstance(value, np.ndarray):
        return digest(value.tobytes()), value.shape, str(value.dtype)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, FunctionType):
        return value.__qualname__, value.__code__.co_code.hex(), repr(value.__code__.co_consts)
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    try:
        return type(value).__qualname__, digest(pickle.dumps(value))
    except Exception:  # whatever a user's class says
        return type(value).__qualname__, repr(value)
