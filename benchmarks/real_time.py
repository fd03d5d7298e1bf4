"""Real time: the mean and the worst time of a step over many steps, and the real-time factor, mean step time over step.

Below 1 a simulation is faster than real time. Every mechanism is stepped by the default method of ``realtime`` and by the
implicit steps of García de Jalón and Bayo, section 8.5, with two iterations: five rods as a pendulum (example 8.6, 8 ms) and
closed to Bricard's mechanism (example 8.7, 30 ms), beside the factors that the source has for a DECstation 3100, where
Bricard's mechanism was three times faster than real time; a four-bar; and a car of 25 bodies and 15 freedoms with tyres
and steering, whose dimensions are ours. The source has natural coordinates, which are also tried. The clock is that of the
processor, which does not count what other programs take; ``--clock wall`` counts all.

Behind them what keeps hitting something, by time stepping with a bound of iterations: a gate that is thrown from stop to
stop, a load that jerks at its rope, boxes and balls on a plate that shakes. What counts there is the worst step beside the
median one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from long_run import FOUR_BAR
from table_models import bricard, pendulum

import linkwork as lw

ITERATIONS = 2
BOOK = "index3_augmented_lagrangian"


def four_bar() -> lw.Model:
    """The one that turns under gravity."""
    return lw.loads(FOUR_BAR)


def car() -> lw.Model:
    """The car of 25 bodies."""
    return lw.load(Path(__file__).parent / "car.yaml")


@dataclass(frozen=True)
class Row:
    """A mechanism, the step of the default method and that of the source in ms, and the published factor.

    The pendulum is chaotic, and in natural coordinates its steps become too long some time: it has the 20 s of the source.
    """

    name: str
    make: Callable[[], lw.Model]
    step: float
    book_step: float
    published: float | None = None
    duration: float | None = None  # s, of the source, where steps of this size do not go on for ever
    coordinates: tuple[str, ...] = ("relative", "natural")


ROWS = (
    Row("four-bar", four_bar, 1.0, 2.0),
    Row("pendulum, 5 rods", pendulum, 1.0, 8.0, 1.63, 20.0),
    Row("Bricard", bricard, 1.0, 30.0, 0.33),
    Row("car, 25 bodies", car, 1.0, 8.0, coordinates=("relative",)),
)


GATE = """
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [1, 0], B: [1.6, 0.3]}
bodies: {gate: {bar: [O, A], mass: 2}, tail: {bar: [A, B], mass: 1}}
joints:
  O: {kind: revolute, bodies: [ground, gate], limits: [-30 deg, 30 deg], stops: {restitution: 0.4}}
  A: {kind: revolute, bodies: [gate, tail], limits: [-40 deg, 40 deg]}
forces: {motor: {kind: effort, joint: O, value: 40*sin(5*t)}}
"""

ROPE = """
linkwork: 1
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], A: [0, -0.6]}
bodies: {load: {points: [A], com: A, mass: 2, inertia: 0.1}}
relations: {line: {kind: rope, between: [ground.O, load.A], length: 1}}
forces: {wind: {kind: force, at: A, value: [15*sin(4*t), 25*sin(7*t)]}}
"""


def shaken(count: int, shape: str) -> Callable[[], lw.Model]:
    """So many bodies on a plate that shakes."""
    names = [f"b{k}" for k in range(count)]
    bodies = "".join(
        f"  {name}: {{points: {{c{name}: [0, 0, 0]}}, origin: [{0.5 * (k % 3)}, {0.5 * (k // 3)}, 0.5],"
        f" shapes: {{hull: {{{shape}, mass: 1}}}}}}\n"
        for k, name in enumerate(names)
    )
    text = f"""
linkwork: 1
space: spatial
gravity: [0, 0, -9.81]
points: {{P: [0, 0, 0]}}
bodies:
  plate: {{points: [P], com: P, mass: 5, inertia: [1, 1, 1]}}
{bodies}
joints: {{shaker: {{kind: prismatic, bodies: [ground, plate], at: P, axis: [0, 0, 1]}}}}
drivers: {{shake: {{joint: shaker, position: 0.02*sin(25*t)}}}}
surfaces: {{top: {{plane: [0, 0, 1], on: plate}}}}
contacts: {{touch: {{between: [top, {", ".join(names)}], friction: 0.5, restitution: 0.2}}}}
"""
    return lambda: lw.loads(text)


TOUCHING: tuple[tuple[str, Callable[[], lw.Model], str | None], ...] = (
    ("gate and stops", lambda: lw.loads(GATE), None),
    ("load on a rope", lambda: lw.loads(ROPE), None),
    ("one box, shaken", shaken(1, "box: [0.4, 0.3, 0.2]"), "reference_point"),
    ("five boxes, shaken", shaken(5, "box: [0.4, 0.3, 0.2]"), "reference_point"),
    ("nine balls, shaken", shaken(9, "sphere: {radius: 0.1}"), "reference_point"),
)


def report_touching(steps: int, clock: str, only: str) -> None:
    """The cost of steps that hit something, and how well their contacts were solved."""
    headings = (
        f"{'median':>12}  {'99.9 %':>12}  {'worst':>12}  {'worst/median':>12}  {'most iterations':>15}  {'unsolved':>8}"
    )
    print(f"\n{'steps of 1 ms with contacts':42}{headings}  {'overlap':>9}")
    for name, make, kind in TOUCHING:
        if not name.startswith(only):
            continue
        rt = lw.realtime(make(), "1 ms", coordinates=kind, clock=clock)
        rt.step(steps)
        timing, counted = rt.timing, rt.statistics
        median, late = timing.quantile(0.5), timing.quantile(0.999)
        cells = "  ".join(f"{1e6 * value:9.3g} µs" for value in (median, late, timing.worst))
        most, unsolved = counted["most iterations of a step"], counted["steps not solved"]
        cells += f"  {timing.worst / median:12.1f}  {most:15}  {unsolved:8}"
        print(
            f"{name:20}  {rt.mechanism.coordinates.kind!s:20}{cells}  {counted['largest overlap']:7.1e} m",
            flush=True,
        )


def report(name: str, rt: lw.answers.RealTime, steps: int, published: float | None) -> None:
    """Take the steps and print their cost."""
    outcome = rt.step(steps)
    timing = rt.timing
    kind, formulation = rt.mechanism.coordinates.kind, rt.mechanism.equations.formulation.name
    how = f"{rt.chosen.method.name}, {'index3 a.l.' if formulation == BOOK else formulation}, {kind}"
    cells = f"{1e3 * timing.step:5.3g} ms  {1e6 * timing.mean:9.3g} µs  {1e6 * timing.quantile(0.999):9.3g} µs"
    cells += f"  {1e6 * timing.worst:9.3g} µs  {timing.missed:6d}  {timing.factor:9.2e}"
    ended = "" if outcome.completed else f"  {outcome}"
    print(f"{name:17}  {how:38}  {cells}  {published or '':>6}{ended}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--clock", default="processor")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    print(f"{given.steps} steps, {given.clock} clock; factor: mean step time / step, below 1 is faster than real time")
    headings = f"{'step':>8}  {'mean':>12}  {'99.9 %':>12}  {'worst':>12}  {'missed':>6}  {'factor':>9}  published"
    print(f"{'':17}  {'method':38}  {headings}")
    for row in ROWS:
        if not row.name.startswith(given.only):
            continue
        model = row.make()
        options = {"clock": given.clock, "max_iterations": ITERATIONS}
        report(row.name, lw.realtime(model, 1e-3 * row.step, **options), given.steps, None)
        for kind in row.coordinates:
            rt = lw.realtime(model, 1e-3 * row.book_step, formulation=BOOK, coordinates=kind, **options)
            long = row.duration is None or kind == "relative"
            report("", rt, given.steps if long else round(row.duration / rt.size), row.published)
    report_touching(given.steps, given.clock, given.only)


if __name__ == "__main__":
    main()
