"""The length of a force between two points is no input of a motion, but a relation leads it, as the answer says."""

from __future__ import annotations

import numpy as np
import pytest
import yaml

import linkwork as lw

TIMES = np.linspace(0, 1, 5)


def boom() -> lw.Model:
    return lw.Model(
        space="planar",
        points={"O": [0, 0], "P": [0.8, 0.6], "W": [1, 0]},
        bodies={"boom": {"bar": ["O", "P"], "mass": 1}},
        joints={"O": {"kind": "revolute", "bodies": ["ground", "boom"]}},
        forces={
            "ram": {"kind": "actuator", "between": ["ground.W", "boom.P"], "signal": "10"},
            "strut": {"kind": "spring", "between": ["ground.W", "boom.P"], "stiffness": 100},
        },
        outputs={"gap": "sqrt((boom.P.x - 1)^2 + boom.P.y^2)"},
    )


@pytest.mark.parametrize("name", ["ram.length", "ram", "strut.length", "gap"])
def test_a_length_is_answered_with_the_relation_that_leads_it(name):
    with pytest.raises(lw.LinkworkError, match="kind: distance, between:"):
        lw.solve_kinematics(boom(), {name: "0.8 + 0.1*t"}, until=1)
    with pytest.raises(lw.LinkworkError, match="kind: distance, between:"):
        lw.inverse_dynamics(boom(), {name: 0.8 + 0.1 * TIMES}, times=TIMES)


def test_the_lines_of_the_answer_lead_the_length():
    """|W P| = 0.8 + 0.1 t, with O W = O P = 1: an isosceles triangle of which this is the base."""
    with pytest.raises(lw.LinkworkError) as told:
        lw.solve_kinematics(boom(), {"ram.length": "0.8 + 0.1*t"}, until=1)
    lines = str(told.value).partition("relations: ")[2].partition(" with your")[0].replace("1 + 0.1*t", "0.8 + 0.1*t")
    led = lw.solve_kinematics(boom().with_(relations=yaml.safe_load(lines)), until=1, step=0.25)
    np.testing.assert_allclose(led["ram.length"], 0.8 + 0.1 * led.time, atol=1e-12)
    np.testing.assert_allclose(2 * np.sin(led["O.angle"] / 2), 0.8 + 0.1 * led.time, atol=1e-12)


def test_a_relation_that_is_there_is_written_with_its_own_name():
    held = boom().with_(relations={"rod": {"kind": "distance", "between": ["ground.W", "boom.P"]}})
    with pytest.raises(lw.LinkworkError, match=r"relations: \{rod: \{kind: distance, between: \[ground\.W, boom\.P\]"):
        lw.solve_kinematics(held, {"rod.length": "0.8 + 0.1*t"}, until=1)


def test_names_that_are_nothing_stay_unknown():
    with pytest.raises(lw.errors.UnknownNameError):
        lw.solve_kinematics(boom(), {"rum.length": "0.8"}, until=1)
