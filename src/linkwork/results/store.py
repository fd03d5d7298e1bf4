"""Results in netCDF-4 files, which MATLAB, xarray and any HDF5 reader open.

Each quantity is a variable over ``time`` with its unit; the model, the drawing and the record of the run are text
attributes of the file. The format is version 2: behind the end of the HDF5 content stands its checksum
(``results/checksum.py``), so that a damaged file is told before any library tries to read it. Files of version 1 have
none and are read too; a reader refuses a newer version.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.algebra.given import FilePath
from linkwork.answer.files import refuse_existing, write_bytes
from linkwork.errors import ResultError
from linkwork.results.accuracy import Accuracy
from linkwork.results.audit import NOT_KEPT, Audit, KeptAudit
from linkwork.results.checksum import CHECKED, check_content, sealed
from linkwork.results.drawing import Drawing
from linkwork.results.older_files import check_readable
from linkwork.results.outcome import EventRecord, Outcome, Status
from linkwork.results.quantities import Array, Quantity, ReactionInfo, Stored, Variable
from linkwork.results.result import Result
from linkwork.results.run_modes import RunModes

FORMAT = 2
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.+-]*")
RESERVED = frozenset({"time", "step", "step_time"})


@dataclass(frozen=True)
class FileSource(Stored):
    """Quantities read from a result file when they are asked for; the file is not kept open."""

    path: Path
    catalogue: Mapping[str, Quantity]
    variables: Mapping[str, str]  # quantity -> variable in the file
    stamp: tuple[int, int]  # modification time in ns and size when the file was first read
    reaction_components: Mapping[str, ReactionInfo] = field(default_factory=dict)

    def evaluate(self, names: Sequence[str]) -> dict[str, Array]:
        """Values of the named quantities, each (N,)."""
        import h5py

        if not self.path.exists() or _stamp(self.path) != self.stamp:
            raise ResultError(f"'{self.path}' was changed or removed after it was loaded; load it again")
        try:
            with h5py.File(self.path, "r") as file:
                return {name: np.asarray(file[self.variables[name]][...], dtype="f8") for name in names}
        except Exception as error:  # whatever HDF5 finds in a damaged file
            raise ResultError(f"'{self.path}' cannot be read ({_reason(error)}); it is damaged") from error


def save_result(result: Result, path: FilePath, *, overwrite: bool | None = None) -> Path:
    """Write *result* whole to *path* (.nc)."""
    target = Path(path)
    refuse_existing(target, overwrite=overwrite)
    return write_bytes(target, sealed(_content(result)), overwrite=overwrite)


def load_result(path: FilePath) -> Result:
    """Read a result file; its quantities stay in the file until they are asked for."""
    import h5py

    source = Path(path)
    if not source.is_file():
        raise ResultError(f"there is no result file '{source}'")
    checked = check_content(source)
    if not checked:
        check_readable(source)
    try:
        with h5py.File(source, "r") as file:
            _check_format(file, source, checked)
            return _read(file, source)
    except ResultError:
        raise
    except Exception as error:  # whatever HDF5 and JSON find in a damaged file
        raise ResultError(f"'{source}' is not a readable Linkwork result ({_reason(error)})") from error


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text[:160] or type(error).__name__


def identical(a: Result, b: Result) -> bool:
    """Whether two results hold the same numbers, bit for bit, and the same record."""
    if _record(a) != _record(b) or a.model_text != b.model_text or a.name != b.name:
        return False
    if dict(a.source.catalogue) != dict(b.source.catalogue) or list(a.source.catalogue) != list(b.source.catalogue):
        return False
    left, right = a.values(a.names()), b.values(b.names())
    pairs = [(a.time, b.time), (a.steps, b.steps), *((left[name], right[name]) for name in left)]
    return all(np.array_equal(x, y, equal_nan=True) for x, y in pairs)


# -- writing ---------------------------------------------------------------------------------------------------


def _content(result: Result) -> bytes:
    """The HDF5 file, made in memory: HDF5 does not survive a disk that becomes full."""
    import h5netcdf

    memory = io.BytesIO()
    with h5netcdf.File(memory, "w") as file:
        _write_record(file, result)
        _write_grid(file, result)
        _write_quantities(file, result)
    return memory.getvalue()


def _record(result: Result) -> dict[str, Any]:
    """All but the numbers and the model, as plain data."""
    return {
        "outcome": asdict(result.outcome) | {"status": result.outcome.status.name},
        "settings": dict(result.settings),
        "statistics": {name: _plain(value) for name, value in result.statistics.items()},
        "events": [
            {"name": e.name, "time": float(e.time), "values": _floats(e.values), "terminal": e.terminal}
            for e in result.events
        ],
        "modes": result.modes.stored(),
        "notes": list(result.notes),
        "variable": asdict(result.variable),
        "audit": result.audit.stored(),
        "accuracy": None if result.accuracy is None else asdict(result.accuracy),
        "drawing": result.drawing.to_dict(),
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


def _write_record(file: Any, result: Result) -> None:
    file.attrs["title"] = result.name or "result"
    file.attrs["outcome"] = str(result.outcome)
    from importlib.metadata import version  # slow to import, and only a file needs it

    file.attrs["linkwork_version"] = version("linkwork")
    file.attrs["linkwork_format"] = FORMAT
    file.attrs["linkwork_checksum"] = "SHA-256 behind the end of the HDF5 content"
    file.attrs["linkwork_name"] = json.dumps(result.name)
    file.attrs["linkwork_record"] = json.dumps(_record(result))
    file.attrs["linkwork_model"] = json.dumps(result.model_text)


def _write_grid(file: Any, result: Result) -> None:
    file.dimensions = {"time": len(result.time), "step": len(result.steps)}
    for name, dimension, values in (("time", "time", result.time), ("step_time", "step", result.steps)):
        variable = file.create_variable(name, (dimension,), "f8", data=np.asarray(values, dtype="f8"))
        variable.attrs["units"] = result.variable.unit or "1"
        variable.attrs["long_name"] = result.variable.name if name == "time" else "times of the accepted steps"


def _write_quantities(file: Any, result: Result) -> None:
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


# -- reading ---------------------------------------------------------------------------------------------------


def _check_format(file: Any, path: Path, checked: bool) -> None:
    written = file.attrs.get("linkwork_format")
    if written is None:
        raise ResultError(f"'{path}' is a netCDF file, but not one that Linkwork wrote")
    version = int(np.ravel(written)[0])
    if version > FORMAT:
        raise ResultError(f"'{path}' has format {version}, this Linkwork reads up to {FORMAT}; update Linkwork")
    if version >= CHECKED and not checked:
        raise ResultError(f"'{path}' has lost its checksum: it is damaged, or another program has changed it")


def _read(file: Any, path: Path) -> Result:
    record = _told(file, "linkwork_record")
    outcome = record["outcome"]
    return Result(
        name=_told(file, "linkwork_name"),
        time=np.asarray(file["time"][...], dtype="f8"),
        source=_file_source(file, path, record["reactions"]),
        drawing=Drawing.from_dict(record["drawing"]),
        outcome=Outcome(**(outcome | {"status": Status[outcome["status"]]})),
        model_text=_told(file, "linkwork_model"),
        steps=np.asarray(file["step_time"][...], dtype="f8"),
        events=tuple(EventRecord(**event) for event in record["events"]),
        settings=record["settings"],
        statistics=record["statistics"],
        modes=RunModes.restored(record.get("modes", {})),
        notes=tuple(record["notes"]),
        variable=Variable(**record.get("variable", {})),
        auditor=_kept_audit(record.get("audit")),
        accuracy=Accuracy(**record["accuracy"]) if record.get("accuracy") else None,
    )


def _kept_audit(data: Mapping[str, Any] | None) -> KeptAudit:
    return KeptAudit(NOT_KEPT if data is None else Audit.restored(data))


def _told(content: Any, name: str) -> Any:
    """What an attribute tells, as plain data."""
    return json.loads(content.attrs[name])


def _file_source(file: Any, path: Path, reactions: Mapping[str, Any]) -> FileSource:
    entries = []
    for variable, content in file.items():
        if variable not in RESERVED and "linkwork_quantity" in content.attrs:
            entries.append((*_told(content, "linkwork_quantity"), variable))
    entries.sort()
    return FileSource(
        path=path.resolve(),
        catalogue={name: Quantity(name, unit, description) for _, name, unit, description, _ in entries},
        variables={name: variable for _, name, _, _, variable in entries},
        stamp=_stamp(path),
        reaction_components={
            element: ReactionInfo(
                **info | {"components": tuple(info["components"]), "not_unique": tuple(info["not_unique"])}
            )
            for element, info in reactions.items()
        },
    )


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return (status.st_mtime_ns, status.st_size)
