"""Linkwork beside other programs: what each took for the same problems, at its best setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from linkwork.algebra.given import FilePath
from linkwork.answer import Answer, Column, Grid
from linkwork.results.timing import duration
from linkwork.shown import page

OWN = "Linkwork"


@dataclass(frozen=True)
class Setting:
    """One setting of a solver: value of the tolerance or step [s] (nan: none), largest error, and seconds."""

    value: float
    error: float
    seconds: float


@dataclass(frozen=True)
class Sweep:
    """What a solver takes over its sweep; kind: of settings, 'tolerance', 'step' or ''."""

    program: str
    solver: str
    kind: str
    settings: tuple[Setting, ...]

    def best(self, accuracy: float) -> Setting | None:
        """The fastest setting that is as accurate as asked."""
        enough = [item for item in self.settings if item.error <= accuracy]
        return min(enough, key=lambda item: item.seconds) if enough else None


@dataclass(frozen=True)
class Ranked:
    """The best of a program on a problem; ratio: its time over that of Linkwork's default."""

    curve: Sweep
    setting: Setting
    ratio: float

    @property
    def told(self) -> str:
        """The solver with its setting."""
        if not self.curve.kind:
            return self.curve.solver
        return f"{self.curve.solver}, {self.curve.kind} {self.setting.value:.2g}{' s' * (self.curve.kind == 'step')}"


@dataclass(frozen=True)
class Compared:
    """A problem: times are compared at an *accuracy* of *unit*; official: whether it is that of its source."""

    name: str
    title: str
    accuracy: float
    unit: str
    official: bool
    curves: tuple[Sweep, ...]

    def standings(self) -> dict[str, Ranked]:
        """The best of every program that is accurate enough, Linkwork's default first."""
        found: dict[str, tuple[Sweep, Setting]] = {}
        for curve in self.curves:
            best = curve.best(self.accuracy)
            known = found.get(curve.program)
            if best is not None and (known is None or best.seconds < known[1].seconds):
                found[curve.program] = curve, best
        own = found[OWN][1].seconds if OWN in found else float("nan")
        return {name: Ranked(curve, best, best.seconds / own) for name, (curve, best) in found.items()}

    @property
    def programs(self) -> tuple[str, ...]:
        """Those that have run it, accurate enough or not."""
        return tuple(dict.fromkeys(curve.program for curve in self.curves))


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Answer):
    """All problems; programs: versions by name; missing: what pip would bring, with the reason; refused: a line each."""

    compared: tuple[Compared, ...]
    programs: Mapping[str, str]
    missing: Mapping[str, str]
    machine: str
    quick: bool = False
    refused: tuple[str, ...] = ()

    view = "comparisons.plot_comparison"

    @property
    def title(self) -> str:
        return f"Linkwork beside {len(self.programs) - 1} programs on {len(self.compared)} problems"

    def facts(self) -> list[tuple[str, str]]:
        versions = ", ".join(f"{name} {version}" for name, version in self.programs.items())
        return [("machine", self.machine), ("versions", versions), ("sweep", "short" if self.quick else "whole")]

    @property
    def notes(self) -> tuple[str, ...]:
        remedy = '; pip install {}, or "linkwork[bench]" for all'
        ways = {name: "" if "written" in reason else remedy.format(name) for name, reason in self.missing.items()}
        lines = [f"{name} is missing: {reason}{ways[name]}" for name, reason in self.missing.items()]
        return (
            "times over that of Linkwork's default for the same accuracy, each program at the fastest setting of its sweep",
            "-: no setting of the sweep is accurate enough; empty: nothing is run there",
            *lines,
        )

    @property
    def shown_programs(self) -> list[str]:
        """Programs with a column, Linkwork first."""
        names = dict.fromkeys(name for problem in self.compared for name in problem.programs)
        return [OWN, *(name for name in names if name != OWN)]

    def rows(self) -> list[tuple[str, ...]]:
        """A row for every problem: accuracy, time of Linkwork, and ratios."""
        return [self._row(problem) for problem in self.compared]

    def _row(self, problem: Compared) -> tuple[str, ...]:
        standings = problem.standings()
        cells = [problem.title, f"{problem.accuracy:g} {problem.unit}".strip()]
        for name in self.shown_programs:
            if name not in standings:
                cells.append("-" if name in problem.programs else "")
            elif name == OWN:
                cells.append(duration(standings[name].setting.seconds))
            else:
                cells.append(times(standings[name].ratio))
        return tuple(cells)

    def report(self) -> list[str | Grid]:
        return [Grid(self.facts()), Grid(self.rows(), ["problem", "error", *self.shown_programs])]

    def columns(self) -> list[Column]:
        found = [
            (problem, curve, item) for problem in self.compared for curve in problem.curves for item in curve.settings
        ]
        best = {
            id(standing.setting): standing.ratio
            for problem in self.compared
            for standing in problem.standings().values()
        }
        return [
            Column("problem", [problem.name for problem, _, _ in found]),
            Column("program", [curve.program for _, curve, _ in found]),
            Column("solver", [curve.solver for _, curve, _ in found]),
            Column("setting", [item.value for _, _, item in found]),
            Column("error", [item.error for _, _, item in found]),
            Column("time", [item.seconds for _, _, item in found], "s"),
            Column("ratio", [best.get(id(item), float("nan")) for _, _, item in found], "1"),
        ]

    def animate(self, path: FilePath, *, overwrite: bool | None = None) -> Path:
        """Write the page: tables, work-precision plots, versions and settings."""
        return page("comparisons.write_comparison_page", self, path, overwrite=overwrite)


def times(ratio: float) -> str:
    """A ratio with two digits and more where they are whole."""
    return f"{ratio:.0f} x" if ratio >= 10 else f"{ratio:.2g} x"
