"""The ledger of a run: energies, the powers of forces and drivers, and the works that are their integrals.

    energy.balance = E(t) − E(0) − work.supplied + work.dissipated

vanishes up to the error of the run. A driver supplies its effort times the rate of its coordinate; a relation that depends
on time, or a driver of a body, supplies −∂Φ/∂t λ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import casadi as ca
import numpy as np

from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.coordinates.naming import Entry, known
from linkwork.coordinates.power import Power, element_powers
from linkwork.equations.energy import kinetic_energy, potential_energy
from linkwork.results.quantities import Quantity

SUPPLIED, DISSIPATED = "supplied", "dissipated"


@dataclass(frozen=True)
class Recipe:
    """A quantity that is made of the values of others."""

    quantity: Quantity
    parts: tuple[str, ...]
    combine: Callable[..., Array]


class Ledger:
    """What a mechanism gives, takes and stores, by name.

    entries: expressions of the state and of v̇; recipes: made of other quantities; integrals: works with the power that
    each of them integrates.
    """

    def __init__(self, mechanism: Mechanism, vdot: ca.SX) -> None:
        self.mechanism, self._vdot = mechanism, vdot

    @property
    def _drivers(self) -> list[str]:
        return list(self.mechanism.topology.drives.keys)

    @cached_property
    def _moving_relations(self) -> list[str]:
        """Relations that do work by themselves, such as a strut whose length is a function of time; guided bodies."""
        components = self.mechanism.equations.reactions.components
        return [name for name, component in components if component == "power"]

    @cached_property
    def _powers(self) -> Mapping[str, Power]:
        return element_powers(self.mechanism.coordinates, self._vdot)

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """Energies, readings and powers of the force elements, rates of the drivers."""
        found = _energies(self.mechanism)
        for name, action in self.mechanism.coordinates.loading.actions.items():
            for key, reading in action.readings.items():
                found[f"{name}.{key}"] = Entry(reading.unit, f"{reading.text} ({name})", known(reading.value))
            text = f"power that {name} gives to the mechanism"
            found[f"{name}.power"] = Entry("W", text, partial(self._given, name))
        found["power.dissipated"] = Entry("W", "power that dampers, drag and friction destroy", self._dissipated)
        found["power.forces"] = Entry("W", "power that forces and actuators bring in", self._supplied)
        for name in self._drivers:
            found[f"{name}.rate"] = Entry("", f"rate of the coordinate that {name} drives", known(self._driven(name)))
        return found

    def _given(self, name: str) -> ca.SX:
        return self._powers[name].given

    def _dissipated(self) -> ca.SX:
        return sum((power.dissipated for power in self._powers.values()), ca.SX(1, 1))

    def _supplied(self) -> ca.SX:
        return sum((power.supplied for power in self._powers.values()), ca.SX(1, 1))

    def _driven(self, name: str) -> ca.SX:
        return self.mechanism.coordinates.motion.coordinates[self.mechanism.topology.drives.keys[name]].rate

    @cached_property
    def recipes(self) -> dict[str, Recipe]:
        """Powers of the drivers, all that is supplied, and the balance."""
        found = {}
        for name in self._drivers:
            quantity = Quantity(f"{name}.power", "W", f"power that {name} gives to the mechanism")
            found[quantity.name] = Recipe(quantity, (f"{name}.effort", f"{name}.rate"), np.multiply)
        supplied = Quantity("power.supplied", "W", "power that drivers, forces and actuators bring in")
        powers = ("power.forces", *(f"{name}.power" for name in (*self._drivers, *self._moving_relations)))
        found[supplied.name] = Recipe(supplied, powers, lambda *parts: np.sum(parts, axis=0))
        balance = Quantity("energy.balance", "J", "change of the energy less what came in plus what was destroyed")
        parts = ("energy.total", "work.supplied", "work.dissipated")
        found[balance.name] = Recipe(balance, parts, lambda e, given, lost: e - e[:1] - given + lost)
        return found

    @cached_property
    def integrals(self) -> dict[str, tuple[Quantity, str]]:
        """Works, each with the name of its power."""
        elements = [*self.mechanism.coordinates.loading.actions, *self._drivers, *self._moving_relations]
        found = {
            f"{name}.work": (Quantity(f"{name}.work", "J", f"work of {name} on the mechanism"), f"{name}.power")
            for name in elements
        }
        for kind, text in ((SUPPLIED, "brought in by drivers, forces and actuators"), (DISSIPATED, "destroyed")):
            found[f"work.{kind}"] = (Quantity(f"work.{kind}", "J", f"work {text} since the start"), f"power.{kind}")
        return found


def _energies(mechanism: Mechanism) -> dict[str, Entry]:
    c = mechanism.coordinates
    return {
        "energy.kinetic": Entry("J", "kinetic energy", lambda: kinetic_energy(c)),
        "energy.potential": Entry("J", "potential energy of gravity and springs", lambda: potential_energy(c)),
        "energy.total": Entry("J", "kinetic and potential energy", lambda: kinetic_energy(c) + potential_energy(c)),
    }
