"""Vibration modes: frequencies, damping and shapes of systems with exact ones, and what is written of them."""

import csv
from functools import cache

import linkages
import mechanisms
import numpy as np
import pytest
from typer.testing import CliRunner

import linkwork as lw
from linkwork.cli import app

M, K, C = 2.0, 50.0, 3.0
KINDS = ("relative", "reference_point", "natural", "mixed")


@cache
def carts(damping: float = C) -> lw.Model:
    """Two equal masses in a row on equal springs, wall to first and first to second, with one dashpot to the wall."""
    names = {"P": "near", "Q": "far"}
    return lw.Model(
        name="carts",
        space="planar",
        points={"W": [0, 0], "P": [1, 0], "Q": [2, 0]},
        bodies={body: {"points": [name], "mass": M, "com": name, "inertia": 1} for name, body in names.items()},
        joints={name: {"kind": "prismatic", "bodies": ["ground", body], "axis": [1, 0]} for name, body in names.items()},
        forces={
            "first": {
                "kind": "spring", "between": ["W", "near.P"], "stiffness": K, "free_length": 1, "damping": damping,
            },
            "second": {"kind": "spring", "between": ["near.P", "far.Q"], "stiffness": K, "free_length": 1},
        },
    )  # fmt: skip


def test_two_masses_have_the_golden_ratio():
    """ω² = (3 ∓ √5)/2 k/m, with shapes 1 : (1 ± √5)/2."""
    found = lw.modes(carts(0.0))
    root = np.sqrt(5.0)
    np.testing.assert_allclose([mode.omega**2 for mode in found], [(3 - root) / 2 * K / M, (3 + root) / 2 * K / M])
    for mode, ratio in zip(found, ((1 + root) / 2, (1 - root) / 2), strict=True):
        shape = mode.shape("P.x", "Q.x", "Q.vx", "Q.ax")
        assert shape["Q.x"] / shape["P.x"] == pytest.approx(ratio, rel=1e-12)
        assert shape["Q.vx"] == pytest.approx(1j * mode.omega * shape["Q.x"], rel=1e-11)
        assert shape["Q.ax"] == pytest.approx(-(mode.omega**2) * shape["Q.x"], rel=1e-11)
        assert np.isinf(mode.time_constant)
        assert mode.frequency == pytest.approx(mode.eigenvalue.imag / (2 * np.pi), rel=1e-12)
    assert found.stable
    assert found.neutral == 0


def test_damping_against_the_quadratic_eigenvalue_problem():
    found = lw.modes(carts())
    stiffness = K * np.array([[2.0, -1.0], [-1.0, 1.0]])
    companion = np.block([[np.zeros((2, 2)), np.eye(2)], [-stiffness / M, -np.diag([C, 0.0]) / M]])
    exact = np.sort_complex(np.linalg.eigvals(companion))
    np.testing.assert_allclose(np.sort_complex(found.linearisation.eigenvalues), exact, rtol=1e-11)
    for mode in found:
        value = exact[np.argmin(np.abs(exact - mode.eigenvalue))]
        assert mode.damping_ratio == pytest.approx(-value.real / abs(value), rel=1e-10)
        assert mode.time_constant == pytest.approx(-1 / value.real, rel=1e-10)
        assert mode.what == "oscillates and decays"


@pytest.mark.parametrize("kind", KINDS)
def test_an_inverted_pendulum_grows_and_decays(kind):
    model = lw.Model(
        space="planar",
        gravity=[0, -9.81],
        points={"O": [0, 0], "P": [0, 2]},
        bodies={"rod": {"bar": ["O", "P"], "mass": 3}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
    )
    found = lw.modes(model, coordinates=kind)
    rate = np.sqrt(1.5 * 9.81 / 2)
    assert sorted(mode.eigenvalue.real for mode in found) == pytest.approx([-rate, rate], rel=1e-10)
    assert sorted(mode.what for mode in found) == ["decays", "grows"]
    assert not found.stable
    assert [mode.frequency for mode in found] == [0.0, 0.0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_free_body_on_a_spring_has_neutral_motions(kind):
    """Of the double zeros of free motions nothing is listed as a vibration; the spring has √(k/I)."""
    still = linkages.floating_pair("planar").to_dict() | {"initial": {}, "gravity": [0, 0]}
    still["forces"] = {"s": {"kind": "torsion_spring", "joint": "J", "free_angle": 0, "stiffness": 1.5}}
    found = lw.modes(lw.Model(**still), coordinates=kind)
    assert (len(found), found.neutral) == (1, 6)
    assert "6 eigenvalues are zero: free motions of" in str(found)
    assert kind != "relative" or found.free == ("a.x", "a.y", "a.angle"), "the spring holds J.angle"
    mass, own, arm = {"a": 2.0, "b": 1.0}, {"a": 0.3, "b": 0.2}, {}
    run = lw.simulate(lw.Model(**still), times=[0.0, 0.1])
    for name in "ab":
        arm[name] = np.array([run[f"{name}.{axis}"][0] - run[f"J.{axis}"][0] for axis in "xy"])
    reduced = mass["a"] * mass["b"] / (mass["a"] + mass["b"])
    # inertia about the common centre of mass, which stays: the joint moves so that it does
    a = own["a"] + reduced * arm["a"] @ arm["a"]
    b = own["b"] + reduced * arm["b"] @ arm["b"]
    c = -reduced * arm["a"] @ arm["b"]
    # T = ½ (a α̇² + 2 c α̇ β̇ + b β̇²) with (a + c) α̇ + (b + c) β̇ = 0
    inertia = (a * b - c * c) / (a + b + 2 * c)
    assert found[0].omega == pytest.approx(np.sqrt(1.5 / inertia), rel=1e-9)


@pytest.mark.parametrize(
    ("model", "kind"),
    [(mechanisms.spring_bar, "natural"), (mechanisms.bricard, "relative"), (linkages.spherical_chain, "relative")],
    ids=["planar", "loop", "quaternions"],
)
def test_a_mode_as_a_motion_keeps_its_conditions(model, kind):
    mode = lw.modes(model(), coordinates=kind)[-1]
    motion = mode.motion(frames=9)
    assert motion.closure_error.max() < 1e-9
    small = mode.motion(amplitude=1e-5, frames=9)
    name = next(f"{body}.{axis}" for body in motion.drawing.bodies for axis in "zyx" if f"{body}.{axis}" in motion)
    along = mode.shape(name)[name] * np.exp(2j * np.pi * motion.time)
    middle = (small[name][0] + small[name][4]) / 2
    np.testing.assert_allclose(small[name] - middle, 1e-5 * along.real, atol=2e-9)


def test_a_mode_is_drawn_and_animated(tmp_path):
    found = lw.modes(carts())
    found.plot(path=tmp_path / "roots.png")
    page = found[0].motion(frames=5).animate(tmp_path / "mode.html")
    assert page.stat().st_size > 1000
    assert (tmp_path / "roots.png").stat().st_size > 1000
    with pytest.raises(lw.errors.RefusedError, match="two frames"):
        found[0].motion(frames=1)


def test_the_table_and_the_file(tmp_path):
    found = lw.modes(carts(0.0))
    lines = str(found).splitlines()
    assert lines[0] == "2 modes of carts about an equilibrium"
    assert "P.position 0.618, Q.position 1" in lines[2]
    with found.save(tmp_path / "modes.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["im [1/s]"]) for row in rows] == [mode.eigenvalue.imag for mode in found]
    assert float(rows[1]["phase Q.position [rad]"]) in (pytest.approx(np.pi), pytest.approx(-np.pi))


def test_motions_without_inertia_are_refused():
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [1, 0]},
        bodies={"rod": {"bar": ["O", "P"], "mass": 0}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "rod"]}},
    )
    with pytest.raises(lw.errors.ModelError, match="mass"):
        lw.modes(model)


def test_a_linearisation_has_its_states_already() -> None:
    with pytest.raises(lw.errors.RefusedError, match="give them to linearise"):
        lw.modes(lw.linearise(carts()), states=["A.position"])


def test_the_command(tmp_path):
    file, page = tmp_path / "carts.yaml", tmp_path / "mode.html"
    lw.save(carts(), file)
    done = CliRunner().invoke(app, ["modes", str(file), "--save", str(tmp_path / "m.csv"), "--html", str(page)])
    assert done.exit_code == 0
    assert "2 modes of carts about an equilibrium" in done.output
    assert page.exists()
    assert (tmp_path / "m.csv").exists()
    assert CliRunner().invoke(app, ["modes", str(file), "--html", str(page), "--mode", "3"]).exit_code == 2


def test_the_command_about_an_equilibrium(tmp_path):
    """A rod that is drawn level hangs down at rest: ω² = 3 g / (2 l)."""
    file = tmp_path / "rod.yaml"
    file.write_text(
        "linkwork: 1\nname: rod\nspace: planar\ngravity: [0, -9.81]\npoints: {O: [0, 0], P: [2, 0]}\n"
        "bodies: {rod: {bar: [O, P], mass: 3}}\njoints: {O: {kind: revolute, bodies: [ground, rod]}}\n"
    )
    done = CliRunner().invoke(app, ["modes", str(file), "--equilibrium"])
    assert done.exit_code == 0
    assert "1 mode of rod about an equilibrium" in done.output
    assert f"{np.sqrt(1.5 * 9.81 / 2):.6g}" in done.output
    assert "not at rest" in CliRunner().invoke(app, ["modes", str(file)]).output


def test_the_table_of_modes_has_their_eigenvalues() -> None:
    """SOURCE: Meijaard, Papadopoulos, Ruina, Schwab, Proc. R. Soc. A 463 (2007), table 2: the bicycle at 5 m/s."""
    table = str(lw.modes(lw.example("bicycle"), parameters={"v": 5, "push": 0}))
    for eigenvalue in ("-0.322866 ", "-0.775342 ± 4.46487i", "-14.0784 "):
        assert f"  {eigenvalue}" in table
    assert max(len(line) for line in table.split("\n")) <= 100
