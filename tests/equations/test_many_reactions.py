"""Reactions of mechanisms with many bodies: block by block, and the same as of all at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import mechanisms
import numpy as np
import pytest
from test_reactions import check_balance

import linkwork as lw
from linkwork.arrays import Array
from linkwork.equations.reactions import balance
from linkwork.equations.reactions.balance import decided, relative_zero
from linkwork.numerics.matrices.elimination import Pattern

LIBRARY = Path(lw.__file__).parent / "mechanisms"
SIDE = 0.7


def boxes(count: int) -> lw.Model:
    """Spatial parallelograms in a row, each on the coupler of the one before: all axes are parallel, three conditions of
    every loop too many."""
    points: dict[str, list[float]] = {}
    bodies: dict[str, object] = {}
    joints: dict[str, object] = {}
    below = "ground"
    for k in range(count):
        x, z = 0.1 * k, SIDE * k
        ends = {"A": [x, 0, z], "B": [x, 0, z + SIDE], "C": [x + 1, 0, z + SIDE], "D": [x + 1, 0, z]}
        points |= {f"{name}{k}": place for name, place in ends.items()}
        bodies[f"left{k}"] = {"bar": [f"A{k}", f"B{k}"], "mass": 1}
        bodies[f"right{k}"] = {"bar": [f"D{k}", f"C{k}"], "mass": 1}
        bodies[f"top{k}"] = {
            "points": [f"B{k}", f"C{k}"],
            "mass": 2,
            "com": [x + 0.5, 0.1, z + SIDE],
            "inertia": [1, 1, 1],
        }
        pairs = {"A": (below, "left"), "B": ("left", "top"), "C": ("right", "top"), "D": (below, "right")}
        for name, (parent, child) in pairs.items():
            parent = parent if parent == below else f"{parent}{k}"
            joints[f"{name}{k}"] = {"kind": "revolute", "bodies": [parent, f"{child}{k}"], "axis": [0, 1, 0]}
        below = f"top{k}"
    return lw.Model(space="spatial", gravity=[0, 0, -9.81], points=points, bodies=bodies, joints=joints)


def chain() -> lw.Model:
    """Twenty bars in space that hang from the shortest, joined by revolute joints about axes in no order."""
    rng = np.random.default_rng(3)
    lengths = np.geomspace(1e-3, 1.0, 20)
    directions = rng.normal(size=(20, 3))
    steps = lengths[:, None] * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    places = np.cumsum(np.vstack([np.zeros(3), steps]), axis=0)
    names, bars = [f"P{k}" for k in range(21)], [f"bar{k}" for k in range(20)]
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points=dict(zip(names, places.tolist(), strict=True)),
        bodies={
            bar: {"bar": [names[k], names[k + 1]], "mass": lengths[k], "inertia": [lengths[k] ** 3] * 3}
            for k, bar in enumerate(bars)
        },
        joints={
            name: {"kind": "revolute", "bodies": [below, bar], "axis": axis}
            for name, below, bar, axis in zip(
                names[:-1], ["ground", *bars[:-1]], bars, rng.normal(size=(20, 3)).tolist(), strict=True
            )
        },
    )


def run(model: lw.Model, until: float = 0.2) -> lw.Result:
    result = lw.simulate(model, until, step=until / 4, rtol=1e-10, atol=1e-12)
    assert result.outcome.completed
    return result


@pytest.mark.parametrize("windows", [30])
def test_newton_and_euler_hold_for_many_bodies(windows: int) -> None:
    model = mechanisms.n_four_bar(windows)
    points = {name: (joint.at or (name,))[0] for name, joint in model.joints.items()}
    check_balance(model, run(model), points, 1e-6)


def test_redundant_loops_are_strained_by_themselves() -> None:
    result = run(boxes(5))
    pushes = result.source._pushes  # type: ignore[attr-defined]
    found, loose = pushes.solve()
    plan = pushes.plan
    groups = plan.solver.pattern.groups
    assert groups is not None and len(set(groups.tolist())) == 5
    assert plan.solver.orders[0].nullity == 15
    shape = found.shape
    whole, open_ = pushes._whole(np.zeros(shape), np.zeros(shape, dtype=bool))
    np.testing.assert_allclose(found, whole, atol=1e-9 * np.abs(whole).max())
    assert np.array_equal(loose, open_) and loose.any() and not loose.all()


def library(name: str) -> lw.Model:
    return lw.load(LIBRARY / f"{name}.yaml")


EXACT: dict[str, Callable[[], lw.Model]] = {
    "ten windows": lambda: mechanisms.n_four_bar(10),
    "bricard": mechanisms.bricard,
    "boxes": lambda: boxes(2),
    "chain that grows a thousandfold": chain,
    **{name: partial(library, name) for name in ("puma_560", "stewart_platform", "double_wishbone", "planetary_gear")},
}


@pytest.mark.parametrize("name", list(EXACT))
def test_elimination_loses_no_digits(name: str) -> None:
    """The same matrices by singular values, each solution corrected by what it leaves over in longer numbers."""
    pushes = run(EXACT[name](), 0.02).source._pushes  # type: ignore[attr-defined]
    plan = pushes.plan
    samples = pushes._batch(pushes.mechanism.compiled(plan.entries), slice(None))
    zero = relative_zero(samples[:, -1])
    found = plan.solver.solve(samples, zero)
    assert found.certain.all()
    expected = np.array([corrected(plan.solver.pattern, *item) for item in zip(samples, zero, strict=True)])
    np.testing.assert_allclose(found.values, expected, rtol=0.0, atol=1e-11 * np.abs(expected).max())


def corrected(pattern: Pattern, sample: Array, zero: float) -> Array:
    """W x of one sample."""
    rows, right, weights = pattern.parts(sample)
    matrix = np.asarray(rows)
    inverse = np.linalg.pinv(matrix, rcond=zero)
    x = np.zeros(matrix.shape[1], dtype=np.longdouble)
    for _ in range(5):
        x += inverse @ (right - matrix.astype(np.longdouble) @ x).astype(float)
    values = np.zeros(pattern.components, dtype=np.longdouble)
    np.add.at(values, pattern.weight_rows, weights * x[pattern.weight_columns])
    return values.astype(float)


@pytest.mark.parametrize("windows", [4])
def test_ranks_in_doubt_are_decided_alike_by_elimination_and_by_singular_values(
    windows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = mechanisms.n_four_bar(windows)
    aligned = lw.simulate(model, 1.0, step=0.1, events={"aligned": "sin(rod0.angle)"}, rtol=1e-12, atol=1e-14)
    result = lw.simulate(model, times=[0.1, aligned.events[0].time], rtol=1e-12, atol=1e-14)
    pushes = result.source._pushes  # type: ignore[attr-defined]
    entries = pushes.mechanism.compiled(pushes.plan.entries)
    for sample, any_open in zip(pushes._batch(entries, slice(None)), (False, True), strict=True):
        wanted, open_ = decided(pushes.plan.solver.pattern, sample, 1e-4)
        with monkeypatch.context() as many:
            many.setattr(balance, "MANY", 0)
            found, also = decided(pushes.plan.solver.pattern, sample, 1e-4)
        np.testing.assert_allclose(found, wanted, atol=1e-6 * np.abs(wanted).max())
        assert np.array_equal(open_, also) and open_.any() == any_open
