"""The elimination that point first and plane first share: two conditions between the two outer freedoms of three.

The middle freedom leaves two invariants of what is carried. Each outer freedom enters both as W (1, m), where m is
(cos q, sin q) of a turn or (d, d²) of a slide, so that W₁ (1, m₁) = W₃ (1, m₃).
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from linkwork.closed_form.base import unit_turn
from linkwork.closed_form.freedoms import Value
from linkwork.closed_form.quartic import slides_of, turns_of
from linkwork.closed_form.trigonometric import SlideRoot, TurnRoot, solve_quadratic, solve_trigonometric

_SINGULAR = 1e-5


@dataclass(frozen=True, eq=False)
class Outer:
    """An outer freedom in the two conditions: W = ``rows`` (2 × 3), ``square`` = radius² of the circle of a turn."""

    turning: bool
    rows: ca.SX
    square: ca.SX

    @property
    def condition(self) -> ca.SX:
        """det of the part of a turn, relative to its size: 0 where its (cosine, sine) cannot be solved for."""
        return ca.fabs(_determinant(self.rows[:, 1:])) / ca.fmax(self.square, 1e-280)


@dataclass(frozen=True, eq=False)
class Pair:
    """One solution for the two outer freedoms."""

    name: str
    first: Value
    third: Value
    valid: ca.SX


def solve_pair(first: Outer, third: Outer) -> list[Pair]:
    """All solutions of W₁ (1, m₁) = W₃ (1, m₃) for outer freedoms of which one at least is a turn.

    The turn with the better conditioned 2 × 2 is eliminated; where neither can be, the quartic falls to two nested
    equations A cos + B sin = D.
    """
    if first.turning and third.turning:
        swap = first.condition > third.condition
    else:
        swap = ca.SX(1 if first.turning else 0)
    gone = Outer(True, _select(swap, first.rows, third.rows), _select(swap, first.square, third.square))
    kept = Outer(first.turning and third.turning, _select(swap, third.rows, first.rows), gone.square)
    singular = gone.condition < _SINGULAR
    pairs = []
    for name, general, nested in zip("1234", _by_quartic(kept, gone), _nested(kept, gone), strict=True):
        value = _select_value(singular, nested[0], general[0])
        turn = _select_value(singular, nested[1], general[1])
        ends = (turn, value) if not kept.turning and first.turning else (value, turn)
        if kept.turning:
            ends = (_select_value(swap, turn, value), _select_value(swap, value, turn))
        pairs.append(Pair(name, *ends, _select(singular, nested[2], general[2])))
    return pairs


def _by_quartic(kept: Outer, gone: Outer) -> list[tuple[Value, Value, ca.SX]]:
    """(cos, sin) = G (1, m) with G = M⁻¹ (W − w₀ e₀ᵀ), and |G (1, m)|² = 1 is the quartic (times det² M)."""
    matrix = gone.rows[:, 1:]
    det = _determinant(matrix)
    adjugate = ca.vertcat(ca.horzcat(matrix[1, 1], -matrix[0, 1]), ca.horzcat(-matrix[1, 0], matrix[0, 0]))
    linear = adjugate @ _difference(kept, gone)
    form = linear.T @ linear
    form[0, 0] -= det * det
    sign = ca.if_else(det >= 0, 1, -1)
    solutions: list[tuple[Value, Value, ca.SX]] = []
    for value, valid in _roots(turns_of(form) if kept.turning else slides_of(form)):
        cs = sign * (linear @ _powers(value))
        solutions.append((value, unit_turn(cs[0], cs[1]), valid))
    return solutions


def _nested(kept: Outer, gone: Outer) -> list[tuple[Value, Value, ca.SX]]:
    """M = a bᵀ of rank one: n ⟂ a leaves one equation in m, and a the other in (cos, sin)."""
    matrix = gone.rows[:, 1:]
    left, right = matrix[:, 0], matrix[:, 1]
    a = ca.if_else(ca.dot(left, left) > ca.dot(right, right), left, right)
    a = a / ca.sqrt(ca.fmax(ca.dot(a, a), 1e-280))
    across = ca.horzcat(-a[1], a[0])
    difference = _difference(kept, gone)
    k = across @ difference
    inner = solve_trigonometric(k[1], k[2], -k[0]) if kept.turning else solve_quadratic(k[0], k[1], k[2])
    row = a.T @ matrix
    solutions: list[tuple[Value, Value, ca.SX]] = []
    for value, valid in _roots(inner):
        for root in solve_trigonometric(row[0], row[1], a.T @ (difference @ _powers(value))):
            solutions.append((value, root.turn, ca.fmin(valid, root.valid)))
    return solutions


def _difference(kept: Outer, gone: Outer) -> ca.SX:
    """W − w₀ e₀ᵀ (2 × 3): the conditions with the constant part of the eliminated turn moved over."""
    return ca.horzcat(kept.rows[:, 0] - gone.rows[:, 0], kept.rows[:, 1:])


def _roots(roots: list[TurnRoot] | list[SlideRoot]) -> list[tuple[Value, ca.SX]]:
    return [(root.turn if isinstance(root, TurnRoot) else root.slide, root.valid) for root in roots]


def _powers(value: Value) -> ca.SX:
    """(1, cos q, sin q) of a turn or (1, d, d²) of a slide."""
    if isinstance(value, tuple):
        return ca.vertcat(1, value[0], value[1])
    return ca.vertcat(1, value, value * value)


def _select_value(condition: ca.SX, yes: Value, no: Value) -> Value:
    """One of two values of the same kind."""
    if isinstance(yes, tuple) and isinstance(no, tuple):
        return _select(condition, yes[0], no[0]), _select(condition, yes[1], no[1])
    assert not isinstance(yes, tuple) and not isinstance(no, tuple)
    return _select(condition, yes, no)


def _determinant(matrix: ca.SX) -> ca.SX:
    return matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]


def _select(condition: ca.SX, yes: ca.SX, no: ca.SX) -> ca.SX:
    """*yes* or *no*; decided at once when the condition is a number."""
    if condition.is_constant():
        return yes if float(condition) else no
    return ca.if_else(condition, yes, no)
