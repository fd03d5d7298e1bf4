"""Table 8.5 of García de Jalón and Bayo: time of one evaluation of the accelerations by three formulations.

Penalties and the matrix R in natural coordinates (its sections 5.1.4 and 5.2.3), against velocity transformations of the
bodies (formulation B, section 8.2.5.2), which count as 1. Beside them the transformation of points (formulation A) and
relative coordinates with composite bodies, which the source does not time. Its times were taken on a MIPS R3000 at
25 MHz; only ratios are compared. Everything between (t, y) and ẏ is timed, at the start position; R is factored anew in
every evaluation, positions are not iterated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

import numpy as np
from table_models import bricard, car, human_body, pendulum

import linkwork as lw
from linkwork.bench.timing import best_times
from linkwork.equations.formulations import Formulation
from linkwork.numerics.flows.flow import evaluate_flow

SAMPLES = 50
WAYS: dict[str, tuple[str, str | Formulation]] = {
    "penalty": ("natural", "penalty"),
    "R": ("natural", lw.formulations.RMethod(integrate="all")),
    "B": ("relative", lw.formulations.VelocityTransformation("bodies")),
    "A": ("relative", lw.formulations.VelocityTransformation("points")),
    "composite": ("relative", "multipliers"),
}


@dataclass(frozen=True)
class Row:
    """A mechanism and the published milliseconds: penalty, matrix R, formulation B."""

    name: str
    make: Callable[[], lw.Model]
    published: tuple[float, float, float]


ROWS = (
    Row("Bricard", bricard, (8.01, 8.73, 1.33)),
    Row("five-bar pendulum", pendulum, (12.00, 18.65, 1.29)),
    Row("car", car, (87.79, 224.54, 12.21)),
    Row("human body", human_body, (91.30, 942.64, 23.39)),
)


def evaluation(mechanism: lw.answers.Mechanism) -> Callable[[], object]:
    """Accelerations at the start position, SAMPLES times."""
    start = mechanism.start()
    flow = mechanism.flow(start)
    times, states = np.zeros(SAMPLES), np.tile(start.y, (SAMPLES, 1))
    return lambda: evaluate_flow(flow, times, states)


def time_ways(model: lw.Model) -> tuple[dict[str, float], dict[str, tuple[int, float]]]:
    """Microseconds of one evaluation; the numbers of velocities, and the seconds that it took to write and compile."""
    ready: dict[str, Callable[[], object]] = {}
    sizes: dict[str, tuple[int, float]] = {}
    lw.prepare(model, formulation="multipliers")  # the analysis is common to all
    for name, (coordinates, formulation) in WAYS.items():
        begin = process_time()
        mechanism = lw.prepare(model, coordinates=coordinates, formulation=formulation)
        ready[name] = evaluation(mechanism)
        sizes[name] = mechanism.coordinates.v.numel(), process_time() - begin
    times = best_times(list(ready.values()))
    return {name: time / SAMPLES * 1e6 for name, time in zip(ready, times, strict=True)}, sizes


def main() -> None:
    print("Accelerations after table 8.5: µs of one evaluation, and as multiples of formulation B")
    head = "".join(f"{name:>11}" for name in WAYS)
    print(f"{'mechanism':<18}{'sizes':>8}{head}{'penalty/B':>12}{'published':>11}{'R/B':>7}{'published':>11}")
    compiled = []
    for row in ROWS:
        times, sizes = time_ways(row.make())
        numbers = f"{sizes['penalty'][0]}/{sizes['B'][0]}"
        cells = "".join(f"{times[name]:11.2f}" for name in WAYS)
        ratios = [times[name] / times["B"] for name in ("penalty", "R")]
        published = [time / row.published[2] for time in row.published[:2]]
        ends = f"{ratios[0]:12.1f}{published[0]:11.1f}{ratios[1]:7.1f}{published[1]:11.1f}"
        print(f"{row.name:<18}{numbers:>8}{cells}{ends}", flush=True)
        compiled.append(f"{row.name:<18}{'':8}" + "".join(f"{sizes[name][1]:11.1f}" for name in WAYS))
    print("sizes: velocities in natural and in relative coordinates.")
    print("Seconds to write the equations and to compile what is not in the cache:")
    print("\n".join(compiled))


if __name__ == "__main__":
    main()
