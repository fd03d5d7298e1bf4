"""Numbers of a description while it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from linkwork.algebra.expressions import Expression
from linkwork.model.fields import VectorOfExpressions


class DraftNumbers(Protocol):
    """The space of a description, and the values of its formulas."""

    @property
    def space(self) -> str | None:
        """'planar' or 'spatial'; None when it is faulty."""
        ...

    @property
    def values(self) -> Mapping[str, float]:
        """Default values of the parameters that have one."""
        ...

    def number(self, expression: Expression | None) -> float | None:
        """The value of a formula with the default parameters; None when it has none."""
        ...

    def numbers(self, vector: VectorOfExpressions) -> list[float] | None:
        """The values of a vector; None when a component has none."""
        ...
