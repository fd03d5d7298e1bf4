"""The hybrid formulation: closed-form loops give the same motion as every other way, for every choice of inputs."""

from dataclasses import replace
from pathlib import Path

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
from exploring import some
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.equations.formulations import Hybrid
from linkwork.equations.minimal import Minimal
from linkwork.numerics.flows.closure import solve_positions, solve_velocities
from linkwork.numerics.flows.constrained import by_multipliers
from linkwork.numerics.flows.explicit import variant_log
from linkwork.numerics.flows.flow import evaluate_flow
from linkwork.numerics.integrators.run import integrate

LIBRARY = Path(__file__).parents[2] / "src" / "linkwork" / "mechanisms"
NAMES = sorted(path.stem for path in LIBRARY.glob("*.yaml"))
OTHERS = {
    "Andrews": mechanisms.andrews,
    "Bricard": mechanisms.bricard,
    "Sarrus": linkages.sarrus,
    "spatial four-bar": mechanisms.spatial_four_bar,
    "spatial slider-crank": linkages.spatial_slider_crank,
    "RSCR": linkages.rscr,
    "two parallelograms": lambda: mechanisms.n_four_bar(2),
    "gears": mechanisms.geared_rotors,
}


def model_named(name: str) -> lw.Model:
    return OTHERS[name]() if name in OTHERS else lw.load(LIBRARY / f"{name}.yaml")


def moving_state(mechanism: lw.answers.Mechanism, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A state with random velocities a little away from the assembled position, and the parameters."""
    rng = np.random.default_rng(seed)
    start = mechanism.start()
    c = mechanism.coordinates
    nq, nv = c.q.numel(), c.v.numel()
    y = start.y.copy()
    if nq == nv:
        y[:nq] += 0.02 * rng.normal(size=nq) * c.kinematics.scale
    y[nq : nq + nv] = rng.normal(size=nv)
    system = mechanism.system(start.p)
    assert solve_positions(system, 0.0, y).converged
    assert solve_velocities(system, 0.0, y).converged
    return y, start.p


# conditions on velocities alone stand in no plan
WITHOUT_PLAN = ("bicycle", "rolling_disc")
WITH_PLAN = [name for name in NAMES if name not in WITHOUT_PLAN]


@pytest.mark.matrix
@pytest.mark.parametrize("name", [*some(WITH_PLAN, 20, "inputs"), *OTHERS])
def test_accelerations_agree_with_multipliers_for_every_set_of_inputs(name: str) -> None:
    """Independent: the null space of the conditions, which knows neither plans nor closed forms."""
    model = model_named(name)
    mechanism = lw.prepare(model, formulation=Hybrid(variants=3))
    c = mechanism.coordinates
    y, p = moving_state(mechanism, 1)
    system = lw.prepare(model, formulation="multipliers").system(p)
    system = replace(system, functions={name: f for name, f in system.functions.items() if name != "accelerate"})
    exact = evaluate_flow(by_multipliers(project=False).begin(system), [0.0], [y])[0]
    scale = max(1.0, float(np.max(np.abs(exact))))
    plans = c.topology.planner.variants(3)
    assert plans
    for plan in plans:
        minimal = Minimal(c, plan, 0.0, y, p)
        f = ca.Function("f", [c.t, c.y, c.p, minimal.selectors], [minimal.derivative, minimal.health])
        found, health = (np.array(item).ravel() for item in f(0.0, y, p, minimal.typical_choices))
        tolerance = 1e-11 / min(1.0, float(health[0])) ** 2
        np.testing.assert_allclose(found, exact, rtol=0, atol=tolerance * scale, err_msg=str(plan.inputs))


EXPLICIT = (
    *("four_bar", "slider_crank", "quick_return", "watt_1", "stephenson_2", "peaucellier"),
    *("rccc", "spherical_four_bar", "rgcr", "rgrrr"),
)


@pytest.mark.parametrize("name", EXPLICIT)
def test_rates_are_derivatives_of_the_closed_forms(name: str) -> None:
    """A = ∂g/∂q_I and ξ = d(A u)/dt at u̇ = 0, differentiated through the formulas themselves."""
    mechanism = lw.prepare(model_named(name), formulation=Hybrid(variants=1))
    c = mechanism.coordinates
    y, p = moving_state(mechanism, 2)
    minimal = Minimal(c, c.topology.plan, 0.0, y, p)
    (place,) = (minimal.closing.places.positions[key] for key in c.topology.plan.inputs)
    q, u = c.q[place], c.v[minimal.closing.independent[0]]
    a = ca.jacobian(minimal.positions, q)
    curvature = ca.jtimes(a * u, q, u)
    basis, _ = minimal.rates.basis()
    b = minimal._with_velocities([minimal._rows_b])[0]
    inputs = [c.t, c.y, c.p, minimal.selectors]
    f = ca.Function("f", inputs, [a, basis, curvature, minimal.rates.particular(-b)])
    found = [np.array(item) for item in f(0.0, y, p, minimal.typical_choices)]
    np.testing.assert_allclose(found[1], found[0], atol=1e-11)
    np.testing.assert_allclose(found[3], found[2], atol=1e-9)


@pytest.mark.parametrize("name", ["four_bar", "eight_bar", "watt_2", "rggr", "rgrrr", "peaucellier"])
def test_motion_agrees_with_partitioning_and_with_forced_iteration(name: str) -> None:
    model = model_named(name)
    results = [
        lw.simulate(model, 1.0, formulation=formulation, rtol=1e-11, atol=1e-12)
        for formulation in (Hybrid(), Hybrid(closed_form=False), "partitioning")
    ]
    body = list(model.bodies)[-1]
    for axis in ("x", "y"):
        values = [result[f"{body}.{axis}"] for result in results]
        np.testing.assert_allclose(values[0], values[2], atol=2e-9)
        np.testing.assert_allclose(values[1], values[2], atol=2e-9)
    for result in results[:2]:
        assert np.max(result["closure"]) < 1e-13


def rocking() -> lw.Model:
    """A four-bar without a crank (no link turns fully): every coordinate turns back, so that the inputs must change."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "C": [2.2, 0], "A": [0.3, 0.9539392014169456], "B": [1.6, 1.4]},
        bodies={
            "crank": {"bar": ["O", "A"], "mass": 1},
            "coupler": {"bar": ["A", "B"], "mass": 1.4},
            "rocker": {"bar": ["C", "B"], "mass": 1.5},
        },
        joints={
            "O": linkages.revolute("ground", "crank"),
            "A": linkages.revolute("crank", "coupler"),
            "B": linkages.revolute("coupler", "rocker"),
            "C": linkages.revolute("ground", "rocker"),
        },
        initial={"O": {"speed": 2.0}},
    )


def test_a_change_of_inputs_costs_neither_order_nor_a_restart() -> None:
    """Observed order of RK4 with fixed steps over a run in which the inputs change; SOURCE: papers, change of variants."""
    mechanism = lw.prepare(rocking(), formulation=Hybrid(variants=3))
    start = mechanism.start()
    grid = np.array([0.0, 2.0])
    exact = integrate("dop853", mechanism.flow(start), start.y, grid, rtol=1e-13, atol=1e-13).y[-1]
    errors = []
    for steps in (1600, 3200, 6400):
        flow = mechanism.flow(start)
        solution = integrate("rk4", flow, start.y, grid, step=2.0 / steps)
        errors.append(np.max(np.abs(solution.y[-1] - exact)))
        assert variant_log(flow).changes >= 1, "the test needs a change of inputs"
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    np.testing.assert_allclose(orders, 4.0, atol=0.2)


def test_energy_is_kept_through_changes_of_inputs() -> None:
    result = lw.simulate(rocking(), 10.0, formulation=Hybrid(variants=3), rtol=1e-11, atol=1e-12)
    assert result.outcome.completed
    energy = result["energy.total"]
    assert np.ptp(energy) < 1e-8 * np.max(np.abs(energy))
    assert np.max(result["closure"]) < 1e-13


def test_one_variant_passes_its_dead_centre_by_partitioning() -> None:
    """Without another variant the fall-back takes over near the dead centre, and gives the motion back after it."""
    alone = lw.simulate(rocking(), 3.0, formulation=Hybrid(variants=1), rtol=1e-11, atol=1e-12)
    several = lw.simulate(rocking(), 3.0, formulation=Hybrid(variants=3), rtol=1e-11, atol=1e-12)
    assert alone.outcome.completed
    assert "coordinate partitioning" in str(alone.statistics["workings"])
    np.testing.assert_allclose(alone["rocker.angle"], several["rocker.angle"], atol=1e-7)


@pytest.mark.parametrize("windows", [2, 10])
def test_parallelograms_are_solved_one_by_one_at_linear_cost(windows: int) -> None:
    """The operations of a chain of N four-bars grow by the same number with every window."""
    counts = [
        lw.prepare(mechanisms.n_four_bar(n), formulation=Hybrid(variants=1))
        .equations.functions["flow0"]
        .n_instructions()
        for n in (windows, windows + 1, windows + 2)
    ]
    assert counts[1] - counts[0] == counts[2] - counts[1] < 60
    plan = lw.analyse(mechanisms.n_four_bar(windows)).plan
    assert [block.family.name for block in plan.loops] == ["parallelogram"] * windows


def test_hybrid_refuses_coordinates_that_it_does_not_know() -> None:
    with pytest.raises(
        lw.errors.RefusedError, match="relative coordinates, not in natural ones; in these take 'partitioning'"
    ):
        lw.simulate(mechanisms.four_bar(), 1.0, coordinates="natural", formulation="hybrid")


def test_a_driven_mechanism_has_no_unknowns_left() -> None:
    """Crank at constant speed: positions by the closed form at any time, velocities by differences of positions."""
    model = lw.load(Path(lw.__file__).parent / "mechanisms" / "driven_four_bar.yaml")
    result = lw.simulate(model, 1.0, step=1e-3)
    assert not result.notes and "workings" not in result.statistics
    assert np.max(result["closure"]) < 1e-14
    angle, speed = result["C.angle"], result["C.speed"]
    np.testing.assert_allclose((angle[2:] - angle[:-2]) / 2e-3, speed[1:-1], atol=2e-4 * np.max(np.abs(speed)))


def strut(stroke: str) -> lw.Model:
    """RGGR whose coupler is a strut of two parts: a driven slide between two balls, which spin together."""
    points = {
        "O": [0, 0, 0],
        "A": [0.15, 0.2, 0.05],
        "B": [0.8, 0.25, 0.45],
        "C": [0.9, 0, 0],
        "M": [0.475, 0.225, 0.25],
    }
    bodies = {
        name: {"bar": list(ends), "mass": 1, "radius": "30 mm"}
        for name, ends in {"crank": "OA", "near": "AM", "far": "MB", "rocker": "CB"}.items()
    }
    joints = {
        "O": {"kind": "revolute", "bodies": ["ground", "crank"], "axis": [0.2, 0.1, 1]},
        "A": {"kind": "spherical", "bodies": ["crank", "near"]},
        "M": {"kind": "prismatic", "bodies": ["near", "far"], "axis": [0.65, 0.05, 0.4]},
        "B": {"kind": "spherical", "bodies": ["far", "rocker"]},
        "C": {"kind": "revolute", "bodies": ["ground", "rocker"], "axis": [0.1, 1, 0]},
    }
    drivers = {"piston": {"joint": "M", "position": stroke}}
    return lw.Model(
        space="spatial", gravity=[0, 0, -9.81], points=points, bodies=bodies, joints=joints, drivers=drivers
    )


def test_a_strut_between_two_balls_is_a_distance_link_of_changing_length() -> None:
    model = strut("0.05*sin(4*t)")
    topology = lw.analyse(model)
    assert [block.family.name for block in topology.plan.loops] == ["distance link RGG"]
    assert topology.plan.passive == ("near",)
    results = [lw.simulate(model, 0.8, formulation=f, rtol=1e-11, atol=1e-12) for f in ("hybrid", "partitioning")]
    for name in ("rocker.x", "far.z", "near.wx", "piston.effort"):
        np.testing.assert_allclose(results[0][name], results[1][name], rtol=1e-7, atol=1e-8, err_msg=name)


def test_a_slender_link_between_two_balls_does_not_spin() -> None:
    """Without inertia about its line nothing can turn it: its spin is held, and the motion is that of a thin bar."""
    text = (LIBRARY / "rggr.yaml").read_text()
    slender = lw.simulate(lw.loads(text.replace(", radius: 30 mm", "")), 1.0, rtol=1e-11, atol=1e-12)
    thin = lw.simulate(lw.loads(text.replace("30 mm", "0.1 mm")), 1.0, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(slender["rocker.x"], thin["rocker.x"], atol=1e-8)
    assert np.ptp(slender["energy.total"]) < 1e-8


def test_a_body_on_two_balls_is_hinged_about_their_line() -> None:
    """A plate on two balls swings like a pendulum about the line between them: θ'' = −m g d sin θ / I."""
    model = lw.Model(
        space="spatial",
        gravity=[0, 0, -9.81],
        points={"A": [0, -0.4, 0], "B": [0, 0.7, 0]},
        bodies={"plate": {"points": ["A", "B"], "mass": 2, "com": [0.3, 0, 0], "inertia": [0.1, 0.2, 0.25]}},
        joints={
            "A": {"kind": "spherical", "bodies": ["ground", "plate"]},
            "B": {"kind": "spherical", "bodies": ["ground", "plate"]},
        },
    )
    assert [block.family.name for block in lw.analyse(model).plan.loops] == ["link on two balls"]
    times = np.linspace(0, 2, 21)
    result = lw.simulate(model, times=times, rtol=1e-11, atol=1e-12)
    stiffness, inertia = 2 * 9.81 * 0.3, 0.2 + 2 * 0.3**2
    swing = solve_ivp(
        lambda t, y: [y[1], -stiffness / inertia * np.sin(y[0])],
        (0, 2),
        [np.pi / 2, 0],
        method="DOP853",
        t_eval=times,
        rtol=1e-12,
        atol=1e-12,
    )
    np.testing.assert_allclose(result["plate.z"], -0.3 * np.cos(swing.y[0]), atol=1e-8)
    np.testing.assert_allclose(result["plate.x"], 0.3 * np.sin(swing.y[0]), atol=1e-8)


@pytest.mark.parametrize(("joints", "ratio"), [(["O", "D"], -1), (["A", "C"], -1), (["O", "B"], 0.5)])
def test_gears_inside_a_loop_are_linear_relations_of_the_plan(joints: list[str], ratio: float) -> None:
    """A five-bar has two freedoms; a gear between any two of its joints leaves one, and a dyad closes it."""
    bars = {"a": "OA", "b": "AB", "c": "CB", "d": "DC"}
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.3, 0.8], "B": [1.2, 1.5], "C": [2.0, 0.9], "D": [2.2, 0]},
        bodies={name: {"bar": list(ends), "mass": 1} for name, ends in bars.items()},
        joints={
            "O": linkages.revolute("ground", "a"),
            "A": linkages.revolute("a", "b"),
            "B": linkages.revolute("b", "c"),
            "C": linkages.revolute("d", "c"),
            "D": linkages.revolute("ground", "d"),
        },
        couplings={"gear": {"joints": joints, "ratio": ratio}},
    )
    families = [block.family.name for block in lw.analyse(model).plan.blocks]
    assert families == ["known joint", "linear relation", "known joint", "dyad RRR"]
    results = [lw.simulate(model, 1.0, formulation=f, rtol=1e-11, atol=1e-12) for f in ("hybrid", "partitioning")]
    assert all(result.outcome.completed for result in results)
    np.testing.assert_allclose(results[0]["b.x"], results[1]["b.x"], atol=1e-8)
    turned = [results[0][f"{joint}.angle"] - results[0][f"{joint}.angle"][0] for joint in joints]
    np.testing.assert_allclose(turned[0], ratio * turned[1], atol=1e-12)


@pytest.mark.parametrize("name", ["four_bar", "RSCR", "Andrews", "spatial four-bar", "two parallelograms"])
def test_rates_know_nothing_of_the_states_that_they_are_said_not_to_read(name: str) -> None:
    mechanism = lw.prepare(model_named(name))
    formulas = mechanism.equations.scheme.procedure.formulas
    assert formulas is not None
    first = formulas.variants[0]
    y, p = moving_state(mechanism, 1)
    flow = mechanism.program[first.flow]
    p = np.concatenate([p, np.ones(flow.size_p - p.size)])
    assert first.reads
    others = np.setdiff1d(np.arange(y.size), first.reads)
    found = flow(0.3, y, p)
    y[others] = np.nan
    np.testing.assert_array_equal(flow(0.3, y, p), found)
    assert others.size >= y.size / 2
