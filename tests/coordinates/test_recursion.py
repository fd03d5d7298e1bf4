"""Recursions along trees: M, forces and accelerations by composite bodies, Newton and Euler, and articulated bodies.

Independent: the kinetic energy of the bodies, whose second derivative by the velocities is M; Euler's equations; other
coordinates, which know no recursion (``properties/test_random_mechanisms.py``).
"""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import Numbers, examples, random_kinds, random_tree, seeds
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import number
from linkwork.coordinates.recursion.articulated import ArticulatedTree
from linkwork.coordinates.recursion.composite import mass_matrix
from linkwork.coordinates.recursion.newton_euler import forces_of
from linkwork.coordinates.recursion.outward import go_outwards
from linkwork.equations.equations import start_of
from linkwork.equations.recursion.accelerations import WAYS, tree_accelerations
from linkwork.equations.recursion.forces import tree_of, tree_symbols

SPACES = pytest.mark.parametrize("space", ["planar", "spatial"])
FLOATING = pytest.mark.parametrize("floating", [False, True])


def chain(links: int, space: str = "planar", mass: float = 1.0) -> lw.Model:
    """Bars in a row; in space their axes alternate."""
    zero = [0.0] * (1 if space == "planar" else 2)
    joints = {}
    for i in range(links):
        joint = {"kind": "revolute", "bodies": ["ground" if i == 0 else f"b{i - 1}", f"b{i}"]}
        joints[f"P{i}"] = joint if space == "planar" else joint | {"axis": [0, 1, 0] if i % 2 else [0, 0, 1]}
    return lw.Model(
        space=space,
        gravity=[*zero, -9.81],
        points={f"P{i}": [0.5 * i, *zero] for i in range(links + 1)},
        bodies={f"b{i}": {"bar": [f"P{i}", f"P{i + 1}"], "mass": mass} for i in range(links)},
        joints=joints,
    )


def tree(space: str, floating: bool, seed: int, count: int = 5) -> Coordinates:
    rng = np.random.default_rng(seed)
    kinds = [kind for kind in random_kinds(rng, space, count) if kind != "fixed"] or ["revolute"]
    return number(lw.analyse(lw.Model(**random_tree(rng, space, kinds, floating))))


def moving(c: Coordinates, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A state away from the sketch."""
    rng = np.random.default_rng(seed)
    y, p = start_of(c)
    y[c.q.numel() :] = rng.normal(size=y.size - c.q.numel())
    if c.kinematics.retract is None:
        y[: c.q.numel()] += rng.normal(scale=0.5, size=c.q.numel())
    return y, p


def along(
    c: Coordinates, expression: ca.SX, known: list[ca.SX], y: np.ndarray, p: np.ndarray, *given: np.ndarray
) -> np.ndarray:
    """An expression of the tree's own symbols at a state."""
    nq, nv = c.q.numel(), c.v.numel()
    f = ca.Function("f", [*known, c.p], [ca.densify(expression)])
    return np.array(f(y[:nq], y[nq : nq + nv], *given, p))


@SPACES
@FLOATING
@examples(6)
@given(seed=seeds)
def test_the_mass_matrix_is_that_of_the_kinetic_energy(space: str, floating: bool, seed: int) -> None:
    c = tree(space, floating, seed)
    y, p = moving(c, seed)
    parts = [c.motion.inertia(name) for name in c.geometry.bodies]
    energy = sum((ca.dot(part.velocities, part.block @ part.velocities) / 2 for part in parts), ca.SX(0))
    expected = Numbers(c).value(ca.hessian(energy, c.v)[0], 0.0, y, p)
    joints = tree_of(c)
    found = along(c, mass_matrix(c.geometry, joints, go_outwards(c.geometry, joints)), list(tree_symbols(joints)), y, p)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@SPACES
@FLOATING
@examples(6)
@given(seed=seeds)
def test_accelerations_take_the_forces_they_are_given(space: str, floating: bool, seed: int) -> None:
    """Newton and Euler of v̇ by articulated bodies give the efforts back; M x = r of its solutions."""
    c = tree(space, floating, seed)
    y, p = moving(c, seed)
    joints, n = tree_of(c), c.v.numel()
    bodies, articulated = go_outwards(c.geometry, joints), ArticulatedTree(c.geometry, joints)
    efforts, right = np.random.default_rng(seed).normal(size=n), np.random.default_rng(seed + 1).normal(size=(n, 3))
    known = list(tree_symbols(joints))
    tau, r = ca.SX.sym("tau", n), ca.SX.sym("r", n, 3)
    vdot = along(c, articulated.accelerations(tau), [*known, tau], y, p, efforts).ravel()
    a = ca.SX.sym("a", n)
    needed = along(c, forces_of(c.geometry, joints, bodies, a), [*known, a], y, p, vdot).ravel()
    mass = along(c, mass_matrix(c.geometry, joints, bodies), known, y, p)
    size = np.abs(mass) @ np.abs(vdot) + np.abs(efforts).max()
    np.testing.assert_allclose(needed, efforts, rtol=0, atol=1e-11 * size.max())
    x = along(c, articulated.solve(r), [*known, r], y, p, right)
    np.testing.assert_allclose(mass @ x, right, rtol=0, atol=1e-11 * (np.abs(mass) @ np.abs(x)).max())


@SPACES
@FLOATING
@examples(4)
@given(seed=seeds)
def test_all_ways_give_the_same_accelerations(space: str, floating: bool, seed: int) -> None:
    c = tree(space, floating, seed)
    y, p = moving(c, seed)
    found = []
    for name, way in WAYS.items():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("linkwork.equations.recursion.accelerations.WAYS", {name: way})
            written = tree_accelerations(c, 0.0, *start_of(c))
        assert written is not None and written.way == name
        found.append(np.array(written.function(0.0, y, p)[0]).ravel())
    size = np.abs(found[0]).max()
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=0, atol=1e-9 * size)


@SPACES
def test_operations_grow_with_the_length_of_a_chain(space: str) -> None:
    counts = {n: lw.prepare(chain(n, space)).program["accelerate"].instructions.operations for n in (20, 40, 80)}
    assert (counts[80] - counts[40]) / (counts[40] - counts[20]) == pytest.approx(2.0, rel=0.01)


def test_the_recursion_is_chosen_by_its_operations_and_told() -> None:
    """García de Jalón and Bayo, section 8.1: composite bodies for few joints in a row, articulated ones for many."""
    short, long = (str(lw.prepare(chain(n, "spatial")).equations) for n in (4, 20))
    assert "accelerations by composite bodies" in short and "articulated bodies would take" in short
    assert "accelerations by articulated bodies" in long and "composite bodies would take" in long


def test_a_long_chain_takes_no_memory_for_matrices() -> None:
    """Where nothing solves with matrices of all velocities, nothing has room for them."""
    mechanism = lw.prepare(chain(60))
    memory = mechanism.flow(mechanism.start()).memory
    assert memory.square == 0 and memory.mass.size == 0 and memory.terms_out.size == 2 * 60


@pytest.mark.parametrize("spin", [1.0, 0.1, 0.001])
def test_a_free_body_turns_by_eulers_equations(spin: float) -> None:
    """About the axis of its middle inertia, where errors grow by every flip; SOURCE: SciPy 1e-13 on I ω̇ = −ω × I ω."""
    moments, first = np.array([1e-3, 2e-3, 3e-3]), np.array([spin, 10.0, spin])
    body = {"points": {"G": [0, 0, 0]}, "com": "G", "mass": 0.1, "inertia": moments.tolist()}
    model = lw.Model(space="spatial", bodies={"nut": body}, initial={"nut": {"omega": first.tolist()}})
    result = lw.simulate(model, until=20, step=0.01)
    attitude = Rotation.from_quat(np.array([result[f"nut.q{i}"] for i in (1, 2, 3, 0)]).T).as_matrix()
    found = np.einsum("nji,jn->in", attitude, np.array([result[f"nut.w{axis}"] for axis in "xyz"]))
    exact = solve_ivp(
        lambda _t, w: -np.cross(w, moments * w) / moments, (0, 20), first, "DOP853", result.time, rtol=1e-13, atol=1e-14
    )
    assert np.abs(found - exact.y).max() < 3e-5


@pytest.mark.parametrize("azimuth", [0.0, 1e-4, 1e-2])
def test_a_pendulum_passes_near_the_axis_of_its_first_joint(azimuth: float) -> None:
    """Where a rod hangs along the first of two axes M is singular; energy and angular momentum are kept beside that."""
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"O": [0, 0, 0], "P": [0.48, 0, -0.88]},
        bodies={"ring": {"points": ["O"], "mass": 0}, "rod": {"bar": ["O", "P"], "mass": 1}},
        joints={
            "az": {"kind": "revolute", "bodies": ["ground", "ring"], "at": "O", "axis": [0, 0, 1]},
            "el": {"kind": "revolute", "bodies": ["ring", "rod"], "at": "O", "axis": [0, 1, 0]},
        },
        initial={"az": {"speed": azimuth}, "el": {"speed": 0}},
    )
    result = lw.simulate(model, until=3)
    assert result.outcome.completed and result.audit.passed
    momentum = result["az.speed"] * (result["P.x"] ** 2 + result["P.y"] ** 2) / 3
    assert momentum == pytest.approx(momentum[0], abs=1e-9)


def scaled(s: float, live: bool) -> lw.Model:
    """Two bars of one density, of which everything is *s* times as large."""
    bar = {"density": 7850, "shapes": {"w": {"box": ["s", "0.1*s", "0.1*s"], "at": ["s/2", 0]}}}
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        parameters={"s": {"value": 1.0, "live": True} if live else s},
        points={"O": [0, 0], "P": ["s", 0], "Q": ["2*s", 0]},
        bodies={"a": {"bar": ["O", "P"], **bar}, "b": {"bar": ["P", "Q"], **bar}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "P": {"kind": "revolute", "bodies": ["a", "b"]},
        },
    )


@pytest.mark.parametrize("s", [1e-4, 1e-2, 1e3])
def test_inertias_may_be_far_from_those_of_the_first_parameters(s: float) -> None:
    """Of a body of density 7850 they go with the fifth power of its length."""
    until = 0.1 * s**0.5
    live = lw.simulate(scaled(1.0, True), until=until, parameters={"s": s}, accuracy=1e-9)
    fixed = lw.simulate(scaled(s, False), until=until, accuracy=1e-9)
    assert live.outcome.completed and live.audit.passed
    assert live["P.angle"][-1] == pytest.approx(fixed["P.angle"][-1], rel=1e-8)


def test_a_mass_of_zero_is_told_as_one() -> None:
    light = {"value": 1.0, "live": True}
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        parameters={"m": light, "n": light},
        points={"O": [0, 0], "P": [1, 0], "Q": [2, 0]},
        bodies={"a": {"bar": ["O", "P"], "mass": "m"}, "b": {"bar": ["P", "Q"], "mass": "n"}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "P": {"kind": "revolute", "bodies": ["a", "b"]},
        },
    )
    for masses in ({"m": 0.0, "n": 0.0}, {"n": 0.0}):
        assert "moves without inertia" in str(lw.simulate(model, until=0.1, parameters=masses).outcome)
    assert lw.simulate(model, until=0.1, parameters={"m": 1e-30, "n": 1e-30}).outcome.completed
