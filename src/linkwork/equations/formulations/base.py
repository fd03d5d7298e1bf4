"""The contract of a formulation: functions of (t, y, p) from the coordinates, and a flow from their machine code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.errors import RefusedError
from linkwork.numerics.flows.context import ConstrainedSystem
from linkwork.numerics.flows.explicit import VariantCode
from linkwork.numerics.flows.flow import Flow, Series
from linkwork.numerics.flows.procedure import Procedure
from linkwork.numerics.kernels.language.calling import MachineCode
from linkwork.numerics.kernels.linear.slope import Slope
from linkwork.outline import outlined


def no_notes(flow: Flow) -> tuple[str, ...]:
    """Nothing to say about a run."""
    return ()


SlopeWriter = Callable[[], ca.Function]
"""Writes a function (t, y, p) → ∂ẏ/∂y (ny × ny) when it is asked for."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """A way to compile functions during a run.

    series: where they are wanted, compiles the power series of a function [ẏ, ...]; the states that a second function does
    not read need none, since it gives them
    slope: where it is wanted, compiles ∂ẏ/∂y of a function [ẏ, ...], which a second function writes where it is not
    differentiated; None of it where differences are found sooner
    """

    compile: Callable[[Mapping[str, ca.Function]], Mapping[str, MachineCode]]
    series: Callable[[ca.Function, ca.Function | None], Series] | None = None
    slope: Callable[[ca.Function, SlopeWriter | None], Slope | None] | None = None

    def derivatives(
        self, straight: ca.Function | None, given: ca.Function | None = None, written: SlopeWriter | None = None
    ) -> tuple[Series | None, Slope | None]:
        """The series and the slope of a function [ẏ, ...], as far as they are wanted."""
        if straight is None:
            return None, None
        series = None if self.series is None else self.series(straight, given)
        return series, None if self.slope is None else self.slope(straight, written)


@outlined
@dataclass(frozen=True, eq=False)
class Scheme:
    """The equations of one mechanism as a formulation writes them.

    functions: what the flow needs, by name; extra: functions that are compiled when somebody asks for them
    procedure: how they are integrated
    straight: the name of a function [ẏ, ...] that gives all of the flow where it has digits, '' where none does; given: of
        one that gives states to it
    further: variants of formulas that are written during a run
    no_series: why the flow has no power series; empty where it has, as one function [ẏ, ...] gives all of it
    notes: how the method went in a finished run, for those who compare methods
    doubts: what a user should know of the numbers of a finished run
    remarks: what was chosen where the equations were written
    slope: writes ∂ẏ/∂y of *straight*, where there are other ways than its differentiation
    seldom: functions that runs call a few times only
    """

    functions: Mapping[str, ca.Function]
    procedure: Procedure
    notes: Callable[[Flow], tuple[str, ...]] = no_notes
    extra: Mapping[str, ca.Function] = field(default_factory=dict)
    no_series: str = "its derivatives are not one expression of the state"
    straight: str = ""
    given: str = ""
    further: Callable[[Compiled], Sequence[VariantCode]] | None = None
    remarks: tuple[str, ...] = ()
    doubts: Callable[[Flow], tuple[str, ...]] = no_notes
    slope: SlopeWriter | None = None
    seldom: frozenset[str] = frozenset()

    def begin(self, system: ConstrainedSystem, compiled: Compiled, t: float, y: Array) -> Flow:
        """The flow that starts at a state y at t which satisfies the conditions."""
        straight, given = (self.functions.get(name) for name in (self.straight, self.given))
        series, slope = compiled.derivatives(straight, given, self.slope)
        further = None if self.further is None else partial(self.further, compiled)
        return self.procedure.begin(system, t, y, series=series, slope=slope, more=further)


@dataclass(frozen=True)
class Abilities:
    """What a formulation can do beside a regular mechanism: independent conditions, regular positions, a regular M.

    - closes_loops: positions satisfy Φ = 0 at every output, without drift
    - redundant: conditions may depend on each other
    - singular_positions: it has accelerations also where conditions lose their independence, at least on a branch along
      which the mechanism moves; others step over at best
    - singular_start: the motion may also begin there, since no rank is counted
    - massless: M may be singular, as long as all admissible motions have inertia
    - rolling: conditions may restrict velocities alone
    - limits: conditions may come and go during a run
    - exact: accelerations satisfy the conditions to rounding errors; else as far as penalties allow, and tolerances that
      are tighter than that cost many steps
    """

    closes_loops: bool = True
    redundant: bool = True
    singular_positions: bool = False
    singular_start: bool = False
    massless: bool = True
    rolling: bool = False
    limits: bool = False
    exact: bool = True


class Formulation(ABC):
    """One way to write and integrate the equations of motion. Its parameters are its own."""

    name: ClassVar[str]
    summary: ClassVar[str]
    abilities: ClassVar[Abilities]
    holds_spins: ClassVar[bool] = False  # whether links without inertia may spin between two balls
    kinds: ClassVar[tuple[str, ...]] = ()  # of coordinates in which it works; empty: in all
    implicit: ClassVar[bool] = False  # whether its equations are those of implicit steps, not of derivatives
    renews: ClassVar[bool] = False  # whether its states are taken anew after every step
    solves_stages: ClassVar[bool] = False  # whether it solves implicit stages in its own way, one after the other
    by_positions: ClassVar[bool] = False  # whether errors of positions alone choose its steps
    needs_fixed_step: ClassVar[bool] = False  # whether penalties follow the size of steps, so that no error tells it

    @abstractmethod
    def write(self, coordinates: Coordinates, t: float, y: Array, p: Array) -> Scheme:
        """Write the equations. t, y, p are a typical state, from which orders of pivots are chosen."""

    @property
    def able(self) -> Abilities:
        """What it can do with its options as they are."""
        returns = bool(getattr(self, "project", True))
        return replace(self.abilities, closes_loops=self.abilities.closes_loops and returns)

    def drifting(self) -> Formulation | None:
        """The same with steps that are not returned to the conditions; None where there is nothing to leave out."""
        return None

    def require(self, option: str, known: Iterable[str]) -> None:
        """Refuse a value of an option that the formulation does not know."""
        value = getattr(self, option)
        if value not in known:
            listed = ", ".join(f"'{name}'" for name in known)
            raise RefusedError(f"{type(self).__name__}: {option} is one of {listed}, not {value!r}")

    def require_numbers(
        self, positive: Iterable[str] = (), not_negative: Iterable[str] = (), fractions: Iterable[str] = ()
    ) -> None:
        """Refuse options that are out of their range, all of them at once."""
        ranges = [
            (positive, "must be positive", lambda value: 0 < value < np.inf),
            (not_negative, "must not be negative", lambda value: value >= 0),
            (fractions, "must be between 0 and 1", lambda value: 0 <= value <= 1),
        ]
        wrong = [
            f"{option} = {getattr(self, option)} {what}"
            for options, what, fits in ranges
            for option in options
            if not fits(getattr(self, option))
        ]
        if wrong:
            raise RefusedError(f"{type(self).__name__}: {'; '.join(wrong)}")

    def __str__(self) -> str:
        return self.name
