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
        forces={"f": {"kind": "torsion_spring", "joint": "O", "damping": "c"}},
        base={"omega": [0, "w", 0]},
    )


def test_a_governor_leaves_the_vertical():
    """λ² = ω² − g/l: the lowest place is left where ω² = g/l; friction does not change that."""
    speeds = np.linspace(1.0, 6.0, 12)
    locus = lw.root_locus(governor(), "w", speeds, parameters={"c": 0.3})
    inertia = 2 * 0.25
    exact = np.array([np.roots([1.0, 0.3 / inertia, 9.81 / 0.5 - w**2]) for w in speeds])
    np.testing.assert_allclose(np.sort_complex(locus.eigenvalues), np.sort_complex(exact), rtol=1e-10)
    (crossing,) = locus.crossings
    assert crossing.value == pytest.approx(np.sqrt(9.81 / 0.5), rel=1e-12)
    assert crossing.omega == 0.0
    assert crossing.grows
    assert locus.ranges == [(1.0, pytest.approx(np.sqrt(9.81 / 0.5)))]
    assert "a mode without oscillation grows beyond 4.429" in str(locus)


def test_negative_damping_lets_an_oscillation_grow():
    """Whether a value falls on the crossing or not."""
    for values in (np.linspace(-0.35, 0.2, 7), np.linspace(-0.2, 0.2, 5)):
        locus = lw.root_locus(governor(), "c", values)
        assert [(low, high) for low, high in locus.ranges] == [(pytest.approx(0.0, abs=1e-12), 0.2)]
    (crossing,) = locus.crossings
    assert crossing.value == pytest.approx(0.0, abs=1e-12)
    assert crossing.omega == pytest.approx(np.sqrt(9.81 / 0.5 - 1.0), rel=1e-12)
    assert not crossing.grows


def test_the_stable_speeds_of_a_bicycle(tmp_path):
    """SOURCE: Meijaard et al. 2007, see test_bicycle.py."""
    locus = lw.root_locus(published.bicycle(), "v", np.linspace(3.0, 8.0, 14), parameters={"push": 0.0})
    assert [crossing.value for crossing in locus.crossings] == pytest.approx(
        [published.WEAVE, published.CAPSIZE], abs=1e-9
    )
    assert locus.ranges == [(pytest.approx(published.WEAVE), pytest.approx(published.CAPSIZE))]
    assert locus.neutral == 6
    assert locus.eigenvalues.shape == (14, 4)
    # branches go on: they move by less than 1/s from value to value; conjugate ones lie 4/s and more apart
    assert np.abs(np.diff(locus.eigenvalues, axis=0)).max() < 1.0
    locus.plot(tmp_path / "locus.png")
    with locus.save(tmp_path / "locus.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["re 2 [1/s]"]) for row in rows] == list(locus.eigenvalues[:, 1].real)
    assert len(locus.table()) == 15


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
        lw.root_locus(governor(), parameter, values)
