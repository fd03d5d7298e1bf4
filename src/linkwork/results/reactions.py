"""Reactions of a run: forces and moments of joints and relations, efforts of drivers and couplings.

Convention: force and moment on the child by the parent, at the joint's point on the child, in world axes.
``reactions(axes="child")``, ``reactions(on="parent")``, ``reactions(at="parent")`` and ``reactions(scheme="projection")``
give the same in other axes, on the other body, with moments elsewhere, and by another scheme.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from linkwork.answer import Answer, Column, Grid, Units
from linkwork.arguments import verb
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.results.loads import PeakLoads
from linkwork.results.quantities import ReactionInfo, ReactionValues
from linkwork.results.reaction import FORCE_COMPONENTS, MOMENT_COMPONENTS, Reaction
from linkwork.results.reaction_table import largest, peak_loads, to_xarray
from linkwork.results.run_record import RunRecord

if TYPE_CHECKING:
    import xarray

SIDES = ("child", "parent")
AXES = {
    "world": "world axes",
    "child": "axes of the child",
    "parent": "axes of the parent",
    "joint": "axes of the joint",
}

PLACES = {"child": "at the joint", "parent": "moments at the joint on the parent"}


class Reactions(Answer, Mapping[str, Reaction]):
    """Reactions by the name of the joint, relation, driver or coupling; printed, a table of their largest values."""

    view = "plots.plot_columns"

    def __init__(
        self,
        result: RunRecord,
        scheme: str | None = None,
        axes: str = "world",
        on: str = SIDES[0],
        at: str = SIDES[0],
    ) -> None:
        if on not in SIDES:
            raise RefusedError(f"on = '{on}': a reaction acts on the 'child' by the parent, or on the 'parent'")
        self._own = result.settings.get("reactions", "least_squares")
        self._result, self.scheme, self.axes, self.on, self.at = result, scheme or self._own, axes, on, at
        self._found = self._ask()

    def _ask(self) -> ReactionValues:
        source = self._result.source
        if (self.scheme, self.axes, self.at) != (self._own, "world", SIDES[0]):
            return source.reactions(self.scheme, self.axes, self.at)
        return ReactionValues({}, dict(source.reaction_components) or _infer(self._result))

    def __call__(
        self, *, scheme: str | None = None, axes: str | None = None, on: str | None = None, at: str | None = None
    ) -> Reactions:
        """The same reactions, otherwise.

        scheme: 'least_squares', 'projection', 'inverse_inertia', 'joint_elimination', 'element_elimination',
        'constraint_variation', 'newton', 'multipliers', 'penalty' or 'tree_recursion'. axes: 'world'; 'child' and 'parent',
        the axes of these bodies; 'joint', those of the joint, fixed in the parent; or the name of a body. on: 'child', by
        the parent, or 'parent', by the child. at: where moments are taken, at the joint's point on the 'child' or the
        'parent', which are apart where it slides, or at any point by its name.
        """
        named = None if at is None else self._result.drawing.named(at)
        return Reactions(self._result, scheme or self.scheme, axes or self.axes, on or self.on, named or self.at)

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
        child, parent = SIDES if self.on == SIDES[0] else SIDES[::-1]
        axes, place = AXES.get(self.axes, f"axes of {self.axes}"), PLACES.get(self.at, f"moments at {self.at}")
        return f"Reactions of '{self._result.name}' on the {child} by the {parent}, {place}, {axes} ({self.scheme})"

    @property
    def brief(self) -> str:
        return f"Reactions of {', '.join(self) or 'nothing'}"

    @verb
    def peaks(self, units: Units | None = None) -> PeakLoads:
        """The largest force and moment of every joint and relation, and when; *units*: ``{"force": "kN"}``."""
        if not self._found.values:
            # read at once
            self._result.values([part for name in self for part in self[name].names if part in self._result])
        return peak_loads(self, self._result, units)

    def report(self) -> list[str | Grid]:
        """The largest size of each, and what is not unique."""
        return largest(self, self.on, self._result)

    def columns(self) -> list[Column]:
        """All components over time."""
        over = self._result.variable
        others = (column for name in self for column in self[name].columns()[1:])
        return [over.column(self._result.time), *others]

    def to_xarray(self) -> xarray.Dataset:
        """Forces and moments over time, joint and axis, efforts over time and actuator, with flags of what is unique."""
        return to_xarray(self, self._result).assign_attrs(scheme=self.scheme, axes=self.axes, on=self.on, at=self.at)


def _infer(result: RunRecord) -> dict[str, ReactionInfo]:
    """Find the reactions in the catalogue by the names of the drawn joints."""
    infos = {}
    for joint in result.drawing.joints:
        components = [c for c in FORCE_COMPONENTS + MOMENT_COMPONENTS if f"{joint.name}.{c}" in result]
        if components:
            infos[joint.name] = ReactionInfo(tuple(components), parent=joint.parent, child=joint.body)
    return infos
