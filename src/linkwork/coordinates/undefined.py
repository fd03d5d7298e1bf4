"""Formulas of a model that have no value at a state: which element, which formula, which part of it, and when.

Asked only where something is undefined already: the search costs more than what it looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import Expression, to_sx
from linkwork.algebra.expressions.undefined import find_hole, may_fail
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.naming import Lookup
from linkwork.errors import ExpressionError
from linkwork.model import Driver, Model
from linkwork.model.parameters import LARGEST

Instant = tuple[float, Array, Array]  # t, y and p


@dataclass(frozen=True)
class Undefined:
    """An element without a value: its kind and name, the formula (empty: none of its own), the time in s, and why."""

    kind: str
    element: str
    formula: str
    time: float
    reason: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        return self.told(at=f" at t = {self.time:.6g} s")

    def told(self, at: str = "") -> str:
        """In words: which element, when it is *at*, which formula and why, and what would help."""
        formula = f": '{self.formula}'" if self.formula else ""
        why = f" ({self.reason})" if self.reason else ""
        hint = self.remedy or "check its formula"
        return f"{self.kind} '{self.element}' gives an infinite or undefined value{at}{formula}{why}; {hint}"


@dataclass(frozen=True, eq=False)
class NamedFormula:
    """A formula of an element: what sort of element, its name, the formula, and how many derivatives by t count too."""

    kind: str
    element: str
    expression: Expression
    derivatives: int = 0

    def sx(self, name: Callable[[str], ca.SX]) -> ca.SX:
        """It as an expression, as it is written."""
        return ca.SX(to_sx(self.expression, name))


def formulas(model: Model) -> Iterator[NamedFormula]:
    """Formulas of drivers, relations, forces and the base; those with names that only their elements know are left out."""
    for name, driver in model.drivers.items():
        for path, scope, expression in driver.expressions():
            if scope.level == "time" and not scope.local:
                level = path.partition("[")[0].partition(".")[0]
                count = 2 - ("position", "speed", "acceleration").index(level) if isinstance(driver, Driver) else 2
                yield NamedFormula(*called(model, name), expression, count)
    for name, relation in model.relations.items():
        for _, scope, expression in relation.expressions():
            if scope.level == "time" and not scope.local:
                yield NamedFormula("relation", name, expression, 2)
    for name, force in model.forces.items():
        for _, scope, expression in force.expressions():
            if not scope.local.keys() & expression.names():
                yield NamedFormula("force", name, expression)
    if model.base is not None:
        for _, _, expression in model.base.expressions():
            yield NamedFormula("motion of the ground", "base", expression, 1)


def called(model: Model, name: str) -> tuple[str, str]:
    """What a driver is called: one that stands for an input of kinematics is an input."""
    driver = model.drivers[name]
    if isinstance(driver, Driver):
        freedom = driver.freedom or model.joints[driver.joint].freedoms[0].name
        if name == f"input_{driver.joint}_{freedom}":
            return "input", f"{driver.joint}.{freedom}"
    return "driver", name


def partial_formulas(model: Model) -> list[NamedFormula]:
    """Those that can be without a value."""
    return [formula for formula in formulas(model) if may_fail(formula.expression)]


def is_number(values: Array) -> NDArray[np.bool_]:
    """Where values can be computed with: they are finite, and no larger than a number of a model may be."""
    return np.abs(values) <= LARGEST


def steepness(changes: Array) -> str:
    """What to say of rates of change that are no numbers."""
    return f"its rate of change is {'too large for any computation' if np.all(np.isfinite(changes)) else 'infinite'}"


def lookup(c: Coordinates) -> Callable[[str], ca.SX]:
    """What names in formulas of the state stand for."""
    return Lookup(c.topology, c.motion, c.t, c.related).name


def undefined_at(c: Coordinates, moment: Instant, written: Model | None = None) -> Undefined | None:
    """The driver, force or base that has no value at t, y and p; None where all have.

    written: the model with inputs as drivers
    """
    found = undefined_formula(c, partial_formulas(written or c.topology.model), moment, lookup(c))
    return found or _undefined_load(c, moment)


def undefined_formula(
    c: Coordinates, suspects: Sequence[NamedFormula], moment: Instant, name: Callable[[str], ca.SX]
) -> Undefined | None:
    """The first of some formulas without a value, or whose derivatives have none."""
    for formula in suspects:
        try:
            names = sorted(formula.expression.names())
            values = dict(zip(names, _numbers(c, [name(item) for item in names], moment).tolist(), strict=True))
        except ExpressionError:
            continue  # names of another stage
        hole = find_hole(formula.expression, values.__getitem__)
        told = formula.kind, formula.element, str(formula.expression), moment[0]
        if hole is not None:
            return Undefined(*told, hole.reason, hole.remedy)
        value, *changes = _numbers(c, [formula.sx(name), *rates(c, formula, name)], moment)
        if not is_number(value):
            return Undefined(*told, f"{value:.3g} is too large for any computation", f"keep it below {LARGEST:g}")
        if not np.all(is_number(np.array(changes))):
            return Undefined(*told, steepness(np.array(changes)), "give it one that stays finite")
    return None


def rates(c: Coordinates, formula: NamedFormula, name: Callable[[str], ca.SX]) -> list[ca.SX]:
    """The derivatives by t of a formula that count."""
    levels = [formula.sx(name)]
    for _ in range(formula.derivatives):
        levels.append(ca.jacobian(levels[-1], c.t))
    return levels[1:]


def undefined_slope(c: Coordinates, moment: Instant) -> Undefined | None:
    """The first formula that has a value at a moment, but no finite derivative by the state."""
    name = lookup(c)
    for formula in partial_formulas(c.topology.model):
        slope = ca.jacobian(formula.sx(name), ca.vertcat(c.t, c.y))
        if not np.all(np.isfinite(_numbers(c, [slope], moment))):
            told = formula.kind, formula.element, str(formula.expression), moment[0]
            return Undefined(*told, "its slope is infinite", "look at another position")
    return None


def _undefined_load(c: Coordinates, moment: Instant) -> Undefined | None:
    """A force element whose loads are not finite, whatever its formulas say: such as a spring without a direction."""
    acting = c.loading.by_element
    for state in c.auxiliaries:
        owner = state.name.rpartition(".")[0]
        if state.role == "force" and owner in acting:
            acting[owner] = ca.vertcat(acting[owner], state.rate)
    for name, values in acting.items():
        if not np.all(np.isfinite(_numbers(c, [values], moment))):
            formula = next((f for f in _own(c.topology.model, name) if may_fail(f)), None)
            ends = getattr(c.topology.model.forces.get(name), "between", None)
            if formula is None and ends is not None:
                reason = f"its ends '{ends[0]}' and '{ends[1]}' meet, where the line between them has no direction"
                return Undefined("force", name, "", moment[0], reason, "keep them apart, or give a free_length of 0")
            remedy = "check its formula" if formula is not None else "check its ends: they may meet"
            return Undefined("force", name, "" if formula is None else str(formula), moment[0], "", remedy)
    return None


def _own(model: Model, force: str) -> list[Expression]:
    return [expression for _, _, expression in model.forces[force].expressions()] if force in model.forces else []


def _numbers(c: Coordinates, expressions: Sequence[ca.SX], moment: Instant) -> Array:
    t, y, p = moment
    stacked = ca.vertcat(ca.SX(0, 1), *[ca.vec(ca.densify(ca.SX(item))) for item in expressions])
    f = ca.Function("values", [c.t, c.y, c.p], [ca.densify(stacked)])
    return np.array(f(t, y, p[: c.p.numel()])).ravel()
