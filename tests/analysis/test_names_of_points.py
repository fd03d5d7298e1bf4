"""A point of one place is known by its own name and by that of each of its bodies, in whatever a verb returns."""

from __future__ import annotations

from typing import Any

import mechanisms
import numpy as np
import pytest

import linkwork as lw

NOUNS: dict[str, Any] = {
    "assemble": lambda m: lw.assemble(m),
    "solve_positions": lambda m: lw.solve_positions(m, {"O.angle": [0.9, 1.0]}),
    "solve_positions of a point": lambda m: lw.solve_positions(m, {"coupler.B": [[lw.assemble(m)["B.x"], np.nan]]}),
    "drag_point": lambda m: lw.drag_point(m, "coupler.B", [[2.8, 1.9]]),
    "simulate": lambda m: lw.simulate(m, 0.1, step=0.1),
    "solve_kinematics": lambda m: lw.solve_kinematics(m, {"O.angle": "0.9 + t"}, until=0.1, step=0.1),
    "find_equilibrium": lambda m: lw.find_equilibrium(m),
}


@pytest.mark.parametrize("verb", NOUNS)
def test_both_names_of_a_point_are_known(verb: str) -> None:
    found = NOUNS[verb](mechanisms.four_bar())
    for axis in "xy":
        for name in (f"coupler.B.{axis}", f"rocker.B.{axis}"):
            np.testing.assert_array_equal(found[name], found[f"B.{axis}"])
    for name in ("crank.B.x", "coupler.B.z", "nobody.B.x"):
        with pytest.raises(lw.errors.UnknownNameError, match=name):
            found[name]
