"""A mechanism that floats freely: its momentum grows with its weight, its moment of momentum is that of the weight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from combinations import KINDS
from hypothesis import given
from numpy.typing import NDArray
from random_mechanisms import examples, random_kinds, random_tree, seeds
from scipy.spatial.transform import Rotation

import linkwork as lw

Array = NDArray[np.float64]
# the reference backend saves the compilation of models that are used once
TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13, "backend": "reference"}


def momenta(result: lw.Result, topology: lw.answers.Topology) -> tuple[Array, Array, Array]:
    """Momentum (N, 3), moment of momentum about the origin (N, 3) and first moment of mass (N, 3), from named quantities."""
    geometry = topology.geometry
    axes = geometry.space.axis_names
    count = len(result.time)
    linear, angular, first = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3))
    for name, body in geometry.bodies.items():
        mass = float(geometry.number(body.kind.mass))
        r, v, spin = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3))
        for i, axis in enumerate(axes):
            r[:, i], v[:, i] = result[f"{name}.{axis}"], result[f"{name}.v{axis}"]
        if geometry.space.planar:
            spin[:, 2] = float(geometry.number(body.kind.matter.inertia)) * result[f"{name}.speed"]
        else:
            w = np.column_stack([result[f"{name}.w{axis}"] for axis in axes])
            turn = Rotation.from_quat(
                np.column_stack([result[f"{name}.q{i}"] for i in range(4)]), scalar_first=True
            ).as_matrix()
            spin = np.einsum("nij,jk,nlk,nl->ni", turn, geometry.number(body.kind.matter.inertia), turn, w)
        linear += mass * v
        angular += spin + mass * np.cross(r, v)
        first += mass * r
    return linear, angular, first


def check_momenta(rng: np.random.Generator, data: dict[str, Any], kind: str) -> None:
    """Throw a mechanism into the air with a random velocity and spin."""
    if data["space"] == "planar":
        motion: dict[str, Any] = {key: float(rng.normal(scale=3)) for key in ("vx", "vy", "speed")}
    else:
        motion = {key: rng.normal(scale=3, size=3).tolist() for key in ("velocity", "omega")}
    model = lw.Model(**data, initial={"b0": motion})
    topology = lw.analyse(model)
    result = lw.simulate(model, 0.1, step=0.025, coordinates=kind, **TIGHT)
    assert result.outcome.completed, result.outcome
    linear, angular, first = momenta(result, topology)
    gravity = np.zeros(3)
    gravity[: len(model.gravity)] = topology.geometry.number(topology.geometry.gravity)
    total = sum(float(topology.geometry.number(body.kind.mass)) for body in topology.geometry.bodies.values())
    t = result.time[:, None]
    size = 1.0 + float(np.max(np.abs(angular)))
    np.testing.assert_allclose(linear, linear[0] + total * gravity * t, atol=1e-8 * size)
    # the moment of the weight is c × g with c(t) = c₀ + P₀ t + ½ m g t²
    weight = np.cross(first[0], gravity) * t + np.cross(linear[0], gravity) * t**2 / 2
    np.testing.assert_allclose(angular, angular[0] + weight, atol=1e-8 * size)


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("space", ["planar", "spatial"])
@examples(2)
@given(seed=seeds)
def test_floating_trees(space: str, kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    check_momenta(rng, random_tree(rng, space, random_kinds(rng, space, 2), True), kind)


@pytest.mark.parametrize("kind", KINDS)
@examples(1)
@given(seed=seeds)
def test_floating_loops(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = ["universal", "cylindrical", "spherical"]
    check_momenta(rng, random_tree(rng, "spatial", kinds, floating=True, closing=["spherical"]), kind)
