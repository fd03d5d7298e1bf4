"""Parameters: their declaration, their chain of dependence, and their values."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

import numpy as np
from pydantic import Field

from linkwork.algebra.expressions import Expression, check_formula, known_units, measured, parse, to_float
from linkwork.algebra.given import Parameters, Scalar
from linkwork.algebra.unit_words import Unit
from linkwork.algebra.units import describe, in_degrees, si
from linkwork.errors import ExpressionError, RefusedError, UnitError, UnknownNameError, did_you_mean
from linkwork.model.dependence import circles, in_order
from linkwork.model.element import Element
from linkwork.model.fields import Value

LARGEST, SMALLEST = 1e40, 1e-40
"""Sizes of numbers whose squares, products and fourth powers can still be computed with."""
TURN = 2 * pi
"""Plain numbers of angles beyond it are degrees, mostly."""


class ReadNumber(float):
    """What a user gave for a parameter, in SI: it has been read with its unit, and is handed on as it is."""


class Parameter(Element):
    """A named number. A live one stays an input of the compiled functions; the others are folded into the code."""

    value: Value = Field(description="number, quantity with a unit, or formula of other parameters")
    live: bool = Field(False, description="may be varied without compiling again")
    description: str = Field("", description="what it is, for people; default: empty")


def formulas_of(parameters: Mapping[str, Parameter]) -> dict[str, Expression]:
    """The formulas of parameters, by name."""
    return {name: parameter.value for name, parameter in parameters.items()}


def _sound(parameters: Mapping[str, Parameter]) -> dict[str, Expression]:
    """Formulas that do not need themselves."""
    caught = {name for chain in circles(formulas_of(parameters)) for name in chain}
    return {name: formula for name, formula in formulas_of(parameters).items() if name not in caught}


def units_of(parameters: Mapping[str, Parameter]) -> dict[str, Unit]:
    """What those parameters measure that are given with units; a bare number fits everywhere."""
    found: dict[str, Unit] = {}
    for name in in_order(_sound(parameters)):
        with known_units(found):
            try:
                unit = measured(parameters[name].value)
            except UnitError:  # told where it is read
                unit = None
        if unit is not None and unit.words:
            found[name] = unit
    return found


def in_si(parameters: Mapping[str, Parameter], given: Mapping[str, float | str]) -> dict[str, float]:
    """Values (numbers, or texts with units and formulas of such) of some parameters in SI; a text must be what the parameter
    is in the model, and a plain number of an angle that the model has in degrees is within a turn."""
    found: dict[str, float] = {}
    for name, value in given.items():
        value = value.item() if isinstance(value, np.ndarray) and value.size == 1 else value
        found[name] = ReadNumber(_in_si(name, value, parameters))
        if not isinstance(value, ReadNumber) and abs(found[name]) > TURN:
            _check_bare(name, value, parameters)
    return found


def _in_si(name: str, value: Scalar, parameters: Mapping[str, Parameter]) -> float:
    if np.ndim(value):
        raise UnitError(
            f"parameter '{name}' has {np.size(value)} values; one number is wanted: ask once for each, or give what "
            "changes in a run as a table over time (definitions) or as a formula of t"
        )
    try:
        return _of_text(value, units_of(parameters).get(name)) if isinstance(value, str) else si(value, "any")
    except (UnitError, ExpressionError) as error:
        raise UnitError(f"parameter '{name}': {error}") from None


def _of_text(text: str, known: Unit | None) -> float:
    """The value of a quantity, or of a formula of such, which measures what is *known* of the parameter."""
    formula = parse(text)
    if names := formula.names():
        raise UnitError(
            f"'{text}' names {', '.join(sorted(names))}: what is given is a number, or a formula of numbers; one of other "
            "parameters belongs into the model"
        )
    check_formula(formula, "any")
    own = measured(formula)
    if known is not None and own is not None and own.words and own.exponents != known.exponents:
        raise UnitError(f"'{text}' is {describe(own)}; in the model it is {describe(known)}")
    return to_float(formula)


def _check_bare(name: str, value: Scalar, parameters: Mapping[str, Parameter]) -> None:
    """Refuse a number without unit for what is in degrees in the model."""
    own, known = measured(parse(value)) if isinstance(value, str) else None, units_of(parameters).get(name)
    if (own is None or not own.words) and known is not None and in_degrees(known):
        bare = _of_text(value, None) if isinstance(value, str) else float(value)
        raise UnitError(
            f"parameter '{name}' = {bare:g} is {bare:g} rad, {bare / TURN:.3g} turns; in the model it is "
            f"{parameters[name].value}: write '{bare:g} deg' where degrees are meant, '{bare:g} rad' where not"
        )


def evaluate_parameters(parameters: Mapping[str, Parameter], overrides: Parameters | None = None) -> dict[str, float]:
    """SI values of all parameters in declaration order; *overrides* (numbers or texts with units) replace live ones."""
    given = dict(overrides or {})
    for name in given:
        _check_override(name, parameters)
    values: dict[str, float] = {}
    for name in in_order(formulas_of(parameters)):
        values[name] = (
            _override(name, given[name], parameters)
            if name in given
            else to_float(parameters[name].value, values.__getitem__)
        )
    return {name: values[name] for name in parameters}


def _override(name: str, value: Scalar, parameters: Mapping[str, Parameter]) -> float:
    found = _in_si(name, value, parameters)
    if abs(found) > LARGEST:
        raise RefusedError(f"parameter '{name}' = {value}: too large for any computation; at most {LARGEST:g}")
    return found


def evaluate_what_can_be(parameters: Mapping[str, Parameter]) -> dict[str, float]:
    """Default values of those parameters that have one; the others are left out (for checking faulty models)."""
    values: dict[str, float] = {}
    for name in in_order(_sound(parameters)):
        value = value_or_none(parameters[name].value, values)
        if value is not None:
            values[name] = value
    return values


def value_or_none(expression: Expression, values: Mapping[str, float]) -> float | None:
    """The value of a formula, or None when it has none."""
    try:
        return to_float(expression, values.__getitem__)
    except (ExpressionError, KeyError):
        return None


def _check_override(name: str, parameters: Mapping[str, Parameter]) -> None:
    if name not in parameters:
        raise UnknownNameError(f"there is no parameter '{name}'; {did_you_mean(name, list(parameters))}".rstrip("; "))
    if not parameters[name].live:
        raise UnknownNameError(
            f"parameter '{name}' is fixed: its value is folded into the code; "
            f"declare it as {name}: {{value: {parameters[name].value}, live: true}} to vary it"
        )
