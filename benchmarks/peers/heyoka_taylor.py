"""heyoka: Taylor series of adaptive order and step in compiled code, on equations by hand and on those of Linkwork."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.compiler.instructions import Instructions
from linkwork.compiler.operations import SOURCES, Op
from linkwork.numerics.flows.context import flow_parameters
from peers.base import Contender, Run
from peers.equation import Array
from peers.linkwork_flow import fresh_flow, observed, prepared

if TYPE_CHECKING:
    from problems import Problem

PACKAGE = "heyoka"
TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 1e-15)


def contenders(problem: Problem) -> list[Contender]:
    import heyoka  # noqa: F401

    found = [Contender("heyoka, Linkwork's equations", TOLERANCES, partial(_prepare_compiled, problem))]
    if problem.hand is not None:
        found.append(Contender("heyoka, equations by hand", TOLERANCES, partial(_prepare_by_hand, problem)))
    return found


def by_hand(problem: Problem, real: Any = float, **options: Any) -> Any:
    """heyoka's integrator of the equations by hand."""
    import heyoka as hy

    assert problem.hand is not None
    start = [real(x) for x in problem.hand.start]
    variables = hy.make_vars(*(f"y{i}" for i in range(len(start))))
    rates = problem.hand.rates(variables, hy)
    system = [
        (y, rate if isinstance(rate, hy.expression) else hy.expression(rate))
        for y, rate in zip(variables, rates, strict=True)
    ]
    return hy.taylor_adaptive(system, start, **({"fp_type": real} if real is not float else {}), **options)


def compiled(problem: Problem, real: Any = float, **options: Any) -> Any:
    """heyoka's integrator of the equations that Linkwork compiles, all its states."""
    import heyoka as hy

    mechanism, start = prepared(problem)
    name = "flow0" if "flow0" in mechanism.program else "accelerate"
    p = flow_parameters(fresh_flow(problem)) if name == "flow0" else mechanism.start().p
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


def _prepare_by_hand(problem: Problem, tolerance: float) -> Run:
    assert problem.hand is not None
    return _timed(by_hand(problem, tol=tolerance), problem, problem.hand.observe)


def _prepare_compiled(problem: Problem, tolerance: float) -> Run:
    return _timed(compiled(problem, tol=tolerance), problem, partial(observed, problem))


def _timed(integrator: Any, problem: Problem, observe: Any) -> Run:
    start, grid = np.array(integrator.state), problem.grid

    def run() -> Array:
        integrator.time = 0.0
        integrator.state[:] = start
        return observe(integrator.propagate_grid(grid)[-1])

    return run
