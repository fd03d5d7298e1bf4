"""The whole comparison: problems that are run, equations that are evaluated, what is missing, and the machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from linkwork.bench.evaluations import Evaluation, evaluations
from linkwork.bench.peers import find_contenders, linkwork_flow
from linkwork.bench.peers.base import Contender
from linkwork.bench.sweep import QUICK, Pace, measure
from linkwork.bench.task import Task
from linkwork.bench.tasks import all_tasks
from linkwork.bench.timing import best_times
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.progress import working
from linkwork.results.comparison import Compared, Comparison, Setting, Sweep

PROGRAMS = {
    "linkwork": "Linkwork",
    "heyoka": "heyoka",
    "pin": "Pinocchio",
    "mujoco": "MuJoCo",
    "exudyn": "Exudyn",
    "drake": "Drake",
    "sympy": "SymPy",
    "scikit-sundae": "CVODE",
    "scipy": "SciPy",
}
"""By the name under which pip installs them."""
NOT_WRITTEN = {"opensim": "its libraries cannot be loaded beside those of CasADi, and no problem is written for it"}
LEFT_OUT_QUICK = ("pendulum_1e6", "bushing", "heavy_top")
QUICK_LINKS = (10, 40)


def compare(names: Sequence[str] = (), *, quick: bool = False) -> Comparison:
    """Run all problems, or some by name, with all programs that are there."""
    asked = _chosen(names, quick)
    missing: dict[str, str] = {}
    refused: list[str] = []
    compared: list[Compared] = []
    with working("comparing") as done:
        for number, item in enumerate(asked):
            if done is not None:
                done(number / len(asked))
            if isinstance(item, Task):
                contenders, gone = find_contenders(item)
                missing |= gone
                compared.append(run_task(item, contenders, refused, quick=quick))
            else:
                compared.append(evaluate(item))
    versions = {name: found for package, name in PROGRAMS.items() if (found := installed(package)) is not None}
    absent = [package for package in PROGRAMS if installed(package) is None]
    missing = {package: missing.get(package, "it is not installed") for package in [*missing, *absent]} | NOT_WRITTEN
    return Comparison(tuple(compared), versions, missing, machine(), quick, tuple(refused))


def known(quick: bool = False) -> tuple[Task | Evaluation, ...]:
    """All problems and evaluations, or those of the short comparison."""
    tasks = [task for task in all_tasks() if not quick or task.name not in LEFT_OUT_QUICK]
    return (*tasks, *(evaluations(QUICK_LINKS) if quick else evaluations()))


def _chosen(names: Sequence[str], quick: bool) -> tuple[Task | Evaluation, ...]:
    if not names:
        return known(quick)
    everything = {item.name: item for item in known()}
    for name in names:
        if name not in everything:
            raise UnknownNameError(
                f"there is no problem '{name}'; {did_you_mean(name, list(everything))}: {', '.join(everything)}"
            )
    return tuple(everything[name] for name in names)


def run_task(task: Task, contenders: Iterable[Contender], refused: list[str], *, quick: bool) -> Compared:
    """All settings of Linkwork's default and of all others."""
    own = [item for item in linkwork_flow.contenders(task) if item.name == linkwork_flow.DEFAULT]
    everyone = [*own, *contenders]
    everyone = [shorter(item) for item in everyone] if quick else everyone
    results = measure(task, everyone, QUICK if quick else Pace(), refused.append)
    curves = [
        Sweep(item.program, item.name, item.unit, tuple(results[item.name]))
        for item in everyone
        if item.name in results
    ]
    return Compared(task.name, task.title, task.accuracy, task.unit, task.official, tuple(curves))


def shorter(contender: Contender) -> Contender:
    """Half of many settings."""
    from dataclasses import replace

    return replace(contender, settings=contender.settings[:: 2 if len(contender.settings) > 6 else 1])


def evaluate(evaluation: Evaluation, rounds: int = 5) -> Compared:
    """One evaluation by everybody, compared and timed."""
    ways = evaluation.ways()
    found = [way() for way in ways.values()]
    size = float(np.abs(found[0]).max())
    errors = [float(np.abs(values - found[0]).max()) / size for values in found]
    seconds = best_times(list(ways.values()), rounds=rounds, limit=0.02)
    curves = [
        Sweep(name, name, "", (Setting(float("nan"), error, time / evaluation.count),))
        for name, error, time in zip(ways, errors, seconds, strict=True)
    ]
    return Compared(evaluation.name, evaluation.title, evaluation.accuracy, "", False, tuple(curves))


def installed(package: str) -> str | None:
    """The version of a package, None where it is missing."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def machine() -> str:
    """This machine in words."""
    cores = os.cpu_count() or 1
    text = f"{cores} core{'s' * (cores > 1)} of {_processor()}, {platform.system()}, Python {platform.python_version()}"
    if not hasattr(os, "getloadavg"):
        return text
    load = os.getloadavg()[0]
    return text + (
        f"; busy with other work (load {load:.1f}), so that ratios say more than times" if load > cores else ""
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
