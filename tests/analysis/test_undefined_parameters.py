"""Live parameters with which a formula of the sketch has no value: told by name, by every verb."""

import numpy as np
import pytest

import linkwork as lw


def crank() -> lw.Model:
    """A slider-crank whose pin is drawn at the height h of a crank of length l."""
    return lw.Model(
        space="planar",
        parameters={"l": {"value": 1, "live": True}, "h": {"value": 0.5, "live": True}},
        points={"O": (0, 0), "A": ("sqrt(l^2 - h^2)", "h"), "B": ("2*l", 0)},
        bodies={
            "crank": {"bar": ("O", "A"), "mass": 1},
            "rod": {"bar": ("A", "B"), "mass": 1},
            "block": {"points": ("B",), "mass": 1},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ("ground", "crank")},
            "A": {"kind": "revolute", "bodies": ("crank", "rod")},
            "B": {"kind": "revolute", "bodies": ("rod", "block")},
            "guide": {"kind": "prismatic", "bodies": ("ground", "block"), "at": "B", "axis": (1, 0)},
        },
    )


TIMES = np.linspace(0, 1, 4)
VERBS = {
    "simulate": lambda m, p: lw.simulate(m, 1.0, parameters=p),
    "natural": lambda m, p: lw.simulate(m, 1.0, coordinates="natural", parameters=p),
    "assemble": lambda m, p: lw.assemble(m, {"O": 1}, parameters=p),
    "drag_point": lambda m, p: lw.drag_point(m, "A", [(0, 1)], parameters=p),
    "assembly_modes": lambda m, p: lw.assembly_modes(m, parameters=p),
    "find_equilibrium": lambda m, p: lw.find_equilibrium(m, parameters=p),
    "linearise": lambda m, p: lw.linearise(m, parameters=p),
    "modes": lambda m, p: lw.modes(m, parameters=p),
    "floquet": lambda m, p: lw.floquet(m, 1.0, parameters=p),
    "realtime": lambda m, p: lw.realtime(m, parameters=p),
    "set": lambda m, p: lw.realtime(m).set(p),
    "solve_kinematics": lambda m, p: lw.solve_kinematics(m, {"O": "1 + t"}, times=TIMES, parameters=p),
    "inverse_dynamics": lambda m, p: lw.inverse_dynamics(m, {"O": "1 + t"}, times=TIMES, parameters=p),
    "velocity_ellipsoid": lambda m, p: lw.measures.velocity_ellipsoid(m, "A", ["O"], parameters=p),
    "rank_coordinates": lambda m, p: lw.measures.rank_coordinates(m, parameters=p),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_formula_without_a_value_is_told_with_its_place(verb: str) -> None:
    with pytest.raises(
        lw.errors.ModelError, match=r"points\.A\[0\]: sqrt\(l\^2 - h\^2\) has no value with h = 0\.5, l = 0\.3"
    ):
        VERBS[verb](crank(), {"l": 0.3})


def test_values_with_which_all_formulas_have_one_are_taken() -> None:
    run = lw.simulate(crank(), 0.1, parameters={"l": 0.7})
    assert run["A.x"][0] == pytest.approx(np.sqrt(0.7**2 - 0.5**2), abs=1e-9)


@pytest.mark.parametrize("kind", ["relative", "natural", "reference_point", "mixed"])
def test_modes_next_to_a_bifurcation_are_right_or_refused(kind: str) -> None:
    """A flat parallelogram: its motions branch at height 0. Nearby, frequencies go with the root of the height."""

    def model(height: float) -> lw.Model:
        return lw.Model(
            space="planar",
            gravity=(0, -9.81),
            points={"O": (0, 0), "A": (1, height), "B": (3, height), "C": (2, 0)},
            bodies={name: {"bar": (*ends,), "mass": 1} for name, ends in {"a": "OA", "b": "AB", "c": "CB"}.items()},
            joints={
                "O": {"kind": "revolute", "bodies": ("ground", "a")},
                "A": {"kind": "revolute", "bodies": ("a", "b")},
                "B": {"kind": "revolute", "bodies": ("b", "c")},
                "C": {"kind": "revolute", "bodies": ("ground", "c")},
            },
        )

    reference = abs(lw.linearise(model(1e-2), coordinates=kind).eigenvalues[0])
    for height in 10.0 ** -np.arange(3, 13):
        try:
            found = lw.modes(model(height), coordinates=kind)
        except lw.errors.RefusedError as error:
            assert "singular" in str(error)
            continue
        assert str(found)
        rate = abs(lw.linearise(model(height), coordinates=kind).eigenvalues[0])
        assert rate == pytest.approx(reference * np.sqrt(height / 1e-2), rel=0.01), height
