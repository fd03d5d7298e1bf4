"""Random functions of (t, y, p), described by a list of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import casadi as ca
from hypothesis import strategies as st

SIZE_Y, SIZE_P = 3, 2
Graph = Sequence[tuple[int, int, int]]

# what IEEE 754 determines to the last bit
EXACT: list[Callable[[ca.SX, ca.SX], ca.SX]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, b: -a,
    lambda a, b: a * a,
    lambda a, b: 2 * a,
    lambda a, b: 1 / a,
    lambda a, b: ca.sqrt(ca.fabs(a)),
    lambda a, b: ca.sign(a),
    lambda a, b: ca.floor(a),
    lambda a, b: ca.ceil(a),
    lambda a, b: ca.fmod(a, b),
    lambda a, b: ca.remainder(a, b),
    lambda a, b: ca.fmin(a, b),
    lambda a, b: ca.fmax(a, b),
    lambda a, b: ca.copysign(a, b),
    lambda a, b: ca.if_else(a < b, a, b * a),
    lambda a, b: ca.if_else(ca.logic_and(a <= b, a != 0), b, 1.5),
    lambda a, b: ca.logic_or(a == b, ca.logic_not(b)),
]

# maps of [-1, 1] into itself with slopes near 1, so that rounding errors do not grow
SMOOTH: list[Callable[[ca.SX, ca.SX], ca.SX]] = [
    lambda a, b: (a + b) / 2,
    lambda a, b: (a - b) / 2,
    lambda a, b: a * b,
    lambda a, b: a / (b + 2),
    lambda a, b: b / (a + 2) + b / (a + 3) / 4,
    lambda a, b: ca.sin(3 * a) * ca.cos(3 * a),
    lambda a, b: ca.cos(a + b),
    lambda a, b: ca.tan(a / 2),
    lambda a, b: ca.asin(a / 2),
    lambda a, b: ca.acos(a / 2) - 1.5,
    lambda a, b: ca.atan(a),
    lambda a, b: ca.atan2(a, b + 2),
    lambda a, b: ca.hypot(a, b + 2) - 2,
    lambda a, b: ca.exp(a) / 3,
    lambda a, b: ca.log(a + 2) - 0.5,
    lambda a, b: ca.expm1(a / 2),
    lambda a, b: ca.log1p(a / 2),
    lambda a, b: ca.sinh(a / 2),
    lambda a, b: ca.cosh(a) - 1,
    lambda a, b: ca.tanh(a),
    lambda a, b: ca.asinh(a),
    lambda a, b: ca.acosh(a + 3) - 1.5,
    lambda a, b: ca.atanh(a / 2),
    lambda a, b: ca.erf(a / 2),
    lambda a, b: (a + 2) ** (b / 2) / 2,
    lambda a, b: ca.sqrt(a + 2) - 1,
]

graphs = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 1000)), min_size=1, max_size=25)


def make_function(graph: Graph, operations: Sequence[Callable[[ca.SX, ca.SX], ca.SX]]) -> ca.Function:
    """Return the function whose value k applies an operation to two of the values before; all values are outputs."""
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", SIZE_Y), ca.SX.sym("p", SIZE_P)
    values = [t, *ca.vertsplit(y), *ca.vertsplit(p), ca.SX(0.5)]
    for operation, first, second in graph:
        chosen = operations[operation % len(operations)]
        values.append(chosen(values[first % len(values)], values[second % len(values)]))
    results = values[1 + SIZE_Y + SIZE_P :]
    return ca.Function("f", [t, y, p], [ca.vertcat(*results), ca.sparsify(ca.diag(ca.vertcat(*results[-2:])))])
