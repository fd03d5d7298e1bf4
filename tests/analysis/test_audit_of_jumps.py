"""Runs in which something comes and goes, broken on purpose: by a wrong law of impacts, wrong works, limits that nobody
sees, positions that drift or leap, pushes of the wrong sign. The audit finds each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import casadi
import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.audit.auditor import Auditor
from linkwork.analysis.motion.changes import Changes
from linkwork.analysis.motion.complementarity import Complementarity
from linkwork.analysis.motion.holding import Holding
from linkwork.analysis.motion.impacts import Blow
from linkwork.analysis.motion.impacts.base import Struck
from linkwork.analysis.motion.impacts.newton import NewtonImpact
from linkwork.analysis.motion.limit_numbers import LimitNumbers
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.results.audit import Audit

pytestmark = pytest.mark.filterwarnings("ignore::linkwork.errors.AuditWarning")

G = 9.81
TURNS = [0.0, 45.0]


def ball(turn: float = 0.0, **contact: Any) -> lw.Model:
    """A disc that is thrown along a floor and bounces on it; the whole turned by an angle (deg)."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    axes = np.array([[c, -s], [s, c]])
    skin = {"cylinder": {"radius": 0.1, "length": 0.1, "axis": "z"}, "mass": 1}
    vx, vy = axes @ [0.7, 0.0]
    return lw.Model(
        space="planar",
        gravity=list(axes @ [0, -G]),
        bodies={"ball": {"points": {"C": [0, 0]}, "origin": list(axes @ [0, 1.1]), "shapes": {"skin": skin}}},
        surfaces={"floor": {"plane": list(axes @ [0, 1])}},
        contacts={"c": {"between": ["floor", "ball"], "restitution": 0.7, **contact}},
        initial={"ball": {"vx": vx, "vy": vy, "speed": 3}},
    )


def failed(result: lw.Result) -> set[str]:
    return {check.name for check in result.audit.checks if not check.passed}


def changed(monkeypatch: pytest.MonkeyPatch, change: Callable[[Blow, Struck], Struck]) -> None:
    """Newton's law with another answer."""
    strike = NewtonImpact.strike
    monkeypatch.setattr(NewtonImpact, "strike", lambda self, blow: change(blow, strike(self, blow)))


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("more", [{}, {"friction": 0.3}, {"friction": 0.02}])
@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
def test_what_is_right_passes(turn: float, more: dict[str, Any], law: str) -> None:
    result = lw.simulate(ball(turn, **more), until=2, impact=law)
    assert len(result.events) > 3
    assert result.audit.passed, str(result.audit)
    assert result.audit["jumps"].value < 1e-6


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("more", [{}, {"friction": 0.3}])
def test_another_restitution_is_found(monkeypatch: pytest.MonkeyPatch, turn: float, more: dict[str, Any]) -> None:
    """With impulses and works that fit it, so that the energy is balanced."""
    changed(monkeypatch, lambda blow, found: Struck(0.999 * found.change, 0.999 * found.impulses))
    result = lw.simulate(ball(turn, **more), until=1)
    assert failed(result) == {"jumps"}
    assert "c is hit at 4.42945 m/s and left at 3.093" in result.audit["jumps"].finding
    assert "not 3.10061 m/s, at t = 0.451524 s" in result.audit["jumps"].finding


def test_a_jump_across_the_normal_that_keeps_the_energy_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The speed along a smooth floor turns round."""
    push = Holding._push

    def slip(self: Holding, at: Any, near: Any, gripped: Any, y: np.ndarray, size: float, hit: Any) -> np.ndarray:
        found = push(self, at, near, gripped, y, size, hit)
        if found.any():
            y[self.numbers.velocities.start] *= -1.0
        return found

    monkeypatch.setattr(Holding, "_push", slip)
    result = lw.simulate(ball(), until=1)
    assert result["ball.vx"][-1] == pytest.approx(-0.7)
    assert failed(result) == {"jumps"}
    assert "velocities jump by what no impulse of what touches gives at t = 0.451524 s" in result.audit["jumps"].finding


def test_works_of_impacts_that_are_told_wrong_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a part of a millionth of the energy of the run, which its balance leaves."""
    works = LimitNumbers.works

    def wrong(self: LimitNumbers, *given: Any) -> list[Any]:
        return [replace(item, work=item.work * (1.0 + 1e-5)) for item in works(self, *given)]

    monkeypatch.setattr(LimitNumbers, "works", wrong)
    result = lw.simulate(ball(friction=0.1), until=1)
    assert "jumps" in failed(result)
    assert "and the energy falls by" in result.audit["jumps"].finding


def test_friction_beyond_its_coefficient_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Impulses, works and motion are those of another coefficient."""
    rubbing = LimitNumbers.rubbing

    def rough(self: LimitNumbers, *given: Any) -> dict[int, Any]:
        return {i: replace(item, coefficient=1.01 * item.coefficient) for i, item in rubbing(self, *given).items()}

    monkeypatch.setattr(LimitNumbers, "rubbing", rough)
    result = lw.simulate(ball(friction=0.02), until=1)
    assert failed(result) == {"jumps"}
    assert "friction of c gives 0.152" in result.audit["jumps"].finding


@pytest.mark.parametrize("leap", [1e-6, -1e-3])
def test_a_place_that_leaps_in_an_impact_is_found(monkeypatch: pytest.MonkeyPatch, leap: float) -> None:
    """Along the floor, which costs nothing."""
    turn = Changes.turn

    def leaping(self: Changes, *given: Any) -> Any:
        found = turn(self, *given)
        if found is not None:
            found[0].y[0] += leap
        return found

    monkeypatch.setattr(Changes, "turn", leaping)
    result = lw.simulate(ball(), until=1)
    assert failed(result) == {"jumps"}
    assert f"leaps by {abs(leap):.3g} at t = 0.451524 s" in result.audit["jumps"].finding


def test_a_limit_that_nobody_sees_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Holding, "guards", property(lambda self: casadi.SX.ones(len(self.mechanism.coordinates.limits)))
    )
    result = lw.simulate(ball(), until=0.6)
    assert "limits" in failed(result)
    assert "c is exceeded by" in result.audit["limits"].finding


def test_what_holds_with_a_pull_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rope that does not go slack."""
    swing = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0, -1]},
        bodies={"load": {"points": ["A"], "com": "A", "mass": 2, "inertia": 0.1}},
        relations={"line": {"kind": "rope", "between": ["ground.O", "load.A"], "length": 1}},
        initial={"load": {"vx": 5.5}},
    )
    free = lw.simulate(swing, until=0.6)
    assert [event.name for event in free.events] == ["line goes slack"]
    assert free.audit.passed
    monkeypatch.setattr(
        Holding, "guards", property(lambda self: casadi.SX.ones(len(self.mechanism.coordinates.limits)))
    )
    held = lw.simulate(swing, until=0.6)
    assert failed(held) == {"pushes"}
    assert "line acts the wrong way" in held.audit["pushes"].finding


def test_feet_of_which_one_would_have_to_pull_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table on four feet, each push of which is not unique, drawn up at one edge; and only weighed, it passes."""

    def table(force: float) -> lw.Model:
        feet = {"A": [0, 0, 0], "B": [1, 0, 0], "C": [1, 1, 0], "D": [0, 1, 0]}
        return lw.Model(
            space="spatial",
            gravity=[0, 0, -G],
            points=feet,
            bodies={"top": {"points": list(feet), "com": [0.5, 0.5, 0.4], "mass": 3, "inertia": [0.2, 0.2, 0.2]}},
            surfaces={"floor": {"plane": [0, 0, 1]}, **{f"foot{k}": {"point": k, "on": "top"} for k in feet}},
            contacts={"c": {"between": ["floor", "top"]}},
            forces={"lift": {"kind": "force", "at": "A", "value": [0, 0, f"if(t > 0.1, {force}, 0)"]}},
        )

    assert lw.simulate(table(5.0), until=0.2).audit.passed
    held = Complementarity.solve

    def all_of_them(self: Complementarity, near: Any, right: np.ndarray, drift: np.ndarray, *_: Any, **__: Any) -> Any:
        return self.held(tuple(near), right, drift)

    monkeypatch.setattr(Complementarity, "solve", all_of_them)
    monkeypatch.setattr(
        Holding, "guards", property(lambda self: casadi.SX.ones(len(self.mechanism.coordinates.limits)))
    )
    result = lw.simulate(table(25.0), until=0.2)
    monkeypatch.setattr(Complementarity, "solve", held)
    assert failed(result) == {"pushes"}


def test_what_sticks_with_more_than_its_friction_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rail = {"kind": "prismatic", "bodies": ["ground", "b"], "at": "P", "axis": [1, 0], "friction": {"coefficient": 0.3}}
    block = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"P": [0, 0]},
        bodies={"b": {"points": ["P"], "com": "P", "mass": 2}},
        joints={"rail": rail},
        forces={"pull": {"kind": "effort", "joint": "rail", "value": "20*t"}},
    )
    assert lw.simulate(block, until=0.5).audit.passed
    monkeypatch.setattr(
        Holding, "guards", property(lambda self: casadi.SX.ones(len(self.mechanism.coordinates.limits)))
    )
    result = lw.simulate(block, until=0.5)
    assert result["rail.position"][-1] == 0.0
    assert failed(result) == {"friction"}
    assert "rail sticks with 4.114 N more than its friction" in result.audit["friction"].finding


def test_a_place_that_drifts_between_impacts_is_found() -> None:
    """Behind the back of the run, along the floor, by 1e-5 m in a second, and by as much at once."""
    result = lw.simulate(ball(), until=1)
    auditor, source = result.auditor, result.source
    assert isinstance(auditor, Auditor)
    assert isinstance(source, Trajectory)

    def drifted(by: np.ndarray) -> Audit:
        y = source.y.copy()
        y[:, 0] += by
        return replace(
            auditor, trajectory=Trajectory(source.mechanism, (source.t, y, source.vdot), source.p, source.gathered)
        )()

    assert drifted(np.zeros(len(source.t))).passed
    leaping = drifted(np.where(source.t > 0.6, 1e-5, 0.0))
    assert [check.name for check in leaping.checks if not check.passed] == ["speeds"]
    creeping = drifted(0.05 * np.maximum(source.t - 0.6, 0.0))
    assert [check.name for check in creeping.checks if not check.passed] == ["speeds"]


@pytest.mark.parametrize("step", [2e-3, 0.04])
def test_a_pin_that_whirls_in_its_hole_is_not_left_to_itself(step: float) -> None:
    """Turns are faster than outputs tell, so that speeds are compared with positions over few steps alone, or not at all,
    which is said. A coordinate that drifts by a thousandth of its range, or leaps by it, fails all the same."""
    rod = {"kind": "revolute", "bodies": ["ground", "rod"], "clearance": "1 mm"}
    loose = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"rod": {"bar": ["O", "A"], "mass": 2}},
        joints={"O": rod},
    )
    result = lw.simulate(loose, until=2, step=step)
    assert result.audit.passed
    assert ("speeds (outputs too far apart) not checked" in result.audit.line) is (step > 0.01)
    auditor, source = result.auditor, result.source
    assert isinstance(auditor, Auditor)
    assert isinstance(source, Trajectory)
    for column in range(source.mechanism.coordinates.q.numel()):
        size = 1e-3 * np.ptp(source.y[:, column])
        for by in (size * np.maximum(source.t - 1.0, 0.0), np.where(source.t > 1.2, size, 0.0)):
            y = source.y.copy()
            y[:, column] += by
            wrong = Trajectory(source.mechanism, (source.t, y, source.vdot), source.p, source.gathered)
            assert replace(auditor, trajectory=wrong)().passed is False, source.mechanism.coordinates.state_names[
                column
            ]
