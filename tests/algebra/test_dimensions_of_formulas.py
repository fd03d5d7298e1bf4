"""Units inside formulas: dimensions are followed, and a formula that measures something else is refused."""

import pytest

from linkwork.algebra.expressions import to_float
from linkwork.errors import UnitError
from linkwork.model.fields import read_scalar


@pytest.mark.parametrize(
    ("text", "dimension", "told"),
    [
        ("3/2 mm", "length", r"3/\(2 mm\), a number per length(.|\n)*write 3/2\*1 mm or 1.5 mm"),
        ("3000/2 rpm", "angular_speed", r"a time(.|\n)*write 3000/2\*1 rpm or 1500 rpm"),
        ("360/7 deg", "angle", r"a number per angle(.|\n)*write 360/7\*1 deg"),
        ("2*3 kg", "length", "a mass; a length"),
        ("1 m + 2 s", "length", "a length and a time cannot be added"),
        ("1 m + 2 s", "any", "a length and a time cannot be added"),
        ("10 + 25 mm", "length", "a number without a unit and a length"),
        ("60/0.14 rpm", "length", "a time; a length"),
        ("1 m/2 s", "length", "a speed; a length"),
        ("2*1 m", "mass", "a length; a mass"),
        ("3 kg + l1", "length", "a mass; a length"),
        ("if(t < 1 s, 5 m, 0)", "force", "a length; a force"),
        ("sin(1 m)", "any", r"argument of sin\(...\)"),
        ("sqrt(4 m)", "length", "m\\^1/2"),
        ("2*3 Hz", "angular_speed", "Hz counts cycles"),
        ("2*60 1/min", "angular_speed", "1/min may count turns or radians"),
        ("60/1 min", "angular_speed", "write rpm or rad/min"),
        ("3/0 mm", "length", "a number per length"),
    ],
)
def test_a_formula_of_another_dimension_is_refused(text, dimension, told):
    with pytest.raises(UnitError, match=told):
        read_scalar(text, dimension)


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("3/2*1 mm", "length", 1.5e-3),
        ("(3/2)*1 mm", "length", 1.5e-3),
        ("2*3", "length", 6.0),
        ("0.2*sin(30 deg)", "length", 0.1),
        ("max(0, 3 N)", "force", 3.0),
        ("sqrt(4 [mm^2])", "length", 2e-3),
        ("(2 m)^2/4 m", "length", 1.0),
        ("2 kg*5 [m/s^2]", "force", 10.0),
        ("2*3.5 rad/1 s", "angular_speed", 7.0),
        ("1/2 s", "angular_speed", 0.5),
        ("50 Hz*2*pi", "angular_speed", 314.1592653589793),
        ("2*pi*60 1/min", "angular_speed", 6.283185307179586),
        ("3 m/1 min/60 mm", "angular_speed", 5 / 6),
        ("pi + 180 deg", "angle", 6.283185307179586),
    ],
)
def test_a_formula_of_the_right_dimension_has_its_value(text, dimension, value):
    assert to_float(read_scalar(text, dimension)) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("text", ["l1/2 mm", "t*3 kg", "if(t < 1 s, 5 N, 0)", "2 + 3*t", "O.angle*3 [N*m/rad]"])
def test_names_leave_the_dimension_open(text):
    assert str(read_scalar(text, "force"))
