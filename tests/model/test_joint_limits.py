"""Limits, stops and friction of joints as they are declared: read, written, checked, reported; they act in runs."""

from __future__ import annotations

from typing import Any

import pytest

import linkwork as lw
from linkwork.elements.joints import ALL_JOINTS
from linkwork.errors import ModelError

AXES: dict[tuple[str, int], dict[str, Any]] = {
    ("planar", 1): {"axis": [1, 0]},
    ("spatial", 1): {"axis": [0, 0, 1]},
    ("spatial", 2): {"axes": [[0, 0, 1], [0, 1, 0]]},
}


def arm(kind: str = "revolute", space: str = "planar", joint: dict[str, Any] | None = None, **more: Any) -> lw.Model:
    """A bar on the ground."""
    element = next(item for item in ALL_JOINTS if item.name == kind)
    given = {"kind": kind, "bodies": ["ground", "arm"], **AXES.get((space, element.axes[space]), {})}
    given |= {key: number.example or 1.0 for key, number in element.described.items()}
    d = 2 if space == "planar" else 3
    data: dict[str, Any] = {
        "space": space,
        "points": {"O": [0, 0, 0][:d], "A": [1, 0, 0][:d]},
        "bodies": {"arm": {"bar": ["O", "A"], "mass": 1, "radius": 0.01}},
        "joints": {"O": {**given, **(joint or {})}},
    }
    return lw.Model(**{**data, **more})


def reasons(**options: Any) -> dict[str, str]:
    """Path -> reason of the faults."""
    with pytest.raises(ModelError) as caught:
        arm(**options)
    return {fault.path: fault.reason for fault in caught.value.faults}


@pytest.mark.parametrize(
    "limits",
    [["-30 deg", "30 deg"], {"angle": ["-30 deg", "30 deg"]}, [None, 2], {"angle": [0, None]}, ["-reach", "2*reach"]],
)
def test_limits_are_written_as_they_are_read(limits: Any) -> None:
    model = arm(joint={"limits": limits}, parameters={"reach": {"value": 0.5, "live": True}})
    assert model.to_dict()["joints"]["O"]["limits"] == limits
    assert lw.Model(**model.to_dict()) == model
    assert lw.loads(lw.dump(model)) == model
    assert list(model.joints["O"].ranges) == ["angle"]


@pytest.mark.parametrize(
    "stops",
    [
        {"restitution": 0.3},
        {"stiffness": "10 N*m/deg", "damping": 0.5},
        {"angle": {"restitution": "back"}},
        {"restitution": "back/2"},
    ],
)
def test_stops_are_written_as_they_are_read(stops: Any) -> None:
    model = arm(joint={"limits": [-1, 1], "stops": stops}, parameters={"back": {"value": 0.5, "live": True}})
    assert model.to_dict()["joints"]["O"]["stops"] == stops
    assert lw.Model(**model.to_dict()) == model
    assert lw.loads(lw.dump(model)) == model
    assert "stops" in str(model)


@pytest.mark.parametrize(
    ("joint", "path", "reason"),
    [
        ({"stops": {"restitution": 0.3}}, "stops", "belongs to limits"),
        ({"limits": [0, 1], "stops": 0.3}, "stops", "does not say"),
        ({"limits": [0, 1], "stops": {}}, "stops", "says nothing"),
        ({"limits": [0, 1], "stops": {"bounce": 0.3}}, "stops.bounce", "not known"),
        ({"limits": [0, 1], "stops": {"restitution": 1.1}}, "stops.restitution", "part of the speed"),
        ({"limits": [0, 1], "stops": {"restitution": -0.1}}, "stops.restitution", "part of the speed"),
        ({"limits": [0, 1], "stops": {"restitution": 0.1, "stiffness": 10}}, "stops", "is rigid and gives way"),
        ({"limits": [0, 1], "stops": {"damping": 10}}, "stops.damping", "belongs to a stiffness"),
        ({"limits": [0, 1], "stops": {"stiffness": 0}}, "stops.stiffness", "must be positive"),
        ({"limits": [0, 1], "stops": {"stiffness": 1, "damping": -1}}, "stops.damping", "cannot be negative"),
        ({"limits": [0, 1], "stops": {"stiffness": "5 N/m"}}, "stops.stiffness", "is a stiffness"),
        ({"limits": [0, 1], "stops": {"position": {"restitution": 1}}}, "stops.position", "has no limits"),
    ],
)
def test_faults_of_stops(joint: dict[str, Any], path: str, reason: str) -> None:
    assert reason in reasons(joint=joint)[f"joints.O.{path}"]


def test_friction_is_written_as_it_is_read() -> None:
    given = {"coefficient": 0.1, "static": 0.15, "radius": "5 mm", "viscous": "0.02 N*m*s/rad"}
    model = arm(joint={"friction": given})
    assert model.to_dict()["joints"]["O"]["friction"] == given
    assert lw.loads(lw.dump(model)) == model


@pytest.mark.parametrize("kind", [kind for kind in ALL_JOINTS if kind.name != "fixed"], ids=lambda kind: kind.name)
def test_every_joint_that_moves_takes_friction_and_limits(kind: Any) -> None:
    for space in kind.spaces:
        freedoms = arm(kind.name, space).joints["O"].freedoms
        friction = {"coefficient": 0.1} | ({"radius": "5 mm"} if kind.name != "prismatic" else {})
        limits = {freedom.name: [-1, 1] for freedom in freedoms}
        joint = {"friction": friction} | ({"limits": limits} if limits else {})
        model = arm(kind.name, space, joint)
        text = " ".join(str(model).split())
        assert "friction coefficient 0.1" in text
        assert all(f"{name} from -1" in text for name in limits)
        # nothing presses in the joint, and no limit is reached
        plain, rubbed = (lw.simulate(m, 0.1, backend="reference") for m in (arm(kind.name, space), model))
        assert rubbed["arm.x"] == pytest.approx(plain["arm.x"], abs=1e-9)


@pytest.mark.parametrize(
    ("limits", "path", "reason"),
    [
        (["30 deg", "-30 deg"], "limits", "is not below the upper"),
        ([1, 1], "limits", "is not below the upper"),
        (["3 m", 4], "limits[0]", "is a length"),
        ({"position": [0, 1]}, "limits.position", "no coordinate 'position'"),
        ({"angle": [1, 0]}, "limits.angle", "is not below the upper"),
        ({"angle": [0, 1, 2]}, "limits.angle", "not a pair"),
        ([None, None], "limits", "neither side"),
        (0.3, "limits", "not a pair"),
        ({}, "limits", "not a pair"),
        (["width", 1], "limits[0]", "unknown name"),
    ],
)
def test_faults_of_limits(limits: Any, path: str, reason: str) -> None:
    assert reason in reasons(joint={"limits": limits})[f"joints.O.{path}"]


@pytest.mark.parametrize(
    ("friction", "path", "reason"),
    [
        (0.1, "friction", "does not say"),
        ({"mu": 0.1}, "friction.mu", "not known"),
        ({}, "friction", "neither"),
        ({"radius": "5 mm"}, "friction.radius", "belongs to a coefficient"),
        ({"viscous": 1, "static": 0.1}, "friction.static", "belongs to a coefficient"),
        ({"coefficient": 0.1}, "friction.radius", "is missing"),
        ({"coefficient": -0.1, "radius": 1}, "friction.coefficient", "cannot be negative"),
        ({"coefficient": 0.1, "radius": 0}, "friction.radius", "must be positive"),
        ({"coefficient": 0.1, "radius": "5 kg"}, "friction.radius", "is a mass"),
        ({"coefficient": 0.2, "static": 0.1, "radius": 1}, "friction.static", "is below the coefficient"),
        ({"viscous": "3 N*s/m"}, "friction.viscous", "is a damping"),
    ],
)
def test_faults_of_friction(friction: Any, path: str, reason: str) -> None:
    assert reason in reasons(joint={"friction": friction})[f"joints.O.{path}"]


def test_what_does_not_suit_the_kind() -> None:
    assert "several" in reasons(kind="cylindrical", space="spatial", joint={"limits": [0, 1]})["joints.O.limits"]
    assert "no coordinate" in reasons(kind="spherical", space="spatial", joint={"limits": [0, 1]})["joints.O.limits"]
    assert "nothing moves" in reasons(kind="fixed", joint={"friction": {"coefficient": 1}})["joints.O.friction"]
    rubs = {"friction": {"coefficient": 0.1, "radius": 1}}
    assert "does not turn" in reasons(kind="prismatic", joint=rubs)["joints.O.friction.radius"]
    mixed = {"friction": {"viscous": 1}}
    assert "fit both" in reasons(kind="planar", space="spatial", joint=mixed)["joints.O.friction.viscous"]


def test_a_start_beyond_a_limit_is_noted() -> None:
    joint = {"limits": ["-30 deg", "30 deg"]}
    assert "beyond its limits" not in str(lw.analyse(arm(joint=joint, initial={"O": {"angle": "30 deg"}})))
    beyond = str(lw.analyse(arm(joint=joint, initial={"O": {"angle": "40 deg"}})))
    assert "note: O.angle starts at 40 deg, beyond its limits (-30 deg to 30 deg)" in beyond
    # the same place, one turn on
    round_again = {"limits": ["330 deg", "390 deg"]}
    assert "beyond its limits" not in str(lw.analyse(arm(joint=round_again)))
    one_sided = str(lw.analyse(arm("prismatic", joint={"limits": ["end", None]}, parameters={"end": "5 mm"})))
    assert "note: O.position starts at 0 m, beyond its limits (0.005 m to none)" in one_sided
