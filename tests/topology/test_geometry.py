"""From declarations to local geometry: bars, plates, fitted bodies, joint frames, inertia."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_mechanisms import examples, random_kinds, random_rotation, random_tree, seeds

import linkwork as lw
from linkwork.position.geometry import GROUND, Geometry
from linkwork.topology.resolve import resolve

few = examples(8)
PINNED = {"kind": "revolute", "bodies": ["ground", "b"], "at": "A", "axis": [0, 0, 1]}


def one_body(body: dict[str, Any], points: dict[str, Any]) -> Geometry:
    return resolve(lw.Model(space="spatial", points=points, bodies={"b": body}, joints={"j": PINNED}))


@few
@given(seed=seeds, space=st.sampled_from(["planar", "spatial"]))
def test_joint_frames_of_both_bodies_coincide_at_the_sketch(seed: int, space: str) -> None:
    rng = np.random.default_rng(seed)
    geometry = resolve(lw.Model(**random_tree(rng, space, random_kinds(rng, space, 4), closing=["revolute"])))
    frames = {name: body.drawn for name, body in geometry.bodies.items()} | {GROUND: geometry.ground_frame}
    for joint in geometry.joints.values():
        a, b = joint.frames(frames)
        np.testing.assert_allclose(geometry.number(a.origin), geometry.number(b.origin), atol=1e-12)
        if joint.kind.name == "constant_velocity":  # its shafts may be drawn bent
            residuals = [geometry.number(row.residual) for row in joint.kind.rows(geometry.space, a, b)]
            np.testing.assert_allclose(residuals, 0.0, atol=1e-12)
        # the angle of a planar revolute joint is counted between the axes of its bodies
        elif joint.kind.name != "revolute" or space == "spatial":
            np.testing.assert_allclose(geometry.number(a.axes), geometry.number(b.axes), atol=1e-12)


def test_axes_of_the_joints_point_where_they_were_drawn() -> None:
    turned = random_rotation(np.random.default_rng(5))
    way = np.array([0.3, -0.2, 0.9])
    body = {"points": {"P": [0, 0, 1]}, "origin": "A", "rotation": {"matrix": turned.tolist()}, "mass": 1}
    model = lw.Model(
        space="spatial",
        points={"A": [1, 2, 3]},
        bodies={"b": body},
        joints={"j": {**PINNED, "axis": way.tolist()}},
    )
    joint = resolve(model).joints["j"]
    unit = way / np.linalg.norm(way)
    geometry = resolve(model)
    np.testing.assert_allclose(geometry.number(joint.a.axis(2)), unit, atol=1e-14)
    np.testing.assert_allclose(turned @ geometry.number(joint.b.axis(2)), unit, atol=1e-14)


@few
@given(seed=seeds)
def test_bodies_given_by_local_points_are_fitted_to_the_sketch(seed: int) -> None:
    rng = np.random.default_rng(seed)
    turned, origin = random_rotation(rng), rng.normal(size=3)
    local = {name: rng.normal(size=3) for name in "ABC"}
    body = {"points": {name: r.tolist() for name, r in local.items()}, "mass": 1, "com": "A", "inertia": "point"}
    geometry = one_body(body, {name: (origin + turned @ r).tolist() for name, r in local.items()})
    sketch = geometry.sketch()["b"]
    np.testing.assert_allclose(sketch.axes, turned, atol=1e-9)
    np.testing.assert_allclose(sketch.origin, origin, atol=1e-9)


@few
@given(seed=seeds, space=st.sampled_from(["planar", "spatial"]))
def test_two_local_points_fit_a_direction(seed: int, space: str) -> None:
    rng = np.random.default_rng(seed)
    d = 2 if space == "planar" else 3
    local, world = rng.normal(size=(2, d)), rng.normal(size=(2, d))
    world[1] = world[0] + (world[1] - world[0]) * np.linalg.norm(local[1] - local[0]) / np.linalg.norm(
        world[1] - world[0]
    )
    pinned = {key: value for key, value in PINNED.items() if space == "spatial" or key != "axis"}
    geometry = resolve(
        lw.Model(
            space=space,
            points={"A": world[0].tolist(), "B": world[1].tolist()},
            bodies={
                "b": {
                    "points": {"A": local[0].tolist(), "B": local[1].tolist()},
                    "mass": 1,
                    "com": "A",
                    "inertia": "point",
                }
            },
            joints={"j": pinned},
        )
    )
    sketch = geometry.sketch()["b"]
    for one, other in zip(local, world, strict=True):
        np.testing.assert_allclose(sketch.point(one), other, atol=1e-9)
    np.testing.assert_allclose(sketch.axes.T @ sketch.axes, np.eye(d), atol=1e-12)
    assert np.linalg.det(sketch.axes) > 0


def test_a_body_drawn_along_its_own_axes_is_not_turned() -> None:
    body = {"points": {"A": [0, 0, 0], "B": [0, 1, 0]}, "mass": 1, "com": "A", "inertia": "point"}
    np.testing.assert_allclose(one_body(body, {"A": [3, 0, 0], "B": [3, 1, 0]}).sketch()["b"].axes, np.eye(3))


@pytest.mark.parametrize(
    "rotation",
    [
        {"axis": [0, 0, 2], "angle": "90 deg"},
        {"wxyz": ["sqrt(0.5)", 0, 0, "sqrt(0.5)"]},
        {"matrix": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]},
    ],
)
def test_three_ways_to_write_a_quarter_turn(rotation: dict[str, Any]) -> None:
    body = {"points": {"P": [1, 0, 0]}, "origin": [1, 1, 1], "rotation": rotation, "mass": 1}
    sketch = one_body(body, {"A": [0, 0, 0]}).sketch()["b"]
    np.testing.assert_allclose(sketch.point(np.array([1.0, 0, 0])), [1, 2, 1], atol=1e-15)


def test_a_solid_bar() -> None:
    points = {"A": [0, 0, 0], "B": [0, 0, 2]}
    geometry = one_body({"bar": ["A", "B"], "density": 1000, "section": [0.1, 0.2]}, points)
    body = geometry.bodies["b"]
    assert float(body.kind.mass) == pytest.approx(40.0)
    inertia = np.array(geometry.number(body.kind.matter.inertia))
    # width along local y, height along local z
    expected = 40 / 12 * np.array([0.1**2 + 0.2**2, 2**2 + 0.2**2, 2**2 + 0.1**2])
    np.testing.assert_allclose(np.diag(inertia), expected, rtol=1e-13)
    np.testing.assert_allclose(geometry.number(body.centre), [1, 0, 0])
    np.testing.assert_allclose(geometry.sketch()["b"].point(np.array([2.0, 0, 0])), [0, 0, 2], atol=1e-15)
    round_ = one_body({"bar": ["A", "B"], "density": 1000, "radius": 0.1}, points).bodies["b"]
    assert float(round_.kind.mass) == pytest.approx(1000 * np.pi * 0.1**2 * 2)


def test_products_of_inertia_stand_where_they_belong() -> None:
    body = {"points": {"P": [0, 0, 0]}, "mass": 1, "origin": [0, 0, 0], "inertia": [3, 4, 5, 0.1, 0.2, 0.3]}
    geometry = one_body(body, {"A": [0, 0, 0]})
    expected = [[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]]
    np.testing.assert_allclose(geometry.number(geometry.bodies["b"].kind.drawn.inertia), expected)


def test_reference_gives_the_coordinate_its_value_at_the_sketch() -> None:
    points = {"O": [0, 0], "A": [1, 1]}
    bar = {"bar": {"bar": ["O", "A"], "mass": 1}}
    turn = {"kind": "revolute", "bodies": ["ground", "bar"], "reference": "10 deg"}
    slide = {"kind": "prismatic", "bodies": ["ground", "bar"], "axis": [1, 2], "reference": 0.3, "at": "O"}
    for joint, name, value in ((turn, "angle", np.radians(10)), (slide, "position", 0.3)):
        topology = lw.analyse(lw.Model(space="planar", points=points, bodies=bar, joints={"O": joint}))
        c = topology.conditions
        values = c.evaluate(topology.assembly.poses, topology.geometry.defaults)[2]
        assert values[c.index("O", name)] == pytest.approx(value, abs=1e-13)


def test_oblique_axes_of_a_universal_joint_are_refused() -> None:
    joint = {"kind": "universal", "bodies": ["ground", "b"], "at": "A", "axes": [[1, 0, 0], [1, 1, 0]]}
    body = {"points": ["A"], "mass": 1}
    model = lw.Model(space="spatial", points={"A": [0, 0, 0]}, bodies={"b": body}, joints={"j": joint})
    with pytest.raises(lw.errors.ModelError, match=r"joints\.j\.axes.*45 degrees"):
        lw.analyse(model)
