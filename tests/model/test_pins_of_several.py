"""Three bodies or more on one pin: one entry of a file, in any order of its bodies."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import yaml

import linkwork as lw

PEAUCELLIER = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "peaucellier.yaml"
PINS = {
    "C": ["ground", "crank"],
    "O": ["ground", "arm_a", "arm_b"],
    "A": ["arm_a", "near_a", "far_a"],
    "B": ["arm_b", "near_b", "far_b"],
    "P": ["crank", "near_a", "near_b"],
    "Q": ["far_a", "far_b"],
}


def peaucellier(order: int = 0) -> lw.Model:
    data = yaml.safe_load(PEAUCELLIER.read_text(encoding="utf-8"))
    data.pop("linkwork")
    turned = {
        name: list(list(permutations(bodies))[order % 6]) if len(bodies) > 2 else bodies
        for name, bodies in PINS.items()
    }
    data["joints"] = {name: {"kind": "revolute", "bodies": bodies} for name, bodies in turned.items()}
    return lw.Model(**data)


@pytest.mark.parametrize("order", range(6))
def test_the_plan_has_dyads_alone_in_any_order(order):
    model = peaucellier(order)
    assert sorted(model.joints) == sorted(
        ["C", "Q", "O_arm_a", "O_arm_b", "A_near_a", "A_far_a", "B_near_b", "B_far_b", "P_near_a", "P_near_b"]
    )
    assert model.joints["P_near_b"].bodies == ("crank", "near_b")
    plan = lw.analyse(model).plan
    assert plan.closed and len(plan.loops) == 3


def test_it_moves_as_the_pairs_do_and_has_their_reactions():
    one, other = (
        lw.simulate(peaucellier(3), until=0.5, step=0.1),
        lw.simulate(lw.load(PEAUCELLIER), until=0.5, step=0.1),
    )
    for name in ("Q.x", "A.y", "crank.angle"):
        np.testing.assert_allclose(one[name], other[name], atol=1e-8)
    for axis in "xy":
        np.testing.assert_allclose(one[f"P_near_a.f{axis}"], other[f"P_a.f{axis}"], atol=1e-6)
        # written the other way round: on the arm, by the ground, in both
        np.testing.assert_allclose(one[f"O_arm_b.f{axis}"], other[f"O_b.f{axis}"], atol=1e-6)


def test_a_saved_model_reads_back_the_same():
    model = peaucellier(1)
    data = model.to_dict()
    data.pop("linkwork", None)
    assert lw.Model(**data).to_dict() == model.to_dict()


def test_balls_take_several_bodies_too():
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "P": [1, 0, 0], "E": [1, 1, 0], "F": [1, 0, 1]},
        bodies={
            "a": {"bar": ["O", "P"], "mass": 1},
            "b": {"bar": ["P", "E"], "mass": 1},
            "c": {"bar": ["P", "F"], "mass": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"], "axis": [0, 0, 1]},
            "P": {"kind": "spherical", "bodies": ["c", "b", "a"]},
        },
    )
    assert {name: joint.bodies for name, joint in model.joints.items()} == {
        "O": ("ground", "a"),
        "P_b": ("a", "b"),
        "P_c": ("a", "c"),
    }


@pytest.mark.parametrize(
    "joint",
    [
        {"kind": "prismatic", "bodies": ["ground", "a", "b"], "axis": [1, 0]},
        {"kind": "revolute", "bodies": ["a", "b", "a"]},
        {"kind": "revolute", "bodies": ["ground", "a", "b"], "limits": [0, 1]},
    ],
)
def test_what_is_no_pin_is_refused(joint):
    with pytest.raises(lw.errors.ModelError, match="P"):
        lw.Model(
            space="planar",
            points={"P": [0, 0], "A": [1, 0], "B": [0, 1]},
            bodies={"a": {"bar": ["P", "A"], "mass": 1}, "b": {"bar": ["P", "B"], "mass": 1}},
            joints={"P": joint},
        )
