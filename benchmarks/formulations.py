"""Drift, energy and cost of every formulation on the ten mechanisms of the cross test, at one tolerance.

    python benchmarks/formulations.py [--coordinates natural] [--write]

--write puts the figures into ``formulations.csv``, from which docs/choose.md has its table. Every formulation of
``ALL_FORMULATIONS`` is taken; one that is refused on a mechanism has no figures there. Runs are 2 s long, in relative
coordinates, with rtol 1e-8; formulations whose steps are implicit take steps of 1 ms instead.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import platform
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np
from mechanisms import TEN, load_mechanism

import linkwork as lw
from linkwork.bench.timing import best_times
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation
from linkwork.numerics.integrators.run import integrate

FILE = Path(__file__).parent / "formulations.csv"
UNTIL, RTOL, ATOL, STEP = 2.0, 1e-8, 1e-10, 1e-3
ERRORS = ("position_drift", "velocity_drift", "energy_error")
GRID = np.linspace(0.0, UNTIL, 201)
LONGEST = 2_000_000  # steps


@dataclass(frozen=True)
class Figures:
    """One formulation on one mechanism. The ratios are to the first formulation that runs there, the default."""

    mechanism: str
    formulation: str
    position_drift: float  # m, largest |Φ|
    velocity_drift: float  # m/s, largest |Φ̇|
    energy_error: float  # relative to the largest kinetic energy
    evaluations: int
    time: float  # s for a simulated second
    time_ratio: float = 1.0
    evaluation_ratio: float = 1.0  # of the times of one evaluation


@dataclass(frozen=True)
class Subject:
    """What is known of a formulation on a mechanism before it is timed, and the run."""

    figures: Figures
    run: Callable[[], object]


def options_of(formulation: Formulation) -> dict[str, Any]:
    """Tolerances, or the step of those that are implicit."""
    return {"fixed_step": STEP} if formulation.implicit else {"rtol": RTOL, "atol": ATOL}


def measure(title: str, model: lw.Model, coordinates: str, formulation: Formulation) -> Subject | None:
    """Errors of a run; None where the formulation is refused or does not reach the end."""
    options = options_of(formulation)
    try:
        result = lw.simulate(
            model, times=GRID, coordinates=coordinates, formulation=formulation, max_steps=LONGEST, **options
        )
    except lw.errors.RefusedError:
        return None
    if not result.outcome.completed:
        print(f"{title}, {formulation.name}: {result.outcome}")
        return None
    energy = np.abs(result["energy.balance"]).max() / result["energy.kinetic"].max()
    drift, rate = result.closure_error.max(), np.abs(rates_of_conditions(result)).max(initial=0.0)
    mechanism = lw.prepare(model, coordinates=coordinates, formulation=formulation)
    start, method = mechanism.start(), result.settings["integrator"]
    settings = {"step": STEP} if formulation.implicit else options

    def run() -> object:
        # a flow belongs to one run
        return integrate(method, mechanism.flow(start), start.y, GRID, max_steps=LONGEST, **settings)

    count = int(result.statistics["evaluations"])
    return Subject(Figures(title, formulation.name, float(drift), float(rate), float(energy), count, 0.0), run)


def rates_of_conditions(result: lw.Result) -> np.ndarray:
    """Φ̇ = C v + a of every row at every output, angles times the size of the mechanism."""
    source = result.source
    c = source.mechanism.coordinates
    weights = ca.DM([row.weight for row in c.rows])
    rates = ca.Function("rates", [c.t, c.y, c.p], [weights * (c.jacobian @ c.v + c.a)])
    return np.array([np.array(rates(t, y, source.p)) for t, y in zip(source.t, source.y, strict=True)])


def time_all(subjects: Sequence[Subject]) -> list[Figures]:
    """The figures with times, the best of several rounds through all formulations."""
    times = best_times([subject.run for subject in subjects], limit=0.05)
    found = [replace(s.figures, time=time / UNTIL) for s, time in zip(subjects, times, strict=True)]
    first = found[0]
    return [
        replace(
            f,
            time_ratio=f.time / first.time,
            evaluation_ratio=f.time / f.evaluations / (first.time / first.evaluations),
        )
        for f in found
    ]


def show(rows: Sequence[Figures]) -> None:
    for row in rows:
        drifts = f"{row.position_drift:>10.0e}{row.velocity_drift:>10.0e}{row.energy_error:>10.0e}"
        cost = f"{row.evaluations:>9d}{row.time * 1e3:>10.3f}{row.time_ratio:>8.2f}{row.evaluation_ratio:>9.2f}"
        print(f"{row.mechanism:<22}{row.formulation:<28}{drifts}{cost}", flush=True)


def summarise(rows: Sequence[Figures]) -> None:
    """The worst errors of each formulation, and its times by mechanism."""
    titles = list(dict.fromkeys(row.mechanism for row in rows))
    print(f"{'largest of all mechanisms':<28}{'|Φ|':>8}{'|Φ̇|':>9}{'energy':>8}   times over those of the default")
    print(f"{'formulation':<52}" + "".join(f"{title[:9]:>10}" for title in titles))
    for name in dict.fromkeys(row.formulation for row in rows):
        mine = {row.mechanism: row for row in rows if row.formulation == name}
        worst = [max(getattr(row, key) for row in mine.values()) for key in ERRORS]
        cells = [f"{mine[title].time_ratio:>10.2f}" if title in mine else f"{'-':>10}" for title in titles]
        print(f"{name:<28}" + "".join(f"{error:>8.0e}" for error in worst) + "".join(cells))
    print("-: refused, or not finished")


def write(rows: Sequence[Figures], coordinates: str) -> None:
    """The committed table; its first line says when and where it was made."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    made = f"# {today}; {machine()}; {coordinates} coordinates, {UNTIL:g} s, rtol {RTOL:g}, implicit steps {STEP:g} s"
    with FILE.open("w", newline="", encoding="utf-8") as file:
        file.write(made + "\n")
        writer = csv.writer(file)
        writer.writerow([field.name for field in fields(Figures)])
        writer.writerows([f"{x:.4g}" if isinstance(x, float) else x for x in astuple(row)] for row in rows)


def machine() -> str:
    """What kind of processor it is."""
    kinds = [line for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    name = kinds[0].split(":", 1)[1].strip() if kinds else platform.processor() or platform.machine()
    return f"{name}, Python {platform.python_version()}"


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coordinates", default="relative")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    chosen = parser.parse_args(arguments)
    print(
        f"Formulations in {chosen.coordinates} coordinates: {UNTIL:g} s at rtol {RTOL:g}; implicit steps of {STEP:g} s"
    )
    print(f"{'':<50}{'|Φ|, m':>10}{'|Φ̇|, m/s':>11}{'energy':>9}{'evalu-':>9}{'ms for':>10}{'time,':>8}{'of one':>9}")
    print(f"{'mechanism':<22}{'formulation':<58}{'ations':>9}{'1 s':>10}{'ratio':>8}{'eval.':>9}")
    rows: list[Figures] = []
    for name, title in TEN.items():
        model = load_mechanism(name)
        subjects = [measure(title, model, chosen.coordinates, formulation) for formulation in ALL_FORMULATIONS]
        found = time_all([subject for subject in subjects if subject is not None])
        show(found)
        rows += found
    print("ratios: to the first formulation of each mechanism; of one eval.: ratio of the times of one evaluation\n")
    summarise(rows)
    if chosen.write:
        write(rows, chosen.coordinates)


if __name__ == "__main__":
    main()
