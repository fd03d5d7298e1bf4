"""Why a position is singular: redundancy, branching, dead centre and unsuitable inputs are told apart."""

from __future__ import annotations

import math

import pytest
from linkages import revolute

import linkwork as lw
from linkwork.bench.iftomm import n_four_bar
from linkwork.topology.mobility.singularity import diagnose_position

PLANAR = {"space": "planar"}


def slider_crank(crank: float, rod: float, angle: float, **more: object) -> lw.Model:
    """Crank at an angle, slider on the x axis to its right."""
    end = [crank * math.cos(angle), crank * math.sin(angle)]
    reach = end[0] + math.sqrt(rod**2 - end[1] ** 2)
    return lw.Model(
        **PLANAR,
        points={"O": [0, 0], "A": end, "B": [reach, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "slider": {"points": ["B"], "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "rod"),
            "B": revolute("rod", "slider"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": "B", "axis": [1, 0]},
        },
        **more,
    )


def window(angle: float, windows: int = 1) -> lw.Model:
    """Parallelograms side by side with rods and couplers of 1 m, the rods at an angle."""
    c, s = math.cos(angle), math.sin(angle)
    points, bodies, joints = {}, {}, {}
    for k in range(windows + 1):
        points |= {f"A{k}": [k, 0], f"B{k}": [k + c, s]}
        bodies[f"rod{k}"] = {"bar": [f"A{k}", f"B{k}"], "mass": 1}
        joints[f"A{k}"] = revolute("ground", f"rod{k}")
    for k in range(windows):
        bodies[f"coupler{k}"] = {"bar": [f"B{k}", f"B{k + 1}"], "mass": 1}
        joints[f"left{k}"] = {**revolute(f"rod{k}", f"coupler{k}"), "at": f"B{k}"}
        joints[f"right{k}"] = {**revolute(f"coupler{k}", f"rod{k + 1}"), "at": f"B{k + 1}"}
    return lw.Model(**PLANAR, points=points, bodies=bodies, joints=joints)


@pytest.mark.parametrize("windows", [1, 2, 3])
def test_aligned_parallelograms_have_one_freedom_more_for_every_window(windows: int) -> None:
    # SOURCE: IFToMM A02: in the aligned position the mobility jumps from 1 to N + 1
    found = lw.diagnose(window(0.0, windows))
    assert found.cause is lw.answers.Cause.BRANCHING
    assert (found.freedoms, found.elsewhere, found.redundant) == (windows + 1, 1, 0)
    # along the line all conditions hang together, across it none is lost
    assert {str(row) for row in found.rows} == {f"joint {name}: position x" for name in window(0.0, windows).joints}
    assert lw.diagnose(window(0.7, windows)).cause is lw.answers.Cause.REGULAR


@pytest.mark.parametrize("windows", [4, 10, 13])
def test_long_rows_of_aligned_parallelograms_have_one_freedom_elsewhere(windows: int) -> None:
    # SOURCE: IFToMM A02. The longer the row, the fainter are its conditions a little way off: conditions they are still
    (note,) = lw.simulate(n_four_bar(windows), until=1.0).notes
    assert note.startswith("1 singular position")
    assert f"{windows + 1} degrees of freedom here, 1 elsewhere" in note


def test_a_slider_on_the_pivot_of_its_crank_is_a_branching() -> None:
    # SOURCE: García de Jalón and Bayo, example 10.5: equal links, crank upright
    found = lw.diagnose(slider_crank(1, 1, math.pi / 2))
    assert found.cause is lw.answers.Cause.BRANCHING
    assert (found.freedoms, found.elsewhere) == (2, 1)
    assert "2 degrees of freedom here, 1 elsewhere" in str(found)


def test_a_dead_centre_of_a_driver_is_no_branching() -> None:
    driven = lw.analyse(slider_crank(1, 2, 0.5, drivers={"push": {"joint": "guide", "speed": "-0.1"}}))
    stretched = lw.analyse(slider_crank(1, 2, 0.0)).assembly.poses
    found = diagnose_position(driven.drives, driven.conditions, stretched, driven.geometry.defaults)
    assert found.cause is lw.answers.Cause.DEAD_CENTRE
    assert found.inputs == ("push",)
    assert (found.freedoms, found.elsewhere) == (1, 1)
    assert set(found.joints) == {"O", "A", "B"}
    assert "dead centre: push can go no further" in str(found)
    assert lw.diagnose(driven.model).cause is lw.answers.Cause.REGULAR


def test_coordinates_that_stand_still_are_unsuitable_inputs() -> None:
    stretched, bent = slider_crank(1, 2, 0.0), slider_crank(1, 2, 0.5)
    found = lw.diagnose(stretched, inputs=["guide.position"])
    assert found.cause is lw.answers.Cause.INPUTS
    assert found.inputs == ("guide.position",)
    assert lw.diagnose(stretched, inputs=["O.angle"]).cause is lw.answers.Cause.REGULAR
    assert lw.diagnose(bent, inputs=["guide.position"]).cause is lw.answers.Cause.REGULAR


def test_redundancy_holds_in_every_position() -> None:
    # a third rod of the same length and direction between ground and coupler: one condition repeats the others
    model = lw.Model(
        **PLANAR,
        points={"A": [0, 0], "B": [0, 1], "C": [1, 0], "D": [1, 1], "E": [2, 0], "F": [2, 1]},
        bodies={
            "coupler": {"bar": ["B", "F"], "mass": 1},
            **{
                rod: {"bar": list(ends), "mass": 1}
                for rod, ends in {"first": "AB", "second": "CD", "third": "EF"}.items()
            },
        },
        joints={
            **{name: revolute("ground", rod) for name, rod in {"A": "first", "C": "second", "E": "third"}.items()},
            **{name: revolute(rod, "coupler") for name, rod in {"B": "first", "D": "second", "F": "third"}.items()},
        },
    )
    found = lw.diagnose(model)
    assert found.cause is lw.answers.Cause.REDUNDANCY
    assert (found.freedoms, found.elsewhere, found.redundant) == (1, 1, 1)
    assert not found.singular


def test_the_report_says_that_the_drawn_position_is_singular() -> None:
    text = str(lw.analyse(window(0.0)))
    assert "this position is singular, branching of the motion: 2 degrees of freedom here, 1 elsewhere" in text
    assert "singular" not in str(lw.analyse(window(0.7)))


def test_an_unknown_input_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(lw.errors.RefusedError, match=r"'O.position' is no coordinate of a joint.*O.angle"):
        lw.diagnose(slider_crank(1, 2, 0.5), inputs=["O.position"])


@pytest.mark.parametrize("angle", [0.0, math.pi])
def test_a_driver_that_is_drawn_at_its_dead_centre_is_told_apart_from_one_too_many(angle: float) -> None:
    slide = {"joint": "guide", "position": "0.1*t"}
    with pytest.raises(
        lw.errors.ModelError, match=r"drivers.push: moves joint guide, which is at a dead centre"
    ) as refusal:
        lw.analyse(slider_crank(0.5, 1.5, angle, drivers={"push": slide}))
    assert "start a little way from" in str(refusal.value)
    both = {"turn": {"joint": "O", "position": f"{angle + 0.3} + t"}, "push": slide}
    with pytest.raises(lw.errors.ModelError, match=r"drivers.push: .* determine already"):
        lw.analyse(slider_crank(0.5, 1.5, angle + 0.3, drivers=both))
