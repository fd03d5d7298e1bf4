"""The quantities of a run by time stepping: those of its states, and the works that its steps have counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.numerics.timestepping.method import MoreauJean
from linkwork.outline import outlined
from linkwork.results.quantities import LiveValue, MultiplierValues, Quantity, ReactionInfo, ReactionValues

BALANCE = "energy.balance"
OWN = {
    "work.supplied": "work brought in by drivers, forces and actuators since the start",
    "work.dissipated": "work destroyed by forces and contacts since the start",
    "work.shifted": "energy that taking overlaps apart has brought in since the start",
    BALANCE: "change of the energy less what came in plus what was destroyed",
}


class PushSource(Protocol):
    """What contacts of a run pushed with, by names of quantities."""

    @property
    def catalogue(self) -> Mapping[str, Quantity]:
        """What can be asked for."""

    def evaluate(self, name: str) -> Array:
        """Values (N) of one of them."""


@dataclass(frozen=True)
class Untouched:
    """Of samples that do not tell what contacts pushed with."""

    catalogue: Mapping[str, Quantity] = field(default_factory=dict)

    def evaluate(self, name: str) -> Array:
        """Nothing."""
        raise KeyError(name)


@outlined
@dataclass(frozen=True, eq=False)
class SteppedSource:
    """A trajectory without reactions: contacts push in them, and a trajectory knows of no contacts.

    works: (N, 3) brought in, destroyed, and by which taking overlaps apart has changed the energy, J
    touches: what contacts pushed and rubbed with
    """

    trajectory: Trajectory
    works: Array
    touches: PushSource
    first: int = 0  # the sample with which it begins; works count from the start all the same

    def since(self, first: int) -> SteppedSource:
        """The same without its samples before one of them."""
        return replace(self, first=first)

    @cached_property
    def _pushed(self) -> frozenset[str]:
        """Names of reactions, and of what is made of them."""
        found = {f"{a}.{b}" for a, b in self.trajectory.mechanism.equations.reactions.components}
        recipes = self.trajectory.ledger.recipes
        while more := {name for name, recipe in recipes.items() if found & {*recipe.parts}} - found:
            found |= more
        return frozenset(found)

    @cached_property
    def catalogue(self) -> Mapping[str, Quantity]:
        """Every quantity that can be asked for."""
        known = {name: item for name, item in self.trajectory.catalogue.items() if name not in self._pushed}
        own = {name: Quantity(name, "J", text) for name, text in OWN.items()}
        return known | own | dict(self.touches.catalogue)

    @property
    def reaction_components(self) -> Mapping[str, ReactionInfo]:
        return {}

    @property
    def parameters(self) -> Mapping[str, LiveValue]:
        return self.trajectory.parameters

    def undetermined(self, names: Sequence[str]) -> frozenset[str]:
        """None: there are no reactions."""
        return frozenset()

    def reactions(self, scheme: str, axes: str, at: str) -> ReactionValues:
        """Refused."""
        raise RefusedError(_NO_REACTIONS)

    def multipliers(self, scheme: str) -> Sequence[MultiplierValues]:
        """Refused."""
        raise RefusedError(_NO_REACTIONS)

    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        """Values of the named quantities, each (N,)."""
        pushed = self.touches.catalogue
        others = [name for name in names if name not in OWN and name not in pushed]
        needed = [*others, *(["energy.total"] if BALANCE in names and "energy.total" not in others else [])]
        found = self.trajectory.evaluate(needed) if needed else {}
        own: dict[str, Callable[[], Array]] = {
            "work.supplied": lambda: self.works[:, 0],
            "work.dissipated": lambda: self.works[:, 1],
            "work.shifted": lambda: self.works[:, 2],
            BALANCE: lambda: self._left(found["energy.total"]),
        }
        found |= {name: own[name]() for name in names if name in OWN}
        found |= {name: self.touches.evaluate(name) for name in names if name in pushed}
        return {name: found[name][self.first :] for name in names}

    def _left(self, energy: Array) -> Array:
        # samples of a run that began long before them have counted from its start
        given, lost, shifted = (self.works - self.works[:1]).T
        return energy - energy[0] - given + lost - shifted


_NO_REACTIONS = (
    f"runs by '{MoreauJean.name}' give impulses of contacts, and no reactions of joints: leave the integrator out, runs "
    "that locate events give them"
)
