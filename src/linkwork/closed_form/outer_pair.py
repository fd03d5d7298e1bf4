"""The elimination that point first and plane first share: two conditions between the two outer freedoms of three.

The middle freedom leaves two invariants of what is carried. Each outer freedom enters both as W (1, m), where m is
(cos q, sin q) of a turn or (d, d²) of a slide, so that W₁ (1, m₁) = W₃ (1, m₃).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from linkwork.algebra.turns import Turn
from linkwork.closed_form.base import unit_turn
from linkwork.closed_form.freedoms import FreedomValue
from linkwork.closed_form.quartic import QuadraticTerms, best_slide, best_turn, slides_of, turns_of
from linkwork.closed_form.trigonometric import (
    SlideRoot,
    TurnRoot,
    nearer_side,
    solve_quadratic,
    solve_trigonometric,
    trigonometric_root,
)

_SINGULAR = 1e-5
_GOOD = 0.1
_NOT_REAL = -1e30

PairSolution = tuple[FreedomValue, Turn, ca.SX]
"""Value of the freedom that is kept, turn of the one that is eliminated, validity."""


@dataclass(frozen=True, eq=False)
class Outer:
    """An outer freedom in the two conditions: W = ``rows`` (2 × 3).

    ``condition`` is det of the part of a turn, relative to the radius² of its circle: 0 where its (cosine, sine) cannot
    be solved for. It depends on the axes alone.
    """

    turning: bool
    rows: ca.SX
    condition: ca.SX

    @property
    def is_good(self) -> bool:
        """Whether its (cosine, sine) can be solved for well, and always."""
        return self.condition.is_constant() and abs(float(self.condition)) > _GOOD


@dataclass(frozen=True, eq=False)
class OuterPair:
    """One solution for the two outer freedoms."""

    name: str
    first: FreedomValue
    third: FreedomValue
    valid: ca.SX


@dataclass(frozen=True, eq=False)
class _Elimination:
    """Which of the two outer freedoms is eliminated, a turn; ``swap`` where it is the first."""

    kept: Outer
    gone: Outer
    swap: ca.SX

    @cached_property
    def singular(self) -> ca.SX:
        return ca.fabs(self.gone.condition) < _SINGULAR

    def pair(self, name: str, general: PairSolution | None, nested: PairSolution | None) -> OuterPair:
        """The solution in the order of the freedoms, from the method that holds."""
        solution = general or nested
        assert solution is not None
        if general is not None and nested is not None:
            value = _select_value(self.singular, nested[0], general[0])
            turn = _select_value(self.singular, nested[1], general[1])
            solution = (value, _turn(turn), _select(self.singular, nested[2], general[2]))
        value, turn, valid = solution
        return OuterPair(name, *self.in_order(value, turn), valid)

    def in_order(self, of_kept: FreedomValue, of_gone: FreedomValue) -> tuple[FreedomValue, FreedomValue]:
        """First and third from kept and gone, or the other way round."""
        if self.swap.is_constant():
            return (of_gone, of_kept) if float(self.swap) else (of_kept, of_gone)
        return _select_value(self.swap, of_gone, of_kept), _select_value(self.swap, of_kept, of_gone)


def solve_pair(first: Outer, third: Outer) -> list[OuterPair]:
    """All solutions of W₁ (1, m₁) = W₃ (1, m₃) for outer freedoms of which one at least is a turn."""
    found = _eliminate(first, third)
    general = _by_quartic(found.kept, found.gone) if _possible(1 - found.singular) else [None] * 4
    nested = _nested(found.kept, found.gone) if _possible(found.singular) else [None] * 4
    return [found.pair(name, *both) for name, *both in zip("1234", general, nested, strict=True)]


def nearest_pair(first: Outer, third: Outer, guess_first: FreedomValue, guess_third: FreedomValue) -> OuterPair:
    """The solution nearest to a guess; a real one wins against one that is not."""
    found = _eliminate(first, third)
    kept, gone = found.in_order(guess_first, guess_third)
    general = _nearest_by_quartic(found, kept, _turn(gone)) if _possible(1 - found.singular) else None
    nested = _nearest_nested(found.kept, found.gone, kept, _turn(gone)) if _possible(found.singular) else None
    return found.pair("nearest", general, nested)


def closeness(value: FreedomValue, guess: FreedomValue) -> ca.SX:
    """Largest where a value is its guess, and falling alike for a turn and for a slide: 1 − e²/2 or −e²/2 nearby."""
    if isinstance(value, tuple) and isinstance(guess, tuple):
        return value[0] * guess[0] + value[1] * guess[1]
    assert not isinstance(value, tuple) and not isinstance(guess, tuple)
    return -((value - guess) ** 2) / 2


def best_of(items: Sequence[tuple[Sequence[FreedomValue], ca.SX, ca.SX]]) -> tuple[list[FreedomValue], ca.SX]:
    """Of (values, validity, closeness) the values and the validity with the largest closeness, real ones first."""
    values, valid, score = items[0]
    score = ca.if_else(valid >= 0, score, _NOT_REAL)
    for others, other_valid, other_score in items[1:]:
        other_score = ca.if_else(other_valid >= 0, other_score, _NOT_REAL)
        better = other_score > score
        values = [_select_value(better, new, old) for new, old in zip(others, values, strict=True)]
        valid = _select(better, other_valid, valid)
        score = ca.fmax(score, other_score)
    return list(values), valid


def _eliminate(first: Outer, third: Outer) -> _Elimination:
    """The turn with the better conditioned 2 × 2 is eliminated, or one that is known to be good."""
    if first.turning and third.turning:
        swap = ca.fabs(first.condition) > ca.fabs(third.condition)
        if not swap.is_constant() and (first.is_good or third.is_good):
            swap = ca.SX(first.is_good)
    else:
        swap = ca.SX(first.turning)
    if swap.is_constant():
        return _Elimination(third, first, swap) if float(swap) else _Elimination(first, third, swap)
    gone = Outer(True, _select(swap, first.rows, third.rows), _select(swap, first.condition, third.condition))
    kept = Outer(True, _select(swap, third.rows, first.rows), _select(swap, third.condition, first.condition))
    return _Elimination(kept, gone, swap)


@dataclass(frozen=True, eq=False)
class _Quartic:
    """(cos, sin) = G (1, m) of the eliminated turn, G = M⁻¹ (W − w₀ e₀ᵀ): ``linear`` = det M · G.

    |G (1, m)|² = 1 is the quartic, ``form`` (3 × 3), times det² M; ``sign`` is that of det M.
    """

    linear: ca.SX
    det: ca.SX
    sign: ca.SX
    form: ca.SX

    def gone(self, value: FreedomValue) -> Turn:
        cs = self.sign * (self.linear @ _powers(value))
        return unit_turn(cs[0], cs[1])


def _quartic(kept: Outer, gone: Outer) -> _Quartic:
    matrix = gone.rows[:, 1:]
    det = _determinant(matrix)
    adjugate = ca.vertcat(ca.horzcat(matrix[1, 1], -matrix[0, 1]), ca.horzcat(-matrix[1, 0], matrix[0, 0]))
    linear = adjugate @ _difference(kept, gone)
    form = linear.T @ linear
    form[0, 0] -= det * det
    return _Quartic(linear, det, ca.if_else(gone.condition >= 0, 1, -1), form)


def _by_quartic(kept: Outer, gone: Outer) -> list[PairSolution]:
    quartic = _quartic(kept, gone)
    roots = _roots(turns_of(quartic.form) if kept.turning else slides_of(quartic.form))
    return [(value, quartic.gone(value), valid) for value, valid in roots]


def _nearest_by_quartic(found: _Elimination, guess: FreedomValue, guess_gone: Turn) -> PairSolution:
    """The closeness of both freedoms is linear in (1, m), so that the nearest root is known before any is polished."""
    quartic = _quartic(found.kept, found.gone)
    # a determinant that vanishes is not used, but must not spoil the derivatives
    det = quartic.det if found.singular.is_constant() else ca.if_else(found.singular, 1, quartic.det)
    row = (guess_gone[0] * quartic.linear[0, :] + guess_gone[1] * quartic.linear[1, :]) / det
    own = (0, *guess) if isinstance(guess, tuple) else (-guess * guess / 2, guess, -0.5)
    score: QuadraticTerms = (row[0] + own[0], row[1] + own[1], row[2] + own[2])
    root = best_turn(quartic.form, score) if found.kept.turning else best_slide(quartic.form, score)
    value, valid = _roots([root])[0]
    return value, quartic.gone(value), valid


@dataclass(frozen=True, eq=False)
class _Nest:
    """M = a bᵀ of rank one: n ⟂ a leaves one equation in m, k · (1, m) = 0, and a the other, row · (cos, sin) = d(m)."""

    k: ca.SX
    row: ca.SX
    right: ca.SX

    def inner(self, turning: bool) -> list[tuple[FreedomValue, ca.SX]]:
        k = self.k
        return _roots(solve_trigonometric(k[1], k[2], -k[0]) if turning else solve_quadratic(k[0], k[1], k[2]))


def _nest(kept: Outer, gone: Outer) -> _Nest:
    matrix = gone.rows[:, 1:]
    left, right = matrix[:, 0], matrix[:, 1]
    a = ca.if_else(ca.dot(left, left) > ca.dot(right, right), left, right)
    a = a / ca.sqrt(ca.fmax(ca.dot(a, a), 1e-280))
    difference = _difference(kept, gone)
    return _Nest(ca.horzcat(-a[1], a[0]) @ difference, a.T @ matrix, a.T @ difference)


def _nested(kept: Outer, gone: Outer) -> list[PairSolution]:
    nest = _nest(kept, gone)
    solutions: list[PairSolution] = []
    for value, valid in nest.inner(kept.turning):
        for root in solve_trigonometric(nest.row[0], nest.row[1], nest.right @ _powers(value)):
            solutions.append((value, root.turn, ca.fmin(valid, root.valid)))
    return solutions


def _nearest_nested(kept: Outer, gone: Outer, guess: FreedomValue, guess_gone: Turn) -> PairSolution:
    nest = _nest(kept, gone)
    side = nearer_side(nest.row[0], nest.row[1], guess_gone)
    items = []
    for value, valid in nest.inner(kept.turning):
        root = trigonometric_root(nest.row[0], nest.row[1], nest.right @ _powers(value), side)
        score = closeness(value, guess) + closeness(root.turn, guess_gone)
        items.append(([value, root.turn], ca.fmin(valid, root.valid), score))
    (value, turn), valid = best_of(items)
    return value, _turn(turn), valid


def _difference(kept: Outer, gone: Outer) -> ca.SX:
    """W − w₀ e₀ᵀ (2 × 3): the conditions with the constant part of the eliminated turn moved over."""
    return ca.horzcat(kept.rows[:, 0] - gone.rows[:, 0], kept.rows[:, 1:])


def _roots(roots: Sequence[TurnRoot | SlideRoot]) -> list[tuple[FreedomValue, ca.SX]]:
    return [(root.turn if isinstance(root, TurnRoot) else root.slide, root.valid) for root in roots]


def _powers(value: FreedomValue) -> ca.SX:
    """(1, cos q, sin q) of a turn or (1, d, d²) of a slide."""
    if isinstance(value, tuple):
        return ca.vertcat(1, value[0], value[1])
    return ca.vertcat(1, value, value * value)


def _turn(value: FreedomValue) -> Turn:
    assert isinstance(value, tuple)
    return value


def _possible(condition: ca.SX) -> bool:
    """Whether a condition can hold: decided when it is a number."""
    return not condition.is_constant() or bool(float(condition))


def _select_value(condition: ca.SX, yes: FreedomValue, no: FreedomValue) -> FreedomValue:
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
