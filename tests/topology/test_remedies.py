"""What is said about mechanisms that cannot do what is asked: the cause by name, and a remedy that is right."""

from __future__ import annotations

from pathlib import Path

import pytest

import linkwork as lw

BRICARD = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "bricard.yaml"
TRIANGLE = {
    "space": "planar",
    "points": {"A": [0, 0], "B": [1, 0], "C": [0.5, 0.8]},
    "bodies": {"one": {"bar": ["A", "C"], "mass": 1}, "two": {"bar": ["B", "C"], "mass": 1}},
    "joints": {
        "A": {"kind": "revolute", "bodies": ["ground", "one"]},
        "B": {"kind": "revolute", "bodies": ["ground", "two"]},
        "C": {"kind": "revolute", "bodies": ["one", "two"]},
    },
}


def test_a_driver_on_a_structure_says_that_nothing_can_move():
    with pytest.raises(lw.errors.ModelError) as refused:
        lw.analyse(lw.Model(**TRIANGLE, drivers={"motor": {"joint": "A", "speed": 1}}))
    text = str(refused.value)
    assert "drivers.motor" in text and "mobility is 0" in text and "structure" in text and "A - C - B" in text
    # as it says: without the driver, or without a joint
    assert lw.analyse(lw.Model(**TRIANGLE)).freedoms == 0
    opened = {**TRIANGLE, "joints": {name: TRIANGLE["joints"][name] for name in ("A", "C")}}
    assert lw.analyse(lw.Model(**opened, drivers={"motor": {"joint": "A", "speed": 1}})).mobility.free == 1


def test_two_drivers_for_one_freedom_name_each_other():
    drivers = {"first": {"joint": "O", "speed": 1}, "second": {"joint": "C", "speed": 1}}
    four_bar = lw.load(BRICARD.with_name("four_bar.yaml")).to_dict()
    with pytest.raises(lw.errors.ModelError, match=r"drivers\.second: .*\(first\).*1 degree of freedom for 2 drivers"):
        lw.analyse(lw.Model(**{**four_bar, "drivers": drivers}))


FLOATING = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [1, 0], "B": [2, 0], "C": [3, 0]},
    "bodies": {
        "crank": {"bar": ["O", "A"], "mass": 1},
        "rod": {"bar": ["A", "B"], "mass": 1},
        "arm": {"bar": ["B", "C"], "mass": 1},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        "B": {"kind": "revolute", "bodies": ["rod", "arm"]},
    },
}


def test_floating_parts_are_named_with_the_joint_that_is_missing():
    model = lw.Model(**FLOATING)
    said = "rod and arm float: no joint connects them with the ground (rod and crank have the point A in common"
    assert said in " ".join(str(lw.analyse(model)).split())
    assert any(said in note for note in lw.simulate(model, 0.01).notes)
    for ask in (
        lambda: lw.solve_kinematics(model, {"O": "t"}, until=1),
        lambda: lw.inverse_dynamics(model, {"O.angle": "t"}, until=1),
        lambda: lw.find_equilibrium(model),
    ):
        with pytest.raises(lw.LinkworkError) as refused:
            ask()
        assert said in str(refused.value)
    # as it says
    joined = {**FLOATING["joints"], "A": {"kind": "revolute", "bodies": ["crank", "rod"]}}
    assert "float" not in str(lw.analyse(lw.Model(**{**FLOATING, "joints": joined})))


def test_single_bodies_without_joints_are_no_mistake():
    model = lw.Model(space="planar", bodies={"puck": {"points": {"P": [0, 0]}, "mass": 1, "inertia": 0.1}})
    assert "float" not in str(lw.analyse(model)) and not any("float" in note for note in lw.simulate(model, 0.1).notes)


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        ({"kind": "revolute", "axis": [1, 0, 0]}, r"rotation about \[1, 0, 0\] \(O\.angle\)"),
        ({"kind": "spherical"}, r"rotation about \[1, 0, 0\]"),
        ({"kind": "cylindrical", "axis": [1, 0, 0]}, r"rotation about \[1, 0, 0\] \(O\.angle\)"),
    ],
)
def test_a_body_without_inertia_names_its_freedom_and_axis(joint, said):
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "A": [1, 0, 0]},
        bodies={"bar": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"bodies": ["ground", "bar"], **joint}},
    )
    with pytest.raises(lw.errors.ModelError, match=rf"bodies\.bar\.inertia: .*{said}"):
        lw.simulate(model, 1)


def test_a_body_without_mass_names_its_freedom():
    slide = {"kind": "prismatic", "bodies": ["ground", "block"], "at": "O", "axis": [3, 4]}
    model = lw.Model(
        space="planar", points={"O": [0, 0]}, bodies={"block": {"points": ["O"], "mass": 0}}, joints={"slide": slide}
    )
    with pytest.raises(
        lw.errors.ModelError, match=r"bodies\.block\.mass: .*translation along \[0\.6, 0\.8\] \(slide\.position\)"
    ):
        lw.simulate(model, 1)


def test_counts_of_a_loop_with_special_dimensions_agree():
    report = " ".join(str(lw.analyse(lw.load(BRICARD))).split())
    assert "1 redundant constraint:" in report
    assert "5 independent constraints of 6 by its dimensions (6 by the subgroup)" in report


@pytest.mark.parametrize("word", ["__import__", "lambda", "eval", "print", "os"])
def test_words_of_python_are_not_to_be_declared_as_parameters(word):
    with pytest.raises(lw.errors.ModelError) as refused:
        lw.Model(**FLOATING, forces={"push": {"kind": "effort", "joint": "O", "value": word}})
    text = str(refused.value)
    assert f"'{word}'" in text
    assert word == "os" or ("declare it in parameters" not in text and "not Python" in text)


# -- what looks like a mistake -----------------------------------------------------------------------------------------


def arm(**more: object) -> lw.Model:
    data = {"points": {"O": [0, 0], "A": [1, 0]}, "bodies": {"arm": {"bar": ["O", "A"], "mass": 1}}}
    return lw.Model(space="planar", **data, joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}}, **more)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"initial": {"O": {"angle": 90}}}, "initial.O.angle is 90 rad, 14.3 turns: write '90 deg'"),
        (
            {"drivers": {"motor": {"joint": "O", "position": "45 + 10*t"}}},
            "drivers.motor.position = 45 + 10*t has 45 rad, 7.16 turns",
        ),
        ({"initial": {"O": {"angle": "90 deg"}}}, ""),
        ({"initial": {"O": {"angle": "90 rad"}}}, ""),
        ({"initial": {"O": {"angle": "3*pi"}}}, ""),
        ({"initial": {"O": {"angle": 6}}}, ""),
    ],
)
def test_angles_that_may_be_degrees_are_asked_about(more, said):
    model = arm(**more)
    report, notes = str(lw.analyse(model)), " ".join(lw.simulate(model, 0.01).notes)
    assert (said in report and said in notes) if said else ("turns" not in report and "turns" not in notes)


def test_joints_that_do_the_same_and_lengths_in_other_units_are_told():
    four_bar = lw.load(BRICARD.with_name("four_bar.yaml")).to_dict()
    again = {**four_bar["joints"], "again": {**four_bar["joints"]["A"], "at": "A"}}
    report = str(lw.analyse(lw.Model(**{**four_bar, "joints": again})))
    assert "joints A and again hold crank and coupler at the same place" in report
    points = {"O": [0, 0], "A": [0.06, 0], "B": [300, 0]}
    bodies = {"crank": {"bar": ["O", "A"], "mass": 1}, "rod": {"bar": ["A", "B"], "mass": 1}}
    joints = {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
    }
    mixed = lw.Model(space="planar", points=points, bodies=bodies, joints=joints)
    assert "rod is 299.9 m long and crank 0.06 m: check the units" in str(lw.analyse(mixed))


def test_a_structure_drawn_where_it_is_shaky_is_refused():
    """A slide on a crank that stands across it: to first order it moves, and no further."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0, 1]},
        bodies={"crank": {"bar": ["O", "A"], "mass": 1}, "block": {"points": ["A"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "block"]},
            "guide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": "A", "axis": [1, 0]},
        },
        initial={"O": {"speed": 1}},
    )
    for formulation in (None, "augmented_lagrangian"):
        with pytest.raises(lw.errors.RefusedError, match=r"only seems to be movable: .* O, A, guide"):
            lw.simulate(model, 0.1, formulation=formulation)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"forces": {"f": {"kind": "effort", "joint": "O", "value": "5 if t > 1 else 0"}}}, "if(condition, x, y)"),
        ({"forces": {"f": {"kind": "effort", "joint": "O", "value": "if(t > 1 and t < 2, 1, 0)"}}}, "nest one if"),
        ({"joints": {"O": {"kind": "revolute", "bodies": ["ground arm"]}}}, "[ground, arm]"),
    ],
)
def test_slips_of_the_pen_are_told_with_what_is_right(change, said):
    with pytest.raises(lw.errors.ModelError) as refused:
        lw.Model(**{**arm().to_dict(), **change})
    assert said in str(refused.value)
