"""Records in the kernel language: the same in compiled code and in Python."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from linkwork.errors import CompileError
from linkwork.machine import compile_ir
from linkwork.numerics.kernels.constrained.operations import Operation
from linkwork.numerics.kernels.language.calling import Kernel, at, kernel
from linkwork.numerics.kernels.language.records import (
    Floats,
    Ints,
    ModelFunction,
    Record,
    array,
    as_c,
    borrowed,
    part,
    passed,
)
from linkwork.numerics.kernels.language.translation import translate
from linkwork.numerics.kernels.linear import dense


class Inner(Record):
    weight: float
    turns: int


class Outer(Record):
    count: int
    rows: int = 2
    step: float = 0.5
    inner: Inner
    model: ModelFunction | None = None
    own: Floats = array("rows", "count + 1")
    marks: Ints = array("count")
    given: Floats = borrowed()
    other: Floats | None = borrowed()


class Parts(Record):
    """What a function gives at once: a (m), B (m, n), c (n), with room for as many rows as there ever are."""

    n: int
    m: int
    room: int
    out: Floats = array("room * (n + 1) + n")
    before: Floats = array("2")
    a: Floats = part("out", "m")
    b: Floats = part("out", "m", "n")
    c: Floats = part("out", "n")
    picked: Ints = array("n")
    left: Ints = part("picked", "n - m")
    right: Ints = part("picked", "m")


@kernel
def walk(outer: Outer, factor: float) -> int:
    """Fields of every kind are read and set."""
    outer.step *= factor
    outer.inner.turns += outer.count
    inner = outer.inner
    inner.weight = outer.given[outer.count - 1] + outer.step
    rest = at(outer.own, outer.count)
    for i in range(outer.count):
        outer.own[i] = outer.given[i] * inner.weight
        outer.marks[i] += i * inner.turns
        rest[i] -= outer.own[i]
    if outer.other is not None:
        outer.other[0] = outer.step
    if outer.model is None:
        return -inner.turns
    return add(inner, 3)


@kernel
def add(inner: Inner, more: int) -> int:
    inner.turns += more
    return inner.turns


@kernel
def evaluate(outer: Outer, t: float) -> None:
    if outer.model is not None:
        outer.model(t, outer.given, at(outer.own, 1), outer.own)


@kernel
def fill(parts: Parts, further: int) -> float:
    """Parts lie where the integers of now put them."""
    a, b = parts.a, parts.b
    for i in range(parts.m):
        a[i] = 1.0 + i
        b[i : i + 1] = 10.0 * a[i : i + 1]
        parts.right[i] = i + 1
    parts.c[0] += 100.0
    parts.m += further
    return parts.b[0] - parts.c[0]


@kernel
def replace_part(parts: Parts) -> None:
    parts.b = parts.a


@kernel
def fill_inside(given: Parts, further: int) -> float:
    """The same of a record under another name."""
    return fill(given, further) + given.c[0]


def in_machine_code(declared: Kernel[Any, Any]) -> Any:
    signature = declared.signature
    prototype = ctypes.CFUNCTYPE(as_c(signature.result), *map(as_c, signature.arguments))
    code = compile_ir(translate([declared]))
    function = prototype(code.address(declared.symbol))
    return lambda *values: (function(*map(passed, values)), code)[0]


def outer(**given: Any) -> Outer:
    return Outer(count=3, inner=Inner(weight=2.0, turns=7), given=np.array([1.0, -2.0, 4.0]), **given)


@pytest.mark.parametrize("other", [None, np.zeros(2)])
@pytest.mark.parametrize("model", [None, 1])
def test_compiled_code_and_python_do_the_same_with_records(other: np.ndarray | None, model: int | None) -> None:
    runs = []
    for run in (walk, in_machine_code(walk)):
        record = outer(other=None if other is None else other.copy(), model=model)
        runs.append((record, run(record, 1.5)))
    (one, first), (two, second) = runs
    assert first == second
    assert (one.step, one.inner.turns, one.inner.weight) == (two.step, two.inner.turns, two.inner.weight) != (0.5, 7, 2)
    for name in ("own", "marks", "given", "other"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert one.own.size == 2 * 4 and one.marks.tolist() == [0, 10, 20]


def test_a_record_is_put_back_to_what_it_was() -> None:
    record = outer()
    walk(record, 1.5)
    own, marks, snapshot = record.own.copy(), record.marks.copy(), record.snapshot()
    walk(record, 2.5)
    assert record.step != 0.75 and not np.array_equal(record.own, own)
    record.restore(snapshot)
    assert record.step == 0.75
    np.testing.assert_array_equal(record.own, own)
    np.testing.assert_array_equal(record.marks, marks)


def test_compiled_code_is_called_by_the_name_of_its_field() -> None:
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 3)

    def body(t: float, y: Any, p: Any, out: Any) -> None:
        out[0] = t * y[1] + p[0]

    code = prototype(body)
    for run in (evaluate, in_machine_code(evaluate)):
        record = outer(model=ctypes.cast(code, ctypes.c_void_p).value)
        record.own[1] = 10.0
        run(record, 3.0)
        assert record.own[0] == 3.0 * -2.0 + 10.0


@pytest.mark.parametrize("run", [fill, in_machine_code(fill)])
def test_parts_of_an_array_lie_behind_each_other(run: Any) -> None:
    parts = Parts(n=2, m=3, room=4)
    assert len(parts._cells) == 6 and parts.out.size == 14
    assert (parts.a.size, parts.b.size, parts.c.size) == (3, 6, 2)
    parts.m = 2
    assert (parts.a.size, parts.b.size, parts.c.size, parts.left.size, parts.right.size) == (2, 4, 2, 0, 2)
    assert run(parts, -1) == 2.0 - 20.0  # behind the change: out[1] - out[3]
    assert parts.out[:9].tolist() == [1, 2, 10, 20, 0, 0, 100, 0, 0]
    assert parts.picked.tolist() == [1, 2] and not parts.before.any()
    assert (parts.b.tolist(), parts.c.tolist(), parts.left.tolist()) == ([2, 10], [20, 0], [1])
    parts.c[:] = 7.0
    assert parts.out[3:5].tolist() == [7, 7]


def test_parts_are_those_of_the_record_at_hand() -> None:
    one, two = Parts(n=2, m=1, room=1), Parts(n=2, m=1, room=1)
    assert in_machine_code(fill_inside)(one, 0) == fill_inside(two, 0) == 10.0
    np.testing.assert_array_equal(one.out, two.out)


def test_a_part_of_an_array_stays_there() -> None:
    with pytest.raises(TypeError, match="'a' is a part of 'out' and stays there: set its elements"):
        Parts(n=2, m=1, room=1).a = np.zeros(1)
    with pytest.raises(CompileError, match="'b' is a part of 'out' and stays there"):
        translate([replace_part])


def test_faults_are_told_with_what_would_be_right() -> None:
    with pytest.raises(TypeError, match=r"Outer has no field size; it has count, rows, step"):
        Outer(size=3)
    with pytest.raises(TypeError, match=r"'given' is an array of float64 without gaps, not list"):
        outer().given = [1.0]  # type: ignore[assignment]
    with pytest.raises(TypeError, match=r"'given' is an array of float64 without gaps"):
        outer().given = np.zeros((4, 4))[:, 0]
    with pytest.raises(TypeError, match="'inner' is a Inner, not a Outer"):
        outer().inner = outer()  # type: ignore[assignment]


@kernel
def misspelt(record: Inner) -> float:
    return record.wieght  # type: ignore[attr-defined,no-any-return]


@kernel
def mixed(record: Inner) -> None:
    record.turns = record.weight  # type: ignore[assignment]


@kernel
def strange(record: Outer) -> int:
    return add(record, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (misspelt, "a Inner has no field 'wieght'; it has weight, turns"),
        (mixed, "a double cannot become a int64 by itself; the field is of type int64"),
        (strange, "a Outer cannot become a Inner by itself"),
    ],
)
def test_kernels_that_misuse_records_are_refused(wrong: Kernel[Any, Any], told: str) -> None:
    with pytest.raises(CompileError, match=told):
        translate([wrong])


class Many(Record):
    count: int
    rows: list[Inner] = array("count")


@kernel
def add_up(many: Many) -> float:
    total = 0.0
    for i in range(many.count):
        row = many.rows[i]
        row.turns += i
        total += row.weight * many.rows[i].turns
    return total


def test_records_lie_one_behind_the_other() -> None:
    for run in (add_up, in_machine_code(add_up)):
        many = Many(count=4)
        for i, row in enumerate(many.rows):
            row.weight = i + 0.5
        assert run(many) == 0.5 * 0 + 1.5 * 1 + 2.5 * 2 + 3.5 * 3
        assert [row.turns for row in many.rows] == [0, 1, 2, 3]


def test_code_that_is_called_otherwise_is_refused_where_it_is_set() -> None:
    """Set as an operation it would read numbers as addresses."""
    with pytest.raises(TypeError, match="'on_state' is a RefreshFunction, and 'dot' is called otherwise"):
        Operation().on_state = dense.dot
