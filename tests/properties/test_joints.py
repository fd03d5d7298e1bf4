"""Every joint kind in every space it admits and in every kind of coordinates: the same motion and the same reactions.

A body hangs on the ground by the joint, with random frames, position and velocity, and a second one hangs on the first.
The reference is the joint in a tree of relative coordinates. The reference backend saves the compilation of models that
are used once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from combinations import KINDS
from exploring import EXPLORING
from hypothesis import given
from random_mechanisms import examples, numbers, random_body, random_joint, seeds

import linkwork as lw
from linkwork.algebra.space import space_named
from linkwork.elements.joints import ALL_JOINTS, JointKind
from linkwork.results import Result

CASES = [pytest.param(kind, space, id=f"{kind.name}-{space}") for kind in ALL_JOINTS for space in kind.spaces]
every_joint = pytest.mark.parametrize(("kind", "space"), CASES)
TIGHT: dict[str, Any] = {"rtol": 1e-10, "atol": 1e-12, "max_steps": 10_000, "backend": "reference"}


def hung(rng: np.random.Generator, kind: JointKind, space: str, swapped: bool = False) -> dict[str, Any]:
    """Two bodies, the first on the ground by a joint of the kind; swapped: the ground is its child."""
    d = 2 if space == "planar" else 3
    joint = random_joint(rng, space, kind.name, ("ground", "first"), "J")
    joint["bodies"] = ["first", "ground"] if swapped else ["ground", "first"]
    elbow = random_joint(rng, space, "revolute", ("first", "second"), "K")
    return {
        "space": space,
        "gravity": rng.normal(scale=5, size=d).tolist(),
        "points": {name: rng.normal(size=d).tolist() for name in "JK"},
        "bodies": {name: random_body(rng, space) for name in ("first", "second")},
        "joints": {"joint": joint, "elbow": elbow},
    }


def random_start(rng: np.random.Generator, kind: JointKind, space: str) -> dict[str, Any]:
    """Values and rates of all coordinates of the joint."""
    scalars = kind.scalars(space_named(space))
    start = {f.name: float(rng.uniform(-0.8, 0.8)) for f in scalars}
    start |= {f.rate: float(rng.normal()) for f in scalars}
    return start | ({"omega": rng.normal(size=3).tolist()} if kind.spins(space_named(space)) else {})


def run(model: lw.Model, coordinates: str) -> Result:
    result = lw.simulate(model, 0.3, step=0.1, coordinates=coordinates, **TIGHT)
    assert result.outcome.completed, result.outcome
    return result


def vectors(result: Result) -> dict[str, np.ndarray]:
    """Motions of the bodies, coordinates of the joints, and force and moment in each joint."""
    bodies = ("first", "second")
    axes = "xyz"[: result.drawing.dimension]
    wanted = [f"{body}.{letter}{axis}" for body in bodies for letter in ("", "v", "a") for axis in axes]
    wanted += [
        f"{body}.{name}" for body in bodies for name in ("speed", "wx", "wy", "wz", "alphax", "alphay", "alphaz")
    ]
    wanted += result.names("joint.*") + result.names("elbow.*")
    return result.values([name for name in wanted if name in result])


@pytest.mark.matrix("swapped")
@every_joint
@pytest.mark.parametrize("swapped", [False, True], ids=["", "swapped"])
@examples(2 if EXPLORING else 1)
@given(seed=seeds)
def test_the_same_motion_and_reactions_in_all_coordinates(
    kind: JointKind, space: str, swapped: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    start = random_start(rng, kind, space)
    model = lw.Model(
        **hung(rng, kind, space, swapped), initial={"joint": start, "elbow": {"speed": float(rng.normal())}}
    )
    first = run(model, "relative")
    for name, value in start.items():
        if name != "omega":
            assert first[f"joint.{name}"][0] == pytest.approx(value, abs=1e-9)
    expected = vectors(first)
    turnover = max(1.0, float(np.max(first["energy.kinetic"])))
    for coordinates in KINDS:
        result = first if coordinates == "relative" else run(model, coordinates)
        np.testing.assert_allclose(result.energy, result.energy[0], atol=1e-8 * turnover)
        assert np.max(result.closure_error) < 1e-9
        for name, values in vectors(result).items():
            size = max(1.0, float(np.max(np.abs(expected[name]))))
            np.testing.assert_allclose(values, expected[name], atol=1e-6 * size, err_msg=f"{coordinates} {name}")


@every_joint
@examples(1)
@given(seed=seeds)
def test_conditions_are_regular_and_reactions_do_no_work_in_all_coordinates(
    kind: JointKind, space: str, seed: int
) -> None:
    """At the start the conditions are as many independent ones as the freedoms need, and C v = 0 for admissible v."""
    rng = np.random.default_rng(seed)
    model = lw.Model(**hung(rng, kind, space), initial={"joint": random_start(rng, kind, space)})
    topology = lw.analyse(model)
    # the elbow has one freedom more
    freedoms = len(kind.freedoms(space_named(space))) + 1
    assert (topology.freedoms, topology.redundant) == (freedoms, ())
    for coordinates in KINDS:
        n = numbers(model, coordinates)
        c = n.coordinates
        y, p = lw.prepare(model, coordinates=coordinates, backend="reference").equations.start
        jacobian = n.value(c.jacobian, 0.0, y, p)
        sizes = np.linalg.svd(jacobian, compute_uv=False)
        # natural coordinates may say the same twice
        rank = c.v.numel() - freedoms
        assert np.min(sizes[:rank], initial=1.0) > 1e-3
        np.testing.assert_allclose(sizes[rank:], 0.0, atol=1e-10)
        # the velocities of the start are admissible
        _, v, _ = n.split(y)
        np.testing.assert_allclose(jacobian @ v, 0.0, atol=1e-10)


@pytest.mark.parametrize(
    ("kind", "space"),
    [case for case in CASES if not case.values[0].axis_on_parent and case.values[0].name != "helical"],
)
@examples(1)
@given(seed=seeds)
def test_parent_and_child_can_change_places(kind: JointKind, space: str, seed: int) -> None:
    """Where a joint is the same from both sides the bodies move alike, and the force on the other body is the opposite."""
    forward = hung(np.random.default_rng(seed), kind, space)
    joint = {**forward["joints"]["joint"], "bodies": ["first", "ground"]}
    if "axes" in joint:
        joint["axes"] = joint["axes"][::-1]
    backward = {**forward, "joints": {**forward["joints"], "joint": joint}}
    one, other = (vectors(run(lw.Model(**data), "relative")) for data in (forward, backward))
    for name, values in one.items():
        if name.startswith(("first", "second", "elbow")):
            np.testing.assert_allclose(other[name], values, atol=1e-6 * max(1.0, np.max(np.abs(values))), err_msg=name)
        elif name.startswith("joint.f"):
            np.testing.assert_allclose(other[name], -values, atol=1e-6 * max(1.0, np.max(np.abs(values))), err_msg=name)
