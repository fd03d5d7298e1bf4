"""Steps in lanes are those of single runs: orders of all explicit methods, steps and states beside ``run.integrate``."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np
import pytest

from linkwork.compiler.program import build
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators import ALL_METHODS, run
from linkwork.numerics.integrators.base import RungeKutta
from linkwork.numerics.integrators.lanes import LaneFormulas, LaneMethod, LaneSystem, LaneTasks, integrate_lanes
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Floats, ModelFunction, Record, borrowed

EXPLICIT = [m for m in ALL_METHODS if isinstance(m, RungeKutta) and not m.implicit and m.family == "runge_kutta"]
GRID = np.linspace(0.0, 3.0, 13)


def function() -> Any:
    """A pendulum with a rate and a damping of its own: ẏ = [v, −k sin q − c v]."""
    t, y, p = ca.SX.sym("t"), ca.SX.sym("y", 2), ca.SX.sym("p", 2)
    rates = ca.vertcat(y[1], -p[0] * ca.sin(y[0]) - p[1] * y[1] + ca.sin(t))
    return build({"f": ca.Function("f", [t, y, p], [rates], ["t", "y", "p"], ["r"])})["f"]


class Pendulum(Record):
    rates: ModelFunction
    p: Floats = borrowed()


@kernel
def flow_pendulum(t: float, y: Floats, ydot: Floats, memory: Pendulum) -> Code:
    memory.rates(t, y, memory.p, ydot)
    return 0


def alone(method: RungeKutta, y: np.ndarray, p: np.ndarray, **options: Any) -> Any:
    memory = Pendulum(rates=function(), p=p.copy())
    return run.integrate(method, Flow(flow_pendulum, memory=memory), y, GRID, **options)


def given(count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.uniform(-1, 1, (count, 2)), rng.uniform(0.5, 20, (count, 2)) * [1, 0.05]


def in_lanes(way: LaneMethod, y: np.ndarray, p: np.ndarray, grid: np.ndarray = GRID) -> LaneTasks:
    tasks = LaneTasks(y, p)
    integrate_lanes(LaneSystem(2, 0, 2, 2, -1.0, [LaneFormulas(function())]), way, tasks, grid)
    return tasks


@pytest.mark.parametrize("method", [m for m in EXPLICIT if m.adaptive], ids=lambda m: m.name)
def test_steps_are_those_of_single_runs(method: RungeKutta) -> None:
    y, p = given(19)
    tasks = in_lanes(LaneMethod(method, 1e-7, 1e-9), y, p)
    assert tasks.done.all()
    for i in range(19):
        single = alone(method, y[i], p[i], rtol=1e-7, atol=1e-9)
        assert (tasks.accepted[i], tasks.rejected[i]) == (single.statistics.steps, single.statistics.rejected)
        # last digits decide where the estimate of an error is all but zero
        np.testing.assert_allclose(tasks.output[i], single.y, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("method", EXPLICIT, ids=lambda m: m.name)
def test_errors_fall_with_the_order_of_the_method(method: RungeKutta) -> None:
    y, p = given(8)
    finest = next(known for known in EXPLICIT if known.name == "dop853")
    exact = np.array([alone(finest, y[i], p[i], rtol=1e-13, atol=1e-14).y[-1] for i in range(8)])
    steps = [0.05, 0.025] if method.order > 4 else [0.01, 0.005]
    errors = [
        np.max(np.abs(in_lanes(LaneMethod(method, 0.0, 1.0, step), y, p, GRID[[0, -1]]).output[:, -1] - exact))
        for step in steps
    ]
    assert errors[1] < 1e-12 or np.log2(errors[0] / errors[1]) > method.order - 0.5


def test_more_tasks_than_lanes_and_fewer() -> None:
    y, p = given(30)
    way = LaneMethod(next(m for m in EXPLICIT if m.name == "dopri5"), 1e-6, 1e-8)
    whole = in_lanes(way, y, p)
    for some in (slice(0, 1), slice(3, 8), slice(5, 30)):
        np.testing.assert_array_equal(in_lanes(way, y[some], p[some]).output, whole.output[some])


def test_what_fails_is_handed_back_and_harms_nobody() -> None:
    y, p = given(16)
    way = LaneMethod(next(m for m in EXPLICIT if m.name == "dop853"), 1e-6, 1e-8, max_steps=2000)
    whole = in_lanes(way, y, p)
    bad = p.copy()
    bad[2], bad[5], bad[9] = (np.nan, 1.0), (1.0, -1e4), (1e30, 0.0)
    tasks = in_lanes(way, y, bad)
    good = np.setdiff1d(np.arange(16), [2, 5, 9])
    assert tasks.done[good].all() and not tasks.done[[2, 5, 9]].any()
    np.testing.assert_array_equal(tasks.output[good], whole.output[good])
    assert alone(way.method, y[5], bad[5], rtol=1e-6, atol=1e-8, max_steps=2000).status is not RunStatus.COMPLETED


def test_what_is_done_when_it_is_stopped_is_kept() -> None:
    y, p = given(40)
    way, grid = LaneMethod(next(m for m in EXPLICIT if m.name == "dopri5"), 1e-9, 1e-11), np.linspace(0.0, 200.0, 3)
    whole = in_lanes(way, y, p, grid)
    tasks, asked = LaneTasks(y, p), []
    system = LaneSystem(2, 0, 2, 2, -1.0, [LaneFormulas(function())])
    integrate_lanes(system, way, tasks, grid, lambda: asked.append(1) or len(asked) < 8)
    assert 0 < np.count_nonzero(tasks.done) < 40
    np.testing.assert_array_equal(tasks.output[tasks.done], whole.output[tasks.done])


def test_a_grid_of_one_moment_is_the_start() -> None:
    y, p = given(3)
    tasks = in_lanes(LaneMethod(EXPLICIT[0], 1e-6, 1e-8, 0.1), y, p, GRID[:1])
    np.testing.assert_array_equal(tasks.output[:, 0], y)
