"""Studies from netCDF-4 files, as ``study_store`` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.algebra.given import FilePath
from linkwork.answer import Column
from linkwork.arguments import verb
from linkwork.errors import ResultError
from linkwork.results.checksum import check_content
from linkwork.results.outcome import Outcome, Status
from linkwork.results.quantities import Quantity, Variable
from linkwork.results.study import NOT_BEGUN, Study
from linkwork.results.study_store import FORMAT, place_of


@verb
def load_study(path: FilePath) -> Study:
    """Read the file of a study (.nc) that `Study.save` has written."""
    import h5py

    source = Path(path)
    if not source.is_file():
        raise ResultError(f"there is no file '{source}' of a study")
    check_content(source)
    try:
        with h5py.File(source, "r") as file:
            if "linkwork_study" not in file.attrs:
                raise ResultError(f"'{source}' is no study; the result of one run is read by load_result")
            if int(np.ravel(file.attrs["linkwork_study"])[0]) > FORMAT:
                raise ResultError(f"'{source}' was written by a newer Linkwork")
            return _read(file, json.loads(file.attrs["linkwork_record"]))
    except ResultError:
        raise
    except Exception as error:  # whatever HDF5 and JSON find in a damaged file
        raise ResultError(f"'{source}' is not a readable study ({type(error).__name__})") from error


def _read(file: Any, record: dict[str, Any]) -> Study:
    quantities = {entry["name"]: Quantity(**entry) for entry in record["quantities"]}
    over = Variable(**record["variable"])
    given = tuple(
        Column(name, np.array(file[place_of("given", i, name)]), unit) for i, (name, unit) in enumerate(record["given"])
    )
    places = {name: place_of("quantity", i, name) for i, name in enumerate(quantities)}
    peaks = {name: np.array(file[f"peaks@{i}"]) for i, name in enumerate(quantities)} if record["peaks"] else {}
    return Study(
        name=record["name"],
        verb=record["verb"],
        given=given,
        quantities=quantities,
        values={name: np.array(file[place]) for name, place in places.items()},
        outcomes=_outcomes(np.array(file["reached"]), record["outcomes"]),
        samples=np.array(file[over.name]) if over.name in file else None,
        variable=over,
        peaks=peaks,
        words={name: tuple(words) for name, words in record["words"].items()},
        settings=record["settings"],
        statistics=record["statistics"],
        notes=tuple(record["notes"]),
    )


def _outcomes(reached: Any, told: dict[str, Any]) -> tuple[Outcome, ...]:
    found = [Outcome(time=float(time)) for time in reached]
    for number, entry in told.items():
        outcome = Outcome(**entry | {"status": Status[entry["status"]]})
        found[int(number)] = NOT_BEGUN if outcome == NOT_BEGUN else outcome
    return tuple(found)
