"""From recurrences to the text of an LLVM module that fills the power series of a state.

    void series(double t, const double *y, const double *p, double *out, double *work, i64 order)

out (order + 1, n): coefficients y_k, from y_0 = y; those of states that the series is not made for are 0 from y_1 on.
work: `Layout.size` doubles.

Products of lower orders are kept in *channels*: channel i has rows A_k[i] and B_k[i], and for each order all channels form
S[i] = Σ_{0<j<k} A_j[i] B_{k-j}[i] in vectors of eight; then one straight-line pass adds what is linear in the new
coefficients. Order 0 is an ordinary function of (t, y, p), whose values z the passes read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.compiler.instructions import Instructions
from linkwork.compiler.llvm import emitter
from linkwork.compiler.llvm.width import LANES, SCALAR, VECTOR
from linkwork.compiler.operations import SOURCES, Op
from linkwork.compiler.recurrences import OperationRow, Recurrences

SYMBOL = "series"
GROUPS = (4, 5, 6)  # vectors that are summed at once, whichever wastes the fewest


@dataclass(frozen=True)
class SeriesLayout:
    """Sizes of the work array: order 0 (z), sums of products (channels, a multiple of the vectors), their rows."""

    zeros: int
    channels: int
    group: int

    def size(self, order: int) -> int:
        """Doubles of work for series up to an order; some are lost to alignment."""
        return LANES + self.zeros + (2 * order + 1) * self.channels


def emit_series(recurrences: Recurrences, size_y: int, size_p: int) -> tuple[str, SeriesLayout]:
    """The text of the module, and what memory it needs."""
    writer = _Pass(recurrences)
    lines = writer.write(size_y)
    text = emitter.emit(writer.order_zero(size_y, size_p), SCALAR)
    layout = _layout(len(writer.places), writer.channels)
    head = [
        f"define void @{SYMBOL}(double %t, ptr noalias readonly %y, ptr noalias readonly %p, ptr noalias %out, "
        "ptr noalias %space, i64 %order) nounwind "
        '"min-legal-vector-width"="512" "prefer-vector-width"="512" {',
        "entry:",
        *_memory(layout),
        f"  call void @{emitter.SYMBOL}(double %t, ptr %y, ptr %p, ptr %z)",
    ]
    rates = dict(zip(recurrences.states, recurrences.outputs, strict=True))
    for i in range(size_y):
        head += _copy(f"start{i}", "%y", i, "%out", i)
        if i in rates:
            head += _copy(f"rate{i}", "%z", writer.places[rates[i]], "%out", size_y + i)
            continue
        head += [f"  %rest{i} = getelementptr double, ptr %out, i64 {size_y + i}", f"  store double 0.0, ptr %rest{i}"]
    head += ["  %any = icmp sgt i64 %order, 1", "  br i1 %any, label %order_k, label %end"]
    body = [*_sums(layout), *_rows(layout, size_y), *lines]
    tail = [
        "  %next = add i64 %k, 1",
        "  %more = icmp slt i64 %next, %order",
        "  br i1 %more, label %order_k, label %end",
        "end:",
        "  ret void",
        "}",
    ]
    return "\n".join([text, *head, *body, *tail]), layout


def _layout(zeros: int, channels: int) -> SeriesLayout:
    vectors = -(-channels // LANES)
    group = min(GROUPS, key=lambda size: (-(-vectors // size) * size, -size))
    return SeriesLayout(-(-zeros // LANES) * LANES, max(-(-vectors // group), 1) * group * LANES, group)


def _memory(layout: SeriesLayout) -> list[str]:
    return [
        "  %raw = ptrtoint ptr %space to i64",
        "  %above = add i64 %raw, 63",
        "  %aligned = and i64 %above, -64",
        "  %z = inttoptr i64 %aligned to ptr",
        f"  %s = getelementptr double, ptr %z, i64 {layout.zeros}",
        f"  %a = getelementptr double, ptr %s, i64 {layout.channels}",
        f"  %b_size = mul i64 %order, {layout.channels}",
        "  %b = getelementptr double, ptr %a, i64 %b_size",
    ]


def _copy(name: str, source: str, at: int, target: str, to: int) -> list[str]:
    return [
        f"  %{name}_from = getelementptr double, ptr {source}, i64 {at}",
        f"  %{name} = load double, ptr %{name}_from",
        f"  %{name}_to = getelementptr double, ptr {target}, i64 {to}",
        f"  store double %{name}, ptr %{name}_to",
    ]


def _sum_entry(channels: int) -> list[str]:
    """The loops over orders k, groups of channels and j, up to the first sum."""
    return [
        "order_k:",
        "  %k = phi i64 [1, %entry], [%next, %pass]",
        "  %before = sub i64 %k, 2",
        f"  %last_row = mul i64 %before, {channels}",
        "  %b_last = getelementptr double, ptr %b, i64 %last_row",
        "  br label %group",
        "group:",
        "  %g = phi i64 [0, %order_k], [%g_next, %group_end]",
        "  %a_first = getelementptr double, ptr %a, i64 %g",
        "  %b_first = getelementptr double, ptr %b_last, i64 %g",
        "  br label %sum",
        "sum:",
        "  %j = phi i64 [1, %group], [%j_next, %term]",
        "  %a_row = phi ptr [%a_first, %group], [%a_next, %term]",
        "  %b_row = phi ptr [%b_first, %group], [%b_next, %term]",
    ]


def _sums(layout: SeriesLayout) -> list[str]:
    """S = Σ_{0<j<k} A_j B_{k-j}; row 1 of A and B is the first of their memory."""
    group, row = range(layout.group), 8 * layout.channels
    real, zero = VECTOR.real, VECTOR.constant(0.0)
    lines = _sum_entry(layout.channels)
    lines += [f"  %sum{u} = phi {real} [{zero}, %group], [%new{u}, %term]" for u in group]
    lines += ["  %inside = icmp slt i64 %j, %k", "  br i1 %inside, label %term, label %group_end", "term:"]
    for u in group:
        for x in "ab":
            lines.append(f"  %{x}{u}_at = getelementptr double, ptr %{x}_row, i64 {u * LANES}")
            lines.append(f"  %{x}{u} = load {real}, ptr %{x}{u}_at, align 64")
        lines.append(f"  %new{u} = call {real} @llvm.fma.{VECTOR.suffix}({real} %a{u}, {real} %b{u}, {real} %sum{u})")
    lines += [
        f"  %a_next = getelementptr i8, ptr %a_row, i64 {row}",
        f"  %b_next = getelementptr i8, ptr %b_row, i64 {-row}",
        "  %j_next = add i64 %j, 1",
        "  br label %sum",
        "group_end:",
        "  %s_first = getelementptr double, ptr %s, i64 %g",
    ]
    for u in group:
        lines.append(f"  %s{u}_at = getelementptr double, ptr %s_first, i64 {u * LANES}")
        lines.append(f"  store {real} %sum{u}, ptr %s{u}_at, align 64")
    lines += [f"  %g_next = add i64 %g, {layout.group * LANES}", f"  %g_more = icmp slt i64 %g_next, {layout.channels}"]
    return [*lines, "  br i1 %g_more, label %group, label %pass"]


def _rows(layout: SeriesLayout, size: int) -> list[str]:
    """Pointers of the pass: to rows k of A, B and the coefficients, and k as a number."""
    return [
        "pass:",
        f"  %row_k = add i64 %last_row, {layout.channels}",
        "  %ak = getelementptr double, ptr %a, i64 %row_k",
        "  %bk = getelementptr double, ptr %b, i64 %row_k",
        f"  %out_row = mul i64 %k, {size}",
        "  %yk = getelementptr double, ptr %out, i64 %out_row",
        f"  %y_next = getelementptr double, ptr %yk, i64 {size}",
        "  %number = sitofp i64 %k to double",
        "  %above_number = fadd double %number, 1.0",
        "  %share = fdiv double 1.0, %number",
        "  %next_share = fdiv double 1.0, %above_number",
        "  %first_order = icmp eq i64 %k, 1",
        "  %time_k = select i1 %first_order, double 1.0, double 0.0",
    ]


class _Pass:
    """Writes the pass over one order: coefficient k of each moving value, from coefficients k of its operands."""

    def __init__(self, recurrences: Recurrences) -> None:
        self.r = recurrences
        self._one = recurrences.number(1.0)
        self.places: dict[int, int] = {}  # value of order 0 -> its place in z
        self.channels = 0
        self._lines: list[str] = []
        self._coefficients: dict[int, str] = {}
        self._depths: dict[int, int] = {}
        self._loaded: dict[int, str] = {}
        self._weighted: dict[int, str] = {}
        self._pending: dict[int, list[tuple[str, int, bool]]] = {}
        self._count = 0
        self._rows = list(recurrences.rows)  # the rows of order 0: those of the list, then what the passes ask for
        self._asked: dict[OperationRow, int] = {}

    def write(self, size_y: int) -> list[str]:
        """The lines of the pass for a state of *size_y* numbers."""
        for i, row in enumerate(self.r.rows):
            if i in self.r.moving:
                self._coefficients[i] = self._coefficient(i, *row)
                self._depths[i] = self._depth(i, *row)
            for x, channel, weighted in self._pending.pop(i, ()):
                self._store_row(x, channel, i, weighted)
        rates = dict(zip(self.r.states, self.r.outputs, strict=True))
        for i in range(size_y):
            value = "0.0"
            if rates.get(i) in self.r.moving:
                value = self._line(f"fmul double {self._k(rates[i])}, %next_share")
            self._store("%y_next", i, value)
        for output in self.r.outputs:
            self.places.setdefault(output, len(self.places))
        return self._lines

    def order_zero(self, size_y: int, size_p: int) -> Instructions:
        """The function of (t, y, p) that gives z."""
        opcodes, first, second = zip(*self._rows, strict=True)
        return Instructions(
            name="order_zero",
            size_y=size_y,
            size_p=size_p,
            opcodes=np.array(opcodes, dtype=np.uint8),
            first=np.array(first, dtype=np.int32),
            second=np.array(second, dtype=np.int32),
            constants=np.array(self.r.constants, dtype=np.float64),
            outputs=np.array(list(self.places), dtype=np.int32),
            layout=(("z", (len(self.places), 1)),),
        )

    def _depth(self, i: int, op: Op, a: int, b: int) -> int:
        """How many operations stand between a coefficient of order k and those of the state."""
        if op in SOURCES:
            return 0
        operands = [term.a for term in self.r.growth[i]] if i in self.r.growth else [a, b]
        return 1 + max(self._depths.get(operand, 0) for operand in operands)

    # --- names ------------------------------------------------------------------------------------------------------
    def _line(self, text: str) -> str:
        self._count += 1
        name = f"%x{self._count}"
        self._lines.append(f"  {name} = {text}")
        return name

    def _k(self, i: int) -> str:
        """Coefficient k of a value."""
        return self._coefficients[i]

    def _zero(self, i: int) -> str:
        """Coefficient 0 of a value: a constant, or loaded from z."""
        op, index, _ = self._rows[i]
        if op is Op.CONSTANT:
            return SCALAR.constant(self.r.constants[index])
        if i not in self._loaded:
            place = self.places.setdefault(i, len(self.places))
            self._loaded[i] = self._load("%z", place)
        return self._loaded[i]

    def _of_zero(self, op: Op, first: int, second: int = -1) -> int:
        """A further value of order 0."""
        row = (op, first, second)
        if row not in self._asked:
            self._asked[row] = len(self._rows)
            self._rows.append(row)
        return self._asked[row]

    def _load(self, array: str, place: int) -> str:
        at = self._line(f"getelementptr double, ptr {array}, i64 {place}")
        return self._line(f"load double, ptr {at}")

    def _store(self, array: str, place: int, value: str) -> None:
        at = self._line(f"getelementptr double, ptr {array}, i64 {place}")
        self._lines.append(f"  store double {value}, ptr {at}")

    def _sum(self, *products: tuple[str, str], start: str = "") -> str:
        total = start
        for x, y in products:
            product = self._line(f"fmul contract double {x}, {y}")
            total = self._line(f"fadd contract double {total}, {product}") if total else product
        return total

    def _less(self, x: str, y: str) -> str:
        return self._line(f"fsub contract double {x}, {y}")

    # --- channels ---------------------------------------------------------------------------------------------------
    def _channel(self, a: int, b: int, weighted: bool = False) -> str:
        """S of a new channel of a (or of k a_k) and b."""
        channel = self.channels
        self.channels += 1
        for x, value, weigh in (("%ak", a, weighted), ("%bk", b, False)):
            if value in self._coefficients:
                self._store_row(x, channel, value, weigh)
            else:
                self._pending.setdefault(value, []).append((x, channel, weigh))
        return self._load("%s", channel)

    def _store_row(self, x: str, channel: int, value: int, weighted: bool) -> None:
        name = self._k(value)
        if weighted:
            if value not in self._weighted:
                self._weighted[value] = self._line(f"fmul double {name}, %number")
            name = self._weighted[value]
        self._store(x, channel, name)

    # --- recurrences ------------------------------------------------------------------------------------------------
    def _coefficient(self, i: int, op: Op, a: int, b: int) -> str:
        if op is Op.TIME:
            return "%time_k"
        if op is Op.STATE:
            return self._load("%yk", a)
        if i in self.r.growth:
            return self._growth(i)
        return _RULES[op](self, i, a, b)

    def _growth(self, i: int) -> str:
        total = ""
        for term in self.r.growth[i]:
            lower = ""
            if term.g in self.r.moving:
                lower = self._sum((self._channel(term.a, term.g, weighted=True), "%share"))
            part = self._sum((self._k(term.a), self._zero(term.g)), start=lower)
            if term.sign < 0:
                part = self._line(f"fneg double {part}")
            total = self._line(f"fadd double {total}, {part}") if total else part
        return total

    def moves(self, i: int) -> bool:
        return i in self.r.moving

    def add(self, i: int, a: int, b: int) -> str:
        if not (self.moves(a) and self.moves(b)):
            return self._k(a if self.moves(a) else b)
        return self._line(f"fadd contract double {self._k(a)}, {self._k(b)}")

    def sub(self, i: int, a: int, b: int) -> str:
        if not self.moves(b):
            return self._k(a)
        if not self.moves(a):
            return self._line(f"fneg double {self._k(b)}")
        return self._less(self._k(a), self._k(b))

    def neg(self, i: int, a: int, b: int) -> str:
        return self._line(f"fneg double {self._k(a)}")

    def mul(self, i: int, a: int, b: int) -> str:
        if not (self.moves(a) and self.moves(b)):
            fixed, moving = (b, a) if self.moves(a) else (a, b)
            return self._sum((self._zero(fixed), self._k(moving)))
        start = self._channel(a, b)
        if a == b:
            return self._sum((self._k(a), self._zero(self._of_zero(Op.ADD, a, a))), start=start)
        first, last = (b, a) if self._depths[a] > self._depths[b] else (a, b)
        return self._sum((self._k(first), self._zero(last)), (self._k(last), self._zero(first)), start=start)

    def div(self, i: int, a: int, b: int) -> str:
        """(a_k − S − c_0 b_k) / b_0, with as little as possible behind the operand that is known last."""
        inverse_of = self._of_zero(Op.DIV, self._one, b)
        inverse = self._zero(inverse_of)
        if not self.moves(b):
            return self._sum((self._k(a), inverse))
        share = self._zero(self._of_zero(Op.NEG, self._of_zero(Op.MUL, i, inverse_of)))
        lower = self._sum((self._line(f"fneg double {self._channel(i, b)}"), inverse))
        parts = [(self._k(b), share, b)] + ([(self._k(a), inverse, a)] if self.moves(a) else [])
        parts.sort(key=lambda part: self._depths[part[2]])
        return self._sum(*(part[:2] for part in parts), start=lower)

    def sqrt(self, i: int, a: int, b: int) -> str:
        inverse = self._zero(self._of_zero(Op.DIV, self._one, self._of_zero(Op.ADD, i, i)))
        lower = self._line(f"fneg double {self._channel(i, i)}")
        return self._sum((self._k(a), inverse), start=self._sum((lower, inverse)))

    def _signed(self, factor: int, a: int) -> str:
        return self._sum((self._zero(factor), self._k(a))) if self.moves(a) else "0.0"

    def fabs(self, i: int, a: int, b: int) -> str:
        return self._signed(self._of_zero(Op.COPYSIGN, self._one, a), a)

    def copysign(self, i: int, a: int, b: int) -> str:
        signs = [self._of_zero(Op.COPYSIGN, self._one, x) for x in (a, b)]
        return self._signed(self._of_zero(Op.MUL, *signs), a)

    def _pick(self, condition: int, a: int, b: int) -> str:
        truth = self._line(f"fcmp une double {self._zero(condition)}, 0.0")
        x, y = (self._k(v) if v >= 0 and self.moves(v) else "0.0" for v in (a, b))
        return self._line(f"select i1 {truth}, double {x}, double {y}")

    def fmin(self, i: int, a: int, b: int) -> str:
        return self._pick(self._of_zero(Op.LE, a, b), a, b)

    def fmax(self, i: int, a: int, b: int) -> str:
        return self._pick(self._of_zero(Op.LE, a, b), b, a)

    def if_else_zero(self, i: int, a: int, b: int) -> str:
        return self._pick(a, b, -1)

    def remainder(self, i: int, a: int, b: int) -> str:
        """a − n b with the whole number n of order 0."""
        whole = self._of_zero(Op.DIV, self._of_zero(Op.SUB, a, i), b)
        start = self._k(a) if self.moves(a) else "0.0"
        return self._less(start, self._sum((self._zero(whole), self._k(b)))) if self.moves(b) else start


_RULES = {
    op: getattr(_Pass, op.label)
    for op in (Op.ADD, Op.SUB, Op.NEG, Op.MUL, Op.DIV, Op.SQRT, Op.FABS, Op.COPYSIGN)
    + (Op.FMIN, Op.FMAX, Op.IF_ELSE_ZERO, Op.REMAINDER)
} | {Op.FMOD: _Pass.remainder}
