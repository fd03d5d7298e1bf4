"""What of a model is impossible with other values of its live parameters: the checks of reading, asked again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from linkwork.errors import Fault, ModelError
from linkwork.model.checks import faults_of_values
from linkwork.model.described import Described
from linkwork.model.draft_model import draft_of
from linkwork.model.element import OUTPUT, STATE
from linkwork.model.reading import DraftModel

FREE = (STATE.level, OUTPUT.level)
"""What formulas may name that may have any value."""


def check_values(model: Described, values: Mapping[str, float]) -> None:
    """Raise ModelError where a model that is sound with its own values is not with others; faults name the parameters.

    values: those of all its parameters in SI
    """
    draft = draft_of(model)
    draft.values = dict(values)
    if faults := faults_of_values(draft):
        told = [replace(fault, reason=_with(draft, fault, values)) for fault in faults]
        raise ModelError(told, model.name or "model")


def names_of_numbers(model: Described) -> frozenset[str]:
    """The parameters from which numbers come that are checked; of the others only formulas of the state are made."""
    draft, found = draft_of(model), set[str]()
    for path, scope, formula in draft.expressions():
        if scope.level not in FREE and not path.startswith("parameters."):
            found |= formula.names() & draft.parameters.keys()
    while (
        deeper := {name for own in found for name in draft.parameters[own].value.names() & draft.parameters.keys()}
        - found
    ):
        found |= deeper
    return frozenset(found)


def _with(draft: DraftModel, fault: Fault, values: Mapping[str, float]) -> str:
    """The reason with the live parameters from which it comes: 'the mass is -1 kg; ..., with m = -1'."""
    live = {name for name, item in draft.parameters.items() if item.live}
    own = {
        name
        for path, _, formula in draft.expressions()
        if path.startswith(fault.path) or fault.path.startswith(path)
        for name in formula.names()
    }
    roots = set(_roots(draft, own & draft.parameters.keys())) & live or live
    return f"{fault.reason}, with {', '.join(f'{name} = {values[name]:g}' for name in values if name in roots)}"


def _roots(draft: DraftModel, names: set[str]) -> Iterator[str]:
    """The parameters of which others are made."""
    for name in names:
        deeper = draft.parameters[name].value.names() & draft.parameters.keys()
        yield from _roots(draft, set(deeper)) if deeper else (name,)
