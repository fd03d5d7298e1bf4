"""heyoka: Taylor series of adaptive order and step in compiled code, on equations by hand and on those of Linkwork."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arrays import Array
from linkwork.bench.peers.base import Contender, Timed
from linkwork.bench.peers.linkwork_flow import fresh_flow, observed, prepared
from linkwork.compiler.instructions import Instructions
from linkwork.compiler.operations import SOURCES, Op, arity
from linkwork.numerics.flows.context import flow_parameters

if TYPE_CHECKING:
    from linkwork.bench.task import Task

PACKAGE = "heyoka"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 1e-15)


def contenders(task: Task) -> list[Contender]:
    import heyoka  # noqa: F401

    read = partial(observed, task)
    found = [Contender("heyoka, Taylor series", TOLERANCES, partial(_prepare_compiled, task), read)]
    if task.hand is not None:
        found.append(
            Contender("heyoka by hand, Taylor series", TOLERANCES, partial(_prepare_by_hand, task), task.hand.observe)
        )
    return found


def by_hand(task: Task, real: Any = float, **options: Any) -> Any:
    """heyoka's integrator of the equations by hand."""
    import heyoka as hy

    assert task.hand is not None
    start = [real(x) for x in task.hand.start]
    variables = hy.make_vars(*(f"y{i}" for i in range(len(start))))
    rates = task.hand.rates(variables, hy)
    system = [
        (y, rate if isinstance(rate, hy.expression) else hy.expression(rate))
        for y, rate in zip(variables, rates, strict=True)
    ]
    return hy.taylor_adaptive(system, start, **({"fp_type": real} if real is not float else {}), **options)


def compiled(task: Task, real: Any = float, **options: Any) -> Any:
    """heyoka's integrator of the equations that Linkwork compiles, all its states."""
    import heyoka as hy

    mechanism, start = prepared(task)
    name = "flow0" if "flow0" in mechanism.program else "accelerate"
    p = flow_parameters(fresh_flow(task)) if name == "flow0" else mechanism.start().p
    variables = hy.make_vars(*(f"y{i}" for i in range(start.size)))
    rates = translate(mechanism.program[name].instructions, variables, p, hy, start.size)
    system = [(y, hy.expression(0.0) + rate) for y, rate in zip(variables, rates, strict=True)]
    kind = {"fp_type": real} if real is not float else {}
    return hy.taylor_adaptive(system, [real(x) for x in start], compact_mode=start.size > 8, **kind, **options)


def translate(instructions: Instructions, y: list[Any], p: Array, hy: Any, count: int) -> list[Any]:
    """The first outputs of an instruction list as expressions."""
    rows, known = list(instructions.rows()), _operations(hy)
    sources = {Op.TIME: lambda i: hy.time, Op.STATE: lambda i: y[i], Op.PARAMETER: lambda i: hy.expression(float(p[i]))}
    needed, outputs = set(), instructions.outputs[:count]
    for i in range(len(rows) - 1, -1, -1):
        if (i in needed or i in outputs) and rows[i][0] not in SOURCES:
            needed |= {place for place in rows[i][1:] if place >= 0}
    values: dict[int, Any] = {}
    for i, (op, first, second) in enumerate(rows):
        if i not in needed and i not in outputs:
            continue  # of the health alone
        if op is Op.CONSTANT:
            values[i] = hy.expression(float(instructions.constants[first]))
        elif op in SOURCES:
            values[i] = sources[op](first)
        elif op in known:
            values[i] = known[op](*(values[place] for place in (first, second)[: arity(op)]))
        else:
            raise ValueError(f"heyoka has no '{op.label}'")
    return [values[i] for i in outputs]


def _operations(hy: Any) -> dict[Op, Callable[..., Any]]:
    """What heyoka has for each operation; truth values are 0 and 1 there too."""
    zero, one = hy.expression(0.0), hy.expression(1.0)
    named = (
        *(Op.SQRT, Op.SIN, Op.COS, Op.TAN, Op.ASIN, Op.ACOS, Op.ATAN, Op.ATAN2, Op.EXP, Op.LOG, Op.EXPM1, Op.LOG1P),
        *(Op.SINH, Op.COSH, Op.TANH, Op.ASINH, Op.ACOSH, Op.ATANH, Op.ERF, Op.LT, Op.EQ),
    )
    return {op: getattr(hy, op.label) for op in named} | {
        Op.ADD: lambda a, b: a + b,
        Op.SUB: lambda a, b: a - b,
        Op.MUL: lambda a, b: a * b,
        Op.DIV: lambda a, b: a / b,
        Op.NEG: lambda a: -a,
        Op.POW: lambda a, b: a**b,
        Op.HYPOT: lambda a, b: hy.sqrt(a * a + b * b),
        Op.FABS: lambda a: hy.select(hy.lt(a, zero), -a, a),
        Op.SIGN: lambda a: hy.gt(a, zero) - hy.lt(a, zero),
        Op.FMIN: lambda a, b: hy.select(hy.lt(b, a), b, a),
        Op.FMAX: lambda a, b: hy.select(hy.gt(b, a), b, a),
        Op.LE: hy.lte,
        Op.NE: hy.neq,
        Op.NOT: lambda a: hy.select(a, zero, one),
        Op.AND: lambda a, b: hy.logical_and([a, b]),
        Op.OR: lambda a, b: hy.logical_or([a, b]),
        Op.IF_ELSE_ZERO: lambda a, b: hy.select(a, b, zero),
    }


def _prepare_by_hand(task: Task, tolerance: float) -> Timed:
    return _timed(by_hand(task, tol=tolerance), task)


def _prepare_compiled(task: Task, tolerance: float) -> Timed:
    return _timed(compiled(task, tol=tolerance), task)


def _timed(integrator: Any, task: Task) -> Timed:
    start, grid = np.array(integrator.state), task.grid

    def run() -> Array:
        integrator.time = 0.0
        integrator.state[:] = start
        return np.asarray(integrator.propagate_grid(grid)[-1])

    return run
