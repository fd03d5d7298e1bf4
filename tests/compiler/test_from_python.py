"""Calls from Python: plain arrays go straight to the machine code, everything else is made plain or refused."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import casadi as ca
import numpy as np
import pytest

from linkwork.compiler.compiled import CompiledFunction
from linkwork.compiler.llvm import from_python
from linkwork.compiler.program import build


def written(parameters: int = 2) -> CompiledFunction:
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 3), ca.SX.sym("p", parameters)
    factor = p[0] if parameters else 2.0
    return build({"f": ca.Function("f", [t, y, p], [ca.vertcat(y * factor, t + ca.sum1(y))])})["f"]


def expected(t: float, y: Any, factor: float) -> np.ndarray[Any, Any]:
    return np.array([*(np.asarray(y, dtype=float) * factor), t + float(np.sum(y))])


class Own(np.ndarray):
    """A kind of array that others may have given a meaning."""


STATE = [1.5, -2.0, 0.25]
WIDE = np.array([[1.5, 9.0], [-2.0, 9.0], [0.25, 9.0]])
BYTES = np.frombuffer(b"\0" + np.array(STATE).tobytes(), dtype=np.uint8)[1:]
STATES: dict[str, Any] = {
    "plain": np.array(STATE),
    "list": STATE,
    "tuple": tuple(STATE),
    "every other": WIDE[:, 0],
    "backwards": np.array(STATE[::-1])[::-1],
    "float32": np.array(STATE, dtype=np.float32),
    "swapped": np.array(STATE, dtype=">f8"),
    "misaligned": BYTES.view(np.float64),
    "of a kind": np.array(STATE).view(Own),
    "numbers of another description": np.array(STATE, dtype=np.dtype("f8", metadata={"unit": "m"})),
}


@pytest.fixture(params=["straight", "by ctypes"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Both ways to call, whatever this Python has."""
    if request.param == "by ctypes":
        monkeypatch.setattr(from_python, "_has_layout", lambda: False)
    yield request.param


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("kind", STATES)
def test_states_of_every_kind(kind: str) -> None:
    function, p = written(), np.array([3.0, 7.0])
    np.testing.assert_array_equal(function(0.5, STATES[kind], p), expected(0.5, STATE, 3.0))
    assert type(function(0.5, STATES[kind], p)) is np.ndarray


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("time", [2, True, np.float32(2.0), np.float64(-1.0), -1.0, np.array(2.0), float("inf")])
def test_times_of_every_kind(time: Any) -> None:
    function, p = written(), np.array([3.0, 7.0])
    np.testing.assert_array_equal(function(time, np.array(STATE), p), expected(float(time), STATE, 3.0))


@pytest.mark.usefixtures("way")
def test_no_parameters() -> None:
    function = written(0)
    for p in ((), [], np.empty(0)):
        np.testing.assert_array_equal(function(0.0, np.array(STATE), p), expected(0.0, STATE, 2.0))
    np.testing.assert_array_equal(function(0.0, STATE), expected(0.0, STATE, 2.0))


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(
    ("y", "p", "told"),
    [
        (np.zeros(2), np.zeros(2), r"y has the shape \(2,\), it must be \(3,\)"),
        (np.zeros(4), np.zeros(2), r"y has the shape \(4,\), it must be \(3,\)"),
        (np.zeros((3, 1)), np.zeros(2), r"y has the shape \(3, 1\), it must be \(3,\)"),
        (np.zeros((1, 3)), np.zeros(2), r"y has the shape \(1, 3\), it must be \(3,\)"),
        (np.zeros(3), np.zeros(1), r"p has the shape \(1,\), it must be \(2,\)"),
        (np.zeros(3), (), r"p has the shape \(0,\), it must be \(2,\)"),
        (["one", "two", "three"], np.zeros(2), "could not convert"),
        (None, np.zeros(2), r"y has the shape \(\), it must be \(3,\)"),
    ],
)
def test_what_does_not_fit_is_refused(y: Any, p: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        written()(0.0, y, p)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("time", ["soon", None, 1j])
def test_what_is_no_time_is_refused_and_leaves_no_error_behind(time: Any) -> None:
    function, y, p = written(), np.array(STATE), np.array([3.0, 7.0])
    with pytest.raises((TypeError, ValueError)):
        function(time, y, p)
    np.testing.assert_array_equal(function(0.5, y, p), expected(0.5, STATE, 3.0))


@pytest.mark.usefixtures("way")
def test_states_that_nobody_may_write_are_read() -> None:
    y = np.array(STATE)
    y.flags.writeable = False
    np.testing.assert_array_equal(written()(0.5, y, np.array([3.0, 7.0])), expected(0.5, STATE, 3.0))


@pytest.mark.usefixtures("way")
def test_results_are_independent_of_each_other() -> None:
    function, p = written(), np.array([3.0, 7.0])
    first = function(0.0, np.array(STATE), p)
    second = function(0.0, np.zeros(3), p)
    np.testing.assert_array_equal(first, expected(0.0, STATE, 3.0))
    np.testing.assert_array_equal(second, np.zeros(4))


def call_of(function: CompiledFunction) -> Callable[..., Any]:
    code = function._code("scalar")
    return from_python.plain_call(code.address, (function.size_y, function.size_p, function.size_out), code)


@pytest.mark.usefixtures("way")
def test_what_is_not_plain_comes_back_untouched() -> None:
    call, p, out = call_of(written()), np.array([3.0, 7.0]), np.full(4, 5.0)
    locked = np.full(4, 5.0)
    locked.flags.writeable = False
    for y, kept in ((STATE, out), (WIDE[:, 0], out), (np.zeros(4), out), (np.array(STATE), np.empty(3)), (p, locked)):
        assert call(0.0, y, p, kept) is None
    assert call(0.0, np.array(STATE), p, locked) is None
    assert np.all(out == 5.0) and np.all(locked == 5.0)


@pytest.mark.usefixtures("way")
def test_a_call_keeps_its_code() -> None:
    call = call_of(written())
    gc.collect()
    for _ in range(100):
        written(0)(0.0, STATE)  # room of what was let go is taken by others
    out = np.empty(4)
    assert call(0.5, np.array(STATE), np.array([3.0, 7.0]), out) is out
    np.testing.assert_array_equal(out, expected(0.5, STATE, 3.0))


def test_nothing_is_counted_too_often() -> None:
    function, y, p = written(), np.array(STATE), np.array([3.0, 7.0])
    before = [sys.getrefcount(item) for item in (y, p, None)]
    found = [function(0.5, y, p) for _ in range(1000)]
    refused = [function(0.5, STATE, p) for _ in range(1000)]
    after = [sys.getrefcount(item) for item in (y, p, None)]
    assert all(abs(one - other) < 50 for one, other in zip(before, after, strict=True))
    assert sys.getrefcount(found[0]) <= 3 and sys.getrefcount(refused[0]) <= 3


@pytest.mark.usefixtures("way")
def test_threads_do_not_meet() -> None:
    function, p = written(), np.array([3.0, 7.0])

    def run(seed: int) -> bool:
        rows = np.random.default_rng(seed).normal(size=(300, 3))
        return all(np.array_equal(function(0.0, row, p)[:3], row * 3.0) for row in rows)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, range(8)))
