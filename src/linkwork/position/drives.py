"""What is asked of a mechanism beside its conditions: which coordinates of joints are driven, and where it begins.

A model says so by its drivers and ``initial``. An analysis that asks for something else says it here, and nothing of the
model is changed or resolved anew: it lets go of drivers, or moves coordinates itself. Of such an input the motion is

    u(t) = Σ cᵢ (t − t_k)^i,    i = 0 .. 7,

and t_k and cᵢ are numbers of p, behind the live parameters, which may be others at every sample of a motion.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from linkwork.arrays import Array
from linkwork.model import Driver, Model

FreedomName = tuple[str, str]  # joint, freedom
TERMS = 8  # coefficients of a polynomial
NUMBERS = 1 + TERMS  # of an input: t_k, and the coefficients


class AlongJoint(Protocol):
    """An element of a model along a coordinate of a joint."""

    @property
    def joint(self) -> str: ...
    @property
    def freedom(self) -> str | None: ...


@dataclass(frozen=True, eq=False)
class Drives:
    """Drivers of joints that hold, values at the start (``initial``), and inputs of an analysis by name.

    first: numbers of the inputs, 9 each, with which the mechanism is put together; time: at which it is, s
    """

    model: Model
    drivers: Mapping[str, Driver]
    initial: Mapping[str, Mapping[str, Any]]
    inputs: Mapping[str, FreedomName]
    first: tuple[float, ...] = ()
    time: float = 0.0

    @classmethod
    def of(cls, model: Model) -> Drives:
        """What the model says itself."""
        return cls(model, model.joint_drivers, model.initial, {})

    @property
    def released(self) -> Drives:
        """Without drivers and inputs of joints; guides of points and bodies hold."""
        return Drives(self.model, {}, self.initial, {}, time=self.time) if self.keys else self

    def asking(self, initial: Mapping[str, Mapping[str, Any]]) -> Drives:
        """Other values at the start, in the place of ``initial``."""
        return replace(self, initial=initial)

    def moved(self, inputs: Mapping[str, FreedomName], first: Array) -> Drives:
        """Inputs in the place of drivers of the same coordinates and of all values at the start."""
        taken = {*inputs.values()}
        kept = {name: item for name, item in self.drivers.items() if key_of(self.model, item) not in taken}
        return Drives(self.model, kept, {}, dict(inputs), tuple(map(float, first)))

    @cached_property
    def keys(self) -> dict[str, FreedomName]:
        """Joint and freedom that each drives."""
        return {name: key_of(self.model, item) for name, item in self.drivers.items()} | dict(self.inputs)

    @property
    def names(self) -> list[str]:
        """All that drives: guides of points and bodies, drivers of joints, inputs."""
        return [*self.model.guides, *self.keys]

    @property
    def shape(self) -> Hashable:
        """What a plan and equations depend on, of one model: all but the numbers."""
        initial = tuple(
            (name, tuple((key, str(x)) for key, x in given.items())) for name, given in self.initial.items()
        )
        drivers = tuple((name, str(item.initial), str(item.initial_speed)) for name, item in self.drivers.items())
        return drivers, initial, tuple(self.inputs.items()), self.time

    def starts(self, time: float) -> dict[str, tuple[float, float]]:
        """Position and speed of the inputs at a time."""
        found = {}
        for name, (at, *terms) in zip(self.inputs, np.reshape(self.first, (-1, NUMBERS)).tolist(), strict=True):
            motion = np.polynomial.Polynomial(terms)
            found[name] = float(motion(time - at)), float(motion.deriv()(time - at))
        return found


def key_of(model: Model, driver: AlongJoint) -> FreedomName:
    """Joint and freedom of a driver or an effort; the first freedom where it names none."""
    return driver.joint, driver.freedom or model.joints[driver.joint].freedoms[0].name
