"""Results in xarray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linkwork.extras import bring
from linkwork.results.quantities import NOT_UNIQUE
from linkwork.results.run_record import RunRecord

if TYPE_CHECKING:
    import xarray


def to_xarray(result: RunRecord, names: Sequence[str] | None = None) -> xarray.Dataset:
    """Dataset over ``time`` with unit and description of each quantity in its attributes."""
    xarray = bring("xarray")
    chosen = result.names() if names is None else result.select(names)
    values, loose, over = result.values(chosen), result.undetermined(chosen), result.variable
    variables = {
        name: (
            result.variable.name,
            values[name],
            {"units": quantity.unit, "long_name": quantity.description}
            | ({"comment": f"{NOT_UNIQUE}: the value of least norm"} if name in loose else {}),
        )
        for name, quantity in ((name, result.quantity(name)) for name in chosen if name != over.name)
    }
    return xarray.Dataset(
        variables,
        coords={over.name: (over.name, result.time, {"units": over.unit or "1", "long_name": over.name})},
        attrs={"title": result.name, "outcome": str(result.outcome), **result.settings},
    )
