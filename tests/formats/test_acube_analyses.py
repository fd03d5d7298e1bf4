"""The three analyses of the published ACUBE file against the closed form of the four-bar, and against each other.

SOURCE: models/fourbar.dat is printed in D. Lee, Y. Youm, W. Chung, "Dynamics of Multibody Systems with Analytical
Kinematics", section 4. Its crank speed, 0.10965, is 2π degrees per second in radians; the text says 2π without a unit.
Here the crank has 2π rad/s, but for the last tests.
"""

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli import main
from linkwork.formats import load
from linkwork.formats.acube import read_acube

FILE = Path(__file__).parent / "models" / "fourbar.dat"
FAST = FILE.read_text().replace("1 0.10965 ", f"1 {2 * np.pi!r} ")
ANALYSES = ("kinematic", "force", "motion")
L1, L2, L3, O, D, START = 2.0, 4.0, 3.0, np.array([0.0, 0.0]), np.array([4.0, -1.0]), 1.5708
MASS, INERTIA = 22.0, 11.0


def test_the_speed_of_the_text_is_in_the_file():
    assert lw.loads(FAST, "acube").to_dict()["initial"] == {"O": {"speed": 2 * np.pi}}


# -- the closed form ---------------------------------------------------------------------------------------------------


def ray(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def closed_form(psi1):
    """ψ2, ψ3 of C1 sin ψ3 + C2 cos ψ3 + C3 = 0, from |B - A| = L2 with B = D + L3 (cos ψ3, sin ψ3)."""
    a = O[:, None] + L1 * ray(psi1)
    rx, ry = D[:, None] - a
    c1, c2, c3 = 2 * L3 * ry, 2 * L3 * rx, rx**2 + ry**2 + L3**2 - L2**2
    psi3 = np.arctan2(c1, c2) + np.arccos(-c3 / np.hypot(c1, c2))
    assert np.allclose(c1 * np.sin(psi3) + c2 * np.cos(psi3) + c3, 0.0, atol=1e-12)
    b = D[:, None] + L3 * ray(psi3)
    return np.arctan2(b[1] - a[1], b[0] - a[0]), psi3


def effective_inertia(psi1):
    """J of T = J ψ̇1²/2, from the velocities per unit of ψ̇1."""
    psi2, psi3 = closed_form(psi1)
    w2 = L1 * np.sin(psi3 - psi1) / (L2 * np.sin(psi2 - psi3))
    w3 = L1 * np.sin(psi2 - psi1) / (L3 * np.sin(psi2 - psi3))
    v2 = L1 * ray(psi1 + np.pi / 2) + 0.5 * L2 * w2 * ray(psi2 + np.pi / 2)
    squares = (L1 / 2) ** 2 + (v2**2).sum(axis=0) + (L3 / 2 * w3) ** 2
    return MASS * squares + INERTIA * (1.0 + w2**2 + w3**2)


def turned(angle, reference):
    """Difference of two angles, whole turns left out."""
    return np.abs(np.angle(np.exp(1j * (angle - reference)))).max()


# -- the three analyses ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs():
    """One second, a turn when driven, at the speed of the paper's text."""
    return {analysis: lw.simulate(read_acube(FAST, analysis).model, 1.0, step=0.01) for analysis in ANALYSES}


@pytest.mark.parametrize("analysis", ["kinematic", "force"])
def test_a_driven_crank_turns_at_its_speed_and_the_rest_follows_the_closed_form(runs, analysis):
    run = runs[analysis]
    psi1 = START + 2 * np.pi * run.time
    assert np.abs(run["crank.angle"] - psi1).max() < 1e-12
    assert np.abs(run["crank.speed"] - 2 * np.pi).max() < 1e-12
    psi2, psi3 = closed_form(psi1)
    assert turned(run["coupler.angle"], psi2) < 1e-10
    assert turned(run["follower.angle"], psi3) < 1e-10


def test_kinematic_and_force_analysis_agree_in_all_motion(runs):
    for body in ("crank", "coupler", "follower"):
        for quantity in ("x", "y", "angle", "vx", "vy", "speed", "ax", "ay", "acceleration"):
            name = f"{body}.{quantity}"
            scale = np.abs(runs["force"][name]).max() + 1.0
            assert np.abs(runs["kinematic"][name] - runs["force"][name]).max() < 1e-12 * scale, name
    assert np.abs(runs["kinematic"]["motor.effort"]).max() == 0.0


def test_the_driving_torque_is_half_the_slope_of_the_effective_inertia(runs):
    """Lagrange at constant ψ̇1: τ = J'(ψ1) ψ̇1²/2; the slope by differences of fourth order."""
    run, h = runs["force"], 1e-3
    psi1 = START + 2 * np.pi * run.time
    j = [effective_inertia(psi1 + k * h) for k in (-2, -1, 1, 2)]
    slope = (j[0] - 8 * j[1] + 8 * j[2] - j[3]) / (12 * h)
    torque = slope * (2 * np.pi) ** 2 / 2
    assert np.abs(run["motor.effort"] - torque).max() < 1e-7 * np.abs(torque).max()


def test_free_motion_follows_the_closed_form_and_keeps_its_energy(runs):
    """Without forces J(ψ1) ψ̇1² stays what it was."""
    run = runs["motion"]
    psi1 = run["crank.angle"]
    assert np.ptp(psi1) > np.pi
    speed = 2 * np.pi * np.sqrt(effective_inertia(psi1[:1]) / effective_inertia(psi1))
    assert np.abs(run["crank.speed"] - speed).max() < 1e-6
    assert turned(run["follower.angle"], closed_form(psi1)[1]) < 1e-10


def test_the_driving_torque_applied_to_the_free_crank_gives_the_driven_motion():
    """The torque of a quarter turn as a polynomial of s = 8 t - 1 through Chebyshev points."""
    driven = read_acube(FAST, "force").model
    nodes = np.sort(np.cos(np.pi * (np.arange(25) + 0.5) / 25))
    torque = lw.simulate(driven, times=(nodes + 1) / 8)["motor.effort"]
    coefficients = np.polynomial.chebyshev.cheb2poly(np.polynomial.chebyshev.chebfit(nodes, torque, 24))
    formula = "0"
    for coefficient in coefficients[::-1].tolist():
        formula = f"({coefficient!r} + (8*t - 1)*{formula})" if formula != "0" else f"({coefficient!r})"
    data = read_acube(FAST, "motion").model.to_dict()
    data["forces"] = {"motor": {"kind": "effort", "joint": "O", "value": formula}}
    free = lw.simulate(lw.Model(**data), 0.25)
    assert np.abs(torque).max() > 100.0
    assert np.abs(free["crank.angle"] - START - 2 * np.pi * free.time).max() < 1e-6
    assert np.abs(free["crank.speed"] - 2 * np.pi).max() < 1e-6


def test_the_printed_speed_gives_the_same_motion_in_another_time(runs):
    """Motion without forces: a slower start is the same path in stretched time, so the unit of 2π changes no curve."""
    slow = lw.simulate(load(FILE), times=runs["motion"].time * 2 * np.pi / 0.10965)
    for name in ("crank.angle", "coupler.angle", "follower.angle"):
        assert np.abs(slow[name] - runs["motion"][name]).max() < 1e-6


def test_the_command_line_runs_the_file(tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["run", str(FILE), "--until", "1s", "--out", str(tmp_path)])
    assert stopped.value.code == 0
    result = lw.load_result(tmp_path / "fourbar.nc")
    assert result["crank.speed"][0] == pytest.approx(0.10965, abs=1e-12)
    assert "fourbar" in capsys.readouterr().out
