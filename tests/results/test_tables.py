"""Results as xarray, pandas and text."""

import csv
from pathlib import Path

import numpy as np
import pytest

from exact_results import four_bar_result
from linkwork.errors import ResultError, UnknownNameError


def test_xarray_has_units_and_all_quantities() -> None:
    result = four_bar_result()
    data = result.to_xarray()
    assert list(data) == result.names()
    assert data["A.fx"].attrs == {"units": "N", "long_name": "x reaction at A"}
    np.testing.assert_array_equal(data["B.x"].sel(time=0.5), result["B.x"][50])


def test_dataframe_is_indexed_by_time() -> None:
    result = four_bar_result()
    frame = result.to_dataframe(["B.?"])
    assert list(frame.columns) == ["B.x", "B.y"]
    assert frame.attrs["units"] == {"B.x": "m", "B.y": "m"}
    np.testing.assert_array_equal(frame.index, result.time)


def test_csv_gives_every_number_back(tmp_path: Path) -> None:
    result = four_bar_result()
    path = result.save(tmp_path / "run.csv")
    with path.open(newline="", encoding="utf-8") as file:
        heading, *rows = csv.reader(file)
    loose = {"B.mz": " (not unique)"}
    assert heading == ["time [s]", *(result.quantity(name).label + loose.get(name, "") for name in result.names())]
    columns = np.array(rows, dtype=float).T
    np.testing.assert_array_equal(columns[0], result.time)
    for name, column in zip(result.names(), columns[1:], strict=True):
        np.testing.assert_array_equal(column, result[name])


def test_csv_refuses_unknown_names_and_old_files(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    with pytest.raises(UnknownNameError):
        four_bar_result().save(path, ["nothing"])
    assert not path.exists()
    path.write_text("mine")
    with pytest.raises(ResultError, match="exists already"):
        four_bar_result().save(path)
    assert path.read_text() == "mine"
