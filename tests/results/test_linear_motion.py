"""Linear motions over time: against SciPy, exact solutions, the mechanism itself at small amplitudes, and mode by mode."""

import csv
from functools import cache
from itertools import pairwise

import mechanisms
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import linkwork as lw

M, K = 2.0, 50.0


def masses(first: float, second: float, damping: float) -> lw.Model:
    """A wall, a spring, P, a spring with a dashpot, Q, along x; a dashpot from the ground to P."""
    names = {"P": "near", "Q": "far"}
    spring = {"kind": "spring", "free_length": 1}
    return lw.Model(
        name="masses",
        space="planar",
        parameters={"push": {"value": "0 N", "live": True}},
        points={"W": [0, 0], "P": [1, 0], "Q": [2, 0]},
        bodies={body: {"points": [name], "mass": M, "com": name, "inertia": 1} for name, body in names.items()},
        joints={
            name: {"kind": "prismatic", "bodies": ["ground", body], "axis": [1, 0]} for name, body in names.items()
        },
        forces={
            "first": spring | {"between": ["W", "near.P"], "stiffness": first, "damping": damping},
            "second": spring | {"between": ["near.P", "far.Q"], "stiffness": second, "damping": damping / 3},
            "push": {"kind": "force", "at": "far.Q", "value": ["push", 0]},
        },
    )


@cache
def chain(damping: float = 0.5) -> lw.answers.Linearisation:
    model = masses(K, K, damping)
    return lw.linearise(model, inputs=["push", "P.effort"], outputs=["P.x", "far.ax"])


def loop(angle: float | None = None) -> lw.Model:
    """A four-bar that is held by a spring at its crank, at rest or started from an angle."""
    data = mechanisms.four_bar().to_dict() | {"gravity": [0, -9.81]}
    data["initial"] = {} if angle is None else {"O": {"angle": angle}}
    data["forces"] = {"s": {"kind": "torsion_spring", "joint": "O", "stiffness": 300, "free_angle": 1.0}}
    return lw.Model(**data)


def reference(linear: lw.answers.Linearisation, x: np.ndarray, inputs, spans: list[float]) -> np.ndarray:
    """The state at the last of the times by SciPy, from one to the next, since inputs may jump there."""
    for start, end in pairwise(spans):
        rate = lambda t, y: linear.a @ y + linear.b @ inputs(t)  # noqa: E731
        x = solve_ivp(rate, (start, end), x, method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]
    return x


def test_a_free_vibration_is_the_matrix_exponential():
    linear = chain()
    start = {"P.position": "10 mm", "Q.speed": 0.3}
    found = linear.simulate(2.0, step=0.25, initial=start)
    x = np.array([{"P.position": 0.01, "Q.speed": 0.3}.get(name, 0.0) for name in linear.states])
    for t, state in zip(found.time, found.x, strict=True):
        np.testing.assert_allclose(state, expm(linear.a * t) @ x, atol=1e-13)
    np.testing.assert_allclose(found["P.x"], found["P.position"], atol=1e-15)
    # quantities that are no outputs are found by their names
    np.testing.assert_allclose(found["far.vx"], found["Q.speed"], atol=1e-15)
    # times need not be even, nor begin where the motion does
    other = linear.simulate(times=[0.1, 0.75, 2.0], initial=start)
    assert [*other.time] == [0.1, 0.75, 2.0]
    np.testing.assert_allclose(other.x[1:], found.x[[3, 8]], atol=1e-13)


@pytest.mark.parametrize(
    ("given", "exact", "jumps"),
    [
        (3.0, lambda t: 3.0, []),
        ("2*sin(40*t)*exp(-t)", lambda t: 2 * np.sin(40 * t) * np.exp(-t), []),
        (lambda t: 1 / (1 + 25 * (t - 1) ** 2), lambda t: 1 / (1 + 25 * (t - 1) ** 2), []),
        ("if(t < 1/3, 1, -2*t)", lambda t: 1.0 if t < 1 / 3 else -2 * t, [1 / 3]),
        (([0.0, 0.3, 0.7, 5.0], [0.0, 2.0, -1.0, 0.0]), lambda t: np.interp(t, [0, 0.3, 0.7, 5], [0, 2, -1, 0]), [0.3, 0.7]),
    ],
    ids=["number", "formula", "function", "jump", "samples"],
)  # fmt: skip
def test_inputs_against_scipy(given, exact, jumps):
    linear = chain()
    found = linear.simulate(2.0, step=0.1, initial={"Q.position": 0.02}, inputs={"push": given})
    x = np.array([0.02 if name == "Q.position" else 0.0 for name in linear.states])
    end = reference(linear, x, lambda t: np.array([exact(t), 0.0]), [0.0, *jumps, 2.0])
    np.testing.assert_allclose(found.x[-1], end, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found["push"], [exact(t) for t in found.time], atol=1e-12)
    acceleration = linear.a[linear.states.index("Q.speed")] @ end + exact(2.0) / M
    assert found["far.ax"][-1] == pytest.approx(acceleration, rel=1e-9)


def test_samples_at_the_output_times_are_those_of_lsim():
    from scipy.signal import lsim

    linear, times = chain(), np.linspace(0.0, 3.0, 61)
    u = np.column_stack([np.sin(5 * times), np.cos(times)])
    found = linear.simulate(times=times, inputs={"push": u[:, 0], "P.effort": u[:, 1]})
    _, z, x = lsim(linear.to_scipy(), u, times)
    np.testing.assert_allclose(found.x, x, atol=1e-12)
    np.testing.assert_allclose(np.column_stack([found[name] for name in linear.outputs]), z, atol=1e-11)


def test_modes_add_up_and_go_their_own_way():
    """Of a damped chain each part is a decaying swing with its own eigenvalue, by left eigenvectors."""
    linear = chain()
    found = linear.simulate(
        2.0, step=0.1, initial={"P.position": 0.01, "Q.position": -0.02}, inputs={"push": "sin(7*t)"}
    )
    parts = found.contributions("Q.position")
    assert list(parts) == ["mode 1", "mode 2"]
    np.testing.assert_allclose(parts["mode 1"] + parts["mode 2"], found["Q.position"], atol=1e-14)
    direct = found.contributions("far.ax")
    np.testing.assert_allclose(direct["input"], found["push"] / M, atol=1e-14)
    np.testing.assert_allclose(sum(direct.values()), found["far.ax"], atol=1e-13)
    one = linear.simulate(2.0, step=0.1, initial={"Q.speed": 0.3}, modes=[1])
    mode = lw.modes(linear)[0]
    values, vectors = np.linalg.eig(linear.a)
    i = np.argmin(np.abs(values - mode.eigenvalue))
    left = np.linalg.inv(vectors)[i]
    start = vectors[:, i] * left[linear.states.index("Q.speed")] * 0.3
    exact = 2 * np.real(start * np.exp(values[i] * one.time[:, None]))
    np.testing.assert_allclose(one.x, exact, atol=1e-13)
    assert "by mode 1" in str(one)
    both = linear.simulate(2.0, step=0.1, initial={"Q.speed": 0.3}, modes=lw.modes(linear))
    np.testing.assert_allclose(both.x, linear.simulate(2.0, step=0.1, initial={"Q.speed": 0.3}).x, atol=1e-14)


def test_free_motions_have_a_part_of_their_own():
    """Two masses with a spring between them alone: their centre is pushed away by F t² / (4 m), whatever they swing."""
    linear = lw.linearise(masses(0.0, K, 0.0), inputs=["push"])
    found = linear.simulate(2.0, inputs={"push": 1.5}, initial={"P.speed": 0.4})
    parts = found.parts
    assert list(parts) == ["mode 1", "free motions"]
    for name in ("P.position", "Q.position"):
        exact = 0.2 * found.time + 1.5 / (4 * M) * found.time**2
        np.testing.assert_allclose(found.contributions(name)["free motions"], exact, atol=1e-10)
    omega, t = np.sqrt(2 * K / M), found.time
    apart = 0.75 / K * (1 - np.cos(omega * t)) - 0.4 / omega * np.sin(omega * t)
    np.testing.assert_allclose(found["Q.position"] - found["P.position"], apart, atol=1e-10)
    alone = linear.simulate(2.0, inputs={"push": 1.5}, modes=["free"])
    np.testing.assert_allclose(alone["P.position"], 1.5 / (4 * M) * t**2, atol=1e-10)
    with pytest.raises(lw.errors.RefusedError, match="no free motions"):
        chain().simulate(1.0, modes=["free"])


def test_critical_damping_is_one_block():
    """x = (1 + ω t) e^{−ωt} of a mass that is critically damped: a double eigenvalue with a single vector."""
    model = masses(K, 0.0, 2 * np.sqrt(K * M)).to_dict()
    del model["forces"]["second"]
    linear = lw.linearise(lw.Model(**model))
    found = linear.simulate(1.0, initial={"P.position": 0.01, "Q.speed": 1.0})
    omega = np.sqrt(K / M)
    exact = 0.01 * (1 + omega * found.time) * np.exp(-omega * found.time)
    np.testing.assert_allclose(found["P.position"], exact, atol=1e-14)
    parts = found.contributions("P.position")
    assert list(parts) == ["modes 1 and 2", "free motions"]
    np.testing.assert_allclose(parts["modes 1 and 2"], exact, atol=1e-10)
    np.testing.assert_allclose(found.contributions("Q.position")["free motions"], found.time, atol=1e-10)
    with pytest.raises(lw.errors.RefusedError, match="modes 1 and 2 have one eigenvalue and one shape"):
        linear.simulate(1.0, modes=[1])


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_a_small_motion_of_a_loop_is_the_linear_one(kind):
    """The error beside the mechanism itself grows with the square of the amplitude."""
    rest = lw.find_equilibrium(loop(), coordinates=kind)
    linear = lw.linearise(rest, states=["O.angle", "O.speed"])
    here = rest["O.angle"]
    errors = []
    for size in (2e-2, 1e-2):
        run = lw.simulate(loop(here + size), until=1.0, rtol=1e-12, atol=1e-13)
        found = linear.simulate(1.0, initial={"O.angle": size})
        errors.append(np.max(np.abs(run["O.angle"] - here - found["O.angle"])))
        assert errors[-1] < 0.1 * size
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    # and it can be shown: the loop stays closed
    shown = found.motion()
    assert shown.closure_error.max() < 1e-9
    np.testing.assert_allclose(shown["O.angle"] - here, found["O.angle"], atol=1e-4)


@pytest.mark.parametrize("form", ["dependent", "canonical"])
def test_dependent_states_start_on_their_conditions(form):
    """With penalties motions are the same but for an error that goes with 1/α, free ones and those with inputs."""
    rest = lw.find_equilibrium(loop())
    given = {"inputs": ["O.effort"], "outputs": ["O.angle"]}
    independent, errors = lw.linearise(rest, **given), []
    for alpha in (1e4, 1e5):
        linear = lw.linearise(rest, **given, method=form, penalty=lw.formulations.Penalty(alpha=alpha))
        along = dict(zip(linear.states, 0.01 * linear.physical[1][:, 0], strict=True))
        found = linear.simulate(1.0, initial=along)
        start = {name: found[name][0] for name in independent.states}
        free = [found["O.angle"], independent.simulate(1.0, initial=start)["O.angle"]]
        pushed = [which.simulate(1.0, inputs={"O.effort": 5.0})["O.angle"] for which in (linear, independent)]
        errors.append([np.max(np.abs(one - other)) / np.max(np.abs(other)) for one, other in (free, pushed)])
    assert np.max(errors[0]) < 0.01
    np.testing.assert_allclose(np.divide(*errors), 10.0, rtol=0.05)
    with pytest.raises(lw.errors.RefusedError, match="against the conditions"):
        linear.simulate(1.0, initial={linear.states[0]: 0.01})
    with pytest.raises(lw.errors.RefusedError, match="linearise without penalties"):
        linear.simulate(1.0, modes=[1])
    assert "mode 1" not in str(found)


def test_what_it_writes(tmp_path):
    found = chain().simulate(1.0, step=0.01, inputs={"push": 1.0})
    with found.save(tmp_path / "motion.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["far.ax [m/s^2]"]) for row in rows] == found["far.ax"].tolist()
    frame = found.to_dataframe(["P.x", "near.vx"])
    np.testing.assert_array_equal(frame["P.x"], found["P.x"])
    assert frame.attrs["units"] == {"P.x": "m", "near.vx": "m/s"}
    assert list(found.to_dataframe("far.*").columns) == [name for name in found.names if name.startswith("far.")]
    figure = found.plot("P.x", "far.ax", modes=True, path=tmp_path / "motion.png")
    assert figure.axes[1].get_ylabel() == "far.ax [m/s^2]"
    assert len(figure.axes[1].lines) == 4
    shown = found.motion(scale=0.1)
    np.testing.assert_allclose(shown["P.x"] - 1, 0.1 * found["P.x"], atol=1e-12)
    np.testing.assert_allclose(shown["far.ax"], 0.1 * found["far.ax"], atol=1e-12)
    assert shown.animate(tmp_path / "motion.html").stat().st_size > 1000
    assert str(found).startswith("linear motion of masses about an equilibrium, 0 to 1 s, by all modes")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"initial": {"P.positio": 1.0}}, "no state 'P.positio'; did you mean"),
        ({"inputs": {"pull": 1.0}}, "no input 'pull'"),
        ({"inputs": {"push": "sin(x)"}}, "a formula of t alone, not of 'x'"),
        ({"inputs": {"push": [1.0, "x"]}}, "'push' is a number, a formula"),
        ({"modes": "free"}, "a list of modes"),
        ({"inputs": {"push": [1.0, 2.0]}}, "2 samples for 1001 times"),
        ({"inputs": {"push": ([0.0, 0.5], [1.0, 2.0])}}, "go from 0 s to 0.5 s"),
        ({"inputs": {"push": "1/(t - 1/4)"}}, "follow|no finite value"),
        ({"modes": [3]}, "no mode 3: modes count from 1 to 2"),
    ],
)
def test_what_makes_no_sense_is_refused(options, says):
    with pytest.raises(lw.LinkworkError, match=says):
        chain().simulate(1.0, **options)
    with pytest.raises(lw.errors.RefusedError, match="no motion of the mechanism"):
        lw.linearise(mechanisms.four_bar()).simulate(1.0).motion()
