"""The contract of a law of impacts: what meets at an instant, and what is known behind it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from linkwork.analysis.motion.complementarity import Complementarity
from linkwork.arrays import Array


@dataclass(frozen=True, eq=False)
class Rubbed:
    """How a limit rubs while it is hit: the rows of its slip, one in the plane and two in space, and the coefficient."""

    rows: tuple[int, ...]
    coefficient: float


@dataclass(frozen=True, eq=False)
class Blow:
    """All that meets at an instant. Impulses act in rows of *system*, of which some always hold and others come and go.

    rates: speeds (m) of all rows before, C v⁻ + a
    near: numbers of the limits without room, those that are hit and those that are touched alone
    back: the part of the speed that comes back, of those that are hit so hard that their jump can be seen
    rubbing: of those that rub
    size: of speeds: what is less than ``ZERO`` of it is none
    """

    system: Complementarity
    rates: Array
    near: Sequence[int]
    back: Mapping[int, float]
    size: float
    rubbing: Mapping[int, Rubbed] = field(default_factory=dict)

    def normal(self, limit: int) -> int:
        """The row of a limit."""
        return self.system.groups[limit][0]


@dataclass(frozen=True, eq=False)
class Struck:
    """The change of velocities (nv), and the impulses (m) of all rows."""

    change: Array
    impulses: Array


class ImpactLaw(ABC):
    """A law of impacts. ``told`` says it on results."""

    name: ClassVar[str]
    told: ClassVar[str]

    @abstractmethod
    def strike(self, blow: Blow) -> Struck:
        """Velocities and impulses behind a blow; ``Contradiction`` where there are none."""
