"""What is known about the range of a motion, as a user reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees, inf, pi

from linkwork.answer import Answer, Column, Grid
from linkwork.closed_form.limits import LinkageClass, Range
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.position.circuit import Continuation

TELLABLE = 1e-9  # rad: less than the last digit of an angle
STILL = 1e-9  # of its unit: a range in which a coordinate does not move


@dataclass(frozen=True)
class TurningPoint:
    """A dead centre of a coordinate: the value at which it turns back, and the value of the input there."""

    value: float
    input: float


@dataclass(frozen=True)
class CoordinateLimits:
    """How far one coordinate of a joint goes, rad or m.

    start: its value in the assembled position; turns: whole turns in one circuit, signed by the direction in which the
    input starts; dead_centres: where it turns back, in the order of the motion. A coordinate that makes full turns has
    the range from −π to π; an end at ±∞ is unbounded. certain: False where the motion was not followed to its end, so that
    the range is only what was seen of it; turns are then those so far. unit: what counts as one, 1 rad or the size of the
    mechanism.
    """

    joint: str
    name: str
    angular: bool
    start: float
    range: Range
    turns: int
    dead_centres: tuple[TurningPoint, ...]
    certain: bool = True
    unit: float = 1.0

    @property
    def full_turn(self) -> bool:
        """Whether it turns on and on."""
        return self.turns != 0

    @property
    def moves(self) -> bool:
        """Whether it changes at all."""
        return self.full_turn or self.range.width > STILL * self.unit

    def text(self, value: float) -> str:
        """A value with its unit; an angle that turns on and on is told between -180 and 180 degrees."""
        if abs(value) == inf:
            return "unbounded"
        if self.angular and self.full_turn:
            value = pi - (pi - value + TELLABLE) % (2 * pi) + TELLABLE
        # adding zero takes the sign off a zero
        return (
            f"{round(degrees(value), 6) + 0.0:.6f} deg"
            if self.angular
            else f"{round(value / self.unit, 12) * self.unit + 0.0:.9g} m"
        )


@dataclass(frozen=True)
class BranchPoint:
    """A position where two motions meet: the value of the input, and of all coordinates by name."""

    input: float
    values: Mapping[str, float]


@dataclass(frozen=True, repr=False)
class MotionLimits(Answer):
    """How far a mechanism with one freedom moves from its assembled position; prints as a table.

    input: the coordinate against which positions are given, such as 'O.angle'
    coordinates: the limits of every joint coordinate, by name
    branch_points: where another motion could be taken up; this one goes straight on
    course: whether the motion is a closed circuit
    kind: class of a planar four-bar or slider-crank, else None
    name: of the mechanism; notes: what has to be known of the model
    """

    view = "ranges.plot_limits"

    input: str
    coordinates: Mapping[str, CoordinateLimits]
    branch_points: tuple[BranchPoint, ...]
    course: Continuation
    kind: LinkageClass | None
    name: str = ""
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> CoordinateLimits:
        """The limits of a coordinate: 'O.angle', or 'O' where the joint has one coordinate."""
        if name in self.coordinates:
            return self.coordinates[name]
        found = [limits for limits in self.coordinates.values() if limits.joint == name]
        if len(found) == 1:
            return found[0]
        raise UnknownNameError(f"unknown coordinate '{name}'; {did_you_mean(name, list(self.coordinates))}")

    @property
    def title(self) -> str:
        kind = "" if self.kind is None else f"; {self.kind.value}"
        of = f" of {self.name}" if self.name else ""
        return f"Motion{of} from the assembled position: {self.course.value}{kind}"

    def facts(self) -> list[tuple[str, str]]:
        """How far every coordinate goes, and where it turns back."""
        found = []
        for name, limits in self.coordinates.items():
            role = "  (input)" if name == self.input else ""
            lines = [f"{range_text(limits)}{role}", *(f"  {line}" for line in self._dead_centres(name))]
            found.append((name, "\n".join(lines)))
        return found

    def report(self) -> list[str | Grid]:
        """The same, and branch points."""
        return [Grid(self.facts()), *dict.fromkeys(map(self._branch_text, self.branch_points))]

    def _branch_text(self, branch: BranchPoint) -> str:
        """Where a branch point is: the input, and the first coordinate that is another one in others at the same input."""
        told = {name: self[name].text(value) for name, value in branch.values.items()}
        text = f"branch point at {self.input} = {self[self.input].text(branch.input)}"
        for name in told:
            same = [item for item in self.branch_points if self[self.input].text(item.input) == told[self.input]]
            if any(self[name].text(item.values[name]) != told[name] for item in same):
                return f"{text}, {name} = {told[name]}"
        return text

    def columns(self) -> list[Column]:
        """A row for every coordinate, rad or m."""
        found = list(self.coordinates.values())
        return [
            Column("coordinate", list(self.coordinates)),
            Column("unit", ["rad" if limits.angular else "m" for limits in found]),
            Column("start", [limits.start for limits in found]),
            Column("low", [limits.range.low for limits in found]),
            Column("high", [limits.range.high for limits in found]),
            Column("turns", [limits.turns for limits in found], "1"),
        ]

    def _dead_centres(self, name: str) -> list[str]:
        own, driving = self.coordinates[name], self.coordinates[self.input]
        found = []
        for dead in own.dead_centres:
            where = "" if name == self.input else f" (at {self.input} = {driving.text(dead.input)})"
            found.append(f"turns back at {own.text(dead.value)}{where}")
        return found


def range_text(limits: CoordinateLimits) -> str:
    """The range of a coordinate in words."""
    if limits.full_turn:
        return "full turns"
    if not limits.moves:
        return f"stays at {limits.text(limits.start)}"
    low, high = limits.range.low, limits.range.high
    if low == -inf and high == inf:
        return "unbounded"
    if low == -inf:
        return f"up to {limits.text(high)}"
    if high == inf:
        return f"from {limits.text(low)} on"
    return f"{'' if limits.certain else 'at least '}{limits.text(low)} to {limits.text(high)}"
