"""Every operation, on every backend, against the C library as Python and NumPy offer it."""

from __future__ import annotations

import math
from collections.abc import Callable

import casadi as ca
import numpy as np
import pytest

from linkwork.compiler import Backend, Cpu, Op, Reference, build, lower
from linkwork.compiler.operations import SOURCES, arity

UNARY_VALUES = [0.0, -0.0, 0.3, -0.7, 1.0, -1.0, 2.5, -3.5, 1e-9, 40.0, -1e5, 1e15, math.inf, -math.inf, math.nan]
BINARY_VALUES = [0.0, -0.0, 1.0, -1.0, 0.4, 2.5, -3.25, 1e-7, 7e8, math.inf, math.nan]
BACKENDS: list[Backend] = [Cpu(), Cpu(contract=False, reciprocals=False), Reference()]

# operation -> (expression, meaning)
OPERATIONS: dict[Op, tuple[Callable[..., ca.SX], Callable[..., float]]] = {
    Op.ADD: (lambda a, b: a + b, np.add),
    Op.SUB: (lambda a, b: a - b, np.subtract),
    Op.MUL: (lambda a, b: a * b, np.multiply),
    Op.DIV: (lambda a, b: a / b, np.divide),
    Op.NEG: (lambda a: -a, np.negative),
    Op.SQRT: (ca.sqrt, np.sqrt),
    Op.POW: (lambda a, b: a**b, np.power),
    Op.FABS: (ca.fabs, np.abs),
    Op.SIGN: (ca.sign, np.sign),
    Op.FLOOR: (ca.floor, np.floor),
    Op.CEIL: (ca.ceil, np.ceil),
    Op.FMOD: (ca.fmod, np.fmod),
    Op.REMAINDER: (ca.remainder, lambda a, b: math.remainder(a, b) if b != 0 and math.isfinite(a) else math.nan),
    Op.FMIN: (ca.fmin, np.fmin),
    Op.FMAX: (ca.fmax, np.fmax),
    Op.COPYSIGN: (ca.copysign, np.copysign),
    Op.SIN: (ca.sin, np.sin),
    Op.COS: (ca.cos, np.cos),
    Op.TAN: (ca.tan, np.tan),
    Op.ASIN: (ca.asin, np.arcsin),
    Op.ACOS: (ca.acos, np.arccos),
    Op.ATAN: (ca.atan, np.arctan),
    Op.ATAN2: (ca.atan2, np.arctan2),
    Op.HYPOT: (ca.hypot, np.hypot),
    Op.EXP: (ca.exp, np.exp),
    Op.LOG: (ca.log, np.log),
    Op.EXPM1: (ca.expm1, np.expm1),
    Op.LOG1P: (ca.log1p, np.log1p),
    Op.SINH: (ca.sinh, np.sinh),
    Op.COSH: (ca.cosh, np.cosh),
    Op.TANH: (ca.tanh, np.tanh),
    Op.ASINH: (ca.asinh, np.arcsinh),
    Op.ACOSH: (ca.acosh, np.arccosh),
    Op.ATANH: (ca.atanh, np.arctanh),
    Op.ERF: (ca.erf, math.erf),
    Op.LT: (lambda a, b: a < b, np.less),
    Op.LE: (lambda a, b: a <= b, np.less_equal),
    Op.EQ: (lambda a, b: a == b, np.equal),
    Op.NE: (lambda a, b: a != b, np.not_equal),
    Op.NOT: (ca.logic_not, lambda a: float(a == 0)),
    Op.AND: (ca.logic_and, np.logical_and),
    Op.OR: (ca.logic_or, np.logical_or),
    Op.IF_ELSE_ZERO: (lambda a, b: ca.if_else(a, b, 0), lambda a, b: b if a != 0 else 0.0),
}


def test_no_operation_is_forgotten() -> None:
    assert set(OPERATIONS) == set(Op) - SOURCES


def make(op: Op) -> ca.Function:
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 0)
    expression = OPERATIONS[op][0]
    return ca.Function(op.label, [t, y, p], [expression(*[y[k] for k in range(arity(op))])])


def samples(op: Op) -> np.ndarray:
    if arity(op) == 1:
        return np.array([[a, 0.0] for a in UNARY_VALUES])
    return np.array([[a, b] for a in BINARY_VALUES for b in BINARY_VALUES])


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.label)
def test_it_lowers_to_itself(op: Op) -> None:
    assert op in {row[0] for row in lower(make(op)).rows()}


@pytest.mark.parametrize("backend", BACKENDS, ids=["cpu", "cpu-exact", "reference"])
@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.label)
def test_it_computes_what_it_says(op: Op, backend: Backend) -> None:
    function = build({"f": make(op)}, backend)["f"]
    states = samples(op)
    with np.errstate(all="ignore"):
        expected = np.array([float(OPERATIONS[op][1](*state[: arity(op)])) for state in states])
    one_by_one = np.array([function(0.0, state)[0] for state in states])
    batched = function.batch(0.0, states)[:, 0]
    for actual in (one_by_one, batched):
        np.testing.assert_allclose(actual, expected, rtol=1e-15, atol=0)


@pytest.mark.parametrize("op", [Op.NEG, Op.SIN, Op.TAN, Op.SQRT, Op.MUL, Op.COPYSIGN], ids=lambda op: op.label)
def test_the_sign_of_zero_is_kept(op: Op) -> None:
    function = build({"f": make(op)})["f"]
    states = np.array([[0.0, 1.0], [-0.0, 1.0], [0.0, -1.0], [-0.0, -1.0]])
    expected = np.array([float(OPERATIONS[op][1](*state[: arity(op)])) for state in states])
    assert np.array_equal(np.signbit(function.batch(0.0, states)[:, 0]), np.signbit(expected))
    assert np.array_equal([np.signbit(function(0.0, state)[0]) for state in states], np.signbit(expected))
