"""What physics does not depend on: where a mechanism stands, how it is turned, the unit of length, the order of parts."""

from __future__ import annotations

from typing import Any

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import every_kind
from hypothesis import given
from random_mechanisms import examples, random_rotation, seeds

import linkwork as lw

few = examples(2)
# the reference backend saves the compilation of models that are used once
TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13, "backend": "reference"}


def transformed(model: lw.Model, turn: np.ndarray, shift: np.ndarray, scale: float = 1.0) -> dict[str, Any]:
    """The same mechanism, turned, shifted and enlarged; bars and sketch points only."""
    data = model.to_dict()

    def vector(value: Any, factor: float = 1.0) -> list[float]:
        return (factor * (turn @ np.array(value, dtype=float))).tolist()

    data["points"] = {name: (np.array(vector(r, scale)) + shift).tolist() for name, r in data["points"].items()}
    data["gravity"] = vector(data["gravity"], scale)
    for joint in data["joints"].values():
        if "axis" in joint:
            joint["axis"] = vector(joint["axis"])
        if "axes" in joint:
            joint["axes"] = [vector(axis) for axis in joint["axes"]]
    for body in data["bodies"].values():
        for key in ("length", "radius"):
            if key in body:
                body[key] = scale * body[key]
        if "section" in body:
            body["section"] = [scale * edge for edge in body["section"]]
    return data


def coordinates_of(model: lw.Model, kind: str, until: float, scale: float = 1.0, **options: Any) -> np.ndarray:
    result = lw.simulate(model, until, step=until / 4, coordinates=kind, **{**TIGHT, **options})
    assert result.outcome.completed, result.outcome
    return np.array(
        [
            result[f"{joint}.{freedom.name}"] / (1.0 if freedom.angular else scale)
            for joint, declared in model.joints.items()
            for freedom in declared.freedoms
        ]
    )


@every_kind
@few
@given(seed=seeds)
def test_a_turned_and_shifted_mechanism_moves_alike(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = linkages.rscr()
    turn, shift = random_rotation(rng), 10 * rng.normal(size=3)
    moved = lw.Model(**transformed(model, turn, shift))
    np.testing.assert_allclose(coordinates_of(moved, kind, 0.4), coordinates_of(model, kind, 0.4), atol=1e-7)


@every_kind
def test_a_mechanism_far_from_the_origin_loses_few_digits(kind: str) -> None:
    model = mechanisms.modelica_fourbar()
    far = lw.Model(**transformed(model, np.eye(3), np.array([3e4, -2e4, 1e4])))
    np.testing.assert_allclose(coordinates_of(far, kind, 0.2), coordinates_of(model, kind, 0.2), atol=1e-6)


@pytest.mark.matrix("formulation", "kind")
@every_kind
@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_the_unit_of_length_does_not_matter(kind: str, formulation: str, scale: float) -> None:
    model = linkages.rscr()
    scaled = lw.Model(**transformed(model, np.eye(3), np.zeros(3), scale))
    topology = lw.analyse(scaled)
    assert (topology.freedoms, topology.redundant) == (1, ())
    np.testing.assert_allclose(
        coordinates_of(scaled, kind, 0.4, scale, formulation=formulation, atol=1e-13 * min(1.0, scale)),
        coordinates_of(model, kind, 0.4, formulation=formulation),
        atol=1e-7,
    )


@every_kind
@few
@given(seed=seeds)
def test_the_order_of_the_parts_does_not_matter(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = linkages.six_bar()
    data = model.to_dict()
    for section in ("bodies", "joints", "points"):
        names = list(data[section])
        data[section] = {names[i]: data[section][names[i]] for i in rng.permutation(len(names))}
    shuffled = lw.Model(**data)
    one, other = (lw.simulate(m, 0.4, step=0.1, coordinates=kind, **TIGHT) for m in (model, shuffled))
    for name in ("A.x", "B.y", "E.vx", "plate.ay", "O.angle", "F.speed", "B.fx", "E.fy"):
        size = max(1.0, float(np.max(np.abs(one[name]))))
        np.testing.assert_allclose(other[name], one[name], atol=1e-7 * size, err_msg=name)


@every_kind
def test_masses_scale_forces_but_not_motions(kind: str) -> None:
    model = linkages.six_bar()
    data = model.to_dict()
    for body in data["bodies"].values():
        body["mass"] = 1e-6 * body["mass"]
        if "inertia" in body:
            body["inertia"] = 1e-6 * body["inertia"]
    light = lw.Model(**data)
    one, other = (lw.simulate(m, 0.4, step=0.1, coordinates=kind, **TIGHT) for m in (model, light))
    np.testing.assert_allclose(other["O.angle"], one["O.angle"], atol=1e-8)
    np.testing.assert_allclose(1e6 * other["B.fx"], one["B.fx"], rtol=1e-6)
