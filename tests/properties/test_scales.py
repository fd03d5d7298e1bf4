"""From 10⁻⁹ to 10⁹ m: the same mobility and, with lengths and gravity in proportion, the same motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw

FOUR_BAR: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [0.6, 0.8], "B": [2.9, 1.9], "C": [2.2, 0]},
    "bodies": {
        "crank": {"bar": ["O", "A"], "length": 1.0, "mass": 1},
        "coupler": {"bar": ["A", "B"], "length": 2.5, "mass": 2},
        "rocker": {"bar": ["C", "B"], "length": 2.0, "mass": 1.5},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
        "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
        "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
    },
    "initial": {"O": {"speed": 2}},
}
SLIDER: dict[str, Any] = {
    "space": "planar",
    "gravity": [0, -9.81],
    "points": {"O": [0, 0], "A": [0.06, 0.08], "B": [0.4, 0.0]},
    "bodies": {
        "crank": {"bar": ["O", "A"], "mass": 1},
        "rod": {"bar": ["A", "B"], "mass": 2},
        "piston": {"points": ["B"], "mass": 1.5, "inertia": 0.01},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
        "A": {"kind": "revolute", "bodies": ["crank", "rod"]},
        "B": {"kind": "revolute", "bodies": ["rod", "piston"]},
        "S": {"kind": "prismatic", "bodies": ["ground", "piston"], "at": "B", "axis": [1, 0]},
    },
    "initial": {"O": {"speed": 5}},
}
BALLS: dict[str, Any] = {
    "space": "spatial",
    "gravity": [0, 0, -9.81],
    "points": {"O": [0, 0, 0], "A": [0.3, 0, -0.4], "B": [1.0, 0.2, -0.7]},
    "bodies": {
        "one": {"bar": ["O", "A"], "mass": 1, "inertia": [0.02, 0.02, 0.02]},
        "two": {"bar": ["A", "B"], "mass": 1, "inertia": [0.02, 0.03, 0.02]},
    },
    "joints": {
        "O": {"kind": "spherical", "bodies": ["ground", "one"]},
        "A": {"kind": "revolute", "bodies": ["one", "two"], "axis": [0, 1, 0]},
    },
    "initial": {"A": {"speed": 2}},
}

SPATIAL: dict[str, Any] = {
    "space": "spatial",
    "gravity": [0, 0, -9.81],
    "points": {"O": [0, 0, 0], "A": [0.3, 0.1, 0.2], "B": [1.2, 0.5, 0.7], "C": [1.4, 0.1, -0.1], "P": [1.3, 0.9, 0.8]},
    "bodies": {
        "crank": {"points": ["O", "A"], "com": "A", "mass": 1, "inertia": [0.02, 0.03, 0.04]},
        "rod": {"bar": ["A", "B"], "mass": 1, "inertia": [0.02, 0.03, 0.03]},
        "rocker": {"points": ["C", "B", "P"], "com": "P", "mass": 2, "inertia": [0.05, 0.06, 0.07]},
    },
    "joints": {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"], "axis": [0, 0.3, 1]},
        "A": {"kind": "universal", "bodies": ["crank", "rod"], "axes": [[0, 1, 0], [1, 0, 0]]},
        "B": {"kind": "spherical", "bodies": ["rod", "rocker"]},
        "C": {"kind": "revolute", "bodies": ["ground", "rocker"], "axis": [1, 0.2, 0]},
    },
    "initial": {"O": {"speed": 2}},
}


def times(value: Any, k: float) -> Any:
    return [x * k for x in value] if isinstance(value, list) else value * k


def scaled(data: dict[str, Any], k: float) -> lw.Model:
    """All lengths and gravity times k, inertia times k²: t ↦ x(t) is then k times what it was."""
    bodies = {}
    for name, body in data["bodies"].items():
        powers = {"length": k, "inertia": k * k}
        bodies[name] = {key: times(item, powers[key]) if key in powers else item for key, item in body.items()}
    points = {name: times(point, k) for name, point in data["points"].items()}
    return lw.Model(**{**data, "gravity": times(data["gravity"], k), "points": points, "bodies": bodies})


def motion(model: lw.Model, k: float, kind: str, formulation: str | None = None) -> np.ndarray:
    result = lw.simulate(model, 0.5, step=0.1, coordinates=kind, formulation=formulation)
    assert result.outcome.completed and len(result) == 6 and result.audit.passed
    places = [
        name for name in result.names() if name.endswith((".x", ".y", ".z")) and result.quantity(name).unit == "m"
    ]
    return np.array([result[name] for name in places]) / k


MODELS = {"four-bar": FOUR_BAR, "slider-crank": SLIDER, "double pendulum": BALLS}
NATURAL = ["natural", "natural:constant_mass"]


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("data", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("kind", ["relative", "reference_point", "mixed", *NATURAL])
def test_the_size_of_a_mechanism_does_not_matter(data: dict[str, Any], kind: str) -> None:
    first = lw.analyse(scaled(data, 1.0))
    expected = motion(scaled(data, 1.0), 1.0, kind)
    for k in (1e-9, 1e9):
        model = scaled(data, k)
        topology = lw.analyse(model)
        assert (topology.mobility.free, topology.redundant) == (first.mobility.free, first.redundant)
        assert lw.assemble(model).reached
        np.testing.assert_allclose(motion(model, k, kind), expected, atol=1e-6)


@pytest.mark.matrix("formulation", "kind")
@pytest.mark.parametrize("kind", NATURAL)
@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
def test_points_stand_beside_unit_vectors_at_every_size(kind: str, formulation: str) -> None:
    """Joints that share and joints that compare axes; relative coordinates have neither points nor unit vectors."""
    expected = motion(scaled(SPATIAL, 1.0), 1.0, "relative")
    for k in (1e-9, 1e9):
        np.testing.assert_allclose(motion(scaled(SPATIAL, k), k, kind, formulation), expected, atol=1e-6)


@pytest.mark.parametrize("k", [1e-9, 1e9])
def test_multipliers_mean_the_same_at_every_size(k: float) -> None:
    """Forces of a mechanism k times as large, under gravity k times as strong, are k times as large."""
    expected = lw.simulate(scaled(SPATIAL, 1.0), 0.2, step=0.1, coordinates="relative")
    found = lw.simulate(scaled(SPATIAL, k), 0.2, step=0.1, coordinates="natural", formulation="multipliers")
    names = ["B.fx", "B.fy", "B.fz", "C.fx"]
    forces = np.array([expected[name] for name in names])
    np.testing.assert_allclose(
        np.array([found[name] for name in names]) / k, forces, atol=1e-6 * float(np.abs(forces).max())
    )
