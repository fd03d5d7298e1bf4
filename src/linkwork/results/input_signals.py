"""Inputs over time as a user gives them: numbers, formulas of t, samples, functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from linkwork.algebra.expressions import TIME, parse, to_sx
from linkwork.arrays import Array
from linkwork.errors import ExpressionError, RefusedError
from linkwork.results.linear_system import place

InputMotion = float | str | Callable[[float], float] | ArrayLike | tuple[ArrayLike, ArrayLike]


class InputSignals:
    """The variations of all inputs (nu) of a linearisation over time; those that are not given stay zero.

    A number is a constant from t = 0 on, a text a formula of t such as ``0.02*sin(30*t)*step(1 - t)``. Samples at the
    output times, or a pair of times and samples, are joined by straight lines.
    """

    def __init__(self, given: Mapping[str, InputMotion], names: Sequence[str], time: Array) -> None:
        self._functions: list[Callable[[Array], Array]] = [np.zeros_like] * len(names)
        breaks = [time]
        for name, motion in given.items():
            i = place(name, names, "input")
            self._functions[i], own = _function(name, motion, time)
            breaks.append(own[(own > time[0]) & (own < time[-1])])
        self.breaks = np.unique(np.concatenate(breaks))

    def __call__(self, t: Array) -> Array:
        """Values (N, nu) at times (N)."""
        found = [function(t) for function in self._functions]
        return np.column_stack(found) if found else np.zeros((len(t), 0))


def _function(name: str, motion: InputMotion, time: Array) -> tuple[Callable[[Array], Array], Array]:
    """An input as a function of times, and the times at which it has kinks."""
    none = np.zeros(0)
    if isinstance(motion, str):
        return _formula(name, motion), none
    if callable(motion):
        return lambda t: np.array([float(motion(float(x))) for x in t]), none
    try:
        at, values = _samples(motion, time)
    except (TypeError, ValueError) as reason:
        raise RefusedError(
            f"the input '{name}' is a number, a formula of t, a function, samples, or a pair of times and samples, not "
            f"{motion!r}"
        ) from reason
    if values.ndim == 0:
        return lambda t: np.full(len(t), float(values)), none
    if len(at) != len(values) or len(at) < 2 or np.any(np.diff(at) <= 0) or not np.all(np.isfinite([*at, *values])):
        raise RefusedError(
            f"the input '{name}' has {len(values)} samples for {len(at)} times from {time[0]:g} s on; give as many finite "
            "ones as there are times from there on, or a pair of increasing times and samples"
        )
    if at[0] > time[0] or at[-1] < time[-1]:
        raise RefusedError(
            f"the samples of '{name}' go from {at[0]:g} s to {at[-1]:g} s, the motion from {time[0]:g} s to {time[-1]:g} s"
        )
    return lambda t: np.interp(t, at, values), at


def _samples(motion: ArrayLike | tuple[ArrayLike, ArrayLike], time: Array) -> tuple[Array, Array]:
    """Times and samples; a number is a sample for all times."""
    if isinstance(motion, tuple) and len(motion) == 2 and np.ndim(motion[0]) == 1:
        at, values = (np.asarray(part, dtype=float).ravel() for part in motion)
        return at, values
    values = np.asarray(motion, dtype=float)
    return time, values.ravel() if values.ndim else values


def _formula(name: str, text: str) -> Callable[[Array], Array]:
    symbol = ca.SX.sym(TIME)

    def lookup(word: str) -> ca.SX:
        if word != TIME:
            raise ExpressionError(f"the input '{name}' is a formula of {TIME} alone, not of '{word}'")
        return symbol

    expression = ca.SX(to_sx(parse(text), lookup))
    function = ca.Function("input", [symbol], [ca.densify(expression)])
    return lambda t: np.array(function.map(len(t))(t[None, :])).ravel()
