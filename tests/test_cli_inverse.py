"""The command `inverse-dynamics` with motions by formulas, methods by name, and faults that are told together."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli import main

ROD = """
linkwork: 1
name: rod
space: planar
gravity: [0, -9.81]
points: {O: [0, 0], P: [2, 0]}
bodies: {rod: {bar: [O, P], mass: 3}}
joints: {O: {kind: revolute, bodies: [ground, rod]}}
"""


@pytest.fixture
def rod(tmp_path):
    file = tmp_path / "rod.yaml"
    file.write_text(ROD, encoding="utf-8")
    return file


def call(*words):
    with pytest.raises(SystemExit) as done:
        main([str(word) for word in words])
    return done.value.code


def test_a_motion_by_a_formula(rod, tmp_path, capsys):
    """A horizontal rod that turns with 2 rad/s: m g l/2 cos φ, and the centrifugal force in its pin."""
    words = ["inverse-dynamics", rod, "--motion", "O.angle=2*t", "--until", "1s", "--step", "0.1s", "--out", tmp_path]
    assert call(*words, "--method", "joint_elimination") == 0
    assert "1 motor for 1 degree of freedom, 11 samples, by joint_elimination" in capsys.readouterr().out
    found = lw.load_result(tmp_path / "rod_inverse.nc")
    assert found["O.angle.effort"] == pytest.approx(3 * 9.81 * np.cos(2 * found.time), abs=1e-12)
    assert found["O.fx"] == pytest.approx(-3 * 4 * np.cos(2 * found.time), abs=1e-12)
    assert "joint_elimination" in str(found.reactions)


def test_faults_are_told_together(rod, tmp_path, capsys):
    words = ["inverse-dynamics", rod, "--out", tmp_path]
    assert call(*words, "--motion", "O.angel=t", "--motor", "Q", "--method", "magic") == 1
    text = capsys.readouterr().err
    assert "3 faults" in text and "O.angel" in text and "'Q'" in text and "magic" in text
    assert call(*words, "--motion", "O.angle") == 2
    assert call(*words, "--motion", "O.angle=t", "--motion", tmp_path / "motion.csv") == 2
