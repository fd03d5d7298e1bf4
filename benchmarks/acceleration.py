"""Time of one evaluation of the equations of motion, ẏ from (t, y): machine code against CasADi's evaluator.

Both evaluate the same expressions in the same process, one after the other, several times; the best time counts, and the
ratio is what carries over to another machine.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from models import four_bar, seven_axis_arm

import linkwork as lw
from linkwork.bench.timing import best_time
from linkwork.numerics.flows.context import flow_parameters
from linkwork.numerics.flows.flow import evaluate_flow

FORMULATIONS = {
    "relative": ("hybrid", "multipliers", "partitioning"),
    "natural": ("multipliers", "partitioning"),
}
SAMPLES = 2000


def time_flow(model: lw.Model, coordinates: str, formulation: str) -> tuple[float, float, float, int]:
    """Nanoseconds of the whole flow, of its main function, of CasADi on that function, and its operations."""
    mechanism = lw.prepare(model, coordinates=coordinates, formulation=formulation)
    start = mechanism.start()
    flow = mechanism.flow(start)
    states = np.tile(start.y, (SAMPLES, 1))
    whole = best_time(lambda: evaluate_flow(flow, np.zeros(SAMPLES), states), SAMPLES)
    name = next(n for n in ("flow0", "accelerate", "terms") if n in mechanism.equations.functions)
    function = mechanism.equations.functions[name]
    compiled = mechanism.program[name]
    p = flow_parameters(flow)[: compiled.size_p] if name == "flow0" else start.p
    lanes = best_time(lambda: compiled.batch(np.zeros(SAMPLES), states, p), SAMPLES)
    peer = best_time(_casadi_loop(function, start.y, p), 2000)
    return whole * 1e9, lanes * 1e9, peer * 1e9, compiled.instructions.operations


def _casadi_loop(function: object, y: np.ndarray, p: np.ndarray) -> Callable[[], None]:
    """CasADi's evaluator through its buffer interface, without conversions."""
    buffer, evaluate = function.buffer()  # type: ignore[attr-defined]
    arrays = [np.zeros(1), np.array(y), np.array(p) if p.size else np.zeros(1)]
    results = [np.zeros(max(function.nnz_out(i), 1)) for i in range(function.n_out())]  # type: ignore[attr-defined]
    for i, array in enumerate(arrays):
        buffer.set_arg(i, memoryview(array))
    for i, array in enumerate(results):
        buffer.set_res(i, memoryview(array))

    def loop(kept: object = (buffer, arrays, results)) -> None:
        for _ in range(2000):
            evaluate()

    return loop


def main() -> None:
    print("One evaluation of the equations of motion (ns); CasADi: the same main function in its own evaluator")
    head = f"{'flow':>8}{'8 lanes':>9}{'CasADi':>9}{'ratio':>7}{'ops':>7}"
    print(f"{'mechanism':<12}{'coordinates':<12}{'formulation':<14}{head}")
    for name, model in (("four-bar", four_bar()), ("7R arm", seven_axis_arm())):
        for coordinates in ("relative", "natural"):
            for formulation in FORMULATIONS[coordinates]:
                whole, lanes, peer, operations = time_flow(model, coordinates, formulation)
                print(
                    f"{name:<12}{coordinates:<12}{formulation:<14}{whole:8.0f}{lanes:9.0f}{peer:9.0f}{peer / whole:7.1f}"
                    f"{operations:7d}"
                )
    print(
        "flow: everything between (t, y) and the derivative, Newton's method included; 8 lanes: the main function alone,"
    )
    print("per sample in a batch; ratio: CasADi's main function over the whole flow.")


if __name__ == "__main__":
    main()
