"""Reactions of the joints, gathered from the quantities that hold their components.

Convention: force and moment on the child by the parent, at the joint, in world axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.results.quantities import Array, ReactionInfo

if TYPE_CHECKING:
    from linkwork.results.result import Result

FORCE_COMPONENTS = ("fx", "fy", "fz")
MOMENT_COMPONENTS = ("mx", "my", "mz")


@dataclass(frozen=True)
class Reaction:
    """Reaction of one joint on its child by its parent, at the joint, world axes."""

    joint: str
    info: ReactionInfo
    _result: Result = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the quantities of this reaction."""
        return tuple(f"{self.joint}.{component}" for component in self.info.components)

    @property
    def force(self) -> Array:
        """Force (N, d), newtons; a component the joint does not carry is zero."""
        return self._stack(FORCE_COMPONENTS[: self._result.drawing.dimension])

    @property
    def moment(self) -> Array:
        """Moment, newton metres: (N,) about z in the plane, (N, 3) in space."""
        if self._result.drawing.dimension == 2:
            return self._stack(("mz",))[:, 0]
        return self._stack(MOMENT_COMPONENTS)

    @property
    def unique(self) -> bool:
        """Whether all components are determined; redundant constraints can leave some open."""
        return not self.info.not_unique

    @property
    def not_unique(self) -> tuple[str, ...]:
        """Components that the redundant constraints leave undetermined (the least-norm values are given)."""
        return self.info.not_unique

    def plot(self, **options: Any) -> Any:
        """Plot all components; options as for `Result.plot`."""
        return self._result.plot(*self.names, **options)

    def _stack(self, components: tuple[str, ...]) -> Array:
        zero = np.zeros(len(self._result.time))
        held = [f"{self.joint}.{c}" for c in components if c in self.info.components]
        values = self._result.values(held)
        return np.column_stack([values.get(f"{self.joint}.{c}", zero) for c in components])


class Reactions(Mapping[str, Reaction]):
    """Reactions by the name of the joint."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._infos = dict(result.source.reaction_components) or _infer(result)

    def __getitem__(self, joint: str) -> Reaction:
        if joint not in self._infos:
            raise UnknownNameError(f"no reaction at joint '{joint}'; {did_you_mean(joint, list(self._infos))}")
        return Reaction(joint, self._infos[joint], self._result)

    def __iter__(self) -> Iterator[str]:
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)

    def __repr__(self) -> str:
        return f"Reactions({', '.join(self._infos)})"


def _infer(result: Result) -> dict[str, ReactionInfo]:
    """Find the reactions in the catalogue by the names of the drawn joints."""
    infos = {}
    for joint in result.drawing.joints:
        components = [c for c in FORCE_COMPONENTS + MOMENT_COMPONENTS if f"{joint.name}.{c}" in result]
        if components:
            infos[joint.name] = ReactionInfo(tuple(components))
    return infos
