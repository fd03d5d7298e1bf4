"""Results whose samples are over something that falls, such as the angles of a sweep from 90 degrees down, from behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from linkwork.arrays import Array
from linkwork.results.quantities import LiveValue, Quantity, QuantitySource, ReactionInfo, Stored
from linkwork.results.result import Result


@runtime_checkable
class Reversible(Protocol):
    """A source that can tell its samples from the last to the first."""

    def backwards(self) -> QuantitySource: ...


@dataclass(frozen=True, eq=False)
class FromBehind(Stored):
    """The numbers of a source from the last to the first."""

    source: QuantitySource

    @property
    def catalogue(self) -> Mapping[str, Quantity]:
        return self.source.catalogue

    @property
    def reaction_components(self) -> Mapping[str, ReactionInfo]:  # type: ignore[override]
        return self.source.reaction_components

    @property
    def parameters(self) -> Mapping[str, LiveValue]:
        """Values of live parameters."""
        known = self.source.parameters.items()
        return {name: value[::-1] if isinstance(value, np.ndarray) else value for name, value in known}

    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        """Values of the named quantities, each (N,)."""
        return {name: np.ascontiguousarray(values[::-1]) for name, values in self.source.evaluate(names).items()}


def rising(result: Result) -> Result:
    """The same samples in the order in which what they are over grows: for what goes on, or looks between them."""
    if len(result) < 2 or result.time[-1] > result.time[0]:
        return result
    source = result.source
    turned = source.backwards() if isinstance(source, Reversible) else FromBehind(source)
    return replace(result, time=np.ascontiguousarray(result.time[::-1]), source=turned)
