"""A quantity means inside a formula what it means alone: units with powers, products and quotients, against pint."""

from __future__ import annotations

import re
from collections.abc import Mapping

import hypothesis.strategies as st
import pytest
from hypothesis import example, given

from linkwork.algebra.expressions import Expression, parse, to_float
from linkwork.algebra.unit_texts import read_unit
from linkwork.errors import ExpressionError, UnitError
from linkwork.model.fields import read_scalar

UNITS = [
    "mm", "cm^2", "m^3", "cm**2", "m^-1", "mm^(-2)", "N/m", "N*m/rad", "N m/rad", "kg m^2", "kg*m^2/s^2", "g/cm^3",
    "N*s/m", "N/(m/s)", "rad/s^2", "N*m/deg", "1/min", "cm²", "s⁻²", "N·m", "kg*cm^2", "N/mm^2", "m/s/s",
]  # fmt: skip
AROUND = {
    "({q})": "({x})",
    "2*{q}": "2*{x}",
    "{q}*2": "{x}*2",
    "{q}*a": "{x}*a",
    "2*a*{q}/3": "2*a*{x}/3",
    "-{q}": "-{x}",
    "a/({q})": "a/{x}",
    "{q} + {q}": "2*{x}",
    "sqrt(({q})^2)": "{x}",
    "if(t < 1, {q}, 0)": "{x}",
    "max({q}, 2*{q})": "2*{x}",
    "linear_table(t, 0, {q}, 1, {q})": "{x}",
    "{q}*a^2": "{x}*9",
    "{q} - t": "{x}",
}
"""Formulas of a quantity q, and the same of its value in SI."""
NAMES = {"a": 3.0, "t": 0.0, "O.angle": 2.0}


def value(text: str | Expression, names: Mapping[str, float] = NAMES) -> float:
    return to_float(parse(text) if isinstance(text, str) else text, names.__getitem__)


def by_pint(registry, number: float, unit: str) -> float:
    plain = unit.replace("²", "^2").replace("⁻^2", "^-2").replace("⁻²", "^-2").replace("·", "*")
    return registry.Quantity(number, plain).to_base_units().magnitude


@pytest.fixture(scope="module")
def registry():
    import pint

    return pint.UnitRegistry()


@pytest.mark.parametrize("unit", UNITS)
def test_a_quantity_is_the_same_alone_and_in_any_formula(registry, unit: str) -> None:
    x = by_pint(registry, 2.5, unit)
    for quantity in (f"2.5 {unit}", f"2.5 [{unit}]"):
        assert value(quantity) == pytest.approx(x, rel=1e-13)
        for written, plain in AROUND.items():
            found = parse(written.format(q=quantity))
            assert value(found) == pytest.approx(value(plain.format(x=f"({x!r})")), rel=1e-13), written
            assert parse(str(found)) == found


@given(st.sampled_from(UNITS), st.sampled_from(UNITS), st.sampled_from("*/+-"), st.integers(1, 9))
@example("cm^2", "m", "*", 2)
def test_two_quantities_side_by_side(first: str, second: str, operator: str, number: int) -> None:
    a, b = 2.5 * read_unit(first).factor, number * read_unit(second).factor
    found = value(f"2.5 {first}{operator}{number} {second}")
    wanted = {"*": a * b, "/": a / b, "+": a + b, "-": a - b}[operator]
    assert found == pytest.approx(wanted, rel=1e-13)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("100 cm^2", 0.01),
        ("(100 cm^2)", 0.01),
        ("2*100 cm^2", 0.02),
        ("2 kg*3 m^2", 6.0),
        ("sqrt(9 m^2)", 3.0),
        ("2*2e-4 m^3", 4e-4),
        ("(100 cm)^2", 1.0),
        ("2*(3 m)^2", 18.0),
        ("2 m^2*a^2", 18.0),
        ("5 N*O.angle", 10.0),
        ("5 N*a/m_", 5.0),
        ("5 N/(a*m_)", 5.0 / 9.0),
        ("2 mm/4", 5e-4),
        ("5 N*1/2", 2.5),
        ("6 m/2 s", 3.0),
        ("1 m/1 s", 1.0),
        ("2 mm*min(3, 4)", 6e-3),
        ("360 deg/s*t", 0.0),
        ("2*30°", 1.0471975511965976),
    ],
)
def test_a_unit_is_as_long_as_its_words_go_on(text: str, wanted: float) -> None:
    assert value(text, {**NAMES, "m_": 3.0}) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2 m^a", "a power of the unit 'm' is a whole number up to 12"),
        ("2 m^0.5", "a power of the unit 'm' is a whole number"),
        ("2 m^(1/2)", "a power of the unit 'm' is a whole number"),
        ("3*2 N/m^a", "a power of the unit 'N/m' is a whole number"),
        ("2 m^2^3", "a power of the unit 'm^2' is a whole number"),
        ("2 m^13", "a power of the unit 'm' is a whole number"),
        ("100 [cm]^2", "the power may be that of 100 [cm], or of its unit"),
        ("a*2 [N/m]^2", "the power may be that of 2 [N/m], or of its unit"),
        ("2 [m]^a", "a power of the unit 'm' is a whole number up to 12"),
    ],
)
def test_powers_that_may_be_of_either_are_refused(text: str, told: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(told)) as caught:
        parse(text)
    power = re.search(r"\^(.*)", text)
    remedy = re.search(r"-> write (\(.*?\))\^", str(caught.value))
    assert remedy and power
    assert value(f"{remedy[1]}^(0.5)") == pytest.approx(value(remedy[1]) ** 0.5)  # of the quantity in parentheses


@pytest.mark.parametrize(
    ("text", "values"),
    [("100 [cm]^2", (1.0, 0.01)), ("20 [cm]^-1", (5.0, 2000.0)), ("2 [N/mm]^ 2", (4e6, 2e6)), ("2 [m]**3", (8.0, 2.0))],
)
def test_both_proposals_for_a_power_are_taken(text: str, values: tuple[float, float]) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    proposed = re.search(r"-> write (.*) or (.*)", str(caught.value))
    assert proposed
    assert tuple(map(value, proposed.groups())) == pytest.approx(values)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("(2*3) N/m", "a unit stands right behind a number: write *1 N"),
        ("2 m (3 m)", "a product is written with a star: 2 m*(...)"),
        ("2 sin(a)", "a product is written with a star: 2*sin(...)"),
        ("2 a", "a product is written with a star: 2*a"),
    ],
)
def test_products_that_are_none_are_told(text: str, told: str) -> None:
    with pytest.raises(ExpressionError, match=re.escape(told)):
        parse(f"1*{text}")


# -- what is proposed instead of a quotient --------------------------------------------------------------------------

QUOTIENTS = [
    ("3/2 mm", "length", 1.5e-3),
    ("2*pi/20 mm", "length", 2 * 3.141592653589793 / 20e3),
    ("2*pi/20 mm", "any", 2 * 3.141592653589793 / 20e3),
    ("1/3 mm", "any", 1e-3 / 3),
    ("3/2 N/mm", "stiffness", 1500.0),
    ("3/2 N/mm", "any", 1500.0),
    ("3/2 mm^2", "any", 1.5e-6),
    ("7/4 kg*cm^2", "inertia", 1.75e-4),
    ("-3/2 mm", "length", -1.5e-3),
    ("sqrt(2)/2 cm", "length", 0.5e-2 * 2**0.5),
    ("360/7 deg", "angle", 2 * 3.141592653589793 / 7),
    ("3000/2 rpm", "angular_speed", 50 * 3.141592653589793),
    ("1/2/4 mm", "length", 1.25e-4),
]


@pytest.mark.parametrize(("text", "dimension", "meant"), QUOTIENTS)
def test_what_is_proposed_for_a_quotient_has_the_value_that_was_meant(text: str, dimension: str, meant: float) -> None:
    with pytest.raises(UnitError) as caught:
        read_scalar(text, dimension)
    proposed = re.search(r"-> write (.*)", str(caught.value))
    assert proposed
    for remedy in proposed[1].split(" or "):
        assert value(read_scalar(remedy, dimension)) == pytest.approx(meant, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "wanted"), [("2*pi/(20 [mm])", 314.1592653589793), ("3/(2 N/mm)", 1.5e-3), ("2*pi/(30 deg)", 12.0)]
)
def test_a_divisor_in_parentheses_has_its_unit_for_itself(text: str, wanted: float) -> None:
    found = read_scalar(text)
    assert value(found) == pytest.approx(wanted, rel=1e-14)
    assert value(read_scalar(str(found))) == value(found)  # it is written so, and read again
    with pytest.raises(UnitError) as caught:
        read_scalar("2*pi/(20 [mm])", "length")
    assert "->" not in str(caught.value)  # nobody meant 2*pi/20 mm
