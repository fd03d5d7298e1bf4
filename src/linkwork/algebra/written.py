"""Products that are written once, as functions of symbols, and put in wherever they are needed.

Every call of CasADi from Python takes some ten microseconds, whatever it does; a mechanism of a thousand bodies takes a
hundred thousand of such products. Numbers and zeros among the arguments fold as they do in the formula itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps

import casadi as ca

Put = Callable[..., list[ca.SX]]
MOST = 4096  # functions that a formula keeps: mechanisms have a few patterns each


def written(*shapes: tuple[int, int]) -> Callable[[Callable[..., Sequence[ca.SX]]], Put]:
    """A formula of expressions of these shapes, as a function that puts expressions in."""

    def decorate(formula: Callable[..., Sequence[ca.SX]]) -> Put:
        symbols = [ca.SX.sym(f"x{i}", *shape) for i, shape in enumerate(shapes)]
        function = _function(formula, symbols, formula(*symbols))

        def put_in(*given: ca.SX) -> list[ca.SX]:
            found: list[ca.SX] = function.call(given)
            return found

        return put_in

    return decorate


def written_by_pattern(formula: Callable[..., Sequence[ca.SX]]) -> Put:
    """A formula of expressions, written once for each pattern of entries that its arguments have: what is zero by structure
    stays so in what it gives.

    What the formula takes by name is no expression, but says what is written: a space, a choice.
    """
    known: dict[Hashable, tuple[list[ca.Sparsity], ca.Function]] = {}

    @wraps(formula)
    def put_in(*given: ca.SX, **choices: Hashable) -> list[ca.SX]:
        patterns = [item.sparsity() for item in given]
        # patterns that are equal are one object as long as anyone holds them
        key = (*map(ca.SharedObject.__hash__, patterns), *choices.values())
        if key not in known:
            if len(known) >= MOST:
                known.clear()
            symbols = [ca.SX.sym(f"x{i}", pattern) for i, pattern in enumerate(patterns)]
            known[key] = patterns, _function(formula, symbols, formula(*symbols, **choices))
        found: list[ca.SX] = known[key][1].call(given)
        return found

    return put_in


def _function(formula: Callable[..., Sequence[ca.SX]], symbols: list[ca.SX], found: Sequence[ca.SX]) -> ca.Function:
    return ca.Function(formula.__name__.strip("_") or "formula", symbols, list(found))
