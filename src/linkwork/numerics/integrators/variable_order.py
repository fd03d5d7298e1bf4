"""What methods of variable order have in common: they remember former steps, and choose order and step themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linkwork.numerics.integrators.base import Method


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class VariableOrder(Method):
    """Orders 1 to *order*; a run begins with the lowest one."""

    remembers: ClassVar[bool] = True
    own_control: ClassVar[bool] = True
    variable_order: ClassVar[bool] = True
    adaptive = True
    first_order = 2

    @property
    def orders(self) -> str:
        return f"1 to {self.order}"
