"""Kinematics, equilibria and inverse dynamics of many variants of a mechanism."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from linkwork.algebra.given import Along, FilePath, GivenValues, Scalar
from linkwork.analysis.inverse.inverse_dynamics import TOLERANCE
from linkwork.analysis.inverse.inverse_question import WantedMotion
from linkwork.analysis.kinematics.inputs import Inputs
from linkwork.analysis.walk.subject import Noun
from linkwork.arguments import verb
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations.reactions.penalty_estimate import PenaltyEstimate
from linkwork.results.study import Study
from linkwork.studies.asking import Keeping, ask_many
from linkwork.studies.finding import run_study
from linkwork.studies.one_by_one import check_workers


@verb
def solve_kinematics_many(
    model: Noun,
    motion: Inputs | None = None,
    *,
    parameters: Along | None = None,
    quantities: Sequence[str] | None = None,
    final: bool = False,
    peaks: bool = False,
    until: Scalar | None = None,
    step: Scalar | None = None,
    times: ArrayLike | None = None,
    coordinates: KindChoice | None = None,
    method: str | None = None,
    prediction: int = 2,
    tolerance: float = 1e-12,
    folder: FilePath | None = None,
    workers: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> Study:
    """Move the inputs of many variants of a mechanism in one way: `solve_kinematics` on all cores.

    parameters, quantities, final, peaks, folder, workers, progress: as of `simulate_many`; all else: of `solve_kinematics`.
    """
    options = {
        "motion": motion, "until": until, "step": step, "times": times, "coordinates": coordinates, "method": method,
        "prediction": prediction, "tolerance": tolerance, "audit": False,
    }  # fmt: skip
    keeping = Keeping(quantities, final, peaks)
    return _many("solve_kinematics", (model, parameters), options, keeping, (folder, workers, progress))


@verb
def find_equilibrium_many(
    model: Noun,
    *,
    parameters: Along | None = None,
    quantities: Sequence[str] | None = None,
    method: str = "virtual_power",
    coordinates: KindChoice | None = None,
    start: GivenValues | None = None,
    time: Scalar | None = None,
    stable: bool = True,
    tolerance: float = 1e-12,
    max_iterations: int = 200,
    folder: FilePath | None = None,
    workers: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> Study:
    """Find where many variants of a mechanism rest: `find_equilibrium` on all cores; `Study.words` has their stability.

    parameters, quantities, folder, workers, progress: as of `simulate_many`; all else as of `find_equilibrium`.
    """
    options = {
        "method": method, "coordinates": coordinates, "start": start, "time": time, "stable": stable,
        "tolerance": tolerance, "max_iterations": max_iterations,
    }  # fmt: skip
    keeping = Keeping(quantities, final=True)
    return _many("find_equilibrium", (model, parameters), options, keeping, (folder, workers, progress))


@verb
def inverse_dynamics_many(
    model: Noun,
    motion: WantedMotion | None = None,
    *,
    parameters: Along | None = None,
    quantities: Sequence[str] | None = None,
    final: bool = False,
    peaks: bool = False,
    motors: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    method: str | PenaltyEstimate = "virtual_power",
    times: ArrayLike | None = None,
    until: Scalar | None = None,
    step: Scalar | None = None,
    tolerance: float = TOLERANCE,
    coordinates: KindChoice | None = None,
    max_steps: int = 10**7,
    folder: FilePath | None = None,
    workers: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> Study:
    """Efforts of motors, and reactions, of one motion of many variants of a mechanism: `inverse_dynamics` on all cores.

    quantities: by default the efforts of the motors. parameters, final, peaks, folder, workers, progress: as of
    `simulate_many`; all else as of `inverse_dynamics`.
    """
    options = {
        "motion": motion, "motors": motors, "weights": weights, "method": method, "times": times, "until": until,
        "step": step, "tolerance": tolerance, "coordinates": coordinates, "max_steps": max_steps, "audit": False,
    }  # fmt: skip
    keeping = Keeping(quantities, final, peaks)
    return _many("inverse_dynamics", (model, parameters), options, keeping, (folder, workers, progress))


def _many(
    name: str,
    about: tuple[Noun, Along | None],
    options: Mapping[str, Any],
    keeping: Keeping,
    how: tuple[FilePath | None, int | None, Callable[[float], object] | None],
) -> Study:
    (model, parameters), (folder, workers, progress) = about, how
    used = check_workers(workers)
    question, variants = ask_many(name, model, options, (parameters, None), keeping)
    return run_study(question, variants, workers=used, folder=folder, progress=progress)
