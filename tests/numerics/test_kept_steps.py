"""What is kept of steps: states inside them against exact solutions, how little it is, and the memory that it is in."""

from __future__ import annotations

import math

import numpy as np
import pytest
from compiled_flows import Counts, clock, events, flow, oscillator
from numpy.typing import NDArray
from test_taylor import half_a_series, no_series, oscillator_series

from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.blocks import MOST, Pool, SharedNumbers
from linkwork.numerics.integrators.nodes import Kept, Nodes, join_steps
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import Solution
from linkwork.numerics.kernels.language.calling import Kernel, kernel
from linkwork.numerics.kernels.language.records import Code, Floats

METHODS = ("dopri5", "dop853", "adams", "bdf", "taylor", "radau5", "esdirk43")
STAGED = ("dopri5", "dop853", "esdirk43")  # whose stages are kept, states of a lower order than the steps
GRID = np.linspace(0, 20, 41)


@kernel
def turning(t: float, y: Floats, ydot: Floats, memory: Counts) -> Code:
    """y = t + (1 − cos t) / 2 from 0, less the whole turns that `turned` has taken off."""
    ydot[0] = 1.0 + 0.5 * math.sin(t)
    ydot[1] = 0.0
    return 0


@kernel
def turned(t: float, y: Floats, memory: Counts) -> Code:
    """A turn less wherever there is one: the same place by another number."""
    if y[0] < 1.0:
        return 0
    y[0] -= 1.0
    return 3


def run(method: str, system: Flow, **options) -> tuple[list[Kept], Solution]:
    kept: list[Kept] = []
    given = {"rtol": 1e-8, "atol": 1e-10} | options
    solution = integrate(method, system, given.pop("start", [1.0, 0.0]), GRID, gather=kept.append, **given)
    return kept, solution


def oscillating(method: str, series: Kernel = oscillator_series) -> Flow:
    return Flow(oscillator, memory=Counts(), series=series) if method == "taylor" else flow(oscillator)


def nodes(kept: list[Kept]) -> tuple[NDArray, NDArray]:
    """Times and states at all nodes that have weight."""
    times, states = [], []
    for part in kept:
        used = part.steps.rule.whole != 0.0
        times.append(part.steps.times[:, used].ravel())
        states.append(part.steps.states[:, used].reshape(-1, part.steps.states.shape[2]))
    return np.concatenate(times), np.concatenate(states)


def exact(t: NDArray) -> NDArray:
    return np.column_stack([np.cos(t), -np.sin(t)])


@pytest.mark.parametrize("method", METHODS)
def test_states_inside_steps_are_those_of_the_motion(method: str) -> None:
    kept, solution = run(method, oscillating(method))
    times, states = nodes(kept)
    end = np.abs(solution.y - exact(solution.t)).max()
    assert np.abs(states - exact(times)).max() < (1e-2 if method in STAGED else 3 * end)
    # ∫ y₁² dt = t/2 − sin 2t / 4, where y₁ is wrong by as much as it ever is
    work = 0.0
    for part in kept:
        steps = part.steps
        work += np.sum(steps.span[:, None] * steps.rule.whole * steps.states[:, :, 1] ** 2)
    assert work == pytest.approx(10 - np.sin(40) / 4, abs=2 * 20 * end)


@pytest.mark.parametrize("method", METHODS)
def test_blocks_do_not_matter(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run in many blocks, whose polynomials go through steps of the block before."""
    whole = nodes(run(method, oscillating(method))[0])
    monkeypatch.setattr("linkwork.numerics.integrators.memory.NODE_ROOM", 1)
    monkeypatch.setattr("linkwork.numerics.integrators.keeping.FEWEST", 20)
    monkeypatch.setattr("linkwork.numerics.integrators.keeping.LARGEST", 1)
    parts, solution = run(method, oscillating(method))
    assert len(parts) > 1 or solution.statistics.steps < 20
    for found, expected in zip(nodes(parts), whole, strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_a_step_that_an_event_cuts(method: str) -> None:
    """It counts up to the event, and its polynomial is still that of the whole step."""
    stop = events(clock, [7.3], terminal=True)
    kept, solution = run(method, oscillating(method), events=stop)
    assert solution.t_reached == pytest.approx(7.3)
    last = kept[-1].steps
    assert last.end[-1] == pytest.approx(7.3)
    assert last.start[-1] + last.size[-1] > 7.3
    if method not in STAGED:
        assert last.times[-1].max() <= last.end[-1]
        np.testing.assert_allclose(last.states[-1], exact(last.times[-1]), rtol=0, atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_polynomials_do_not_go_through_states_that_mean_something_else(method: str) -> None:
    kept, solution = run(method, flow(turning, turned), start=[0.0, 0.0])
    assert solution.y[-1, 0] < 1.0  # some twenty turns less
    times, states = nodes(kept)
    off = states[:, 0] - times - (1 - np.cos(times)) / 2
    assert np.abs(off - np.round(off)).max() < (1e-3 if method in STAGED else 1e-6)


@pytest.mark.parametrize("series", [no_series, half_a_series], ids=lambda series: series.name)
def test_stages_where_there_is_no_series(series: Kernel) -> None:
    times, states = nodes(run("taylor", oscillating("taylor", series))[0])
    np.testing.assert_allclose(states, exact(times), rtol=0, atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_keeping_evaluates_nothing(method: str) -> None:
    _, with_it = run(method, oscillating(method))
    without = integrate(method, oscillating(method), [1.0, 0.0], GRID, rtol=1e-8, atol=1e-10)
    assert with_it.statistics.evaluations == without.statistics.evaluations
    np.testing.assert_array_equal(with_it.y, without.y)


@pytest.mark.parametrize(("method", "rows"), [("adams", 2), ("bdf", 1), ("dopri5", 7), ("taylor", 15)])
def test_little_is_kept_of_a_step(method: str, rows: int) -> None:
    """Numbers of the state and of its rates, and three more; their memory is what long runs pay for."""
    kept, solution = run(method, oscillating(method))
    most = (solution.statistics.steps + 1) * 8 * (2 * rows + 3)
    assert sum(part.nbytes for part in kept) <= most


def test_methods_that_remember_know_their_polynomials() -> None:
    """Adams methods integrate rates, backward differences go through states: what is kept are those."""
    assert [method_named(name).knot_rows for name in ("adams", "bdf", "dop853")] == [2, 1, 0]


# --- memory ------------------------------------------------------------------------------------------------------------


def test_a_block_comes_back_when_nothing_refers_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool()
    monkeypatch.setattr("linkwork.numerics.integrators.blocks.POOL", pool)
    block = SharedNumbers(1000)
    address_of_it = block.address
    part = block.shared()[10:20].reshape(2, 5)[1].view(np.int64)
    del block
    assert pool.nbytes == 0
    del part
    assert pool.nbytes == 8000
    again = SharedNumbers(1000)
    assert again.address == address_of_it
    assert pool.nbytes == 0
    assert SharedNumbers(1000).address != address_of_it


def test_only_so_much_waits() -> None:
    pool = Pool()
    for _ in range(3):
        pool.give_back(np.empty(MOST // 16), 0)
    assert pool.nbytes == MOST


@pytest.mark.parametrize("count", [1, 255, 256, 777])
def test_extremes_are_the_largest_sizes_at_nodes_with_weight(count: int) -> None:
    rule = method_named("dop853").node_rule
    values = np.random.default_rng(count).normal(size=(count, len(rule.places), 3))
    steps = Nodes(rule, np.arange(count) * 1.0, np.ones(count), np.arange(count) + 1.0, values)
    np.testing.assert_array_equal(steps.extremes, np.abs(values[:, rule.whole != 0.0]).max(axis=(0, 1)))


def test_steps_that_follow_each_other_are_one() -> None:
    kept, _ = run("dop853", oscillating("dop853"))
    every = kept[0].steps
    parts = [
        Nodes(every.rule, every.start[part], every.size[part], every.end[part], every.states[part])
        for part in (slice(0, 3), slice(3, 4), slice(4, None))
    ]
    joined = join_steps(parts)
    for name in ("times", "states", "span", "extremes"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(every, name))
    assert join_steps(parts[:1]) is parts[0]
