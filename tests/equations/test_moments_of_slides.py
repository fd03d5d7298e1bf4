"""Where the moments of reactions are taken: joints that slide have two points, and results any that has a name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from combinations import every_kind

import linkwork as lw
from linkwork.errors import RefusedError, ResultError

G = 9.81
DIRECTIONS = {"level": [1.0, 0.0], "45 degrees": [np.sqrt(0.5), np.sqrt(0.5)]}


def block(direction: list[float], space: str = "planar", joint: str = "prismatic") -> lw.Model:
    """A block of 2 kg on a slide through O; its point P is 0.3 m from O, its centre of mass beside P, and Q above."""
    u = np.array([*direction, 0.0] if space == "spatial" else direction)
    across = np.array([-u[1], u[0], *u[2:]])
    points = {"O": 0.0 * u, "P": 0.3 * u, "G": 0.3 * u + 0.1 * u + 0.2 * across, "Q": 0.5 * across}
    inertia: Any = [0.3, 0.4, 0.5] if space == "spatial" else 0.5
    gravity = [0, -G, 0][: len(u)]
    return lw.Model(
        space=space,
        gravity=gravity,
        points={name: point.tolist() for name, point in points.items()},
        bodies={"block": {"points": ["P", "G", "Q"], "mass": 2, "com": "G", "inertia": inertia}},
        joints={"slide": {"kind": joint, "bodies": ["ground", "block"], "at": ["O", "P"], "axis": u.tolist()}},
        forces={"push": {"kind": "effort", "joint": "slide", "freedom": "position", "value": "7*cos(5*t)"}},
    )


def place(result: lw.Result, name: str) -> np.ndarray:
    return np.column_stack([result[f"{name}.{axis}"] for axis in "xyz" if f"{name}.{axis}" in result])


def turned(arm: np.ndarray, force: np.ndarray) -> np.ndarray:
    return np.cross(arm, force) if arm.shape[1] == 3 else arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("direction", DIRECTIONS.values(), ids=DIRECTIONS)
@every_kind
def test_the_moment_of_a_slide_by_hand(kind: str, direction: list[float]) -> None:
    """The guide holds the weight across: N = m g·v; about a point r the moment is −(r_G − r) × (m g − m a + push u)."""
    result = lw.simulate(block(direction), 0.5, step=0.05, coordinates=kind, rtol=1e-11, atol=1e-12)
    u = np.array(direction)
    weight = np.array([0, -2 * G]) - 2 * np.column_stack([result["block.ax"], result["block.ay"]])
    effort, centre = result["push.force"][:, None] * u, place(result, "block")
    assert np.ptp(result["slide.position"]) > 0.05
    on_child = result.reactions["slide"]
    np.testing.assert_allclose(on_child.force, -(weight + effort), atol=1e-9)
    for at, name in (("child", "P"), ("parent", "O"), ("Q", "Q"), ("O", "O"), ("block.P", "P")):
        # the effort acts along the slide, at the point on the child
        about = -turned(centre - place(result, name), weight) - turned(place(result, "P") - place(result, name), effort)
        found = result.reactions(at=at)["slide"]
        np.testing.assert_allclose(found.moment, about, atol=1e-9, err_msg=at)
        np.testing.assert_allclose(found.force, on_child.force, atol=1e-12)
        opposite = result.reactions(at=at, on="parent")["slide"]
        np.testing.assert_allclose(opposite.moment, -about, atol=1e-9)
    np.testing.assert_allclose(result["slide.mz"], result.reactions(at="child")["slide"].moment, atol=1e-13)
    apart = np.abs(result.reactions(at="parent")["slide"].moment - result["slide.mz"])
    assert apart.max() > 1.0


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("joint", ["prismatic", "cylindrical", "point_on_line"])
@every_kind
def test_moments_in_space_are_those_of_the_force_shifted(kind: str, joint: str) -> None:
    model = block([0.6, 0.8], "spatial", joint)
    extra = {"side": {"kind": "force", "at": "block.Q", "value": [0, 1, 3]}}
    result = lw.simulate(model.with_(forces=extra), 0.2, step=0.05, coordinates=kind, rtol=1e-10)
    plain = result.reactions["slide"]
    for at, name in (("parent", "O"), ("Q", "Q")):
        found = result.reactions(at=at)["slide"]
        shifted = plain.moment + np.cross(place(result, "P") - place(result, name), plain.force)
        np.testing.assert_allclose(found.moment, shifted, atol=1e-9)
        own = result.reactions(at=at, axes="joint")["slide"].moment
        np.testing.assert_allclose(np.linalg.norm(own, axis=1), np.linalg.norm(shifted, axis=1), atol=1e-9)
    if joint == "point_on_line":  # it has no moment where it touches the line, and one elsewhere
        assert plain.info.components == ("fx", "fy", "fz")
        parted = result.reactions(at="parent")["slide"]
        assert parted.info.components[3:] == ("mx", "my", "mz") and np.abs(parted.moment).max() > 0.1
        assert parted.columns()[-1].unit == "N*m"


def test_joints_that_share_their_point_have_one_moment() -> None:
    result = lw.simulate(lw.example("four_bar"), 0.1, step=0.05)
    assert result.reactions(at="parent")["B"].info == result.reactions["B"].info
    about = result.reactions(at="C")["B"]
    arm = place(result, "B") - place(result, "C")
    np.testing.assert_allclose(about.moment, turned(arm, result.reactions["B"].force), atol=1e-10)


def test_what_is_open_depends_on_the_place() -> None:
    """A block between two guides, one behind the other: how they share forces is open, the force is known nowhere alone."""
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"A": [0, 0], "B": [1, 0]},
        bodies={"block": {"points": ["A", "B"], "mass": 1, "com": "A", "inertia": 1}},
        joints={name: {"kind": "prismatic", "bodies": ["ground", "block"], "axis": [1, 0]} for name in "AB"},
    )
    result = lw.simulate(model, 0.1, step=0.1)
    assert set(result.reactions["A"].not_unique) >= {"fy", "mz"}
    assert set(result.reactions(at="B")["A"].not_unique) >= {"fy", "mz"}
    total = sum(result.reactions(at="A")[name].moment for name in "AB")
    np.testing.assert_allclose(total, 0.0, atol=1e-10)


def test_places_that_are_none_are_refused_and_stored_results_say_so() -> None:
    result = lw.simulate(block([1.0, 0.0]), 0.1, step=0.1)
    with pytest.raises(RefusedError, match=r"at = 'middle'.*'child' or 'parent'"):
        result.reactions(at="middle")
    with pytest.raises(ResultError, match="at 'parent'; simulate again"):
        result.detach().reactions(at="parent")
    assert "moments at the joint on the parent" in str(result.reactions(at="parent"))
    assert result.reactions(at="Q").at == "Q" and result.reactions(at="Q")(axes="child").at == "Q"
