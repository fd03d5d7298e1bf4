"""Limits of one of several motions, where drivers with a constant position hold others; how branch points are told."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_linkages import four_bar
from linkage_limits import four_bar_limits
from linkages import revolute

import linkwork as lw

LENGTHS = (2.0, 2.5, 2.2, 1.9)  # a rocker as its input: it turns back
HEAVE = 0.4


def carried(**driver: object) -> lw.Model:
    """A four-bar whose pivot C is on a carriage that slides along the ground: its ground link is longer by the way."""
    drawn = four_bar((*LENGTHS[:3], LENGTHS[3] + HEAVE), 1.0, 1.0)
    return drawn.with_(
        bodies={"carriage": {"points": ["C"], "mass": 1}},
        joints={
            "C": revolute("carriage", "rocker"),
            "heave": {"kind": "prismatic", "bodies": ["ground", "carriage"], "at": "C", "axis": [1, 0]},
        },
        drivers={"hold": {"joint": "heave", **driver}} if driver else {},
    )


@pytest.mark.parametrize("way", [0.0, 0.1])
def test_a_driver_at_a_constant_position_holds_its_coordinate(way):
    """The four-bar is that of the length at which it holds; a driver that moves does not count."""
    limits = lw.find_limits(carried(position=way))
    exact = four_bar_limits(*LENGTHS[:3], LENGTHS[3] + HEAVE + way)
    assert limits.input == "O.angle"
    assert limits["O"].range.width == pytest.approx(exact.input[0].width, abs=1e-9)
    assert limits["heave"].range.width < 1e-9
    assert [note for note in limits.notes if "heave.position" in note]


@pytest.mark.parametrize("driver", [{}, {"position": "0.1*t"}, {"speed": 1}])
def test_several_motions_are_refused_with_what_would_hold_them(driver):
    with pytest.raises(lw.LinkworkError, match="hold 1 of them with fixed joints, couplings or drivers at a constant"):
        lw.find_limits(carried(**driver))


def test_the_coordinate_that_is_asked_for_is_not_held():
    with pytest.raises(lw.LinkworkError, match="2 degrees of freedom"):
        lw.find_limits(carried(position=0), "heave")


def test_a_driver_of_the_only_motion_holds_nothing():
    model = four_bar(LENGTHS, 1.0, 1.0)
    driven = model.with_(drivers={"hold": {"joint": "O", "position": 1.0}})
    assert lw.find_limits(driven)["O"].range.width == pytest.approx(lw.find_limits(model)["O"].range.width, abs=1e-12)


def test_branch_points_at_one_input_say_in_what_they_differ():
    """A kite whose short sides are crank and ground: its crank turns twice in one circuit, and twice lies on the ground."""
    limits = lw.find_limits(four_bar((1.0, 2.2, 2.2, 1.0), 1.0, 1.0))
    told = [line for line in str(limits).splitlines() if "branch point" in line]
    assert len(limits.branch_points) == len(told) == len(set(told)) == 2
    assert all("O.angle = 0.000000 deg, A.angle = " in line for line in told)
    apart = limits.branch_points[0].values["A.angle"] - limits.branch_points[1].values["A.angle"]
    assert abs(np.sin(apart / 2)) > 0.1
    single = [
        line for line in str(lw.find_limits(four_bar((1.0, 1.0, 2.2, 2.2), 1.0, 1.0))).splitlines() if "branch" in line
    ]
    assert single and not any("," in line for line in single)


def test_the_print_names_the_model():
    assert str(lw.find_limits(lw.example("four_bar"))).startswith("Motion of four_bar from the assembled position: ")
