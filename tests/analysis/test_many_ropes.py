"""More limits at one time than can be tried in all combinations: those that hold are the ones of least ½ λᵀA λ + rᵀλ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.motion import complementarity
from linkwork.analysis.motion.complementarity import Complementarity, Contradiction
from linkwork.errors import RefusedError


def solved(system: Complementarity, right: np.ndarray) -> tuple[Any, ...]:
    """x and what holds, or that there is a contradiction."""
    try:
        found = system.solve(range(len(system.groups)), right, np.zeros(len(system.jacobian)), 1.0)
    except Contradiction:
        return None, ()
    return found.x, found.holding


@pytest.mark.parametrize("seed", range(40))
def test_the_least_is_what_trying_all_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with rows that depend on each other, and beside rows that always hold."""
    rng = np.random.default_rng(seed)
    n, m, held = int(rng.integers(2, 7)), int(rng.integers(3, 9)), int(rng.integers(0, 2))
    root, jacobian = rng.normal(size=(n, n)), rng.normal(size=(held + m, n))
    if seed % 3 == 0:
        jacobian[-1] = jacobian[-2] + jacobian[-3]
    system = [
        Complementarity(root @ root.T + np.eye(n), jacobian, np.ones(n), [[held + i] for i in range(m)]) for _ in "ab"
    ]
    right = rng.normal(size=n)
    every, holding = solved(system[0], right)
    monkeypatch.setattr(complementarity, "MOST", 0)
    found, same = solved(system[1], right)
    assert (found is None) == (every is None)
    if found is not None:
        assert found == pytest.approx(every, abs=1e-9)
        # of rows that depend on each other, which of them hold is not unique
        assert same == holding or held + m > n or seed % 3 == 0


def falling(count: int, length: float) -> lw.Model:
    """Masses that fall side by side from 0.5 m below their pegs, each on a rope of its own."""
    columns = range(count)
    points = {f"P{i}": [float(i), 0] for i in columns} | {f"M{i}": [float(i), -0.5] for i in columns}
    bodies = {f"m{i}": {"points": [f"M{i}"], "mass": 1 + 0.1 * i, "inertia": 0.1} for i in columns}
    ropes = {f"r{i}": {"kind": "rope", "between": [f"ground.P{i}", f"m{i}.M{i}"], "length": length} for i in columns}
    return lw.Model(space="planar", gravity=[0, -9.81], points=points, bodies=bodies, joints={}, relations=ropes)


@pytest.mark.parametrize("length", [1.0, 0.5])
def test_twelve_ropes_go_taut_at_once(length: float) -> None:
    """A mass falls for √(2 h / g), is stopped, and hangs: the tension is its weight. Some are taut from the start."""
    run = lw.simulate(falling(12, length), 0.6, step=0.01, coordinates="reference_point", formulation="multipliers")
    assert run.audit.passed and len(run.events) == (12 if length == 1.0 else 0)
    for event in run.events:
        assert event.time == pytest.approx(np.sqrt(2 * 0.5 / 9.81), abs=1e-9)
    for i in range(12):
        assert run[f"m{i}.y"][-1] == pytest.approx(-length, abs=1e-9)
        assert run[f"r{i}.tension"][-1] == pytest.approx((1 + 0.1 * i) * 9.81, rel=1e-9)


def test_a_plate_on_twelve_ropes_of_which_two_would_do() -> None:
    """They share its weight, and no moment is left about its centre."""
    places = np.linspace(-0.5, 0.5, 12)
    points = {f"P{i}": [float(x), 1] for i, x in enumerate(places)} | {
        f"M{i}": [float(x), 0] for i, x in enumerate(places)
    }
    plate = {"points": [f"M{i}" for i in range(12)], "mass": 3, "inertia": 0.2, "com": [0.1, -0.1]}
    ropes = {f"r{i}": {"kind": "rope", "between": [f"ground.P{i}", f"plate.M{i}"], "length": 1} for i in range(12)}
    model = lw.Model(
        space="planar", gravity=[0, -9.81], points=points, bodies={"plate": plate}, joints={}, relations=ropes
    )
    run = lw.simulate(model, 0.1, step=0.01, coordinates="reference_point", formulation="multipliers")
    tensions = np.array([run[f"r{i}.tension"][-1] for i in range(12)])
    assert np.all(tensions >= 0.0) and tensions.sum() == pytest.approx(3 * 9.81, rel=1e-6)
    assert run["plate.x"][-1] == pytest.approx(-0.4, abs=1e-9)  # 0.1 from its first point
    assert tensions @ places == pytest.approx(run["plate.x"][-1] * 3 * 9.81, rel=1e-6)


def test_many_with_conditions_on_velocities_are_refused_in_words() -> None:
    system = Complementarity(np.eye(40), np.eye(40), np.ones(40), [[2 * i, 2 * i + 1] for i in range(12)])
    with pytest.raises(
        RefusedError, match="12 conditions hold, come or go together, some of them with conditions on velo"
    ):
        solved(system, -np.ones(40))
