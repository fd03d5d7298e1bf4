"""Bases of the admissible velocities that no constant B belongs to: R anew at every position, and R with its derivative."""

import itertools
import math

import numpy as np
import pytest
from flow_matrices import moving_r, r_matrix
from shared_mechanisms import begin, mechanism_of

import linkwork as lw
from linkwork.equations.formulations.r_method import MOVING
from linkwork.numerics.flows.closure import evaluate_closure
from linkwork.numerics.flows.r_matrix import ANEW, DIFFERENTIABLE
from linkwork.numerics.integrators.run import integrate

CASES = [("six_bar", "natural"), ("redundant", "relative"), ("rscr", "mixed"), ("led_arm", "natural")]


@pytest.mark.parametrize("basis", ANEW)
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_r_anew_is_an_orthonormal_basis_at_the_position_at_hand(name, kind, basis):
    mechanism = mechanism_of(name, kind)
    motion, y, system = begin(mechanism, lw.formulations.Partitioning())
    later = integrate("dop853", motion, y, [0, 0.1], rtol=1e-10, atol=1e-12).y[-1]
    flow, _, _ = begin(mechanism, lw.formulations.RMethod(basis=basis))
    assert flow.evaluate(0.1, later.copy(), np.zeros(y.size)) >= 0
    r, jacobian = r_matrix(flow, 0.1, later), evaluate_closure(system, 0.1, later)[1]
    scaled, rows = r / system.scale[:, None], jacobian * system.scale
    assert r.shape[1] == system.nv - np.linalg.matrix_rank(rows, tol=1e-9)
    np.testing.assert_allclose(scaled.T @ scaled, np.eye(r.shape[1]), atol=1e-12)
    np.testing.assert_allclose(rows @ scaled, 0, atol=1e-12 * float(np.abs(rows).max()))


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_r_dot_is_the_derivative_of_r_along_a_motion(name, kind):
    """Differences of order 4; and R stays an orthonormal basis of the admissible velocities."""
    mechanism = mechanism_of(name, kind)
    step, middle = 1e-3, 0.05
    times = middle + step * np.array([-2, -1, 0, 1, 2])
    motion, y, system = begin(mechanism, lw.formulations.Partitioning())
    states = integrate("dop853", motion, y, [0, *times], rtol=1e-12, atol=1e-13).y[1:]
    flow, _, _ = begin(mechanism, lw.formulations.RMethod(basis=DIFFERENTIABLE))
    found = np.array([moving_r(flow, t, state)[0] for t, state in zip(times, states, strict=True)])
    r, rate = moving_r(flow, middle, states[2])
    scaled, jacobian = r / system.scale[:, None], evaluate_closure(system, middle, states[2])[1]
    np.testing.assert_allclose(jacobian @ r, 0, atol=1e-12 * float(np.abs(jacobian).max()))
    np.testing.assert_allclose(scaled.T @ scaled, np.eye(r.shape[1]), atol=1e-12)
    differences = np.tensordot([1, -8, 0, 8, -1], found, 1) / (12 * step)
    assert float(np.abs(differences).max()) > 0.1
    np.testing.assert_allclose(rate, differences, atol=1e-7 * float(np.abs(differences).max()))


@pytest.mark.parametrize("basis", ANEW)
def test_a_basis_that_jumps_leaves_the_motion_smooth(basis):
    """A crank-rocker over a full turn, in which the sign of R changes."""
    mechanism = mechanism_of("four_bar", "natural")
    first, grid = mechanism.start().y.copy(), np.linspace(0, 1, 201)
    first[mechanism.coordinates.q.numel() :] *= 4
    motion, y, system = begin(mechanism, lw.formulations.Partitioning(), first)
    wanted = integrate("dop853", motion, y, grid, rtol=1e-10, atol=1e-12).y
    flow, _, _ = begin(mechanism, lw.formulations.RMethod(basis=basis), first)
    states = integrate("dop853", flow, first, grid, rtol=1e-10, atol=1e-12).y
    np.testing.assert_allclose(states, wanted, atol=1e-7)
    assert max(np.abs(evaluate_closure(system, 0.0, state)[0]).max() for state in states) < 1e-11
    along = []
    for t, state in zip(grid, states, strict=True):
        assert flow.evaluate(t, state.copy(), np.zeros(state.size)) >= 0
        along.append(r_matrix(flow, t, state)[:, 0])
    assert min(a @ b for a, b in itertools.pairwise(along)) < 0


@pytest.mark.parametrize("basis", MOVING)
def test_errors_of_position_stay_where_velocities_satisfy_the_conditions(basis):
    """Φ̇ = 0 is what is integrated: Φ is a constant, as with a constant B (García de Jalón and Bayo, eq. 5.58)."""
    mechanism = mechanism_of("four_bar", "natural")
    y = mechanism.start().y.copy()
    y[:3] += 1e-3
    flow, _, system = begin(mechanism, lw.formulations.RMethod(basis=basis, tolerance=math.inf), y)
    states = integrate("dop853", flow, y, [0.0, 0.2, 0.4], rtol=1e-12, atol=1e-13).y
    errors = [evaluate_closure(system, 0.0, state)[0] for state in states]
    assert np.abs(errors[0]).max() > 1e-4
    np.testing.assert_allclose(errors[1:], [errors[0]] * 2, atol=1e-10)


@pytest.mark.parametrize("basis", MOVING)
def test_an_edge_that_does_not_slip_is_held(basis):
    """A sleigh with its centre of mass over the edge runs on a circle: x = r sin ωt, y = r (1 − cos ωt), r = u / ω."""
    model = lw.Model(
        space="planar",
        bodies={"sleigh": {"points": {"P": [0, 0]}, "mass": 2, "com": [0, 0], "inertia": 0.25}},
        relations={"blade": {"kind": "knife_edge", "point": "sleigh.P", "along": [1, 0]}},
        initial={"sleigh": {"vx": 0.8, "speed": 1.2}},
    )
    options = {"until": 2, "step": 0.2, "rtol": 1e-10, "atol": 1e-12, "backend": "reference"}
    result = lw.simulate(model, coordinates="natural", formulation=lw.formulations.RMethod(basis=basis), **options)
    turn, radius = 1.2 * result.time, 0.8 / 1.2
    np.testing.assert_allclose(result["sleigh.P.x"], radius * np.sin(turn), atol=1e-8)
    np.testing.assert_allclose(result["sleigh.P.y"], radius * (1 - np.cos(turn)), atol=1e-8)
