"""Minimal coordinates or multipliers, by counted operations: which is taken, that it is said, and that both agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np
import pytest

import linkwork as lw
from linkwork.algebra.linear import eliminated_operations, linear_operations, solve_linear, solve_symmetric
from linkwork.equations import counted
from linkwork.equations.counted import by_multipliers
from linkwork.equations.elimination import choose_order
from linkwork.equations.equations import start_of
from linkwork.equations.saddle import Saddle

CAR = Path(__file__).parents[2] / "benchmarks" / "car.yaml"
SAID = "multipliers: behind M, h and C an evaluation takes about"


def ladder(rungs: int, twice: int = 0, turned: float = 0.3, **more: Any) -> lw.Model:
    """Two ropes of bars that hang side by side, with rungs between them; *twice*: levels with two rungs on the same pins."""
    c, s = np.cos(turned), np.sin(turned)
    points: dict[str, Any] = {}
    bodies: dict[str, Any] = {}
    joints: dict[str, Any] = {}

    def pin(at: str, *pair: str) -> None:
        joints[f"{at} {pair[0]} {pair[1]}"] = {"kind": "revolute", "bodies": list(pair), "at": at}

    for i in range(rungs + 1):
        for side, x in (("L", 0.0), ("R", 0.7)):
            points[f"{side}{i}"] = [c * x + s * 0.2 * i, s * x - c * 0.2 * i]
    for i in range(1, rungs + 1):
        for side in "LR":
            bodies[f"{side.lower()}{i}"] = {"bar": [f"{side}{i - 1}", f"{side}{i}"], "mass": 0.3 + 0.01 * i}
            pin(f"{side}{i - 1}", "ground" if i == 1 else f"{side.lower()}{i - 1}", f"{side.lower()}{i}")
        for name in [f"rung{i}", *([f"double{i}"] if i <= twice else [])]:
            bodies[name] = {"bar": [f"L{i}", f"R{i}"], "mass": 0.5}
            pin(f"L{i}", f"l{i}", name)
            pin(f"R{i}", f"r{i}", name)
    return lw.Model(space="planar", gravity=[0, -9.81], points=points, bodies=bodies, joints=joints, **more)


def accelerations(model: lw.Model, formulation: str | None) -> np.ndarray[Any, Any]:
    mechanism = lw.prepare(model, formulation=formulation)
    start = mechanism.start()
    rates = np.zeros_like(start.y)
    assert mechanism.flow(start).evaluate(start.time, start.y, rates) >= 0
    return rates


def operations(model: lw.Model, formulation: str) -> int:
    program = lw.prepare(model, formulation=formulation).program
    return program["flow0" if formulation == "hybrid" else "accelerate"].operations


def test_a_car_takes_its_plan_since_steps_return_to_the_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    """An evaluation alone would take fewer operations with multipliers; both give the same."""
    car = lw.load(CAR)
    equations = lw.prepare(car).equations
    assert equations.formulation.name == "hybrid" and SAID not in str(equations)
    c, (y, p) = equations.coordinates, equations.start
    assert by_multipliers(c, 0.0, y, p) is None
    monkeypatch.setattr(counted, "LOOPED", 0)
    (said,) = by_multipliers(c, 0.0, y, p) or ("",)
    assert said.startswith(SAID) and "minimal coordinates would take" in said
    both = [accelerations(car, formulation) for formulation in ("multipliers", "hybrid")]
    np.testing.assert_allclose(both[0], both[1], rtol=0, atol=1e-8 * np.abs(both[1]).max())


def test_without_a_plan_multipliers_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    equations = lw.prepare(lw.load(CAR)).equations
    monkeypatch.setattr(counted, "_reduced", lambda c, kept: None)
    (said,) = by_multipliers(equations.coordinates, 0.0, *equations.start) or ("",)
    assert said.startswith(SAID) and "minimal coordinates have no plan here" in said


def test_a_car_runs_alike_by_both() -> None:
    car = lw.load(CAR)
    runs = [lw.simulate(car, until=0.3, formulation=formulation, rtol=1e-9) for formulation in ("multipliers", None)]
    assert runs[1].audit.passed
    for name in ("FL_spring.length", "chassis.vz", "FR_hub.speed"):
        size = np.abs(runs[1][name]).max()
        np.testing.assert_allclose(runs[0][name], runs[1][name], rtol=0, atol=1e-6 * max(size, 1e-3))


@pytest.mark.parametrize("turned", [0.0, 0.3, np.pi / 4])
@pytest.mark.parametrize("twice", [0, 3])
def test_ladders_take_what_takes_fewer_and_all_agree(turned: float, twice: int) -> None:
    """Small loops one behind the other, each with a freedom of its own: minimal coordinates, by little."""
    model = ladder(10, twice, turned)
    counts = {name: operations(model, name) for name in ("hybrid", "multipliers")}
    assert lw.prepare(model).equations.formulation.name == min(counts, key=lambda name: counts[name]) == "hybrid"
    reference = accelerations(model, "partitioning")
    for formulation in counts:
        found = accelerations(model, formulation)
        np.testing.assert_allclose(found, reference, rtol=0, atol=1e-8 * max(np.abs(reference).max(), 1.0))


def test_few_freedoms_and_other_coordinates_keep_theirs() -> None:
    assert lw.prepare(ladder(8)).equations.formulation.name == "hybrid"
    assert lw.prepare(ladder(10), coordinates="reference_point").equations.formulation.name == "partitioning"
    for name in ("four_bar", "stewart_platform", "double_wishbone"):
        assert lw.prepare(lw.example(name)).equations.formulation.name == "hybrid"


def test_who_names_a_formulation_reads_nothing_of_it() -> None:
    assert SAID not in str(lw.prepare(lw.load(CAR), formulation="multipliers").equations)


def test_counts_are_those_of_what_is_written() -> None:
    c = lw.prepare(lw.load(CAR)).coordinates
    y, p = start_of(c)
    saddle = Saddle.of(c, 0.0, y, p)
    assert Saddle.of(c, 0.0, y, p) is saddle
    whole = lw.prepare(lw.load(CAR), formulation="multipliers").program["accelerate"].operations
    terms = ca.Function("terms", [c.t, c.y, c.p], [c.mass, c.forces, c.jacobian, c.b]).n_instructions()
    assert saddle.operations == pytest.approx(whole - terms, rel=0.1)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 12])
@pytest.mark.parametrize("m", [1, 4])
def test_operations_of_linear_systems(n: int, m: int) -> None:
    matrix, right = ca.SX.sym("a", n, n), ca.SX.sym("b", n, m)
    x, _ = solve_linear(matrix, right)
    written = ca.Function("f", [matrix, right], [x]).n_instructions() - n * n - 2 * n * m
    assert linear_operations(n, m) == pytest.approx(written, rel=0.35, abs=8)


@pytest.mark.parametrize(("n", "seed"), [(3, 0), (8, 1), (15, 2), (30, 3)])
def test_operations_of_eliminations(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pattern = rng.random((n, n)) < 0.25
    pattern = pattern | pattern.T | np.eye(n, dtype=bool)
    sparsity = ca.DM(pattern.astype(float)).sparsity() if pattern.all() else ca.Sparsity.triplet(
        n, n, *map(list, np.nonzero(pattern))
    )  # fmt: skip
    numbers = np.where(pattern, rng.normal(size=(n, n)), 0.0)
    order = choose_order(numbers + numbers.T + 3 * n * np.eye(n), pattern)
    assert order is not None
    matrix, right = ca.SX.sym("a", sparsity), ca.SX.sym("b", n)
    x, _ = solve_symmetric((matrix + matrix.T) / 1, right, order)
    plain = ca.Function("f", [matrix, right], [matrix + matrix.T]).n_instructions()
    written = ca.Function("f", [matrix, right], [ca.cse(x)]).n_instructions() - plain
    assert eliminated_operations(sparsity, order) == pytest.approx(written, rel=0.25, abs=12)
