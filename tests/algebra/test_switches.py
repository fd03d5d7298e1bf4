"""Formulas with branches that can be held: free, they are as they are written; held, they go on beyond the jump."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from linkwork.algebra.expressions import parse, to_float, to_sx
from linkwork.algebra.expressions.switches import FREE, Switches

FORMULAS = [
    "if(t < 1, x, 2*x)",
    "step(t - 1) + x",
    "sign(x - 1)",
    "floor(3*x)",
    "ceil(t*x)",
    "mod(t, 0.3)",
    "abs(t - 1)",
    "linear_table(t, 0.4, x, 1, 2*x, 1.6, 1, 1.6, 3*x, 2, 0)",
    "smooth_table(t, 0.4, 0, 1, x, 1.6, 3, 2, 0)",
    "linear_table(x, -1, 0, 1, 1, 1, 3, 2, x)",
]
POINTS = [(0.5, 0.7), (1.55, 1.3), (0.999, 1.01), (2.2, -0.4)]


def compiled(text: str) -> tuple[ca.Function, Switches]:
    """Value, selectors, guards and the selectors behind them, of (t, x, selectors)."""
    t, x = ca.SX.sym("t"), ca.SX.sym("x")
    switches = Switches(t, x)
    value = to_sx(parse(text), {"t": t, "x": x}.__getitem__, switches.functions)
    guards = [guard for switch in switches.found for guard in switch.guards]
    outputs = [
        value,
        ca.vertcat(*[switch.value for switch in switches.found]),
        ca.vertcat(*[guard.value for guard in guards]),
        ca.vertcat(*[guard.next for guard in guards]),
    ]
    selectors = ca.vertcat(*[switch.selector for switch in switches.found])
    return ca.Function("formula", [t, x, selectors], outputs), switches


@pytest.mark.parametrize("text", FORMULAS)
def test_a_free_formula_is_as_it_is_written(text: str) -> None:
    f, switches = compiled(text)
    assert len(switches.found) == 1
    for t, x in POINTS:
        assert float(f(t, x, FREE)[0]) == to_float(parse(text), {"t": t, "x": x}.__getitem__)


@pytest.mark.parametrize("text", FORMULAS)
def test_guards_hold_exactly_where_the_branch_is_the_right_one(text: str) -> None:
    f, _ = compiled(text)
    for t, x in POINTS:
        own = f(t, x, FREE)[1]
        assert float(f(t, x, own)[0]) == pytest.approx(float(f(t, x, FREE)[0]))
        for other in POINTS:
            held = np.array(f(*other, own)[2]).ravel()
            assert bool(np.all(held > 0.0)) == (float(f(*other, FREE)[1]) == float(own))


def test_a_held_branch_goes_on_beyond_its_jump_and_the_next_one_follows() -> None:
    f, _ = compiled("floor(3*x)")
    value, _, guards, following = f(0.0, 0.7, 1.0)
    assert float(value) == 1.0
    assert int(following[int(np.argmin(np.array(guards)))]) == 2


def test_bends_of_the_state_and_parameters_alone_have_no_switches() -> None:
    assert not timed_switches("abs(x) + max(x, 2)")
    assert not timed_switches("if(1 < 2, x, t)")
    assert timed_switches("max(t, 2)") == [True]
    assert timed_switches("step(x)") == [False]


def timed_switches(text: str) -> list[bool]:
    """Whether the switches of a formula are those of time."""
    t, x = ca.SX.sym("t"), ca.SX.sym("x")
    switches = Switches(t, x)
    to_sx(parse(text), {"t": t, "x": x}.__getitem__, switches.functions)
    return [switch.timed for switch in switches.found]
