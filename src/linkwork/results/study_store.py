"""Studies in netCDF-4 files, which MATLAB, xarray and any HDF5 reader open: dimensions *variant* and *time*, units of all.

Sealed with a checksum as results are; the record of the study is a text attribute of the file.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from linkwork.answer import Column
from linkwork.answer.files import refuse_existing, write_bytes
from linkwork.arrays import Array
from linkwork.results.checksum import sealed
from linkwork.results.outcome import Outcome
from linkwork.results.quantities import Quantity, Variable
from linkwork.results.store import PLAIN_NAME

FORMAT = 1
PEAKS = ("smallest", "largest", "time of smallest", "time of largest")
"""What is kept of a quantity of a variant beside its samples: columns of its peaks."""


class StudyRecord(Protocol):
    """A study as it is written; `Study` says what each of these is."""

    def __len__(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def verb(self) -> str: ...
    @property
    def given(self) -> tuple[Column, ...]: ...
    @property
    def quantities(self) -> Mapping[str, Quantity]: ...
    @property
    def values(self) -> Mapping[str, Array]: ...
    @property
    def outcomes(self) -> tuple[Outcome, ...]: ...
    @property
    def samples(self) -> Array | None: ...
    @property
    def variable(self) -> Variable: ...
    @property
    def peaks(self) -> Mapping[str, Array]: ...
    @property
    def words(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def settings(self) -> Mapping[str, str]: ...
    @property
    def statistics(self) -> Mapping[str, float | int]: ...
    @property
    def notes(self) -> tuple[str, ...]: ...


def save_study(study: StudyRecord, path: Path, overwrite: bool | None) -> Path:
    """Write it whole (.nc)."""
    refuse_existing(path, overwrite=overwrite)
    return write_bytes(path, sealed(_content(study)), overwrite=overwrite)


def _content(study: StudyRecord) -> bytes:
    import h5netcdf

    memory = io.BytesIO()
    with h5netcdf.File(memory, "w") as file:
        file.attrs["title"] = study.title
        file.attrs["linkwork_study"] = FORMAT
        file.attrs["linkwork_format"] = FORMAT
        file.attrs["linkwork_checksum"] = "SHA-256 behind the end of the HDF5 content"
        file.attrs["linkwork_record"] = json.dumps(_record(study))
        over = study.variable.name
        samples = {} if study.samples is None else {over: len(study.samples)}
        file.dimensions = {"variant": len(study), **samples, "peak": len(PEAKS)}
        if study.samples is not None:
            _write(file, over, (over,), study.samples, Quantity(over, study.variable.unit))
        reached = np.array([outcome.time for outcome in study.outcomes])
        _write(file, "reached", ("variant",), reached, Quantity("reached", "s", "time at which each variant ended"))
        for i, column in enumerate(study.given):
            quantity = Quantity(column.name, column.unit)
            _write(file, place_of("given", i, column.name), ("variant",), column.values, quantity)
        dims = ("variant",) if study.samples is None else ("variant", over)
        for i, (name, quantity) in enumerate(study.quantities.items()):
            _write(file, place_of("quantity", i, name), dims, study.values[name], quantity)
            if name in study.peaks:
                _write(file, f"peaks@{i}", ("variant", "peak"), study.peaks[name], quantity)
    return memory.getvalue()


def place_of(kind: str, i: int, name: str) -> str:
    """The name itself where netCDF allows it, else a number."""
    return f"{kind}@{i}" if PLAIN_NAME.fullmatch(name) is None else f"{kind}.{name}"


def _write(file: Any, place: str, dims: tuple[str, ...], values: Any, quantity: Quantity) -> None:
    data = np.asarray(values, dtype="f8")
    packing = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if data.size else {}
    variable = file.create_variable(place, dims, "f8", data=data, **packing)
    variable.attrs["units"] = quantity.unit or "1"
    variable.attrs["long_name"] = quantity.description or quantity.name


def _record(study: StudyRecord) -> dict[str, Any]:
    """All but the numbers, as plain data; of variants that have reached their end nothing is said."""
    told = {
        str(i): asdict(outcome) | {"status": outcome.status.name}
        for i, outcome in enumerate(study.outcomes)
        if not outcome.completed
    }
    return {
        "name": study.name,
        "verb": study.verb,
        "given": [(column.name, column.unit) for column in study.given],
        "quantities": [asdict(quantity) for quantity in study.quantities.values()],
        "peaks": bool(study.peaks),
        "outcomes": told,
        "variable": asdict(study.variable),
        "words": {name: list(words) for name, words in study.words.items()},
        "settings": dict(study.settings),
        "statistics": dict(study.statistics),
        "notes": list(study.notes),
    }
