"""Root loci: crossings with exact values, branches that do not jump, and what is refused."""

import csv
from functools import cache

import numpy as np
import pytest
import test_bicycle as published

import linkwork as lw


@cache
def governor() -> lw.Model:
    """A pendulum at its lowest place in a frame that turns about the vertical at the speed w, with some friction."""
    return lw.Model(
        name="governor",
        space="spatial",
        gravity=[0, -9.81, 0],
        parameters={"w": {"value": 1.0, "live": True}, "c": {"value": 0.0, "live": True}},
        points={"O": [0, 0, 0], "A": [0, -0.5, 0]},
        bodies={"arm": {"bar": ["O", "A"], "mass": 2, "com": "A", "inertia": "point"}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "arm"], "axis": [0, 0, 1]}},
        forces={
            "f": {"kind": "effort", "joint": "O", "value": "-c*O.speed"}
        },  # which brings in power where c is negative
        base={"omega": [0, "w", 0]},
    )


def test_a_governor_leaves_the_vertical():
    """λ² = ω² − g/l: the lowest place is left where ω² = g/l; friction does not change that."""
    speeds = np.linspace(1.0, 6.0, 12)
    locus = lw.root_locus(governor(), {"w": speeds}, parameters={"c": 0.3})
    inertia = 2 * 0.25
    exact = np.array([np.roots([1.0, 0.3 / inertia, 9.81 / 0.5 - w**2]) for w in speeds])
    np.testing.assert_allclose(np.sort_complex(locus.eigenvalues), np.sort_complex(exact), rtol=1e-10)
    (crossing,) = locus.crossings
    assert crossing.value == pytest.approx(np.sqrt(9.81 / 0.5), rel=1e-12)
    assert crossing.omega == 0.0
    assert crossing.grows
    assert locus.ranges == [(1.0, pytest.approx(np.sqrt(9.81 / 0.5)))]
    assert "a mode without oscillation grows beyond 4.429" in str(locus)


def test_a_picture_says_what_its_lines_are_and_what_the_parameter_measures():
    data = governor().to_dict()
    data["parameters"]["w"] = {"value": "60 rpm", "live": True}
    locus = lw.root_locus(lw.Model(**data), {"w": ["10 rpm", "60 rpm"]}, parameters={"c": 0.3})
    over, plane = locus.plot().axes
    assert over.get_xlabel() == "w [rad/s]"
    assert [item.get_text() for item in over.get_legend().get_texts()] == [
        *("real part", "imaginary part", "begins or ends to grow")
    ]
    assert [item.get_text() for item in plane.get_legend().get_texts()] == ["w = 1.0472 rad/s"]
    assert locus.table()[0][0] == "w [rad/s]"
    assert "over w from 1.0472 to 6.28319 rad/s" in locus.title
    assert "grows beyond 4.429446918 rad/s" in str(locus)


def test_negative_damping_lets_an_oscillation_grow():
    """Whether a value falls on the crossing or not."""
    for values in (np.linspace(-0.35, 0.2, 7), np.linspace(-0.2, 0.2, 5)):
        locus = lw.root_locus(governor(), {"c": values})
        assert [(low, high) for low, high in locus.ranges] == [(pytest.approx(0.0, abs=1e-12), 0.2)]
    (crossing,) = locus.crossings
    assert crossing.value == pytest.approx(0.0, abs=1e-12)
    assert crossing.omega == pytest.approx(np.sqrt(9.81 / 0.5 - 1.0), rel=1e-12)
    assert not crossing.grows


def test_the_stable_speeds_of_a_bicycle(tmp_path):
    """SOURCE: Meijaard et al. 2007, see test_bicycle.py."""
    locus = lw.root_locus(published.bicycle(), {"v": np.linspace(3.0, 8.0, 14)}, parameters={"push": 0.0})
    assert [crossing.value for crossing in locus.crossings] == pytest.approx(
        [published.WEAVE, published.CAPSIZE], abs=1e-9
    )
    assert locus.ranges == [(pytest.approx(published.WEAVE), pytest.approx(published.CAPSIZE))]
    assert locus.neutral == 6
    assert locus.eigenvalues.shape == (14, 4)
    # branches go on: they move by less than 1/s from value to value; conjugate ones lie 4/s and more apart
    assert np.abs(np.diff(locus.eigenvalues, axis=0)).max() < 1.0
    locus.plot(path=tmp_path / "locus.png")
    with locus.save(tmp_path / "locus.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["re 2 [1/s]"]) for row in rows] == list(locus.eigenvalues[:, 1].real)
    assert len(locus.table()) == 15


def test_about_positions_of_rest_a_governor_rises():
    """cos φ = g/(ω² l) beyond ω² = g/l, with λ² + c/(m l²) λ + ω² sin² φ = 0; below it hangs."""
    speeds = np.linspace(3.0, 8.0, 9)
    locus = lw.root_locus(governor(), {"w": speeds}, about="equilibrium", parameters={"c": 0.3})
    inertia, ratio = 2 * 0.25, 9.81 / 0.5 / speeds**2
    held = np.where(ratio < 1.0, speeds**2 * (1.0 - ratio**2), 9.81 / 0.5 - speeds**2)
    exact = np.array([np.roots([1.0, 0.3 / inertia, stiffness]) for stiffness in held])
    np.testing.assert_allclose(np.sort_complex(locus.eigenvalues), np.sort_complex(exact), rtol=1e-9)
    assert not locus.crossings and np.all(locus.stable)
    (snap,) = locus.snaps
    assert snap.kind == "bifurcation" and snap.parameters["w"] == pytest.approx(np.sqrt(9.81 / 0.5), rel=1e-10)
    assert "it branches off at w = 4.42945, a bifurcation" in str(locus)
    hanging = lw.root_locus(governor(), {"w": speeds}, about="equilibrium", parameters={"c": 0.3}, stable=False)
    assert hanging.crossings[0].value == pytest.approx(np.sqrt(9.81 / 0.5), rel=1e-12) and not hanging.snaps


def test_a_crossing_of_an_equilibrium_that_moves():
    """A torque T holds a pendulum at sin φ = T/(m g l), where the damping 0.2 − 0.4 φ turns over at φ = 1/2."""
    model = lw.Model(
        space="planar",
        gravity=[0, -10],
        parameters={"T": {"value": 0, "live": True}},
        points={"O": [0, 0], "A": [0, -0.5]},
        bodies={"bob": {"bar": ["O", "A"], "masses": {"A": 2}}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "bob"]}},
        forces={
            "motor": {"kind": "effort", "joint": "O", "value": "T"},
            "air": {"kind": "effort", "joint": "O", "value": "-(0.2 - 0.4*(O.angle + pi/2))*O.speed"},
        },
    )
    locus = lw.root_locus(model, {"T": np.linspace(0.0, 9.0, 7)}, about="equilibrium")
    (crossing,) = locus.crossings
    assert crossing.value == pytest.approx(10.0 * np.sin(0.5), rel=1e-11) and crossing.grows
    assert crossing.omega == pytest.approx(np.sqrt(10.0 / 0.5 * np.cos(0.5)), rel=1e-9)


@pytest.mark.parametrize(
    ("parameter", "values", "says"),
    [
        ("v", [1, 2], "no live parameter 'v'"),
        ("w", [1.0], "two or more"),
        ("w", [2.0, 1.0], "larger than the one before"),
    ],
)
def test_what_makes_no_sense_is_refused(parameter, values, says):
    with pytest.raises(lw.LinkworkError, match=says):
        lw.root_locus(governor(), {parameter: values})


@pytest.mark.parametrize("along", [{}, {"w": [1, 2], "c": [1, 2]}, "w"])
def test_a_locus_goes_along_one_parameter(along):
    with pytest.raises(lw.errors.RefusedError, match="along one live parameter"):
        lw.root_locus(governor(), along)


def test_what_a_locus_may_be_about():
    with pytest.raises(lw.errors.RefusedError, match="equilibrium"):
        lw.root_locus(governor(), {"w": [1, 2]}, about="equilibria")
    with pytest.raises(lw.errors.RefusedError, match="start and stable belong"):
        lw.root_locus(governor(), {"w": [1, 2]}, start={"O.angle": 0.1})
