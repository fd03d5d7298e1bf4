"""A body's point is named by the sketch point or by the joint that sits there, whether the body lists it or not; $r is r."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import linkwork as lw


def arms(**sections: Any) -> lw.Model:
    """Two arms; the joint J holds them together at K, which neither lists."""
    data: dict[str, Any] = {
        "space": "planar",
        "gravity": [0, -9.81],
        "points": {"O": [0, 0], "K": [1, 0], "E": [2, 0], "W": [1, 1]},
        "bodies": {
            "arm3": {"points": ["O"], "mass": 1, "com": [0.5, 0], "inertia": 0.1},
            "arm4": {"points": ["E"], "mass": 1, "com": [-0.5, 0], "inertia": 0.1},
        },
        "joints": {
            "O": {"kind": "revolute", "bodies": ["ground", "arm3"]},
            "J": {"kind": "revolute", "bodies": ["arm3", "arm4"], "at": "K"},
        },
    }
    return lw.Model(**{**data, **sections})


ELEMENTS: list[Callable[[str], dict[str, Any]]] = [
    lambda place: {"forces": {"f": {"kind": "force", "at": place, "value": [3, 1]}}},
    lambda place: {
        "forces": {"f": {"kind": "spring", "between": [place, "ground.W"], "stiffness": 20, "free_length": 0.2}}
    },
    lambda place: {"forces": {"f": {"kind": "bushing", "between": [place, "ground.K"], "stiffness": [9, 8, 7]}}},
    lambda place: {"forces": {"f": {"kind": "drag", "at": place, "linear": 0.5}}},
    lambda place: {"relations": {"f": {"kind": "distance", "between": [place, "ground.W"]}}},
    lambda place: {"drivers": {"f": {"point": place, "position": [None, "0.1*t"]}}},
]


@pytest.mark.matrix("kind")
@pytest.mark.parametrize("make", ELEMENTS, ids=["force", "spring", "bushing", "drag", "distance", "guide"])
@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_elements_take_the_name_of_the_joint(make: Callable[[str], dict[str, Any]], kind: str) -> None:
    """The same element on arm4.K, by the name of the joint: the same motion."""
    one, other = (lw.simulate(arms(**make(place)), until=0.3, coordinates=kind) for place in ("arm4.K", "arm4.J"))
    assert np.ptp(one["J.angle"]) > 1e-3
    np.testing.assert_array_equal(one["J.angle"], other["J.angle"])


def test_formulas_take_it() -> None:
    model = arms(outputs={"point": "arm4.K.y*arm3.K.vx", "joint": "arm4.J.y*arm3.J.vx"})
    result = lw.simulate(model, until=0.3)
    np.testing.assert_array_equal(result["point"], result["joint"])
    np.testing.assert_allclose(result["point"], result["K.y"] * result["K.vx"], atol=1e-12)


@pytest.mark.parametrize("place", ["arm4.K", "arm4.J", "arm3.J"])
def test_positions_take_it(place: str) -> None:
    wanted = (np.cos(0.4), np.sin(0.4))
    found = lw.assemble(arms(), {place: wanted})
    assert found["O.angle"] == pytest.approx(0.4, abs=1e-9)
    dragged = lw.drag_point(arms(), place, [wanted, (np.cos(0.5), np.sin(0.5))])
    assert dragged["O.angle"][-1] == pytest.approx(0.5, abs=1e-9)


def test_a_joint_of_another_body_is_no_point_of_this_one() -> None:
    with pytest.raises(lw.errors.ModelError, match="body 'arm4' has no point 'O'"):
        arms(forces={"f": {"kind": "force", "at": "arm4.O", "value": [1, 0]}})
    with pytest.raises(lw.errors.UnknownNameError, match=r"'arm4\.O' is no point of a body"):
        lw.assemble(arms(), {"arm4.O": (1, 0)})


def test_traces_take_it(tmp_path: Any) -> None:
    result = lw.simulate(arms(), until=0.1)
    assert result.animate(tmp_path / "a.html", trace="arm4.J").exists()


def test_a_dollar_before_a_name_is_nothing() -> None:
    """$r of other tools is r, wherever the name was given with or without it."""
    for given in ("r", "$r"):
        for written in ("2*r", "2*$r", "$r + r"):
            model = arms(
                parameters={given: "3 N"}, forces={"f": {"kind": "force", "at": "arm4.E", "value": [written, 0]}}
            )
            assert model.number(model.forces["f"].value[0]) == 6.0
            assert lw.loads(lw.dump(model)) == model
    with pytest.raises(lw.errors.ModelError, match="would both be r in formulas"):
        arms(parameters={"r": 1, "$r": 2})
    with pytest.raises(lw.errors.ModelError, match=r"\$r is the same as r"):
        arms(parameters={"r": 1, "s": "$ + 1"})
