"""Every kind of relation, of coupling and of driver keeps the contract of elements in all kinds of coordinates."""

from __future__ import annotations

from typing import Any

import pytest

import linkwork as lw
from linkwork.model.couplings import COUPLING_KINDS
from linkwork.model.relations import RELATION_KINDS
from linkwork.testing import check_elements

ARM = {
    "points": {"O": [0, 0], "A": [1, 0], "B": [1.5, -0.6], "G": [2, 0.5], "H": [-1, 0.5]},
    "bodies": {
        "arm": {"bar": ["O", "A"], "mass": 2, "radius": 0.02},
        "bob": {"bar": ["A", "B"], "mass": 1, "radius": 0.02},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "arm"]},
        "A": {"kind": "revolute", "bodies": ["arm", "bob"]},
    },
}
FREE = {"points": {"O": [0, 0], "C": [0.2, 1.0]}, "bodies": {"wheel": {"points": ["C"], "mass": 2, "inertia": 0.3}}}
BALL = {
    "points": {"O": [0, 0, 0], "C": [0.2, 0.1, 0.5]},
    "bodies": {"ball": {"points": ["C"], "mass": 2, "inertia": [0.3, 0.2, 0.25]}},
}


def turning(**places: list[float]) -> dict[str, Any]:
    """Bodies that turn on the ground, each about its own point."""
    return {
        "points": {f"{name}_O": place for name, place in places.items()},
        "bodies": {name: {"points": [f"{name}_O"], "mass": 1, "inertia": 0.1 + len(name)} for name in places},
        "joints": {name[0]: {"kind": "revolute", "bodies": ["ground", name], "at": f"{name}_O"} for name in places},
    }


PAIR = turning(slow=[0, 0], fast=[3, 0])
TRAIN = turning(sun=[0, 0], ring=[0, 0], carrier=[0, 0])
RAIL = turning(wheel=[0, 0])
RAIL["points"]["R"] = [0, -0.5]
RAIL["bodies"]["rack"] = {"points": ["R"], "mass": 2, "inertia": 1}
RAIL["joints"]["slide"] = {"kind": "prismatic", "bodies": ["ground", "rack"], "at": "R", "axis": [1, 0]}
CABLE = ["bob.B", {"point": "ground.G", "radius": 0.1, "side": "left"}, "ground.H"]
PROFILE = {"origin": "G", "r": "1.1 + 0.1*cos(2*u)"}
SLOT = {"kind": "point_on_line", "bodies": ["ground", "bob"], "at": ["G", "B"], "axis": [1, 0.2]}
RELATIONS: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "distance": ("planar", ARM, {"between": ["bob.B", "ground.G"], "length": "1.2 + 0.1*sin(t)"}),
    "line_distance": ("planar", ARM, {"point": "bob.B", "line": ["ground.H", "ground.G"], "distance": 1.1}),
    "curve": ("planar", ARM, {"point": "bob.B", "body": "ground", "x": "u", "y": "-0.6 + 0.2*sin(u)", "range": [0, 3]}),
    "cam": ("planar", ARM, {"follower": "roller", "point": "bob.B", "radius": 0.1, "body": "ground", **PROFILE}),
    "cable": ("planar", ARM, {"points": CABLE, "length": "4.2 - 0.1*t"}),
    "rope": ("planar", ARM, {"between": ["bob.B", "ground.G"], "length": 1.3}),
    "connection": ("planar", ARM, {"joint": SLOT}),
    "knife_edge": ("planar", FREE, {"point": "wheel.C", "along": [1, 0.3]}),
    "track": ("planar", FREE, {"centre": "wheel.C", "radius": 0.3, "body": "ground", "x": "u", "y": "0.1*u^2"}),
    "rolling": ("spatial", BALL, {"centre": "ball.C", "radius": 0.5, "plane": "ground.O", "axis": [0, 1, 0.1]}),
}
COUPLINGS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "gear": (PAIR, {"bodies": ["slow", "fast"], "radii": [2, 1], "pressure_angle": "20 deg"}),
    "belt": (PAIR, {"bodies": ["slow", "fast"], "radii": [1, 0.5]}),
    "linear": (PAIR, {"terms": [{"joint": "s", "factor": 1}, {"joint": "f", "factor": -2}]}),
    "planetary": (TRAIN, {"sun": "sun", "ring": "ring", "carrier": "carrier", "teeth": [24, 72]}),
    "rack": (RAIL, {"bodies": ["wheel", "rack"], "radius": 0.5}),
}


def gravity(space: str) -> list[float]:
    return [1.0, -9.81] if space == "planar" else [1.0, 2.0, -9.81]


@pytest.mark.parametrize("kind", RELATION_KINDS)
def test_a_relation_keeps_the_contract(kind: str) -> None:
    space, parts, keys = RELATIONS[kind]
    check_elements(lw.Model(space=space, gravity=gravity(space), **parts, relations={"it": {"kind": kind, **keys}}))


@pytest.mark.parametrize("kind", COUPLING_KINDS)
def test_a_coupling_keeps_the_contract(kind: str) -> None:
    parts, keys = COUPLINGS[kind]
    motor = {"motor": {"kind": "effort", "joint": next(iter(parts["joints"])), "value": 10}}
    check_elements(lw.Model(space="planar", **parts, couplings={"it": {"kind": kind, **keys}}, forces=motor))


@pytest.mark.parametrize("motion", [{"position": "sin(2*t)"}, {"speed": "1 + t"}, {"acceleration": "0.3*t"}])
def test_a_driver_keeps_the_contract(motion: dict[str, str]) -> None:
    check_elements(lw.Model(space="planar", gravity=gravity("planar"), **ARM, drivers={"it": {"joint": "O", **motion}}))


def test_a_guide_keeps_the_contract() -> None:
    wanted = {"body": "ball", "rotation": {"roll": "0.3*sin(t)", "pitch": "0.2*t", "yaw": "0.1"}}
    check_elements(lw.Model(space="spatial", gravity=gravity("spatial"), **BALL, drivers={"it": wanted}))
