"""Dimensions of formulas: what ``3/2 mm`` or ``2 kg*3 [m/s^2]`` measures, as far as it is known without names.

    sums, comparisons    [a ± b] = [a] = [b]              also min, max, mod, the branches of if
    products             [a·b] = [a]·[b],  [a/b] = [a]/[b],  [a^n] = [a]^n
    functions            sin, exp, ... take pure numbers (angles are); sqrt halves the powers; the rest is a number

A name has an unknown dimension, but for parameters that are given with units (``known_units``). A number without a unit is
SI: a pure number beside a quantity, anything without one, and anything beside names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from linkwork.algebra.expressions.evaluation import to_float
from linkwork.algebra.expressions.grammar import parse
from linkwork.algebra.expressions.tabulated import TABLES
from linkwork.algebra.expressions.tree import Binary, Call, Compare, Defined, Expression, Name, Number, Unary
from linkwork.algebra.unit_texts import ONE, read_unit
from linkwork.algebra.unit_words import Unit, power_of, times
from linkwork.algebra.units import DIMENSIONS, check_dimension, counts_angles, describe
from linkwork.errors import ExpressionError, UnitError

PLAIN = Unit(1.0, (0, 0, 0))
"""What a number without a unit measures."""
_ZERO = Unit(0.0, (0, 0, 0))  # a bare zero fits beside any quantity
_KNOWN: ContextVar[Mapping[str, Unit]] = ContextVar("units of parameters", default={})  # noqa: B039
_PARTED = Name("_")  # stands for a divisor in brackets
_SAME = ("min", "max", "mod", "atan2")
_KEPT = ("abs", "floor", "ceil")
_OF_ANY = ("sign", "step")
_JOINED = {"+": "added", "-": "subtracted"}


@contextmanager
def known_units(units: Mapping[str, Unit]) -> Iterator[None]:
    """While a model is read: what its parameters measure, by name, as far as it is known."""
    token = _KNOWN.set(units)
    try:
        yield
    finally:
        _KNOWN.reset(token)


def check_formula(expression: Expression, dimension: str) -> None:
    """Raise UnitError when units in the formula contradict each other, or certainly do not give the *dimension*."""
    try:
        _check(expression, dimension)
    except UnitError as error:
        raise UnitError(f"{error}{_named(expression)}{_remedy(expression, dimension)}") from None


def _named(expression: Expression) -> str:
    """What the parameters of a formula are, and its definitions."""
    written = sorted({node for node in expression.walk(written=True) if isinstance(node, Defined | Name)}, key=str)
    units = {node: measured(node) for node in written}
    what = {node: "definition" if isinstance(node, Defined) else "parameter" for node in written}
    told = [f"{what[node]} '{node}' is {describe(unit)}" for node, unit in units.items() if unit and unit.words]
    return f" ({', '.join(told)})" if told else ""


def _check(expression: Expression, dimension: str) -> None:
    unit = measured(expression)
    if unit is None or not unit.words:
        return
    if any(isinstance(node, Number) and node.text == "pi" for node in expression.walk()):
        unit = replace(unit, words=("",))  # 2*pi*50 Hz is an angular speed
    needed = DIMENSIONS[dimension]
    if needed.exponents is None or unit.exponents == needed.exponents:
        check_dimension(shown(expression), unit, dimension)
        _check_quotients(expression, any_dimension=needed.exponents is None)
        return
    grouped = _grouped(expression)
    example = f"{needed.spoken} such as '{needed.example}' is needed"
    raise UnitError(f"'{shown(expression)}' is {grouped}{describe(unit)}; {example}")


def measured(expression: Expression) -> Unit | None:
    """The unit of a formula in SI (its factor means nothing), or None where a name decides."""
    match expression:
        case Number(value):
            return replace(read_unit(expression.unit), factor=1.0) if expression.unit else (PLAIN if value else _ZERO)
        case Name(name):
            return _KNOWN.get().get(name)
        case Defined(_, operand) | Unary(_, operand):
            return measured(operand)
        case Binary("^", base, exponent):
            return _powered(expression, base, exponent)
        case Binary("*" | "/" as operator, left, right):
            a, b = measured(left), measured(right)
            if a is None or b is None or (expression.names() and not (a.words and b.words)):
                return None  # beside names a number without a unit may stand for any quantity: 9.81*m
            return _product(a, b, 1 if operator == "*" else -1)
        case Binary(operator, left, right):
            return _equal(expression, (left, right), f"cannot be {_JOINED[operator]}")
        case Compare(_, left, right):
            return _equal(expression, (left, right), "cannot be compared")
        case Call(function, arguments):
            return _called(expression, function, arguments)
    return None


def _product(a: Unit, b: Unit, power: int) -> Unit:
    return times(replace(a, factor=1.0), replace(b, factor=1.0), power)


def _equal(whole: Expression, terms: tuple[Expression, ...], refusal: str) -> Unit | None:
    """The common unit of terms; those of unknown dimension take that of the others."""
    units = [measured(term) for term in terms]
    known = [unit for unit in units if unit is not None and unit != _ZERO]
    if whole.names():
        known = [unit for unit in known if unit.words]
    for unit in known[1:]:
        if unit.exponents != known[0].exponents:
            both = f"{_spoken(known[0])} and {_spoken(unit)}"
            bare = not (known[0].words and unit.words)
            _refuse(whole, f"{both} {refusal}", "write a unit behind every term" if bare else "")
    united = [unit for unit in known if unit.words]
    return united[0] if united else (None if None in units else PLAIN)


def _powered(whole: Expression, base: Expression, exponent: Expression) -> Unit | None:
    unit = measured(base)
    _pure(whole, measured(exponent), "a power")
    if unit is None or exponent.names():
        return None
    try:
        return power_of(unit, Fraction(to_float(exponent)).limit_denominator(1000)) if unit.words else PLAIN
    except (ExpressionError, OverflowError, ValueError):
        return None  # it has no value, which is told elsewhere


def _called(whole: Expression, function: str, arguments: tuple[Expression, ...]) -> Unit | None:
    if function == "if":
        measured(arguments[0])
        return _equal(whole, arguments[1:], "cannot be the values of one if(...)")
    if function in TABLES.values():
        _equal(whole, (arguments[0], *arguments[1::2]), "cannot stand in the first column of one table")
        return _equal(whole, arguments[2::2], "cannot be the values of one table")
    if function in _SAME:
        common = _equal(whole, arguments, f"cannot stand together in {function}(...)")
        return PLAIN if function == "atan2" else common
    unit = measured(arguments[0])
    if function in _KEPT or unit is None:
        return unit
    if function == "sqrt":
        return power_of(unit, Fraction(1, 2))
    if function not in _OF_ANY:
        _pure(whole, unit, f"the argument of {function}(...)")
    return PLAIN


def _pure(whole: Expression, unit: Unit | None, what: str) -> None:
    if unit is not None and unit.exponents != PLAIN.exponents:
        _refuse(whole, f"{what} is a pure number or an angle, not {_spoken(unit)}")


def _refuse(expression: Expression, reason: str, hint: str = "") -> NoReturn:
    raise UnitError(f"'{shown(expression)}': {reason}" + (f"\n    -> {hint}" if hint else ""))


def _spoken(unit: Unit) -> str:
    return describe(unit) if unit.words else "a number without a unit"


def shown(expression: Expression) -> str:
    """The formula as people write it: units without brackets where they need none; long ones are cut."""
    text = str(expression)
    bare = re.sub(r" \[([^\]]+)\]", r" \1", text)
    text = bare if bare != text and _same(bare, expression) else text
    return text if len(text) <= 60 else text[:57] + "..."


def _same(text: str, expression: Expression) -> bool:
    try:
        return str(parse(text)) == str(expression)
    except ExpressionError:
        return False


# -- quotients: 3/2 mm is 3/(2 mm) -----------------------------------------------------------------------------------


def _takes_unit(left: Expression, divisor: Number) -> bool:
    """Whether a divisor has a unit that may be meant for the quotient: not where it stands in parentheses, 3/(2 mm)."""
    return divisor.unit not in ("", ONE) and not divisor.grouped and measured(left) == PLAIN


def _grouped(expression: Expression) -> str:
    match expression:
        case Binary("/", left, Number() as divisor) if _takes_unit(left, divisor):
            return f"{shown(Binary('/', left, _PARTED)).removesuffix('_')}({shown(divisor)}), "
    return ""


def _check_quotients(expression: Expression, any_dimension: bool) -> None:
    """Quotients that nobody means are told by their form: 3/2 deg, as angles and numbers per angle are both pure numbers,
    and 3/2 mm where any dimension is allowed; one over a rate (1/50 Hz) is a time."""
    for node in expression.walk():
        match node:
            case Binary("/", _, Number() as divisor) if grouped := _grouped(node):
                unit = read_unit(divisor.unit)
                if unit.exponents == PLAIN.exponents and counts_angles(unit):
                    raise UnitError(f"'{shown(node)}' is {grouped}a number per angle, not an angle")
                if any_dimension and not (unit.exponents[:2] == (0, 0) and unit.exponents[2] < 0):
                    spoken = describe(unit)
                    raise UnitError(f"'{shown(node)}' is {grouped}one over {spoken}, which is written with parentheses")


def _remedy(expression: Expression, dimension: str) -> str:
    """How the formula is written in which a unit behind a quotient belongs to all of it, when that is what is needed."""
    meant = _unit_last(expression)
    try:
        if meant == expression or len(str(meant)) > 60:
            return ""
        _check(meant, dimension)
    except UnitError:
        return ""
    return f"\n    -> write {shown(meant)}{_as_literal(expression)}"


def _unit_last(expression: Expression) -> Expression:
    """The same formula with (a/b)*1 mm for a/(b mm)."""
    match expression:
        case Binary("/", left, Number() as divisor) if _takes_unit(left, divisor):
            digits = divisor.text.removesuffix("]").removesuffix(divisor.unit).rstrip(" [")
            unit = read_unit(divisor.unit)
            quotient = Binary("/", left, Number(float(digits)))
            return Binary("*", quotient, Number(unit.factor, f"1 [{divisor.unit}]"))
        case Binary(_, left, right):
            return replace(expression, left=_unit_last(left), right=_unit_last(right))
        case Unary(_, operand):
            return replace(expression, operand=_unit_last(operand))
        case Call(_, arguments):
            return replace(expression, arguments=tuple(map(_unit_last, arguments)))
    return expression


def _as_literal(expression: Expression) -> str:
    """The quantity that was meant as one number, where it is a short one."""
    meant = _unit_last(expression)
    match expression, meant:
        case Binary("/", _, Number() as divisor), Binary("*", quotient, _):
            try:
                value = to_float(quotient)
            except ExpressionError:  # a division by zero, told elsewhere
                return ""
            if float(f"{value:.6g}") == value:
                return f" or {value:.6g} {divisor.unit}"
    return ""
