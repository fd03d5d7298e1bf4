"""Conditions and masses taken by their entries: the same steps, accelerations and corrections as with dense matrices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import casadi as ca
import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.motion.singular import _Run, passages
from linkwork.arrays import Array
from linkwork.bench.evaluations import chain
from linkwork.bench.iftomm import n_four_bar
from linkwork.compiler.program import build
from linkwork.equations import terms
from linkwork.equations.equations import Equations, formulate
from linkwork.equations.formulations import multipliers
from linkwork.numerics.flows.accelerations import accelerations
from linkwork.numerics.flows.closure import evaluate_closure, solve_positions, solve_velocities
from linkwork.numerics.flows.constrained import by_multipliers, independent_set
from linkwork.numerics.flows.context import ConstrainedSystem, memory_of
from linkwork.numerics.integrators import method_named, run
from linkwork.numerics.kernels.constrained.workspace import Workspace

MECHANISMS = {
    "four_bar": lambda: lw.example("four_bar"),
    "windows": lambda: n_four_bar(5),
    "slider_crank": lambda: lw.example("slider_crank"),
    "bricard": lambda: lw.example("bricard"),
    "rolling_disc": lambda: lw.example("rolling_disc"),
    "stewart_platform": lambda: lw.example("stewart_platform"),
    "planar_chain": lambda: chain(9, "planar"),
    "spatial_chain": lambda: chain(9, "spatial"),
}
KINDS = "reference_point", "natural", "mixed"


@pytest.fixture(autouse=True)
def every_size(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Entries for small mechanisms too."""
    monkeypatch.setattr(terms, "LARGE", 0)
    monkeypatch.setattr(terms, "FILLED", 1.0)
    yield


def equations(name: str, kind: str, formulation: str = "partitioning") -> Equations:
    return formulate(lw.number(lw.analyse(MECHANISMS[name]()), kind), formulation)


def systems(written: Equations) -> tuple[ConstrainedSystem, ConstrainedSystem, Array]:
    """With entries and without, with no accelerations written out, and a state on the conditions with some velocities."""
    program = build(written, "reference")
    functions = {name: program[name] for name in written.scheme.functions if name != "accelerate"}
    y, p = (array.copy() for array in written.start)
    system = written.system(functions, p)
    assert system.entries is not None
    dense = replace(system, entries=None)
    rng = np.random.default_rng(len(y))
    y[system.nq : system.nq + system.nv] += rng.normal(size=system.nv) * system.scale
    assert solve_positions(dense, 0.0, y).converged and solve_velocities(dense, 0.0, y).converged
    return system, dense, y


def criterion_of(memory: Workspace, chosen: tuple[int, ...]) -> float:
    """How good an independent set is: of several equal ones any may be taken."""
    k = memory.nv - memory.rank
    frame = memory.frame[: k * memory.nv].reshape(memory.nv, k)[list(chosen)]
    return float(np.abs(np.linalg.det(frame)))


CASES = [(name, kind) for name in MECHANISMS for kind in KINDS]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_the_same_accelerations_and_corrections(name: str, kind: str) -> None:
    """In partitioning and by the null space; states off the conditions come back to the same place."""
    written = equations(name, kind)
    sparse, dense, y = systems(written)
    rng = np.random.default_rng(1)
    found = [accelerations(system, np.zeros(1), y[None], ()) for system in (sparse, dense)]
    size = 1.0 + np.abs(found[1]).max()
    np.testing.assert_allclose(found[0], found[1], atol=1e-9 * size)
    rates, chosen = list[Array](), list[float]()
    for system in (sparse, dense):
        flow = written.scheme.procedure.begin(system, 0.0, y)
        memory = memory_of(flow)
        assert memory.entrywise == (system is sparse)
        chosen.append(criterion_of(memory, independent_set(flow)))
        state, ydot = y.copy(), np.zeros(y.size)
        assert flow.evaluate(0.0, state, ydot) >= 0
        rates.append(ydot)
    np.testing.assert_allclose(rates[0], rates[1], atol=1e-9 * size)
    assert chosen[0] == pytest.approx(chosen[1], abs=1e-9)
    moved = y.copy()
    moved[: sparse.nv] += 1e-3 * rng.normal(size=sparse.nv) * sparse.scale
    moved[sparse.nq : sparse.nq + sparse.nv] += 1e-2 * rng.normal(size=sparse.nv) * sparse.scale
    closed = [moved.copy(), moved.copy()]
    for system, state in zip((sparse, dense), closed, strict=True):
        assert solve_positions(system, 0.0, state).converged
    np.testing.assert_allclose(closed[0], closed[1], atol=1e-10 * (1.0 + np.abs(moved).max()))
    for system, state in zip((sparse, dense), closed, strict=True):
        assert solve_velocities(system, 0.0, state).converged
    np.testing.assert_allclose(closed[0], closed[1], atol=1e-9 * (1.0 + np.abs(moved).max()))


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_entries_are_those_of_the_matrix(name: str, kind: str) -> None:
    sparse, dense, y = systems(equations(name, kind))
    for one, other in zip(evaluate_closure(sparse, 0.1, y), evaluate_closure(dense, 0.1, y), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-14 * (1.0 + np.abs(other).max(initial=0.0)))


@pytest.mark.parametrize("formulation", ["partitioning", "multipliers"])
@pytest.mark.parametrize("kind", KINDS)
def test_runs_step_the_same_way(kind: str, formulation: str) -> None:
    """Five windows, through their singular positions where the formulation passes these."""
    written = equations("windows", kind, formulation)
    sparse, dense, _ = systems(written)
    until = 1.0 if formulation == "partitioning" else 0.3
    ends = []
    for system in (sparse, dense):
        flow = written.scheme.procedure.begin(system, 0.0, written.start[0])
        solution = run.integrate(
            method_named("dop853"), flow, written.start[0], np.array([0.0, until]), rtol=1e-9, atol=1e-11
        )
        assert solution.status.name == "COMPLETED"
        ends.append((solution.y[-1], memory_of(flow).passages, solution.statistics.steps))
    np.testing.assert_allclose(ends[0][0], ends[1][0], atol=1e-8)
    assert ends[0][1] == ends[1][1] and abs(ends[0][2] - ends[1][2]) <= 2


@pytest.mark.parametrize("kind", ["reference_point", "natural"])
def test_sets_change_before_they_become_singular(kind: str) -> None:
    """A four-bar that goes round: no set is good everywhere, and the motion is that of dense matrices."""
    written = equations("four_bar", kind)
    ends = []
    for system in systems(written)[:2]:
        flow = written.scheme.procedure.begin(system, 0.0, written.start[0])
        y = written.start[0].copy()
        y[system.nq : system.nq + system.nv] *= 4.0
        solution = run.integrate(method_named("dop853"), flow, y, np.array([0.0, 6.0]), rtol=1e-10, atol=1e-12)
        assert solution.status.name == "COMPLETED"
        assert memory_of(flow).changes >= 2
        ends.append(solution.y[-1])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_singular_positions_are_found_by_pivots(kind: str) -> None:
    """Six windows fall through the positions in which all their links are in line."""
    model = n_four_bar(6)
    result = lw.simulate(model, until=1.5, coordinates=kind, times=np.linspace(0.0, 1.5, 301))
    trajectory = result.source
    times = passages(trajectory)
    states = _Run(trajectory).states(np.array(times))
    c, p = trajectory.mechanism.coordinates, np.atleast_2d(trajectory.p)[-1]
    rows = ca.Function("C", [c.t, c.y, c.p], [ca.densify(c.jacobian)])
    for time, state, angle in zip(times, states, (0.0, -np.pi), strict=True):
        sizes = np.linalg.svd(np.array(rows(time, state, p)) * c.kinematics.scale, compute_uv=False)
        assert sizes[-1] < 1e-5 * sizes[0]
        assert np.interp(time, result.time, result["A0.angle"]) == pytest.approx(angle, abs=0.02)


def test_large_systems_alone_are_taken_by_their_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert equations("four_bar", "reference_point").entries is None
    model = n_four_bar(20)
    for kind, taken in (("reference_point", True), ("relative", False)):
        written = formulate(lw.number(lw.analyse(model), kind), "partitioning")
        assert (written.entries is not None) == taken


@pytest.mark.parametrize("kind", ["reference_point", "natural"])
@pytest.mark.parametrize("taut", [(), (1,), (0, 2)])
def test_rows_that_do_not_hold_are_left_out(kind: str, taut: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of four bars with three ropes, some of which are taut: of two that pull at one place one is redundant."""
    monkeypatch.setattr(multipliers, "WRITTEN", 0)
    model = chain(4, "planar")
    pegs = {"Q0": [0.0, 3.0], "Q1": [3.0, 3.0], "Q2": [0.0, 3.0]}
    ropes = {f"r{i}": {"kind": "rope", "between": [f"ground.Q{i}", "b3.P4"], "length": 9.0} for i in range(3)}
    kept = {key: getattr(model, key) for key in type(model).model_fields}
    roped = lw.Model(**kept | {"points": kept["points"] | pegs, "relations": ropes})
    written = formulate(lw.number(lw.analyse(roped), kind), "multipliers")
    assert "accelerate" not in written.scheme.functions
    program = build(written, "reference")
    y, p = (array.copy() for array in written.start)
    places = np.arange(p.size)[written.coordinates.limit_places]
    p[places] = 0.0
    p[places[list(taut)]] = 1.0
    sparse = written.system({name: program[name] for name in written.scheme.functions}, p)
    dense = replace(sparse, entries=None)
    y[sparse.nq : sparse.nq + sparse.nv] = np.random.default_rng(3).normal(size=sparse.nv)
    solve_velocities(dense, 0.0, y)
    rates = []
    for system in (sparse, dense):
        flow = by_multipliers().begin(system)
        rates.append(np.zeros(y.size))
        assert flow.evaluate(0.0, y.copy(), rates[-1]) == 0
        # the chain lies in line: its end can only go up and down, and one rope is enough to hold it
        assert memory_of(flow).rank == len(written.coordinates.rows) - len(ropes) + bool(taut)
    assert np.abs(rates[1]).max() > 1.0
    np.testing.assert_allclose(rates[0], rates[1], atol=1e-9 * np.abs(rates[1]).max())
