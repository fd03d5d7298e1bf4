"""Forces of every kind for random mechanisms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from random_mechanisms import random_tree

import linkwork as lw

RUB = {"viscous": 0.2, "dry": 0.1, "smoothing": 0.2}
DAMPER = [[-2.0, -1.5], [0.0, 0.0], [1.0, 0.3], [3.0, 2.0]]
CURVE = {"rows": [[0.2, -1.0], [0.8, 0.2], [1.5, 0.4], [4.0, 6.0]], "interpolation": "smooth"}
DRIVEN = {"revolute": "angle", "prismatic": "position", "helical": "angle", "cylindrical": "position"}


def loaded(rng: np.random.Generator, space: str, kinds: list[str], **options: Any) -> lw.Model:
    """A random tree with every kind of force between its first two bodies and in its joints."""
    data = random_tree(rng, space, kinds, **options)
    data["points"]["W"] = rng.normal(size=2 if space == "planar" else 3).tolist()
    forces = forces_between(rng, space, "b0", "b1") | forces_in(data["joints"])
    return lw.Model(**data, forces=forces, base=moving_base(rng, space))


def forces_between(rng: np.random.Generator, space: str, one: str, other: str) -> dict[str, Any]:
    """Between the points P of two bodies, and between them and the point W of the ground."""
    planar = space == "planar"
    d, k = (2, 1) if planar else (3, 3)

    def vector(size: int = d) -> list[float]:
        return rng.normal(size=size).tolist()

    turn = float(rng.normal()) if planar else vector(3)
    ends, (here, there) = [f"{one}.P", f"{other}.P"], (f"{one}.P", f"{other}.P")
    axis = {} if planar else {"axis": vector(3)}
    free = {"inertia": 0.02, "torque": "0.1 - 0.2*spin", "initial": 4}
    forces: dict[str, Any] = {
        "force": {"kind": "force", "at": here, "value": [f"{x} + {other}.x" for x in vector()], "axes": "body"},
        "pair": {"kind": "force", "at": here, "value": vector(), "reaction": other},
        "torque": {"kind": "torque", "body": other, "value": turn, "reaction": one, "axes": "body"},
        "spring": {"kind": "spring", "between": ends, "stiffness": 5, "damping": 2, "free_length": 0.3},
        "cable": {"kind": "spring", "between": [there, "ground.W"], "stiffness": 5, "free_length": 0.1, "only": "pull"},
        "table": {"kind": "spring", "between": [here, "ground.W"], "table": CURVE, "damping_table": DAMPER},
        "cubic": {"kind": "spring", "between": ends, "free_length": 0.2, "force": "2*extension^3 - extension"},
        "any": {"kind": "spring", "between": ends, "force": "sin(length) - 0.3*rate*cos(t)"},
        "ram": {"kind": "actuator", "between": ends, "signal": f"{other}.vx - 0.2", "limits": [-2, 1], "lag": 0.1},
        "bushing": {
            "kind": "bushing",
            "between": ends,
            "stiffness": rng.uniform(1, 3, d + k).tolist(),
            "damping": rng.uniform(0, 1, d + k).tolist(),
            "preload": vector(d + k),
        },
        "drag": {"kind": "drag", "at": there, "linear": 0.1, "quadratic": 0.4, "wind": [f"{x}*t" for x in vector()]},
        "driven": {"kind": "rotor", "body": one, "inertia": 0.03, "spin": "5 + t", **axis},
        "free": {"kind": "rotor", "body": other, **free, **axis},
    }
    if planar:
        coil = {"free_angle": 0, "stiffness": 3, "damping": 0.2}
        forces["twist"] = {"kind": "torsion_spring", "bodies": [one, other], **coil}
    return forces


def forces_in(joints: Mapping[str, Any]) -> dict[str, Any]:
    """Efforts, friction and springs along the coordinates of joints."""
    forces: dict[str, Any] = {}
    for name, joint in joints.items():
        if joint["kind"] in DRIVEN:
            along = {"joint": name, "freedom": DRIVEN[joint["kind"]]}
            forces[f"{name}_effort"] = {"kind": "effort", "value": "1 + t", **along}
            forces[f"{name}_rub"] = {"kind": "friction", **along, **RUB}
        if joint["kind"] in ("revolute", "helical"):
            coil = {"free_angle": 0, "stiffness": 2, "damping_table": DAMPER}
            forces[f"{name}_coil"] = {"kind": "torsion_spring", "joint": name, **coil}
        if joint["kind"] == "spherical":
            forces[f"{name}_rub"] = {"kind": "friction", "joint": name, **RUB}
    return forces


def moving_base(rng: np.random.Generator, space: str) -> dict[str, Any]:
    planar = space == "planar"
    omega = "0.4*cos(t)" if planar else ["0.4*cos(t)", "0.1", "-0.3*t"]
    return {"acceleration": [f"{x}*sin(2*t + 1)" for x in rng.normal(size=2 if planar else 3)], "omega": omega}
