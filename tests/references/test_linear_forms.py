"""The three forms of linear equations: independent states, all of them with penalties, momenta with penalties.

SOURCE: J. García de Jalón, E. Bayo, "Kinematic and Dynamic Simulation of Multibody Systems", Springer 1994, section 9.1 and
examples 9.1 and 9.2, whose equations are corrected and completed by the geometric stiffness; the numbers are those of
test_linear_references.py.
"""

from functools import cache

import linkages
import mechanisms
import numpy as np
import pytest
import test_linear_references as published
from ten_mechanisms import TEN, model_of

import linkwork as lw
from linkwork.numerics.systems.eigenvalues import block_eigenvalues

KINDS = ("relative", "reference_point", "natural", "mixed")
FORMS = ("dependent", "canonical")


def spinning(
    w: float, kind: str, form: str = "independent", penalty: lw.formulations.Penalty | None = None
) -> lw.answers.Linearisation:
    angles = published.at_rest_in_the_plane(w, published.SPINNING[w][0])
    given = {"w": w, "f1": angles[0], "f2": angles[1]}
    return lw.linearise(published.spinning("base"), coordinates=kind, parameters=given, method=form, penalty=penalty)


def eigenvalues(linear: lw.answers.Linearisation) -> list[complex]:
    """Of all modes, in an order that rounding does not change."""
    found = (mode.eigenvalue for mode in lw.modes(linear))
    return sorted(found, key=lambda value: (round(value.real, 6), round(value.imag, 6)))


# -- examples 9.1 and 9.2 --------------------------------------------------------------------------------------------


@pytest.mark.matrix("form", "kind", strength=2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["independent", *FORMS])
@pytest.mark.parametrize("w", published.SPINNING)
def test_the_spinning_double_pendulum_in_all_forms(w, form, kind):
    found = spinning(w, kind, form)
    assert found.resting
    modes = lw.modes(found)
    omegas = [mode.omega for mode in modes]
    np.testing.assert_allclose(omegas, published.SPINNING[w][1], atol=6e-6)
    np.testing.assert_allclose(omegas, [mode.omega for mode in lw.modes(spinning(w, "relative"))], rtol=1e-9)
    assert all(abs(mode.damping_ratio) < 1e-9 for mode in modes)


@pytest.mark.parametrize("form", FORMS)
def test_the_whole_matrix_has_the_eigenvalues_up_to_an_error_of_one_over_alpha(form):
    exact, apart = [1j * mode.omega for mode in lw.modes(spinning(5.0, "natural"))], []
    for alpha in (1e3, 1e4, 1e5):
        found = spinning(5.0, "natural", form, lw.formulations.Penalty(alpha=alpha))
        apart.append(max(np.min(np.abs(found.eigenvalues - value)) for value in exact))
    assert apart[1] == pytest.approx(apart[0] / 10, rel=0.02)
    assert apart[2] == pytest.approx(apart[1] / 10, rel=0.02)
    # the others are the two roots of s² + 2 μ Ω s + Ω² for every condition
    others = np.sum(np.abs(found.eigenvalues + 10.0) < 0.1)
    assert others == len(found.states) - 4


def test_momenta_and_velocities_have_the_same_eigenvalues_about_an_equilibrium():
    """Those of conditions too: both are the same motion, in other variables."""
    penalty = lw.formulations.Penalty(alpha=100.0, omega=20.0, mu=0.5)
    one, other = (spinning(3.0, "natural", form, penalty).eigenvalues for form in FORMS)
    np.testing.assert_allclose(np.poly(one), np.poly(other), rtol=1e-8)


# -- ten mechanisms, as they start -----------------------------------------------------------------------------------


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TEN)
def test_three_forms_agree_on_ten_mechanisms(name, kind):
    """About motions, too, where the tangent of the conditions turns: the projected matrix is that of independent states."""
    exact = lw.linearise(model_of(name), coordinates=kind)
    for form in FORMS:
        found = lw.linearise(model_of(name), coordinates=kind, method=form)
        matrix, shapes = found.physical
        assert shapes.shape == (len(found.states), len(exact.states))
        np.testing.assert_allclose(matrix, exact.a, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(exact.a).max()))
        np.testing.assert_allclose(eigenvalues(found), eigenvalues(exact), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    "penalty",
    [lw.formulations.Penalty(alpha=1.0, omega=0.0, mu=0.0), lw.formulations.Penalty(alpha=1e5, omega=50, mu=0.3)],
)
@pytest.mark.parametrize("make", [mechanisms.bricard, linkages.spherical_chain, linkages.floating_pair])
def test_what_is_projected_does_not_depend_on_the_penalty(make, penalty):
    model = make()
    exact = lw.linearise(model, coordinates="reference_point").a
    for form in FORMS:
        found = lw.linearise(model, coordinates="reference_point", method=form, penalty=penalty)
        np.testing.assert_allclose(found.physical[0], exact, rtol=1e-9, atol=1e-9 * np.abs(exact).max())


# -- the whole matrices against equations written by hand ------------------------------------------------------------

LENGTH, MASSES, G = 0.7, (2.0, 1.5), 9.81
PENALTY = lw.formulations.Penalty(alpha=1e3, omega=7.0, mu=0.4)


@cache
def two_bars() -> lw.Model:
    return lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": [0.6, -0.8], "B": [0.6 + 0.28 * 1.5, -0.8 + 0.56]},
        bodies={
            "upper": {"bar": ["O", "A"], "mass": MASSES[0], "com": "A", "inertia": "point", "length": 1},
            "lower": {"bar": ["A", "B"], "mass": MASSES[1], "com": "B", "inertia": "point", "length": LENGTH},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "upper"]},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"]},
        },
        initial={"O": {"speed": 1.1}, "A": {"speed": -2.3}},
    )


class Bars:
    """Example 9.2 without spin, of unequal bars: q = (A, u), B = A + l u, Φ = ((A·A − 1)/2, (u·u − 1)/2)."""

    def __init__(self, state: np.ndarray) -> None:
        one, two = MASSES
        self.mass = np.kron([[one + two, two * LENGTH], [two * LENGTH, two * LENGTH**2]], np.eye(2))
        self.weight = -G * np.array([0, one + two, 0, two * LENGTH])
        self.alpha = PENALTY.alpha * (one + two)
        c, rate = self.slopes(state[:4]), self.slopes(state[4:])
        system = np.block([[self.mass, -c.T], [c, np.zeros((2, 2))]])
        self.push = np.linalg.solve(system, [*self.weight, *(-rate @ state[4:])])[4:]

    def slopes(self, q: np.ndarray) -> np.ndarray:
        return np.array([[q[0], q[1], 0, 0], [0, 0, q[2], q[3]]])

    def springs(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """2 μ Ω Φ̇ + Ω² Φ."""
        phi = (np.array([q[0] ** 2 + q[1] ** 2, q[2] ** 2 + q[3] ** 2]) - 1) / 2
        return 2 * PENALTY.mu * PENALTY.omega * self.slopes(q) @ v + PENALTY.omega**2 * phi

    def dependent(self, state: np.ndarray) -> np.ndarray:
        q, v = state[:4], state[4:]
        c = self.slopes(q)
        force = self.weight + c.T @ (self.push - self.alpha * (self.slopes(v) @ v + self.springs(q, v)))
        return np.concatenate([v, np.linalg.solve(self.mass + self.alpha * c.T @ c, force)])

    def canonical(self, state: np.ndarray) -> np.ndarray:
        q, c = state[:4], self.slopes(state[:4])
        v = np.linalg.solve(self.mass + self.alpha * c.T @ c, state[4:])
        slip = self.alpha * self.slopes(v).T @ (c @ v)
        return np.concatenate([v, self.weight + slip + c.T @ (self.push - self.alpha * self.springs(q, v))])


@pytest.mark.parametrize("form", FORMS)
def test_the_whole_matrix_against_complex_steps_of_equations_written_by_hand(form):
    found = lw.linearise(two_bars(), coordinates="natural", method=form, penalty=PENALTY)
    velocities = lw.linearise(two_bars(), coordinates="natural", method="dependent").at
    bars = Bars(velocities)
    if form == "canonical":
        assert found.states[4:] == ("A.x'.momentum", "A.y'.momentum", "lower.u1.x'.momentum", "lower.u1.y'.momentum")
        np.testing.assert_allclose(found.at[4:], bars.mass @ velocities[4:], rtol=1e-13)
    np.testing.assert_allclose(getattr(bars, form)(found.at), found.rates, rtol=1e-10)
    steps = found.at + 1e-30j * np.eye(8)
    exact = np.array([getattr(bars, form)(step).imag / 1e-30 for step in steps]).T
    np.testing.assert_allclose(found.a, exact, rtol=1e-10, atol=1e-12 * np.abs(exact).max())


# -- as a user sees them ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_outputs_and_inputs_of_dependent_states(form):
    names, inputs = ("B.y", "B.vx", "B.ay", "A.fx"), ("O.effort",)
    exact = lw.linearise(two_bars(), coordinates="natural", inputs=inputs, outputs=names)
    apart = []
    for alpha in (1e4, 1e6):
        penalty = lw.formulations.Penalty(alpha=alpha)
        found = lw.linearise(
            two_bars(), coordinates="natural", method=form, inputs=inputs, outputs=names, penalty=penalty
        )
        seen = found.c @ found.physical[1]
        np.testing.assert_allclose(seen[:2], exact.c[:2], atol=1e-12)
        apart.append(max(np.abs(seen - exact.c).max(), np.abs(found.d - exact.d).max()))
    assert apart[1] < 0.02 * apart[0] < 1e-2
    # a mode has the same shape in any quantity
    modes = lw.modes(two_bars(), coordinates="natural", method=form)
    one, other = modes[0].shape("A.x", "B.y"), lw.modes(exact)[0].shape("A.x", "B.y")
    assert one["B.y"] / one["A.x"] == pytest.approx(other["B.y"] / other["A.x"], rel=1e-9)


def test_what_dependent_forms_say():
    found = lw.linearise(two_bars(), coordinates="natural", method="canonical")
    exact = lw.linearise(two_bars(), coordinates="natural")
    assert "8 states of the canonical form" in str(found)
    assert "4 more of A belong to conditions" in str(found)
    assert str(found).split("eigenvalues")[1].split("1/s")[0] == str(exact).split("eigenvalues")[1].split("1/s")[0]
    assert found.to_dict()["form"] == "canonical"
    np.testing.assert_allclose(block_eigenvalues(found.physical[0]), exact.eigenvalues, rtol=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_stability_is_that_of_the_mechanism(form):
    """A body in a bushing, m s² + d s + k = 0 in all directions: the length of its quaternion is a zero of A alone."""
    model = lw.Model(
        space="spatial",
        points={"O": [0, 0, 0], "P": [0, 0, 0]},
        bodies={"box": {"points": ["P"], "mass": 2, "com": "P", "inertia": [2, 2, 2]}},
        forces={
            "mount": {"kind": "bushing", "between": ["ground.O", "box.P"], "stiffness": [50] * 6, "damping": [3] * 6}
        },
    )
    found = lw.linearise(model, method=form)
    assert found.stable
    assert np.sum(np.abs(found.eigenvalues) < 1e-9) == 1
    exact = np.roots([2, 3, 50])[0]
    assert [mode.omega for mode in lw.modes(found)] == pytest.approx([abs(exact)] * 6, rel=1e-9)


def test_forms_that_make_no_sense_are_refused():
    with pytest.raises(lw.errors.RefusedError, match="unknown method 'canonic'; did you mean"):
        lw.linearise(two_bars(), method="canonic")
    with pytest.raises(lw.errors.RefusedError, match="independent states need no penalty"):
        lw.linearise(two_bars(), penalty=lw.formulations.Penalty())
    with pytest.raises(lw.errors.RefusedError, match="leave the states out"):
        lw.linearise(two_bars(), states=["O.angle"], method="dependent")
