"""Put known values into expressions: angles by their cosine and sine, without going back to the angle.

An angle that a closed form gives as a pair (cosine, sine) mostly occurs in expressions inside a sine or a cosine, alone
or in a sum with other angles. Such terms are replaced by products of pairs; only where the angle itself is needed, as in
a torsion spring, is an inverse function written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import casadi as ca

Turn = tuple[ca.SX, ca.SX]
"""Cosine and sine of an angle."""


def angle_near(turn: Turn, guess: ca.SX) -> ca.SX:
    """The angle with this cosine and sine that is nearest to *guess*."""
    c, s = ca.cos(guess), ca.sin(guess)
    return guess + ca.atan2(turn[1] * c - turn[0] * s, turn[0] * c + turn[1] * s)


@dataclass(frozen=True, eq=False)
class Sum:
    """A linear form Σ kᵢ xᵢ + rest of the replaced symbols; the rest does not depend on them."""

    terms: Mapping[int, float]
    rest: ca.SX

    def plus(self, other: Sum, sign: float) -> Sum:
        terms = dict(self.terms)
        for i, factor in other.terms.items():
            terms[i] = terms.get(i, 0.0) + sign * factor
        rest = self.rest + other.rest if sign > 0 else self.rest - other.rest
        return Sum({i: factor for i, factor in terms.items() if factor != 0.0}, rest)

    def times(self, factor: float) -> Sum:
        return Sum({i: factor * k for i, k in self.terms.items()}, factor * self.rest)


@dataclass(eq=False)
class Replacements:
    """What replaces the entries of a column of symbols.

    symbols: the column
    direct: expressions by entry
    turns: for an angle that is known as a pair, a function that gives the pair
    angles: for the same angles, a function that gives the angle itself
    sums: linear forms whose pair is known as a whole, such as the angle of a body in the plane
    Entries that are named nowhere stay as they are.
    """

    symbols: ca.SX
    direct: Mapping[int, ca.SX] = field(default_factory=dict)
    turns: Mapping[int, Callable[[], Turn]] = field(default_factory=dict)
    angles: Mapping[int, Callable[[], ca.SX]] = field(default_factory=dict)
    sums: Sequence[tuple[Sum, Callable[[], Turn]]] = ()

    def __post_init__(self) -> None:
        self._pairs: dict[object, Turn] = {}
        self._angles: dict[int, ca.SX] = {}

    @property
    def column(self) -> ca.SX:
        """What stands in the place of the symbols, where no angle is known as a pair."""
        return ca.vertcat(*[self.direct.get(i, self.symbols[i]) for i in range(self.symbols.numel())])

    def angle(self, entry: int) -> ca.SX:
        """The angle of an entry that is known as a pair."""
        if entry not in self._angles:
            self._angles[entry] = self.angles[entry]()
        return self._angles[entry]

    def pair(self, total: Sum) -> Turn:
        """Cosine and sine of a sum that contains angles known as pairs."""
        hidden = self._hidden(total)
        for place in self._alike.get(frozenset(hidden.items()), ()):
            known, build = self.sums[place]
            left = total.plus(known, -1.0)
            if len(hidden) > 1 or (not left.terms and left.rest.is_constant()):
                return _product(self._cached(("sum", place), build), self._plain_pair(left))
        pair = self._plain_pair(Sum({i: k for i, k in total.terms.items() if i not in hidden}, total.rest))
        for i, factor in hidden.items():
            single = self._cached(i, self.turns[i])
            for _ in range(round(abs(factor))):
                pair = _product(pair, single if factor > 0 else (single[0], -single[1]))
        return pair

    def _hidden(self, total: Sum) -> dict[int, float]:
        """The angles of a sum that are known as pairs, with their factors."""
        return {i: k for i, k in total.terms.items() if i in self.turns}

    @cached_property
    def _alike(self) -> Mapping[frozenset[tuple[int, float]], list[int]]:
        """Places of the sums that have the same angles in them."""
        found: dict[frozenset[tuple[int, float]], list[int]] = {}
        for place, (known, _) in enumerate(self.sums):
            found.setdefault(frozenset(self._hidden(known).items()), []).append(place)
        return found

    def can_pair(self, total: Sum) -> bool:
        """Whether a sum contains angles known as pairs, all with whole factors."""
        factors = [factor for i, factor in total.terms.items() if i in self.turns]
        return bool(factors) and all(factor == round(factor) for factor in factors)

    def _plain_pair(self, total: Sum) -> Turn:
        rest = self.write(total)
        return (ca.SX(1), ca.SX(0)) if rest.is_zero() else (ca.cos(rest), ca.sin(rest))

    def write(self, total: Sum) -> ca.SX:
        """Any sum as an expression."""
        value = total.rest
        for i, factor in total.terms.items():
            if i in self.turns:
                value = value + factor * self.angle(i)
            else:
                value = value + factor * (self.direct[i] if i in self.direct else self.symbols[i])
        return value

    def _cached(self, key: object, build: Callable[[], Turn]) -> Turn:
        if key not in self._pairs:
            self._pairs[key] = build()
        return self._pairs[key]


FACTORS = {ca.OP_NEG: -1.0, ca.OP_TWICE: 2.0}


def _product(a: Turn, b: Turn) -> Turn:
    """The pair of the sum of two angles."""
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


def linear_forms(expressions: Sequence[ca.SX], symbols: ca.SX) -> list[Sum]:
    """Scalar expressions as linear forms of the symbols."""
    stacked = ca.vertcat(ca.SX(0, 1), *expressions)
    gradient = ca.jacobian(stacked, symbols)
    if not gradient.is_constant():
        raise ValueError(f"{stacked} are not linear")
    terms: list[dict[int, float]] = [{} for _ in expressions]
    for i, j, factor in zip(*gradient.sparsity().get_triplet(), ca.DM(gradient).nonzeros(), strict=True):
        if factor != 0.0:
            terms[i][j] = factor
    rests = ca.substitute(stacked, symbols, ca.SX.zeros(symbols.shape))
    return [Sum(found, rests[i]) for i, found in enumerate(terms)]


def replace_values(expressions: Sequence[ca.SX], values: Replacements) -> list[ca.SX]:
    """The expressions with the entries of the symbols replaced by what *values* knows of them."""
    entries = {values.symbols[i].element_hash() for i in range(values.symbols.numel())}
    everything = ca.symvar(ca.vertcat(*[ca.vec(expression) for expression in expressions]))
    others = [symbol for symbol in everything if symbol.element_hash() not in entries]
    rest = ca.vertcat(*others) if others else ca.SX(0, 1)
    function = ca.Function("f", [values.symbols, rest], list(expressions))
    if not values.turns:
        return list(function.call([values.column, rest]))
    return _Rewriter(function, rest, values).run()


class _Rewriter:
    """Walks through the operations of a function and builds its outputs anew."""

    def __init__(self, function: ca.Function, rest: ca.SX, values: Replacements) -> None:
        self.function, self.rest, self.values = function, rest, values
        self.work: list[ca.SX | Sum] = [ca.SX(0)] * function.sz_w()

    def run(self) -> list[ca.SX]:
        f = self.function
        entries: list[list[ca.SX]] = [[ca.SX(0)] * f.nnz_out(i) for i in range(f.n_out())]
        for k in range(f.n_instructions()):
            code = f.instruction_id(k)
            if code == ca.OP_OUTPUT:
                output, nonzero = f.instruction_output(k)
                entries[output][nonzero] = self._value(f.instruction_input(k)[0])
                continue
            self.work[f.instruction_output(k)[0]] = self._operation(k, code)
        return [_fill(f.sparsity_out(i), entries[i]) for i in range(f.n_out())]

    def _operation(self, k: int, code: int) -> ca.SX | Sum:
        f = self.function
        if code == ca.OP_CONST:
            return ca.SX(f.instruction_constant(k))
        arguments = f.instruction_input(k)
        if code == ca.OP_INPUT:
            source, entry = arguments
            return Sum({entry: 1.0}, ca.SX(0)) if source == 0 else self.rest[entry]
        first = self.work[arguments[0]]
        if code in (ca.OP_SIN, ca.OP_COS) and isinstance(first, Sum) and self.values.can_pair(first):
            return self.values.pair(first)[0 if code == ca.OP_COS else 1]
        if code in FACTORS and isinstance(first, Sum):
            return first.times(FACTORS[code])
        if len(arguments) == 1:
            return ca.SX.unary(code, self._value(arguments[0]))
        return self._binary(code, arguments)

    def _binary(self, code: int, arguments: Sequence[int]) -> ca.SX | Sum:
        first, second = (self.work[i] for i in arguments)
        if code in (ca.OP_ADD, ca.OP_SUB) and (isinstance(first, Sum) or isinstance(second, Sum)):
            return _as_sum(first).plus(_as_sum(second), 1.0 if code == ca.OP_ADD else -1.0)
        if code == ca.OP_MUL:
            for total, factor in ((first, second), (second, first)):
                if isinstance(total, Sum) and isinstance(factor, ca.SX) and factor.is_constant():
                    return total.times(float(factor))
        return ca.SX.binary(code, self._value(arguments[0]), self._value(arguments[1]))

    def _value(self, place: int) -> ca.SX:
        item = self.work[place]
        return self.values.write(item) if isinstance(item, Sum) else item


def _as_sum(item: ca.SX | Sum) -> Sum:
    return item if isinstance(item, Sum) else Sum({}, item)


def _fill(pattern: ca.Sparsity, entries: Sequence[ca.SX]) -> ca.SX:
    return ca.SX(pattern, ca.vertcat(*entries)) if entries else ca.SX(pattern)
