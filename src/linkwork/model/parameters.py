"""Parameters: their declaration, their chain of dependence, and their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import Field

from linkwork.algebra.expressions import Expression, known_units, measured, parse, to_float
from linkwork.algebra.given import Parameters, Scalar
from linkwork.algebra.units import Unit, describe, si
from linkwork.errors import ExpressionError, RefusedError, UnitError, UnknownNameError, did_you_mean
from linkwork.model.element import Element
from linkwork.model.fields import Value

LARGEST, SMALLEST = 1e40, 1e-40
"""Sizes of numbers whose squares, products and fourth powers can still be computed with."""


class Parameter(Element):
    """A named number. A live one stays an input of the compiled functions; the others are folded into the code."""

    value: Value = Field(description="number, quantity with a unit, or formula of other parameters")
    live: bool = Field(False, description="may be varied without compiling again")
    description: str = Field("", description="what it is, for people")


def circles(parameters: Mapping[str, Parameter]) -> list[tuple[str, ...]]:
    """The chains of parameters that are defined by themselves; each ends where it began."""
    found: list[tuple[str, ...]] = []
    finished: set[str] = set()
    for start in parameters:
        chain: dict[str, Iterator[str]] = {}
        if start in finished:
            continue
        chain[start] = _needs(parameters, start)
        while chain:
            current = next(reversed(chain))
            following = next(chain[current], None)
            if following is None:
                finished.add(current)
                chain.pop(current)
            elif following in chain:
                names = list(chain)
                found.append((*names[names.index(following) :], following))
            elif following not in finished:
                chain[following] = _needs(parameters, following)
    return found


def _needs(parameters: Mapping[str, Parameter], name: str) -> Iterator[str]:
    return iter(sorted(parameters[name].value.names() & parameters.keys()))


def in_order(parameters: Mapping[str, Parameter]) -> list[str]:
    """Names such that each parameter comes after those that it needs (without circles)."""
    ordered: dict[str, None] = {}
    for start in parameters:
        stack = [(start, _needs(parameters, start))] if start not in ordered else []
        while stack:
            name, needs = stack[-1]
            following = next(needs, None)
            if following is None:
                ordered[name] = None
                stack.pop()
            elif following not in ordered:
                stack.append((following, _needs(parameters, following)))
    return list(ordered)


def units_of(parameters: Mapping[str, Parameter]) -> dict[str, Unit]:
    """What those parameters measure that are given with units; a bare number fits everywhere."""
    caught = {name for chain in circles(parameters) for name in chain}
    found: dict[str, Unit] = {}
    for name in in_order({name: item for name, item in parameters.items() if name not in caught}):
        with known_units(found):
            try:
                unit = measured(parameters[name].value)
            except UnitError:  # told where it is read
                unit = None
        if unit is not None and unit.words:
            found[name] = unit
    return found


def in_si(parameters: Mapping[str, Parameter], given: Mapping[str, float | str]) -> dict[str, float]:
    """Values (numbers or texts with units) of some parameters in SI; a text must be what the parameter is in the model."""
    for name, value in given.items():
        if isinstance(value, str) and name in parameters:
            known, own = units_of(parameters).get(name), measured(parse(value))
            if known is not None and own is not None and own.words and own.exponents != known.exponents:
                raise UnitError(
                    f"parameter '{name}': '{value}' is {describe(own)}; in the model it is {describe(known)}"
                )
    return {name: si(value, "any") for name, value in given.items()}


def evaluate_parameters(parameters: Mapping[str, Parameter], overrides: Parameters | None = None) -> dict[str, float]:
    """SI values of all parameters in declaration order; *overrides* (numbers or texts with units) replace live ones."""
    given = dict(overrides or {})
    for name in given:
        _check_override(name, parameters)
    values: dict[str, float] = {}
    for name in in_order(parameters):
        values[name] = (
            _override(name, given[name], parameters)
            if name in given
            else to_float(parameters[name].value, values.__getitem__)
        )
    return {name: values[name] for name in parameters}


def _override(name: str, value: Scalar, parameters: Mapping[str, Parameter]) -> float:
    try:
        found = in_si(parameters, {name: value})[name]
    except UnitError as error:
        raise error if str(error).startswith("parameter") else UnitError(f"parameter '{name}': {error}") from None
    if abs(found) > LARGEST:
        raise RefusedError(f"parameter '{name}' = {value}: too large for any computation; at most {LARGEST:g}")
    return found


def evaluate_what_can_be(parameters: Mapping[str, Parameter]) -> dict[str, float]:
    """Default values of those parameters that have one; the others are left out (for checking faulty models)."""
    caught = {name for chain in circles(parameters) for name in chain}
    sound = {name: parameter for name, parameter in parameters.items() if name not in caught}
    values: dict[str, float] = {}
    for name in in_order(sound):
        value = value_or_none(sound[name].value, values)
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
