"""Explicit flows: a pendulum in x and y, of which either follows from the other by a formula or by Newton's method."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from constrained_systems import GRAVITY, Called, pendulum
from scipy.integrate import solve_ivp

from linkwork.numerics.flows.constrained import by_formulas, by_partition, last_failure
from linkwork.numerics.flows.explicit import Formulas, IteratedBlock, Variant, variant_log
from linkwork.numerics.flows.flow import Flow
from linkwork.numerics.flows.procedure import Procedure
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import RungeKutta
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.kernels.constrained import codes
from linkwork.numerics.kernels.language.calling import MachineCode

LENGTH = 1.3
KNOWN: dict[str, MachineCode] = {}
START = np.array([LENGTH * np.sin(0.4), -LENGTH * np.cos(0.4), 6.0 * np.cos(0.4), 6.0 * np.sin(0.4)])


def model(name: str, function: Callable[[np.ndarray, np.ndarray], list[float]], selectors: int) -> str:
    """The name of out = function(y, selectors), with the selectors behind the two parameters."""

    def call(t: float, y: int, p: int, out: int) -> None:
        state = np.array((ctypes.c_double * 4).from_address(y))
        chosen = np.array((ctypes.c_double * (2 + selectors)).from_address(p))[2:]
        values = function(state, chosen)
        (ctypes.c_double * len(values)).from_address(out)[:] = values

    KNOWN[name] = Called(call)
    return name


def variant(independent: int, selector: int | None, total: int, iterated: bool = False) -> Variant:
    """x (0) or y (1) independent; the other by the sign in its selector, or iterated: then it is in the state."""
    other = 1 - independent

    def place(state: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        q, v = state[:2].copy(), state[2:].copy()
        square = LENGTH**2 - q[independent] ** 2
        if selector is not None:
            q[other] = chosen[selector] * np.sqrt(max(square, 1e-30))
        v[other] = -q[independent] / q[other] * v[independent]
        return q, v, square / LENGTH**2

    def flow(state: np.ndarray, chosen: np.ndarray) -> list[float]:
        q, v, health = place(state, chosen)
        slope, bias = -q[independent] / q[other], -(v @ v) / q[other]
        weight = np.array([0.0, -GRAVITY])
        push = weight[independent] + slope * (weight[other] - bias)
        acceleration = np.empty(2)
        acceleration[independent] = push / (1 + slope**2)
        acceleration[other] = slope * acceleration[independent] + bias
        return [*v, *acceleration, health]

    def state(state: np.ndarray, chosen: np.ndarray) -> list[float]:
        q, v, health = place(state, chosen)
        return [*q, *v, health]

    blocks = ()
    if iterated:
        residual = model(f"block{independent}", lambda y, chosen: [(y[:2] @ y[:2] - LENGTH**2) / 2, y[other]], total)
        blocks = (IteratedBlock(residual, (other,)),)
    select = ""
    if selector is not None:
        select = model(f"select{independent}", lambda y, chosen: [np.sign(y[other])], total)
    names = model(f"flow{independent}", flow, total), model(f"state{independent}", state, total)
    return Variant(*names, select, int(selector is not None), blocks)


def begin(*variants: Variant, net: Procedure | None = None) -> Flow:
    """The flow of the pendulum by such formulas."""
    system = pendulum(LENGTH)
    system = replace(system, functions={**system.functions, **KNOWN})
    return by_formulas(Formulas(variants), net).begin(system, 0.0, START)


def exact(times: np.ndarray) -> np.ndarray:
    """x and y from the angle: θ'' = −g/l sin θ."""
    swing = solve_ivp(
        lambda t, y: [y[1], -GRAVITY / LENGTH * np.sin(y[0])],
        (0, times[-1]),
        [0.4, 6.0 / LENGTH],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
        t_eval=times,
    )
    return LENGTH * np.column_stack([np.sin(swing.y[0]), -np.cos(swing.y[0])])


TIMES = np.linspace(0.0, 4.0, 81)


@pytest.mark.parametrize("iterated", [False, True])
def test_the_variant_changes_before_it_ends(iterated: bool) -> None:
    total = 0 if iterated else 2
    pair = [variant(i, None if iterated else i, total, iterated) for i in (0, 1)]
    flow = begin(*pair)
    solution = integrate("dop853", flow, START, TIMES, rtol=1e-10, atol=1e-11)
    assert solution.status is RunStatus.COMPLETED
    np.testing.assert_allclose(solution.y[:, :2], exact(TIMES), atol=2e-8)
    np.testing.assert_allclose(np.hypot(*solution.y[:, :2].T), LENGTH, atol=1e-14)
    log = variant_log(flow)
    assert log.changes >= 4
    assert [entry for _, entry in log.history[:2]] in ([1, 0], [0, 1])


EXPLICIT = [
    method for method in ALL_METHODS if isinstance(method, RungeKutta) and method.adaptive and not method.implicit
]


@pytest.mark.parametrize("method", EXPLICIT, ids=str)
@pytest.mark.parametrize("net", [None, by_partition(0.5)], ids=["pair", "net"])
def test_stages_need_the_states_alone_that_the_flow_reads(method: RungeKutta, net: Procedure | None) -> None:
    """The other coordinate of a stage is nowhere, across changes of the variant too: steps are the same but for rounding."""
    pair = [variant(i, i, 2) for i in (0, 1)] if net is None else [variant(0, 0, 1)]
    told = [replace(one, reads=(i, 2 + i)) for i, one in enumerate(pair)]
    whole, part = (
        integrate(method, begin(*chosen, net=net), START, TIMES, rtol=1e-8, atol=1e-9) for chosen in (pair, told)
    )
    assert whole.statistics.steps == part.statistics.steps
    np.testing.assert_allclose(part.y, whole.y, atol=1e-10)
    np.testing.assert_allclose(part.y[:, :2], exact(TIMES), atol=1e-5)


def test_which_states_are_read_follows_the_variant() -> None:
    """After a change all of them, as the last step may be asked for too; from the next step on those of the variant."""
    pair = [replace(variant(i, i, 2), reads=(i, 2 + i)) for i in (0, 1)]
    flow = begin(*pair)
    seen, state = set[tuple[int, ...]](), START.copy()
    assert flow.reads is not None
    assert flow.reads[0] == -1
    for time, sample in zip(TIMES, np.hstack([exact(TIMES), np.gradient(exact(TIMES), TIMES, axis=0)]), strict=True):
        state[:] = sample
        assert flow.correct(time, state) >= 0
        count = max(int(flow.reads[0]), 0)
        seen.add(tuple(flow.reads[1 : 1 + count].tolist()))
        variant_now = flow.memory.variant
        assert not count or tuple(flow.reads[1:3]) == (variant_now, 2 + variant_now)
    assert seen == {(), (0, 2), (1, 3)}


def test_a_lone_variant_falls_back_on_partitioning_and_returns() -> None:
    flow = begin(variant(0, 0, 1), net=by_partition(0.5))
    solution = integrate("dop853", flow, START, TIMES, rtol=1e-10, atol=1e-11)
    assert solution.status is RunStatus.COMPLETED
    np.testing.assert_allclose(solution.y[:, :2], exact(TIMES), atol=2e-7)
    entries = [entry for _, entry in variant_log(flow).history]
    assert entries[:2] == [-1, 0]


def test_without_anything_to_change_to_the_run_ends_at_the_dead_centre() -> None:
    flow = begin(variant(0, 0, 1))
    solution = integrate("dop853", flow, START, TIMES, rtol=1e-10, atol=1e-11)
    assert solution.status is RunStatus.STEP_TOO_SMALL
    assert abs(solution.y_reached[0]) == pytest.approx(LENGTH, abs=1e-4)
    failure = last_failure(flow)
    assert failure is not None
    assert failure.code == codes.BRANCH_ENDS


def test_a_block_that_cannot_be_met_is_refused() -> None:
    """Newton's method finds no y where x is beyond the rod."""
    flow = begin(variant(0, None, 0, iterated=True))
    state, rates = START.copy(), np.zeros(4)
    state[0] = 1.2 * LENGTH
    assert flow.evaluate(0.0, state, rates) in (codes.NOT_CONVERGED, codes.BLOCK_SINGULAR)
