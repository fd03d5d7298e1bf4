"""The command `doctor`: what is there is told, what is wrong is an exit code."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

import linkwork as lw
from linkwork.cli import main
from linkwork.extras import Extra

DOCTOR = import_module("linkwork.cli.doctor")


def call(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["doctor", *words])
    return int(end.value.code or 0)


def test_a_machine_on_which_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert call() == 0
    printed = capsys.readouterr().out
    assert f"linkwork       {lw.__version__}" in printed and "everything is in place" in printed
    assert call("--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["faults"] == [] and found["cache"]["writable"] is True
    assert found["trial"]["outcome"] == "completed" and found["trial"]["compiled"] > 0
    entries = Path(found["cache"]["folder"]).glob("*.bin")
    assert found["cache"]["bytes"] == pytest.approx(sum(file.stat().st_size for file in entries), rel=0.05)
    assert not list(Path(found["cache"]["folder"]).glob("trial-*"))


def test_a_cache_that_cannot_be_written_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(DOCTOR, "_trial", lambda faults: {})
    assert call("--json") == 1
    found, told = capsys.readouterr()
    assert json.loads(found)["cache"]["writable"] is False and "LINKWORK_CACHE" in told


def test_what_is_missing_or_fails_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object, **__: object) -> None:
        raise lw.errors.CompileError("no such processor")

    monkeypatch.setattr(lw, "simulate", broken, raising=False)
    monkeypatch.setattr(DOCTOR, "EXTRAS", {"none": Extra("no-such-package", "meshes", "masses")})
    assert call() == 1
    found, told = capsys.readouterr()
    assert 'missing: masses; pip install "linkwork[meshes]"' in found
    assert "no such processor" in told and "everything is in place" not in found
    monkeypatch.setattr(DOCTOR, "NEEDED", ("no-such-package",))
    assert call() == 1
    assert "no-such-package is missing" in capsys.readouterr().err
