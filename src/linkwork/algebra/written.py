"""Products that are written once, as functions of symbols, and put in wherever they are needed.

Every call of CasADi from Python takes some ten microseconds, whatever it does; a mechanism of a thousand bodies takes a
hundred thousand of such products. Numbers and zeros among the arguments fold as they do in the formula itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import casadi as ca


def written(*shapes: tuple[int, int]) -> Callable[[Callable[..., Sequence[ca.SX]]], Callable[..., list[ca.SX]]]:
    """A formula of expressions of these shapes, as a function that puts expressions in."""

    def decorate(formula: Callable[..., Sequence[ca.SX]]) -> Callable[..., list[ca.SX]]:
        symbols = [ca.SX.sym(f"x{i}", *shape) for i, shape in enumerate(shapes)]
        function = ca.Function(formula.__name__.strip("_"), symbols, list(formula(*symbols)))

        def put_in(*given: ca.SX) -> list[ca.SX]:
            found: list[ca.SX] = function.call(given)
            return found

        return put_in

    return decorate
