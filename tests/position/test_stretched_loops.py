"""Loops that close in one line alone, what a report says of a start, and structures that are given a motion."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from linkages import revolute

import linkwork as lw


def four_bar(lengths: tuple[float, ...], first: list[float], second: list[float], **more: Any) -> lw.Model:
    crank, coupler, rocker, ground = lengths
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": first, "B": second, "C": [ground, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": crank, "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": coupler, "mass": 1},
            "rocker": {"bar": ["C", "B"], "length": rocker, "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "coupler"),
            "B": revolute("coupler", "rocker"),
            "C": revolute("ground", "rocker"),
        },
        **more,
    )


def truss() -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [1, 1], "B": [2, 0]},
        bodies={"left": {"bar": ["O", "A"], "mass": 1}, "right": {"bar": ["B", "A"], "mass": 1}},
        joints={"O": revolute("ground", "left"), "A": revolute("left", "right"), "B": revolute("ground", "right")},
    )


@pytest.mark.matrix("k")
@pytest.mark.parametrize("k", [1e-6, 0.1, 1.0, 0.7, 1e3])
@pytest.mark.parametrize(
    ("lengths", "line", "drawn"),
    [
        # the ground is as long as all others; the rocker, drawn on the other side; the crank
        ((1.0, 1.5, 1.0, 3.5), (1.0, 2.5), ([0.9, 0.3], [2.4, 0.2])),
        ((0.7, 0.86, 2.23, 0.67), (-0.7, -1.56), ([0.65, -0.1], [1.5, 0.2])),
        ((2.28, 0.61, 1.36, 0.31), (2.28, 1.67), ([2.0, 0.5], [1.5, 0.3])),
    ],
)
def test_loops_that_close_in_one_line_alone_are_put_into_it(
    lengths: tuple[float, ...], line: tuple[float, float], drawn: tuple[list[float], list[float]], k: float
) -> None:
    """To rounding: an opening of ε is an angle of √ε away."""
    first, second = ([k * x for x in point] for point in drawn)
    model = four_bar(tuple(k * x for x in lengths), first, second)
    topology = lw.analyse(model)
    poses = topology.assembly.poses
    places = [
        poses["crank"].point(np.array([k * lengths[0], 0])),
        poses["coupler"].point(np.array([k * lengths[1], 0])),
    ]
    np.testing.assert_allclose(np.array(places) / k, [[line[0], 0], [line[1], 0]], atol=1e-6)
    assert "closes in one line and nowhere else" in str(topology)
    with pytest.raises(lw.errors.RefusedError, match="structure"):
        lw.simulate(model, 0.1)


def test_loops_with_room_are_no_structures() -> None:
    text = str(lw.analyse(four_bar((1.0, 2.5, 2.0, 2.2), [0.6, 0.8], [2.9, 1.9])))
    assert "in one line" not in text


def hinge(kind: str, first: str, second: str, at: str, axis: tuple[float, ...] = (0, 0, 1)) -> dict[str, Any]:
    turns = {"axis": list(axis)} if kind == "revolute" else {}
    return {"kind": kind, "bodies": [first, second], "at": at, **turns}


def in_one_line(joints: dict[str, Any], bodies: tuple[str, ...] = ("leaf",)) -> lw.Model:
    """Bodies on joints that lie in a vertical line."""
    points = {"low": [0, 0, 0], "middle": [0, 0, 1], "high": [0, 0, 3]}
    body = {"points": list(points), "com": [0.4, 0, 1], "mass": 10, "inertia": [1, 1, 1]}
    return lw.Model(space="spatial", points=points, bodies=dict.fromkeys(bodies, body), joints=joints)


@pytest.mark.parametrize(
    ("model", "freedoms", "redundant"),
    [
        (lw.example("door"), 1, 5),
        (in_one_line({at: hinge("revolute", "ground", "leaf", at) for at in ("low", "high")}), 1, 5),
        (in_one_line({at: hinge("revolute", "ground", "leaf", at) for at in ("low", "middle", "high")}), 1, 10),
        (in_one_line({at: hinge("spherical", "ground", "leaf", at) for at in ("low", "high")}), 1, 1),
        (
            in_one_line(
                {
                    "low": hinge("revolute", "ground", "a", "low"),
                    "middle": hinge("revolute", "a", "b", "middle"),
                    "high": hinge("revolute", "ground", "b", "high"),
                },
                ("a", "b"),
            ),
            2,
            5,
        ),
    ],
    ids=["door", "two hinges", "three hinges", "two balls", "two bodies in line"],
)
def test_hinges_in_one_line_are_redundant_in_every_position_and_no_structure(
    model: lw.Model, freedoms: int, redundant: int
) -> None:
    topology = lw.analyse(model)
    assert (topology.mobility.by_rank, len(topology.mobility.redundant)) == (freedoms, redundant)
    assert lw.diagnose(model).cause is lw.answers.Cause.REDUNDANCY
    text = str(topology)
    assert "singular" not in text and "the motion is not affected" in text


def test_the_motion_is_not_affected_only_where_constraints_are_redundant_in_every_position() -> None:
    flat = str(lw.analyse(four_bar((1.0, 3.0, 1.0, 3.0), [1.0, 0.0], [4.0, 0.0])))
    assert "1 redundant constraint" in flat and "of these in this position alone: 1" in flat
    door = {"low": hinge("revolute", "ground", "leaf", "low")}
    skew = str(lw.analyse(in_one_line({**door, "high": hinge("revolute", "ground", "leaf", "high", (0.1, 0, 1))})))
    assert "by rank at the assembled position: 0" in skew and "nothing can move" in skew
    assert all("not affected" not in text and "some reactions are not unique" in text for text in (flat, skew))


def test_a_report_tells_what_initial_gives() -> None:
    model = four_bar((1.0, 2.5, 2.0, 2.2), [0.6, 0.8], [2.9, 1.9], initial={"O": {"angle": "80 deg"}})
    text = str(lw.analyse(model))
    assert "given by initial: O.angle" in text and "no coordinate could keep" not in text
    np.testing.assert_allclose(lw.assemble(model)["O.angle"], math.radians(80))


def test_turns_that_a_driver_asks_for_are_no_gap_of_the_sketch() -> None:
    """Three axes through one point close in every position; a gap between axes is an angle."""
    body = {"points": ["O"], "com": "O", "mass": 1, "inertia": [1, 1, 1]}
    data: dict[str, Any] = {
        "space": "spatial",
        "points": {"O": [0, 0, 0]},
        "bodies": {"a": body, "b": body, "c": body},
        "joints": {
            "z": {**revolute("ground", "a"), "at": "O", "axis": [0, 0, 1]},
            "y": {**revolute("a", "b"), "at": "O", "axis": [0, 1, 0]},
            "x": {**revolute("b", "c"), "at": "O", "axis": [1, 0, 0]},
        },
        "drivers": {"hand": {"body": "c", "rotation": {"yaw": 2.0, "pitch": 0, "roll": 0}}},
    }
    topology = lw.analyse(lw.Model(**data))
    assert topology.assembly.notes == ()
    np.testing.assert_allclose([lw.assemble(lw.Model(**data))[f"{name}.angle"] for name in "zyx"], [2, 0, 0], atol=1e-9)


def test_a_motion_of_a_structure_is_refused_as_such() -> None:
    for verb in (lw.solve_kinematics, lw.inverse_dynamics):
        with pytest.raises(lw.errors.RefusedError, match=r"its mobility is 0, and O\.angle cannot be given a motion"):
            verb(truss(), {"O.angle": "t"}, until=1, step=0.1)  # type: ignore[operator]
    with pytest.raises(lw.errors.RefusedError, match="its mobility is 0"):
        lw.inverse_dynamics(truss(), until=1, step=0.1)
    # what the message proposes: half the weight of both bars on each pin, and a push of a quarter of it
    np.testing.assert_allclose(lw.simulate(truss(), 0.1, step=0.1)["O.fy"], 9.81)
    np.testing.assert_allclose(lw.find_equilibrium(truss())["O.fx"], 9.81 / 2)


@pytest.mark.parametrize("length", [400.0, 4e3, 4e5])
def test_a_bar_a_thousand_times_too_long_is_told(length: float) -> None:
    """Its loop is searched for where it is open the least, whatever the damping of the search has come to."""
    data = lw.load(Path(__file__).parents[2] / "src/linkwork/mechanisms/peaucellier.yaml").to_dict()
    data["bodies"]["crank"]["length"] = length
    with pytest.raises(lw.errors.AssemblyError, match=r"crank is 4\S* m from C to P_a, more than"):
        lw.analyse(lw.Model(**data))
