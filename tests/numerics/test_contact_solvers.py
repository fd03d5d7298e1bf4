"""Solvers of contacts with friction: against conditions written out, other programs, closed forms and each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import casadi as ca
import numpy as np
import pytest
from contact_problems import GRAVITY, STEP, Bodies, feet, pile, stack, wall

from linkwork.errors import RefusedError
from linkwork.numerics.complementarity.choice import ALL_SOLVERS, choose
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.gauss_seidel import GaussSeidel
from linkwork.numerics.complementarity.linear import solve_linear
from linkwork.numerics.complementarity.semismooth_newton import SemismoothNewton
from linkwork.numerics.complementarity.solver import ContactSolver, band
from linkwork.numerics.complementarity.solving import ConeSolution, ready, solve_contacts
from linkwork.numerics.kernels.complementarity import banded, cones, gauss_seidel
from linkwork.numerics.kernels.complementarity.cones import FREE, ConeProblem
from linkwork.numerics.kernels.complementarity.entries import ConeFunction
from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import Code, Record
from linkwork.numerics.loader import compiled

SOLVERS = [*ALL_SOLVERS, SemismoothNewton(function="alart_curnier")]
NAMES = [*(solver.name for solver in ALL_SOLVERS), "alart_curnier"]
LAWS = ["coulomb", "convex"]
each_solver = pytest.mark.parametrize("solver", SOLVERS, ids=NAMES)
each_convex = pytest.mark.parametrize("solver", ALL_SOLVERS, ids=NAMES[:-1])


def random_problem(seed: int, count: int, freedoms: int, sizes: list[int] | int = 3, most: float = 1.0):
    """A = J Jᵀ with b in its range: contacts that can be satisfied, redundant where there are few freedoms."""
    rng = np.random.default_rng(seed)
    rows = count * sizes if isinstance(sizes, int) else sum(sizes)
    jacobian = rng.normal(size=(rows, freedoms))
    return ContactProblem.of(
        jacobian @ jacobian.T, jacobian @ rng.normal(size=freedoms), rng.uniform(0.0, most, count), sizes
    )


def worst(problem: ContactProblem, found: ConeSolution, law: str) -> float:
    """The largest violation of a condition, each contact by itself and written out, beside the largest |b|."""
    a, most, size = problem.entries.toarray(), 0.0, problem.size
    u = a @ found.f + problem.b
    for i in range(problem.count):
        own = slice(problem.first[i], problem.first[i + 1])
        f, v, mu = found.f[own], u[own], problem.mu[i]
        block = np.trace(a[own, own]) / len(f)
        slip, rub = np.linalg.norm(v[1:]), np.linalg.norm(f[1:])
        lift = v[0] if law == "coulomb" else v[0] - mu * slip
        most = max(most, -lift, -f[0] * block, (rub - mu * f[0]) * block, min(lift, f[0] * block))
        if slip > 1e-5 * size and f[0] * block > 1e-5 * size:
            # what slides does so against its friction, which is as large as it may be
            most = max(most, *np.abs(f[1:] / f[0] + mu * v[1:] / slip) * min(slip, f[0] * block))
    return most / size


@each_solver
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("count", "freedoms"), [(1, 6), (2, 4), (6, 24), (12, 20), (25, 90)])
def test_conditions_hold_contact_by_contact(solver: ContactSolver, law: str, count: int, freedoms: int) -> None:
    if law not in solver.laws:
        pytest.skip("that function is of Coulomb's law alone")
    for seed in range(6):
        problem = random_problem(seed, count, freedoms)
        found = solve_contacts(problem, solver, law=law)
        assert found.solved, (seed, str(found))
        assert worst(problem, found, law) < 3e-8
        assert found.misfit.residual <= 1e-8 * problem.size


def by_combinations(problem: ContactProblem) -> list[np.ndarray]:
    """u of all answers of Coulomb's law in the plane: each contact parts, sticks, slides one way or the other."""
    a, b, n, found = problem.entries.toarray(), problem.b, problem.count, []
    for states in product(("parts", "sticks", 1.0, -1.0), repeat=n):
        rows, right = np.zeros((2 * n, 2 * n)), np.zeros(2 * n)
        for i, state in enumerate(states):
            normal, tangent = 2 * i, 2 * i + 1
            if state == "parts":
                rows[normal, normal] = rows[tangent, tangent] = 1.0
                continue
            rows[normal], right[normal] = a[normal], -b[normal]
            if state == "sticks":
                rows[tangent], right[tangent] = a[tangent], -b[tangent]
            else:
                rows[tangent, tangent], rows[tangent, normal] = 1.0, problem.mu[i] * float(state)
        if np.linalg.cond(rows) > 1e10:
            continue
        f = np.linalg.solve(rows, right)
        u, scale = a @ f + b, np.diag(a)
        near = 1e-9 * np.abs(b).max()
        slides = [(i, s) for i, s in enumerate(states) if isinstance(s, float)]
        if (
            np.all(f[::2] * scale[::2] >= -near)
            and np.all(u[::2] >= -near)
            and np.all(np.abs(f[1::2]) * scale[1::2] <= problem.mu * f[::2] * scale[1::2] + near)
            and all(s * u[2 * i + 1] >= -near for i, s in slides)
        ):
            found.append(u)
    return found


@each_solver
def test_in_the_plane_the_answer_is_one_of_all_combinations(solver: ContactSolver) -> None:
    several = 0
    for seed in range(25):
        problem = random_problem(100 + seed, 3, 8, sizes=2, most=0.8)
        expected, found = by_combinations(problem), solve_contacts(problem, solver)
        several += len(expected) > 1
        assert expected and found.solved
        assert min(np.abs(found.u - u).max() for u in expected) < 1e-6 * problem.size
    assert several < 5  # few of these have more than one


ROUND = 1e-7  # of the tips of cones, which other programs take for smooth


def by_ipopt(problem: ContactProblem) -> np.ndarray:
    """u of the least ½ fᵀA f + bᵀf in the cones, by another program."""
    f, cones_ = ca.SX.sym("f", problem.b.size), []
    for i in range(problem.count):
        own = f[int(problem.first[i]) : int(problem.first[i + 1])]
        cones_ += [own[0], problem.mu[i] * own[0] - ca.sqrt(ca.sumsqr(own[1:]) + ROUND**2) + ROUND]
    cost = 0.5 * ca.dot(f, ca.mtimes(ca.DM(problem.entries.toarray()), f)) + ca.dot(ca.DM(problem.b), f)
    options = {"print_time": False, "ipopt": {"print_level": 0, "tol": 1e-12, "sb": "yes"}}
    solver = ca.nlpsol("least", "ipopt", {"x": f, "f": cost, "g": ca.vertcat(*cones_)}, options)
    start = np.zeros(problem.b.size)
    start[problem.first[:-1]] = 1.0
    return problem.speeds(np.asarray(solver(x0=start, lbg=0.0, ubg=np.inf)["x"]).ravel())


@pytest.mark.parametrize("seed", range(4))
def test_the_convex_law_is_the_least_of_its_function(seed: int) -> None:
    problem = random_problem(seed, 4, 14 if seed % 2 else 9)
    expected = by_ipopt(problem)
    for solver in ALL_SOLVERS:
        found = solve_contacts(problem, solver, law="convex")
        np.testing.assert_allclose(found.u, expected, atol=2e-5 * problem.size, err_msg=solver.name)


@each_solver
def test_a_stack_carries_what_lies_on_it(solver: ContactSolver) -> None:
    count, problem = 4, stack(4, mass=2.0).problem()
    found = solve_contacts(problem, solver)
    pressed = found.f.reshape(count, 4, 3)[:, :, 0].sum(axis=1)
    assert found.solved
    np.testing.assert_allclose(pressed, 2.0 * GRAVITY * STEP * np.arange(count, 0, -1), rtol=1e-5)
    assert np.abs(found.u).max() < 1e-6 * problem.size


@each_solver
def test_a_table_has_one_velocity_and_many_forces(solver: ContactSolver) -> None:
    """Four legs of which three would do, pushed so that it slides: forces of legs differ, what they do together does not."""
    table, mass, push = Bodies(), 10.0, 60.0
    top = table.box(mass, (0.0, 0.0, 0.7), (1.0, 1.0, 0.1))
    for x, y in product((-0.5, 0.5), repeat=2):
        table.touch(-1, top, (x, y, 0.0), (0.0, 0.0, 1.0), 0.5)
    force = np.zeros((1, 6))
    force[0] = [push, 0.0, 0.0, 0.0, -0.7 * push, 0.0]  # at the ground, so that it does not tilt
    problem = table.problem(force=force)
    found = solve_contacts(problem, solver)
    slides = STEP * (push / mass - 0.5 * GRAVITY)
    frame = table.contacts[0][3]
    world = found.u.reshape(4, 3) @ frame
    assert found.solved
    np.testing.assert_allclose(world, np.tile([slides, 0.0, 0.0], (4, 1)), atol=1e-6 * problem.size)
    np.testing.assert_allclose(found.f.reshape(4, 3)[:, 0].sum(), mass * GRAVITY * STEP, rtol=1e-5)


@each_solver
@pytest.mark.parametrize("slope", [0.2, 0.8])
def test_a_point_on_a_slope_sticks_or_slides_and_the_convex_law_lifts_it(solver: ContactSolver, slope: float) -> None:
    mass, mu = 3.0, 0.5
    normal, along = -GRAVITY * STEP * np.cos(slope), GRAVITY * STEP * np.sin(slope)
    problem = ContactProblem.of(np.eye(3) / mass, [normal, along * 0.6, along * 0.8], mu)
    found, slides = solve_contacts(problem, solver), max(along + mu * normal, 0.0)
    np.testing.assert_allclose(found.u, [0.0, 0.6 * slides, 0.8 * slides], atol=1e-7 * problem.size)
    if "convex" not in solver.laws:
        return
    lifted = solve_contacts(problem, solver, law="convex")
    # the nearest speed in the dual cone: along the normal as much as μ of what it slides
    speed = max(along + mu * normal, 0.0) / (1 + mu**2)
    np.testing.assert_allclose(lifted.u, [mu * speed, 0.6 * speed, 0.8 * speed], atol=1e-7 * problem.size)


@each_solver
@pytest.mark.parametrize(
    ("mass", "speed"), [(1e-6, 1.0), (1e6, 1.0), (1.0, 1e-6), (1.0, 1e6), (1e-6, 1e6), (1e6, 1e-6)]
)
def test_units_do_not_matter(solver: ContactSolver, mass: float, speed: float) -> None:
    problem = random_problem(7, 6, 24)
    usual = solve_contacts(problem, solver)
    scaled = ContactProblem.of(problem.entries.toarray() / mass, speed * problem.b, problem.mu)
    found = solve_contacts(scaled, solver)
    assert found.solved
    np.testing.assert_allclose(found.u, speed * usual.u, atol=1e-6 * scaled.size)
    np.testing.assert_allclose(found.f, mass * speed * usual.f, atol=1e-5 * np.abs(mass * speed * usual.f).max())


@each_solver
def test_light_and_heavy_bodies_beside_each_other(solver: ContactSolver) -> None:
    """Two problems that do not know of each other, in one, with masses of 1e-6 and 1e6."""
    one, other = random_problem(3, 3, 14), random_problem(4, 3, 14)
    a, b = one.entries.toarray() * 1e6, other.entries.toarray() * 1e-6
    whole = np.block([[a, np.zeros((9, 9))], [np.zeros((9, 9)), b]])
    problem = ContactProblem.of(whole, np.concatenate([one.b, other.b]), np.concatenate([one.mu, other.mu]))
    found = solve_contacts(problem, solver)
    apart = np.concatenate([solve_contacts(p, solver).u for p in (one, other)])
    assert found.solved
    np.testing.assert_allclose(found.u, apart, atol=1e-6 * problem.size)


@each_solver
def test_without_friction_it_is_a_linear_problem(solver: ContactSolver) -> None:
    problem = random_problem(11, 8, 30, most=0.0)
    a = problem.entries.toarray()
    linear = solve_linear(a[::3, ::3], problem.b[::3])
    found = solve_contacts(problem, solver)
    assert found.solved and linear.solved and np.all(found.f.reshape(-1, 3)[:, 1:] == 0.0)
    np.testing.assert_allclose(found.f[::3], linear.z, atol=1e-6 * np.abs(linear.z).max())


@each_solver
@pytest.mark.parametrize("mu", [1e2, 1e4])
def test_with_very_much_friction_nothing_slides(solver: ContactSolver, mu: float) -> None:
    """What presses sticks. Points on one body each, so that sticking does not depend on the others."""
    rng = np.random.default_rng(5)
    b = rng.normal(size=12)
    problem = ContactProblem.of(np.eye(12), b, mu)
    found = solve_contacts(problem, solver)
    sinking = b[::3] < 0.0
    if mu > 1e3 and solver.name == "alternating_directions":
        # steps of -y follow μ |y_t| too slowly, which the answer says
        assert not found.solved and "not solved" in str(found)
        return
    assert found.solved and 0 < sinking.sum() < 4
    np.testing.assert_allclose(found.u.reshape(4, 3)[sinking], 0.0, atol=1e-7)
    np.testing.assert_allclose(found.u.reshape(4, 3)[~sinking], b.reshape(4, 3)[~sinking], atol=1e-7)


@each_solver
@pytest.mark.parametrize("law", LAWS)
def test_directions_of_the_tangents_do_not_matter(solver: ContactSolver, law: str) -> None:
    if law not in solver.laws:
        pytest.skip("that function is of Coulomb's law alone")
    problem, s = random_problem(13, 5, 20), np.sqrt(0.5)
    turn = np.kron(np.eye(5), np.array([[1.0, 0.0, 0.0], [0.0, s, -s], [0.0, s, s]]))
    turned = ContactProblem.of(turn @ problem.entries.toarray() @ turn.T, turn @ problem.b, problem.mu)
    found = solve_contacts(turned, solver, law=law)
    np.testing.assert_allclose(turn.T @ found.u, solve_contacts(problem, solver, law=law).u, atol=1e-6 * problem.size)


@each_convex
@pytest.mark.parametrize("law", LAWS)
def test_contacts_of_one_two_and_three_rows_in_one_problem(solver: ContactSolver, law: str) -> None:
    sizes = [3, 1, 2, 2, 1, 3]
    problem = random_problem(17, 6, 20, sizes=sizes)
    found = solve_contacts(problem, solver, law=law)
    assert found.solved and worst(problem, found, law) < 3e-8


@each_solver
def test_joints_are_contacts_that_always_hold(solver: ContactSolver) -> None:
    """Contacts of a mechanism whose joints are rows of the problem too, or have been eliminated before."""
    rng = np.random.default_rng(29)
    held, touched = rng.normal(size=(5, 24)), rng.normal(size=(12, 24))
    speed, mu = rng.normal(size=24), np.array([0.3, 0.8, 0.5, 0.0])
    both = np.vstack([held[:3], touched, held[3:]])
    whole = ContactProblem.of(both @ both.T, both @ speed, [FREE, *mu, FREE], [3, 3, 3, 3, 3, 2])
    inner = np.eye(24) - np.linalg.pinv(held) @ held
    reduced = ContactProblem.of(touched @ inner @ touched.T, touched @ inner @ speed, mu)
    for law in solver.laws:
        one, other = (solve_contacts(problem, solver, law=law) for problem in (whole, reduced))
        assert one.solved and other.solved, (law, str(one), str(other))
        np.testing.assert_allclose(one.u[3:15], other.u, atol=1e-6 * whole.size)
        np.testing.assert_allclose(one.u[[0, 1, 2, 15, 16]], 0.0, atol=1e-6 * whole.size)


@each_solver
def test_a_loop_that_is_held_twice(solver: ContactSolver) -> None:
    """Joints that say the same: their forces are not unique, speeds are; and joints alone."""
    rng = np.random.default_rng(31)
    rows = rng.normal(size=(3, 9))
    both, speed = np.vstack([rows, rows, rng.normal(size=(3, 9))]), rng.normal(size=9)
    for mu in ([FREE, FREE, 0.5], [FREE, FREE, FREE]):
        found = solve_contacts(ContactProblem.of(both @ both.T, both @ speed, mu), solver)
        assert found.solved
        np.testing.assert_allclose(found.u[:6], 0.0, atol=1e-6 * np.abs(both @ speed).max())


@each_solver
def test_an_answer_is_a_start_from_which_nothing_is_left_to_do(solver: ContactSolver) -> None:
    problem = random_problem(19, 6, 24)
    found = solve_contacts(problem, solver)
    again = solve_contacts(problem, solver, start=found.f)
    assert found.iterations > 0 and again.solved and again.iterations == 0
    bodies, velocity = pile(12)
    steps = ready(bodies.problem(velocity), solver)
    near = [steps.solve(bodies.problem(velocity * factor).b, 1e-7) for factor in (1.0, 1.01, 1.02)]
    assert all(found.solved for found in near)


@each_solver
def test_steps_follow_each_other_with_other_masses(solver: ContactSolver) -> None:
    """A ready solver, from its last answer on, has what a fresh one has."""
    light, heavy = stack(3).problem(), stack(3, mass=2.0, growth=1.5).problem()
    steps = ready(light, solver)
    steps.solve(light.b, 1e-9 * light.size)
    found = steps.solve(2.0 * heavy.b, 1e-9 * light.size, matrix=heavy.matrix)
    fresh = solve_contacts(replace(heavy, b=2.0 * heavy.b), solver, tolerance=1e-9 * light.size)
    assert found.solved and fresh.solved
    pressed = [answer.f.reshape(3, 4, 3)[:, :, 0].sum(axis=1) for answer in (found, fresh)]
    np.testing.assert_allclose(pressed[0], 4.0 * GRAVITY * STEP * np.array([4.75, 3.75, 2.25]), rtol=1e-5)
    np.testing.assert_allclose(*pressed, rtol=1e-5)


class Fall(Record):
    """A ball on a floor, step by step: what a kernel of time steps holds."""

    problem: ConeProblem
    solver: ConeFunction
    memory: Record
    speed: float
    height: float
    steps: int


@kernel
def fall_down(fall: Fall, step: float) -> Code:
    """Steps of a mass of one: a contact where the height is gone."""
    for _ in range(fall.steps):
        fall.speed -= 9.81 * step
        fall.problem.right[0] = fall.speed
        if fall.height <= 0.0:
            code = fall.solver(fall.problem, fall.memory)
            if code != 0:
                return code
            fall.speed += fall.problem.f[0]
        fall.height += step * fall.speed
    return 0


@each_solver
def test_kernels_of_steps_call_them(solver: ContactSolver) -> None:
    problem = ContactProblem.of(np.eye(1), [0.0], 0.5, sizes=1)
    record = problem.record()
    record.right, record.tolerance, record.limit = np.zeros(1), 1e-12, 100
    fall = Fall(problem=record, solver=solver.entry, memory=solver.memory(problem), height=1.0, steps=1000)
    assert compiled(fall_down)(fall, 1e-3) == 0
    assert fall.speed == pytest.approx(0.0, abs=1e-10) and -0.005 < fall.height <= 0.0


@each_solver
def test_what_parts_has_no_force(solver: ContactSolver) -> None:
    problem = ContactProblem.of(np.eye(6), [1.0, 5.0, -3.0, 0.0, 2.0, 1.0], 0.7)
    found = solve_contacts(problem, solver)
    assert found.solved and np.all(found.f == 0.0) and found.iterations == 0
    empty = solve_contacts(ContactProblem.of(np.zeros((0, 0)), [], []), solver)
    assert empty.solved and empty.f.size == 0


@each_solver
def test_what_is_not_solved_says_so(solver: ContactSolver) -> None:
    problem = stack(6, growth=10.0).problem()
    short = type(solver)(**{**vars(solver), "limit": 1})
    found = solve_contacts(problem, short, tolerance=1e-12 * problem.size)
    assert not found.solved and "not solved" in str(found)
    assert found.misfit.residual > 1e-12 * problem.size


IMPOSSIBLE = {
    "two stops squeeze": ContactProblem.of([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0], 0.5, sizes=1),
    "what cannot move sinks": ContactProblem.of(np.diag([1.0, 1, 1, 0, 0, 0]), [-1.0, 0.3, 0.2, -0.5, 1.0, 0.0], 0.5),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
@pytest.mark.parametrize("law", LAWS)
def test_what_has_no_answer_gets_none(name: str, law: str) -> None:
    """Forces grow without an end, and whatever they do to speeds is lost in rounding errors: no residual is that small."""
    problem = IMPOSSIBLE[name]
    for solver in (*ALL_SOLVERS, None):
        found = solve_contacts(problem, solver, law=law)
        assert not found.solved and np.isfinite(found.f).all(), (solver, str(found))
        assert found.misfit.residual > 1e-3


def test_contacts_of_what_cannot_move_are_left_alone() -> None:
    """A block of zeros that does not sink: no force, and the others are solved."""
    problem = ContactProblem.of(np.diag([1.0, 1, 1, 0, 0, 0]), [-1.0, 0.3, 0.2, 0.5, 1.0, 0.0], 0.5)
    for solver in (*SOLVERS, None):
        found = solve_contacts(problem, solver)
        assert found.solved
        np.testing.assert_allclose(found.u, [0.0, 0.0, 0.0, 0.5, 1.0, 0.0], atol=1e-7)


def test_residuals_are_those_that_are_put_in() -> None:
    """Half of the weight is carried: the other half of the speed is left."""
    problem = ContactProblem.of(np.eye(3) / 2.0, [-1.0, 0.0, 0.0], 0.5)
    assert problem.misfit(np.array([1.0, 0.0, 0.0])).residual == pytest.approx(0.5)
    assert problem.misfit(np.array([1.0, 0.0, 0.0])).sinking == pytest.approx(0.5)
    assert problem.misfit(np.array([1.0, 0.0, 0.0])).gap == pytest.approx(0.5)
    assert problem.misfit(np.array([2.0, 0.0, 0.0])).residual == pytest.approx(0.0)


def test_heavy_on_light_is_for_interior_points() -> None:
    problem = stack(6, growth=10.0).problem()
    found = solve_contacts(problem)
    assert found.solved and found.solver == "interior_point"
    pressed = found.f.reshape(6, 4, 3)[:, :, 0].sum(axis=1)
    masses = 10.0 ** np.arange(6)
    np.testing.assert_allclose(pressed, GRAVITY * STEP * np.cumsum(masses[::-1])[::-1], rtol=1e-5)


@pytest.mark.parametrize("name", ["wall", "feet", "pile"])
def test_all_solvers_agree_on_velocities(name: str) -> None:
    bodies, velocity = {"wall": lambda: (wall(3, 3), None), "feet": feet, "pile": lambda: pile(30)}[name]()
    problem = bodies.problem(velocity)
    answers = [solve_contacts(problem, solver) for solver in (*SOLVERS, None)]
    assert all(found.solved for found in answers), [str(found) for found in answers]
    for found in answers[1:]:
        np.testing.assert_allclose(found.u, answers[0].u, atol=2e-5 * problem.size, err_msg=found.solver)


def test_compliance_is_what_it_says() -> None:
    """A point that is pressed sinks by r f, and creeps by r f_t."""
    problem = ContactProblem.of(np.eye(3) / 2.0, [-1.0, 0.2, 0.0], 0.5).softened(0.01)
    found = solve_contacts(problem)
    expected = np.array([-1.0, 0.2, 0.0]) * (1.0 - 0.5 / 0.505)
    np.testing.assert_allclose(0.5 * found.f + [-1.0, 0.2, 0.0], expected, atol=1e-9)


def test_kernels_say_the_same_in_python() -> None:
    problem = random_problem(24, 3, 6)
    records = []
    for way in (compiled, lambda kernel: kernel):
        record, sweeps = problem.record(), gauss_seidel.Sweeps(waiting=5)
        record.tolerance, record.limit = 1e-11, 30
        way(cones.prepare)(record)
        way(gauss_seidel.solve_by_sweeps)(record, sweeps)
        records.append(record)
    assert records[0].iterations == records[1].iterations > 2
    np.testing.assert_allclose(records[0].f, records[1].f, rtol=1e-12, atol=1e-14)


def test_choices_say_why() -> None:
    tall, bodies = stack(40).problem(), pile(60)
    # a narrow band, however high the stack; balls, of which each knows others in all directions
    assert choose(tall, 1e-8).solvers[0].name == "interior_point" and "480 rows" in choose(tall, 1e-8).reason
    problem = bodies[0].problem(bodies[1])
    assert choose(problem, 1e-2).solvers[0].name == "gauss_seidel"
    assert choose(problem, 1e-8).solvers[0].name == "alternating_directions"
    assert "sweeps may" in choose(problem, 1e-2).reason and choose(problem, 1e-2).solvers[0].limit > 50
    # from the answer to nearly the same problem
    before, velocity = solve_contacts(problem), bodies[1] * 1.01
    after = solve_contacts(bodies[0].problem(velocity), start=before.f)
    assert before.solver == "alternating_directions"
    assert after.solved and after.solver == "semismooth_newton" and after.iterations <= 5
    # what sweeps do not solve in the time that they get, others do
    wide = wall(6, 6, mu=5.0).problem()
    found = solve_contacts(wide)
    assert choose(wide, 1e-8).solvers[0].name == "gauss_seidel" and "μ is large" in choose(wide, 1e-8).reason
    assert found.solved and found.solver == "interior_point"


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: ContactProblem.of(np.eye(4), np.ones(4), 0.5), "4 rows, contacts have 3 each"),
        (lambda: ContactProblem.of(np.eye(3), np.ones(3), -0.5), "coefficients of friction"),
        (lambda: ContactProblem.of(np.triu(np.ones((3, 3))), np.ones(3), 0.5), "differs from its transpose"),
        (lambda: ContactProblem.of(np.eye(3), [1.0, np.nan, 0.0], 0.5), "no numbers"),
        (lambda: GaussSeidel(relaxation=2.0), "between 0 and 2"),
        (lambda: solve_contacts(random_problem(0, 1, 6), "gaus_seidel"), "gauss_seidel"),
        (lambda: solve_contacts(random_problem(0, 1, 6), law="conves"), "convex"),
        (lambda: solve_contacts(random_problem(0, 1, 6), SOLVERS[-1], law="convex"), "takes coulomb alone"),
    ],
)
def test_what_makes_no_sense_is_refused(call, told: str) -> None:
    with pytest.raises(RefusedError, match=told):
        call()


def test_bands_are_as_wide_as_problems_are() -> None:
    """A column of cubes, told in any order, has the band of two neighbours."""
    rng = np.random.default_rng(0)
    for problem, width in ((stack(12).problem(), 23), (random_problem(0, 7, 40), 20)):
        shuffled = rng.permutation(problem.count)
        rows = (3 * shuffled[:, None] + np.arange(3)).ravel()
        other = ContactProblem.of(problem.entries[rows][:, rows], problem.b[rows], problem.mu[shuffled])
        record = other.record()
        compiled(cones.prepare)(record)
        taken = band(other)
        assert compiled(banded.order_contacts)(record, taken) == taken.width == width
        assert sorted(taken.order) == list(range(problem.count))
        # the scaled matrix with 1 on the diagonal, by the factor
        x = rng.normal(size=problem.b.size)
        scales = np.repeat(record.scales, 3)
        expected = np.linalg.solve(other.entries.toarray() * np.outer(scales, scales) + np.eye(x.size), x)
        compiled(banded.write_scaled)(record, taken, np.ones(x.size), np.zeros(9))
        compiled(banded.add_to_all)(taken, 1.0)
        assert compiled(banded.factorise)(taken) == -1
        compiled(banded.solve)(record, taken, x)
        np.testing.assert_allclose(x, expected, atol=1e-12)


def test_a_band_without_room_is_told() -> None:
    problem = stack(4).problem()
    for name in ("interior_point", "semismooth_newton", "alternating_directions", "regularised_newton"):
        steps = ready(problem, next(solver for solver in ALL_SOLVERS if solver.name == name))
        memory = steps.memory
        for field in ("interior", "compliance"):
            memory = getattr(memory, field, memory)
        memory.band.room = 2
        assert not steps.solve(problem.b, 1e-9).solved
