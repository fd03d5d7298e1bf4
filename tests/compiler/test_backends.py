"""All backends, one by one and in lanes, compute the same on random functions."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from exploring import drawn
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from random_graphs import EXACT, SIZE_P, SIZE_Y, SMOOTH, Graph, graphs, make_function

from linkwork.compiler import ALL_BACKENDS, Cpu, Reference, build
from linkwork.compiler.llvm.emitter import emit
from linkwork.compiler.llvm.width import SCALAR, VECTOR
from linkwork.compiler.lower import lower

SAMPLES = 11  # one block of eight lanes and a remainder
INPUTS = 1 + SIZE_Y + SIZE_P
EXACT_CPU = Cpu(contract=False, reciprocals=False)
IN_TABLES = Cpu(contract=False, reciprocals=False, shape="tables")

any_numbers = arrays(np.float64, (SAMPLES, INPUTS), elements=st.floats(width=64))
small_numbers = arrays(np.float64, (SAMPLES, INPUTS), elements=st.floats(-1, 1))


def split(inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return inputs[:, 0], inputs[:, 1 : 1 + SIZE_Y], inputs[:, 1 + SIZE_Y :]


def by_casadi(function: ca.Function, inputs: np.ndarray) -> np.ndarray:
    """Return the values that CasADi gives when called with its own matrices, (N, nout)."""
    rows = []
    for t, y, p in zip(*split(inputs), strict=True):
        rows.append(np.concatenate([np.array(ca.densify(out)).ravel(order="F") for out in function(t, y, p)]))
    return np.array(rows)


def evaluate(function: ca.Function, backend: Cpu | Reference, inputs: np.ndarray) -> list[np.ndarray]:
    """Return the values one by one and in a batch."""
    compiled = build({"f": function}, backend)["f"]
    t, y, p = split(inputs)
    one_by_one = np.array([compiled(*sample) for sample in zip(t, y, p, strict=True)])
    return [one_by_one, compiled.batch(t, y, p)]


@drawn(30)
@given(graphs, any_numbers)
def test_arithmetic_and_logic_agree_to_the_last_bit(graph: Graph, inputs: np.ndarray) -> None:
    function = make_function(graph, EXACT)
    expected = by_casadi(function, inputs)
    for backend in (EXACT_CPU, IN_TABLES, Reference()):
        for actual in evaluate(function, backend, inputs):
            np.testing.assert_array_equal(actual, expected)


@drawn(30)
@given(graphs, small_numbers)
def test_smooth_functions_agree_to_rounding(graph: Graph, inputs: np.ndarray) -> None:
    function = make_function(graph, SMOOTH)
    expected = by_casadi(function, inputs)
    for backend in (Cpu(), Cpu(shape="tables"), EXACT_CPU, Reference()):
        for actual in evaluate(function, backend, inputs):
            np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("backend", ALL_BACKENDS, ids=lambda backend: backend.name)
def test_parameters_for_all_samples_or_for_each(backend: Cpu | Reference) -> None:
    function = make_function([(3, 1, 4), (5, 2, 5), (0, 7, 8)], SMOOTH)
    inputs = np.random.default_rng(3).uniform(-1, 1, (SAMPLES, INPUTS))
    inputs[:, 1 + SIZE_Y :] = inputs[0, 1 + SIZE_Y :]
    compiled = build({"f": function}, backend)["f"]
    t, y, p = split(inputs)
    assert np.array_equal(compiled.batch(t, y, p[0]), compiled.batch(t, y, p))


def test_several_divisions_by_one_value_share_its_reciprocal() -> None:
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", SIZE_Y), ca.SX.sym("p", SIZE_P)
    function = ca.Function("f", [t, y, p], [y / p[0], 1 / p[0], t / p[1]])
    for width in (SCALAR, VECTOR):
        assert emit(lower(function), width).count("fdiv") == 2
        assert emit(lower(function), width, reciprocals=False).count("fdiv") == SIZE_Y + 2
    inputs = np.random.default_rng(8).uniform(1, 9, (SAMPLES, INPUTS))
    for actual in evaluate(function, Cpu(), inputs):
        np.testing.assert_allclose(actual, by_casadi(function, inputs), rtol=4e-16)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 64])
def test_any_number_of_samples(count: int) -> None:
    function = make_function([(0, 0, 1), (2, 4, 5)], EXACT)
    inputs = np.random.default_rng(4).normal(size=(count, INPUTS))
    values = build({"f": function})["f"].batch(*split(inputs))
    assert values.shape == (count, 3 + 4)
    if count:
        np.testing.assert_array_equal(values, by_casadi(function, inputs))
