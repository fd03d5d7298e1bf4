"""Kinetic energy ½ vᵀ M v in every kind of coordinates, against point masses and rigid bodies, on random motions.

SOURCE: García de Jalón and Bayo, eq. (4.88); a system of point masses has T = Σ ½ mᵢ vᵢ² whatever holds it together.
"""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np
import pytest
from combinations import every_kind
from hypothesis import given
from random_mechanisms import (
    Array,
    Numbers,
    examples,
    numbers,
    random_kinds,
    random_rotation,
    random_state,
    random_tree,
    seeds,
)

import linkwork as lw

few = examples(3)
spaces = pytest.mark.parametrize("space", ["planar", "spatial"])


def random_masses(rng: np.random.Generator, d: int) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Points in a body with masses, of which the last is negative and near the middle of the others."""
    places = rng.normal(scale=0.6, size=(6, d))
    places[-1] = places[:-1].mean(axis=0)
    names = [f"M{i}" for i in range(6)]
    masses = [*rng.uniform(0.3, 1, 5).tolist(), -0.2]
    return {name: place.tolist() for name, place in zip(names, places, strict=True)}, dict(
        zip(names, masses, strict=True)
    )


def random_shapes(rng: np.random.Generator, space: str) -> dict[str, Any]:
    """Shapes anywhere, turned anyhow, with a hole in the first."""
    d = 2 if space == "planar" else 3
    solids: list[dict[str, Any]] = [
        {"box": rng.uniform(0.3, 0.8, 3).tolist(), "density": 5},
        {"cone": {"radius": 0.3, "length": 0.5, "axis": "y"}, "mass": 1.5},
        {"cylinder": {"radius": 0.1, "length": 0.2, "axis": "z"}, "density": -5},
    ]
    for solid in solids:
        solid["at"] = rng.normal(scale=0.3, size=d).tolist()
        turn = {"matrix": random_rotation(rng).tolist()}
        solid["rotation"] = float(rng.uniform(-3, 3)) if space == "planar" else turn
    solids[2]["at"] = solids[0]["at"]
    return {f"s{i}": solid for i, solid in enumerate(solids)}


def built_tree(rng: np.random.Generator, space: str) -> dict[str, Any]:
    """A random tree, with a floating body at times, whose bodies consist of point masses or of shapes."""
    data = random_tree(rng, space, random_kinds(rng, space, 3), floating=bool(rng.random() < 0.4))
    for i, body in enumerate(data["bodies"].values()):
        for key in ("mass", "com", "inertia"):
            del body[key]
        if i % 2:
            body["shapes"] = random_shapes(rng, space)
        else:
            points, body["masses"] = random_masses(rng, 2 if space == "planar" else 3)
            body["points"] |= points
    return data


def moving(rng: np.random.Generator, model: lw.Model, kind: str) -> tuple[Numbers, Array]:
    """The model in a kind of coordinates, in a random state of its joints."""
    relative = numbers(model)
    y = random_state(rng, relative)
    there = numbers(model, kind)
    c = relative.coordinates
    q, v = there.coordinates.kind.place(c.geometry, c.topology.tree, relative.poses(y), relative.twists(y), np.zeros(0))
    return there, np.concatenate([q, v, np.zeros(there.coordinates.s.numel())])


def energy_of_body(n: Numbers, y: Array, model: lw.Model, name: str) -> float:
    """Σ ½ m v² of point masses by their own velocities; else ½ m v_G² + ½ ωᵀ I ω."""
    c, d = n.coordinates, n.coordinates.space.dimension
    geometry, declared = c.geometry.bodies[name], model.bodies[name]
    if declared.masses:
        speeds = {
            p: n.value(c.motion.station(name, geometry.points[p]).velocity, 0, y).ravel() for p in declared.masses
        }
        return sum(model.number(mass) * speeds[p] @ speeds[p] / 2 for p, mass in declared.masses.items())
    twist, axes = n.twists(y)[name], n.poses(y)[name].axes
    inertia = np.atleast_2d(c.geometry.number(geometry.kind.drawn.inertia))
    inertia = inertia if d == 2 else axes @ inertia @ axes.T
    speed = n.value(c.motion.station(name, geometry.kind.drawn.centre).velocity, 0, y).ravel()
    return float(c.geometry.number(geometry.kind.drawn.mass)) * speed @ speed / 2 + twist[d:] @ inertia @ twist[d:] / 2


@pytest.mark.matrix("kind")
@every_kind
@spaces
@few
@given(seed=seeds)
def test_energy_is_that_of_the_parts(kind: str, space: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = lw.Model(**built_tree(rng, space))
    n, y = moving(rng, model, kind)
    c = n.coordinates
    found = n.value(ca.dot(c.v, c.mass @ c.v) / 2, 0, y).item()
    expected = sum(energy_of_body(n, y, model, name) for name in model.bodies)
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-12)
