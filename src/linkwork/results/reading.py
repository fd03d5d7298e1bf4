"""Results from netCDF-4 files, as ``store`` writes them; those of version 1 have no checksum, and newer ones are refused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.algebra.given import FilePath
from linkwork.arguments import verb
from linkwork.errors import ResultError
from linkwork.outline import outlined
from linkwork.results.accuracy import Accuracy
from linkwork.results.audit import NOT_KEPT, Audit, KeptAudit
from linkwork.results.checksum import CHECKED, check_content
from linkwork.results.drawing import Drawing
from linkwork.results.older_files import check_readable
from linkwork.results.outcome import EventRecord, Outcome, Status
from linkwork.results.quantities import Array, LiveValue, Quantity, ReactionInfo, Stored, Variable
from linkwork.results.result import Result
from linkwork.results.run_modes import RunModes
from linkwork.results.store import FORMAT, RESERVED


@outlined
@dataclass(frozen=True)
class FileSource(Stored):
    """Quantities read from a result file when they are asked for; the file is not kept open."""

    path: Path
    catalogue: Mapping[str, Quantity]
    variables: Mapping[str, str]  # quantity -> variable in the file
    stamp: tuple[int, int]  # modification time in ns and size when the file was first read
    reaction_components: Mapping[str, ReactionInfo] = field(default_factory=dict)
    parameters: Mapping[str, LiveValue] = field(default_factory=dict)

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


@verb
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
        source=_file_source(file, path, record),
        drawing=Drawing.from_dict(record["drawing"]),
        outcome=Outcome(**(outcome | {"status": Status[outcome["status"]]})),
        model_text=_told(file, "linkwork_model"),
        steps=np.asarray(file["step_time"][...], dtype="f8"),
        events=tuple(EventRecord(**event) for event in record["events"]),
        settings=record["settings"],
        statistics=record["statistics"],
        modes=RunModes.restored(record.get("modes", {})),
        freedoms=tuple(record.get("freedoms", ())),
        noted=tuple(record["notes"]),
        variable=Variable(**record.get("variable", {})),
        auditor=_kept_audit(record.get("audit")),
        accuracy=Accuracy(**record["accuracy"]) if record.get("accuracy") else None,
    )


def _kept_audit(data: Mapping[str, Any] | None) -> KeptAudit:
    return KeptAudit(NOT_KEPT if data is None else Audit.restored(data))


def _told(content: Any, name: str) -> Any:
    """What an attribute tells, as plain data."""
    return json.loads(content.attrs[name])


def _file_source(file: Any, path: Path, record: Mapping[str, Any]) -> FileSource:
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
            for element, info in record["reactions"].items()
        },
        parameters={
            name: np.array(value) if isinstance(value, list) else value
            for name, value in record.get("parameters", {}).items()
        },
    )


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return (status.st_mtime_ns, status.st_size)
