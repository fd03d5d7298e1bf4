"""Open chains are placed body by body: closed at once, with the values asked for, where Newton's method comes too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from exploring import EXPLORING
from hypothesis import example, given
from linkages import revolute
from random_mechanisms import examples, random_kinds, random_tree, seeds

import linkwork as lw
from linkwork.algebra.space import space_named
from linkwork.elements.joints import joint_kind
from linkwork.position import placing
from linkwork.position.assembly import close_joints
from linkwork.position.geometry import Pose
from linkwork.position.poses import wrap


def asked(rng: np.random.Generator, data: dict[str, Any], size: float) -> dict[str, dict[str, float]]:
    """Values of about half of all joint coordinates."""
    found: dict[str, dict[str, float]] = {}
    space = lw.Model(**data).joints
    for name in data["joints"]:
        for freedom in space[name].freedoms:
            if rng.random() < 0.5:
                value = float(size * rng.normal())
                folded = data["joints"][name]["kind"] == "constant_velocity"  # by half a turn it has no axis left
                found.setdefault(name, {})[freedom.name] = max(-3.0, min(value, 3.0)) if folded else value
    return found


def readings(topology: lw.answers.Topology, poses: dict[str, Pose]) -> dict[str, float]:
    values = topology.conditions.evaluate(poses, topology.geometry.defaults)[2]
    return {
        f"{r.element}.{r.name}": float(v)
        for r, v in zip(topology.conditions.readings, values, strict=True)
        if not r.rate_only
    }


@given(seeds)
@example(2429207)
@examples(40 if EXPLORING else 15)
def test_trees_close_at_once_with_the_values_asked_for(seed: int) -> None:
    rng = np.random.default_rng(seed)
    space = str(rng.choice(["planar", "spatial"]))
    data = random_tree(rng, space, random_kinds(rng, space, 5))
    initial = asked(rng, data, 2.0)
    topology = lw.analyse(lw.Model(**data, initial=initial))
    c, p, poses = topology.conditions, topology.geometry.defaults, dict(topology.assembly.poses)
    phi, _, values, _ = c.evaluate(poses, p)
    assert np.max(np.abs(phi), initial=0.0) < 1e-12
    drawn, found = c.evaluate(c.geometry.sketch(p), p)[2], readings(topology, poses)
    for name, wanted in initial.items():
        for key, value in wanted.items():
            gap = found[f"{name}.{key}"] - value
            assert abs(wrap(gap) if c.readings[c.index(name, key)].wraps else gap) < 1e-9
    for name in topology.assembly.kept:
        i = c.index(*name.split("."))
        gap = values[i] - drawn[i]
        assert abs(wrap(gap) if c.readings[i].wraps else gap) < 1e-9 * float(c.units[i])


@given(seeds)
@example(3074220)  # Newton's method turns a body the other way round: by 2.2 rad instead of -4.1 rad
@examples(30 if EXPLORING else 12)
def test_newton_comes_to_the_same_poses_and_the_same_choice(seed: int) -> None:
    """Of joints without free attitudes, whose coordinates determine everything; the sketch is open by a little."""
    rng = np.random.default_rng(seed)
    space = str(rng.choice(["planar", "spatial"]))
    kinds = [kind for kind in random_kinds(rng, space, 8) if not joint_kind(kind).spins(space_named(space))][:4]
    data = random_tree(rng, space, kinds)
    model = lw.Model(**data, initial=asked(rng, data, 0.3))
    one = lw.analyse(model).assembly
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(placing, "place_outward", lambda *given: None)
        other = lw.topology.analyse(model).assembly
    for name, pose in other.poses.items():
        np.testing.assert_allclose(one.poses[name].origin, pose.origin, atol=1e-9)
        np.testing.assert_allclose(one.poses[name].axes, pose.axes, atol=1e-9)
        assert wrap((one.poses[name].angle or 0.0) - (pose.angle or 0.0)) == pytest.approx(0.0, abs=1e-9)
    assert sorted(one.kept) == sorted(other.kept)


def chain(count: int, lengths: float = 1.0, **more: Any) -> lw.Model:
    """Bars in a zigzag, longer than they are drawn."""
    points = {f"P{i}": [i, 0.3 * (i % 2)] for i in range(count + 1)}
    bodies = {
        f"bar{i}": {"bar": [f"P{i}", f"P{i + 1}"], "length": lengths * np.hypot(1, 0.3), "mass": 1}
        for i in range(count)
    }
    joints = {
        f"J{i}": {**revolute("ground" if i == 0 else f"bar{i - 1}", f"bar{i}"), "at": f"P{i}"} for i in range(count)
    }
    return lw.Model(space="planar", points=points, bodies=bodies, joints=joints, **more)


def test_a_chain_needs_no_steps_and_keeps_its_angles() -> None:
    topology = lw.analyse(chain(12, 1.5, initial={"J3": {"angle": 0.4}, "J7": {"angle": 7.0}}))
    c, p, poses = topology.conditions, topology.geometry.defaults, dict(topology.assembly.poses)
    assert close_joints(c, p, poses, ())[2] == 0
    assert len(topology.assembly.kept) == 10
    # the angle of a pin is that between its bars; of the values asked for, the turn nearest to the sketch counts
    sketch = [0.0, *(float(c.geometry.sketch(p)[f"bar{i}"].angle or 0.0) for i in range(12))]
    angle, place = 0.0, np.zeros(2)
    for i in range(12):
        angle += {3: 0.4, 7: 7.0 - 2 * np.pi}.get(i, sketch[i + 1] - sketch[i])
        pose = poses[f"bar{i}"]
        assert pose.angle == pytest.approx(angle, abs=1e-12)
        np.testing.assert_allclose(pose.origin, place, atol=1e-12)
        place = place + 1.5 * np.hypot(1, 0.3) * np.array([np.cos(angle), np.sin(angle)])


def test_a_body_that_floats_is_reached_by_iteration() -> None:
    model = chain(3).to_dict()
    model["bodies"]["stone"] = {"points": ["P2"], "mass": 1, "inertia": 0.1}
    found = lw.analyse(lw.Model(**model, initial={"stone": {"x": 1.9, "angle": 0.7}}))
    values = readings(found, dict(found.assembly.poses))
    assert (values["stone.x"], values["stone.y"], values["stone.angle"]) == pytest.approx((1.9, 0.0, 0.7), abs=1e-10)
    assert sorted(found.assembly.kept) == ["J0.angle", "J1.angle", "J2.angle", "stone.y"]
