"""Named quantities: what a run can be asked for, and who answers."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np

from linkwork.algebra.renames import Renames
from linkwork.answer.column import Column, label
from linkwork.arrays import Array
from linkwork.errors import ResultError, UnknownNameError, did_you_mean
from linkwork.outline import outlined

T = TypeVar("T")
LiveValue = float | Array  # of a live parameter, in SI: a number, or (N,) where it has changed on the way
NOT_UNIQUE = "not unique"  # what is said of components of reactions that redundant constraints leave open


@dataclass(frozen=True)
class Quantity:
    """One column of a result: `Quantity("B.x", "m", "x of point B (world)")`."""

    name: str
    unit: str
    description: str = ""

    @property
    def label(self) -> str:
        """Name with its unit, for headings: ``B.x [m]``."""
        return label(self.name, self.unit)


@dataclass(frozen=True)
class Variable:
    """What the samples of a result are over: time, a coordinate (or its way), or the number of the sample."""

    name: str = "time"
    unit: str = "s"

    @property
    def label(self) -> str:
        """Name with its unit, for headings: ``time [s]``."""
        return label(self.name, self.unit)

    @property
    def at(self) -> str:
        """What stands above places on it in print: ``at t, s``."""
        return "at t, s" if self.is_time else f"at {self.name}, {self.unit}".rstrip(", ")

    def place(self, value: float) -> str:
        """One place on it in print: ``t = 0.5 s``."""
        return f"{'t' if self.is_time else self.name} = {value:.4g} {self.unit}".rstrip()

    def column(self, values: Array) -> Column:
        """The first column of a table over it."""
        return Column(self.name, values, self.unit)

    @property
    def is_time(self) -> bool:
        return self.unit == "s"

    @property
    def pace(self) -> tuple[str, ...]:
        """What to know of a motion over it that is taken as one over time."""
        such = f"the motion is over {self.name}: it is taken at 1 {self.unit or self.name} per second"
        return () if self.is_time else (such,)

    def over_time(self, unit: str) -> str:
        """The unit of a derivative over time, where this variable goes at one per second: ``m/s^2`` for ``m/rad^2``."""
        return re.sub(rf"/{re.escape(self.unit or self.name)}(\^[2-9])?$", r"/s\1", unit)

    def rate(self, unit: str) -> str:
        """The unit of a derivative over this variable: ``m/rad^2`` for ``m/s^2`` over an angle; others stay as they are."""
        return unit if self.is_time else RATES.sub(rf"\1/{self.unit or self.name}\2", unit)


TIME = Variable()
RATES = re.compile(r"^(m|rad)/s(\^[2-9])?$")  # units of derivatives by time


@dataclass(frozen=True)
class ReactionInfo:
    """Which components the reaction of one element has, and which of them redundancy leaves undetermined.

    Components are the last parts of the names of quantities: ``fx fy fz`` and ``mx my mz``; ``effort`` of drivers.
    kind: 'joint', 'relation', 'driver' or 'coupling'; parent pushes child (of a relation: the first and last body)
    passing: components that are not unique at single moments only (singular positions), each with the first time, s
    """

    components: tuple[str, ...]
    not_unique: tuple[str, ...] = ()
    kind: str = "joint"
    parent: str = ""
    child: str = ""
    passing: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ReactionValues:
    """Components (N,) of all reactions by name, and what is to be said about each element."""

    values: Mapping[str, Array]
    infos: Mapping[str, ReactionInfo]


@dataclass(frozen=True, eq=False)
class MultiplierValues:
    """The multiplier λ (N,) of one condition, in SI units of its condition, and the effort (N,) that it stands for."""

    label: str
    element: str
    multiplier: Array
    effort: Array
    unit: str
    meaning: str
    unique: bool


class QuantitySource(Protocol):
    """Answers questions about a run: the compiled outputs of a simulation, or a file."""

    @property
    def catalogue(self) -> Mapping[str, Quantity]:
        """Every quantity that can be asked for, in the order of presentation."""
        ...

    @property
    def reaction_components(self) -> Mapping[str, ReactionInfo]:
        """Reactions by the name of the element; may be empty."""
        ...

    @property
    def parameters(self) -> Mapping[str, LiveValue]:
        """Values of the live parameters that the run was made with."""
        ...

    def undetermined(self, names: Sequence[str]) -> frozenset[str]:
        """Those of the named quantities that are components of reactions which are not unique."""
        ...

    def reactions(self, scheme: str, axes: str, at: str) -> ReactionValues:
        """Reactions by a scheme, in axes of the world or others, with moments at the joint or elsewhere."""
        ...

    def multipliers(self, scheme: str) -> Sequence[MultiplierValues]:
        """The multipliers of all conditions."""
        ...

    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        """Values of the named quantities, each (N,), over the time grid of the result."""
        ...


class Stored:
    """What a source that holds numbers alone says to questions about the mechanism."""

    reaction_components: Mapping[str, ReactionInfo]

    def undetermined(self, names: Sequence[str]) -> frozenset[str]:
        """Those of the names that are components of reactions which are not unique."""
        infos = self.reaction_components.items()
        loose = {f"{element}.{component}" for element, info in infos for component in info.not_unique}
        return frozenset(loose.intersection(names))

    def reactions(self, scheme: str, axes: str, at: str) -> ReactionValues:
        """There is no mechanism to ask."""
        raise ResultError(
            "this result holds the reactions in world axes at the joints on the children alone, not by "
            f"'{scheme}' in axes '{axes}' at '{at}'; simulate again"
        )

    def multipliers(self, scheme: str) -> Sequence[MultiplierValues]:
        """There is no mechanism to ask."""
        raise ResultError("this result does not hold the multipliers of the conditions; simulate again")


@outlined
@dataclass(frozen=True)
class ArraySource(Stored):
    """A source that holds all its values, each (N,), in memory."""

    catalogue: Mapping[str, Quantity]
    arrays: Mapping[str, Array]
    reaction_components: Mapping[str, ReactionInfo] = field(default_factory=dict)
    parameters: Mapping[str, LiveValue] = field(default_factory=dict)

    @classmethod
    def of(cls, source: QuantitySource, values: Mapping[str, Array]) -> ArraySource:
        """What a source has, with the values of all its quantities."""
        own = {name: np.array(array) for name, array in values.items()}
        return cls(dict(source.catalogue), own, dict(source.reaction_components), dict(source.parameters))

    def __post_init__(self) -> None:
        if list(self.catalogue) != list(self.arrays):
            odd = sorted(set(self.catalogue) ^ set(self.arrays))
            raise ResultError(f"the catalogue and the arrays differ in: {', '.join(odd) or 'their order'}")

    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        """Values of the named quantities, each (N,)."""
        return {name: self.arrays[name] for name in names}


def named(name: str, values: Mapping[str, T], called: Called, source: str) -> T:
    """What a table of values by name has under a name; an unknown one is an error that names the nearest."""
    known = called.known(name, values)
    if known not in values:
        raise UnknownNameError(f"the {source} no '{name}'; {did_you_mean(name, list(values))}")
    return values[known]


def read_only(array: Array) -> Array:
    """The same numbers, which nobody may change."""
    view = np.asarray(array, dtype=np.float64).view()
    view.flags.writeable = False
    return view


@dataclass(frozen=True)
class Called:
    """How users may call quantities: by names of their own, and points by any body that has them.

    points: of every body; renames: names of users by those of the model
    """

    points: Mapping[str, Container[str]] = field(default_factory=dict)
    renames: Mapping[str, str] = field(default_factory=dict)

    def known(self, name: str, table: Container[str]) -> str:
        """The name in a table: 'coupler.B.x' of a point B that has one place only is there as 'B.x'."""
        name = name if name in table else Renames(self.renames).of(name)
        body, _, rest = name.partition(".")
        carried = rest.partition(".")[0] in self.points.get(body, ())
        return rest if carried and name not in table else name
