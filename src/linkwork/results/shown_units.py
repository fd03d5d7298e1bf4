"""In which units quantities are shown: SI, or those that are asked for by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkwork.algebra.units import describe, read_unit
from linkwork.errors import UnitError
from linkwork.results.quantities import Array

if TYPE_CHECKING:
    from linkwork.results.result import Result

Units = Mapping[str, str]
"""Names or patterns of quantities, or the name of what the result is over, with units: {"O.angle": "deg"}."""


@dataclass(frozen=True)
class Shown:
    """A unit, and how much of SI it is."""

    unit: str
    factor: float = 1.0

    def of(self, values: Array) -> Array:
        """SI values in this unit."""
        return values if self.factor == 1.0 else values / self.factor

    def label(self, name: str) -> str:
        """``name [unit]``."""
        return f"{name} [{self.unit}]" if self.unit else name


def shown_units(result: Result, names: Sequence[str], units: Units | None) -> dict[str, Shown]:
    """How quantities, and what the result is over, are shown; units that do not measure them are refused."""
    over = result.variable
    own = {over.name: over.unit, **{name: result.quantity(name).unit for name in names}}
    found = {name: Shown(unit) for name, unit in own.items()}
    for pattern, unit in (units or {}).items():
        for name in [pattern] if pattern == over.name else result.select([pattern]):
            if name in found:
                found[name] = _shown(name, own[name], unit)
    return found


def _shown(name: str, own: str, unit: str) -> Shown:
    wanted = read_unit(unit)
    if not own:
        raise UnitError(f"units: {name} has no unit of its own; '{unit}' cannot be asked for")
    known = read_unit(own)
    if wanted.exponents != known.exponents:
        raise UnitError(f"units: {name} is {describe(known)}, in {own}; '{unit}' is {describe(wanted)}")
    return Shown(unit, wanted.factor / known.factor)
