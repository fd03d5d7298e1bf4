"""Compiled kernels do what the same functions do in Python."""

# mypy: disable-error-code="no-untyped-def, assignment"
from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np
import pytest

from linkwork.errors import CompileError
from linkwork.machine import compile_ir
from linkwork.numerics.kernels.language.calling import Kernel, at, kernel
from linkwork.numerics.kernels.language.records import Code, Floats, Ints, as_c, passed, signature_of
from linkwork.numerics.kernels.language.translation import translate

FACTOR = 2.5


def compiled(declared: Kernel) -> Any:
    signature = declared.signature
    prototype = ctypes.CFUNCTYPE(as_c(signature.result), *map(as_c, signature.arguments))
    code = compile_ir(translate([declared]))
    function = prototype(code.address(declared.symbol))
    return lambda *values: (function(*map(passed, values)), code)[0]


@kernel
def arithmetic(x: float, y: float, i: int) -> float:
    z = x * y - x / (y + 3.0) + FACTOR * i
    z += x**2 - abs(-y) ** 0.5
    z -= 1
    return -z + (i + 2) * 3 - i / 4


@kernel
def integers_only(a: int, b: int) -> int:
    return 1000 * (a // b) + a % b + min(a, b, 3) - max(a, -b) + abs(a - b)


@kernel
def functions(x: float, y: float) -> float:
    total = math.sqrt(x) + math.exp(-x) + math.log(x) + math.sin(y) + math.cos(y) + math.atan2(y, x)
    total += math.hypot(x, y) + math.copysign(x, y) + math.tan(0.1 * y) + math.pi + math.tanh(y)
    return total if math.isfinite(total) and not math.isnan(total) else -1.0


@kernel
def choices(a: float, b: float) -> float:
    if 0.0 < a <= b:
        result = 1.0
    elif a > b or b < -1.0:
        result = 2.0
    else:
        result = 3.0
    flag = a < b and not (b < 2.0 or b > 2.5)
    return result + (10.0 if flag else 20.0) + int(a) + float(a != b)


@kernel
def loops(n: int, x: Ints) -> int:
    total, i = 0, 0
    for i in range(n):
        if x[i] < 0:
            continue
        if x[i] == 99:
            break
        total += x[i]
    for i in range(n - 1, 0, -2):
        total = 3 * total - i
    k = 0
    while True:
        k += 1
        if k * k > n:
            return total * 100 + k + i


@kernel
def guarded(n: int, x: Floats) -> int:
    """The right side of `and` must not be looked at beyond the end."""
    i = 0
    while i < n and x[i] > 0.0:
        i += 1
    return i


@kernel
def reverse(x: Floats, n: int) -> None:
    for i in range(n // 2):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i]


@kernel
def sort_back_half(x: Floats, n: int) -> Code:
    """Recursion, pointers and calls of another kernel."""
    if n <= 1:
        return 1
    reverse(at(x, n // 2), n - n // 2)
    return 1 + sort_back_half(at(x, n // 2), n - n // 2)


@pytest.mark.parametrize("seed", range(5))
def test_values_equal_python(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y, i, j = rng.uniform(0.1, 3.0), rng.normal(), int(rng.integers(-20, 20)), int(rng.integers(1, 9))
    assert compiled(arithmetic)(x, y, i) == pytest.approx(arithmetic(x, y, i), rel=1e-14)
    assert compiled(functions)(x, y) == pytest.approx(functions(x, y), rel=1e-14)
    for a, b in ((i, j), (i, -j), (-i, j)):
        assert compiled(integers_only)(a, b) == integers_only(a, b)
    for a, b in ((x, y), (y, x), (1.0, 1.0), (-1.0, 2.0), (0.0, -2.0)):
        assert compiled(choices)(a, b) == choices(a, b)
    numbers = rng.integers(-5, 100, size=17)
    numbers[12] = 99
    assert compiled(loops)(17, numbers) == loops(17, [int(number) for number in numbers])


def test_the_right_side_waits_for_the_left() -> None:
    x = np.ones(4)
    assert compiled(guarded)(4, x) == 4
    assert compiled(guarded)(0, x[:0]) == 0


def test_kernels_call_each_other() -> None:
    x = np.arange(9.0)
    expected = x.copy()
    levels = sort_back_half(expected, 9)
    assert compiled(sort_back_half)(x, 9) == levels
    np.testing.assert_array_equal(x, expected)


@kernel
def changes_type(n: int) -> float:
    total = 0
    for i in range(n):
        total += 0.5 * i
    return total


@kernel
def forgets_to_return(x: float) -> Code:
    for _ in range(3):
        x += 1.0


@kernel
def knows_too_much(x: float) -> float:
    return np.linalg.norm(x)


@kernel
def wrong_count(x: float) -> float:
    return arithmetic(x, x)


@kernel
def lists(x: Floats) -> None:
    x[0] = sum([1.0, 2.0])


@kernel
def on_one_way_only(x: float) -> float:
    if x > 0.0:
        y = x
    return y


@kernel
def in_a_loop_only(n: int) -> int:
    for i in range(n):
        last = i
    return last


@kernel
def counter_of_a_loop(n: int) -> int:
    for i in range(n):
        if i > 3:
            break
    return i


@kernel
def before_one_break_only(n: int) -> int:
    while True:
        n -= 1
        if n < 0:
            break
        found = n
        if found < 5:
            break
    return found


@kernel
def on_all_ways(n: int) -> int:
    if n < 0:
        return -1
    elif n > 3:
        size = 2
    else:
        size = 1
    while True:
        found = n * size
        if found < 10:
            break
        n -= 1
    return found


def test_a_variable_with_a_value_on_all_ways_is_read() -> None:
    for n in (-1, 2, 7):
        assert compiled(on_all_ways)(n) == on_all_ways(n)


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        (on_one_way_only, "'y' has no value on every way here"),
        (in_a_loop_only, "'last' has no value on every way here"),
        (counter_of_a_loop, "'i' has no value on every way here"),
        (before_one_break_only, "'found' has no value on every way here"),
        (changes_type, "'total' is int64"),
        (forgets_to_return, "without a return"),
        (knows_too_much, "norm"),
        (wrong_count, "takes 3 arguments"),
        (lists, "'sum' is not known"),
    ],
    ids=lambda value: value.name if isinstance(value, Kernel) else "",
)
def test_what_is_not_in_the_language_is_refused(declared: Kernel, text: str) -> None:
    with pytest.raises(CompileError, match=text) as caught:
        translate([declared])
    assert f"{declared.file}.{declared.name}, line" in str(caught.value)


def test_signatures_are_checked() -> None:
    assert sort_back_half.signature.arguments == ("double*", "int64")
    assert sort_back_half.signature.result == "int32"

    def wrong(x: str) -> None: ...

    with pytest.raises(TypeError, match="<class 'str'> is no type of the language of kernels"):
        signature_of(wrong)


@kernel
def parts_of_arrays(x: Floats, y: Floats, z: Floats, n: int, h: float) -> None:
    z[:n] = 0.0
    z[1:n] = x[: n - 1] - h * y[1:n] / x[2 : n + 1]
    z[:2] += -y[:2]
    at(z, n)[: n - n] = 7.0
    z[n : n + 2] *= h * x[3]


def test_parts_of_arrays_are_computed_as_numpy_does() -> None:
    rng = np.random.default_rng(3)
    x, y, z = (rng.uniform(0.5, 2.0, 9) for _ in range(3))
    expected = z.copy()
    parts_of_arrays(x, y, expected, 6, 0.3)
    compiled(parts_of_arrays)(x, y, z, 6, 0.3)
    assert z.tolist() == expected.tolist()


@kernel
def open_part(x: Floats, n: int) -> None:
    x[n:] = 0.0


@kernel
def part_alone(x: Floats, n: int) -> None:
    y = x[:n]
    y[0] = 0.0


@kernel
def part_with_call(x: Floats, n: int) -> None:
    x[:n] = math.sin(x[0])


@pytest.mark.parametrize(
    ("declared", "reason"),
    [(open_part, "the end of the part is missing"), (part_alone, "stands in assignments"), (part_with_call, "a loop")],
    ids=["open", "alone", "call"],
)
def test_other_parts_of_arrays_are_refused(declared: Kernel, reason: str) -> None:
    with pytest.raises(CompileError, match=reason):
        translate([declared])
