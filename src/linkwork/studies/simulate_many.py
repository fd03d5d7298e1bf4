"""``simulate_many(model, until, parameters=...)``: one motion for each of many variants of a mechanism."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from linkwork.algebra.given import Along, FilePath, Scalar
from linkwork.analysis.motion.course import Event
from linkwork.analysis.walk.subject import Noun
from linkwork.arguments import verb
from linkwork.compiler.backends import Backend
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations.formulations import Formulation
from linkwork.numerics.integrators.base import Method
from linkwork.results.study import Study
from linkwork.results.time_grid import first_asked, time_grid
from linkwork.studies.asking import Keeping, ask_many
from linkwork.studies.finding import run_study
from linkwork.studies.one_by_one import check_workers


@verb
def simulate_many(
    model: Noun,
    until: Scalar | None = None,
    *,
    parameters: Along | None = None,
    initial: Along | None = None,
    quantities: Sequence[str] | None = None,
    final: bool = False,
    peaks: bool = False,
    step: Scalar | None = None,
    times: ArrayLike | None = None,
    coordinates: KindChoice | None = None,
    formulation: str | Formulation | None = None,
    integrator: str | Method | None = None,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    fixed_step: Scalar | None = None,
    max_steps: int = 10**7,
    events: Mapping[str, str | Event] | None = None,
    backend: str | Backend | None = None,
    accuracy: float | None = None,
    folder: FilePath | None = None,
    workers: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> Study:
    """Simulate many variants of a mechanism, on all cores.

    model: or what else `simulate` takes, but for runs, whose end is that of one variant.
    parameters: live parameters with a value for each variant, {"k": [100, 200, 300]}; single values are those of all.
    `studies.grid` makes all combinations; tables of pandas and datasets of xarray are taken too.
    initial: the same of values at the start, {"O.speed": [1, 2, 3]}.
    quantities: names or patterns of what is kept of each variant, by default its degrees of freedom.
    final: keeps the last sample alone; peaks: keeps smallest and largest values among the samples too, and when.
    folder: where what is found is kept while it goes on; a study that was interrupted goes on from there.
    workers: how many cores are used, by default all. What is found does not depend on it.
    progress: is called with the fraction done. All else as of `simulate`; there is no audit of single variants.

    A variant that cannot be assembled, or stops, says why in its outcome (`Study.failures`), and disturbs no other one.
    """
    used = check_workers(workers)
    options: dict[str, Any] = {
        "coordinates": coordinates, "formulation": formulation, "integrator": integrator, "rtol": rtol, "atol": atol,
        "fixed_step": fixed_step, "max_steps": max_steps, "events": events, "backend": backend, "accuracy": accuracy,
        "audit": False,
    }  # fmt: skip
    keeping = Keeping(quantities, final, peaks)
    grid = time_grid(until, step, times)
    asked = grid[first_asked(times, grid) :]
    question, variants = ask_many("simulate", model, options, (parameters, initial), keeping, asked)
    return run_study(question, variants, workers=used, folder=folder, progress=progress)
