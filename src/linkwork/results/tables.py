"""Results as tables: xarray, pandas, text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linkwork.results.files import write_rows
from linkwork.results.quantities import NOT_UNIQUE

if TYPE_CHECKING:
    import pandas
    import xarray

    from linkwork.results.result import Result


def to_xarray(result: Result, names: Sequence[str] | None = None) -> xarray.Dataset:
    """Dataset over ``time`` with unit and description of each quantity in its attributes."""
    import xarray

    chosen = _chosen(result, names)
    values, loose = result.values(chosen), result.undetermined(chosen)
    variables = {
        name: (
            "time",
            values[name],
            {"units": quantity.unit, "long_name": quantity.description}
            | ({"comment": f"{NOT_UNIQUE}: the value of least norm"} if name in loose else {}),
        )
        for name, quantity in ((name, result.quantity(name)) for name in chosen)
    }
    return xarray.Dataset(
        variables,
        coords={"time": ("time", result.time, {"units": "s", "long_name": "time"})},
        attrs={"title": result.name, "outcome": str(result.outcome), **result.settings},
    )


def to_dataframe(result: Result, names: Sequence[str] | None = None) -> pandas.DataFrame:
    """DataFrame indexed by time in s, one column per quantity; ``frame.attrs`` has the "units" and what is "not_unique"."""
    import pandas

    chosen = _chosen(result, names)
    frame = pandas.DataFrame(result.values(chosen), index=pandas.Index(result.time, name="time"), columns=chosen)
    frame.attrs["units"] = {name: result.quantity(name).unit for name in chosen}
    frame.attrs["not_unique"] = sorted(result.undetermined(chosen))
    return frame


def to_csv(
    result: Result, path: str | Path, names: Sequence[str] | None = None, *, overwrite: bool | None = None
) -> Path:
    """Comma-separated text with one heading ``name [unit]``; the digits give every number back exactly.

    Components of reactions that are not unique are named so in the heading.
    """
    chosen = _chosen(result, names)
    values, loose = result.values(chosen), result.undetermined(chosen)
    headings = [result.quantity(name).label + (f" ({NOT_UNIQUE})" if name in loose else "") for name in chosen]
    columns = np.column_stack([result.time, *(values[name] for name in chosen)])
    return write_rows(path, [["time [s]", *headings], *(row.tolist() for row in columns)], overwrite=overwrite)


def _chosen(result: Result, names: Sequence[str] | None) -> list[str]:
    if isinstance(names, str):
        names = [names]
    return result.names() if names is None else result.select(names)
