"""Formulas: every name is known where it is used, parameters are not defined in a circle, constants have a value."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterator

from linkwork.algebra.expressions import TIME, Expression, Number, to_float
from linkwork.algebra.units import UNIT_WORDS, read_unit
from linkwork.errors import ExpressionError, Fault, ModelError, did_you_mean
from linkwork.model.element import OUTPUT, PARAMETERS, STATE, TIME_ONLY, Scope
from linkwork.model.parameters import circles
from linkwork.model.quantities import ENERGY, Vocabulary, check_state, heads
from linkwork.model.reading import DraftModel


def faults(draft: DraftModel) -> Iterator[Fault]:
    """Unknown names, circles, and constants without a value."""
    for chain in circles(draft.parameters):
        yield Fault(f"parameters.{chain[0]}", f"is defined in a circle: {' -> '.join(chain)}", "give one a number")
    for path, scope, expression in draft.expressions():
        yield from _mistaken_units(draft, path, expression)
        unknown = [fault for name in sorted(expression.names()) for fault in _name(draft, path, scope, name)]
        yield from unknown
        if scope == PARAMETERS and not unknown:
            yield from _value(draft, path, expression)


def _mistaken_units(draft: DraftModel, path: str, expression: Expression) -> Iterator[Fault]:
    """A unit that is also a parameter: ``2 m`` with a parameter m.

    Where the dimension of the field is known, as for a stiffness ``3 N/m``, only the first word can be mistaken.
    """
    undecided = path.startswith(("parameters.", "outputs."))
    for node in expression.walk():
        if isinstance(node, Number) and node.unit and not node.bracketed:
            words = read_unit(node.unit).words
            for word in words if undecided else words[:1]:
                if word in draft.names("parameters"):
                    number = node.text.removesuffix(node.unit).strip()
                    hint = f"write {number}*{word} for a product, {number} [{node.unit}] for the unit"
                    yield Fault(path, f"'{node.text}': '{word}' is a unit and a parameter", hint)


def _name(draft: DraftModel, path: str, scope: Scope, name: str) -> Iterator[Fault]:
    if name in scope.local:
        if name in draft.names("parameters"):
            reason = f"'{name}' is {scope.local[name]} and a parameter"
            yield Fault(path, reason, "give the parameter another name")
    elif name in draft.names("parameters"):
        return
    elif name == TIME:
        if scope.level == PARAMETERS.level:
            yield Fault(path, "may not depend on the time t", "only drivers, forces and outputs may")
    elif "." in name:
        yield from _state(draft, path, scope, name)
    else:
        yield Fault(path, f"unknown name '{name}'", _hint(draft, scope, name))


def _hint(draft: DraftModel, scope: Scope, name: str) -> str:
    if name in UNIT_WORDS:
        return "a compound unit inside a formula stands in brackets: 2*3 [N/m]"
    if name in (*draft.names("bodies"), *draft.names("joints")):
        return f"name a quantity of it, such as {name}.angle"
    known = [*scope.local, *draft.names("parameters"), *([] if scope.level == PARAMETERS.level else [TIME])]
    hint = did_you_mean(name, known)
    if hint.startswith("did you"):
        return hint
    if name.startswith("_") or keyword.iskeyword(name) or name in dir(builtins):
        return (
            "formulas are not Python: they know numbers, parameters, t, quantities of the state, functions such as sin"
        )
    return "declare it in parameters"


def _state(draft: DraftModel, path: str, scope: Scope, name: str) -> Iterator[Fault]:
    if scope == TIME_ONLY:
        hint = "a given motion is a function of t and parameters; use a force of kind effort for feedback"
        yield Fault(path, f"may not depend on the state ('{name}')", hint)
    elif scope.level == PARAMETERS.level:
        yield Fault(path, f"may not depend on the state ('{name}')", "only forces and outputs may")
    elif scope.level in (STATE.level, OUTPUT.level):
        try:
            _check_state(draft, scope, *name.split(".", 1))
        except ModelError as error:
            yield Fault(path, f"'{name}': {error.faults[0].reason}", error.faults[0].suggestion)


def _check_state(draft: DraftModel, scope: Scope, head: str, rest: str) -> None:
    """Raise when a dotted name means nothing; outputs may name accelerations and energies too."""
    sections = (name for section in ("bodies", "joints", "points") for name in draft.names(section))
    known = list(dict.fromkeys([*heads(draft), *sections]))
    if scope == OUTPUT:
        known.append(ENERGY)
    if head not in known:
        raise ModelError([Fault("", f"there is no body, joint or point '{head}'", did_you_mean(head, known))])
    sound = all(len(getattr(draft, section)) == len(draft.names(section)) for section in ("bodies", "joints", "points"))
    if draft.space is not None and sound:
        check_state(draft, Vocabulary(draft.space, accelerations=scope == OUTPUT), head, rest)


def _value(draft: DraftModel, path: str, expression: Expression) -> Iterator[Fault]:
    try:
        to_float(expression, draft.values.__getitem__)
    except KeyError:  # a parameter without a value has its own fault
        return
    except ExpressionError as error:
        yield Fault(path, str(error))
