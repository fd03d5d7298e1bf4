"""Runs carry the live parameters that they were made with: what is asked of them later counts with these.

A rod of mass m and length l on a torsion spring k moves freely, so that no torque is left to a motor with the k of the run,
and (k' − k) φ with another k'.
"""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli import main
from linkwork.errors import RefusedError

ROD = """
linkwork: 1
name: rod
space: planar
gravity: [0, -9.81]
parameters: {k: {value: 10, live: true}}
points: {O: [0, 0], P: [2, 0]}
bodies: {rod: {bar: [O, P], mass: 3}}
joints: {O: {kind: revolute, bodies: [ground, rod]}}
forces: {spring: {kind: torsion_spring, joint: O, stiffness: k, free_angle: 0}}
"""
KEPT = {
    "alive": lambda run, folder: run,
    "detached": lambda run, folder: run.detach(),
    "pickled": lambda run, folder: pickle.loads(pickle.dumps(run)),
    "loaded": lambda run, folder: lw.load_result(run.save(folder / "run.nc")),
}


@pytest.fixture(scope="module")
def rod():
    return lw.loads(ROD)


@pytest.fixture(scope="module")
def run(rod):
    return lw.simulate(rod, 0.5, step=0.05, parameters={"k": 50})


@pytest.mark.parametrize("kept", KEPT)
def test_runs_have_their_parameters_however_they_are_kept(rod, run, kept, tmp_path):
    motion = KEPT[kept](run, tmp_path)
    assert motion.parameters == {"k": 50.0}
    assert motion.detach().identical(motion)
    for given, stiffness in (({}, 50), ({"k": 50}, 50), ({"k": 10}, 10), ({"k": "200 N*m/rad"}, 200)):
        found = lw.inverse_dynamics(rod, motion, motors=["O"], parameters=given)
        assert found["O.effort"] == pytest.approx((stiffness - 50) * motion["O.angle"], abs=1e-6)
        assert found.result.parameters == {"k": stiffness}


def test_arrays_have_no_parameters_and_take_those_of_the_model(rod, run):
    motion = {"time": run.time, **run.values(["O.angle", "O.speed", "O.acceleration"])}
    found = lw.inverse_dynamics(rod, motion, motors=["O"])
    assert found["O.effort"] == pytest.approx((10 - 50) * run["O.angle"], abs=1e-9)


def test_a_table_says_that_it_carries_no_parameters(rod, run, tmp_path):
    table = run.save(tmp_path / "run.csv")
    found = lw.inverse_dynamics(rod, table, motors=["O"])
    assert found["O.effort"] == pytest.approx((10 - 50) * run["O.angle"], abs=1e-6)
    assert any("carries no parameters: k as in the model" in note for note in found.notes)
    found = lw.inverse_dynamics(rod, table, motors=["O"], parameters={"k": 50})
    assert found["O.effort"] == pytest.approx(0, abs=1e-6)
    assert not any("carries no parameters" in note for note in found.notes)
    # a motion that is no table of a run has nothing to carry
    run.save(tmp_path / "motion.csv", names=["O.angle", "O.speed", "O.acceleration"])
    assert not lw.inverse_dynamics(rod, tmp_path / "motion.csv", motors=["O"]).notes


def test_the_command_takes_those_of_a_saved_run(run, tmp_path, capsys):
    (tmp_path / "rod.yaml").write_text(ROD, encoding="utf-8")
    run.save(tmp_path / "run.nc")
    words = [
        "inverse-dynamics",
        tmp_path / "rod.yaml",
        "--motion",
        tmp_path / "run.nc",
        "--motor",
        "O",
        "--out",
        tmp_path,
    ]
    for more, stiffness in (((), 50), (("--parameter", "k=20"), 20)):
        with pytest.raises(SystemExit) as done:
            main([str(word) for word in (*words, "--force", *more)])
        assert done.value.code == 0, capsys.readouterr().err
        found = lw.load_result(tmp_path / "rod_inverse.nc")
        assert found["O.angle.effort"] == pytest.approx((stiffness - 50) * run["O.angle"], abs=1e-6)
        assert found.parameters == {"k": stiffness}


def test_parameters_that_change_on_the_way_are_those_of_every_sample(rod, tmp_path):
    """A motor holds what the spring has more than in the free motion, at every sample."""
    stepped = lw.realtime(rod, "1 ms", keep=200, every=1)
    stepped.step(50)
    stepped.set(k=70)
    stepped.step(50)
    run = stepped.result
    k = np.where(np.arange(len(run)) <= np.flatnonzero(np.diff(run.parameters["k"]))[0], 10.0, 70.0)
    assert run.parameters["k"] == pytest.approx(k)
    for motion in (run, run.detach(), lw.load_result(run.save(tmp_path / "run.nc"))):
        free = lw.inverse_dynamics(rod, motion, motors=["O"])
        assert free["O.effort"] == pytest.approx(0, abs=1e-6)
        held = lw.inverse_dynamics(rod, motion, motors=["O"], parameters={"k": 0})
        assert held["O.effort"] == pytest.approx(-k * run["O.angle"], abs=1e-6)
    with pytest.raises(RefusedError, match="k changed in the course of the run"):
        lw.solve_kinematics(rod, run)


def test_a_stored_run_says_how_to_begin_anew(rod, run):
    with pytest.raises(RefusedError, match=r"parameters=result\.parameters"):
        lw.simulate(run.detach(), 1)
    assert lw.simulate(lw.loads(run.model_text), 0.5, step=0.05, parameters=run.detach().parameters)["O.angle"] == (
        pytest.approx(run["O.angle"], abs=1e-9)
    )


def linkage(length=1.0):
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        parameters={"a": {"value": length, "live": True}},
        points={"O": [0, 0], "A": [0.6, 0.8], "B": [2.9, 1.9], "C": [2.2, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": "a", "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": 2.5, "mass": 2},
            "rocker": {"bar": ["C", "B"], "length": 2, "mass": 1.5},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
    )


@pytest.mark.parametrize("kept", KEPT)
def test_a_run_is_a_motion_of_its_leading_coordinates(kept, tmp_path):
    """The kinematics of a run are those of the run, with its length of the crank; of another length with that one."""
    run = lw.simulate(linkage(), 0.3, step=0.01, parameters={"a": 0.9})
    motion = KEPT[kept](run, tmp_path)
    found = lw.solve_kinematics(linkage(), motion)
    assert found.parameters == {"a": 0.9}
    for name in ("C.angle", "C.speed", "C.acceleration", "B.y"):
        assert found[name] == pytest.approx(run[name], abs=1e-6)
    leading = lw.assemble(linkage(), {"O": float(run["O.angle"][-1])}, parameters={"a": 0.8})
    other = lw.solve_kinematics(linkage(), motion, parameters={"a": 0.8})
    assert other["C.angle"][-1] == pytest.approx(leading["C.angle"], abs=1e-8)
    held = lw.inverse_dynamics(linkage(), found, motors=["O"])
    assert lw.solve_kinematics(linkage(), held)["C.angle"] == pytest.approx(run["C.angle"], abs=1e-6)
    with pytest.raises(RefusedError, match="another model"):
        lw.solve_kinematics(
            lw.loads(ROD.replace("O:", "Q:").replace("[O, P]", "[Q, P]").replace("joint: O", "joint: Q")), motion
        )


def sweep_rising(sweep):
    order = np.argsort(sweep["O.angle"])
    return sweep["O.angle"][order], sweep["C.angle"][order]


@pytest.mark.parametrize("ends", [(0.9, 1.5), (1.5, 0.9)])
@pytest.mark.parametrize("units", [None, {"O.angle": "deg", "C.speed": "deg/rad"}])
def test_the_table_of_a_sweep_is_a_motion(units, ends, tmp_path):
    angles = np.linspace(*ends, 13)
    sweep = lw.solve_kinematics(linkage(), {"O": angles})
    names = ["O.*", "C.*"]
    table = sweep.save(tmp_path / "sweep.csv", names=names, units=units)
    expected = lw.inverse_dynamics(linkage(), sweep, motors=["O"])
    found = lw.inverse_dynamics(linkage(), table, motors=["O"])
    assert found["O.effort"] == pytest.approx(expected["O.effort"], abs=1e-6)
    assert any("over O.angle: it is taken at 1 rad per second" in note for note in found.notes)
    again = lw.solve_kinematics(linkage(), table)
    assert again["C.angle"] == pytest.approx(np.interp(again["O.angle"], *sweep_rising(sweep)), abs=1e-9)


def test_the_table_of_poses_is_one_of_poses(tmp_path):
    angles = np.array([0.9, 1.2, 0.7])
    poses = lw.inverse_dynamics(linkage(), {"O": angles}, motors=["O"])
    found = lw.inverse_dynamics(linkage(), poses.save(tmp_path / "poses.csv"), motors=["O"])
    assert found["O.effort"] == pytest.approx(poses["O.effort"], abs=1e-6)
    assert any("pose by pose" in note for note in found.notes)


def test_keys_of_efforts_are_names_of_the_answer():
    """A coordinate is the name of a motor too: what the keys of efforts, powers and works mean is the same in the answer."""
    found = lw.inverse_dynamics(linkage(), {"O": [0.9, 1.2, 0.7]}, motors=["O"])
    for values in (found.efforts, found.power, found.energy):
        for key in values:
            assert found[key] == pytest.approx(values[key])
    assert found.efforts["O.angle"] == pytest.approx(found["O.effort"])
    assert found.efforts.keys() == {"O.angle.effort"} and "O.angle" in found.efforts and "A" not in found.efforts
    assert pickle.loads(pickle.dumps(found.efforts)).keys() == found.efforts.keys()
    with pytest.raises(lw.errors.UnknownNameError, match=r"did you mean 'O\.angle'"):
        found.efforts["O.angel"]
