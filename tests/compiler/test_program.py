"""A program compiles what is used, once, and keeps it; parameters never cause a compilation."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import casadi as ca
import numpy as np
import pytest

from linkwork.compiler import ALL_BACKENDS, Backend, build
from linkwork.compiler.compiled import WORTHWHILE
from linkwork.errors import RefusedError, UnknownNameError
from linkwork.machine import compilation_count, engine

T, Y, P = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 2)
_unique = itertools.count(1)


def new_function() -> tuple[ca.Function, float]:
    """Return a function that was never compiled before, p0 y + p1 t + c, and its constant c."""
    constant = next(_unique) + 0.125
    return ca.Function("f", [T, Y, P], [P[0] * Y + P[1] * T + constant]), constant


def forget_process() -> None:
    """Make this process forget its modules, as if it had started anew."""
    engine._LOADED.clear()


def test_only_what_is_used_is_compiled() -> None:
    program = build({f"f{k}": new_function()[0] for k in range(20)})
    before = compilation_count()
    for name in ("f3", "f7", "f19"):
        program[name](0.0, [1.0, 2.0], [3.0, 4.0])
    assert compilation_count() == before + 3


def test_changing_parameters_compiles_nothing() -> None:
    function, constant = new_function()
    program = build({"f": function})
    program["f"](0.0, [1.0, 2.0], [0.0, 0.0])
    program["f"].batch([0.0], [[1.0, 2.0]], [0.0, 0.0])
    before = compilation_count()
    for gain in (1.0, 2.0, 3.0):
        expected = gain * np.array([1.0, 2.0]) + 5.0 * 0.5 + constant
        assert np.array_equal(program["f"](0.5, [1.0, 2.0], [gain, 5.0]), expected)
        assert np.array_equal(program["f"].batch(0.5, [[1.0, 2.0]], [gain, 5.0])[0], expected)
    assert compilation_count() == before


def test_a_second_process_loads_from_disk() -> None:
    function, _ = new_function()
    first = build({"f": function})["f"](0.5, [1.0, 2.0], [3.0, 4.0])
    forget_process()
    before = compilation_count()
    again = build({"f": function})
    assert np.array_equal(again["f"](0.5, [1.0, 2.0], [3.0, 4.0]), first)
    assert compilation_count() == before
    assert again["f"].codes["scalar"].cached


def test_a_damaged_cache_is_survived(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path))
    function, constant = new_function()
    build({"f": function})["f"](0.0, [0.0, 0.0], [0.0, 0.0])
    forget_process()
    entries = list((tmp_path / "objects").iterdir())
    assert entries
    for entry in entries:
        entry.write_bytes(entry.read_bytes()[:-40] + bytes(40))
    assert build({"f": function})["f"](0.0, [0.0, 0.0], [0.0, 0.0])[0] == constant


def test_a_cache_that_cannot_be_written_is_survived(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "file" / "below"))
    function, constant = new_function()
    assert build({"f": function})["f"](0.0, [0.0, 0.0], [0.0, 0.0])[0] == constant


@pytest.mark.parametrize("backend", ALL_BACKENDS, ids=lambda backend: backend.name)
def test_addresses_obey_the_signatures(backend: Backend) -> None:
    function, constant = new_function()
    compiled = build({"f": function}, backend)["f"]
    y, p, out = np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.empty(2)
    call = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)(compiled.address)
    call(0.5, y.ctypes.data, p.ctypes.data, out.ctypes.data)
    assert np.array_equal(out, 3.0 * y + 2.0 + constant)

    lane = np.arange(8.0)
    times, states = 0.5 * lane, np.array([1.0 + lane, 2.0 - lane])
    parameters, results = np.array([3.0 + 0 * lane, 4.0 * lane]), np.empty((2, 8))
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(compiled.lanes_address)
    call(*(array.ctypes.data for array in (times, states, parameters, results)))
    assert np.array_equal(results, parameters[0] * states + parameters[1] * times + constant)


def test_equations_are_taken_as_well_as_functions() -> None:
    function, _ = new_function()
    program = build(SimpleNamespace(functions={"rate": function}))
    assert isinstance(program, Mapping)
    assert list(program) == ["rate"]
    assert "rate" in program and "other" not in program


def test_long_functions_that_are_called_seldom_are_compiled_quickly() -> None:
    value = Y
    for i in range(1500):
        value = ca.sin(value) + (i + 0.5) * P
    function = ca.Function("long", [T, Y, P], [value])
    short, constant = new_function()
    functions = {"seldom": function, "often": function, "short": short}
    program = build(SimpleNamespace(functions=functions, seldom=frozenset({"seldom", "short"})))
    given = 0.3, np.array([0.2, -1.4]), np.array([0.7, 1.1])
    np.testing.assert_allclose(program["seldom"](*given), np.array(function(*given)).ravel(), rtol=1e-12)
    np.testing.assert_allclose(program["often"](*given), program["seldom"](*given), rtol=1e-12)
    np.testing.assert_allclose(program["short"](*given), 0.7 * given[1] + 0.33 + constant, rtol=1e-14)
    lines = {
        line.split()[0]: line for line in str(program).splitlines() if line.startswith("  ") and "operations" in line
    }
    assert [name for name, line in lines.items() if "compiled quickly" in line] == ["seldom"]


def test_calls_of_all_threads_have_their_own_numbers() -> None:
    """Arrays, parts of them, lists and whole numbers; what came back earlier stays as it was."""
    function, constant = new_function()
    compiled = build({"f": function})["f"]

    def call(k: int) -> bool:
        states = np.array([[k, 7.0], [k + 0.5, 8.0]])
        given = (states[0], states[:, 0], [k, 7], np.array([k, 7]), np.array([k, 7], dtype=np.float32))
        found = [compiled(k, y, np.array([2.0, 3.0])) for y in given]
        wanted = [[k, 7.0], [k, k + 0.5], *[[k, 7.0]] * 3]
        return all(
            np.array_equal(a, 2.0 * np.array(b) + 3.0 * k + constant) for a, b in zip(found, wanted, strict=True)
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(call, range(2000)))


def test_outputs_come_back_by_name() -> None:
    function = ca.Function("f", [T, Y, P], [Y * T, Y @ P.T], ["t", "y", "p"], ["velocity", "matrix"])
    compiled = build({"f": function})["f"]
    parts = compiled.unpack(compiled(2.0, [1.0, 3.0], [5.0, 7.0]))
    assert parts["velocity"].tolist() == [[2.0], [6.0]]
    assert parts["matrix"].tolist() == [[5.0, 7.0], [15.0, 21.0]]
    batch = compiled.unpack(compiled.batch([2.0, 0.0], [[1.0, 3.0], [0.0, 1.0]], [5.0, 7.0]))
    assert batch["matrix"].shape == (2, 2, 2)
    assert batch["matrix"][0].tolist() == [[5.0, 7.0], [15.0, 21.0]]


def test_a_misspelt_name_is_answered() -> None:
    with pytest.raises(UnknownNameError, match="'acelerate'; did you mean 'accelerate'"):
        build({"accelerate": new_function()[0]})["acelerate"]


def test_an_unknown_backend_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(RefusedError, match=r"'fpga'; valid are: 'cpu' .* 'reference'"):
        build({}, backend="fpga")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, [1.0], [1.0, 2.0]), r"y has the shape \(1,\), it must be \(2,\)"),
        ((0.0, [1.0, 2.0]), r"p has the shape \(0,\), it must be \(2,\)"),
    ],
)
def test_wrong_shapes_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build({"f": new_function()[0]})["f"](*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, [1.0, 2.0], [1.0, 2.0]), "y has the shape"),
        (([0.0, 1.0], [[1.0, 2.0]], [1.0, 2.0]), r"t has the shape \(2,\), it must be \(1,\)"),
        ((0.0, [[1.0, 2.0]], [[1.0, 2.0], [1.0, 2.0]]), "p has the shape"),
    ],
)
def test_wrong_shapes_of_a_batch_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build({"f": new_function()[0]})["f"].batch(*arguments)


def test_it_prints_what_was_done() -> None:
    program = build({"used": new_function()[0], "unused": new_function()[0]})
    program["used"](0.0, [1.0, 2.0], [3.0, 4.0])
    text = str(program)
    assert "2 functions, backend 'cpu'" in text
    assert "unused  y[2], p[2] -> out[2], not used yet" in text
    assert "operations, scalar made in" in text


def test_few_samples_are_evaluated_without_compilation() -> None:
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 3), ca.SX.sym("p", 2)
    outputs = [ca.vertcat(ca.sin(t) * y, p[0]), ca.dot(y, y) / p[1]]
    function = build({"f": ca.Function("f", [t, y, p], outputs)})["f"]
    rng = np.random.default_rng(0)
    times, states, parameters = rng.normal(size=700), rng.normal(size=(700, 3)), rng.normal(size=(700, 2))
    for given in (parameters, parameters[0]):
        found = function.sample(times, states, given)
        p0, p1 = np.broadcast_to(given, (700, 2)).T
        wanted = np.column_stack([np.sin(times)[:, None] * states, p0, np.sum(states**2, axis=1) / p1])
        np.testing.assert_allclose(found, wanted, rtol=1e-13)
    assert not function.codes
    many = WORTHWHILE // 700 + 1
    assert np.allclose(function.sample(np.tile(times, many), np.tile(states, (many, 1)), parameters[0])[:700], wanted)
    assert list(function.codes) == ["lanes"]
