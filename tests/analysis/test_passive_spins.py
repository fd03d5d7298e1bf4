"""Links between two balls, with mass: their spin about their own line is an ordinary freedom that nothing drives.

References: the same mechanism with a universal joint at one end of each rod, which has no such freedom.
"""

from __future__ import annotations

import numpy as np
import pytest
from drawn_delta import HOME, TURNS, delta

import linkwork as lw

RODS = [f"rod{i}{half}" for i in range(3) for half in "lr"]
SPRINGS = {
    f"spring{i}": {"kind": "torsion_spring", "joint": f"O{i}", "stiffness": 4.0, "damping": 0.02 * i, "free_angle": 0.5}
    for i in range(3)
}


def robot(held: bool = False, forces: dict | None = None, **rod: object) -> lw.Model:
    """The drawn delta robot with weight; *held*: universal joints instead of balls at the arms; rod: keys of all rods."""
    data = delta(HOME, rods=True).to_dict() | {"gravity": [0, 0, -9.81], "forces": forces or {}}
    for name in RODS:
        data["bodies"][name] |= rod
    for i, turn in enumerate(TURNS) if held else ():
        side = np.array([-np.sin(turn), np.cos(turn), 0.0])
        for half in "lr":
            a, b = (np.array(data["points"][f"{end}{i}{half}"]) for end in "AB")
            second = np.cross(b - a, side)
            axes = [side.tolist(), (second / np.linalg.norm(second)).tolist()]
            data["joints"][f"A{i}{half}"] |= {"kind": "universal", "axes": axes}
    return lw.Model(**data)


def swing(slender: bool, **settings: object) -> lw.Result:
    """A crank about x, a rod on balls, and a rocker about z: the rod is thin, or its twin has a universal joint."""
    points = {"O": [0, 0, 0], "A": [0, 0.1, 0.05], "B": [0.4, 0.3, 0.1], "C": [0.4, 0, 0]}
    ball = {"kind": "spherical"} if slender else {"kind": "universal", "axes": [[0, 0, 1], [1, -2, 0]]}
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points=points,
        bodies={
            "crank": {"points": ["O", "A"], "mass": 1.0, "com": "A", "inertia": [0.01, 0.01, 0.01]},
            "rod": {"bar": ["A", "B"], "mass": 2.0},
            "rocker": {"points": ["C", "B"], "mass": 1.0, "com": "B", "inertia": [0.01, 0.01, 0.01]},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"], "axis": [1, 0, 0]},
            "A": {"bodies": ["crank", "rod"], **ball},
            "B": {"kind": "spherical", "bodies": ["rod", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"], "axis": [0, 0, 1]},
        },
        initial={"O": {"speed": 3.0}},
    )
    return lw.simulate(model, until=1.0, **settings)


def test_spins_are_named_and_nothing_is_wrong_with_them():
    topology = lw.analyse(robot())
    assert (topology.mobility.by_rank, set(topology.passive)) == (9, set(RODS))
    text = str(topology)
    assert "slender, their spin stays as it is: " + ", ".join(topology.mobility.unresisted) in text
    assert "no dynamics" not in text and "formulation only" not in text


@pytest.fixture(scope="module")
def held():
    return swing(False)


@pytest.mark.parametrize(
    ("coordinates", "formulation"),
    [
        ("relative", "hybrid"),
        ("relative", "partitioning"),
        ("relative", "multipliers"),
        ("relative", "velocity_transformation"),
        ("reference_point", "partitioning"),
        ("natural", "partitioning"),
    ],
)
def test_a_thin_rod_between_balls_moves_like_its_twin_that_cannot_spin(held, coordinates, formulation):
    result = swing(True, coordinates=coordinates, formulation=formulation)
    assert result.audit.passed
    for name in ("O.angle", "C.angle", "B.fx", "B.fz"):
        assert np.allclose(result[name], held[name], rtol=0.0, atol=1e-6 * np.max(np.abs(held[name]))), name
    line = np.column_stack([result[f"B.{axis}"] - result[f"A.{axis}"] for axis in "xyz"])
    omega = np.column_stack([result[f"rod.w{axis}"] for axis in "xyz"])
    assert np.max(np.abs(np.sum(line * omega, axis=1))) < 1e-8


def test_a_delta_robot_moves_as_if_its_rods_could_not_spin():
    runs = [lw.simulate(robot(held, SPRINGS), until=1.0, formulation="partitioning") for held in (False, True)]
    assert all(run.outcome.completed and run.audit.passed for run in runs)
    assert np.ptp(runs[0]["P.z"]) > 0.05
    for name in ("P.x", "P.y", "P.z", "O0.angle", "O1.angle", "O2.angle"):
        assert np.allclose(runs[0][name], runs[1][name], rtol=0.0, atol=1e-6), name
