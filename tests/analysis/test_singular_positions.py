"""Runs through singular positions and close past them: the branch, the times and the causes."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import mechanisms
import numpy as np
import pytest
import yaml
from linkages import flat_four_bar, revolute
from scipy.integrate import solve_ivp

import linkwork as lw

GRAVITY = 9.81


@cache
def windows(count: int, live: bool) -> lw.Model:
    """IFToMM A02; with live lengths the loops are dyads, which end where the rods are aligned."""
    if not live:
        return mechanisms.n_four_bar(count)
    parameters = {f"r{k}": {"value": 1, "live": True} for k in range(count + 1)}
    points: dict[str, Any] = {}
    bodies: dict[str, Any] = {}
    joints: dict[str, Any] = {}
    for k in range(count + 1):
        points |= {f"A{k}": [k, 0], f"B{k}": [k, f"r{k}"]}
        bodies[f"rod{k}"] = {"bar": [f"A{k}", f"B{k}"], "mass": 1}
        joints[f"A{k}"] = revolute("ground", f"rod{k}")
    for k in range(count):
        bodies[f"coupler{k}"] = {"bar": [f"B{k}", f"B{k + 1}"], "mass": 1}
        joints[f"left{k}"] = {**revolute(f"rod{k}", f"coupler{k}"), "at": f"B{k}"}
        joints[f"right{k}"] = {**revolute(f"coupler{k}", f"rod{k + 1}"), "at": f"B{k + 1}"}
    return lw.Model(
        space="planar",
        gravity=[0, -GRAVITY],
        parameters=parameters,
        points=points,
        bodies=bodies,
        joints=joints,
        initial={"A0": {"speed": -1}},
    )


@cache
def turned(count: int) -> Any:
    """θ(t) of the exact reduction I θ'' = W sin θ; SOURCE: IFToMM A02."""
    inertia, weight = (count + 1) / 3 + count, ((count + 1) / 2 + count) * GRAVITY
    return solve_ivp(
        lambda t, x: [x[1], weight / inertia * np.sin(x[0])],
        (0, 10),
        [0.0, 1.0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
        dense_output=True,
        events=lambda t, x: math.cos(x[0]),
    )


def assert_parallel(
    result: lw.Result, count: int, error: float = 1e-4, energy: float = 1e-3, apart: float = 1e-6
) -> None:
    """The judgement of the case, at every output."""
    assert result.outcome.completed, result.outcome
    angle = turned(count).sol(result.time)[0]
    for k in range(1, count + 1):
        assert np.abs(result[f"A{k}.angle"] - result["A0.angle"]).max() <= apart
    assert np.hypot(result["B0.x"] - np.sin(angle), result["B0.y"] - np.cos(angle)).max() <= error
    assert np.abs(result.energy - result.energy[0]).max() <= energy


@pytest.mark.parametrize("live", [False, True])
def test_the_default_passes_ten_singular_positions_and_tells_them(live: bool) -> None:
    # SOURCE: IFToMM A02, N = 2, 10 s: ten passes
    result = lw.simulate(windows(2, live), until="10 s")
    assert_parallel(result, 2)
    assert result["B0.x"][-1] == pytest.approx(0.328458111536, abs=1e-4)
    times = turned(2).t_events[0]
    assert len(times) == 10
    note = next(note for note in result.notes if "singular" in note)
    assert note.startswith("10 singular positions (")
    assert "branching of the motion: 3 degrees of freedom here, 1 elsewhere" in note
    told = [float(item.split()[0]) for item in note.split("(")[1].split(")")[0].split(", ")[:6]]
    np.testing.assert_allclose(told, times[:6], atol=6e-6)
    assert lw.diagnose(result, times[0]).cause is lw.answers.Cause.BRANCHING
    assert lw.diagnose(result, times[0] + 0.2).cause is lw.answers.Cause.REGULAR


@pytest.mark.matrix("formulation")
@pytest.mark.parametrize(("formulation", "count"), [("hybrid", 1), ("hybrid", 2), ("partitioning", 2), ("hybrid", 4)])
def test_dyads_pass_at_every_tolerance(formulation: str, count: int) -> None:
    # SOURCE: IFToMM A02; the error is that of the tolerance
    for settings in ({"rtol": rtol, "atol": rtol / 100} for rtol in (1e-7, 1e-8, 1e-10, 1e-11)):
        result = lw.simulate(windows(count, True), until=10, step=0.05, formulation=formulation, **settings)
        assert_parallel(result, count)
    result = lw.simulate(windows(count, True), until=10, step=0.05, formulation=formulation, integrator="dopri5")
    assert_parallel(result, count)


@pytest.mark.parametrize("coordinates", ["relative", "natural"])
@pytest.mark.parametrize("formulation", ["partitioning", "penalty", "augmented_lagrangian", "canonical_augmented"])
def test_other_formulations_pass_with_their_defaults(formulation: str, coordinates: str) -> None:
    # SOURCE: IFToMM A02, N = 2
    result = lw.simulate(windows(2, False), until=10, step=0.05, formulation=formulation, coordinates=coordinates)
    if formulation == "augmented_lagrangian":
        # where conditions depend on each other, few corrections of the multipliers are not enough for ten digits
        with pytest.warns(lw.errors.AuditWarning, match="accelerations break the conditions by"):
            assert not result.audit.passed
        # what they leave there is chance: 6e-7 to 1e-3 J of 139 J and 1e-14 to 7e-9 m for rtol from 3e-8 to 1e-11
        assert result.audit["energy"].value < 1e-2 and result.audit["closure"].value < 1e-7
    told = formulation == "augmented_lagrangian"
    assert_parallel(result, 2, energy=1e-2 if told else 1e-3, apart=1e-4 if told else 1e-6)
    assert any(note.startswith("10 singular positions") for note in result.notes)


def equal_slider_crank(angle: float, speed: float) -> lw.Model:
    """Both links of 1 m and 1 kg: the slider meets the pivot of the crank whenever the crank is upright."""
    end = [math.cos(angle), math.sin(angle)]
    return lw.Model(
        space="planar",
        gravity=[0, -GRAVITY],
        points={"O": [0, 0], "A": end, "B": [2 * end[0], 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "slider": {"points": ["B"], "mass": 0},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "rod"),
            "B": revolute("rod", "slider"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": ["O", "B"], "axis": [1, 0]},
        },
        initial={"O": {"speed": speed}},
    )


@pytest.mark.matrix("formulation")
@pytest.mark.parametrize("formulation", ["hybrid", "partitioning"])
@pytest.mark.parametrize(("angle", "speed"), [(math.pi / 4, 2 * math.sqrt(2)), (1.256218451984283, -2.701102180480738)])
def test_a_slider_passes_the_pivot_of_its_crank(formulation: str, angle: float, speed: float) -> None:
    # SOURCE: García de Jalón and Bayo, example 10.6; T = (1/3 + sin²θ) θ̇² and V = g sin θ
    exact = solve_ivp(
        lambda t, x: [x[1], -(GRAVITY + 2 * np.sin(x[0]) * x[1] ** 2) * np.cos(x[0]) / (2 / 3 + 2 * np.sin(x[0]) ** 2)],
        (0, 10),
        [angle, speed],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
        dense_output=True,
    ).sol
    model = equal_slider_crank(angle, speed)
    for rtol in (1e-8, 1e-9, 1e-11):
        result = lw.simulate(model, until=10, formulation=formulation, rtol=rtol, atol=rtol / 100)
        assert result.outcome.completed, result.outcome
        theta = exact(result.time)[0]
        np.testing.assert_allclose(result["A.x"], np.cos(theta), atol=2e-4 if rtol > 1e-9 else 2e-5)
        np.testing.assert_allclose(result["B.x"], 2 * np.cos(theta), atol=4e-4 if rtol > 1e-9 else 4e-5)
        assert np.abs(result.energy - result.energy[0]).max() < 1e-4


def test_a_start_in_a_singular_position_needs_speeds_of_one_branch() -> None:
    """I θ'' = W sin θ with I = 5/3 and W = 2 g, from the aligned position at 3 rad/s."""
    rods = {f"A{k}": {"speed": -3} for k in (0, 1)}
    model = lw.Model(
        space="planar",
        gravity=[0, -GRAVITY],
        points={"A0": [0, 0], "B0": [1, 0], "A1": [1, 0], "B1": [2, 0]},
        bodies={
            "rod0": {"bar": ["A0", "B0"], "mass": 1},
            "rod1": {"bar": ["A1", "B1"], "mass": 1},
            "coupler": {"bar": ["B0", "B1"], "mass": 1},
        },
        joints={
            "A0": revolute("ground", "rod0"),
            "A1": revolute("ground", "rod1"),
            "left": {**revolute("rod0", "coupler"), "at": "B0"},
            "right": {**revolute("coupler", "rod1"), "at": "B1"},
        },
        initial=rods,
    )
    with pytest.raises(
        lw.errors.RefusedError, match=r"start position is singular.*2 degrees of freedom here, 1 elsewhere.*'penalty'"
    ):
        lw.simulate(model, until=1)
    exact = solve_ivp(
        lambda t, x: [x[1], 1.2 * GRAVITY * np.sin(x[0])],
        (0, 2),
        [math.pi / 2, 3.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        dense_output=True,
    ).sol
    for formulation in ("penalty", "augmented_lagrangian", "canonical_augmented"):
        result = lw.simulate(model, until=2, step=0.02, formulation=formulation)
        assert result.outcome.completed
        np.testing.assert_allclose(result["B0.x"], np.sin(exact(result.time)[0]), atol=1e-6)
        assert np.abs(result.energy - result.energy[0]).max() < 1e-5


def near_parallelogram(lengths: tuple[float, float, float, float]) -> tuple[lw.Model, np.ndarray]:
    """Crank, coupler, rocker and ground; crank upright, 1 rad/s clockwise. The angles of the three links come with it."""
    crank, coupler, rocker, ground = lengths
    foot, line = np.array([0.0, crank]), np.array([ground, -crank])
    reach = np.hypot(*line)
    along = (coupler**2 - rocker**2 + reach**2) / (2 * reach)
    top = foot + (along * line + math.sqrt(coupler**2 - along**2) * np.array([-line[1], line[0]])) / reach
    model = lw.Model(
        space="planar",
        gravity=[0, -GRAVITY],
        points={"O": [0, 0], "A": [0, crank], "B": [float(x) for x in top], "C": [ground, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 1},
            "rocker": {"bar": ["C", "B"], "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "coupler"),
            "B": revolute("coupler", "rocker"),
            "C": revolute("ground", "rocker"),
        },
        initial={"O": {"speed": -1}},
    )
    rod, rocking = top - foot, top - [ground, 0.0]
    return model, np.array([math.pi / 2, math.atan2(rod[1], rod[0]), math.atan2(rocking[1], rocking[0])])


def exact_angles(lengths: tuple[float, float, float, float], start: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The angles by the curve q' = n(q), n = ∇Φ₁ × ∇Φ₂, and the energy: no coordinate is chosen, nothing is singular.

    Where two branches come near each other, n is small and the curve parameter takes its time: the turn is resolved.
    """
    a, b, c, _ = lengths

    def tangent(q: np.ndarray) -> np.ndarray:
        s, k = np.sin(q), np.cos(q)
        return -np.cross([-a * s[0], -b * s[1], c * s[2]], [a * k[0], b * k[1], -c * k[2]])

    def inertia(q: np.ndarray, rates: np.ndarray) -> float:
        centre = [a * f(q[0]) * rates[0] + b / 2 * f(q[1]) * rates[1] for f in (np.sin, np.cos)]
        spins = a**2 / 3 * rates[0] ** 2 + b**2 / 12 * rates[1] ** 2 + c**2 / 3 * rates[2] ** 2
        return float(spins + centre[0] ** 2 + centre[1] ** 2)

    def height(q: np.ndarray) -> float:
        return float(GRAVITY * (1.5 * a * np.sin(q[0]) + b / 2 * np.sin(q[1]) + c / 2 * np.sin(q[2])))

    sense = -math.copysign(1.0, tangent(start)[0])
    energy = 0.5 * inertia(start, tangent(start) / tangent(start)[0]) + height(start)

    def along(sigma: float, x: np.ndarray) -> list[float]:
        n = sense * tangent(x[:3])
        return [*n, math.sqrt(inertia(x[:3], n) / (2 * (energy - height(x[:3]))))]

    run = solve_ivp(along, (0, 1e4), [*start, 0.0], method="DOP853", rtol=1e-12, atol=1e-13, dense_output=True,
                    events=_ends_at(times[-1]))  # fmt: skip
    sigma = np.interp(times, run.y[3], run.t)
    for _ in range(30):
        values = run.sol(sigma)
        rates = np.array([along(0.0, x)[3] for x in values.T])
        sigma = np.clip(sigma - (values[3] - times) / rates, 0, run.t[-1])
    return np.asarray(run.sol(sigma)[:3])


def _ends_at(time: float) -> Any:
    def rest(sigma: float, x: np.ndarray) -> float:
        return float(x[3] - time)

    rest.terminal = True  # type: ignore[attr-defined]
    return rest


@pytest.mark.parametrize(("off", "link"), [(1e-3, 0), (1e-6, 1), (-1e-6, 3), (1e-9, 2)])
def test_close_to_a_branching_the_motion_follows_its_own_branch(off: float, link: int) -> None:
    """Lengths a little off: the branches no longer meet, and the true motion turns sharply from one to the other."""
    lengths = tuple(1 + off * (i == link) for i in range(4))
    model, start = near_parallelogram(lengths)  # type: ignore[arg-type]
    times = np.linspace(0.02, 1.0, 50)
    exact = exact_angles(lengths, start, times)  # type: ignore[arg-type]
    for formulation in ("hybrid", "partitioning"):
        result = lw.simulate(model, times=[0, *times], formulation=formulation)
        assert result.outcome.completed, result.outcome
        for name, row, foot, length in (("A", 0, 0.0, lengths[0]), ("B", 2, lengths[3], lengths[2])):
            np.testing.assert_allclose(result[f"{name}.x"][1:], foot + length * np.cos(exact[row]), atol=1e-5)
            np.testing.assert_allclose(result[f"{name}.y"][1:], length * np.sin(exact[row]), atol=1e-5)
        assert np.abs(result.energy - result.energy[0]).max() < 1e-4


# -- starts where branches meet ----------------------------------------------------------------------------------------


def flat(extra: str = "") -> lw.Model:
    """A parallelogram of bars of 1 and 2 m that lies flat: the motion goes on as one, or crossed."""
    return flat_four_bar(1.0, 2.0, 1.0, gravity=[0, -9.81], **(yaml.safe_load(extra) or {}))


@pytest.mark.parametrize("extra", ["", "initial: {O: {speed: 4}}", "drivers: {m: {joint: O, speed: 4}}"])
@pytest.mark.parametrize("formulation", [None, "augmented_lagrangian"])
def test_branches_are_listed_with_their_speeds(extra, formulation):
    """Cranks turn alike, or as −(g + r)/(g − r) = −3 where they are crossed, with r = 1 m and g = 2 m."""
    with pytest.raises(lw.errors.RefusedError) as refused:
        lw.simulate(flat(extra), 0.5, formulation=formulation)
    text = str(refused.value)
    assert "initial: {O: {speed: 1}, C: {speed: 1}}" in text and "initial: {O: {speed: 1}, C: {speed: -3}}" in text
    assert "'augmented_lagrangian'" in text


@pytest.mark.parametrize("ratio", [1.0, -3.0])
def test_following_the_advice_gives_a_right_run(ratio):
    model = flat(f"initial: {{O: {{speed: 4}}, C: {{speed: {4 * ratio}}}}}")
    result = lw.simulate(model, 0.35, formulation="augmented_lagrangian")
    energy = result["energy.total"]
    assert result.outcome.completed
    assert np.max(np.abs(energy - energy[0])) < 1e-5 * np.max(result["energy.kinetic"])
    # parallel: ψ = φ; crossed: tan(ψ/2) = −(g + r)/(g − r) tan(φ/2), with cranks r = 1 m and ground g = 2 m
    phi, psi = result["O.angle"][20:], result["C.angle"][20:]
    if ratio > 0:
        assert psi == pytest.approx(phi, abs=1e-8)
    else:
        assert np.tan(psi / 2) / np.tan(phi / 2) == pytest.approx(-3.0, rel=1e-6)


@pytest.mark.parametrize("branch", ["left", "right"])
def test_a_start_beside_the_meeting_is_right_too(branch):
    result = lw.simulate(flat(f"initial: {{O: {{angle: 0.05, speed: 4}}}}\nbranches: {{A-B-C: {branch}}}"), 0.3)
    energy = result["energy.total"]
    assert np.max(np.abs(energy - energy[0])) < 1e-7 * np.max(result["energy.kinetic"])


def quick_slider_crank(speed: float) -> lw.Model:
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [0.06, 0.08], "B": [0.06 + math.sqrt(0.09 - 0.0064), 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "rod": {"bar": ["A", "B"], "mass": 1},
            "slider": {"points": ["B"], "mass": 1},
        },
        joints={
            "O": revolute("ground", "crank"),
            "A": revolute("crank", "rod"),
            "B": revolute("rod", "slider"),
            "guide": {"kind": "prismatic", "bodies": ["ground", "slider"], "at": "B", "axis": [1, 0]},
        },
        drivers={"m": {"joint": "O", "position": f"0.927295218 + {speed}*t"}},
    )


@pytest.mark.parametrize("formulation", [None, "multipliers"])
def test_a_mechanism_without_singular_positions_is_told_to_have_none(formulation: str | None) -> None:
    """A driven crank shorter than its rod passes none, however far apart its outputs are."""
    kind = "natural" if formulation else "relative"
    result = lw.simulate(quick_slider_crank(1000.0), until=0.3, step=0.004, coordinates=kind, formulation=formulation)
    assert result.outcome.completed
    assert not [note for note in result.notes if "singular" in note or "dead centre" in note]


def test_states_that_interpolation_makes_up_are_not_singular() -> None:
    """Two windows at the outputs alone, far apart: every position that is told is one that the exact motion passes."""
    result = lw.simulate(windows(2, False), until=10, step=0.25)
    notes = [note for note in result.notes if "singular position" in note]
    times = turned(2).t_events[0]
    for note in notes:
        told = [float(item.split()[0]) for item in note.split("(")[1].split(")")[0].split(", ")[:6] if item != "..."]
        for time in told:
            assert np.abs(times - time).min() < 0.05


def test_a_run_too_large_to_be_searched_says_so() -> None:
    result = lw.simulate(windows(6, False), until=0.1, step=0.1 / 3500, coordinates="reference_point")
    assert any("not looked for: singular positions" in note for note in result.notes)
