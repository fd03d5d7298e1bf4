"""The problems of the comparison: models, equations by hand and what other programs are given say the same."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from linkwork.bench.peers import ALL_PEERS, find_contenders, linkwork_flow
from linkwork.bench.peers.layout import layout
from linkwork.bench.sweep import attempt
from linkwork.bench.task import Task
from linkwork.bench.tasks import all_tasks, task_named

QUICK_ONES = ("a01", "a02", "four_bar", "heavy_top")


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.name)
def test_linkwork_solves_it_as_accurately_as_asked(task: Task) -> None:
    """SOURCE: references.csv, by Taylor series on equations by hand; IVP Test Set (Andrews' squeezer); or energy."""
    found = linkwork_flow.prepare_default(task, 1e-9)()
    assert task.error(linkwork_flow.observed(task, found)) < task.accuracy


@pytest.mark.parametrize("name", ["a01", "a02", "a05", "four_bar", "heavy_top"])
def test_equations_by_hand_and_the_model_move_alike(name: str) -> None:
    """Another derivation of the same motion, integrated by another program over a tenth of the time."""
    task = task_named(name)
    assert task.hand is not None
    count = len(task.grid) // 10
    times = task.grid[:count]
    rates = task.hand.rates
    by_hand = solve_ivp(
        lambda t, y: rates(y, np), (0, times[-1]), task.hand.start, "Radau", times, rtol=1e-10, atol=1e-11
    )
    model = linkwork_flow.observed(task, linkwork_flow.prepare_default(task, 1e-10)())[:count]
    hand = task.hand.observe(by_hand.y.T)
    assert model - model[0] == pytest.approx(hand - hand[0], abs=1e-6 * max(1.0, float(np.abs(hand).max())))


@pytest.mark.parametrize("task", all_tasks(), ids=lambda task: task.name)
def test_bodies_of_other_programs_have_the_energy_of_the_model(task: Task) -> None:
    """T and the weight, summed over bodies, against the energy that Linkwork derives; springs are at rest at the start."""
    bodies = layout(task)
    spinning = [link.omega @ link.inertia @ link.omega for link in bodies.links]
    kinetic = 0.5 * sum(
        link.mass * link.velocity @ link.velocity + s for link, s in zip(bodies.links, spinning, strict=True)
    )
    weight = sum(link.mass * bodies.gravity @ link.centre for link in bodies.links)
    struts = sum(0.5 * s.stiffness * (np.linalg.norm(s.ends[1] - s.ends[0]) - s.free) ** 2 for s in bodies.struts)
    _, start = linkwork_flow.prepared(task)
    expected = linkwork_flow.energies(task, start[None, :])[0]
    assert kinetic - weight + struts == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.filterwarnings("ignore")  # of other programs
@pytest.mark.parametrize("peer", ALL_PEERS)
@pytest.mark.parametrize("name", QUICK_ONES)
def test_other_programs_solve_it(peer: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The coarsest setting that is right to a thousandth."""
    if (peer, name) == ("pinocchio_bodies", "a02"):
        pytest.skip("positions without a regular matrix of constraints end it")
    monkeypatch.setattr("linkwork.bench.peers.ALL_PEERS", (peer,))
    task = task_named(name)
    contenders, missing = find_contenders(task)
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    if not contenders:
        pytest.skip(f"{peer} has no model of {name}")
    best = np.inf
    for contender in contenders:
        for setting in contender.settings[:4]:
            tried = attempt(task, contender, setting, patience=5.0)
            best = best if tried is None else min(best, tried[1])
            if best < 1e-2:
                return
    assert best < max(1e-2, task.accuracy)
