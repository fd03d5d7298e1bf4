"""Positions of rest in which bars lie on each other: one word for them, however they were reached."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import linkwork as lw

LENGTH, HIGH = 2.0, 0.3  # of a bar, m; rad, as drawn


@cache
def lift() -> lw.Model:
    """A scissor lift of two storeys, whose deck rests on a pin and on a roller; a strut pushes with F."""
    c, s = LENGTH * float(np.cos(HIGH)), LENGTH * float(np.sin(HIGH))
    arm = {"length": LENGTH, "mass": 60}
    return lw.Model(
        name="lift",
        space="planar",
        gravity=[0, -9.81],
        parameters={"F": {"value": "0 N", "live": True}},
        points={"O": [0, 0], "R": [c, 0], "A": [0, s], "B": [c, s], "C": [0, 2 * s], "D": [c, 2 * s]}
        | {"M": [c / 2, s / 2], "N": [c / 2, 3 * s / 2]},
        bodies={
            "s1": {"bar": ["O", "B"], **arm, "points": {"M": [1, 0], "K": [0.3, 0]}},
            "s2": {"bar": ["R", "A"], **arm, "points": {"M": [1, 0]}},
            "s3": {"bar": ["A", "D"], **arm, "points": {"N": [1, 0], "P": [1.5, 0]}},
            "s4": {"bar": ["B", "C"], **arm, "points": {"N": [1, 0]}},
            "deck": {"points": ["C", "D"], "mass": 1200, "com": [1.25, 2 * s + 0.3], "inertia": 400},
        },
        joints={name: {"kind": "revolute", "bodies": list(pair)} for name, pair in PINS.items()}
        | {
            "roller": {"kind": "point_on_line", "bodies": ["ground", "s2"], "at": ["O", "R"], "axis": [1, 0]},
            "slide": {"kind": "point_on_line", "bodies": ["deck", "s3"], "at": "D", "axis": [1, 0]},
        },
        forces={"ram": {"kind": "actuator", "between": ["s1.K", "s3.P"], "signal": "F"}},
    )


PINS = {
    "O": ("ground", "s1"),
    "M": ("s1", "s2"),
    "N": ("s3", "s4"),
    "A": ("s2", "s3"),
    "B": ("s1", "s4"),
    "C": ("s4", "deck"),
}


def is_folded(found: lw.answers.Equilibrium) -> bool:
    """Whether the bars of each storey lie on each other: then each pair turns as one, and the deck by itself."""
    return all(abs(found[f"A.{axis}"] - found[f"B.{axis}"]) < 1e-4 for axis in "xy")


@pytest.mark.parametrize("force", [0.0, 8e3, 25e3])
def test_a_folded_lift_is_singular_wherever_the_search_began(force: float) -> None:
    """The fold is a double root, at which searches arrive to more or fewer digits; few of them do not arrive at all."""
    assert lw.diagnose(lift()).freedoms == 1
    arrived = 0
    for high in (8, 10, 20, 30, 40, 54):
        try:
            found = lw.find_equilibrium(lift(), start={"O.angle": f"{high} deg"}, parameters={"F": force})
        except lw.errors.EquilibriumError:
            continue
        if is_folded(found):
            arrived += 1
            assert found.stability == "singular", (high, found.notes)
            assert any("position is singular" in note and "degrees of freedom here" in note for note in found.notes)
    assert arrived > 3


@pytest.mark.parametrize("arc_length", [None, 0.05])
@pytest.mark.parametrize("high", [10, 31])
def test_a_path_of_folded_positions_says_so_as_one_of_them_does(high: float, arc_length: float | None) -> None:
    start = {"O.angle": f"{high} deg"}
    path = lw.equilibrium_path(lift(), {"F": [25e3, 25.2e3]}, start=start, arc_length=arc_length)
    alone = lw.find_equilibrium(lift(), start=start, parameters={"F": 25e3})
    assert is_folded(alone) and set(path.stability) == {alone.stability} == {"singular"}
    (note,) = [note for note in path.notes if "singular" in note]
    assert "at F = 25000 to 25200" in note
    # and it is far from where the search began
    assert path.moved == pytest.approx(alone.moved)
    turned = -np.pi / 2 - np.radians(high)
    assert path.moved["O.angle"] == pytest.approx(turned, abs=1e-4)
    assert "the first one is away from where the search began" in " ".join(str(path).split())


def test_a_lift_that_stands_is_not_singular() -> None:
    """On a spring in place of the strut, and along all of a path."""
    spring = {"kind": "spring", "between": ["s2.R", "ground.O"], "stiffness": 4e4, "free_length": 0.5}
    model = lift().with_(forces={"spring": spring, "ram": {"kind": "force", "at": "deck.C", "value": [0, "F"]}})
    path = lw.equilibrium_path(model, {"F": [0.0, 2e3, 4e3]})
    rest = lw.find_equilibrium(model)
    assert rest.stability == "stable" and set(path.stability) == {"stable"} and not path.notes
