"""All forces at once on random mechanisms: generalised forces have the power of the loads, and all methods agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from moved_alike import compare
from random_mechanisms import examples, random_kinds, random_tree, seeds

import linkwork as lw
from linkwork.testing import check_elements

RUB = {"viscous": 0.2, "dry": 0.1, "smoothing": 0.2}
DAMPER = [[-2.0, -1.5], [0.0, 0.0], [1.0, 0.3], [3.0, 2.0]]
CURVE = {"rows": [[0.2, -1.0], [0.8, 0.2], [1.5, 0.4], [4.0, 6.0]], "interpolation": "smooth"}


def loaded(rng: np.random.Generator, space: str, kinds: list[str], **options: Any) -> lw.Model:
    """A random tree with every kind of force between its bodies."""
    data = random_tree(rng, space, kinds, **options)
    planar = space == "planar"
    d, k = (2, 1) if planar else (3, 3)
    data["points"]["W"] = rng.normal(size=d).tolist()

    def vector(size: int = d) -> list[float]:
        return rng.normal(size=size).tolist()

    def turn() -> Any:
        return float(rng.normal()) if planar else vector(3)

    ends = ["b0.P", "b1.P"]
    axis = {} if planar else {"axis": vector(3)}
    forces: dict[str, Any] = {
        "force": {"kind": "force", "at": "b0.P", "value": [f"{x} + b1.x" for x in vector()], "axes": "body"},
        "pair": {"kind": "force", "at": "b0.P", "value": vector(), "reaction": "b1"},
        "torque": {"kind": "torque", "body": "b1", "value": turn(), "reaction": "b0", "axes": "body"},
        "spring": {"kind": "spring", "between": ends, "stiffness": 5, "damping": 2, "free_length": 0.3},
        "cable": {
            "kind": "spring",
            "between": ["b1.P", "ground.W"],
            "stiffness": 5,
            "free_length": 0.1,
            "only": "pull",
        },
        "table": {"kind": "spring", "between": ["b0.P", "ground.W"], "table": CURVE, "damping_table": DAMPER},
        "cubic": {"kind": "spring", "between": ends, "free_length": 0.2, "force": "2*extension^3 - extension"},
        "any": {"kind": "spring", "between": ends, "force": "sin(length) - 0.3*rate*cos(t)"},
        "ram": {"kind": "actuator", "between": ends, "signal": "b1.vx - 0.2", "limits": [-2, 1], "lag": 0.1},
        "bushing": {
            "kind": "bushing",
            "between": ends,
            "stiffness": rng.uniform(1, 3, d + k).tolist(),
            "damping": rng.uniform(0, 1, d + k).tolist(),
            "preload": vector(d + k),
        },
        "drag": {"kind": "drag", "at": "b1.P", "linear": 0.1, "quadratic": 0.4, "wind": [f"{x}*t" for x in vector()]},
        "driven": {"kind": "rotor", "body": "b0", "inertia": 0.03, "spin": "5 + t", **axis},
        "free": {"kind": "rotor", "body": "b1", "inertia": 0.02, "torque": "0.1 - 0.2*spin", "initial": 4, **axis},
    }
    for name, joint in data["joints"].items():
        freedoms = {"revolute": "angle", "prismatic": "position", "helical": "angle", "cylindrical": "position"}
        if joint["kind"] in freedoms:
            freedom = freedoms[joint["kind"]]
            forces[f"{name}_effort"] = {"kind": "effort", "joint": name, "freedom": freedom, "value": "1 + t"}
            forces[f"{name}_rub"] = {
                "kind": "friction",
                "joint": name,
                "freedom": freedom,
                "viscous": 0.2,
                "dry": 0.1,
                "smoothing": 0.2,
            }
        if joint["kind"] in ("revolute", "helical"):
            forces[f"{name}_coil"] = {
                "kind": "torsion_spring",
                "joint": name,
                "free_angle": 0,
                "stiffness": 2,
                "damping_table": DAMPER,
            }
        if joint["kind"] == "spherical":
            forces[f"{name}_rub"] = {"kind": "friction", "joint": name, **RUB}
    if planar:
        forces["twist"] = {
            "kind": "torsion_spring",
            "bodies": ["b0", "b1"],
            "free_angle": 0,
            "stiffness": 3,
            "damping": 0.2,
        }
    omega = "0.4*cos(t)" if planar else ["0.4*cos(t)", "0.1", "-0.3*t"]
    base = {"acceleration": [f"{x}*sin(2*t + 1)" for x in vector()], "omega": omega}
    return lw.Model(**data, forces=forces, base=base)


@pytest.mark.parametrize("space", ["planar", "spatial"])
@examples(2)
@given(seed=seeds)
def test_all_elements_keep_their_contracts(space: str, seed: int) -> None:
    """Q·v is the sum of what all loads and efforts do, element by element the same in all coordinates; and so on."""
    rng = np.random.default_rng(seed)
    check_elements(loaded(rng, space, random_kinds(rng, space, 3)), time=0.3, seed=seed)


@pytest.mark.parametrize("space", ["planar", "spatial"])
@examples(1)
@given(seed=seeds)
def test_all_methods_move_loaded_trees_alike(space: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    compare(loaded(rng, space, random_kinds(rng, space, 2)), "energy.balance")


def test_all_methods_move_a_loaded_loop_alike() -> None:
    rng = np.random.default_rng(11)
    kinds = ["revolute", "prismatic", "revolute"]
    compare(loaded(rng, "planar", kinds, floating=True, closing=["revolute"]), "energy.balance")
