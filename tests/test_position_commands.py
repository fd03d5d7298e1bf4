"""The commands ``linkwork assemble`` and ``linkwork solve-kinematics``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli import main

FOUR_BAR = Path(__file__).parents[1] / "src" / "linkwork" / "mechanisms" / "driven_four_bar.yaml"


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    return int(stop.value.code or 0)


def test_a_pose_is_printed(capsys):
    assert run("assemble", FOUR_BAR, "--near", "O=30 deg", "--near", "coupler.P=1,2", "--priority", "coupler.P=2") == 0
    text = capsys.readouterr().out
    assert "O at 30 deg" in text
    assert "nearest to (1, 2) m" in text


def test_a_pose_is_drawn_and_written(tmp_path, capsys):
    files = ("--plot", tmp_path / "pose.png", "--save", tmp_path / "pose.yaml")
    assert run("assemble", FOUR_BAR, "--near", "O=30 deg", *files) == 0
    assert (tmp_path / "pose.png").exists()
    assert lw.assemble(lw.load(tmp_path / "pose.yaml"))["O.angle"] == pytest.approx(np.radians(30), abs=1e-9)
    assert run("assemble", FOUR_BAR, *files) == 5
    assert "exists already" in capsys.readouterr().err
    assert run("assemble", FOUR_BAR, *files, "--force") == 0


def test_a_motion_from_a_table_with_all_pictures(tmp_path, capsys):
    rows = "\n".join(f"{t},{0.4 + t * t}" for t in np.linspace(0, 1, 11))
    (tmp_path / "motion.csv").write_text(f"time [s],O.angle [rad]\n{rows}")
    words = (
        "--motion",
        tmp_path / "motion.csv",
        "--html",
        "page.html",
        "--plot",
        "angle.png",
        "-q",
        "C.angle",
        "--paths",
        "paths.png",
        "--trace",
        "coupler.P",
        "--centrodes",
        "coupler",
    )
    assert run("solve-kinematics", FOUR_BAR, *words, "--out", tmp_path) == 0
    result = lw.load_result(tmp_path / "driven_four_bar_kinematics.nc")
    np.testing.assert_allclose(result["O.speed"], 2 * result.time, atol=1e-9)
    for name in ("page.html", "angle.png", "paths.png"):
        assert (tmp_path / name).exists()
    assert "rates of O.angle are those of splines" in capsys.readouterr().out
    assert run("solve-kinematics", FOUR_BAR, "--motion", tmp_path / "motion.csv", "--motion", "O=t") == 2


def test_a_motion_is_written(tmp_path, capsys):
    assert run("solve-kinematics", FOUR_BAR, "--motion", "O=0 deg:90 deg:10", "--out", tmp_path) == 0
    result = lw.load_result(tmp_path / "driven_four_bar_kinematics.nc")
    np.testing.assert_allclose(result["O.angle"], np.linspace(0, np.pi / 2, 10), atol=1e-12)
    assert "completed" in capsys.readouterr().out


def test_a_dead_centre_is_an_exit_code_and_wrong_words_are_told(tmp_path, capsys):
    assert run("solve-kinematics", FOUR_BAR, "--motion", "C=90 deg:170 deg:5", "--out", tmp_path) != 0
    assert "2 inputs (O of driver 'motor', C) for 1 degree of freedom" in capsys.readouterr().err
    assert run("solve-kinematics", FOUR_BAR, "--motion", "O=90 deg:1:2:3", "--out", tmp_path) == 2
    assert run("assemble", FOUR_BAR, "--near", "30 deg") == 2
    assert run("assemble", FOUR_BAR, "--weight", "O=heavy", "--near", "O=1") == 2
    assert "is not a number" in capsys.readouterr().err
