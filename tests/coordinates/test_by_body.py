"""Kinds of coordinates by body: counts, inertia on random trees, motions and reactions, and what is refused."""

from __future__ import annotations

from typing import Any

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import Array, Numbers, examples, numbers, random_kinds, random_state, random_tree, seeds

import linkwork as lw
from linkwork.position.geometry import Pose

few = examples(4)
spaces = pytest.mark.parametrize("space", ["planar", "spatial"])
THREE = ("relative", "natural", "reference_point")
TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13}


def test_three_kinds_in_a_four_bar() -> None:
    # SOURCE: García de Jalón and Bayo, problem 2/12: five equations relate these six coordinates
    kinds = {"crank": "relative", "coupler": "reference_point", "rocker": "natural"}
    c = lw.number(lw.analyse(mechanisms.four_bar()), kinds)
    assert c.kinematics.q_names == ("O.angle", "coupler.x", "coupler.y", "coupler.angle", "B.x", "B.y")
    assert (c.counts().positions, c.counts().conditions) == (6, 5)
    assert str(c).startswith("crank relative, coupler reference_point, rocker natural coordinates: 6 positions")


def poses_of(n: Numbers, y: Array) -> dict[str, Pose]:
    """Poses whose angles count turns, as those of an assembly do."""
    found = {}
    for name, pose in n.poses(y).items():
        angle = n.coordinates.kinematics.frames[name].angle
        found[name] = pose if angle is None else Pose(pose.origin, pose.axes, n.value(angle, 0.0, y).item())
    return found


def accelerations(n: Numbers, y: Array) -> Array:
    """Of all centres of mass, by a dense saddle-point solution."""
    c, nv, m = n.coordinates, n.coordinates.v.numel(), len(n.coordinates.rows)
    rows = n.value(c.jacobian, 0, y).reshape(m, nv)
    matrix = np.block([[n.value(c.mass, 0, y).reshape(nv, nv), rows.T], [rows, np.zeros((m, m))]])
    right = np.concatenate([n.value(c.forces, 0, y).ravel(), -n.value(c.b, 0, y).ravel()])
    vdot = ca.SX(ca.DM(np.linalg.lstsq(matrix, right, rcond=1e-13)[0][:nv]))
    speeds = [c.motion.centre(name).velocity for name in c.geometry.bodies]
    return n.value(c.motion.acceleration(ca.vertcat(*speeds), vdot), 0, y)


@spaces
@few
@given(seed=seeds)
def test_random_kinds_move_and_weigh_like_relative_ones(space: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = lw.Model(**random_tree(rng, space, random_kinds(rng, space, 4), floating=bool(rng.random() < 0.4)))
    relative = numbers(model)
    chosen = Numbers(lw.number(relative.coordinates.topology, {name: str(rng.choice(THREE)) for name in model.bodies}))
    c, y = chosen.coordinates, random_state(rng, relative)
    poses, twists = poses_of(relative, y), relative.twists(y)
    placed = c.kind.place(c.geometry, c.topology.tree, poses, twists, np.zeros(0))
    z = np.concatenate([*placed, np.zeros(c.s.numel())])
    for name in c.geometry.bodies:
        np.testing.assert_allclose(chosen.poses(z)[name].axes, poses[name].axes, atol=1e-11)
        np.testing.assert_allclose(chosen.poses(z)[name].origin, poses[name].origin, atol=1e-11)
        np.testing.assert_allclose(chosen.twists(z)[name], twists[name], atol=1e-10)
    np.testing.assert_allclose(chosen.value(c.phi, 0, z), 0.0, atol=1e-11)
    np.testing.assert_allclose(chosen.value(c.jacobian @ c.v, 0, z), 0.0, atol=1e-10)
    energies = [
        n.value(ca.dot(n.coordinates.v, n.coordinates.mass @ n.coordinates.v) / 2, 0, state).item()
        for n, state in ((relative, y), (chosen, z))
    ]
    assert energies[0] == pytest.approx(energies[1], rel=1e-11, abs=1e-12)
    expected = accelerations(relative, y)
    np.testing.assert_allclose(
        accelerations(chosen, z), expected, atol=1e-8 * max(1.0, float(np.max(np.abs(expected))))
    )


FOUR_BAR = ["B.x", "A.fx", "B.fy", "crank.angle", "C.angle", "rocker.acceleration"]
RSCR = ["B.x", "A.fx", "B.fy", "coupler.vz", "C.mx", "O.angle", "B.angle", "B.position", "rocker.alphaz"]


@pytest.mark.matrix("formulation")
@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
@pytest.mark.parametrize(("make", "names"), [(mechanisms.four_bar, FOUR_BAR), (linkages.rscr, RSCR)])
def test_loops_of_three_kinds(make: Any, names: list[str], order: tuple[int, ...], formulation: str) -> None:
    model = make()
    kinds = {body: THREE[i] for body, i in zip(model.bodies, order, strict=True)}
    options = {"step": 0.1, "formulation": formulation, **TIGHT}
    expected = lw.simulate(model, 0.3, coordinates="relative", **options)
    found = lw.simulate(model, 0.3, coordinates=kinds, **options)
    assert found.outcome.completed
    for name in names:
        size = max(1.0, float(np.max(np.abs(expected[name]))))
        np.testing.assert_allclose(found[name], expected[name], atol=1e-8 * size, err_msg=name)


def test_live_parameters_and_the_kind_of_all_others() -> None:
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        parameters={"l": {"value": 0.5, "live": True}},
        points={"O": [0, 0], "A": ["l", 0], "B": ["l", "-l"]},
        bodies={"upper": {"bar": ["O", "A"], "mass": "2*l"}, "lower": {"bar": ["A", "B"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
        },
    )
    options: dict[str, Any] = {"step": 0.1, "parameters": {"l": 0.8}, **TIGHT}
    expected = lw.simulate(model, 0.5, **options)
    for kinds in ({"lower": "natural"}, {"upper": "natural", "*": "reference_point"}):
        found = lw.simulate(model, 0.5, coordinates=kinds, **options)
        np.testing.assert_allclose(found["B.x"], expected["B.x"], atol=1e-8)
        np.testing.assert_allclose(found["O.fy"], expected["O.fy"], atol=1e-7)


def test_what_does_not_exist_is_named() -> None:
    topology = lw.analyse(mechanisms.four_bar())
    with pytest.raises(lw.errors.RefusedError, match=r"no body 'couple'.*coupler"):
        lw.number(topology, {"couple": "natural"})
    with pytest.raises(lw.errors.RefusedError, match=r"unknown coordinates 'naturl'.*natural"):
        lw.number(topology, {"coupler": "naturl"})
    with pytest.raises(lw.errors.RefusedError, match=r"'coupler' cannot have mixed coordinates"):
        lw.number(topology, {"coupler": "mixed"})
    with pytest.raises(lw.errors.RefusedError, match=r"'hybrid' works in relative coordinates"):
        lw.simulate(mechanisms.four_bar(), 0.1, coordinates={"coupler": "natural"}, formulation="hybrid")
