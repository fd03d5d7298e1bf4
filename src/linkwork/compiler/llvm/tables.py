"""A folded list as the texts of two LLVM modules: the code of its kinds, and tables with the loop that goes through them.

The code of the kinds depends on no number of the model, and where sections repeat on no size, so that a mechanism whose
kinds of sections were compiled before, for another one or for one with fewer bodies, takes no compilation but that of its
tables. What comes once has its places in the code: nothing would be shared, and it is half as long without a row. Each
kind is

    void kind(t, y, p, double *work, const double *numbers, const int *row)

and ``@f`` calls them one after another, each with its row, then puts the outputs together.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import Template
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.compiler.folding import Folded, Kind
from linkwork.compiler.llvm.bodies import CodeBodies, shared_divisors
from linkwork.compiler.llvm.emitter import CLEARED, SYMBOL
from linkwork.compiler.llvm.memory import CLEAR, clear, define, load, store, time_of
from linkwork.compiler.llvm.width import Width
from linkwork.compiler.operations import Op

ON_STACK = 2**16  # bytes of the work array up to which it lies on the stack

_ARRAYS = {Op.STATE: "y", Op.PARAMETER: "p", Op.CONSTANT: "numbers", None: "work"}


_FURTHER = "ptr noalias %work, ptr noalias readonly %numbers, ptr noalias readonly %row"


def symbols_of(folded: Folded) -> tuple[str, ...]:
    """The names of the kinds."""
    return tuple(f"kind{k}" for k in range(len(folded.kinds)))


def emit_kinds(folded: Folded, width: Width, *, contract: bool = True, reciprocals: bool = True) -> str:
    """The module with the code; the options are those of ``emit``."""
    bodies, parts = CodeBodies(width), list[str]()
    for k, (symbol, kind) in enumerate(zip(symbols_of(folded), folded.kinds, strict=True)):
        operations = [(i, *row) for i, row in enumerate(kind.pattern.rows)]
        divisors = shared_divisors(operations) if reciprocals else set[int]()
        parts.append(
            define(symbol, bodies.write(operations, _Row(kind, width, folded.alone.get(k)), divisors), width, _FURTHER)
        )
    text = "\n\n".join([*parts, *bodies.definitions()])
    return text if contract else text.replace(" contract ", " ")


def emit_tables(folded: Folded, width: Width) -> str:
    """The module of ``@f``, with the tables."""
    time = "double" if width.is_scalar else "ptr"
    declared = [f"declare void @{symbol}({time}, ptr, ptr, ptr, ptr, ptr)" for symbol in symbols_of(folded)]
    return "\n\n".join([*declared, _tables(folded, width)])


def emit_whole(folded: Folded, width: Width, *, contract: bool = True, reciprocals: bool = True) -> str:
    """Both as one module, in which nothing but ``@f`` is seen from outside."""
    kinds = emit_kinds(folded, width, contract=contract, reciprocals=reciprocals)
    return "\n\n".join([kinds.replace("define void @kind", "define internal void @kind"), _tables(folded, width)])


class _Row:
    """Values come from and go to the places that the row of a section tells; of a kind's only section they are known."""

    def __init__(self, kind: Kind, width: Width, known: Sequence[int] | None) -> None:
        self._known = known
        self._reads, self._numbers, self._width = kind.pattern.reads, dict(kind.numbers), width
        self._at = {j: at for at, j in enumerate(kind.listed)}
        self._writes = {k: len(kind.listed) + at for at, k in enumerate(kind.writes)}

    def fetch(self, lines: list[str], value: int) -> str:
        j = -2 - value
        source = self._reads[j]
        if j in self._numbers:
            return self._width.constant(self._numbers[j])
        if source is Op.TIME:
            return time_of(lines, self._width)
        index = self._index(lines, self._at[j])
        if source is not Op.CONSTANT or self._width.is_scalar:
            return load(lines, self._width, f"%read{j}", _ARRAYS[source], index)
        return _splat(lines, self._width, "numbers", index)

    def keep(self, lines: list[str], value: int, name: str) -> None:
        if value in self._writes:
            store(lines, self._width, name, "work", self._index(lines, self._writes[value]))

    def _index(self, lines: list[str], at: int) -> str:
        if self._known is not None:
            return str(self._known[at])
        lines.append(f"  %row{at}_at = getelementptr inbounds i32, ptr %row, i64 {at}")
        lines.append(f"  %row{at} = load i32, ptr %row{at}_at, align 4")
        lines.append(f"  %place{at} = zext i32 %row{at} to i64")
        return f"%place{at}"


def _splat(lines: list[str], width: Width, array: str, index: str) -> str:
    """A number in all lanes."""
    name = f"%{array}{len(lines)}"
    one = load(lines, Width(1), name, array, index)
    lines.append(f"  {name}_lane = insertelement {width.real} poison, double {one}, i64 0")
    zeros = f"<{width.lanes} x i32> zeroinitializer"
    lines.append(f"  {name}_all = shufflevector {width.real} {name}_lane, {width.real} poison, {zeros}")
    return f"{name}_all"


_LOOP = """entry:
$WORK
  br label %section
section:
  %s = phi i64 [ 0, %entry ], [ %next, %section ]
  %row = phi ptr [ @rows, %entry ], [ %after, %section ]
  %order_at = getelementptr inbounds i32, ptr @order, i64 %s
  %kind_number = load i32, ptr %order_at, align 4
  %kind = zext i32 %kind_number to i64
  %code_at = getelementptr inbounds ptr, ptr @kinds, i64 %kind
  %code = load ptr, ptr %code_at, align 8
  %width_at = getelementptr inbounds i32, ptr @widths, i64 %kind
  %width_number = load i32, ptr %width_at, align 4
  %width = zext i32 %width_number to i64
  call void %code($TIME %t, ptr %y, ptr %p, ptr %work, ptr @numbers, ptr %row)
  %after = getelementptr inbounds i32, ptr %row, i64 %width
  %next = add i64 %s, 1
  %more = icmp ult i64 %next, $COUNT
  br i1 %more, label %section, label %outputs
outputs:"""

# out[entries[i]] = array[places[i]]
_COPY = """define internal void @$NAME(ptr %entries, ptr %places, i64 %count, ptr %array, ptr %out) noinline nounwind {
entry:
  br label %one
one:
  %i = phi i64 [ 0, %entry ], [ %next, %one ]
  %entry_at = getelementptr inbounds i32, ptr %entries, i64 %i
  %entry_number = load i32, ptr %entry_at, align 4
  %to = zext i32 %entry_number to i64
  %place_at = getelementptr inbounds i32, ptr %places, i64 %i
  %place_number = load i32, ptr %place_at, align 4
  %from = zext i32 %place_number to i64
$MOVE
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %one, label %done
done:
  ret void
}"""


def _tables(folded: Folded, width: Width) -> str:
    """Data, and ``@f``."""
    time, symbols = "double" if width.is_scalar else "ptr", symbols_of(folded)
    data: dict[str, NDArray[Any]] = {
        "order": folded.order.astype(np.int32),
        "rows": folded.rows.astype(np.int32),
        "widths": np.array([kind.width for kind in folded.kinds], dtype=np.int32),
        "numbers": folded.instructions.constants,
    }
    lines, copied = _outputs(folded, width)
    parts = [_data(name, array) for name, array in (data | copied).items()]
    parts.append(f"@kinds = internal constant [{len(symbols)} x ptr] [{', '.join(f'ptr @{name}' for name in symbols)}]")
    parts += [CLEAR, "declare ptr @malloc(i64)", "declare void @free(ptr)"]
    parts += [_copy("copy", width, numbers=False), _copy("copy_numbers", width, numbers=True)]
    large = 8 * width.lanes * folded.slots > ON_STACK
    values = {"WORK": _work(folded.slots, width, large), "TIME": time, "COUNT": len(folded.order)}
    loop = Template(_LOOP if len(folded.order) else "entry:\n$WORK").substitute(values)
    body = [loop, *lines, *(["  call void @free(ptr %work)"] if large else [])]
    return "\n\n".join([*parts, define(SYMBOL, body, width)])


def _work(slots: int, width: Width, large: bool) -> str:
    if large:
        return f"  %work = call ptr @malloc(i64 {8 * width.lanes * slots})"
    return f"  %work = alloca {width.real}, i64 {slots}, align {8 * width.lanes}"


def _outputs(folded: Folded, width: Width) -> tuple[list[str], dict[str, NDArray[Any]]]:
    """The lines that put the outputs together, and the tables for that."""
    lines, data, numbers = list[str](), dict[str, NDArray[Any]](), folded.instructions.constants
    for source, (entries, places) in folded.outputs.items():
        if source is Op.CONSTANT:
            zero = (numbers[places] == 0.0) & ~np.signbit(numbers[places])
            if np.count_nonzero(zero) >= CLEARED:
                lines.insert(0, clear(width, folded.instructions.size_out))
                entries, places = entries[~zero], places[~zero]
        if source is Op.TIME:
            for entry in entries.tolist():
                store(
                    lines, width, time_of(lines, width) if entry == entries[0] else _TIME[width.is_scalar], "out", entry
                )
        elif len(entries):
            name = _ARRAYS[source]
            data |= {f"{name}_entries": entries.astype(np.int32), f"{name}_places": places.astype(np.int32)}
            array, copy = ("@numbers", "copy_numbers") if source is Op.CONSTANT else (f"%{name}", "copy")
            tables = f"ptr @{name}_entries, ptr @{name}_places, i64 {len(entries)}"
            lines.append(f"  call void @{copy}({tables}, ptr {array}, ptr %out)")
    return lines, data


_TIME = {True: "%t", False: "%time"}


def _copy(name: str, width: Width, numbers: bool) -> str:
    """The function that copies entries; *numbers*: constants, of which there is one for all lanes."""
    lines = list[str]()
    alike = numbers and not width.is_scalar
    value = _splat(lines, width, "array", "%from") if alike else load(lines, width, "%value", "array", "%from")
    store(lines, width, value, "out", "%to")
    return Template(_COPY).substitute(NAME=name, MOVE="\n".join(lines))


def _data(name: str, array: NDArray[Any]) -> str:
    """Numbers as they lie in memory."""
    content = "".join(f"\\{byte:02X}" for byte in array.tobytes())
    return f'@{name} = internal constant [{array.nbytes} x i8] c"{content}", align 8'
