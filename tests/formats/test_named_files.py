"""Tables and meshes that model files name: regular files of a bounded size in the folder of the model file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import linkwork as lw

MODEL = """
linkwork: 1
space: planar
points: {{O: [0, 0], A: [1, 0], W: [2, 1]}}
bodies: {{arm: {{bar: [O, A], mass: 1}}}}
joints: {{O: {{kind: revolute, bodies: [ground, arm]}}}}
forces: {{S: {{kind: spring, between: [arm.A, ground.W], table: {{file: {file}}}}}}}
"""
ROWS = "0, 0\n1, 10\n2, 30\n"


def model_with(folder: Path, file: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "m.yaml"
    path.write_text(MODEL.format(file=file))
    return path


def test_tables_beside_and_below_the_model_are_read(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "s.csv").write_text(ROWS)
    model = lw.load(model_with(tmp_path, "data/s.csv"))
    assert len(model.forces["S"].table.rows) == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize("heading", ["x [mm], F [kN]", "# x [mm]  F [kN]", "length (mm);force (kN)", "x [mm]\tF [kN]"])
def test_units_of_a_heading_are_read(tmp_path: Path, heading: str) -> None:
    (tmp_path / "s.csv").write_text(f"{heading}\n0 0\n250 10\n2500 30\n")
    force = lw.load(model_with(tmp_path, "s.csv")).forces["S"]
    rows = [[float(str(item)) for item in row] for row in force.table.rows]  # type: ignore[attr-defined]
    assert rows == [[0.0, 0.0], [0.25, 1e4], [2.5, 3e4]]


def test_units_of_a_heading_measure_what_the_column_is(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("hush [mm], F [mm]\n0 0\n1 10\n")
    with pytest.raises(lw.errors.ModelError, match=r"column of values of '.*s.csv' is not one of a force") as caught:
        lw.load(model_with(tmp_path, "s.csv"))
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("way", ["up", "absolute", "link"])
def test_files_outside_the_folder_are_read_when_that_is_allowed(tmp_path: Path, way: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(ROWS)
    names = {"up": "../secret.txt", "absolute": str(secret), "link": "inside.txt"}
    path = model_with(tmp_path / "models", names[way])
    if way == "link":
        if sys.platform == "win32":
            pytest.skip("links need a privilege there")
        (tmp_path / "models" / "inside.txt").symlink_to(secret)
    with pytest.raises(lw.errors.ModelError, match=r"forces\.S\.table: .*outside the folder.*\n.*allow_outside=True"):
        lw.load(path)
    assert len(lw.load(path, allow_outside=True).forces["S"].table.rows) == 3  # type: ignore[attr-defined]


def test_no_message_shows_what_stands_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("1 2\nhush:x:0:0\n")
    path = model_with(tmp_path / "models", "../secret.txt")
    for allowed in (False, True):
        with pytest.raises(lw.errors.ModelError) as caught:
            lw.load(path, allow_outside=allowed)
        assert "hush" not in str(caught.value)
    assert "line 2 of" in str(caught.value)


def test_devices_folders_and_large_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "large.csv").write_bytes(b"0 0\n" * 2**21)
    (tmp_path / "folder").mkdir()
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    cases = {
        "large.csv": "larger than 4 MB",
        "folder": "no regular file",
        "nothing.csv": "no file",
        "bytes.csv": "UTF-8",
    }
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        cases["pipe"] = "no regular file"
    for name, reason in cases.items():
        with pytest.raises(lw.errors.ModelError, match=reason):
            lw.load(model_with(tmp_path, name))
    if sys.platform != "win32":
        with pytest.raises(lw.errors.ModelError, match="no regular file"):
            lw.load(model_with(tmp_path, "/dev/zero"), allow_outside=True)


def test_the_command_line_allows_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from linkwork.cli import main

    (tmp_path / "s.csv").write_text(ROWS)
    path = str(model_with(tmp_path / "models", "../s.csv"))
    with pytest.raises(SystemExit) as stop:
        main(["check", path])
    assert stop.value.code == 1 and "--allow-outside" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stop:
        main(["check", path, "--allow-outside"])
    assert stop.value.code == 0
