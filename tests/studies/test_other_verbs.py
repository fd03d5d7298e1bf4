"""Kinematics, equilibria and inverse dynamics of many variants: each is what the verb of one gives."""

from __future__ import annotations

import numpy as np
import pytest
from varied_mechanisms import four_bar

import linkwork as lw
from linkwork.errors import RefusedError


def test_kinematics_of_many() -> None:
    lengths = [0.25, 0.4, 3.8]
    kept = ["C.angle", "B.ax"]
    study = lw.studies.solve_kinematics_many(
        four_bar(initial={}), {"O": "90 deg + 2*t"}, until=1.0, step=0.1, parameters={"a": lengths}, quantities=kept
    )
    assert study.completed.tolist() == [True, True, False]
    for i in (0, 1):
        run = lw.solve_kinematics(
            four_bar(initial={}), {"O": "90 deg + 2*t"}, until=1.0, step=0.1, parameters={"a": lengths[i]}
        )
        for name in kept:
            np.testing.assert_allclose(study[name][i], run[name], rtol=1e-10, atol=1e-10)


def test_kinematics_over_the_way_of_an_input() -> None:
    angles = np.linspace(0.5, 2.5, 5)
    study = lw.studies.solve_kinematics_many(
        four_bar(initial={}), {"O.angle": angles}, parameters={"a": [0.25, 0.4]}, quantities=["C.angle"]
    )
    run = lw.solve_kinematics(four_bar(initial={}), {"O.angle": angles}, parameters={"a": 0.25})
    assert not study.variable.is_time and study.variable == run.variable
    np.testing.assert_allclose(study["C.angle"][0], run["C.angle"], rtol=1e-10)


def test_equilibria_of_many() -> None:
    """A rod with a torsion spring stands upright while k > m g l / 2, and falls below it."""
    inverted = lw.Model(
        name="rod",
        space="planar",
        gravity=[0, -9.81],
        parameters={"k": {"value": 10, "live": True}},
        points={"O": [0, 0], "P": [0, 1]},
        bodies={"rod": {"bar": ["O", "P"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
        forces={"spring": {"kind": "torsion_spring", "joint": "O", "stiffness": "k", "free_angle": "90 deg"}},
    )
    limit = 9.81 / 2
    study = lw.studies.find_equilibrium_many(inverted, parameters={"k": [1.5 * limit, 0.5 * limit, 2 * limit]})
    upright = abs(study["O.angle"] - np.pi / 2) < 1e-9
    assert upright.tolist() == [True, False, True]
    assert study.words["stability"] == ("stable", "stable", "stable")
    # k (φ − π/2) = m g l / 2 sin(φ − π/2)
    bent = study["O.angle"][1] - np.pi / 2
    assert 0.5 * limit * bent == pytest.approx(limit * np.sin(bent), abs=1e-8)


def test_inverse_dynamics_of_many() -> None:
    """A crank alone that turns steadily: the torque holds its weight, m g a / 2 cos φ."""
    crank = lw.Model(
        name="crank",
        space="planar",
        gravity=[0, -9.81],
        parameters={"m": {"value": 1, "live": True}},
        points={"O": [0, 0], "A": [0.5, 0]},
        bodies={"crank": {"bar": ["O", "A"], "mass": "m"}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "crank"]}},
    )
    masses = np.array([1.0, 2.0, 5.0])
    study = lw.studies.inverse_dynamics_many(
        crank, {"O.angle": "2*t"}, until=1.0, step=0.1, parameters={"m": masses}, peaks=True
    )
    expected = np.outer(masses * 9.81 * 0.25, np.cos(2 * study.time))
    (name,) = study.values
    np.testing.assert_allclose(study[name], expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(study.peaks[name][:, 1], masses * 9.81 * 0.25, rtol=1e-9)


def test_an_equilibrium_is_no_beginning_of_many() -> None:
    rest = lw.find_equilibrium(four_bar())
    with pytest.raises(RefusedError, match="parameters of one variant"):
        lw.studies.find_equilibrium_many(rest, parameters={"a": [0.3]})
