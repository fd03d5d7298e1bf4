"""Variants in lanes are the runs that they are alone, whoever stands beside them; what lanes cannot do is done otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from varied_mechanisms import four_bar

import linkwork as lw
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.base import RungeKutta
from linkwork.studies import finding
from linkwork.studies.asking import Keeping, ask_many
from linkwork.studies.by_lanes import StudyLanes, by_lanes
from linkwork.studies.one_by_one import OneByOne

EXPLICIT = [
    m.name
    for m in ALL_METHODS
    if isinstance(m, RungeKutta) and not (m.implicit or m.orientation) and m.family == "runge_kutta"
]
KEPT = ("O.angle", "C.speed", "B.x", "B.ay", "A.fx", "O.fy", "energy.total")
TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13}


@pytest.fixture
def lanes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be done one by one."""

    def none(self: OneByOne, numbers: list[int]) -> Any:
        assert not numbers, f"left by lanes: {numbers}"
        return iter(())

    monkeypatch.setattr(OneByOne, "answers", none)


def arm(**changes: Any) -> lw.Model:
    """Two uniform rods that hang from each other."""
    return lw.Model(
        **{
            "name": "arm",
            "space": "planar",
            "gravity": [0, -9.81],
            "parameters": {name: {"value": 1.0, "live": True} for name in ("l1", "l2", "m1", "m2", "k", "c")},
            "points": {"O": [0, 0], "A": ["l1", 0], "B": ["l1 + l2", 0]},
            "bodies": {"upper": {"bar": ["O", "A"], "mass": "m1"}, "lower": {"bar": ["A", "B"], "mass": "m2"}},
            "joints": {
                "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
                "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
            },
            "forces": {
                "spring": {"kind": "torsion_spring", "joint": "A", "stiffness": "k", "damping": "c", "free_angle": 0}
            },
            **changes,
        }
    )


def values(count: int, **between: tuple[float, float]) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {name: rng.uniform(low, high, count) for name, (low, high) in between.items()}


def double_pendulum(l1: float, l2: float, m1: float, m2: float, k: float, c: float) -> Callable[..., list[float]]:
    """Of uniform rods, by absolute angles a and b from the horizontal, from Lagrange's equations written by hand."""
    g = 9.81
    i1, i2 = m1 * l1**2 / 3 + m2 * l1**2, m2 * l2**2 / 3
    coupled = m2 * l1 * l2 / 2

    def rates(t: float, y: np.ndarray) -> list[float]:
        a, b, u, w = y
        mass = np.array([[i1, coupled * np.cos(a - b)], [coupled * np.cos(a - b), i2]])
        held = k * (b - a) + c * (w - u)
        right = [
            -coupled * np.sin(a - b) * w**2 - (m1 / 2 + m2) * g * l1 * np.cos(a) + held,
            coupled * np.sin(a - b) * u**2 - m2 / 2 * g * l2 * np.cos(b) - held,
        ]
        return [u, w, *np.linalg.solve(mass, right)]

    return rates


def test_an_open_chain_moves_as_its_equations_say(lanes_alone: None) -> None:
    given = values(24, l1=(0.5, 2), l2=(0.5, 2), m1=(0.5, 3), m2=(0.5, 3), k=(0, 20), c=(0, 1))
    study = lw.simulate_many(arm(), 2.0, parameters=given, quantities=["O.angle", "A.angle", "B.y"], step=0.1, **TIGHT)
    for i in range(0, 24, 5):
        numbers = [given[name][i] for name in ("l1", "l2", "m1", "m2", "k", "c")]
        exact = solve_ivp(double_pendulum(*numbers), (0, 2), [0.0] * 4, "DOP853", study.time, rtol=1e-13, atol=1e-14).y
        np.testing.assert_allclose(study["O.angle"][i], exact[0], atol=1e-9)
        np.testing.assert_allclose(study["A.angle"][i], exact[1] - exact[0], atol=1e-9)
        l1, l2 = numbers[:2]
        np.testing.assert_allclose(study["B.y"][i], l1 * np.sin(exact[0]) + l2 * np.sin(exact[1]), atol=1e-9)


def loop(a: float, m: float) -> Callable[..., np.ndarray]:
    """The four-bar by absolute angles of its bars, with the multipliers of the closed loop: M ω̇ = Q + Cᵀλ, C ω̇ = −Ċ ω."""
    lengths, masses, arms = np.array([a, 1.2, 1.0]), np.array([1.0, m, 2.0]), np.array([1, 1, -1])

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        phi, w = y[:3], y[3:]
        c, s = np.cos(phi), np.sin(phi)
        # the coupler's centre: A + b/2 (c, s); the others turn about fixed points
        mass = np.diag(masses * lengths**2 / 3)
        mass[0, 0] += m * a**2
        mass[0, 1] = mass[1, 0] = m * a * lengths[1] / 2 * np.cos(phi[0] - phi[1])
        bend = m * a * lengths[1] / 2 * np.sin(phi[0] - phi[1])
        force = -9.81 * masses * lengths / 2 * c
        force += [-9.81 * m * a * c[0] - bend * w[1] ** 2, bend * w[0] ** 2, 0.0]
        rows = arms * lengths * np.array([-s, c])
        drift = arms * lengths * np.array([-c, -s]) @ w**2
        whole = np.block([[mass, rows.T], [rows, np.zeros((2, 2))]])
        return np.concatenate([w, np.linalg.solve(whole, np.concatenate([force, -drift]))[:3]])

    return rates


def test_a_closed_loop_moves_as_its_equations_say(lanes_alone: None) -> None:
    given = values(24, a=(0.2, 0.45), m=(1, 4))
    names = ["O.angle", "O.speed", "C.angle", "C.speed", "coupler.angle", "coupler.speed"]
    study = lw.simulate_many(four_bar(), 1.0, parameters=given, quantities=names, step=0.1, **TIGHT)
    for i in range(0, 24, 5):
        begin = [
            study[name][i][0] for name in ("O.angle", "coupler.angle", "C.angle", "O.speed", "coupler.speed", "C.speed")
        ]
        exact = solve_ivp(
            loop(given["a"][i], given["m"][i]), (0, 1), begin, "DOP853", study.time, rtol=1e-13, atol=1e-14
        ).y
        for name, column in zip(("O.angle", "coupler.angle", "C.angle", "O.speed"), exact, strict=False):
            np.testing.assert_allclose(study[name][i], column, atol=1e-8)


def compare(model: lw.Model, study: lw.answers.Study, options: dict[str, Any], tolerance: float) -> None:
    for i in range(0, len(study), 3):
        run = lw.simulate(model, parameters=study.variant(i), times=study.time, audit=False, **options)
        assert run.outcome == study.outcomes[i]
        for name in study.values:
            np.testing.assert_allclose(study[name][i], run[name], rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_every_explicit_method_takes_its_steps_in_lanes(integrator: str, lanes_alone: None) -> None:
    adaptive = next(m for m in ALL_METHODS if m.name == integrator).adaptive
    options = {"integrator": integrator, **({"rtol": 1e-6, "atol": 1e-8} if adaptive else {"fixed_step": 2e-3})}
    given = values(16, a=(0.2, 0.45), m=(1, 4))
    study = lw.simulate_many(four_bar(), 0.6, parameters=given, quantities=KEPT, step=0.1, **options)
    compare(four_bar(), study, options, 1e-9)


def test_loops_pass_dead_centres_of_what_leads_them() -> None:
    """Lengths with which no crank goes round: other coordinates lead near the ends of its swing."""
    given = values(48, a=(0.3, 1.6), b=(0.8, 1.6), m=(1, 3))
    study = lw.simulate_many(four_bar(), 3.0, parameters=given, quantities=KEPT, step=0.05, **TIGHT)
    assert study.statistics["in lanes"] >= 36
    compare(four_bar(), study, TIGHT, 1e-6)


@pytest.mark.parametrize("model", [four_bar(), arm()], ids=["closed", "open"])
def test_a_lane_does_not_know_its_neighbours(model: lw.Model, lanes_alone: None) -> None:
    given = values(40, a=(0.2, 0.45)) if "a" in model.parameters else values(40, l1=(0.5, 2), k=(0, 50))
    options: dict[str, Any] = {"quantities": ["O.angle", "A.fx", "energy.total"], "step": 0.1}
    study = lw.simulate_many(model, 1.0, parameters=given, **options, workers=1)
    order = np.random.default_rng(1).permutation(40)[:21]
    mixed = lw.simulate_many(model, 1.0, parameters={k: v[order] for k, v in given.items()}, **options, workers=2)
    np.testing.assert_array_equal(mixed["O.angle"], study["O.angle"][order])
    np.testing.assert_array_equal(mixed["energy.total"], study["energy.total"][order])
    # reactions are projected, in all lanes or in none
    np.testing.assert_allclose(mixed["A.fx"], study["A.fx"][order], rtol=1e-11, atol=1e-11)


def test_numbers_do_not_depend_on_how_many_cores_find_them(lanes_alone: None) -> None:
    given: dict[str, Any] = {"parameters": values(1100, a=(0.2, 0.45)), "quantities": KEPT, "final": True}
    alone, together = (lw.simulate_many(four_bar(), 0.5, **given, workers=workers) for workers in (1, 3))
    for name in KEPT:
        np.testing.assert_array_equal(alone[name], together[name])


def test_a_variant_that_blows_up_disturbs_no_neighbour() -> None:
    given = values(24, l1=(0.5, 2)) | {"k": np.full(24, 5.0)}
    calm = lw.simulate_many(arm(), 1.0, parameters=given, quantities=["O.angle"], step=0.1)
    given["k"][[3, 11]] = -1e9
    wild = lw.simulate_many(arm(), 1.0, parameters=given, quantities=["O.angle"], step=0.1, max_steps=3000)
    others = np.delete(np.arange(24), [3, 11])
    np.testing.assert_array_equal(wild["O.angle"][others], calm["O.angle"][others])
    assert wild.statistics["in lanes"] == 22 and wild.failures.numbers == [3, 11]
    assert all("steps" in wild.outcomes[i].reason for i in (3, 11))


def test_what_is_stiff_is_handed_to_who_can() -> None:
    given = {"c": np.array([0.01] * 18 + [1e6] * 2), "k": [1.0]}
    study = lw.simulate_many(arm(), 1.0, parameters=given, quantities=["O.angle"], step=0.1)
    assert study.statistics["in lanes"] == 18 and study.completed.all()
    run = lw.simulate(arm(), 1.0, parameters={"c": 1e6, "k": 1.0}, step=0.1)
    np.testing.assert_allclose(study["O.angle"][19], run["O.angle"], atol=1e-7)


def test_values_at_the_start_and_last_samples(lanes_alone: None) -> None:
    speeds = np.linspace(2.0, 9.0, 20)
    study = lw.simulate_many(
        four_bar(),
        0.7,
        initial={"O.speed": speeds, "O.angle": ["140 deg"]},
        quantities=KEPT,
        final=True,
        peaks=True,
        step=0.01,
    )
    every = lw.simulate_many(
        four_bar(), 0.7, initial={"O.speed": speeds, "O.angle": ["140 deg"]}, quantities=KEPT, peaks=True, step=0.01
    )
    for name in KEPT:
        np.testing.assert_array_equal(study[name], every[name][:, -1])
        np.testing.assert_array_equal(study.peaks[name], every.peaks[name])
    model = four_bar().with_(initial={"O": {"angle": "140 deg", "speed": float(speeds[7])}})
    run = lw.simulate(model, 0.7, step=0.01)
    for name in KEPT:
        np.testing.assert_allclose(study[name][7], run[name][-1], rtol=1e-7, atol=1e-7)


def test_a_sketch_with_parameters_is_put_together_as_it_is_drawn(lanes_alone: None) -> None:
    """The angle of the crank that is kept is that between points which parameters place."""
    drawn = four_bar(initial={}).with_(
        parameters={"x": {"value": 0.3, "live": True}}, points={"A": ["x", "sqrt(0.16 - x^2)"]}
    )
    given = {"x": np.linspace(-0.2, 0.3, 18)}
    study = lw.simulate_many(drawn, 0.5, parameters=given, quantities=["O.angle", "C.angle"], step=0.1)
    np.testing.assert_allclose(np.cos(study["O.angle"][:, 0]), given["x"] / 0.4, atol=1e-12)
    compare(drawn, study, {}, 1e-7)


@pytest.mark.parametrize(
    "driver",
    [
        {"position": "0.3 + 2*t + b*sin(3*t)"},
        {"speed": "3 + b"},
        {"speed": "2*cos(t)", "initial": "40 deg"},
        {"acceleration": "b", "initial": "b", "initial_speed": 2},
    ],
    ids=["position", "speed", "from", "acceleration"],
)
def test_drivers_lead_in_lanes_too(driver: dict[str, Any], lanes_alone: None) -> None:
    model = four_bar(initial={}, drivers={"motor": {"joint": "O", **driver}})
    given, names = values(16, a=(0.25, 0.45), b=(1.1, 1.3)), ["O.angle", "C.acceleration", "motor.effort", "A.fx"]
    study = lw.simulate_many(model, 0.6, parameters=given, quantities=names, step=0.1)
    compare(model, study, {}, 1e-7)


@pytest.mark.parametrize("speeds", [{"O": {"speed": 3}}, {"A": {"speed": -2}}, {"O": {"speed": 1}, "A": {"speed": 4}}])
def test_speeds_that_nobody_gives_are_those_of_least_energy(speeds: dict[str, Any], lanes_alone: None) -> None:
    model = arm(initial=speeds)
    given = values(18, l1=(0.5, 2), m1=(0.5, 3), m2=(0.5, 3))
    study = lw.simulate_many(
        model, 0.3, parameters=given, quantities=["O.speed", "A.speed", "energy.kinetic"], step=0.1
    )
    compare(model, study, {}, 1e-7)


def test_springs_that_rest_as_they_are_drawn(lanes_alone: None) -> None:
    """Their angles are those of one sketch, as long as no parameter changes it."""
    drawn = arm(
        points={"O": [0, 0], "A": [0.8, 0.6], "B": [1.8, 0.6]},
        forces={"spring": {"kind": "torsion_spring", "joint": "A", "stiffness": "k"}},
    )
    study = lw.simulate_many(drawn, 0.5, parameters=values(18, k=(1, 50)), quantities=["O.angle", "A.angle"], step=0.1)
    compare(drawn, study, {}, 1e-8)


@pytest.mark.parametrize("turned", [0.0, 45.0], ids=["as it is", "turned and ten times as large"])
def test_branches_are_those_that_are_found_one_by_one(turned: float) -> None:
    """Lengths and angles at random: wherever lanes put a variant together, the same is found alone."""
    model, count = four_bar(initial={}), 300
    given = values(count, a=(0.3, 1.3), b=(0.6, 1.8))
    angles = np.random.default_rng(1).uniform(-np.pi, np.pi, count)
    angles[0] = np.deg2rad(90 + turned)
    if turned:
        size, c, s = 10.0, np.cos(np.deg2rad(turned)), np.sin(np.deg2rad(turned))
        places = {"O": (0, 0), "A": (0, 0.4), "B": (1.1, 0.9), "C": (1.3, 0)}
        points = {name: [size * (c * x - s * y), size * (s * x + c * y)] for name, (x, y) in places.items()}
        lengths = {name: {"value": size * value, "live": True} for name, value in (("a", 0.4), ("b", 1.2))}
        rocker = {"bar": ["C", "B"], "length": size, "mass": 2}
        model = model.with_(points=points, bodies={"rocker": rocker}, parameters=lengths)
        given = {name: size * each for name, each in given.items()}
    options = {"rtol": 1e-6, "atol": 1e-8, "max_steps": 10**7, "audit": False}
    question, variants = ask_many(
        "simulate", model, options, (given, {"O.angle": angles}), Keeping(["O.angle"], final=True), np.array([0.0, 0.1])
    )
    lanes = StudyLanes.of(question, variants)
    found = lanes.starts.begin(lanes.live)
    assert np.count_nonzero(found.known) > 60
    for i in np.flatnonzero(found.known):
        alone = lanes.mechanism.start(variants.of(int(i))).y
        gap = np.abs(alone - found.states[i])[:3]
        assert np.max(np.minimum(gap, np.abs(gap - 2 * np.pi))) < 1e-6


def test_times_need_not_begin_with_the_run(lanes_alone: None) -> None:
    given = values(18, a=(0.2, 0.45))
    every = lw.simulate_many(four_bar(), parameters=given, quantities=KEPT, times=[0, 0.3, 0.7], peaks=True)
    study = lw.simulate_many(four_bar(), parameters=given, quantities=KEPT, times=[0.3, 0.7], peaks=True)
    for name in KEPT:
        np.testing.assert_allclose(study[name], every[name][:, 1:], rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(study.peaks[name][:, 1], study[name].max(axis=1))


@pytest.mark.parametrize("mass", ["m1", "m1^2 - 0.5"], ids=["linear", "not linear"])
def test_values_that_no_model_may_have_are_refused_as_elsewhere(mass: str) -> None:
    model = arm(bodies={"upper": {"bar": ["O", "A"], "mass": mass}, "lower": {"bar": ["A", "B"], "mass": "m2"}})
    masses = np.linspace(1.5, 3.0, 20)
    calm = lw.simulate_many(model, 0.2, parameters={"m1": masses}, quantities=["O.angle"], final=True)
    masses[7] = -1.0 if mass == "m1" else 0.5
    study = lw.simulate_many(model, 0.2, parameters={"m1": masses}, quantities=["O.angle"], final=True)
    assert calm.completed.all() and study.failures.numbers == [7] and study.statistics["in lanes"] == 19
    assert "cannot be negative" in study.outcomes[7].reason and "with m1" in study.outcomes[7].reason
    np.testing.assert_array_equal(np.delete(study["O.angle"], 7), np.delete(calm["O.angle"], 7))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"forces": {"push": {"kind": "torque", "body": "crank", "value": "log(20 + O.speed)"}}}, "without a value"),
        ({"forces": {"push": {"kind": "torque", "body": "crank", "value": "sign(sin(9*t))"}}}, "jump"),
    ],
)
def test_what_lanes_do_not_take_is_done_one_by_one(change: dict[str, Any], why: str) -> None:
    model = four_bar(**change)
    study = lw.simulate_many(model, 0.2, parameters={"a": np.linspace(0.3, 0.4, 16)}, quantities=["O.angle"], step=0.1)
    assert study.statistics["in lanes"] == 0 and why in study.notes[0] and study.completed.all()
    compare(model, study, {}, 1e-9)


def test_works_along_a_run_are_found_one_by_one() -> None:
    study = lw.simulate_many(
        arm(), 0.2, parameters={"c": np.linspace(0.1, 1, 16)}, quantities=["work.dissipated"], step=0.1
    )
    run = lw.simulate(arm(), 0.2, parameters={"c": 1.0}, step=0.1)
    assert study.statistics["in lanes"] == 0
    np.testing.assert_allclose(study["work.dissipated"][-1], run["work.dissipated"], rtol=1e-9)


def test_an_interrupt_keeps_what_has_come_to_its_end() -> None:
    given = {"a": np.linspace(0.2, 0.4, 300)}
    options = {"rtol": 1e-9, "atol": 1e-11, "max_steps": 10**7, "audit": False}
    question, variants = ask_many(
        "simulate", four_bar(), options, (given, None), Keeping(["O.angle"], final=True), np.array([0.0, 5.0])
    )
    parts = by_lanes(question, variants, np.arange(300), 1)
    found = [next(parts)]
    with pytest.raises(KeyboardInterrupt):
        found.append(parts.throw(KeyboardInterrupt))
        found.extend(parts)
    numbers = np.concatenate([part.numbers for part in found])
    assert 0 < len(numbers) < 300 and len(set(numbers.tolist())) == len(numbers)
    whole = lw.simulate_many(four_bar(), 5.0, parameters=given, quantities=["O.angle"], final=True)
    values = np.concatenate([part.values for part in found])[:, 0]
    np.testing.assert_array_equal(values, whole["O.angle"][numbers])


def test_an_interrupt_keeps_whole_portions(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    def stopped(*given: Any) -> Any:
        yield next(by_lanes(*given))
        raise KeyboardInterrupt

    monkeypatch.setattr(finding, "by_lanes", stopped)
    given: dict[str, Any] = {"parameters": {"a": np.linspace(0.2, 0.4, 600)}, "quantities": ["O.angle"], "final": True}
    first = lw.simulate_many(four_bar(), 0.2, **given, folder=tmp_path, workers=1)
    assert 0 < int(first.completed.sum()) < 600 and "to go" in first.notes[0]
    monkeypatch.setattr(finding, "by_lanes", by_lanes)
    second = lw.simulate_many(four_bar(), 0.2, **given, folder=tmp_path, workers=1)
    whole = lw.simulate_many(four_bar(), 0.2, **given, workers=1)
    np.testing.assert_array_equal(second["O.angle"], whole["O.angle"])
