"""Reactions of a run: forces and moments of joints and relations, efforts of drivers and couplings.

Convention: force and moment on the child by the parent, at the joint, in world axes. ``reactions(axes="child")``,
``reactions(on="parent")`` and ``reactions(scheme="projection")`` give the same in other axes, on the other body, and by
another scheme.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkwork.answer import Answer, Column, Grid
from linkwork.errors import RefusedError, ResultError, UnknownNameError, did_you_mean
from linkwork.results.quantities import NOT_UNIQUE, Array, ReactionInfo, ReactionValues

if TYPE_CHECKING:
    import xarray

    from linkwork.results.result import Result

FORCE_COMPONENTS = ("fx", "fy", "fz")
MOMENT_COMPONENTS = ("mx", "my", "mz")
SIDES = ("child", "parent")


@dataclass(frozen=True, repr=False)
class Reaction(Answer):
    """Reaction of one element: of a joint on its child by its parent, at the joint, unless something else was asked for."""

    view = "plots.plot_columns"

    name: str
    info: ReactionInfo
    _result: Result
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
        if self._values is None:
            return self._sign * self._result[f"{self.name}.{component}"]
        return self._sign * self._values[f"{self.name}.{component}"]

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
        """The largest size of each component."""
        return [(c, f"{np.max(np.abs(self[c]), initial=0.0):.6g} {self._unit(c)}") for c in self.info.components]

    def columns(self) -> list[Column]:
        """All components over time."""
        over, loose = self._result.variable, dict.fromkeys(self.not_unique, NOT_UNIQUE)
        parts = ((c, f"{self.name}.{c}") for c in self.info.components)
        components = (Column(name, self[c], self._unit(c), loose.get(c, "")) for c, name in parts)
        return [over.column(self._result.time), *components]

    def _unit(self, component: str) -> str:
        return self._result.quantity(f"{self.name}.{component}").unit

    def _stack(self, components: tuple[str, ...], what: str) -> Array:
        if "effort" in self.info.components and not set(components) & set(self.info.components):
            raise ResultError(f"'{self.name}' is a {self.info.kind}: it has an effort, no {what} of its own")
        zero = np.zeros(len(self._result.time))
        return np.column_stack([self[c] if c in self.info.components else zero for c in components])


class Reactions(Answer, Mapping[str, Reaction]):
    """Reactions by the name of the joint, relation, driver or coupling; printed, a table of their largest values."""

    view = "plots.plot_columns"

    def __init__(self, result: Result, scheme: str | None = None, axes: str = "world", on: str = SIDES[0]) -> None:
        if on not in SIDES:
            raise RefusedError(f"on = '{on}': a reaction acts on the 'child' by the parent, or on the 'parent'")
        self._own = result.settings.get("reactions", "least_squares")
        self._result, self.scheme, self.axes, self.on = result, scheme or self._own, axes, on
        self._found = self._ask()

    def _ask(self) -> ReactionValues:
        source = self._result.source
        if (self.scheme, self.axes) != (self._own, "world"):
            return source.reactions(self.scheme, self.axes)
        return ReactionValues({}, dict(source.reaction_components) or _infer(self._result))

    def __call__(self, *, scheme: str | None = None, axes: str | None = None, on: str | None = None) -> Reactions:
        """The same reactions, otherwise.

        scheme: 'least_squares', 'projection', 'inverse_inertia', 'joint_elimination', 'element_elimination',
        'constraint_variation', 'newton', 'multipliers', 'penalty' or 'tree_recursion'. axes: 'world'; 'child' and 'parent',
        the axes of these bodies; 'joint', those of the joint, fixed in the parent; or the name of a body. on: 'child', by
        the parent, or 'parent', by the child.
        """
        return Reactions(self._result, scheme or self.scheme, axes or self.axes, on or self.on)

    def __getitem__(self, element: str) -> Reaction:
        infos = self._found.infos
        element = self._result.drawing.named(element)
        if element not in infos:
            raise UnknownNameError(f"no reaction at joint '{element}'; {did_you_mean(element, list(infos))}")
        sign = 1.0 if self.on == SIDES[0] else -1.0
        return Reaction(element, infos[element], self._result, self._found.values or None, sign)

    def __iter__(self) -> Iterator[str]:
        return iter(self._found.infos)

    def __len__(self) -> int:
        return len(self._found.infos)

    @property
    def title(self) -> str:
        from linkwork.results.reaction_table import heading

        return heading(self, self._result)

    @property
    def brief(self) -> str:
        return f"Reactions of {', '.join(self) or 'nothing'}"

    def report(self) -> list[str | Grid]:
        """The largest size of each, and what is not unique."""
        from linkwork.results.reaction_table import largest

        return largest(self, self._result)

    def columns(self) -> list[Column]:
        """All components over time."""
        over = self._result.variable
        others = (column for name in self for column in self[name].columns()[1:])
        return [over.column(self._result.time), *others]

    def to_xarray(self) -> xarray.Dataset:
        """Forces and moments over time, joint and axis, efforts over time and actuator, with flags of what is unique."""
        from linkwork.results.reaction_table import to_xarray

        return to_xarray(self, self._result)


def _infer(result: Result) -> dict[str, ReactionInfo]:
    """Find the reactions in the catalogue by the names of the drawn joints."""
    infos = {}
    for joint in result.drawing.joints:
        components = [c for c in FORCE_COMPONENTS + MOMENT_COMPONENTS if f"{joint.name}.{c}" in result]
        if components:
            infos[joint.name] = ReactionInfo(tuple(components), parent=joint.parent, child=joint.body)
    return infos
