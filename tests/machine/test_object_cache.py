"""A cache returns what was put in, or nothing; it never raises and never returns damaged bytes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from linkwork.machine import ObjectCache, cache_directory


def test_what_was_put_comes_back_also_in_another_instance(tmp_path: Path) -> None:
    ObjectCache(tmp_path).put("a" * 64, b"machine code")
    assert ObjectCache(tmp_path).get("a" * 64) == b"machine code"
    assert ObjectCache(tmp_path).get("b" * 64) is None


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 100], ids=["empty", "truncated", "overwritten"])
def test_a_damaged_entry_is_a_miss_and_can_be_replaced(tmp_path: Path, damage: bytes) -> None:
    cache = ObjectCache(tmp_path)
    cache.put("k", b"good" * 20)
    (entry,) = cache.directory.iterdir()
    entry.write_bytes(damage)
    assert cache.get("k") is None
    cache.put("k", b"better")
    assert cache.get("k") == b"better"


def test_a_single_flipped_bit_is_noticed(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    cache.put("k", b"good" * 20)
    (entry,) = cache.directory.iterdir()
    stored = bytearray(entry.read_bytes())
    stored[-1] ^= 1
    entry.write_bytes(bytes(stored))
    assert cache.get("k") is None


def test_an_entry_under_another_key_is_a_miss(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    cache.put("k", b"code of k")
    cache._path("k").rename(cache._path("other"))
    assert cache.get("other") is None
    cache._path("other").rename(cache._path("k"))
    assert cache.get("k") == b"code of k"


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_the_folder_is_private_and_what_others_could_write_is_not_trusted(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)  # the folder that the user chose stays as it is
    cache = ObjectCache(tmp_path)
    cache.put("k", b"code")
    assert cache.directory.stat().st_mode & 0o777 == 0o700
    assert tmp_path.stat().st_mode & 0o777 == 0o777
    cache.directory.chmod(0o755)  # others could read, not write
    assert ObjectCache(tmp_path).get("k") == b"code"
    assert cache.directory.stat().st_mode & 0o777 == 0o700
    cache.directory.chmod(0o777)
    assert ObjectCache(tmp_path).get("k") is None


@pytest.mark.skipif(sys.platform == "win32", reason="owners are those of POSIX")
def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ObjectCache(tmp_path)
    cache.put("k", b"code")
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert cache.get("k") is None
    cache.put("other", b"code")
    monkeypatch.undo()
    assert cache.get("other") is None
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "objects").symlink_to(cache.directory)
    assert ObjectCache(linked).get("k") is None


def test_a_directory_that_cannot_exist_is_a_miss(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a directory")
    cache = ObjectCache(blocker / "cache")
    cache.put("k", b"data")
    assert cache.get("k") is None
    cache.clear()


def test_no_temporary_file_stays_when_the_entry_cannot_be_written(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    cache._path("k").mkdir(parents=True)
    cache.put("k", b"data")
    assert cache.get("k") is None
    assert [path.name for path in cache.directory.iterdir()] == [cache._path("k").name]


def test_clear_removes_every_entry(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    cache.put("k", b"data")
    cache.clear()
    assert cache.get("k") is None
    assert list(cache.directory.iterdir()) == []


def test_trim_keeps_what_was_used_last(tmp_path: Path) -> None:
    cache = ObjectCache(tmp_path)
    for age, key in enumerate(["newest", "middle", "oldest"]):
        cache.put(key, bytes(1000))
        os.utime(cache._path(key), (1e9 - age, 1e9 - age))
    assert cache.get("oldest") is not None  # being used makes it young
    cache.trim(limit=2100)
    assert cache.get("middle") is None
    assert cache.get("oldest") is not None
    assert cache.get("newest") is not None


def test_the_directory_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "here"))
    assert cache_directory() == tmp_path / "here"
    monkeypatch.delenv("LINKWORK_CACHE")
    assert cache_directory().name == "linkwork"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the variable belongs to Linux desktops")
def test_the_directory_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LINKWORK_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "linkwork"
