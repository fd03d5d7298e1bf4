"""Results in files: what is written comes back, bit for bit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xarray

from exact_results import conical_pendulum_result, four_bar_result
from linkwork.errors import ResultError
from linkwork.results import ArraySource, EventRecord, Outcome, Quantity, Result, Status, load_result

STOPPED = Outcome(Status.STOPPED_EARLY, "dead centre at joint B", 1.5, "B")


@pytest.mark.parametrize("result", [four_bar_result(), four_bar_result(outcome=STOPPED), conical_pendulum_result()])
def test_file_gives_an_identical_result(result: Result, tmp_path: Path) -> None:
    loaded = load_result(result.save(tmp_path / "run.nc"))
    assert loaded.identical(result)
    assert loaded.drawing == result.drawing
    assert loaded.outcome == result.outcome
    assert loaded.events == result.events
    assert {k: v.not_unique for k, v in loaded.reactions.items()} == {
        k: v.not_unique for k, v in result.reactions.items()
    }


def test_identical_sees_every_difference() -> None:
    result = four_bar_result()
    changed = dict(result.source.evaluate(result.names()))
    changed["B.x"] = changed["B.x"] + np.eye(1, len(result), 7)[0] * 1e-15
    assert not result.identical(replace(result, source=ArraySource(result.source.catalogue, changed)))
    assert not result.identical(replace(result, noted=()))
    assert not result.identical(replace(result, model_text="other"))
    assert not result.identical(replace(result, events=(EventRecord("x", 0.0),)))
    assert result.identical(replace(result))


def test_other_programs_read_names_units_and_numbers(tmp_path: Path) -> None:
    result = four_bar_result()
    with xarray.open_dataset(result.save(tmp_path / "run.nc"), engine="h5netcdf") as data:
        np.testing.assert_array_equal(data["B.x"].values, result["B.x"])
        assert data["B.x"].attrs["units"] == "m"
        assert data["B.x"].dims == ("time",)
        assert data.attrs["outcome"] == "completed"


def test_strange_names_large_texts_and_gaps_survive(tmp_path: Path) -> None:
    names = ["a/b", "time", " x", "ünï.x", "quantity@0", "plain.x", "quote\"'\\", ""]
    arrays = {name: np.array([float(i), np.nan, np.inf]) for i, name in enumerate(names)}
    catalogue = {name: Quantity(name, "" if name == "time" else "kg·m²", f"about {name}") for name in names}
    result = replace(
        four_bar_result(),
        name="ä/ö",
        time=np.arange(3.0),
        source=ArraySource(catalogue, arrays),
        model_text="# größe\n" * 20_000,
        statistics={"steps": np.int64(3), "rate": np.float64(0.1)},
    )
    loaded = load_result(result.save(tmp_path / "run.nc"))
    assert loaded.names() == names
    assert loaded.identical(result)


def test_result_without_samples_survives(tmp_path: Path) -> None:
    source = ArraySource({"x": Quantity("x", "m")}, {"x": np.empty(0)})
    result = Result("empty", np.empty(0), source, four_bar_result().drawing, STOPPED)
    assert load_result(result.save(tmp_path / "run.nc")).identical(result)


def test_nothing_is_overwritten_unless_asked(tmp_path: Path) -> None:
    path = four_bar_result().save(tmp_path / "run.nc")
    before = path.read_bytes()
    with pytest.raises(ResultError, match=r"exists already.*overwrite=True"):
        conical_pendulum_result().save(path, overwrite=False)
    assert path.read_bytes() == before
    conical_pendulum_result().save(path)
    assert load_result(path).name == "conical pendulum"
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.nc"]


def test_failed_write_leaves_the_old_file_alone(tmp_path: Path) -> None:
    result = four_bar_result()
    path = result.save(tmp_path / "run.nc")
    with pytest.raises(ResultError, match=r"'crank\.angle' has 201 values for 3 times"):
        replace(result, time=np.arange(3.0)).save(path, overwrite=True)
    assert load_result(path).identical(result)
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.nc"]


def test_wrong_files_are_refused_in_words(tmp_path: Path) -> None:
    text = tmp_path / "text.nc"
    text.write_text("not a netCDF file")
    foreign = tmp_path / "foreign.nc"
    xarray.Dataset({"x": ("time", np.arange(3.0))}).to_netcdf(foreign, engine="h5netcdf")
    with pytest.raises(ResultError, match=r"text\.nc' is not a readable Linkwork result"):
        load_result(text)
    with pytest.raises(ResultError, match="not one that Linkwork wrote"):
        load_result(foreign)
    with pytest.raises(ResultError, match="no result file"):
        load_result(tmp_path / "missing.nc")
    with pytest.raises(ResultError, match=r"endings that work .* \.nc, \.csv"):
        four_bar_result().save(tmp_path / "run.txt")
    with pytest.raises(ResultError, match="does not exist"):
        four_bar_result().save(tmp_path / "nowhere" / "run.nc")


def test_newer_format_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwork.results.store.FORMAT", 3)
    path = four_bar_result().save(tmp_path / "run.nc")
    monkeypatch.undo()
    with pytest.raises(ResultError, match="format 3, this Linkwork reads up to 2"):
        load_result(path)


def test_file_changed_after_loading_is_noticed(tmp_path: Path) -> None:
    path = four_bar_result().save(tmp_path / "run.nc")
    loaded = load_result(path)
    conical_pendulum_result().save(path, overwrite=True)
    with pytest.raises(ResultError, match="changed or removed"):
        loaded["B.x"]
