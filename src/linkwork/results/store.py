"""Results in netCDF-4 files, which MATLAB, xarray and any HDF5 reader open.

Each quantity is a variable over ``time`` with its unit; the model, the drawing and the record of the run are text
attributes of the file. The format is version 2: behind the end of the HDF5 content stands its checksum
(``results/checksum.py``), so that a damaged file is told before any library tries to read it.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.algebra.given import FilePath
from linkwork.answer.files import refuse_existing, write_bytes
from linkwork.errors import ResultError
from linkwork.results.checksum import sealed
from linkwork.results.run_record import RunRecord

FORMAT = 2
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.+-]*")
RESERVED = frozenset({"time", "step", "step_time"})


def save_result(result: RunRecord, path: FilePath, *, overwrite: bool | None = None) -> Path:
    """Write *result* whole to *path* (.nc)."""
    target = Path(path)
    refuse_existing(target, overwrite=overwrite)
    return write_bytes(target, sealed(_content(result)), overwrite=overwrite)


def identical(a: RunRecord, b: RunRecord) -> bool:
    """Whether two results hold the same numbers, bit for bit, and the same record."""
    if _record(a) != _record(b) or a.model_text != b.model_text or a.name != b.name:
        return False
    if dict(a.source.catalogue) != dict(b.source.catalogue) or list(a.source.catalogue) != list(b.source.catalogue):
        return False
    left, right = a.values(a.names()), b.values(b.names())
    pairs = [(a.time, b.time), (a.steps, b.steps), *((left[name], right[name]) for name in left)]
    return all(np.array_equal(x, y, equal_nan=True) for x, y in pairs)


# -- writing ---------------------------------------------------------------------------------------------------


def _content(result: RunRecord) -> bytes:
    """The HDF5 file, made in memory: HDF5 does not survive a disk that becomes full."""
    import h5netcdf

    memory = io.BytesIO()
    with h5netcdf.File(memory, "w") as file:
        _write_record(file, result)
        _write_grid(file, result)
        _write_quantities(file, result)
    return memory.getvalue()


def _record(result: RunRecord) -> dict[str, Any]:
    """All but the numbers and the model, as plain data."""
    return {
        "outcome": asdict(result.outcome) | {"status": result.outcome.status.name},
        "settings": dict(result.settings),
        "statistics": {name: _plain(value) for name, value in result.statistics.items()},
        "events": [
            {"name": e.name, "time": float(e.time), "values": _floats(e.values), "terminal": e.terminal}
            | {"units": dict(e.units), "reactions": _floats(e.reactions)}
            for e in result.events
        ],
        "modes": result.modes.stored(),
        "freedoms": list(result.freedoms),
        "notes": list(result.notes),
        "variable": asdict(result.variable),
        "audit": result.audit.stored(),
        "accuracy": None if result.accuracy is None else asdict(result.accuracy),
        "drawing": result.drawing.to_dict(),
        "parameters": {
            name: value.tolist() if isinstance(value, np.ndarray) else float(value)
            for name, value in result.source.parameters.items()
        },
        "reactions": {
            element: asdict(info) | {"components": list(info.components), "not_unique": list(info.not_unique)}
            for element, info in result.source.reaction_components.items()
        },
    }


def _plain(value: Any) -> float | int | str:
    """A Python number for a NumPy one."""
    return value.item() if isinstance(value, np.generic) else value


def _floats(values: Mapping[str, Any]) -> dict[str, float]:
    return {name: float(value) for name, value in values.items()}


def _write_record(file: Any, result: RunRecord) -> None:
    file.attrs["title"] = result.name or "result"
    file.attrs["outcome"] = str(result.outcome)
    from importlib.metadata import version  # slow to import, and only a file needs it

    file.attrs["linkwork_version"] = version("linkwork")
    file.attrs["linkwork_format"] = FORMAT
    file.attrs["linkwork_checksum"] = "SHA-256 behind the end of the HDF5 content"
    file.attrs["linkwork_name"] = json.dumps(result.name)
    file.attrs["linkwork_record"] = json.dumps(_record(result))
    file.attrs["linkwork_model"] = json.dumps(result.model_text)


def _write_grid(file: Any, result: RunRecord) -> None:
    file.dimensions = {"time": len(result.time), "step": len(result.steps)}
    for name, dimension, values in (("time", "time", result.time), ("step_time", "step", result.steps)):
        variable = file.create_variable(name, (dimension,), "f8", data=np.asarray(values, dtype="f8"))
        variable.attrs["units"] = result.variable.unit or "1"
        variable.attrs["long_name"] = result.variable.name if name == "time" else "times of the accepted steps"


def _write_quantities(file: Any, result: RunRecord) -> None:
    values = result.values(result.names())
    packing = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if len(result) else {}
    for index, (name, quantity) in enumerate(result.source.catalogue.items()):
        data = np.asarray(values[name], dtype="f8")
        if data.shape != result.time.shape:
            raise ResultError(f"quantity '{name}' has {data.size} values for {result.time.size} times; cannot save it")
        variable = file.create_variable(_variable_name(name, index), ("time",), "f8", data=data, **packing)
        variable.attrs["units"] = quantity.unit or "1"
        variable.attrs["long_name"] = quantity.description or name
        variable.attrs["linkwork_quantity"] = json.dumps([index, name, quantity.unit, quantity.description])


def _variable_name(name: str, index: int) -> str:
    """The name itself where netCDF allows it, else a number (the attribute keeps the name)."""
    plain = PLAIN_NAME.fullmatch(name) is not None and name not in RESERVED
    return name if plain else f"quantity@{index}"
