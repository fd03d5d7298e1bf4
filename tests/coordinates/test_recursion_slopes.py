"""Derivatives of forces and accelerations of trees by recursion.

Independent: complex steps through the list of operations of the forces themselves, f'(x) = Im f(x + ih)/h, which have no
error but rounding (W. Squire, G. Trapp, SIAM Review 40, 1998); differentiation of the whole expression.
"""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import examples, random_kinds, random_tree, seeds
from test_recursion import FLOATING, SPACES, chain, moving, tree

import linkwork as lw
from linkwork.compiler.lower import lower
from linkwork.compiler.operations import Op
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.numbering import number
from linkwork.equations.equations import start_of
from linkwork.equations.recursion.accelerations import tree_accelerations
from linkwork.equations.recursion.forces import needed_forces
from linkwork.equations.recursion.slopes import DIFFERENTIATED, needed_slope, tree_slope
from linkwork.equations.terms import make_function, slope_matrix

COMPLEX = {
    Op.ADD: np.add, Op.SUB: np.subtract, Op.MUL: np.multiply, Op.DIV: np.divide, Op.NEG: np.negative, Op.SQRT: np.sqrt,
    Op.SIN: np.sin, Op.COS: np.cos, Op.TAN: np.tan,
}  # fmt: skip


def complex_steps(function: ca.Function, y: np.ndarray, p: np.ndarray) -> np.ndarray:
    """∂out/∂y of a function (t, y, p) at t = 0, all columns side by side."""
    code = lower(function)
    states = np.asarray(y, dtype=complex)[:, None] + 1e-30j * np.eye(y.size)
    values: list[np.ndarray] = []
    for opcode, first, second in zip(code.opcodes, code.first, code.second, strict=True):
        match Op(opcode):
            case Op.TIME:
                found = np.zeros(y.size, dtype=complex)
            case Op.STATE:
                found = states[first]
            case Op.PARAMETER:
                found = np.full(y.size, p[first], dtype=complex)
            case Op.CONSTANT:
                found = np.full(y.size, code.constants[first], dtype=complex)
            case op:
                found = COMPLEX[op](*(values[i] for i in (first, second) if i >= 0))
        values.append(found)
    return np.array([values[i].imag for i in code.outputs]) / 1e-30


def along_velocities(c: Coordinates, y: np.ndarray, p: np.ndarray) -> np.ndarray:
    """What moves y (ny × 2 nv + ns): displacements along v, v itself, s. Quaternions keep their length."""
    n, nq = c.v.numel(), c.q.numel()
    lift = np.array(make_function("lift", c, {"T": ca.jacobian(c.rates, c.v)})(0.0, y, p)).reshape(nq, n)
    rest = np.eye(y.size)[:, nq:]
    return np.hstack([np.vstack([lift, np.zeros((y.size - nq, n))]), rest])


def agree(found: np.ndarray, expected: np.ndarray, part: float = 1e-12) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=part * max(np.abs(expected).max(), 1e-300))


def sprung(space: str, floating: bool, seed: int, count: int = 5) -> Coordinates:
    """A random tree of joints of all kinds with a damped spring from its first to its last body, and a live mass."""
    rng = np.random.default_rng(seed)
    data = random_tree(rng, space, random_kinds(rng, space, count), floating)
    spring = {"kind": "spring", "between": ["b0.P", f"b{count - 1}.P"], "stiffness": 40, "damping": 3, "free_length": 1}
    data["bodies"]["b1"]["mass"] = "m"
    return number(lw.analyse(lw.Model(**data, forces={"s": spring}, parameters={"m": {"value": 1.5, "live": True}})))


@SPACES
@FLOATING
@examples(4)
@given(seed=seeds)
def test_slopes_of_forces_are_their_complex_steps(space: str, floating: bool, seed: int) -> None:
    """By displacements along all velocities, by these, and where the velocities stay what they were by v̇, which gives M."""
    c = tree(space, floating, seed)
    y, p = moving(c, seed)
    n = c.v.numel()
    vdot = ca.SX.sym("vdot", n)
    given = np.concatenate([y, np.random.default_rng(seed + 1).normal(size=n)])
    forces = make_function("forces", c, {"e": needed_forces(c, vdot)}, vdot)
    expected = complex_steps(forces, given, p)
    chosen = needed_slope(c, vdot)
    ways = along_velocities(c, y, p)
    agree(np.array(chosen.function(0.0, given, p)) @ ways, expected[:, : y.size] @ ways)
    agree(np.array(make_function("mass", c, {"M": c.mass})(0.0, y, p)), expected[:, y.size :])


@SPACES
@FLOATING
@examples(4)
@given(seed=seeds)
def test_recursion_and_differentiation_give_the_same_slopes(space: str, floating: bool, seed: int) -> None:
    """Of forces and of accelerations with what acts on the tree, for all ways to find them."""
    c = sprung(space, floating, seed)
    y, p = moving(c, seed)
    p = p * 1.3
    vdot = ca.SX.sym("vdot", c.v.numel())
    needed = ca.Function("e", [c.t, ca.vertcat(c.y, vdot), c.p], [ca.jacobian(needed_forces(c, vdot), c.y)])
    state = np.concatenate([y, np.random.default_rng(seed + 1).normal(size=vdot.numel())])
    ways = along_velocities(c, y, p)
    accelerations = tree_accelerations(c, 0.0, *start_of(c))
    assert accelerations is not None
    expected = np.array(slope_matrix(accelerations.function)(0.0, y, p)) @ ways
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("linkwork.equations.recursion.slopes.FEW", 0)  # differentiation is not written
        forces, rates = needed_slope(c, vdot), tree_slope(c, accelerations)
    assert DIFFERENTIATED not in {*forces.counts, *rates.counts}
    agree(np.array(forces.function(0.0, state, p)) @ ways, np.array(needed(0.0, state, p)) @ ways)
    agree(np.array(rates.function(0.0, y, p)) @ ways, expected, 1e-9)


def test_slopes_of_accelerations_are_their_complex_steps() -> None:
    """Of a chain of twelve bars in space: −M⁻¹ ∂(M v̇ − h) against the operations of the accelerations."""
    c = number(lw.analyse(chain(12, "spatial")))
    y, p = moving(c, 3)
    found = tree_accelerations(c, 0.0, *start_of(c))
    assert found is not None
    only = make_function("rates", c, {"rates": found.function.call([c.t, c.y, c.p], True, False)[0]})
    agree(np.array(tree_slope(c, found).function(0.0, y, p)), complex_steps(only, y, p), 1e-11)


def test_a_slope_has_no_entry_between_branches() -> None:
    """Two arms on a body that is held: what one of them does the other does not feel."""
    data = random_tree(np.random.default_rng(1), "spatial", ["universal"] * 7)
    parents = {1: 0, 2: 1, 3: 2, 4: 0, 5: 4, 6: 5}
    for i, parent in parents.items():
        data["joints"][f"j{i}"]["bodies"] = [f"b{parent}", f"b{i}"]
    data["joints"]["j0"]["bodies"] = ["ground", "b0"]
    c = number(lw.analyse(lw.Model(**data)))
    vdot = ca.SX.sym("vdot", c.v.numel())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("linkwork.equations.recursion.slopes.FEW", 0)
        pattern = np.array(ca.DM(needed_slope(c, vdot).function.sparsity_out(0), 1.0))
    names, n = c.kinematics.v_names, c.v.numel()
    arms = [
        [i for i, name in enumerate(names) if name.split(".")[0] in arm]
        for arm in (("j1", "j2", "j3"), ("j4", "j5", "j6"))
    ]
    for one, other in (arms, arms[::-1]):
        assert not pattern[np.ix_(one, [*other, *(n + i for i in other)])].any()
        assert pattern[np.ix_(one, [0, 1, n, n + 1])].any() and pattern[np.ix_([0, 1], one)].any()


def test_operations_of_slopes_grow_with_the_pairs_of_joints() -> None:
    """O(N d): operations of chains are so many for a pair of joints of which one carries the other and for a body."""
    links, counts = (12, 16, 20, 24), list[int]()
    for number_of in links:
        c = number(lw.analyse(chain(number_of, "spatial")))
        counts.append(lower(needed_slope(c, ca.SX.sym("vdot", number_of)).function).operations)
    parts = np.array([[n * (n + 1) / 2, n, 1] for n in links])
    fitted = np.linalg.solve(parts[:3], counts[:3])
    assert parts[3] @ fitted == pytest.approx(counts[3], rel=0.01)
    assert 0 < fitted[0] < 60


def test_slopes_are_chosen_by_their_operations_and_told() -> None:
    """In a run of an implicit method, whose matrices they are."""
    short, long = (lw.simulate(chain(n, "spatial"), until=0.02, integrator="radau5") for n in (3, 8))
    told = [str(result.statistics["workings"]) for result in (short, long)]
    assert "derivatives of accelerations by differentiation" in told[0] and "recursion and" in told[0]
    assert (
        "derivatives of accelerations by recursion and" in told[1]
        and "differentiation of their expression would" in told[1]
    )
