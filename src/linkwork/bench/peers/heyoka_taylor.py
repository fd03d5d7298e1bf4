"""heyoka: Taylor series of adaptive order and step in compiled code, on equations by hand and on those of Linkwork."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arrays import Array
from linkwork.bench.peers.base import Contender, Timed
from linkwork.bench.peers.linkwork_flow import fresh_flow, observed, prepared
from linkwork.compiler.instructions import Instructions
from linkwork.compiler.operations import SOURCES, Op
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
    rates = translate(mechanism.program[name].instructions, variables, p, hy)[: start.size]
    system = [(y, hy.expression(0.0) + rate) for y, rate in zip(variables, rates, strict=True)]
    kind = {"fp_type": real} if real is not float else {}
    return hy.taylor_adaptive(system, [real(x) for x in start], compact_mode=start.size > 8, **kind, **options)


def translate(instructions: Instructions, y: list[Any], p: Array, hy: Any) -> list[Any]:
    """The outputs of an instruction list as expressions; a root of max(x, 0) is that of x while the branch lasts."""
    plain = {
        Op.ADD: lambda a, b: a + b,
        Op.SUB: lambda a, b: a - b,
        Op.MUL: lambda a, b: a * b,
        Op.DIV: lambda a, b: a / b,
        Op.NEG: lambda a, b: -a,
        Op.SQRT: lambda a, b: hy.sqrt(a),
        Op.SIN: lambda a, b: hy.sin(a),
        Op.COS: lambda a, b: hy.cos(a),
        Op.FMAX: lambda a, b: a,
    }
    values: list[Any] = []
    for op, first, second in instructions.rows():
        if op is Op.CONSTANT:
            values.append(hy.expression(float(instructions.constants[first])))
        elif op in SOURCES:
            values.append(
                {Op.TIME: lambda i: hy.time, Op.STATE: lambda i: y[i], Op.PARAMETER: lambda i: float(p[i])}[op](first)
            )
        elif op in plain:
            values.append(plain[op](values[first], values[second] if second >= 0 else None))
        else:  # part of the health alone
            values.append(hy.expression(0.0))
    return [values[i] for i in instructions.outputs]


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
