"""Frequency responses of systems with known ones: an oscillator, an absorber, a free mass, modes that are not felt."""

import csv
from functools import cache

import linkages
import numpy as np
import pytest

import linkwork as lw

M, K, C = 2.0, 50.0, 0.4


def masses(springs: dict[str, dict], outputs: dict[str, str] | None = None) -> lw.Model:
    """Two masses that slide along x, P at 1 and Q at 2, with forces between them and a wall at 0."""
    names = {"P": "near", "Q": "far"}
    return lw.Model(
        name="masses",
        space="planar",
        parameters={"lead": {"value": 0, "live": True}},
        points={"W": [0, 0], "P": [1, 0], "Q": [2, 0]},
        bodies={body: {"points": [name], "mass": M, "com": name, "inertia": 1} for name, body in names.items()},
        joints={
            name: {"kind": "prismatic", "bodies": ["ground", body], "axis": [1, 0]} for name, body in names.items()
        },
        forces=springs,
        outputs=outputs or {},
    )


@cache
def wall_and_two(damping: float = C) -> lw.Model:
    """Wall, spring, P, spring, Q."""
    spring = {"kind": "spring", "stiffness": K, "free_length": 1, "damping": damping}
    first, second = spring | {"between": ["W", "near.P"]}, spring | {"between": ["near.P", "far.Q"]}
    return masses({"first": first, "second": second})


@cache
def chain(damping: float = C) -> lw.answers.Linearisation:
    """The same about its rest, pushed at P."""
    return lw.linearise(wall_and_two(damping), inputs=["P.effort", "lead"], outputs=["P.x", "far.ax"])


def exact(omega: float, damping: float = C) -> np.ndarray:
    """Amplitudes of P and Q for a unit force on P, from mass, damping and stiffness."""
    pattern = np.array([[2.0, -1.0], [-1.0, 1.0]])
    dynamic = (K + 1j * omega * damping) * pattern - omega**2 * M * np.eye(2)
    return np.linalg.solve(dynamic, [1.0, 0.0])


def test_two_masses_against_their_dynamic_stiffness():
    found = chain().frequency_response()
    for i in range(0, len(found), 50):
        near, far = exact(found.omega[i])
        assert found["P.x", "P.effort"][i] == pytest.approx(near, rel=1e-10)
        assert found["far.ax", "P.effort"][i] == pytest.approx(-(found.omega[i] ** 2) * far, rel=1e-9)
    assert not np.any(found["P.x", "lead"])
    assert found.unit("P.x", "P.effort") == "m/N"
    assert found.unit("far.ax", "P.effort") == "(m/s^2)/N"
    np.testing.assert_allclose(found.frequency * 2 * np.pi, found.omega, rtol=1e-15)


def test_a_model_is_asked_as_its_linearisation_is():
    linear, omega = chain(), np.array([0.5, 3.0, 20.0])
    asked = {"inputs": ["P.effort", "lead"], "outputs": ["P.x", "far.ax"]}
    found = lw.frequency_response(wall_and_two(), **asked, omega=omega)
    np.testing.assert_array_equal(found.values, linear.frequency_response(omega).values)
    again = lw.frequency_response(linear, between=(1.0, 9.0))
    np.testing.assert_array_equal(again.omega, linear.frequency_response(between=(1.0, 9.0)).omega)
    with pytest.raises(lw.errors.RefusedError, match="needs inputs and outputs, such as inputs="):
        lw.frequency_response(wall_and_two())
    with pytest.raises(lw.errors.RefusedError, match="give them to linearise"):
        lw.frequency_response(linear, inputs=["lead"])


def test_peaks_are_the_largest_magnitudes():
    found = chain().frequency_response()
    peaks = [peak for peak in found.peaks if peak.output == "P.x"]
    assert [peak.mode for peak in peaks] == [1, 2]
    for peak in peaks:
        near = np.linspace(0.98, 1.02, 4001) * peak.omega
        sizes = [abs(exact(omega)[0]) for omega in near]
        assert peak.gain == pytest.approx(max(sizes), rel=1e-8)
        assert peak.omega == pytest.approx(near[np.argmax(sizes)], rel=2e-5)
        assert peak.phase == pytest.approx(np.angle(exact(peak.omega)[0]), abs=1e-8)
        assert peak.static == pytest.approx(1 / K, rel=1e-12)
        assert peak.amplification == pytest.approx(peak.gain * K, rel=1e-12)
    # a coarse grid shows no peak, and they are found all the same
    coarse = chain().frequency_response([0.1, 30.0])
    assert [peak.gain for peak in coarse.peaks] == pytest.approx([peak.gain for peak in found.peaks], rel=1e-9)


def test_a_grid_resolves_a_peak_that_is_hardly_damped():
    """Of an oscillator with ζ = 1e-5 the largest sample is 1/(2ζ) but for half the angle between two samples."""
    spring = {"kind": "spring", "between": ["W", "near.P"], "stiffness": K, "free_length": 1}
    zeta = 1e-5
    spring["damping"] = 2 * zeta * np.sqrt(K * M)
    still = {"kind": "spring", "between": ["near.P", "far.Q"], "stiffness": 0, "free_length": 1}
    # Q is free, and nothing of it is felt at P
    found = lw.linearise(masses({"a": spring, "b": still}), inputs=["P.effort"], outputs=["P.x"]).frequency_response()
    assert np.max(found.magnitude("P.x", "P.effort")) * K == pytest.approx(1 / (2 * zeta), rel=2e-3)
    assert found.peaks[0].amplification == pytest.approx(1 / (2 * zeta), rel=1e-6)
    assert found.static[0, 0] == pytest.approx(1 / K, rel=1e-9)
    assert not found.unbounded


def test_an_undamped_mode_that_is_met_has_no_bound():
    linear = chain(0.0)
    first, second = (mode.omega for mode in lw.modes(linear))
    found = linear.frequency_response([0.0, first, 4.0, second])
    sizes = found.magnitude("P.x", "P.effort")
    assert np.isinf(sizes).tolist() == [False, True, False, True]
    assert sizes[2] == pytest.approx(abs(exact(4.0, 0.0)[0]), rel=1e-10)
    assert np.isnan(found.phase("P.x", "P.effort")).tolist() == [False, True, False, True]
    # an input that moves nothing stays zero there
    np.testing.assert_allclose(found["P.x", "lead"], 0.0, atol=1e-14)
    assert found.unbounded == {(z, "P.effort"): pytest.approx([first, second]) for z in linear.outputs}
    assert [peak.gain for peak in found.peaks if peak.output == "P.x"] == [np.inf, np.inf]
    assert "unbounded: nothing damps the mode there" in str(found)
    # a grid of one's own choice goes round them
    assert np.all(np.isfinite(linear.frequency_response().values))


def test_equal_masses_pushed_alike_do_not_feel_the_mode_in_which_they_differ():
    """Two masses on springs to walls, one between them: what is pushed and seen in phase has ω² = k/m alone."""
    outer = {"kind": "spring", "stiffness": K, "free_length": 1}
    forces = {
        "left": outer | {"between": ["W", "near.P"]},
        "right": {"kind": "force", "at": "far.Q", "value": [f"-{K}*Q.position", 0]},
        "inner": {"kind": "spring", "between": ["near.P", "far.Q"], "stiffness": 3 * K, "free_length": 1},
        "push": {"kind": "force", "at": "near.P", "value": ["lead", 0]},
        "pull": {"kind": "force", "at": "far.Q", "value": ["lead", 0]},
    }
    linear = lw.linearise(masses(forces, {"apart": "Q.x - P.x"}), inputs=["lead", "P.effort"], outputs=["P.x", "apart"])
    out_of_phase = np.sqrt(7 * K / M)
    found = linear.frequency_response([out_of_phase])
    assert found["P.x", "lead"][0] == pytest.approx(1 / (K - 7 * K), rel=1e-9)
    assert found["apart", "lead"][0] == pytest.approx(0.0, abs=1e-12)
    assert np.isinf(found["apart", "P.effort"][0])
    assert found.unbounded[("P.x", "lead")] == pytest.approx([np.sqrt(K / M)])


def test_a_free_mass_gives_way_to_a_steady_force():
    """H = −1/(m ω²) of a free pair of masses at low frequencies, 1/(2 m) as an acceleration, and no bound at rest."""
    spring = {"kind": "spring", "between": ["near.P", "far.Q"], "stiffness": K, "free_length": 1, "damping": C}
    model = masses({"s": spring}, {"apart": "Q.x - P.x"})
    linear = lw.linearise(model, inputs=["P.effort"], outputs=["P.x", "near.ax", "apart"])
    found = linear.frequency_response([0.0, 1e-2])
    assert np.isinf(found["P.x", "P.effort"][0])
    assert found["P.x", "P.effort"][1] == pytest.approx(-1 / (2 * M * 1e-4), rel=1e-4)
    # the acceleration and the stretch of the spring are held
    assert found["near.ax", "P.effort"][0] == pytest.approx(1 / (2 * M), rel=1e-9)
    assert found["apart", "P.effort"][0] == pytest.approx(-1 / (2 * K), rel=1e-9)
    assert "free at rest: nothing holds a free motion" in str(found)


@pytest.mark.parametrize("kind", ["relative", "reference_point", "natural", "mixed"])
def test_a_pair_of_free_bodies_pushed_from_within(kind):
    """In space, twelve zeros: an effort in the joint moves neither the centre of mass nor the pair as a whole."""
    data = linkages.floating_pair("spatial").to_dict() | {"initial": {}, "gravity": [0, 0, 0]}
    data["forces"] = {"s": {"kind": "torsion_spring", "joint": "J", "free_angle": 0, "stiffness": 1.5}}
    linear = lw.linearise(lw.Model(**data), inputs=["J.effort"], outputs=["J.angle", "a.x", "b.x"], coordinates=kind)
    modes = lw.modes(linear)
    assert (len(modes), modes.neutral) == (1, 12)
    found = linear.frequency_response([0.0, 0.5, modes[0].omega])
    assert found["J.angle", "J.effort"][0] == pytest.approx(1 / 1.5, rel=1e-9)
    mass = data["bodies"]["b"]["mass"] / data["bodies"]["a"]["mass"]
    np.testing.assert_allclose(found["a.x", "J.effort"][:2], -mass * found["b.x", "J.effort"][:2], rtol=1e-8)
    # one mode: all goes with 1/(1 − ω²/ω₀²)
    ratio = found["a.x", "J.effort"][1] / found["a.x", "J.effort"][0]
    assert ratio == pytest.approx(1 / (1 - 0.25 / modes[0].omega ** 2), rel=1e-8)
    assert np.isinf(found["a.x", "J.effort"][2])
    motion = linear.simulate(1.0, inputs={"J.effort": 1.0})
    parts = motion.contributions("a.x")
    np.testing.assert_allclose(parts["free motions"], 0.0, atol=1e-12)
    np.testing.assert_allclose(parts["mode 1"], motion["a.x"], atol=1e-12)


def test_a_body_that_nothing_holds():
    linear = lw.linearise(masses({}), inputs=["P.effort"], outputs=["P.x", "near.ax"])
    found = linear.frequency_response()
    np.testing.assert_allclose(found["P.x", "P.effort"], -1 / (M * found.omega**2), rtol=1e-10)
    assert not found.peaks
    assert "free at rest" in str(found)


def test_phases_begin_where_the_slope_of_the_magnitude_says():
    """An acceleration begins 180° ahead of a force on an oscillator, the position of a free mass 180° behind it."""
    held = chain().frequency_response([20.0, 0.001, 0.002, 3.5])
    assert held.phase("far.ax", "P.effort")[1] == pytest.approx(np.pi, abs=1e-3)
    assert held.phase("P.x", "P.effort")[1] == pytest.approx(0.0, abs=1e-3)
    assert held.phase("P.x", "P.effort")[0] == pytest.approx(-np.pi, abs=0.2)
    free = lw.linearise(masses({}), inputs=["P.effort"], outputs=["P.x", "P.vx"]).frequency_response([1.0, 10.0])
    np.testing.assert_allclose(free.phase("P.x", "P.effort"), -np.pi, atol=1e-12)
    np.testing.assert_allclose(free.phase("P.vx", "P.effort"), -np.pi / 2, atol=1e-12)


def test_what_it_writes(tmp_path):
    found = chain().frequency_response(between=(1.0, 20.0))
    assert (found.omega[0], found.omega[-1]) == (1.0, 20.0)
    with found.save(tmp_path / "bode.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["im P.x/P.effort [m/N]"]) for row in rows] == found["P.x", "P.effort"].imag.tolist()
    frame = found.to_dataframe()
    np.testing.assert_array_equal(frame["|P.x/P.effort|"], found.magnitude("P.x", "P.effort"))
    assert frame.index.name == "frequency"
    found.plot(path=tmp_path / "bode.png")
    axes = found.plot(("P.x", "P.effort")).axes
    assert axes[0].get_ylabel() == "magnitude [m/N]"
    assert axes[1].get_xlabel() == "frequency [Hz]"
    with pytest.raises(lw.errors.ResultError, match="exists already"):
        found.plot(path=tmp_path / "bode.png", overwrite=False)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda x: x.frequency_response([-1.0]), "not negative"),
        (lambda x: x.frequency_response([]), "not negative"),
        (lambda x: x.frequency_response("5 Hz"), "numbers in rad/s, not '5 Hz'"),
        (lambda x: x.frequency_response(between=("1 Hz", "2 Hz")), "numbers in rad/s"),
        (lambda x: x.frequency_response(between=(3.0, 2.0)), "to a larger one"),
        (lambda x: x.frequency_response([1.0], between=(1.0, 2.0)), "not both"),
        (lambda x: x.frequency_response()["P.y", "lead"], "no output 'P.y'"),
        (lambda x: x.frequency_response()["P.x"], "response\\[output, input\\]"),
        (lambda x: x.frequency_response().plot(("P.x", "head")), "did you mean 'lead'"),
    ],
)
def test_what_makes_no_sense_is_refused(ask, says):
    with pytest.raises(lw.LinkworkError, match=says):
        ask(chain())
