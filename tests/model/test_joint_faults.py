"""Joints that are declared badly: every kind names what is wrong, and what would be right."""

from __future__ import annotations

from typing import Any

import pytest

import linkwork as lw
from linkwork.elements.joints import ALL_JOINTS, JointKind
from linkwork.errors import Fault, ModelError

CASES = [pytest.param(kind, space, id=f"{kind.name}-{space}") for kind in ALL_JOINTS for space in kind.spaces]
every_joint = pytest.mark.parametrize(("kind", "space"), CASES)
with_axis = pytest.mark.parametrize(
    ("kind", "space"), [case for case in CASES if case.values[0].axes[case.values[1]] == 1]
)


def declared(kind: JointKind, space: str) -> dict[str, Any]:
    """A sound joint of a kind."""
    joint: dict[str, Any] = {"kind": kind.name, "bodies": ["ground", "body"]}
    joint |= dict.fromkeys(kind.numbers, "2 mm")
    match kind.axes[space]:
        case 1:
            return joint | {"axis": [1, 0] if space == "planar" else [1, 0, 0]}
        case 2:
            return joint | {"axes": [[1, 0, 0], [0, 1, 0]]}
    return joint


def model(space: str, joint: dict[str, Any], **more: Any) -> lw.Model:
    place = [0, 0] if space == "planar" else [0, 0, 0]
    inertia = 1 if space == "planar" else [1, 1, 1]
    bodies = {"body": {"points": ["O"], "mass": 1, "inertia": inertia}}
    return lw.Model(space=space, points={"O": place}, bodies=bodies, joints={"O": joint}, **more)


def fault(path: str, space: str, joint: dict[str, Any], **more: Any) -> Fault:
    """The fault at a path; nothing else may be wrong."""
    with pytest.raises(ModelError) as caught:
        model(space, joint, **more)
    assert [item.path for item in caught.value.faults] == [path], caught.value
    return caught.value.faults[0]


@every_joint
def test_a_sound_joint_is_accepted_and_written_as_it_is_read(kind: JointKind, space: str) -> None:
    sound = model(space, declared(kind, space))
    assert lw.loads(lw.dump(sound)) == sound
    assert lw.analyse(sound).freedoms == len(kind.freedoms(lw.analyse(sound).geometry.space))


@with_axis
def test_an_axis_is_missing_or_zero_or_of_the_wrong_size(kind: JointKind, space: str) -> None:
    joint = declared(kind, space)
    missing = fault("joints.O.axis", space, {key: value for key, value in joint.items() if key != "axis"})
    assert "is missing" in missing.reason and "write axis:" in missing.suggestion
    size = 2 if space == "planar" else 3
    assert "is zero" in fault("joints.O.axis", space, {**joint, "axis": [0] * size}).reason
    wrong = fault("joints.O.axis", space, {**joint, "axis": [1] + [0] * (4 - size)})
    assert f"{size} components are needed" in wrong.reason


@pytest.mark.parametrize(("kind", "space"), [case for case in CASES if case.values[0].axes[case.values[1]] == 0])
def test_an_axis_that_nobody_needs(kind: JointKind, space: str) -> None:
    joint = declared(kind, space) | {"axis": [1, 0] if space == "planar" else [1, 0, 0]}
    assert "leave it out" in fault("joints.O.axis", space, joint).suggestion


@pytest.mark.parametrize("kind", [kind for kind in ALL_JOINTS if len(kind.spaces) == 1], ids=lambda kind: kind.name)
def test_the_wrong_space(kind: JointKind) -> None:
    joint = {**declared(kind, "spatial")}
    joint.pop("axis", None)
    found = fault("joints.O.kind", "planar", joint)
    assert "needs a model in space" in found.reason
    assert all(name in found.suggestion for name in ("revolute", "prismatic", "point_on_line"))


@every_joint
def test_an_unknown_coordinate(kind: JointKind, space: str) -> None:
    joint = declared(kind, space)
    initial = fault("initial.O.height", space, joint, initial={"O": {"height": 1}})
    assert "unknown initial value 'height'" in initial.reason
    driver = {"motor": {"joint": "O", "freedom": "height", "position": "t"}}
    with pytest.raises(ModelError) as caught:
        model(space, joint, drivers=driver)
    scalars = [f.name for f in lw.elements.Joint(**joint).freedoms]
    texts = str(caught.value)
    assert all(name in texts for name in scalars) if scalars else "no coordinate that could be used here" in texts


def test_two_axes() -> None:
    universal = {"kind": "universal", "bodies": ["ground", "body"]}
    assert "are missing" in fault("joints.O.axes", "spatial", universal).reason
    assert "are parallel" in fault("joints.O.axes", "spatial", {**universal, "axes": [[1, 0, 0], [-2, 0, 0]]}).reason
    assert "is zero" in fault("joints.O.axes", "spatial", {**universal, "axes": [[1, 0, 0], [0, 0, 0]]}).reason
    skew = model("spatial", {**universal, "axes": [[1, 0, 0], [1, 1, 0]]})
    with pytest.raises(ModelError, match="cross at 45 degrees"):
        lw.analyse(skew)


def test_a_constant_velocity_joint_is_drawn_straight_or_bent() -> None:
    joint = {"kind": "constant_velocity", "bodies": ["ground", "body"]}
    assert model("spatial", {**joint, "axes": [[1, 0, 0], [2, 0, 0]]})
    assert model("spatial", {**joint, "axes": [[1, 0, 0], [0, 0, 3]]})
    folded = fault("joints.O.axes", "spatial", {**joint, "axes": [[1, 0, 0], [-1, 0, 0]]})
    assert "180 degrees" in folded.reason and "same way" in folded.suggestion
    both = fault("joints.O.axis", "spatial", {**joint, "axis": [1, 0, 0], "axes": [[1, 0, 0], [1, 1, 0]]})
    assert "beside axes" in both.reason
    revolute = {"kind": "revolute", "bodies": ["ground", "body"], "axis": [1, 0, 0], "axes": [[1, 0, 0], [0, 1, 0]]}
    assert "a revolute joint has no axes" in fault("joints.O.axes", "spatial", revolute).reason


def test_coordinates_of_a_point_on_a_line_depend_on_the_space() -> None:
    assert [f.name for f in lw.elements.Joint(kind="point_on_line", bodies=["a", "b"], axis=[1, 0]).freedoms] == [
        "position",
        "angle",
    ]
    spatial = lw.elements.Joint(kind="point_on_line", bodies=["a", "b"], axis=[1, 0, 0])
    assert [f.name for f in spatial.freedoms] == ["position"]
    assert spatial.spins
