"""Accelerations of the formulations against a dense solution by numpy; the decay that Baumgarte's terms promise."""

from __future__ import annotations

import linkages
import mechanisms
import numpy as np
import pytest
from combinations import every_kind
from random_mechanisms import Array, Numbers
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.coordinates.numbering import number
from linkwork.equations import Equations, formulate
from linkwork.equations.equations import place_state
from linkwork.equations.formulations import ALL_FORMULATIONS, Formulation

MODELS = {
    "four-bar": mechanisms.four_bar,
    "overconstrained": mechanisms.spatial_four_bar,
    "bricard": mechanisms.bricard,
    "andrews": mechanisms.andrews,
    "universal": mechanisms.modelica_fourbar,
    "gear": mechanisms.geared_rotors,
    "slider-crank": linkages.slider_crank,
    "rscr": linkages.rscr,
    "tree": linkages.spherical_chain,
    "floating": linkages.floating_pair,
}


def moving_state(c: Numbers, rng: np.random.Generator) -> tuple[Array, Array]:
    """The assembled position with random velocities that satisfy the conditions."""
    coordinates = c.coordinates
    y, p = place_state(coordinates, coordinates.topology.assembly, coordinates.geometry.defaults)
    nq, nv = coordinates.q.numel(), coordinates.v.numel()
    jacobian = c.value(coordinates.jacobian, 0, y, p).reshape(len(coordinates.rows), nv)
    sizes, vt = np.linalg.svd(jacobian)[1:] if len(jacobian) else (np.zeros(0), np.eye(nv))
    free = vt[int(np.sum(sizes > 1e-8)) :]
    y[nq : nq + nv] = free.T @ rng.normal(size=len(free))
    return y, p


def dense_accelerations(c: Numbers, y: Array, p: Array, b: Array) -> Array:
    """v̇ of [[M, Cᵀ], [C, 0]] [v̇, −λ] = [h, −b] by least squares: rows may be redundant."""
    coordinates = c.coordinates
    nv, m = coordinates.v.numel(), len(coordinates.rows)
    mass, rows = c.value(coordinates.mass, 0, y, p), c.value(coordinates.jacobian, 0, y, p).reshape(m, nv)
    matrix = np.block([[mass, rows.T], [rows, np.zeros((m, m))]])
    right = np.concatenate([c.value(coordinates.forces, 0, y, p).ravel(), -b])
    solution, *_ = np.linalg.lstsq(matrix, right, rcond=1e-11)
    np.testing.assert_allclose(matrix @ solution, right, atol=1e-7 * max(1.0, float(np.abs(right).max())))
    return solution[:nv]


@pytest.mark.matrix("kind")
@every_kind
@pytest.mark.parametrize("name", list(MODELS))
def test_straight_line_accelerations_are_the_dense_solution(name: str, kind: str) -> None:
    c = Numbers(number(lw.analyse(MODELS[name]()), kind))
    coordinates = c.coordinates
    equations = formulate(coordinates, "multipliers")
    y, p = moving_state(c, np.random.default_rng(7))
    b = c.value(coordinates.b, 0, y, p).ravel()
    expected = dense_accelerations(c, y, p, b)
    if "accelerate" not in equations.functions:
        # coordinates without inertia of their own have no pivots: the kernels solve such systems by the null space
        assert np.linalg.matrix_rank(c.value(coordinates.mass, 0, y, p), tol=1e-9) < coordinates.v.numel()
        return
    rates, health = (np.array(item).ravel() for item in equations.functions["accelerate"](0, y, p))
    nq, nv = coordinates.q.numel(), coordinates.v.numel()
    np.testing.assert_allclose(rates[:nq], c.value(coordinates.kinematics.rates, 0, y, p).ravel(), atol=1e-12)
    scale = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(rates[nq : nq + nv], expected, atol=1e-8 * scale)
    assert 0.01 < health[0] <= 1.0


def flow_of(equations: Equations, p: Array) -> object:
    accelerate = equations.functions["accelerate"]
    n = equations.coordinates.y.numel()
    return lambda t, y: np.array(accelerate(t, y, p)[0]).ravel()[:n]


@every_kind
@pytest.mark.parametrize(("alpha", "beta"), [(6.0, 6.0), (3.0, 8.0)])
def test_baumgartes_terms_make_errors_decay_like_an_oscillator(kind: str, alpha: float, beta: float) -> None:
    c = Numbers(number(lw.analyse(mechanisms.four_bar()), kind))
    coordinates = c.coordinates
    y, p = place_state(coordinates, coordinates.topology.assembly, coordinates.geometry.defaults)
    equations = formulate(coordinates, lw.formulations.Baumgarte(alpha, beta))
    rng = np.random.default_rng(0)
    n = coordinates.q.numel() + coordinates.v.numel()
    y[:n] += 1e-3 * rng.normal(size=n)
    first = c.value(coordinates.phi, 0, y, p).ravel()
    rate = c.value(coordinates.jacobian @ coordinates.v, 0, y, p).ravel()
    times = np.linspace(0, 0.8, 5)
    run = solve_ivp(flow_of(equations, p), (0, 0.8), y, method="DOP853", t_eval=times, rtol=1e-11, atol=1e-12)
    # Φ̈ + 2α Φ̇ + β² Φ = 0 holds exactly
    for t, state in zip(times, run.y.T, strict=True):
        if alpha == beta:
            expected = (first + (rate + alpha * first) * t) * np.exp(-alpha * t)
        else:
            omega = np.sqrt(beta**2 - alpha**2)
            expected = np.exp(-alpha * t) * (
                first * np.cos(omega * t) + (rate + alpha * first) / omega * np.sin(omega * t)
            )
        np.testing.assert_allclose(c.value(coordinates.phi, 0, state, p).ravel(), expected, atol=1e-9)


@pytest.mark.parametrize("around", [lw.formulations.RangeSpace(), lw.formulations.RProjection()])
def test_baumgartes_terms_stand_around_other_formulations(around: Formulation) -> None:
    model = mechanisms.four_bar()
    wrapped = lw.simulate(
        model, until=1.0, coordinates="natural", formulation=lw.formulations.Baumgarte(20, 20, around)
    )
    alone = lw.simulate(model, until=1.0, coordinates="natural", formulation=lw.formulations.Baumgarte(20, 20))
    drifting = lw.simulate(model, until=1.0, coordinates="natural", formulation=around.drifting())
    # the same differential equations, so the same errors of the conditions but for rounding
    np.testing.assert_allclose(wrapped["closure"], alone["closure"], atol=1e-13)
    assert 0 < wrapped.closure_error.max() < drifting.closure_error.max()


def test_baumgartes_terms_need_a_drift_to_damp() -> None:
    with pytest.raises(lw.errors.RefusedError, match=r"'partitioning' has no drift to damp.*'r_projection'"):
        lw.formulations.Baumgarte(around=lw.formulations.Partitioning())


def test_options_out_of_their_range_are_refused_together() -> None:
    with pytest.raises(
        lw.errors.RefusedError, match=r"^Penalty: alpha = -1 must be positive; mu = nan must not be negative$"
    ):
        lw.formulations.Penalty(alpha=-1, mu=float("nan"))
    with pytest.raises(lw.errors.RefusedError, match=r"^Partitioning: switch_ratio = 2 must be between 0 and 1$"):
        lw.formulations.Partitioning(switch_ratio=2)
    with pytest.raises(lw.errors.RefusedError, match=r"beta = -3 must not be negative"):
        lw.formulations.Baumgarte(beta=-3)


def test_every_formulation_is_found_by_name_and_describes_itself() -> None:
    coordinates = number(lw.analyse(mechanisms.four_bar()))
    for formulation in ALL_FORMULATIONS:
        equations = formulate(coordinates, formulation.name)
        assert type(equations.formulation) is type(formulation)
        assert formulation.summary in str(equations)
        assert {"closure", "terms"} <= set(equations.functions)
    with pytest.raises(lw.errors.RefusedError, match="multipliers"):
        formulate(coordinates, "multiplier")


def test_retraction_is_there_exactly_where_positions_are_no_vectors() -> None:
    for model, wanted in ((mechanisms.four_bar(), False), (linkages.spherical_chain(), True)):
        equations = formulate(number(lw.analyse(model)), "partitioning")
        assert ("retract" in equations.functions) is wanted
        assert "retract" not in formulate(number(lw.analyse(model), "natural")).functions
