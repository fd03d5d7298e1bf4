"""Formulations by projection: one motion, whatever is projected on what; the errors of those that may drift."""

import math

import linkages
import numpy as np
import pytest
from combinations import KINDS
from flow_matrices import input_rows, r_matrix
from shared_mechanisms import begin, mechanism_of, velocities

import linkwork as lw
from linkwork.equations import formulate
from linkwork.equations.formulations import ALL_FORMULATIONS
from linkwork.equations.formulations.r_method import MOVING
from linkwork.equations.terms import make_function
from linkwork.numerics.flows.closure import evaluate_closure
from linkwork.numerics.flows.constrained import partition_log
from linkwork.numerics.flows.r_matrix import BASES, step_counts
from linkwork.numerics.integrators.run import integrate

METHODS = [
    lw.formulations.RangeSpace(),
    lw.formulations.RProjection(),
    lw.formulations.RProjection(basis="qr"),
    *(lw.formulations.RMethod(basis=basis) for basis in BASES),
    *(lw.formulations.RMethod(basis=basis) for basis in MOVING),
    lw.formulations.RMethod(basis="svd", integrate="all"),
    lw.formulations.RMethod(integrate="all"),
    lw.formulations.Partitioning(integrate="all"),
    lw.formulations.StabilisedPartitioning(),
]


def suits(formulation, mechanism):
    """Joint variables, and the turn of a slider whose mass is a point, have no inertia."""
    c, start = mechanism.coordinates, mechanism.start()
    mass = np.array(make_function("mass", c, {"M": c.mass}).call([0.0, start.y, start.p])[0])
    return formulation.abilities.massless or np.linalg.matrix_rank(mass, tol=1e-9) == c.v.numel()


CASES = [
    *(("six_bar", kind) for kind in KINDS),
    *(("redundant", kind) for kind in ("relative", "mixed")),
    *(("rscr", kind) for kind in ("relative", "natural", "reference_point")),
    *(("driven", kind) for kind in KINDS),
    ("tree", "relative"),
]


@pytest.mark.matrix("kind")
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_all_move_like_partitioning(name, kind):
    mechanism = mechanism_of(name, kind)
    grid = [0.0, 0.05, 0.1]
    flow, y, _ = begin(mechanism, lw.formulations.Partitioning())
    wanted = integrate("dop853", flow, y, grid, rtol=1e-10, atol=1e-12).y
    flow, _, _ = begin(mechanism, lw.formulations.Multipliers())
    expected = velocities(mechanism, flow, 0.1, wanted[-1])
    size = max(1.0, float(np.abs(expected).max()))
    for formulation in METHODS:
        if not suits(formulation, mechanism):
            continue
        flow, y, _ = begin(mechanism, formulation)
        states = integrate("dop853", flow, y, grid, rtol=1e-10, atol=1e-12).y
        np.testing.assert_allclose(states, wanted, atol=1e-8, err_msg=repr(formulation))
        found = velocities(mechanism, flow, 0.1, wanted[-1])
        np.testing.assert_allclose(found, expected, atol=1e-8 * size, err_msg=repr(formulation))


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize(("name", "kind"), [("six_bar", "natural"), ("redundant", "relative"), ("rscr", "mixed")])
def test_r_is_a_basis_of_the_admissible_velocities(name, kind, basis):
    mechanism = mechanism_of(name, kind)
    flow, y, system = begin(mechanism, lw.formulations.RMethod(basis=basis))
    r, b = r_matrix(flow, 0.0, y), input_rows(flow)
    jacobian = evaluate_closure(system, 0.0, y)[1]
    np.testing.assert_allclose(jacobian @ r, 0, atol=1e-12 * float(np.abs(jacobian).max() * np.abs(r).max()))
    np.testing.assert_allclose(b @ r, np.eye(len(b)), atol=1e-12)
    assert len(b) == system.nv - np.linalg.matrix_rank(jacobian * system.scale, tol=1e-9)
    scaled = b * system.scale
    np.testing.assert_allclose(scaled @ scaled.T, np.eye(len(b)), atol=1e-12)
    if basis == "gauss":
        assert set(np.unique(scaled)) == {0.0, 1.0}
    else:  # along the admissible motions
        np.testing.assert_allclose((jacobian * system.scale) @ scaled.T, 0, atol=1e-12 * float(np.abs(jacobian).max()))


@pytest.mark.parametrize("basis", BASES)
def test_r_of_an_arm_is_the_published_one(basis):
    """SOURCE: García de Jalón and Bayo, example 3.11, arm A-1-2 with ż = (ẋ₂, ẏ₂); numerators of r¹ corrected.

    Another B gives another basis of the same space: R (B' R)⁻¹ is that of B'.
    """
    mechanism = mechanism_of("arm", "natural")
    flow, y, _ = begin(mechanism, lw.formulations.RMethod(basis=basis))
    assert mechanism.coordinates.kinematics.q_names == ("P.x", "P.y", "lower.u1.x", "lower.u1.y")
    length, one = math.hypot(0.9, 0.1), np.eye(2)
    points = np.block([[one, 0 * one], [one, length * one]])  # points 1 and 2 from point 1 and the direction of the bar
    r = points @ r_matrix(flow, 0.0, y)
    x1, y1, x2, y2 = points @ y[:4]
    assert (x2, y2) == pytest.approx((1.5, 0.7), abs=1e-12)
    b = (x2 - x1) * y1 - (y2 - y1) * x1
    expected = [[(x2 - x1) * y1 / b, (y2 - y1) * y1 / b], [-(x2 - x1) * x1 / b, -(y2 - y1) * x1 / b], [1, 0], [0, 1]]
    np.testing.assert_allclose(r @ np.linalg.inv(r[2:]), expected, atol=1e-12)


TURNING = [
    *(
        method(basis=basis)
        for method in (lw.formulations.RMethod, lw.formulations.CanonicalIndependent)
        for basis in BASES
    ),
    lw.formulations.RProjection(),
    lw.formulations.RMethod(basis="differentiable"),
]


@pytest.mark.parametrize("formulation", TURNING, ids=repr)
def test_b_is_chosen_anew_in_a_full_turn(formulation):
    """A crank-rocker in natural coordinates: no coordinate of a point is independent all the way round."""
    mechanism = mechanism_of("four_bar", "natural")
    c = mechanism.coordinates
    first, grid = mechanism.start().y.copy(), np.linspace(0, 1, 401)
    first[c.q.numel() :] *= 4
    flow, y, _ = begin(mechanism, lw.formulations.Partitioning(), first)
    wanted = integrate("dop853", flow, y, grid, rtol=1e-10, atol=1e-12).y
    crank = np.unwrap(np.arctan2(wanted[:, c.kinematics.q_names.index("A.y")], wanted[:, 0]))
    assert crank[-1] - crank[0] > 2 * math.pi
    flow, y, system = begin(mechanism, formulation, first)
    states = integrate("dop853", flow, y, grid, rtol=1e-10, atol=1e-12).y
    assert partition_log(flow).changes >= 4
    np.testing.assert_allclose(states, wanted, atol=1e-7)
    assert max(np.abs(evaluate_closure(system, 0.0, state)[0]).max() for state in states) < 1e-11


def drifted(mechanism, size=1e-3):
    """A state that violates the conditions of position and velocity, with Φ and Φ̇ there."""
    y = mechanism.start().y.copy()
    c = mechanism.coordinates
    n = c.q.numel() + c.v.numel()
    y[:n] += size * np.random.default_rng(5).normal(size=n)
    phi, jacobian, a = evaluate_closure(mechanism.system(mechanism.start().p), 0.0, y)
    return y, phi, jacobian @ y[c.q.numel() : n] + a


def errors(mechanism, formulation, y, times):
    flow, _, system = begin(mechanism, formulation, y)
    solution = integrate("dop853", flow, y, times, rtol=1e-12, atol=1e-13)
    return np.array([evaluate_closure(system, t, state)[0] for t, state in zip(times, solution.y, strict=True)])


TIMES = np.linspace(0, 0.5, 6)


@pytest.mark.parametrize("kind", ["relative", "natural"])
@pytest.mark.parametrize(
    "formulation", [lw.formulations.RangeSpace(project=False), lw.formulations.RProjection(project=False)], ids=str
)
def test_without_projection_errors_grow_linearly(formulation, kind):
    """Φ̈ = 0 is what is integrated: Φ = a₁ t + a₂ (García de Jalón and Bayo, eq. 5.20)."""
    mechanism = mechanism_of("four_bar", kind)
    y, phi, rate = drifted(mechanism)
    found = errors(mechanism, formulation, y, TIMES)
    np.testing.assert_allclose(found, phi + np.outer(TIMES, rate), atol=1e-10)


@pytest.mark.parametrize("kind", ["relative", "natural"])
@pytest.mark.parametrize("method", [lw.formulations.Partitioning, lw.formulations.RMethod])
def test_with_velocities_solved_for_errors_of_position_stay(method, kind):
    """Φ̇ = 0 is what is integrated: Φ is a constant (García de Jalón and Bayo, eq. 5.58)."""
    mechanism = mechanism_of("four_bar", kind)
    y, phi, _ = drifted(mechanism)
    found = errors(mechanism, method(integrate="all", tolerance=math.inf), y, TIMES)
    np.testing.assert_allclose(found, np.tile(phi, (len(TIMES), 1)), atol=1e-10)


def test_errors_above_the_tolerance_are_damped_below_it():
    mechanism = mechanism_of("four_bar", "natural")
    y, phi, rate = drifted(mechanism)
    free = errors(mechanism, lw.formulations.StabilisedPartitioning(tolerance=math.inf), y, TIMES)
    np.testing.assert_allclose(free, phi + np.outer(TIMES, rate), atol=1e-10)
    # Φ̈ + 2α Φ̇ + α² Φ = 0 from the first step on: after the time t the factor is (1 + α t) e^{−α t}
    damped = errors(mechanism, lw.formulations.StabilisedPartitioning(alpha=20, beta=20, tolerance=1e-9), y, TIMES)
    bound = (np.abs(phi).max() * (1 + 20 * 0.5) + np.abs(rate).max() * 0.5) * math.exp(-20 * 0.5)
    assert np.abs(damped[-1]).max() < 2 * bound < 0.01 * np.abs(phi).max()


@pytest.mark.parametrize("method", [lw.formulations.Partitioning, lw.formulations.RMethod])
def test_positions_are_corrected_now_and_then(method):
    mechanism = mechanism_of("four_bar", "natural")
    flow, y, system = begin(mechanism, method(integrate="all", tolerance=1e-8))
    solution = integrate("dopri5", flow, y, np.linspace(0, 3, 31), rtol=1e-6, atol=1e-6)
    largest = max(np.abs(evaluate_closure(system, 0.0, state)[0]).max() for state in solution.y)
    assert largest < 1e-6
    assert 0 < step_counts(flow).solved < solution.statistics.steps


def test_reactions_are_those_of_partitioning():
    model = linkages.six_bar()
    axes = [f"{joint}.f{axis}" for joint in model.joints for axis in "xy"]
    options = {"until": 0.1, "step": 0.05, "rtol": 1e-10, "atol": 1e-12}
    wanted = lw.simulate(model, formulation="partitioning", **options).values(axes)
    for name in ("range_space", "r_projection", "r_method", "stabilised_partitioning"):
        result = lw.simulate(model, formulation=name, **options)
        for key, values in result.values(axes).items():
            np.testing.assert_allclose(values, wanted[key], atol=1e-7 * max(1.0, np.abs(wanted[key]).max()))
        assert name == "range_space" or "independent: " in result.statistics["workings"]


def test_what_cannot_work_is_refused_with_what_would():
    mechanism = mechanism_of("six_bar", "mixed")
    with pytest.raises(lw.errors.RefusedError, match=r"singular in mixed coordinates: O.speed.*'multipliers'"):
        formulate(mechanism.coordinates, "range_space")
    with pytest.raises(lw.errors.RefusedError, match="basis is one of 'gauss', 'qr', 'svd', 'gram_schmidt', not 'lu'"):
        lw.formulations.CanonicalIndependent(basis="lu")
    with pytest.raises(
        lw.errors.RefusedError, match="'gram_schmidt', 'svd_each', 'eigen_each', 'differentiable', not 'lu'"
    ):
        lw.formulations.RMethod(basis="lu")
    with pytest.raises(lw.errors.RefusedError, match=r"with basis='svd_each'.*integrate='all'.*'gauss'"):
        lw.formulations.RMethod(basis="svd_each", integrate="independent")
    with pytest.raises(lw.errors.RefusedError, match="integrate is one of 'independent', 'all', not 'some'"):
        lw.formulations.Partitioning(integrate="some")


@pytest.mark.parametrize("formulation", ALL_FORMULATIONS, ids=str)
def test_coordinates_without_inertia_are_refused_where_that_is_declared(formulation):
    if formulation.kinds:
        pytest.skip("not in mixed coordinates")
    coordinates = mechanism_of("redundant", "mixed").coordinates
    if formulation.abilities.massless:
        assert formulate(coordinates, formulation).scheme.functions
    else:
        with pytest.raises(lw.errors.RefusedError, match=formulation.name):
            formulate(coordinates, formulation)


@pytest.mark.parametrize("formulation", [f for f in ALL_FORMULATIONS if not f.kinds], ids=str)
def test_accelerations_at_a_singular_position_exist_where_that_is_declared(formulation):
    """A parallelogram that passes its flat position could open in two ways there: one of the rows says nothing."""
    mechanism = mechanism_of("parallelogram", "natural")
    flow, y, _ = begin(mechanism, formulation)
    state = flow.encode(0.0, y)
    rates = np.zeros(state.size)
    assert flow.evaluate(0.0, state, rates) >= 0
    assert mechanism.coordinates.kinematics.q_names == ("left0.x", "left0.y", "right0.x", "right0.y")
    # on the way an independent set may change
    for time, angle in ((0.1, 0.6), (0.2, 0.2)):
        c, s = np.cos(angle), np.sin(angle)
        flow.correct(time, flow.encode(time, np.array([c, s, 1 + c, s, s, -c, s, -c])))
    flat = np.array([1.0, 0, 2, 0, 0, -1, 0, -1])
    assert (flow.evaluate(0.4, flow.encode(0.4, flat), rates) >= 0) is formulation.abilities.singular_positions
