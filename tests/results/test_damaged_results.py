"""Result files that were damaged: each is refused in words, quickly, and none is silently different."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray

from exact_results import four_bar_result
from linkwork.errors import ResultError
from linkwork.results import load_result
from linkwork.results.checksum import TRAILER


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return four_bar_result().save(tmp_path_factory.mktemp("whole") / "run.nc").read_bytes()


def flipped(content: bytes, rng: np.random.Generator) -> bytes:
    data = bytearray(content)
    for place in rng.integers(0, len(data), rng.integers(1, 4)):
        data[place] ^= 1 << int(rng.integers(8))
    return bytes(data)


def cut(content: bytes, rng: np.random.Generator) -> bytes:
    return content[: int(rng.integers(0, len(content)))]


def zeroed(content: bytes, rng: np.random.Generator) -> bytes:
    first = int(rng.integers(0, len(content)))
    count = min(int(rng.integers(1, 5000)), len(content) - first)
    return content[:first] + bytes(count) + content[first + count :]


def swapped(content: bytes, rng: np.random.Generator) -> bytes:
    a, b = sorted(int(x) for x in rng.integers(0, len(content), 2))
    return content[:a] + content[b:] + content[a:b]


@pytest.mark.parametrize("damage", [flipped, cut, zeroed, swapped])
def test_damaged_results_are_refused(damage, content: bytes, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    path, whole = tmp_path / "run.nc", four_bar_result()
    for _ in range(100):
        data = damage(content, rng)
        path.write_bytes(data)
        if data == content:
            assert load_result(path).identical(whole)
            continue
        with pytest.raises(ResultError, match=r"run\.nc' is (damaged|not a readable|a netCDF file, but not)"):
            load_result(path)


def rewritten(path: Path, version: int) -> Path:
    """The same result, written by another program without a checksum."""
    four_bar_result().save(path.with_suffix(".whole.nc"))
    with xarray.open_dataset(path.with_suffix(".whole.nc"), decode_cf=False) as data:
        del data.attrs["linkwork_checksum"]
        data.attrs["linkwork_format"] = version
        data.to_netcdf(path, engine="h5netcdf")
    return path


def test_older_files_without_a_checksum_are_read(tmp_path: Path) -> None:
    assert load_result(rewritten(tmp_path / "old.nc", 1)).identical(four_bar_result())


def test_older_files_that_are_damaged_raise_our_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of these keep HDF5 busy for ever; that a number differs cannot be known without a checksum."""
    monkeypatch.setattr("linkwork.results.older_files.LIMIT", 2.0)
    path = rewritten(tmp_path / "old.nc", 1)
    content, rng = path.read_bytes(), np.random.default_rng(7)
    refused = []
    for _ in range(12):
        path.write_bytes(zeroed(content, rng))
        try:
            found = load_result(path)
            found.values(found.names())
        except ResultError as error:
            refused.append(str(error))
    assert len(refused) > 3


def test_a_newer_file_that_lost_its_checksum_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.nc"
    path.write_bytes(content[:-TRAILER])
    with pytest.raises(ResultError, match="checksum is missing"):
        load_result(path)
    with pytest.raises(ResultError, match="lost its checksum"):
        load_result(rewritten(path, 2))


def test_other_programs_open_files_with_a_checksum(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.nc"
    path.write_bytes(content)
    with h5py.File(path) as file:
        np.testing.assert_array_equal(file["B.x"][...], four_bar_result()["B.x"])
    with xarray.open_dataset(path) as data:  # the engine is found by what the file begins with
        np.testing.assert_array_equal(data["B.x"].values, four_bar_result()["B.x"])


def test_files_damaged_after_loading(tmp_path: Path, content: bytes) -> None:
    import os

    path = tmp_path / "run.nc"
    path.write_bytes(content)
    loaded = load_result(path)
    stamp = path.stat()
    path.write_bytes(bytes(len(content)))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    with pytest.raises(ResultError, match="cannot be read"):
        loaded["B.x"]
