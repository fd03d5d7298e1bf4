"""Formulations of implicit steps: second order, tangents, the published examples of the index-3 method, what is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
import textbook
from random_mechanisms import Array

import linkwork as lw
from linkwork.coordinates.numbering import number
from linkwork.equations import Equations, formulate
from linkwork.numerics.flows.implicit import stage_log
from linkwork.numerics.integrators.run import integrate

INDEX3, INDEX2 = lw.formulations.Index3AugmentedLagrangian(), lw.formulations.CanonicalIndex2()
both = pytest.mark.parametrize("formulation", [INDEX3, INDEX2], ids=str)


def four_bar(**more: Any) -> lw.Model:
    joints = {"O": "ground crank", "A": "crank coupler", "B": "coupler rocker", "C": "rocker ground"}
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.1, 0.2], "B": [0.5, 0.35], "C": [0.45, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 2},
            "rocker": {"bar": ["B", "C"], "mass": 1},
        },
        joints={name: {"kind": "revolute", "bodies": pair.split()} for name, pair in joints.items()},
        **more,
    )


def controlled() -> lw.Model:
    """Forces with a state of their own, with stiffness and damping."""
    controller = {"kind": "actuator", "joint": "O", "signal": "1 - O.speed", "gain": 5, "lag": "30 ms"}
    spring = {
        "kind": "spring",
        "between": ["ground.O", "rocker.B"],
        "stiffness": 2000,
        "free_length": 0.5,
        "damping": 20,
    }
    return four_bar(forces={"controller": controller, "spring": spring})


def driven() -> lw.Model:
    """A driver with a state of its own."""
    return four_bar(drivers={"motor": {"joint": "O", "speed": "4 + 3*cos(6*t)"}})


def disc() -> lw.Model:
    """Conditions on velocities alone."""
    lean = 0.3
    return lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"E": [0, 0, 0]},
        bodies={
            "disc": {
                "points": {"O": [0, 0, 0]},
                "origin": [0, 0, 0.5 * np.cos(lean)],
                "rotation": {"axis": [1, 0, 0], "angle": lean},
                "mass": 1.5,
                "inertia": [0.1, 0.2, 0.1],
            }
        },
        relations={
            "floor": {"kind": "rolling", "centre": "disc.O", "axis": [0, 1, 0], "radius": 0.5, "plane": "ground.E"}
        },
        initial={"disc": {"omega": [0.1, -6, 1]}},
    )


MODELS = {
    "four-bar": (cache(four_bar), ["A.x", "B.y", "B.vx", "O.speed"]),
    "controlled": (cache(controlled), ["A.x", "B.y", "B.vx", "O.speed"]),
    "driven": (cache(driven), ["A.x", "B.y", "B.vx", "O.speed"]),
    "rscr": (cache(linkages.rscr), ["coupler.x", "coupler.y", "coupler.vz"]),
    "disc": (cache(disc), ["disc.O.x", "disc.O.y", "disc.O.vz"]),
}
TIMES = np.linspace(0, 0.24, 7)


@cache
def reference(name: str) -> dict[str, Array]:
    """The hybrid formulation, or partitioning for conditions on velocities, at tight tolerances."""
    model, names = MODELS[name]
    return lw.simulate(model(), times=TIMES, rtol=1e-11, atol=1e-13).values(names)


@pytest.mark.matrix("kind", "formulation")
@pytest.mark.parametrize(
    ("name", "kind", "formulation"),
    [
        *(("four-bar", kind, f) for kind in ("relative", "natural") for f in (INDEX3, INDEX2)),
        ("controlled", "natural", INDEX3),
        ("controlled", "reference_point", INDEX2),
        ("driven", "reference_point", INDEX2),
        ("rscr", "relative", INDEX3),
        ("rscr", "reference_point:tait_bryan", INDEX2),
        ("disc", "relative", INDEX3),
        ("disc", "natural", INDEX2),
    ],
    ids=str,
)
def test_the_second_order_in_positions_and_velocities(
    name: str, kind: str, formulation: lw.formulations.Formulation
) -> None:
    model, names = MODELS[name]
    wanted = reference(name)
    errors = []
    for step in (4e-3, 2e-3):
        result = lw.simulate(model(), times=TIMES, coordinates=kind, formulation=formulation, fixed_step=step)
        assert result.settings["integrator"] == "trapezoidal"
        errors.append(max(np.abs(values - wanted[key]).max() for key, values in result.values(names).items()))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.12)


def slope_by_differences(equations: Equations, t: float, y: Array, hat: Array, p: Array) -> tuple[Array, Array]:
    """The tangent that the function of a stage gives, and that of its residual along the velocities by differences."""
    c = equations.coordinates
    nq, nv = c.q.numel(), c.v.numel()
    factors, raised = [0.004, 0.003, 0.004], np.linspace(-3, 5, len(c.rows))  # τ, τ_q, longest τ
    place, stage = equations.functions["place"], equations.functions["stage"]

    def state(v: Array) -> Array:
        found = np.concatenate([y[:nq], v, y[nq + nv :]])
        for _ in range(4):
            q, s, _ = (np.array(item).ravel() for item in place(t, np.concatenate([found, hat, factors, raised]), p))
            found = np.concatenate([q, v, s])
        return np.concatenate([found, hat, factors, raised])

    def residual(v: Array) -> Array:
        return np.array(stage(t, state(v), p)[0]).ravel()

    v, size = y[nq : nq + nv], 1e-5
    units = size * np.eye(nv)
    found = [(8 * (residual(v + e) - residual(v - e)) - residual(v + 2 * e) + residual(v - 2 * e)) for e in units]
    return np.array(stage(t, state(v), p)[3]), np.column_stack(found) / (12 * size)


@both
@pytest.mark.parametrize(
    ("name", "kind"), [("controlled", "natural"), ("rscr", "relative"), ("rscr", "reference_point:tait_bryan")]
)
def test_the_exact_tangent_is_the_derivative_of_the_residual(
    name: str, kind: str, formulation: lw.formulations.Formulation
) -> None:
    """Stages away from their solution, quaternions and forces with own states included."""
    coordinates = number(lw.analyse(MODELS[name][0]()), kind)
    equations = formulate(coordinates, type(formulation)(alpha=1e5, tangent="exact"))
    y, p = (array.copy() for array in equations.start)
    rng = np.random.default_rng(3)
    nq, nv = coordinates.q.numel(), coordinates.v.numel()
    y[nq : nq + nv] = rng.normal(size=nv)
    hat = y + 0.01 * rng.normal(size=y.size)
    exact, by_differences = slope_by_differences(equations, 0.1, y, hat, p)
    np.testing.assert_allclose(exact, by_differences, atol=2e-8 * np.abs(by_differences).max())


@both
def test_quasi_and_exact_tangents_lead_to_the_same_steps(formulation: lw.formulations.Formulation) -> None:
    options = {"times": TIMES, "coordinates": "natural", "fixed_step": "4 ms"}
    first, second = (
        lw.simulate(MODELS["rscr"][0](), formulation=type(formulation)(tangent=tangent), **options)
        for tangent in ("quasi", "exact")
    )
    for name in MODELS["rscr"][1]:
        np.testing.assert_allclose(first[name], second[name], atol=1e-8)


def test_the_quasi_tangent_of_natural_coordinates_is_that_of_the_book() -> None:
    """4/h² M + Φ_qᵀ β Φ_q with β = α (1 + 2 μ/h), divided by 2/h. SOURCE: García de Jalón and Bayo, eq. 8.134."""
    c = number(lw.analyse(four_bar()), "natural")
    equations = formulate(c, lw.formulations.Index3AugmentedLagrangian(alpha=1e7, damping_ratio=50))
    y, p = equations.start
    h = 0.01
    behind = np.concatenate([y, [h / 2, h / 2, h / 2], np.zeros(len(c.rows))])
    found = np.array(equations.functions["stage"](0, np.concatenate([y, behind]), p)[3])
    f = ca.Function("parts", [c.t, c.y, c.p], [ca.densify(c.mass), ca.densify(c.jacobian)])
    mass, jacobian = (np.array(item) for item in f(0, y, p))
    # penalties are relative to the largest mass
    alpha = 1e7 * np.diag(mass).max()
    weights = np.array([row.weight for row in c.rows]) ** 2 * alpha * (1 + 2 / 50)
    book = 4 / h**2 * mass + jacobian.T @ (weights[:, None] * jacobian)
    np.testing.assert_allclose(found * 2 / h, book, rtol=1e-12, atol=1e-3)


def run_of_five_links(
    closed: bool, until: float, alpha: float = 1e7, augmentations: int = 0, **gravity: float
) -> lw.Result:
    """Steps, penalties, damping and tolerance of examples 8.6 and 8.7, too coarse for an audit."""
    h, ratio = (0.03, 60) if closed else (0.008, 80)
    method = lw.formulations.Index3AugmentedLagrangian(alpha, ratio, augmentations, tolerance=5e-7)
    kind = "natural" if closed else "natural:constant_mass"
    times = h * np.arange(round(until / h) + 1)
    options = {"coordinates": kind, "formulation": method, "fixed_step": h, "audit": False}
    return lw.simulate(links(closed), times=times, parameters=gravity, **options)  # type: ignore[arg-type]


@cache
def links(closed: bool) -> lw.Model:
    return textbook.five_links(closed)


def test_bricards_mechanism_of_the_book() -> None:
    """Two iterations a step and an energy error of 0.03 % in 40 s. SOURCE: García de Jalón and Bayo, example 8.7.

    24 coordinates and 24 conditions, of which one is redundant; |E| = 29.43 J is that of the reconstruction.
    """
    counts = number(lw.analyse(links(True)), "natural").counts()
    assert (counts.positions, counts.conditions) == (24, 24)
    result = run_of_five_links(True, 40.0)
    energy = result["energy.total"]
    assert 1.5e-4 < np.abs(energy - energy[0]).max() / 29.43 < 3e-4
    assert result.statistics["evaluations"] / result.statistics["steps"] == pytest.approx(2.0, abs=0.01)
    assert result["closure"].max() < 2e-5
    assert "2 iterations a step" in result.statistics["workings"]


@pytest.mark.parametrize(("axis", "until"), [("x", 10.0), ("y", 20.0)])
def test_the_pendulum_of_the_book(axis: str, until: float) -> None:
    """Two iterations a step, an energy error of 1.3 %, constraint errors of 1e-5 and accelerations of the order of 180 m/s².

    SOURCE: García de Jalón and Bayo, example 8.6, with 30 coordinates and 25 conditions. Bands, because its geometry is not
    printed; with the weight along x the motion is chaotic after 10 s.
    """
    counts = number(lw.analyse(links(False)), "natural:constant_mass").counts()
    assert (counts.positions, counts.conditions) == (30, 25)
    result = run_of_five_links(False, until, **{"gx": 0.0, "gy": 0.0, f"g{axis}": 9.81})
    energy = result["energy.total"]
    assert 0.005 < np.abs(energy - energy[0]).max() / 29.43 < 0.02
    assert 2.0 <= result.statistics["evaluations"] / result.statistics["steps"] < 2.2
    assert 5e-6 < result["closure"].max() < 3e-5
    if until == 20.0:
        assert 150 < np.abs(result[f"link5.P5.a{axis}"]).max() < 200


def test_penalties_and_augmentations_of_the_pendulum() -> None:
    """Ten times smaller penalties: errors of 1e-4; one augmentation: an order less. SOURCE: example 8.6, figure 8.26."""
    large, small, augmented = (
        run_of_five_links(False, 10.0, *options)["closure"].max() for options in ((1e7, 0), (1e6, 0), (1e6, 1))
    )
    assert small / large == pytest.approx(10, rel=0.2)
    assert small == pytest.approx(1e-4, rel=0.2)
    assert 3 < small / augmented < 12


@both
def test_a_fixed_number_of_iterations_costs_the_same_in_every_step(formulation: lw.formulations.Formulation) -> None:
    options = {"times": TIMES, "coordinates": "natural", "fixed_step": 2e-3}
    wanted = lw.simulate(MODELS["four-bar"][0](), formulation=formulation, **options)
    fixed = type(formulation)(iterations=2, tolerance=None)
    result = lw.simulate(MODELS["four-bar"][0](), formulation=fixed, **options)
    assert result.statistics["evaluations"] == 1 + 2 * result.statistics["steps"]
    assert "2 iterations a step, at most 2" in result.statistics["workings"]
    for name, values in result.values(MODELS["four-bar"][1]).items():
        np.testing.assert_allclose(values, wanted[name], atol=1e-5)


def test_a_parallelogram_stays_one_through_its_singular_positions() -> None:
    """Ten passes of two windows in 10 s. SOURCE: IFToMM benchmark A02; exact, I φ̈ = W sin φ: B0 (0.328458, 0.944519)."""
    model, motions = mechanisms.n_four_bar(2), []
    for step in (2e-3, 1e-3):
        result = lw.simulate(model, until=10, step=0.1, coordinates="natural", formulation=INDEX3, fixed_step=step)
        assert not result.outcome.reason
        energy = result["energy.total"]
        motions.append((np.abs(energy - energy[0]).max(), abs(result["B0.x"][-1] - 0.328458111536)))
        for k in (1, 2):
            # penalties give way where the conditions say nothing
            np.testing.assert_allclose(result[f"B{k}.x"] - k, result["B0.x"], rtol=0, atol=5e-5)
            np.testing.assert_allclose(result[f"B{k}.y"], result["B0.y"], rtol=0, atol=5e-5)
    assert motions[1][0] < 3e-3
    assert motions[1][1] < 1e-3
    assert motions[0][0] > 2 * motions[1][0]


@both
def test_multipliers_are_those_of_the_accelerations(formulation: lw.formulations.Formulation) -> None:
    mechanism = lw.prepare(MODELS["controlled"][0](), coordinates="natural", formulation=formulation)
    c, start = mechanism.coordinates, mechanism.start()
    flow = mechanism.flow(start)
    solution = integrate("trapezoidal", flow, start.y, [0.0, 0.2], step=5e-4)
    nv, m = c.v.numel(), len(c.rows)
    f = ca.Function("kkt", [c.t, c.y, c.p], [ca.densify(x) for x in (c.mass, c.jacobian, c.forces, c.b)])
    mass, rows, forces, b = (np.array(item) for item in f(0.2, solution.y[-1], start.p))
    matrix = np.block([[mass, -rows.T], [rows, np.zeros((m, m))]])
    wanted = np.linalg.solve(matrix, np.concatenate([forces, -b]))[nv:, 0]
    found = stage_log(flow).multipliers
    np.testing.assert_allclose(found, wanted, atol=2e-3 * np.abs(wanted).max())


@both
def test_efforts_works_and_events_as_in_other_runs(formulation: lw.formulations.Formulation) -> None:
    names = ["motor.effort", "A.fx", "motor.work"]
    options = {"until": 0.2, "step": 0.05, "events": {"high": lw.Event("A.y - 0.21", direction=1)}}
    wanted = lw.simulate(MODELS["driven"][0](), rtol=1e-11, atol=1e-13, **options)
    result = lw.simulate(
        MODELS["driven"][0](), coordinates="reference_point", formulation=formulation, fixed_step="1 ms", **options
    )
    for name, values in result.values(names).items():
        np.testing.assert_allclose(values, wanted[name], atol=2e-4 * np.abs(wanted[name]).max())
    assert [event.name for event in result.events] == [event.name for event in wanted.events] == ["high"]
    assert result.events[0].time == pytest.approx(wanted.events[0].time, abs=1e-5)
    assert np.abs(result["energy.balance"]).max() < 2e-4


def test_projection_closes_loops_that_velocities_let_drift() -> None:
    runs = [
        lw.simulate(MODELS["four-bar"][0](), until=1, coordinates="natural", formulation=formulation, fixed_step="4 ms")
        for formulation in (INDEX2, lw.formulations.CanonicalIndex2(project=False))
    ]
    assert runs[0]["closure"].max() < 1e-12
    assert 1e-6 < runs[1]["closure"].max() < 1e-3


def test_what_cannot_be_is_refused_with_what_can() -> None:
    model = MODELS["four-bar"][0]()
    with pytest.raises(
        lw.errors.RefusedError, match=r"'index3_augmented_lagrangian'.*'dop853' cannot.*take .*'trapezoidal'"
    ):
        lw.simulate(model, until=1, formulation=INDEX3, integrator="dop853")
    with pytest.raises(lw.errors.RefusedError, match="'trapezoidal' needs a step size"):
        lw.simulate(model, until=1, formulation=INDEX3, integrator="trapezoidal")
    with pytest.raises(lw.errors.RefusedError, match="tangent is one of 'quasi', 'exact', not 'secant'"):
        lw.formulations.CanonicalIndex2(tangent="secant")
    for options in (
        {"tolerance": 0.0},
        {"iterations": 0},
        {"alpha": -1.0},
        {"augmentations": -1},
        {"damping_ratio": 0},
    ):
        with pytest.raises(lw.errors.RefusedError, match=f"{next(iter(options))} = {next(iter(options.values()))}"):
            lw.formulations.Index3AugmentedLagrangian(**options)


def test_a_step_that_is_too_long_ends_the_run_and_says_so() -> None:
    model = mechanisms.four_bar()
    formulation = lw.formulations.Index3AugmentedLagrangian(iterations=3)
    result = lw.simulate(model, until=60, coordinates="natural", formulation=formulation, fixed_step=0.5)
    assert result.outcome.reason.startswith("the equations of a step have no solution near the last one")
    assert "a fixed_step of less than 0.5 s" in result.outcome.reason
