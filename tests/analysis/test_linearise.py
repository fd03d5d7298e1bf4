"""Linear equations about a state: against differences of runs and of accelerations, in all kinds of coordinates."""

from functools import cache

import casadi as ca
import linkages
import mechanisms
import numpy as np
import pytest
from ten_mechanisms import LIBRARY

import linkwork as lw
from linkwork.analysis.prepared.prepare import Mechanism, Start, prepare
from linkwork.analysis.vibration.linearise import Derivatives
from linkwork.equations.linear.variations import Moment, VariationalEquations

KINDS = ("relative", "reference_point", "natural", "mixed")
STATES, INPUTS, OUTPUTS = ("O.angle", "O.speed"), ("k", "l", "torque"), ("B.x", "B.vy", "B.ay", "energy.total", "reach")
HERE = {"phi": -0.6, "omega": 2.0, "k": 50.0, "l": 0.5, "torque": 0.3}


@cache
def four_bar() -> lw.Model:
    """With a spring, a dashpot and a motor, moving; all that varies is a live parameter."""
    return lw.Model(
        name="four-bar",
        space="planar",
        gravity=[0, -9.81],
        parameters={name: {"value": value, "live": True} for name, value in HERE.items()},
        points={"O": [0, 0], "A": [0.4, -0.3], "B": [1.1, 0.2], "C": [1, -0.8]},
        bodies={
            "a": {"bar": ["O", "A"], "mass": 1, "length": "l"},
            "b": {"bar": ["A", "B"], "mass": 2},
            "c": {"bar": ["C", "B"], "mass": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "A": {"kind": "revolute", "bodies": ["a", "b"]},
            "B": {"kind": "revolute", "bodies": ["b", "c"]},
            "C": {"kind": "revolute", "bodies": ["ground", "c"]},
        },
        forces={
            "s": {"kind": "spring", "between": ["a.A", "ground.C"], "stiffness": "k", "free_length": 0.3, "damping": 4},
            "m": {"kind": "effort", "joint": "O", "value": "torque"},
        },
        initial={"O": {"angle": "phi", "speed": "omega"}},
        outputs={"reach": "B.x^2 + B.y^2 + 1*B.vx*B.vy"},
    )


@cache
def lagging() -> lw.Model:
    """A pendulum whose motor follows with a lag, and turns at a speed that a driver integrates."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "A": [0.5, 0], "P": [1, -0.2]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}, "rod": {"bar": ["A", "P"], "mass": 1}},
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "arm"]},
            "A": {"kind": "revolute", "bodies": ["arm", "rod"]},
        },
        drivers={"turn": {"joint": "O", "speed": "0.7 + 0.1*sin(t)"}},
        forces={
            "m": {"kind": "actuator", "joint": "A", "signal": "-sin(A.angle)", "gain": 3, "lag": 0.2, "initial": 1}
        },
        initial={"A": {"speed": 1.5}},
    )


def central(f, h: float) -> np.ndarray:
    """The slope of f at 0, of fourth order."""
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


def started(**changed: float) -> np.ndarray:
    """Rates of the states and the outputs at the start of a run."""
    run = lw.simulate(four_bar(), times=[0.0, 1e-6], parameters={**HERE, **changed}, rtol=1e-12, atol=1e-12)
    return np.array([run[name][0] for name in ("O.speed", "O.acceleration", *OUTPUTS)])


@cache
def slopes() -> np.ndarray:
    """Derivatives of all of this by phi, omega and the inputs, as columns."""
    names = ("phi", "omega", *INPUTS)
    steps = {name: 2e-3 * max(abs(HERE[name]), 1.0) for name in names}
    return np.array([central(lambda h, n=name: started(**{n: HERE[n] + h}), steps[name]) for name in names]).T


@pytest.mark.parametrize("kind", KINDS)
def test_all_four_matrices_against_differences_of_runs(kind):
    found = lw.linearise(four_bar(), states=STATES, inputs=INPUTS, outputs=OUTPUTS, coordinates=kind)
    blocks = np.block([[found.a, found.b], [found.c, found.d]])
    np.testing.assert_allclose(blocks, slopes(), rtol=2e-8, atol=2e-8)
    np.testing.assert_allclose(found.at, [HERE["phi"], HERE["omega"]], rtol=1e-13)
    np.testing.assert_allclose(found.rates, started()[:2], rtol=1e-11)


def test_an_effort_along_a_joint_is_what_a_motor_there_does():
    found = lw.linearise(four_bar(), states=STATES, inputs=("torque", "O.effort", "O.angle.effort"), outputs=OUTPUTS)
    for matrix in (found.b, found.d):
        np.testing.assert_allclose(matrix[:, 1:], matrix[:, [0, 0]], rtol=1e-12, atol=1e-15)


def accelerated(mechanism: Mechanism, y: np.ndarray, p: np.ndarray, t: float) -> np.ndarray:
    """ẏ by the least v̇, λ with M v̇ = h + Cᵀλ and C v̇ + b = 0."""
    c = mechanism.coordinates
    parts = [c.mass, c.forces, c.jacobian, c.b, c.kinematics.rates, c.s_rates]
    f = ca.Function("terms", [c.t, c.y, c.p], [ca.densify(part) for part in parts])
    mass, forces, jacobian, b, rates, own = (np.array(item) for item in f(t, y, p))
    m, rows = len(b), jacobian.reshape(len(b), len(mass))
    system = np.block([[mass, -rows.T], [rows, np.zeros((m, m))]])
    vdot = np.linalg.lstsq(system, np.concatenate([forces.ravel(), -b.ravel()]), rcond=1e-12)[0][: len(mass)]
    return np.concatenate([rates.ravel(), vdot, own.ravel()])


def quantities(mechanism: Mechanism, names: list[str]) -> ca.Function:
    """Quantities, or components of the state, by their names and their rates, of (t, y, p, ẏ)."""
    c, along = mechanism.coordinates, ca.SX.sym("along", mechanism.coordinates.y.numel())
    derivatives = Derivatives(mechanism, (), ())
    known = derivatives._source.catalogue
    found = [derivatives.expressions([x]) if x in known else c.y[c.state_names.index(x)] for x in names]
    x = ca.vertcat(*found)
    return ca.Function("read", [c.t, c.y, c.p, along], [ca.vertcat(x, ca.jtimes(x, c.y, along))])


MODELS = {
    "spatial four-bar, redundant": mechanisms.spatial_four_bar,
    "Bricard": mechanisms.bricard,
    "quaternions": linkages.spherical_chain,
    "floating": linkages.floating_pair,
    "states of their own": lagging,
}


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MODELS)
def test_states_against_differences_along_curves_on_the_conditions(name, kind):
    """Any curve y(ε) that satisfies the conditions has dẋ/dε = A dx/dε."""
    model, t = MODELS[name](), 0.3
    mechanism = prepare(model, coordinates=kind)
    at = mechanism.start(time=t)
    variation = VariationalEquations(mechanism.coordinates, ca.SX(0, 1)).about(Moment(t, at.y, at.p))
    components = [mechanism.coordinates.state_names[i] for i in variation.independent]
    found = lw.linearise(model, t, states=components, coordinates=kind)
    read, n = quantities(mechanism, components), len(components)
    wild = variation.basis @ np.random.default_rng(5).normal(size=n)

    def curve(step: float) -> np.ndarray:
        y = mechanism.settle(Start(at.y + step * wild, at.p.copy(), at.assembly), t).y
        return np.array(read(t, y, at.p, accelerated(mechanism, y, at.p, t))).ravel()

    slope = central(curve, 1e-3)
    assert n == len(found.a) > 0
    np.testing.assert_allclose(found.a @ slope[:n], slope[n:], rtol=1e-7, atol=1e-7 * np.abs(slope).max())


@pytest.mark.parametrize("kind", KINDS)
def test_conditions_that_vanish_up_to_rounding(kind):
    """Sarrus' linkage has a condition too many, in relative coordinates one without any slope.

    Its platform stands on two pairs of plates of length l, at the height z = 2 l sin φ.
    """
    model = lw.load(LIBRARY / "sarrus.yaml")
    found = lw.linearise(model, states=["T.z", "T.vz"], coordinates=kind)

    def rate(z: float) -> float:
        """z̈ at rest: platform of 3 kg, four plates of 0.4 kg and 0.2 m, 160 mm by 8 mm across; 450 N/m, 0.3 m."""
        inertia = 0.4 * (0.2**2 + 0.008**2) / 12
        lean = np.sqrt(0.2**2 - z**2 / 4)  # l cos φ
        turn = 1 / (2 * lean)  # dφ/dz
        moved = (0.1 * z / 0.4 * turn) ** 2
        low, high = moved + 0.25**2, moved + 0.75**2
        mass = 3 + 2 * 0.4 * (low + high) + 4 * inertia * turn**2
        force = -3 * 9.81 - 2 * 0.4 * 9.81 * (0.25 + 0.75) - 450 * (z - 0.3)
        return force / mass

    np.testing.assert_allclose(found.rates, [0, rate(0.32)], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.a, [[0, 1], [central(lambda h: rate(0.32 + h), 1e-4), 0]], rtol=1e-9, atol=1e-12)


def test_states_of_their_own_are_states():
    found = lw.linearise(lagging())
    lag = found.states.index("m.force")
    assert found.a[lag, lag] == pytest.approx(-1 / 0.2, rel=1e-12)
    assert found.a[found.states.index("A.speed"), lag] == pytest.approx(1 / (1 / 3 * (0.5**2 + 0.2**2)), rel=1e-10)


def test_a_run_at_one_of_its_times():
    """About a run: what a neighbouring run does differently is the solution of δẋ = A(t) δx."""
    times = np.linspace(0.0, 0.4, 161)
    run = lambda phi: lw.simulate(  # noqa: E731
        four_bar(), times=times, parameters={"phi": HERE["phi"] + phi}, rtol=1e-12, atol=1e-13
    )
    base = run(0.0)
    apart = np.array([(run(1e-5)[name] - run(-1e-5)[name]) / 2e-5 for name in STATES])
    matrices = np.array([lw.linearise(base, t, states=STATES).a for t in times])
    x = np.array([1.0, 0.0])
    for k in range(0, len(times) - 1, 2):
        h = times[k + 2] - times[k]
        one = matrices[k] @ x
        two = matrices[k + 1] @ (x + h / 2 * one)
        three = matrices[k + 1] @ (x + h / 2 * two)
        x = x + h / 6 * (one + 2 * two + 2 * three + matrices[k + 2] @ (x + h * three))
    np.testing.assert_allclose(x, apart[:, -1], rtol=1e-6)


def test_frequency_response_and_systems_of_scipy():
    found = lw.linearise(four_bar(), states=STATES, inputs=("torque",), outputs=("O.angle", "O.acceleration"))
    omega = np.array([0.5, 3.0, 40.0])
    response = found.frequency_response(omega).values
    exact = [found.c @ np.linalg.inv(1j * w * np.eye(2) - found.a) @ found.b + found.d for w in omega]
    np.testing.assert_allclose(response, exact, rtol=1e-12)
    np.testing.assert_allclose(response[:, 1, 0], -(omega**2) * response[:, 0, 0], rtol=1e-10)
    system = found.to_scipy()
    assert all(np.array_equal(getattr(system, name.upper()), getattr(found, name)) for name in "abcd")
    assert found.entry("O.acceleration", "torque") == found.d[1, 0]
    assert found.entry("O.acceleration", "O.angle") == found.c[1, 0]


def test_what_it_says_and_saves(tmp_path):
    import json

    found = lw.linearise(four_bar(), states=STATES, inputs=("k",), outputs=("B.x",))
    assert "O.angle = -0.6 rad, O.speed = 2 rad/s" in str(found)
    assert "not at rest" in str(found)
    assert not found.resting
    data = json.loads(found.save(tmp_path / "linear.json").read_text())
    assert np.array_equal(data["a"], found.a)
    assert data["states"] == list(STATES)
    frame = found.to_dataframe()
    assert frame.loc["d O.speed / dt", "O.angle"] == found.a[1, 0] and frame.loc["B.x", "k"] == found.d[0, 0]
    with pytest.raises(lw.errors.ResultError, match="exists already"):
        found.save(tmp_path / "linear.json", overwrite=False)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"states": ["O.angel"]}, "no quantity 'O.angel'; did you mean"),
        ({"states": ["O.angle", "C.angle"]}, "'C.angle' follows from O.angle; the mechanism has 2"),
        ({"states": ["O.acceleration"]}, "is an acceleration, no state"),
        ({"inputs": ["O.efort"]}, "no input 'O.efort'; did you mean"),
        ({"inputs": ["O.efort", "j"]}, "(?s)2 faults.*'O.efort'.*no input 'j'"),
        ({"states": ["O.fx"]}, "'O.fx' is a reaction, no state"),
        ({"outputs": ["power.supplied"]}, "made of reactions: these are not linearised"),
        ({"outputs": ["O.fz"]}, "no quantity 'O.fz'; did you mean"),
        ({"coordinates": "polar"}, "unknown coordinates"),
    ],
)
def test_what_makes_no_sense_is_refused(options, says):
    with pytest.raises(lw.LinkworkError, match=says):
        lw.linearise(four_bar(), **options)


def test_times_outside_of_a_run_are_refused():
    run = lw.simulate(four_bar(), until=0.1)
    with pytest.raises(lw.errors.RefusedError, match="not in it"):
        lw.linearise(run, 0.2)
    with pytest.raises(lw.errors.RefusedError, match="at which time"):
        lw.linearise(run)
    with pytest.raises(lw.errors.RefusedError, match="inputs and outputs"):
        lw.linearise(run, 0.1).frequency_response(1.0)


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_singular_positions_are_refused(kind):
    """A parallelogram in line can fold into an antiparallelogram: two motions branch there."""
    data = mechanisms.four_bar().to_dict() | {"initial": {}}
    data["points"] = {"O": [0, 0], "A": [1, 0], "B": [3, 0], "C": [2, 0]}
    for bar, length in {"crank": 1.0, "coupler": 2.0, "rocker": 1.0}.items():
        data["bodies"][bar]["length"] = length
    with pytest.raises(lw.errors.RefusedError, match="the position is singular"):
        lw.linearise(lw.Model(**data), coordinates=kind)


def test_a_balance_at_a_time_is_told():
    """About an equilibrium of forces that change with time, as find_equilibrium tells it; a motion is no balance."""
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "A": [1, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"]}},
        forces={
            "push": {"kind": "effort", "joint": "O", "value": "2 + sin(t)"},
            "spring": {"kind": "torsion_spring", "joint": "O", "stiffness": 100, "free_angle": 0},
        },
    )
    rest = lw.find_equilibrium(model)
    for verb in (lw.linearise, lw.modes):
        assert set(rest.notes) <= set(verb(rest).notes) and rest.notes
        assert "this is the balance at t = 0 s" in str(verb(rest))
        assert not any("balance" in note for note in verb(model).notes)
    still = lw.Model(**{**model.to_dict(), "forces": {"spring": model.to_dict()["forces"]["spring"]}})
    assert not lw.modes(lw.find_equilibrium(still)).notes
