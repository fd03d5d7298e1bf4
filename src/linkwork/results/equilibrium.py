"""Positions of rest, as a user reads them: one, or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import degrees, inf

from linkwork.answer import AnswerList, Column, Grid
from linkwork.results.reactions import Reactions
from linkwork.results.result import Result
from linkwork.results.result_answer import ResultAnswer
from linkwork.results.summary import largest_loads, many, smallest_load

SHOWN = 6  # principal directions that are printed
STABLE, UNSTABLE, NEUTRAL, SINGULAR = "stable", "unstable", "neutral", "singular"
NEAR = 1e-9  # rad or m: less is no way
SAMPLED = 3  # neutral equilibria of one energy that are printed


@dataclass(frozen=True)
class EquilibriumDirection:
    """One principal direction of the stiffness: what moves in it, and how it is held.

    along: the joint coordinate (or body) that moves most; stiffness: force for a unit of it, ``unit``
    moves: all that move, each for a unit of ``along``; kind: 'stable', 'unstable' or 'neutral'
    curvature: second derivative of the energy, J, by the direction in units of the mechanism: radians, lengths by its size
    """

    along: str
    stiffness: float
    unit: str
    moves: Mapping[str, float]
    kind: str
    curvature: float

    def __str__(self) -> str:
        others = ", ".join(f"{name} {value:.3g}" for name, value in self.moves.items() if name != self.along)
        held = "no stiffness" if self.kind == NEUTRAL else f"{self.stiffness:.6g} {self.unit}"
        return f"{held} along {self.along}" + (f" (with it {others})" if others else "")


def stability_of(directions: Sequence[EquilibriumDirection], singular: bool) -> str:
    """What principal directions and singularity say together of a position of rest."""
    kinds = {direction.kind for direction in directions}
    return next((kind for kind in (UNSTABLE, NEUTRAL) if kind in kinds), SINGULAR if singular else STABLE)


@dataclass(frozen=True)
class HeldLimit:
    """A limit at which something rests: a stop, a taut rope; what it pushes with, N or N m."""

    name: str
    push: float
    unit: str

    def __str__(self) -> str:
        return f"{self.name} ({self.push:.6g} {self.unit})"


@dataclass(frozen=True, eq=False, repr=False)
class Equilibrium(ResultAnswer):
    """A position of rest: ``eq["B.x"]`` is a number. Reactions, pictures and files come with ``eq.result``, of one sample.

    energy: potential of gravity, springs, dead loads and steady rotation, J
    residual: the largest force left in an admissible direction, in units of the forces that act
    directions: principal directions of the stiffness, softest first; conservative: whether the stiffness is symmetric
    joints: joint coordinates, and places of bodies that float, by name with their units
    singular: whether branches of the motion meet here, or more can move than where the search began
    moved: by how much joints have, rad and m, from there
    holds: limits that hold it: stops of joints, ropes that are taut
    """

    view = "rest.plot_rest"

    name: str
    method: str
    result: Result
    energy: float
    residual: float
    iterations: int
    directions: tuple[EquilibriumDirection, ...]
    conservative: bool
    joints: Mapping[str, str]
    notes: tuple[str, ...] = ()
    singular: bool = False
    moved: Mapping[str, float] = field(default_factory=dict)
    holds: tuple[HeldLimit, ...] = ()

    def __getitem__(self, name: str) -> float:
        return float(self.result[name][0])

    def __contains__(self, name: object) -> bool:
        return name in self.result

    @property
    def stability(self) -> str:
        """'stable', 'unstable' or 'neutral'; a mechanism without a freedom is stable.

        'singular': nothing gives way, but branches of the motion meet here, or more can move than where the search began.
        """
        return stability_of(self.directions, self.singular)

    @property
    def stiffness(self) -> tuple[float, ...]:
        """Of the principal directions, each along what moves most in it."""
        return tuple(direction.stiffness for direction in self.directions)

    @property
    def curvatures(self) -> tuple[float, ...]:
        """Eigenvalues of the stiffness, J, softest first; their signs say whether it is stable."""
        return tuple(direction.curvature for direction in self.directions)

    @property
    def soft(self) -> tuple[str, ...]:
        """What moves in directions that nothing holds."""
        found = [name for d in self.directions if d.kind != STABLE for name in d.moves]
        return tuple(dict.fromkeys(found))

    @property
    def positions(self) -> dict[str, float]:
        """All joint coordinates, rad and m."""
        return {name: self[name] for name in self.joints}

    @property
    def reactions(self) -> Reactions:
        """Reactions at rest."""
        return self.result.reactions

    @property
    def title(self) -> str:
        return f"Equilibrium of {self.name}: {self.stability}"

    @property
    def brief(self) -> str:
        return f"{self.title}, {self.energy:.6g} J"

    def facts(self) -> list[tuple[str, str]]:
        """Joints, stiffness, energy, the largest loads, and how it was found."""
        places = [_shown(name, self[name], unit) for name, unit in self.joints.items()]
        peaks = Reactions(self.result).peaks()
        loads = list(largest_loads(self.result, peaks, smallest_load(self.result, peaks)))
        return [
            ("joints", "\n".join(_wrapped(places)) or "none"),
            ("stiffness", "\n".join(str(direction) for direction in self.directions) or "nothing can move"),
            ("energy", f"{self.energy:.9g} J"),
            *([("holds", ", ".join(map(str, self.holds)))] if self.holds else []),
            *([("moved", ", ".join(gone))] if (gone := farthest(self.moved, self.joints)) else []),
            *([("peaks", "\n".join(loads))] if loads else []),
            (
                "found by",
                f"{self.method}, {many(self.iterations, 'iterations')}, forces balance to {self.residual:.1g}",
            ),
        ]

    def report(self) -> list[Grid]:
        return [Grid(list({**dict(self.facts()), "stiffness": self._softest()}.items()))]

    def _softest(self) -> str:
        """The softest directions as lines, and how many others there are."""
        lines, more = [str(direction) for direction in self.directions[:SHOWN]], len(self.directions) - SHOWN
        if more > 1:
            lines.append(f"{more} stiffer ones up to {self.directions[-1]}")
        elif more == 1:
            lines.append(str(self.directions[-1]))
        return "\n".join(lines) or "nothing can move"


@dataclass(frozen=True, eq=False, repr=False)
class Equilibria(AnswerList[Equilibrium]):
    """Different positions of rest of one mechanism, lowest energy first; prints as a table.

    tries: from how many starts they were looked for; assemblies: in how many assembly modes; notes: where they were not
    """

    view = "rest.plot_rest"

    name: str
    found: tuple[Equilibrium, ...]
    tries: int
    assemblies: int = 1
    notes: tuple[str, ...] = ()

    @property
    def items(self) -> Sequence[Equilibrium]:
        return self.found

    @property
    def stable(self) -> tuple[Equilibrium, ...]:
        """Those that are stable."""
        return tuple(item for item in self.found if item.stability == STABLE)

    @property
    def title(self) -> str:
        within = f" in {self.assemblies} assembly modes" if self.assemblies > 1 else ""
        return (
            f"{len(self)} equilibri{'um' if len(self) == 1 else 'a'} of {self.name}, from {self.tries} starts{within}"
        )

    @property
    def joints(self) -> Mapping[str, str]:
        """Joint coordinates with their units."""
        return self.found[0].joints if self.found else {}

    def report(self) -> list[str | Grid]:
        """Stability, energy and all joint coordinates."""
        rows: list[list[str]] = []
        alike: list[tuple[bool, str]] = []
        for i, item in enumerate(self.found, start=1):
            # neutral ones of one energy are samples of a line or surface: a few of them tell enough
            alike.append((item.stability == NEUTRAL, f"{item.energy:.6g} J"))
            if not alike[-1][0] or alike.count(alike[-1]) <= SAMPLED:
                places = [shown_number(item[name], unit) for name, unit in self.joints.items()]
                rows.append([str(i), item.stability, alike[-1][1], *places])
        left = len(self) - len(rows)
        more = f"{left} more are neutral, with the energy of one above: parts of a whole line or surface"
        return [Grid(rows, ["", "stability", "energy", *shown_heads(self.joints)]), *([more] if left else [])]

    def columns(self) -> list[Column]:
        """A row for each: stability, energy, softest stiffness and all joint coordinates."""
        return [
            Column("equilibrium", list(range(1, len(self) + 1))),
            Column("stability", [item.stability for item in self.found]),
            Column("energy", [item.energy for item in self.found], "J"),
            Column("softest", [min(item.curvatures, default=inf) for item in self.found], "J"),
            *(Column(name, [item[name] for item in self.found], unit) for name, unit in self.joints.items()),
        ]


def farthest(moved: Mapping[str, float], units: Mapping[str, str]) -> list[str]:
    """The largest turn and the largest way from where a search began."""
    kinds = [[name for name in moved if units[name] == unit] for unit in ("rad", "m")]
    most = [max(names, key=lambda name: abs(moved[name])) for names in kinds if names]
    return [
        f"{name} by {shown_number(moved[name], units[name])} {_unit(units[name])}"
        for name in most
        if abs(moved[name]) > NEAR
    ]


def shown_number(value: float, unit: str) -> str:
    """A value without its unit, angles in degrees."""
    # adding zero takes the sign off a zero
    return f"{round(degrees(value), 4) + 0.0:g}" if unit == "rad" else f"{round(value, 9) + 0.0:.6g}"


def shown_heads(units: Mapping[str, str]) -> list[str]:
    """Names of coordinates with the units in which they are shown."""
    return [f"{name}, {_unit(unit)}" for name, unit in units.items()]


def _shown(name: str, value: float, unit: str) -> str:
    return f"{name} = {shown_number(value, unit)} {_unit(unit)}"


def _unit(unit: str) -> str:
    """The unit in which a coordinate is shown."""
    return "deg" if unit == "rad" else unit


def _wrapped(entries: Sequence[str], width: int = 84) -> list[str]:
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1]) + len(entry) + 2 <= width:
            lines[-1] += f", {entry}"
        else:
            lines.append(entry)
    return lines
