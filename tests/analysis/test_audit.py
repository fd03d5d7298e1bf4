"""Every run audits itself: what is right passes, and each check fails where it should."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest
from mechanisms import four_bar

import linkwork as lw
from linkwork.analysis.audit.auditor import Auditor
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.results.audit import Audit


def audited(result: lw.Result, **changed: Any) -> Audit:
    """The audit of a run whose states have been changed behind its back."""
    auditor, source = result.auditor, result.source
    assert isinstance(auditor, Auditor)
    assert isinstance(source, Trajectory)
    broken = Trajectory(source.mechanism, (source.t, source.y.copy(), source.vdot.copy()), source.p)
    for name, change in changed.items():
        change(getattr(broken, name), broken.t)
    return replace(auditor, trajectory=broken)()


def test_a_run_prints_its_audit_in_one_line() -> None:
    result = lw.simulate(four_bar(), until=2)
    assert result.audit.passed
    assert str(result.audit).startswith("audit passed: energy ")
    assert "closure" in str(result.audit)
    assert "branch kept" in str(result.audit)
    assert "changes by at most" not in str(result)
    assert result.audit["energy"].value < 1e-6


def test_energy_that_comes_from_nowhere_fails() -> None:
    result = lw.simulate(four_bar(), until=2)
    nq = result.source.mechanism.coordinates.q.numel()  # type: ignore[attr-defined]

    def faster(y: np.ndarray, t: np.ndarray) -> None:
        y[:, nq:] *= 1.0 + 1e-3 * t[:, None]

    found = audited(result, y=faster)
    assert not found.passed
    assert "the energy is off by" in "\n".join(found.findings)


def test_loops_that_are_open_fail_and_are_named() -> None:
    result = lw.simulate(four_bar(), until=2)

    def opened(y: np.ndarray, t: np.ndarray) -> None:
        y[300, 0] += 1e-4

    found = audited(result, y=opened)
    assert not found["closure"].passed
    assert "loops are open by" in "\n".join(found.findings)
    assert f"t = {result.time[300]:.6g} s" in "\n".join(found.findings)


@pytest.mark.parametrize(
    ("check", "words"), [("velocities", "velocities break the conditions by"), ("accelerations", "accelerations break")]
)
def test_rates_that_break_the_conditions_fail_and_are_named(check: str, words: str) -> None:
    result = lw.simulate(four_bar(), until=2)
    nq = result.source.mechanism.coordinates.q.numel()  # type: ignore[attr-defined]
    place, column = ("y", nq) if check == "velocities" else ("vdot", 0)

    def broken(values: np.ndarray, t: np.ndarray) -> None:
        values[300, column] += 1e-4 * np.abs(values[:, column]).max()

    found = audited(result, **{place: broken})
    assert result.audit[check].passed
    assert not found[check].passed
    assert words in "\n".join(found.findings)
    assert f"t = {result.time[300]:.6g} s" in found[check].finding


def test_efforts_that_do_not_give_the_motion_fail() -> None:
    """Power that motors bring in goes into the energies, sample by sample."""
    found = lw.inverse_dynamics(four_bar(), {"O.angle": "0.9 + 2*t + 0.3*sin(5*t)"}, until=1)
    auditor, source = found.result.auditor, found.result.source.source  # type: ignore[attr-defined]
    assert found.audit["power"].passed
    assert found.audit["power"].value < 1e-11
    p = source.p.copy()
    names = [str(symbol) for symbol in casadi.vertsplit(source.mechanism.coordinates.p)]
    p[400, names.index("O.angle.effort")] *= 1.0 + 1e-4
    wrong = Trajectory(source.mechanism, (source.t, source.y, source.vdot), p)
    audit = replace(auditor, trajectory=wrong)()  # type: ignore[type-var]
    assert [check.name for check in audit.checks if not check.passed] == ["power"]
    assert f"t = {source.t[400]:.6g} s" in audit.findings[0]


def test_motions_that_leave_their_conditions_fail_in_inverse_dynamics() -> None:
    found = lw.inverse_dynamics(four_bar(), {"O.angle": "0.9 + 2*t"}, until=1)
    auditor, source = found.result.auditor, found.result.source.source  # type: ignore[attr-defined]
    y = source.y.copy()
    y[100, 1] += 1e-6
    wrong = Trajectory(source.mechanism, (source.t, y, source.vdot), source.p)
    audit = replace(auditor, trajectory=wrong)()  # type: ignore[type-var]
    assert not audit["closure"].passed
    assert "give the motion with its rates" in audit["closure"].finding
    assert "formulation" not in audit["closure"].finding


@pytest.mark.parametrize("damping", [0, 2.0])
def test_real_time_beyond_its_stability_fails(damping: float) -> None:
    """A spring that swings at 500 rad/s with explicit steps of 10 ms; with 0.1 ms nothing is wrong."""
    model = lw.Model(
        space="planar",
        points={"P": [1, 0], "W": [2, 0]},
        bodies={"cart": {"mass": 1.0, "inertia": 1, "points": ["P"]}},
        joints={"S": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "P", "axis": [1, 0]}},
        forces={
            "k": {
                "kind": "spring",
                "between": ["cart.P", "ground.W"],
                "stiffness": 2.5e5,
                "free_length": 0.9,
                "damping": damping,
            }
        },
    )
    for step, passed in ((1e-2, False), (1e-4, True)):
        run = lw.realtime(model, step, integrator="rk4", keep=100)
        for _ in range(10):
            run.step()
        assert run.audit["energy"].passed is passed
        assert bool(run.audit) is passed
        assert ("take a smaller step" in str(run)) is not passed


def test_states_that_are_no_numbers_fail() -> None:
    result = lw.simulate(four_bar(), until=2)

    def lost(y: np.ndarray, t: np.ndarray) -> None:
        y[777, 1] = np.nan

    found = audited(result, y=lost)
    assert found.passed is False
    assert f"t = {result.time[777]:.6g} s" in found.findings[0]


def test_an_audit_is_kept_in_files(tmp_path: Path) -> None:
    result = lw.simulate(four_bar(), until=1)
    loaded = lw.load_result(result.save(tmp_path / "run.nc"))
    assert loaded.audit == result.audit
    assert result.audit.line in str(loaded)


def test_a_failed_audit_warns_once() -> None:
    result = lw.simulate(four_bar(), until=1)
    failing = Audit((replace(result.audit["energy"], value=1.0, finding="the energy is off"),))
    shown = replace(result, auditor=lambda: failing)
    with pytest.warns(lw.errors.AuditWarning, match="the energy is off"):
        shown["B.x"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shown["B.y"]
    assert "FAILED" in str(shown)
    assert "the energy is off" in str(shown)


@pytest.mark.parametrize(
    "look", [lambda r: r["B.x"], lambda r: r.audit, str, lambda r: r.values(["B.x"]), lambda r: r.energy]
)
def test_the_warning_points_at_the_line_of_the_user(look: Callable[[Any], Any]) -> None:
    result = lw.simulate(four_bar(), until=1)
    failing = Audit((replace(result.audit["energy"], value=1.0, finding="the energy is off"),))
    shown = replace(result, auditor=lambda: failing)
    with pytest.warns(lw.errors.AuditWarning) as caught:
        look(shown)
    assert [warning.filename for warning in caught] == [__file__]


def test_no_audit_where_nobody_wants_one() -> None:
    result = lw.simulate(four_bar(), until=1, audit=False)
    assert result.audit.passed is None
    assert "audit" not in dict(result.facts())


def test_kinematics_is_audited() -> None:
    result = lw.solve_kinematics(four_bar(), {"O": "2*pi*t"}, until=1)
    assert result.audit.passed
    assert "energy" not in result.audit
    assert result.audit["velocities"].value < 1e-10


def drifting(**forces: Any) -> lw.Model:
    """Two bars that float, with a spring between them."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"A": [0, 0], "B": [1, 0], "C": [2, 0.5], "D": [3, 0]},
        bodies={"left": {"bar": ["A", "B"], "mass": 1}, "right": {"bar": ["C", "D"], "mass": 2}},
        forces={"s": {"kind": "spring", "between": ["B", "C"], "stiffness": 50, "free_length": 0.5}, **forces},
        initial={"left": {"speed": 2.0, "vx": 1.0}},
    )


def test_momentum_is_kept_where_nothing_acts() -> None:
    assert lw.simulate(drifting(), until=2).audit["momentum"].value < 1e-8
    pushed = drifting(push={"kind": "force", "at": "B", "value": [1, 0]})
    assert "momentum" not in lw.simulate(pushed, until=2).audit


def test_what_falls_without_turning_keeps_its_moment_of_momentum() -> None:
    """It is nothing but rounding errors, of which one is as large as the other."""
    falling = lw.Model(
        space="planar",
        gravity=[3.0, -6.0],
        points={"J": [0.3, 1.1]},
        bodies={
            "a": {"mass": 2.3, "inertia": 0.8, "points": {"P": [-0.35, -0.63]}, "com": "P", "rotation": 0.64},
            "b": {"mass": 2.6, "inertia": 0.4, "points": {"Q": [0.16, -1.2]}, "com": "Q", "rotation": -1.9},
        },
        joints={"J": {"kind": "fixed", "bodies": ["a", "b"], "at": "J"}},
    )
    assert lw.simulate(falling, until=1).audit["momentum"].value < 1e-9


@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural"])
def test_what_turns_without_going_anywhere_keeps_its_momentum(coordinates: str) -> None:
    racket = {"points": ["G", "H"], "com": [0.1, 0.2, 0.3], "mass": 1, "inertia": [0.1, 0.2, 0.25]}
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, 0],
        points={"G": [0, 0, 0], "H": [1, 0, 0]},
        bodies={"racket": racket},
        initial={"racket": {"omega": [0.01, 3, 0.01]}},
    )
    assert lw.simulate(model, until=5, coordinates=coordinates).audit.passed


def test_momentum_that_changes_fails() -> None:
    result = lw.simulate(drifting(), until=2)
    c = result.source.mechanism.coordinates  # type: ignore[attr-defined]
    place = c.q.numel() + list(c.kinematics.v_names).index("left.vx")

    def faster(y: np.ndarray, t: np.ndarray) -> None:
        y[:, place] += 1e-3 * t

    found = audited(result, y=faster)
    assert not found["momentum"].passed
    assert "though nothing outside acts" in "\n".join(found.findings)


def test_speeds_that_are_no_derivatives_fail() -> None:
    """Positions and velocities each satisfy their conditions, but those of another time."""
    result = lw.simulate(four_bar(), until=2)
    nq = result.source.mechanism.coordinates.q.numel()  # type: ignore[attr-defined]

    def late(y: np.ndarray, t: np.ndarray) -> None:
        y[200:, :nq] = y[190:-10, :nq]

    assert result.audit["speeds"].passed
    found = audited(result, y=late)
    assert not found["speeds"].passed
    assert "does not follow from its speed" in "\n".join(found.findings)


def test_a_loop_that_leaps_to_its_other_branch_fails() -> None:
    """Both branches close their loops with the same input; no motion leads from one to the other."""
    parts = {**four_bar().to_dict(), "initial": {}}
    runs = [
        lw.solve_kinematics(lw.Model(**{**parts, "branches": {"A-B-C": branch}}), {"O": "0.9 + 2*t"}, until=1)
        for branch in ("left", "right")
    ]
    assert all("branch kept" in run.audit.line for run in runs)
    other = runs[1].source.y  # type: ignore[attr-defined]

    def leapt(y: np.ndarray, t: np.ndarray) -> None:
        y[500:] = other[500:]

    found = audited(runs[0], y=leapt)
    assert found["closure"].passed
    assert not found["branch"].passed
    assert "A-B-C (left to right) leaps to another branch" in "\n".join(found.findings)


def test_a_dead_centre_that_the_motion_passes_is_listed() -> None:
    """The coupler of a double rocker turns right round, and its crank swings between two dead centres."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.2, 2.0], "B": [1.1, 1.5], "C": [2.2, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": 2.0, "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": 1.0, "mass": 1},
            "rocker": {"bar": ["C", "B"], "length": 1.7, "mass": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
        initial={"O": {"speed": 2.0}},
    )
    result = lw.simulate(model, until=5)
    assert result.audit.passed
    assert "branch changed at dead centres" in result.audit.line
    # the crank stands still where coupler and rocker are in line, between two outputs
    turned = np.flatnonzero(np.diff(np.sign(result["O.speed"])))[0]
    first = float(re.findall(r"dead centres \(([\d.]+) s", result.audit.line)[0])
    near, speeds = result.time[turned : turned + 2], result["O.speed"][turned : turned + 2]
    between = near[0] - speeds[0] * (near[1] - near[0]) / (speeds[1] - speeds[0])
    assert first == pytest.approx(between, abs=0.05 * (result.time[1] - result.time[0]))


def test_a_parallelogram_keeps_its_branch_through_change_points() -> None:
    """Its bars lie in one line where the crank is at 180 and 360 degrees; the rocker stays parallel to the crank."""
    start = 1.0
    tip = np.array([math.cos(start), math.sin(start)])
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": list(tip), "B": list(tip + [3, 0]), "C": [3, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 1},
            "rocker": {"bar": ["C", "B"], "mass": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
    )
    places = (math.pi - start, 2 * math.pi - start)
    angles = (math.pi, 2 * math.pi)
    swept = lw.solve_kinematics(model, {"O": np.linspace(start, start + 6.3, 50)})
    timed = lw.simulate(model.with_(drivers={"motor": {"joint": "O", "speed": 1.0}}), until=6.3, step=0.15)
    for result, unit, where in ((swept, "rad", angles), (timed, "s", places)):
        np.testing.assert_allclose(result["C.angle"], result["O.angle"], atol=1e-9)
        listed = ", ".join(f"{place:.6g} {unit}" for place in where)
        assert f"branch kept through change points ({listed})" in result.audit.line
    assert any(f"2 singular positions ({places[0]:.6g} s, {places[1]:.6g} s)" in note for note in timed.notes)


def test_an_explicit_method_beyond_its_stability_fails() -> None:
    """A stiff spring and steps of fixed size: the run comes to its end with energy from nowhere."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [1, 0], "W": [2, 0]},
        bodies={"cart": {"mass": 1.0, "inertia": 1, "points": ["P"]}},
        joints={"S": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "P", "axis": [1, 0]}},
        forces={"k": {"kind": "spring", "between": ["cart.P", "W"], "stiffness": 1e7, "free_length": 0.9}},
    )
    result = lw.simulate(model, until=0.01, integrator="rk4", fixed_step="1 ms")
    assert result.outcome.completed
    with pytest.warns(lw.errors.AuditWarning, match="the energy is off by"):
        assert not result.audit["energy"].passed
    assert "smaller fixed_step" in "\n".join(result.audit.findings)
    assert lw.simulate(model, until=0.01).audit.passed


def test_impulses_of_drivers_are_in_the_ledger() -> None:
    """A driver that jumps in speed does the work of its impulse."""
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0, -1]},
        bodies={"cart": {"mass": 2, "points": ["O"], "inertia": 1}, "rod": {"bar": ["O", "A"], "mass": 3}},
        joints={
            "S": {"kind": "prismatic", "bodies": ["ground", "cart"], "at": "O", "axis": [1, 0]},
            "O": {"kind": "revolute", "bodies": ["cart", "rod"]},
        },
        drivers={"motor": {"joint": "S", "position": "if(t < 0.25, 0, 2*(t - 0.25))"}},
    )
    result = lw.simulate(model, until=0.5, times=[0.0, 0.25, 0.25 + 1e-9, 0.5])
    assert result.audit.passed
    # a cart of 2 kg and a bar that hangs on it, struck to 2 m/s: the bar takes a quarter of its mass with it
    assert result["motor.work"][2] == pytest.approx((2 + 3 / 4) * 2**2 / 2, rel=1e-6)
    assert np.abs(result["energy.balance"]).max() < 1e-7


def test_works_of_long_runs_are_integrated_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    model = drifting(d={"kind": "spring", "between": ["A", "D"], "stiffness": 5, "damping": 2, "free_length": 1})
    names = ["d.work", "work.dissipated", "energy.balance"]
    monkeypatch.setattr("linkwork.analysis.motion.work.ROUNDS", 0)  # both along the same steps
    whole = lw.simulate(model, until=5, step=0.037, rtol=1e-10, atol=1e-12)
    kept = whole.values(names)
    monkeypatch.setattr("linkwork.analysis.motion.work.MOST", 20_000)
    monkeypatch.setattr("linkwork.numerics.integrators.memory.NODE_ROOM", 1 << 10)
    again = lw.simulate(model, until=5, step=0.037, rtol=1e-10, atol=1e-12)
    assert again.source.gathered.let_go  # type: ignore[attr-defined]
    for name in names:
        np.testing.assert_allclose(again[name], kept[name], atol=1e-10)
    assert again.audit.passed


@pytest.mark.parametrize(
    ("kind", "formulation", "integrator", "rtol"),
    [("mixed", "index2", "tr_bdf2", 1e-7), ("natural", "index1", "bdf", 1e-9)],
)
def test_small_motions_of_large_mechanisms_are_no_alarm(
    kind: str, formulation: str, integrator: str, rtol: float
) -> None:
    """A suspension that settles turns over 5 mJ, and positions of a metre under its weight are known to rtol."""
    path = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "double_wishbone.yaml"
    options: dict[str, Any] = {"coordinates": kind, "formulation": formulation, "integrator": integrator}
    times = np.linspace(0.0, 0.25, 101)
    result = lw.simulate(lw.load(path), times=times, rtol=rtol, atol=rtol / 100, **options)
    usual = lw.simulate(lw.load(path), times=times, rtol=1e-11, atol=1e-13)
    assert result.audit.passed, result.audit
    assert np.max(np.abs(result["upright.z"] - usual["upright.z"])) < 100 * rtol


def test_a_run_that_stops_where_it_begins_is_no_failure_of_its_audit() -> None:
    """The ends of a spring meet at the start: the run says so, and its one sample has nothing to balance."""
    path = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms" / "rgrrr.yaml"
    spring = {
        "kind": "spring",
        "between": ("rocker.C", "ground.C"),
        "stiffness": 28.2,
        "free_length": 0.1,
        "damping": 10.6,
    }
    driver = {"joint": "B", "freedom": "angle", "speed": "0.3648*cos(5.27*t)"}
    result = lw.simulate(lw.load(path).with_(forces={"spring": spring}, drivers={"lead": driver}), 0.25)
    assert "'spring' gives an infinite or undefined value" in result.outcome.reason
    assert result.audit.passed is not False


def sprung_four_bar(angle: float = 0.0) -> lw.Model:
    """A four-bar with a spring that is without force as drawn, and no gravity, turned by an angle from there."""
    spring = {"kind": "spring", "between": ["crank.A", "ground.C"], "stiffness": 100}
    start = {"O": {"angle": float(np.arctan2(0.8, 0.6)) + angle, "speed": 0.0}}
    return four_bar().with_(gravity=[0, 0], forces={"S": spring}, initial=start)


@pytest.mark.parametrize("steps", [{}, {"integrator": "rk4", "fixed_step": "1 ms"}, {"integrator": "radau5"}], ids=str)
@pytest.mark.parametrize("coordinates", ["relative", "reference_point", "natural", "mixed"])
def test_what_rests_on_springs_without_force_passes(coordinates: str, steps: dict[str, Any]) -> None:
    result = lw.simulate(sprung_four_bar(), until=1, coordinates=coordinates, **steps)
    assert result.audit.passed
    assert "energy at rest" in str(result.audit)


def test_vibrations_of_a_millionth_of_the_size_are_still_told_from_wrong_ones() -> None:
    result = lw.simulate(sprung_four_bar(1e-6), until=1)
    nq = result.source.mechanism.coordinates.q.numel()  # type: ignore[attr-defined]
    assert result.audit.passed

    def faster(y: np.ndarray, t: np.ndarray) -> None:
        y[:, nq:] *= 1.0 + 1e-1 * t[:, None]

    assert "the energy is off by" in "\n".join(audited(result, y=faster).findings)


JUMPING = {
    "a table to its last point": {"position": "linear_table(t, 0, 0, 1, 1, 2, 0.5)"},
    "a table and beyond": {"position": "linear_table(t, 0, 0, 1, 1, 1.7, 0.5)"},
    "branches": {"position": "if(t < 1, t, 1 + 3*(t - 1))"},
    "a speed": {"speed": "if(t < 1, 1, 2)"},
    "a speed that jumps at the end": {"speed": "if(t < 2, 1, 2)"},
}


@pytest.mark.parametrize("driver", JUMPING)
@pytest.mark.parametrize("step", [0.01, 0.0301])
@pytest.mark.parametrize("verb", ["simulate", "solve_kinematics"])
def test_speeds_of_drivers_may_jump(driver: str, step: float, verb: str) -> None:
    """Also at the end of the run, and where a solution by positions has no step at the jump."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        drivers={"motor": {"joint": "O", **JUMPING[driver]}},
    )
    result = getattr(lw, verb)(model, until=2, step=step)
    assert result.audit.passed, result.audit


def test_remedies_do_not_name_what_is_taken_already() -> None:
    run = lw.simulate(four_bar(), 0.2, step=0.01)
    auditor = run.auditor
    assert isinstance(auditor, Auditor)
    formulation = run.settings["formulation"]
    assert f"'{formulation}'" not in auditor.closes and "another formulation" in auditor.closes
    kinematics = lw.solve_kinematics(four_bar(), {"O": "t"}, until=0.2, step=0.01).auditor
    assert isinstance(kinematics, Auditor) and "formulation" not in kinematics.closes
