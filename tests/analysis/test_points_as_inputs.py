"""Points are moved by drivers in the model; where they are named among joint coordinates, that is what is said."""

from __future__ import annotations

import pytest

import linkwork as lw
from linkwork.errors import LinkworkError

ARM = """
space: planar
points: {O: [0, 0], A: [0.4, 0.3], P: [0.8, 0.1]}
bodies:
  upper: {points: [O, A], mass: 1.0, com: A, inertia: 0.01}
  fore: {points: [A, P], mass: 0.5, com: P, inertia: 0.01}
joints:
  O: {kind: revolute, bodies: [ground, upper]}
  A: {kind: revolute, bodies: [upper, fore]}
"""
PATH = {"fore.P.x": "0.8 + 0.01*t", "fore.P.y": "0.1"}


def test_a_point_among_inputs_is_referred_to_a_driver() -> None:
    with pytest.raises(LinkworkError, match=r"driver of the point in the model, such as path: \{point: fore.P"):
        lw.solve_kinematics(lw.loads(ARM), PATH, until=1.0)


def test_a_point_in_a_motion_is_referred_to_a_driver() -> None:
    with pytest.raises(LinkworkError, match=r"driver of the point in the model, such as path: \{point: fore.P"):
        lw.inverse_dynamics(lw.loads(ARM), PATH, times=[0.0, 0.5, 1.0], motors=["O", "A"])


def test_what_is_said_works() -> None:
    driven = lw.loads(ARM + 'drivers: {path: {point: fore.P, position: ["0.8 + 0.01*t", 0.1]}}\n')
    found = lw.solve_kinematics(driven, times=[0.0, 1.0])
    assert found["fore.P.x"][-1] == pytest.approx(0.81, abs=1e-12)


def test_names_of_nothing_are_no_points() -> None:
    with pytest.raises(LinkworkError, match="no coordinate of a joint"):
        lw.solve_kinematics(lw.loads(ARM), {"fore.Q.x": "1"}, until=1.0)
