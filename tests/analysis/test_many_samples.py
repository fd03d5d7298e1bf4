"""Motions of many samples: found together, they are what they are when found one by one and by singular values."""

from functools import cache

import numpy as np
import pytest
from mechanisms import four_bar, spatial_four_bar

import linkwork as lw
from linkwork.equations.reactions.balance import scaled_balance
from linkwork.equations.reactions.schemes import LEAST

TIMES = np.linspace(0.0, 2.0, 4001)
ANGLE = 0.9 + 3 * TIMES + 0.3 * np.sin(4 * TIMES)
SPEED = 3 + 1.2 * np.cos(4 * TIMES)
ACCELERATION = -4.8 * np.sin(4 * TIMES)


@cache
def recorded(space: str) -> lw.answers.InverseDynamics:
    """From the crank alone, with samples so near to each other that most are found between others."""
    model = four_bar() if space == "planar" else spatial_four_bar()
    kept = {key: getattr(model, key) for key in type(model).model_fields}
    motion = {"O.angle": ANGLE, "O.speed": SPEED, "O.acceleration": ACCELERATION}
    return lw.inverse_dynamics(lw.Model(**{**kept, "initial": {}}), motion, times=TIMES, motors=["O"])


@cache
def driven(space: str) -> lw.Result:
    model = four_bar() if space == "planar" else spatial_four_bar()
    kept = {key: getattr(model, key) for key in type(model).model_fields}
    motor = {"joint": "O", "position": "0.9 + 3*t + 0.3*sin(4*t)"}
    return lw.simulate(lw.Model(**{**kept, "initial": {}, "drivers": {"motor": motor}}), times=list(TIMES))


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_dense_record_stays_on_its_branch(space: str):
    found, run = recorded(space), driven(space)
    for name in ("A.angle", "C.angle", "C.speed", "C.acceleration"):
        assert found[name] == pytest.approx(run[name], rel=1e-9, abs=1e-9), name
    assert found.result.closure_error.max() < 1e-12


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_efforts_are_those_of_the_driver(space: str):
    found, run = recorded(space), driven(space)
    size = np.abs(run["motor.effort"]).max()
    assert next(iter(found.efforts.values())) == pytest.approx(run["motor.effort"], abs=1e-9 * size)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_reactions_and_what_is_open_are_those_of_singular_values(space: str):
    """The loop in space is redundant: least norm, and the same components are not unique."""
    run, some = driven(space), slice(0, None, 200)
    source = run.source
    plan, states = source.mechanism.equations.reactions, np.hstack([source.y, source.vdot])[some]
    compiled = lw.build({"wrenches": plan.function})["wrenches"]
    parts = compiled.unpack(compiled.batch(source.t[some], states, source.p))
    balance = scaled_balance(plan, source.t[some], parts, lambda: None, lambda f: None)
    expected = LEAST.solve(balance)
    found = np.column_stack([run[f"{element}.{name}"] for element, name in plan.components])[some]
    assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
    loose = {key for key, is_open in zip(plan.components, balance.open.all(axis=0), strict=True) if is_open}
    told = {(element, name) for element, reaction in run.reactions.items() for name in reaction.not_unique}
    assert told == loose and bool(loose) == (space == "spatial")
