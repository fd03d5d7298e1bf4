"""Positions of rest along live parameters, as a user reads them, with the points at which they turn, branch or end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from linkwork.answer import Column, Grid
from linkwork.arrays import Array
from linkwork.numerics.paths.arc_length import BIFURCATION, LIMIT
from linkwork.results.equilibrium import farthest, shown_heads, shown_number
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer

FLUTTER = "flutter"
SHOWN = 24  # positions of a path that was followed by its length, about


@dataclass(frozen=True)
class CriticalPoint:
    """Where the stiffness of a path is singular, found to rounding errors.

    kind: 'limit point', where the load turns back, or 'bifurcation', where another path crosses
    index: of its position in the path; along: the joint coordinate that gives way, with all that moves for a unit of it
    """

    kind: str
    index: int
    parameters: Mapping[str, float]
    along: str
    moves: Mapping[str, float]

    def __str__(self) -> str:
        others = ", ".join(f"{name} {value:.3g}" for name, value in self.moves.items() if name != self.along)
        return f"{self.kind} at {_listed(self.parameters)}, along {self.along}" + (
            f" (with it {others})" if others else ""
        )


@dataclass(frozen=True)
class Snap:
    """Where a path breaks off: the parameters at which no position of rest nearby is left, and where it goes instead.

    index: of the first position behind it; moved: the joint coordinates that jump, by how much
    kind: 'limit point', 'bifurcation', or 'flutter' of forces without a potential; empty where the position ends otherwise
    """

    index: int
    parameters: Mapping[str, float]
    moved: Mapping[str, float]
    kind: str = ""

    def __str__(self) -> str:
        jumps = ", ".join(f"{name} by {value:.4g}" for name, value in self.moved.items())
        verb = {BIFURCATION: "branches off", FLUTTER: "begins to flutter"}.get(self.kind, "snaps")
        kind = f", a {self.kind}" if self.kind in (LIMIT, BIFURCATION) else ""
        return f"it {verb} at {_listed(self.parameters)}{kind}" + (f": {jumps}" if jumps else "")


@dataclass(frozen=True, eq=False, repr=False)
class EquilibriumPath(ResultAnswer):
    """Positions of rest along live parameters: ``path["B.x"]`` is an array over ``path.parameters["F"]``.

    result: one sample for each; its time counts them. softest: the smallest eigenvalue of the stiffness, J, of each
    moved: by how much joints have moved from where the search began to the first one, rad and m
    snaps: where it breaks off; critical: limit points and bifurcations of a path that was followed by its length
    """

    view = "rest.plot_path"

    name: str
    parameters: Mapping[str, Array]
    result: Result
    energy: Array
    softest: Array
    stability: tuple[str, ...]
    snaps: tuple[Snap, ...]
    joints: Mapping[str, str]
    critical: tuple[CriticalPoint, ...] = ()
    notes: tuple[str, ...] = ()
    moved: Mapping[str, float] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)  # of the parameters, as far as the model tells

    def __getitem__(self, name: str) -> Array:
        return self.parameters[name] if name in self.parameters else self.result[name]

    def __len__(self) -> int:
        return len(self.stability)

    @property
    def title(self) -> str:
        return f"{len(self)} equilibria of {self.name} along {', '.join(self.parameters)}"

    def report(self) -> list[str | Grid]:
        """Parameters, stability, all joint coordinates; critical points are named."""
        values, kinds = self.result.values(list(self.joints)), {point.index: point.kind for point in self.critical}
        every, last = max(1, round(len(self) / SHOWN)), len(self) - 1
        kept = [i for i in range(len(self)) if i % every == 0 or i == last or i in kinds]
        rows = [
            [
                *[f"{series[i]:.6g}" for series in self.parameters.values()],
                self.stability[i],
                *[shown_number(float(values[name][i]), unit) for name, unit in self.joints.items()],
                *([kinds.get(i, "")] if kinds else []),
            ]
            for i in kept
        ]
        heads = [*self.parameters, "stability", *shown_heads(self.joints), *([""] if kinds else [])]
        some = [f"({len(kept)} of them are shown)"] if len(kept) < len(self) else []
        gone = ", ".join(farthest(self.moved, self.joints))
        begun = [f"the first one is away from where the search began: {gone}"] if gone else []
        return [Grid(rows, heads), *some, *begun, *map(str, (*self.snaps, *self.critical))]

    @property
    def loads(self) -> list[Column]:
        """The parameters."""
        return [Column(name, series, self.units.get(name, "")) for name, series in self.parameters.items()]

    def select(self, names: Sequence[str]) -> list[str]:
        """Names of quantities and parameters from exact names and patterns."""
        asked = [names] if isinstance(names, str) else names
        named = self.result.drawing.named
        own = ([named(name)] if named(name) in self.parameters else self.result.select([name]) for name in asked)
        return list(dict.fromkeys(name for names in own for name in names))

    def columns(self) -> Sequence[Column]:
        """A row for each position: parameters, stability, energy, softest stiffness and joint coordinates."""
        return self.pick(list(self.joints))

    def pick(self, names: Sequence[str]) -> Sequence[Column]:
        """The same with other quantities in place of the joint coordinates."""
        return [
            Column("position", list(range(len(self)))),
            *self.loads,
            Column("stability", self.stability),
            Column("energy", self.energy, "J"),
            Column("softest", self.softest, "J"),
            *self.result.pick([name for name in names if name not in self.parameters])[1:],
        ]


def _listed(parameters: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:.6g}" for name, value in parameters.items())
