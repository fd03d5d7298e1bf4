"""The plan does not depend on how the bodies on one pin are joined in pairs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
import yaml

import linkwork as lw
from linkwork.equations.formulations.hybrid import Hybrid

PEAUCELLIER = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "peaucellier.yaml"
PINS = {
    "O": ("ground", "arm_a", "arm_b"),
    "A": ("arm_a", "near_a", "far_a"),
    "B": ("arm_b", "near_b", "far_b"),
    "P": ("crank", "near_a", "near_b"),
}
Pairs = Sequence[tuple[str, str]]


def star(bodies: Sequence[str], middle: int) -> Pairs:
    return [(bodies[middle], body) for i, body in enumerate(bodies) if i != middle]


def trees(bodies: Sequence[str]) -> Iterator[Pairs]:
    """All ways to join bodies in pairs, without one joint too many."""
    for pairs in combinations(list(combinations(bodies, 2)), len(bodies) - 1):
        group = {body: body for body in bodies}
        for one, two in pairs:
            group = {body: group[one] if found == group[two] else found for body, found in group.items()}
        if len(set(group.values())) == 1:
            yield pairs


def data_of_peaucellier() -> dict:
    data = yaml.safe_load(PEAUCELLIER.read_text(encoding="utf-8"))
    data.pop("linkwork")
    return data


def paired(pins: Mapping[str, Pairs], data: dict | None = None, **changes: object) -> lw.Model:
    """The inversor with joints A_0, A_1, ... for the pairs of a pin A."""
    given = {name: star(bodies, 0) for name, bodies in PINS.items()}
    given |= {"C": [("ground", "crank")], "Q": [("far_a", "far_b")], **pins}
    joints = {
        f"{name}_{i}": {"kind": "revolute", "bodies": list(pair), "at": name}
        for name, pairs in given.items()
        for i, pair in enumerate(pairs)
    }
    return lw.Model(**{**(data or data_of_peaucellier()), "joints": joints, **changes})


def by_middles(*middles: int, **changes: object) -> lw.Model:
    pairs = {name: star(bodies, i) for (name, bodies), i in zip(PINS.items(), middles, strict=True)}
    return paired(pairs, **changes)


@pytest.mark.parametrize("middles", list(product((0, 2), range(3), (0, 2), (0, 1))))
def test_three_dyads_however_the_pins_are_paired(middles):
    plan = lw.analyse(by_middles(*middles)).plan
    assert plan.closed and len(plan.loops) == 3
    assert len(plan.tree) == 7
    # of a joint that closes a loop elsewhere on its pin, the angle is not used
    assert all(block.cuts == (block.hung.joint,) for block in plan.loops if block.hung is not None)


@pytest.mark.parametrize("formulation", [Hybrid(), Hybrid(closed_form=False), "partitioning"])
def test_motion_and_reactions_are_those_of_other_pairs(formulation):
    reference = lw.simulate(lw.load(PEAUCELLIER), until=0.4, step=0.1)
    found = lw.simulate(by_middles(2, 2, 2, 0), until=0.4, step=0.1, formulation=formulation)
    for name in ("Q.x", "Q.y", "A.y", "crank.angle"):
        np.testing.assert_allclose(found[name], reference[name], atol=1e-8)
    for axis in "xy":
        near, far = reference[f"A_near.f{axis}"], reference[f"A_far.f{axis}"]
        # by far_a on arm_a acts what by arm_a acts on the other two, the other way
        np.testing.assert_allclose(found[f"A_0.f{axis}"], -near - far, atol=1e-6)
        np.testing.assert_allclose(found[f"A_1.f{axis}"], near, atol=1e-6)


def test_it_stays_on_its_straight_line():
    """|OP| |OQ| = |OA|² − |AP|² makes Q run on y = −(1 − 0.4²)/(2 · 0.4)."""
    found = lw.simulate(by_middles(0, 2, 2, 0), until=0.5, step=0.05)
    np.testing.assert_allclose(found["Q.y"], -1.05, atol=1e-9)
    assert np.ptp(found["Q.x"]) > 0.1


def test_the_assembly_modes_are_those_of_other_pairs():
    def places(model: lw.Model) -> np.ndarray:
        modes = lw.assembly_modes(model)
        return np.array(sorted([round(x, 7) for b in ("arm_a", "far_b") for x in m.poses[b].axes[0]] for m in modes))

    np.testing.assert_allclose(places(by_middles(0, 2, 2, 0)), places(lw.load(PEAUCELLIER)), atol=1e-6)


@pytest.mark.parametrize("pairs", list(trees(("arm_a", "near_a", "far_a", "tail"))), ids=str)
def test_four_bodies_on_a_pin(pairs):
    data = data_of_peaucellier()
    data["points"] |= {"T": [1.1, -0.4], "G": [1.0, 0.1]}
    data["bodies"] |= {"tail": {"bar": ["A", "T"], "mass": 0.3}, "link": {"bar": ["T", "G"], "mass": 0.3}}
    plan = lw.analyse(paired({"A": pairs, "T": [("tail", "link")], "G": [("ground", "link")]}, data)).plan
    assert plan.closed and len(plan.loops) == 4


def test_the_report_says_between_which_bodies_a_joint_closes_a_loop():
    assert "through arm_a and near_a on the pin of A_0" in str(lw.analyse(by_middles(0, 2, 0, 0)))


def test_a_joint_that_something_refers_to_keeps_its_angle():
    spring = {"kind": "torsion_spring", "joint": "A_0", "free_angle": 0, "stiffness": 1.0}
    plan = lw.analyse(by_middles(0, 2, 0, 0, forces={"S": spring})).plan
    assert plan.closed and "A_0" in plan.tree and [b.hung.joint for b in plan.loops if b.hung] == ["A_1"]


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_points_that_are_near_are_not_one_pin(size):
    data = data_of_peaucellier()
    data["points"] = {name: [size * x for x in place] for name, place in data["points"].items()}
    for body in data["bodies"].values():
        body["length"] = body["length"] * size
    assert len(lw.analyse(by_middles(0, 2, 2, 0, data=data)).planner.network.pins) == 4
    # far_a has its two pins a thousandth of its length apart
    x, y = data["points"]["A"]
    data["points"]["E"] = [x + 1e-4 * size, y]
    data["bodies"]["far_a"] = {"points": ["A", "Q", "E"], "mass": 0.4, "com": "Q", "inertia": 0.01 * size**2}
    data["bodies"]["near_a"] = {"bar": ["E", "P"], "mass": 0.4}
    pairs = {"A": [("arm_a", "far_a")], "E": [("far_a", "near_a")]}
    assert len(lw.analyse(paired(pairs, data)).planner.network.pins) == 3


def test_a_pin_whose_place_is_a_parameter():
    data = data_of_peaucellier()
    data["parameters"] = {"arm": {"value": 1.0, "live": True}}
    for name in ("arm_a", "arm_b"):
        data["bodies"][name]["length"] = "arm"
    assert lw.analyse(by_middles(0, 2, 2, 0, data=data)).plan.closed


def test_in_space_too():
    half = np.sqrt(0.5)
    turn = np.array([[1, 0, 0], [0, half, -half], [0, half, half]]) @ [[half, -half, 0], [half, half, 0], [0, 0, 1]]
    data = data_of_peaucellier() | {"space": "spatial"}
    data["points"] = {name: (turn @ [*place, 0.0]).tolist() for name, place in data["points"].items()}
    data["gravity"] = (turn @ [0.0, -9.81, 0.0]).tolist()
    for body in data["bodies"].values():
        body["inertia"] = [0.01, 0.01, 0.01]
    flat = by_middles(0, 2, 0, 0)
    joints = {
        name: {"kind": "revolute", "bodies": list(joint.bodies), "at": name[0], "axis": turn[:, 2].tolist()}
        for name, joint in flat.joints.items()
    }
    topology = lw.analyse(lw.Model(**{**data, "joints": joints}))
    assert topology.plan.closed and any(block.hung for block in topology.plan.loops)
    assert topology.assembly.residual < 1e-12 and all(topology.branches.values())
