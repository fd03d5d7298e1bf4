"""Cylinders that move a mechanism into its fold, or stretch it: the run ends there, and says which cylinder, how long it is,
and where the dead centre is.

A scissor of two bars of 2 m lies flat where its cylinder, from 0.6 m on the floor to 1.5 m on the bar, is 0.9 m long; a boom
of 2 m on a foot 1 m away is in line with its cylinder at 3 m.
"""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw

PIN = {"kind": "revolute"}


def turned(points, turn, size):
    c, s = size * np.cos(turn), size * np.sin(turn)
    return {name: [float(c * x - s * y), float(s * x + c * y)] for name, (x, y) in points.items()}


def scissor(rate, turn=0.0, size=1.0):
    start = 0.7
    c, s = 2 * np.cos(start), 2 * np.sin(start)
    length = float(np.hypot(0.75 * c - 0.6, 0.75 * s))
    points = turned({"L": (0, 0), "R": (c, 0), "LT": (0, s), "RT": (c, s), "F": (0.6, 0)}, turn, size)
    bodies = {"up": {"bar": ["L", "RT"], "points": {"M": [size, 0], "K": [1.5 * size, 0]}, "mass": 1}}
    bodies |= {"down": {"bar": ["R", "LT"], "points": {"N": [size, 0]}, "mass": 1}}
    bodies |= {"foot": {"points": ["R"], "mass": 1, "inertia": 1}}
    joints = {"L": {**PIN, "bodies": ["ground", "up"]}, "R": {**PIN, "bodies": ["foot", "down"]}}
    joints |= {"M": {**PIN, "bodies": ["up", "down"], "at": ["M", "N"]}}
    axis = [float(np.cos(turn)), float(np.sin(turn))]
    joints |= {"slide": {"kind": "prismatic", "bodies": ["ground", "foot"], "at": "R", "axis": axis}}
    cylinder = {"kind": "distance", "between": ["ground.F", "up.K"], "length": f"{size}*({length} + {rate}*t)"}
    return lw.Model(space="planar", points=points, bodies=bodies, joints=joints, relations={"cylinder": cylinder})


def boom(rate, turn=0.0, size=1.0):
    points = turned({"O": (0, 0), "T": (0.4, 1.96), "F": (-1, 0)}, turn, size)
    length = float(np.hypot(1.4, 1.96))
    cylinder = {"kind": "distance", "between": ["ground.F", "boom.T"], "length": f"{size}*({length} + {rate}*t)"}
    bodies = {"boom": {"bar": ["O", "T"], "mass": 1}}
    joints = {"O": {**PIN, "bodies": ["ground", "boom"]}}
    return lw.Model(space="planar", points=points, bodies=bodies, joints=joints, relations={"cylinder": cylinder})


CASES = {
    "a scissor that is lowered": (scissor, -0.2, 0.9, "shortest", {"L", "R", "M"}),
    "a boom that is stretched": (boom, 0.4, 1 + np.hypot(0.4, 1.96), "longest", {"O"}),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("turn", "size"), [(0.0, 1.0), (np.pi / 4, 10.0), (2.0, 0.01)])
@pytest.mark.parametrize("verb", ["simulate", "solve_kinematics"])
def test_the_fold_is_named(case, turn, size, verb):
    made, rate, length, end, joints = CASES[case]
    result = getattr(lw, verb)(made(rate, turn, size), until=5, step=0.01)
    assert not result.outcome.completed and result.outcome.element == "cylinder"
    assert (
        f"'cylinder' can go no further than its length of {length * size:.6g} m, its {end} there"
        in result.outcome.reason
    )
    named = result.outcome.reason.partition("dead centre of ")[2].partition(", and the loop")[0]
    assert joints <= set(named.split(", "))


@pytest.mark.parametrize("kind", ["relative", "reference_point", "natural", "mixed"])
@pytest.mark.parametrize("formulation", ["partitioning", "multipliers", "baumgarte"])
def test_whatever_the_coordinates_and_the_equations(kind, formulation):
    result = lw.simulate(scissor(-0.2), until=5, step=0.01, coordinates=kind, formulation=formulation)
    assert result.outcome.element == "cylinder" and "its length of 0.9 m, its shortest there" in result.outcome.reason


def test_a_cylinder_that_has_room_goes_on():
    assert lw.simulate(scissor(-0.05), until=1, step=0.01).outcome.completed
