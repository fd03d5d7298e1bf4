"""The reaction of one element of a run: force and moment of a joint or relation, effort of a driver or coupling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from linkwork.answer import Answer, Column
from linkwork.errors import ResultError, UnknownNameError, did_you_mean
from linkwork.results.loads import largest_of
from linkwork.results.quantities import NOT_UNIQUE, Array, ReactionInfo
from linkwork.results.run_record import RunRecord

FORCE_COMPONENTS = ("fx", "fy", "fz")
MOMENT_COMPONENTS = ("mx", "my", "mz")
TENSION = "tension"  # of rods, ropes and struts: negative where they are pushed together
UNSIDED = (TENSION, "power")  # the same on either body


@dataclass(frozen=True, repr=False)
class Reaction(Answer):
    """Reaction of one element: of a joint on its child by its parent, at the joint, unless something else was asked for."""

    view = "plots.plot_columns"

    name: str
    info: ReactionInfo
    _result: RunRecord
    _values: Mapping[str, Array] | None = None
    _sign: float = 1.0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the quantities of this reaction."""
        return tuple(f"{self.name}.{component}" for component in self.info.components)

    def __getitem__(self, component: str) -> Array:
        """One component (N,), such as ``fx``, ``mz``, ``effort`` or ``tension``."""
        if component not in self.info.components:
            hint = did_you_mean(component, list(self.info.components))
            raise UnknownNameError(f"the reaction of '{self.name}' has no component '{component}'; {hint}")
        sign = 1.0 if component in UNSIDED else self._sign
        values = self._result if self._values is None else self._values
        return sign * values[f"{self.name}.{component}"]

    @property
    def force(self) -> Array:
        """Force (N, d), newtons; a component the joint does not carry is zero."""
        return self._stack(FORCE_COMPONENTS[: self._result.drawing.dimension], "force")

    @property
    def moment(self) -> Array:
        """Moment, newton metres: (N,) about z in the plane, (N, 3) in space."""
        if self._result.drawing.dimension == 2:
            return self._stack(("mz",), "moment")[:, 0]
        return self._stack(MOMENT_COMPONENTS, "moment")

    @property
    def effort(self) -> Array:
        """Force or torque (N,) of a driver or a coupling along its coordinate."""
        return self["effort"]

    @property
    def unique(self) -> bool:
        """Whether all components are determined; redundant constraints can leave some open."""
        return not self.info.not_unique

    @property
    def not_unique(self) -> tuple[str, ...]:
        """Components that the redundant constraints leave undetermined (the least-norm values are given)."""
        return self.info.not_unique

    @property
    def passing(self) -> Mapping[str, float]:
        """Components that are undetermined at singular positions alone, each with the first time, s."""
        return self.info.passing

    @property
    def title(self) -> str:
        pushed = f" on {self.info.child} by {self.info.parent}" if self.info.child else ""
        return f"reaction of {self.name}{pushed} in '{self._result.name}'"

    def facts(self) -> list[tuple[str, str]]:
        """The largest size of each component, and when."""
        time, over = self._result.time, self._result.variable
        if not len(time):
            return []
        peaks = ((c, largest_of(time, np.abs(self[c]))) for c in self.info.components)
        return [(c, f"up to {size:.6g} {self._unit(c)} at {over.place(place)}") for c, (size, place) in peaks]

    def columns(self) -> list[Column]:
        """All components over time."""
        over, loose = self._result.variable, dict.fromkeys(self.not_unique, NOT_UNIQUE)
        parts = ((c, f"{self.name}.{c}") for c in self.info.components)
        components = (Column(name, self[c], self._unit(c), loose.get(c, "")) for c, name in parts)
        return [over.column(self._result.time), *components]

    def _unit(self, component: str) -> str:
        if component in MOMENT_COMPONENTS:  # which a joint may have elsewhere alone
            return "N*m"
        return self._result.quantity(f"{self.name}.{component}").unit

    def _stack(self, components: tuple[str, ...], what: str) -> Array:
        if "effort" in self.info.components and not set(components) & set(self.info.components):
            raise ResultError(f"'{self.name}' is a {self.info.kind}: it has an effort, no {what} of its own")
        zero = np.zeros(len(self._result.time))
        return np.column_stack([self[c] if c in self.info.components else zero for c in components])
