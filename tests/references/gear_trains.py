"""Gear trains, racks and belts for tests. Units are SI."""

from __future__ import annotations

from typing import Any

from linkages import revolute

import linkwork as lw

SUN, PLANET = 0.1, 0.15
RING = SUN + 2 * PLANET


def wheel(point: str, mass: float, inertia: Any) -> dict[str, Any]:
    return {"points": [point], "mass": mass, "inertia": inertia}


def planetary(couplings: dict[str, Any] | None = None, **more: Any) -> lw.Model:
    """Sun, ring and arm turn about O, one planet on the arm; two freedoms. The centre of the arm lies in O."""
    data: dict[str, Any] = {
        "space": "planar",
        "points": {"O": [0, 0], "P": [SUN + PLANET, 0]},
        "bodies": {
            "sun": wheel("O", 3, 0.02),
            "planet": wheel("P", 1, 0.01),
            "arm": {"points": ["O", "P"], "com": "O", "mass": 2, "inertia": 0.05},
            "ring": wheel("O", 4, 0.3),
        },
        "joints": {
            "S": revolute("ground", "sun", at="O"),
            "A": revolute("ground", "arm", at="O"),
            "P": revolute("arm", "planet"),
            "R": revolute("ground", "ring", at="O"),
        },
        "couplings": couplings
        or {
            "inner": {"bodies": ["sun", "planet"], "radii": [SUN, PLANET]},
            "outer": {"bodies": ["planet", "ring"], "radii": [PLANET, RING], "internal": True},
        },
    }
    return lw.Model(**{**data, **more})


def differential(**more: Any) -> lw.Model:
    """The differential of a car: cage and side wheels turn about x, the planet about y of the cage. Cones of 45 degrees."""
    disc = [0.02, 0.01, 0.01]
    data: dict[str, Any] = {
        "space": "spatial",
        "points": {"O": [0, 0, 0], "L": [-0.1, 0, 0], "R": [0.1, 0, 0], "P": [0, 0.1, 0]},
        "bodies": {
            "cage": {"points": ["O", "P"], "com": "O", "mass": 2, "inertia": [0.08, 0.05, 0.05]},
            "left": wheel("L", 1, disc),
            "right": wheel("R", 1, disc),
            "planet": wheel("P", 0.5, [0.003, 0.005, 0.003]),
        },
        "joints": {
            "O": revolute("ground", "cage", axis=[1, 0, 0]),
            "L": revolute("ground", "left", axis=[1, 0, 0]),
            "R": revolute("ground", "right", axis=[-1, 0, 0]),
            "P": revolute("cage", "planet", axis=[0, 1, 0]),
        },
        "couplings": {
            "left_mesh": {"bodies": ["left", "planet"], "radii": [0.1, 0.1]},
            "right_mesh": {"bodies": ["right", "planet"], "teeth": [16, 16]},
        },
    }
    return lw.Model(**{**data, **more})


def rack(side: int = -1, axis: int = 1, **more: Any) -> lw.Model:
    """A pinion of 0.2 m on the ground drives a rack that lies below (side −1) or above it and slides along axis × x."""
    data: dict[str, Any] = {
        "space": "planar",
        "points": {"O": [0, 0], "B": [0.5, 0.2 * side]},
        "bodies": {"pinion": wheel("O", 2, 0.04), "rack": {"points": ["B"], "mass": 3}},
        "joints": {
            "O": revolute("ground", "pinion"),
            "B": {"kind": "prismatic", "bodies": ["ground", "rack"], "axis": [axis, 0]},
        },
        "couplings": {"mesh": {"kind": "rack", "bodies": ["pinion", "rack"], "radius": 0.2}},
    }
    return lw.Model(**{**data, **more})


def rolling_wheel(slope: float, **more: Any) -> lw.Model:
    """A wheel of 0.3 m rolls down a slope; a carrier without mass slides along it."""
    data: dict[str, Any] = {
        "space": "planar",
        "gravity": [0, -9.81],
        "parameters": {"slope": slope, "r": 0.3},
        "points": {"C": [0, 0], "T": ["-r*sin(slope)", "-r*cos(slope)"]},
        "bodies": {"wheel": wheel("C", 2, 0.15), "carrier": {"points": ["C"], "mass": 0}},
        "joints": {
            "G": {
                "kind": "prismatic",
                "bodies": ["ground", "carrier"],
                "at": "C",
                "axis": ["cos(slope)", "-sin(slope)"],
            },
            "C": revolute("carrier", "wheel"),
        },
        "couplings": {"rolling": {"kind": "rack", "bodies": ["wheel", "ground"], "radius": "r", "at": "T"}},
    }
    return lw.Model(**{**data, **more})


def wheel_on_a_rod(**more: Any) -> lw.Model:
    """A rod turns about its end O; a disk of 0.2 m rolls on its upper side, held by nothing but the rolling."""
    data: dict[str, Any] = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"O": [0, 0], "E": [2, 0], "C": [0.5, 0.2], "T": [0.5, 0]},
        "bodies": {"rod": {"bar": ["O", "E"], "mass": 3, "points": {"U": [0, 0.2]}}, "disk": wheel("C", 2, 0.04)},
        "joints": {
            "O": revolute("ground", "rod"),
            "slot": {"kind": "point_on_line", "bodies": ["rod", "disk"], "at": ["U", "C"], "axis": [1, 0]},
        },
        "couplings": {"rolling": {"kind": "rack", "bodies": ["disk", "rod"], "radius": 0.2, "at": "T"}},
    }
    return lw.Model(**{**data, **more})


def belt(crossed: bool = False, **more: Any) -> lw.Model:
    """Two pulleys of 0.1 and 0.25 m, 1 m apart."""
    data: dict[str, Any] = {
        "space": "planar",
        "points": {"A": [0, 0], "B": [1, 0]},
        "bodies": {"small": wheel("A", 1, 0.01), "large": wheel("B", 2, 0.2)},
        "joints": {"A": revolute("ground", "small"), "B": revolute("ground", "large")},
        "couplings": {"belt": {"kind": "belt", "bodies": ["small", "large"], "radii": [0.1, 0.25], "crossed": crossed}},
    }
    return lw.Model(**{**data, **more})


def worm(hand: str = "right", **more: Any) -> lw.Model:
    """A worm with two threads along x, above a wheel of 40 teeth that turns about y."""
    data: dict[str, Any] = {
        "space": "spatial",
        "points": {"W": [0, 0, 0.1], "V": [0, 0, 0]},
        "bodies": {"worm": wheel("W", 1, [0.001, 0.002, 0.002]), "wheel": wheel("V", 2, [0.02, 0.04, 0.02])},
        "joints": {
            "W": revolute("ground", "worm", axis=[1, 0, 0]),
            "V": revolute("ground", "wheel", axis=[0, 1, 0]),
        },
        "couplings": {"mesh": {"bodies": ["worm", "wheel"], "teeth": [2, 40], "hand": hand}},
    }
    return lw.Model(**{**data, **more})


def ravigneaux(**more: Any) -> lw.Model:
    """Two suns, a short and a long planet that mesh, and a ring on the long one: teeth 30, 24, 20, 21 and 72."""
    data: dict[str, Any] = {
        "space": "planar",
        "points": {"O": [0, 0], "L": [0.51, 0], "S": [0.3, 0.35]},
        "bodies": {
            **{name: wheel("O", 1, 0.1) for name in ("sun1", "sun2", "ring")},
            "arm": {"points": ["O", "L", "S"], "com": "O", "mass": 1, "inertia": 0.1},
            "long": wheel("L", 1, 0.01),
            "short": wheel("S", 1, 0.01),
        },
        "joints": {
            **{f"J_{name}": revolute("ground", name, at="O") for name in ("sun1", "sun2", "ring", "arm")},
            "L": revolute("arm", "long"),
            "S": revolute("arm", "short"),
        },
        "couplings": {
            "a": {"bodies": ["sun1", "long"], "teeth": [30, 21]},
            "b": {"bodies": ["sun2", "short"], "teeth": [24, 20]},
            "c": {"bodies": ["short", "long"], "teeth": [20, 21]},
            "d": {"bodies": ["long", "ring"], "teeth": [21, 72], "internal": True},
        },
    }
    return lw.Model(**{**data, **more})
