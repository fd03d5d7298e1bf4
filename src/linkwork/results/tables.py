"""Results as tables: xarray, pandas, text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwork.results.files import write_rows
from linkwork.results.quantities import NOT_UNIQUE
from linkwork.results.shown_units import Units, shown_units

if TYPE_CHECKING:
    import pandas
    import xarray

    from linkwork.results.result import Result


def to_xarray(result: Result, names: Sequence[str] | None = None) -> xarray.Dataset:
    """Dataset over ``time`` with unit and description of each quantity in its attributes."""
    import xarray

    chosen = _chosen(result, names)
    values, loose, over = result.values(chosen), result.undetermined(chosen), result.variable
    variables = {
        name: (
            result.variable.name,
            values[name],
            {"units": quantity.unit, "long_name": quantity.description}
            | ({"comment": f"{NOT_UNIQUE}: the value of least norm"} if name in loose else {}),
        )
        for name, quantity in ((name, result.quantity(name)) for name in chosen)
    }
    return xarray.Dataset(
        variables,
        coords={over.name: (over.name, result.time, {"units": over.unit or "1", "long_name": over.name})},
        attrs={"title": result.name, "outcome": str(result.outcome), **result.settings},
    )


def to_dataframe(result: Result, names: Sequence[str] | None = None, *, units: Units | None = None) -> pandas.DataFrame:
    """DataFrame indexed by time in s, one column per quantity; ``frame.attrs`` has the "units" and what is "not_unique"."""
    import pandas

    chosen, over = _chosen(result, names), result.variable.name
    shown = shown_units(result, chosen, units)
    columns = {name: shown[name].of(values) for name, values in result.values(chosen).items()}
    frame = pandas.DataFrame(columns, index=pandas.Index(shown[over].of(result.time), name=over), columns=chosen)
    frame.attrs["units"] = {name: shown[name].unit for name in chosen}
    frame.attrs["not_unique"] = sorted(result.undetermined(chosen))
    return frame


def to_csv(
    result: Result,
    path: str | Path,
    names: Sequence[str] | None = None,
    *,
    units: Units | None = None,
    overwrite: bool | None = None,
) -> Path:
    """Comma-separated text with one heading ``name [unit]``; the digits give every number back exactly.

    Components of reactions that are not unique are named so in the heading.
    """
    chosen = _chosen(result, names)
    values, loose = result.values(chosen), result.undetermined(chosen)
    shown, over = shown_units(result, chosen, units), result.variable.name
    headings = [shown[name].label(name) + (f" ({NOT_UNIQUE})" if name in loose else "") for name in chosen]
    columns = np.column_stack([shown[over].of(result.time), *(shown[name].of(values[name]) for name in chosen)])
    rows = [[shown[over].label(over), *headings], *(row.tolist() for row in columns)]
    return write_rows(path, rows, overwrite=overwrite)


def _chosen(result: Result, names: Sequence[str] | None) -> list[str]:
    if isinstance(names, str):
        names = [names]
    return result.names() if names is None else result.select(names)
