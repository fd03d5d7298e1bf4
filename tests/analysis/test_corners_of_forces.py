"""Forces that bend or jump where a mechanism is linearised: the answer says that it is of neither side."""

import numpy as np
import pytest

import linkwork as lw

MASS, STIFFNESS = 4.0, 900.0
NEITHER = "neither side"


def sliding(force: dict, **more) -> lw.Model:
    """A mass on a horizontal guide, drawn at x = 0, with one force."""
    return lw.Model(
        **{
            "space": "planar",
            "parameters": {"k": {"value": STIFFNESS, "live": True}},
            "points": {"A": [0, 0], "B": [-1, 0]},
            "bodies": {"block": {"points": ["A"], "mass": MASS, "inertia": 1}},
            "joints": {"guide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": "A", "axis": [1, 0]}},
            "forces": {"tyre": force},
            **more,
        }
    )


def pushing(formula: str, **more) -> lw.Model:
    return sliding({"kind": "force", "at": "block.A", "value": [formula, 0]}, **more)


BENT = {
    "max": pushing("max(0, -k*A.x)"),
    "min": pushing("-min(k*A.x, 0)"),
    "abs": pushing("-abs(A.x)*k"),
    "if": pushing("-if(A.x < 0, k, 2*k)*A.x"),
    "damper": pushing("-max(0, k*A.vx)"),
    "jump": pushing("-10*sign(A.vx)"),
    "rope": sliding({"kind": "spring", "between": ["B", "block.A"], "stiffness": STIFFNESS, "only": "pull"}),
    "table": sliding(
        {
            "kind": "spring",
            "between": ["B", "block.A"],
            "table": [[0.5, -5], [1, 0], [2, 100]],
        }
    ),
}
SMOOTH = {
    "spring": pushing("-k*A.x"),
    "quadratic drag": pushing("-k*A.vx*abs(A.vx)"),
    "hertz": pushing("max(0, -A.x)^1.5*k"),
    "beside": pushing("max(0, 0.001 - k*A.x)"),
    "time": pushing("max(0, t)*k - k*A.x"),
    "not reached": pushing("max(0, k*B.y) - k*A.x"),
}


@pytest.mark.parametrize("name", BENT)
def test_a_corner_is_told_with_its_force(name: str) -> None:
    answers = lw.linearise(BENT[name]), lw.modes(BENT[name])
    for answer in answers:
        assert NEITHER in answer.notes[0] and "'tyre'" in answer.notes[0]
    assert ("jump" if name == "jump" else "corner") in answers[0].notes[0]
    assert NEITHER in " ".join(str(answers[1]).split())


@pytest.mark.parametrize("name", SMOOTH)
def test_what_is_smooth_is_left_alone(name: str) -> None:
    assert not [note for note in lw.linearise(SMOOTH[name]).notes if NEITHER in note]


def test_the_formula_and_the_sides() -> None:
    """At the corner the frequency is that of half the stiffness; on the side that is meant it is exact, without a note."""
    corner = lw.modes(BENT["max"])
    assert "max(0, -k*A.x)" in corner.notes[0]
    assert np.max(np.abs(corner.linearisation.eigenvalues)) == pytest.approx(np.sqrt(STIFFNESS / 2 / MASS))
    aside = lw.modes(pushing("max(0, -k*A.x)", initial={"guide": {"position": -1e-6}}))
    assert np.max(np.abs(aside.linearisation.eigenvalues)) == pytest.approx(np.sqrt(STIFFNESS / MASS))
    assert not [note for note in aside.notes if NEITHER in note]


def test_a_locus_and_an_equilibrium_tell_it() -> None:
    locus = lw.root_locus(BENT["max"], {"k": [500, 900]}, about="assembled")
    assert NEITHER in locus.notes[0]
    rest = lw.find_equilibrium(BENT["if"])
    assert NEITHER in rest.notes[0] and "'tyre'" in rest.notes[0]
    assert not [note for note in lw.find_equilibrium(SMOOTH["spring"]).notes if NEITHER in note]
