"""Which links of a planar four-bar or slider-crank turn fully, read off its lengths; the range of a coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import pi


class LinkageClass(Enum):
    """Which links of a four-bar or of a slider-crank make full turns against the ground, input first."""

    CRANK_ROCKER = "crank-rocker"
    ROCKER_CRANK = "rocker-crank"
    DOUBLE_CRANK = "double-crank"
    DOUBLE_ROCKER = "double-rocker, the coupler turns fully"
    TRIPLE_ROCKER = "triple-rocker"
    CRANK_SLIDER = "crank-slider"
    ROCKER_SLIDER = "rocker-slider, the coupler turns fully"
    DOUBLE_ROCKER_SLIDER = "rocker-slider, no link turns fully"
    CHANGE_POINT = "change point"


@dataclass(frozen=True)
class Range:
    """An interval that a joint can take, both ends included."""

    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def full_turn(self) -> bool:
        """Whether an angle with this range turns fully."""
        return self.width >= 2 * pi


def grashof_class(crank: float, coupler: float, rocker: float, ground: float, tolerance: float = 1e-12) -> LinkageClass:
    """Class of a four-bar by Grashof's rule: a link turns fully if shortest + longest < sum of the other two.

    A sum within *tolerance* (relative to the longest link) of the other is a change point.
    """
    sides = (crank, coupler, rocker, ground)
    spare = sum(sides) - 2 * (min(sides) + max(sides))
    if abs(spare) <= tolerance * max(sides):
        return LinkageClass.CHANGE_POINT
    if spare < 0:
        return LinkageClass.TRIPLE_ROCKER
    by_shortest = (
        LinkageClass.CRANK_ROCKER,
        LinkageClass.DOUBLE_ROCKER,
        LinkageClass.ROCKER_CRANK,
        LinkageClass.DOUBLE_CRANK,
    )
    return by_shortest[sides.index(min(sides))]


def slider_crank_class(crank: float, coupler: float, offset: float, tolerance: float = 1e-12) -> LinkageClass | None:
    """Class of a slider-crank whose slider pin travels *offset* beside the pivot of the crank; None where it cannot move.

    A link turns fully if |a − b| > |e|; the shorter one does. The *tolerance* is that of :func:`grashof_class`.
    """
    small = tolerance * max(crank, coupler, abs(offset))
    if min(crank, coupler) <= 0 or abs(offset) >= crank + coupler - small:
        return None
    spare = abs(crank - coupler) - abs(offset)
    if abs(spare) <= small:
        return LinkageClass.CHANGE_POINT
    if spare < 0:
        return LinkageClass.DOUBLE_ROCKER_SLIDER
    return LinkageClass.CRANK_SLIDER if crank < coupler else LinkageClass.ROCKER_SLIDER
