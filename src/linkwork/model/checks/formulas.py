"""Formulas: every name is known where it is used, parameters are not defined in a circle, constants have a value."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator

from linkwork.algebra.expressions import (
    CONSTANTS,
    TIME,
    Defined,
    Expression,
    Name,
    Number,
    known_units,
    measured,
    to_float,
)
from linkwork.algebra.unit_texts import proposed_quantity
from linkwork.algebra.unit_words import UNIT_WORDS
from linkwork.errors import ExpressionError, Fault, ModelError, UnitError, did_you_mean
from linkwork.model.dependence import circles
from linkwork.model.element import OUTPUT, PARAMETERS, STATE, TIME_ONLY, Scope
from linkwork.model.fields import as_faults
from linkwork.model.mistaken_units import mistaken_units
from linkwork.model.parameters import formulas_of
from linkwork.model.quantities import (
    CENTRE,
    ENERGY,
    INERTIA,
    LOADS,
    MASS,
    TOGETHER,
    Vocabulary,
    check_state,
    heads,
    of_results,
)
from linkwork.model.reading import DraftModel
from linkwork.model.state_units import state_units


def faults(draft: DraftModel) -> Iterator[Fault]:
    """Unknown names, circles, and constants without a value."""
    for chain in circles(formulas_of(draft.parameters)):
        yield Fault(f"parameters.{chain[0]}", f"is defined in a circle: {' -> '.join(chain)}", "give one a number")
    names = {name: what for what in ("parameter", "definition") for name in draft.names(f"{what}s")}
    for path, scope, expression in draft.expressions():
        undecided = path.startswith(("parameters.", "definitions.", "outputs."))
        yield from mistaken_units(expression, names, path=path, quantity=not undecided)
        written = sorted({node for node in expression.walk(written=True) if isinstance(node, Defined | Name)}, key=str)
        unknown = [fault for node in written for fault in _node(draft, path, scope, node)]
        if unknown and (meant := proposed_quantity(re.sub(r"[][]", "", str(expression)))) is not None:
            unknown = [Fault(path, unknown[0].reason, f"a unit is written so: {meant}")]
        yield from unknown
        if scope == PARAMETERS and not unknown and not _misread(draft, expression):
            yield from _value(draft, path, expression)
    yield from _dimensions(draft)


def _dimensions(draft: DraftModel) -> Iterator[Fault]:
    """Definitions and outputs that put quantities of the state together which do not fit."""
    told: set[str] = set()
    for section in ("definitions", "outputs"):
        for name, formula in getattr(draft, section).items():
            nodes = {node.name for node in formula.walk(written=True) if isinstance(node, Defined)}
            with known_units({**state_units(draft, formula.names()), **draft.units}):
                try:
                    if not nodes & told:
                        measured(formula)
                except UnitError as error:
                    told.add(name)
                    yield from as_faults(f"{section}.{name}", error)


def _node(draft: DraftModel, path: str, scope: Scope, node: Defined | Name) -> Iterator[Fault]:
    """Faults of a name, or of what a definition names that may not stand where it is used."""
    if isinstance(node, Name) or node.name in scope.local:
        yield from _name(draft, path, scope, node.name)
        return
    for name in sorted(node.names()):
        for fault in _name(draft, path, scope, name):
            if not list(_name(draft, path, OUTPUT, name)):  # else it is told at the definition
                yield Fault(path, f"{fault.reason}, by the definition of '{node.name}'", fault.suggestion)


def _name(draft: DraftModel, path: str, scope: Scope, name: str) -> Iterator[Fault]:
    taken = next((one for one in ("parameter", "definition") if name in draft.names(f"{one}s")), None)
    if name in scope.local:
        if taken is not None:
            yield Fault(path, f"'{name}' is {scope.local[name]} and a {taken}", f"give the {taken} another name")
    elif taken == "definition" and path.startswith("parameters."):
        yield Fault(path, f"'{name}' is a definition", "a parameter is a number or a formula of other parameters")
    elif taken is not None:
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
        return "a unit stands right behind a number: 2*3 N/m"
    if name in draft.names("bodies") or name in draft.names("joints"):
        return f"name a quantity of it, such as {name}.angle"
    named = [*draft.names("parameters"), *draft.names("definitions")]
    known = [*scope.local, *named, *([] if scope.level == PARAMETERS.level else [TIME])]
    hint = did_you_mean(name, known)
    if hint.startswith("did you"):
        return hint
    if name.startswith("_") or keyword.iskeyword(name) or name in dir(builtins):
        return (
            "formulas are not Python: they know numbers, parameters, t, quantities of the state, functions such as sin"
        )
    return "declare it in parameters or, as a formula, in definitions"


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
    sections = (name for section in ("bodies", "joints", "points", "groups") for name in draft.names(section))
    known = list(dict.fromkeys([*heads(draft), *sections]))
    known += [ENERGY, *TOGETHER, INERTIA, MASS] if scope == OUTPUT else [CENTRE]
    if head not in known and any(head in draft.names(section) for section in LOADS):
        raise ModelError([Fault("", "belongs to results", of_results(head, rest))])
    if head not in known:
        raise ModelError([Fault("", f"there is no body, joint or point '{head}'", did_you_mean(head, known))])
    sound = all(len(getattr(draft, section)) == len(draft.names(section)) for section in ("bodies", "joints", "points"))
    if draft.space is not None and sound:
        check_state(draft, Vocabulary(draft.space, accelerations=scope == OUTPUT), head, rest)


def _misread(draft: DraftModel, expression: Expression) -> bool:
    """Whether a formula names a parameter or definition that is called e or pi: its name has a fault already."""
    declared = {*draft.names("parameters"), *draft.names("definitions")}.intersection(CONSTANTS)
    return any(isinstance(node, Number) and node.text in declared for node in expression.walk())


def _value(draft: DraftModel, path: str, expression: Expression) -> Iterator[Fault]:
    try:
        to_float(expression, draft.values.__getitem__)
    except KeyError:  # a parameter without a value has its own fault
        return
    except ExpressionError as error:
        yield Fault(path, str(error))
