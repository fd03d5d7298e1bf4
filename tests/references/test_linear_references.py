"""Published eigenvalues and frequencies from linearised models of bodies and joints.

SOURCES: J. P. Meijaard et al., Proc. R. Soc. A 463 (2007) 1955-1982 (bicycle; the matrices stand in test_bicycle.py).
J. García de Jalón, E. Bayo, "Kinematic and Dynamic Simulation of Multibody Systems", Springer 1994, examples 9.1 and 9.2
(spinning double pendulum; equations corrected: A = 4l² [[2 (2 + cos φ₂), 1 + cos φ₂], [1 + cos φ₂, 1]], stiffness with the
opposite sign). Exudyn, TestModels/computeODE2AEeigenvaluesTest.py (hinged cuboid: 12.327934783 Hz). IFToMM A02
(parallelogram). Modelica Standard Library, InitSpringConstant.
"""

from functools import cache
from typing import Any

import mechanisms
import numpy as np
import pytest
import test_bicycle as published
from scipy.optimize import brentq, root

import linkwork as lw

G = 9.81
KINDS = ("relative", "reference_point", "natural", "mixed")

# -- bicycle ---------------------------------------------------------------------------------------------------------

# the axle of the frame is 1 m long: L rises with the lean; seven positions and three speeds in all
LATERAL = ("L.z", "S.angle", "L.vz", "S.speed")
OTHERS = ("R.x", "R.y", "L.x", "R.angle", "F.angle", "R.speed")
EIGENVALUES = published.EIGENVALUES | {
    0.0: [-3.131643247907, 3.131643247907, -5.530943717654, 5.530943717654],
    1.0: [3.526961709901 + 0.807740275199j, 3.526961709901 - 0.807740275199j, -3.134231250666, -7.110080146374],
    10.0: [-3.720168404373 + 10.906811394763j, -3.720168404373 - 10.906811394763j, 0.161053386532, -24.624596350174],
}


def rolling(v: float, kind: str = "relative") -> lw.answers.Linearisation:
    bicycle = published.bicycle()
    return lw.linearise(bicycle, states=(*LATERAL, *OTHERS), coordinates=kind, parameters={"v": v, "push": 0.0})


def lateral(v: float) -> np.ndarray:
    return np.linalg.eigvals(rolling(v).a[:4, :4])


@pytest.mark.parametrize("kind", KINDS)
def test_the_matrix_of_a_bicycle_that_rolls_steadily(kind):
    """Lean and steer depend on themselves alone, by the published matrices; the others are neutral."""
    for v in (0.5, 5.0):
        found = rolling(v, kind)
        assert found.states == (*LATERAL, *OTHERS)
        exact = published.state_matrix(v)
        np.testing.assert_allclose(found.a[:4, :4], exact, rtol=1e-9, atol=1e-9 * np.abs(exact).max())
        np.testing.assert_allclose(found.a[:4, 4:], 0.0, atol=1e-9)
        assert np.abs(found.a[9]).max() < 1e-9


@pytest.mark.parametrize("v", EIGENVALUES)
def test_eigenvalues_of_a_bicycle(v):
    np.testing.assert_allclose(np.sort_complex(lateral(v)), np.sort_complex(EIGENVALUES[v]), rtol=1e-10)


def test_modes_of_a_bicycle_by_default():
    """Without names of states: the same eigenvalues beside six that are zero."""
    found = lw.modes(published.bicycle(), parameters={"v": 5.0, "push": 0.0})
    assert found.neutral == 6
    exact = [value for value in EIGENVALUES[5.0] if np.imag(value) >= 0]
    np.testing.assert_allclose([mode.eigenvalue for mode in found], sorted(exact, key=abs), rtol=1e-9)


def test_weave_and_capsize_speeds():
    weave = brentq(lambda v: max(x.real for x in lateral(v) if x.imag > 0), 4.0, 4.5, xtol=1e-12)
    capsize = brentq(lambda v: np.linalg.det(rolling(v).a[:4, :4]), 5.8, 6.2, xtol=1e-12)
    assert weave == pytest.approx(published.WEAVE, abs=1e-10)
    assert capsize == pytest.approx(published.CAPSIZE, abs=1e-10)


# -- examples 9.1 and 9.2 --------------------------------------------------------------------------------------------

SPINNING = {
    0.0: ((0.0, 0.0), (2.49385, 4.81775)),
    3.0: ((0.692180, 0.228817), (2.12104, 5.40455)),
    5.0: ((1.273977, 0.096877), (4.82908, 9.86278)),
    8.0: ((1.455687, 0.038252), (7.95879, 15.96627)),
}


@cache
def spinning(by: str) -> lw.Model:
    """Two massless links of 1 m, 2 kg at the elbow and 1 kg at the tip, in a plane that turns about the vertical y."""
    driven = by == "driver"
    mast: dict[str, Any] = {"mast": {"points": ["O", "T"], "mass": 0}} if driven else {}
    pivot = {"T": {"kind": "revolute", "bodies": ["ground", "mast"], "axis": [0, 1, 0]}} if driven else {}
    drivers = {"spin": {"joint": "T", "position": "w*t"}} if driven else {}
    return lw.Model(
        space="spatial",
        gravity=[0, -G, 0],
        parameters={name: {"value": 0.0, "live": True} for name in ("w", "f1", "f2")},
        points={"T": [0, 1, 0], "O": [0, 0, 0], "A": [0, -1, 0], "B": [0, -2, 0]},
        bodies={
            **mast,
            "upper": {"bar": ["O", "A"], "mass": 2, "com": "A", "inertia": "point"},
            "lower": {"bar": ["A", "B"], "mass": 1, "com": "B", "inertia": "point"},
        },
        joints={
            **pivot,
            "O": {"kind": "revolute", "bodies": ["mast" if driven else "ground", "upper"], "axis": [0, 0, 1]},
            "A": {"kind": "revolute", "bodies": ["upper", "lower"], "axis": [0, 0, 1]},
        },
        drivers=drivers,
        base=None if driven else {"omega": [0, "w", 0]},
        initial={"O": {"angle": "f1"}, "A": {"angle": "f2"}},
    )


def at_rest_in_the_plane(w: float, near: tuple[float, float]) -> np.ndarray:
    """Where gravity and centrifugal forces do no work: angles of the first link and between both."""

    def work(angles: np.ndarray) -> list[float]:
        one, two = angles[0], angles[0] + angles[1]
        x = np.sin(one) + np.sin(two)
        both = w**2 * (2 * np.sin(one) * np.cos(one) + x * np.cos(one)) - 3 * G * np.sin(one)
        tip = w**2 * x * np.cos(two) - G * np.sin(two)
        return [both, tip]

    return root(work, near, method="lm", options={"xtol": 1e-14, "ftol": 1e-15}).x


@pytest.mark.parametrize(("by", "kind"), [("base", "relative"), ("base", "natural"), ("driver", "relative")])
@pytest.mark.parametrize("w", SPINNING)
def test_a_double_pendulum_in_a_plane_that_turns(w, by, kind):
    near, frequencies = SPINNING[w]
    angles = at_rest_in_the_plane(w, near)
    np.testing.assert_allclose(angles, near, atol=6e-7)
    found = lw.linearise(
        spinning(by),
        states=("O.angle", "A.angle", "O.speed", "A.speed"),
        coordinates=kind,
        parameters={"w": w, "f1": angles[0], "f2": angles[1]},
    )
    assert found.resting
    modes = lw.modes(found)
    np.testing.assert_allclose([mode.omega for mode in modes], frequencies, atol=6e-6)
    assert len(modes) == 2
    assert all(abs(mode.damping_ratio) < 1e-9 for mode in modes)


@pytest.mark.parametrize("w", [3.0, 8.0])
def test_the_same_about_equilibria_that_are_found(w):
    near, frequencies = SPINNING[w]
    rest = lw.find_equilibrium(spinning("base"), parameters={"w": w, "f1": near[0] + 0.1, "f2": near[1] - 0.1})
    modes = lw.modes(rest)
    assert modes.linearisation.resting
    np.testing.assert_allclose([mode.omega for mode in modes], frequencies, atol=6e-6)
    with pytest.raises(lw.errors.RefusedError, match="has its parameters already"):
        lw.linearise(rest, parameters={"w": 1.0})


# -- frequencies of mechanisms with loops and springs ----------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_parallelogram_that_hangs_has_one_frequency(kind):
    """Three rods and two couplers of 1 kg and 1 m: ω² = 3.5 g / 3; nothing else is found beside it."""
    model = lw.Model(**(mechanisms.n_four_bar(2).to_dict() | {"gravity": [0, G], "initial": {}}))
    found = lw.modes(model, coordinates=kind)
    assert len(found) == 1
    assert found[0].omega == pytest.approx(3.383045964807, rel=1e-10)
    assert found.linearisation.a.shape == (2, 2)


def test_a_hinged_cuboid_on_a_spring():
    length, height, density = 0.1, 0.001, 5000.0
    mass = density * length * height * 0.01
    model = lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [length, 0], "S": [length, -1]},
        bodies={"cuboid": {"bar": ["O", "P"], "mass": mass, "inertia": mass * (length**2 + height**2) / 12}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "cuboid"]}},
        forces={"spring": {"kind": "spring", "between": ["S", "P"], "stiffness": 10, "free_length": 1}},
    )
    assert lw.modes(model)[0].frequency == pytest.approx(12.327934783, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_loaded_four_bar(kind):
    """Pivots 1 m apart, bars of 1, 2, 2 m and 10, 20, 20 kg, 200 N sideways. SOURCE: own, 30 digits."""
    a, b, c = np.radians([19.986905546, 71.662020525, 38.324885021])
    down = lambda angle: np.array([np.sin(angle), -np.cos(angle)])  # noqa: E731
    elbow = down(a)
    model = lw.Model(
        space="planar",
        gravity=[0, -G],
        points={"O": [0, 0], "A": list(elbow), "B": list(elbow + 2 * down(b)), "C": [1, 0]},
        bodies={
            "a": {"bar": ["O", "A"], "mass": 10, "length": 1},
            "b": {"bar": ["A", "B"], "mass": 20, "length": 2},
            "c": {"bar": ["C", "B"], "mass": 20, "length": 2},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "a"]},
            "A": {"kind": "revolute", "bodies": ["a", "b"]},
            "B": {"kind": "revolute", "bodies": ["b", "c"]},
            "C": {"kind": "revolute", "bodies": ["ground", "c"]},
        },
        forces={"side": {"kind": "force", "at": "c.B", "value": [200, 0]}},
    )
    found = lw.linearise(model, states=("O.angle", "O.speed"), inputs=("O.effort",), coordinates=kind)
    assert np.abs(found.rates).max() < 1e-8
    assert c == pytest.approx(np.arctan2(*(np.array([1, -1]) * (elbow + 2 * down(b) - [1, 0]))), abs=1e-10)
    assert lw.modes(found)[0].omega == pytest.approx(3.004817544, rel=1e-8)
    assert 1 / found.b[1, 0] == pytest.approx(46.2037815113, rel=1e-8)
    assert -found.a[1, 0] / found.b[1, 0] == pytest.approx(417.170638414, rel=1e-8)


def test_the_spring_that_holds_a_bar_level():
    """Its stiffness follows from the rate without it and from what an input does: 49.03325 N/m; then ω² = 3 k / m."""
    data = mechanisms.spring_bar().to_dict()
    data["forces"]["spring"]["stiffness"] = "k"
    model = lw.Model(**(data | {"parameters": {"k": {"value": 0.0, "live": True}}}))
    loose = lw.linearise(model, states=("O.angle", "O.speed"), inputs=("k",))
    stiffness = -loose.rates[1] / loose.b[1, 0]
    assert stiffness == pytest.approx(49.03325, rel=1e-12)
    held = lw.modes(model, parameters={"k": stiffness})
    assert held.linearisation.resting
    assert held[0].omega == pytest.approx(np.sqrt(3 * 49.03325), rel=1e-11)
