"""What results say of springs, units and loads where a user looks for it."""

import pytest

import linkwork as lw


def hanging() -> lw.Model:
    """A mass on a vertical guide, on a spring without a free length that is as long as a live parameter says."""
    return lw.Model(
        space="planar",
        gravity=[0, -9.81],
        parameters={"h": {"value": 0.4, "live": True}},
        points={"A": [0, 0], "B": [0, "h"]},
        bodies={"block": {"points": ["A"], "mass": 3, "inertia": 1}},
        joints={"guide": {"kind": "prismatic", "bodies": ["ground", "block"], "at": "A", "axis": [0, 1]}},
        forces={"s": {"kind": "spring", "between": ["B", "block.A"], "stiffness": 900, "damping": 5}},
        outputs={"tilt": "block.angle*180/pi"},
    )


def test_every_answer_says_which_length_a_spring_has_from_the_drawing() -> None:
    model, told = hanging(), "without force as drawn: s (free_length 0.4 m)"
    for answer in (lw.simulate(model, until=0.1), lw.find_equilibrium(model), lw.modes(model)):
        assert told in answer.notes
    assert "free_length 0.7 m" in " ".join(lw.simulate(model, until=0.1, parameters={"h": 0.7}).notes)


def test_a_force_of_spring_and_damper_is_called_so() -> None:
    result = lw.simulate(hanging(), until=0.1)
    assert "of spring and damper" in result.quantity("s.force").description
    assert [load.element for load in result.peak_loads()] == [load.element for load in result.reactions.peaks()]


def test_an_angle_made_degrees_by_its_formula_says_how_to_be_asked_for() -> None:
    with pytest.raises(lw.errors.UnitError, match="without 180/pi"):
        lw.simulate(hanging(), until=0.1).table(["tilt"], units={"tilt": "deg"})
