"""Units: every table entry against pint, compound texts against pint, and what is refused."""

import math
import re

import pytest

from linkwork.algebra.unit_texts import read_unit
from linkwork.algebra.unit_words import UNIT_WORDS
from linkwork.algebra.units import DIMENSIONS, describe, si
from linkwork.errors import UnitError


@pytest.fixture(scope="module")
def registry():
    import pint

    return pint.UnitRegistry()


ALIASES = {"Nm": "N*m", "kNm": "kN*m"}  # words that pint does not know
COMPOUNDS = [
    "N*m",
    "N/m",
    "N*s/m",
    "N*m/rad",
    "N*m*s/rad",
    "m/s",
    "mm/s",
    "km/h",
    "rad/s",
    "deg/s",
    "rev/s",
    "m/s^2",
    "m/s**2",
    "rad/s^2",
    "kg*m^2",
    "kg/m^3",
    "g/cm^3",
    "lbf/in",
    "N/mm",
    "N/(m/s)",
    "1/s",
    "kg*m/s^2",
    "N*m/deg",
    "mm^2",
    "J/m",
    "ft/min",
    "rpm/s",
    "kg*s^-1",
    "m^(-2)",
]


def si_by_pint(registry, text):
    quantity = registry.Quantity(1.0, text.replace("rev", "turn")).to_base_units()
    powers = dict(quantity.dimensionality)
    return quantity.magnitude, tuple(powers.get(base, 0) for base in ("[mass]", "[length]", "[time]"))


@pytest.mark.parametrize("word", UNIT_WORDS)
def test_every_word_of_the_table_agrees_with_pint(registry, word):
    factor, exponents = si_by_pint(registry, ALIASES.get(word, word))
    unit = read_unit(word)
    assert unit.factor == pytest.approx(factor, rel=1e-12)
    assert unit.exponents == exponents


@pytest.mark.parametrize("text", COMPOUNDS)
def test_products_quotients_and_powers_agree_with_pint(registry, text):
    factor, exponents = si_by_pint(registry, text)
    unit = read_unit(text)
    assert unit.factor == pytest.approx(factor, rel=1e-12)
    assert unit.exponents == exponents


@pytest.mark.parametrize("text", ["m/s²", "m·s⁻²", "m s^-2", "m/s/s", "m/s^2"])
def test_spellings_of_an_acceleration(text):
    assert read_unit(text).exponents == (0, 1, -2)


@pytest.mark.parametrize("word", ["furlong", "slug", "knot", "mile", "degree", "millimeter", "hp"])
def test_rarer_words_come_from_pint(registry, word):
    assert read_unit(word).factor == pytest.approx(si_by_pint(registry, word)[0], rel=1e-12)


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("25 mm", "length", 0.025),
        ("25mm", "length", 0.025),
        ("-30 deg", "angle", -math.pi / 6),
        ("60 rpm", "angular_speed", 2 * math.pi),
        ("1 rev/s", "angular_speed", 2 * math.pi),
        ("60 rad/min", "angular_speed", 1.0),
        ("60 1/s", "angular_speed", 60.0),
        ("60 1/min", "any", 1.0),
        ("100 gon", "angle", math.pi / 2),
        ("3 N*m", "rotational_stiffness", 3.0),
        ("3 N*m/rad", "torque", 3.0),
        ("1 N*m/deg", "rotational_stiffness", 180 / math.pi),
        ("72 km/h", "speed", 20.0),
        ("1e3 g", "mass", 1.0),
        (".5", "mass", 0.5),
        (7, "density", 7.0),
        ("3 [N/m]", "stiffness", 3.0),
        ("50 %", "dimensionless", 0.5),
    ],
)
def test_quantities(text, dimension, value):
    assert si(text, dimension) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_the_example_of_a_dimension_has_that_dimension(dimension):
    assert math.isfinite(si(DIMENSIONS[dimension].example, dimension))


@pytest.mark.parametrize(
    ("text", "dimension", "message"),
    [
        ("1 m", "mass", "'1 m' is a length; a mass such as '1 kg' is needed"),
        ("1 N", "torque", "'1 N' is a force; a torque such as '12 N*m' is needed"),
        ("2 m/s", "angular_speed", "an angular speed such as '60 rpm'"),
        ("30 deg", "length", "is an angle"),
        ("3 Hz", "angular_speed", "Hz counts cycles"),
        ("60 1/min", "angular_speed", "1/min may count turns or radians; write rpm or rad/min"),
        ("60 min^-1", "angular_speed", "write rpm or rad/min"),
        ("2 1/h", "angular_speed", "write rev/h or rad/h"),
        ("2 1/min^2", "angular_acceleration", "write rev/min^2 or rad/min^2"),
        ("30 grad", "angle", "'grad' is a degree in some languages and a gon"),
        ("30 Grad/s", "angular_speed", "write deg or gon"),
        ("1 kgg", "mass", "did you mean"),
        ("1 degC", "any", "not a known unit"),
        ("1 dB", "any", "not a known unit"),
        ("1 A", "any", "not a known unit"),
        ("m", "length", "not a number with a unit"),
        ("1 m^99", "length", "power"),
        ("1 m^0.5", "length", "does not belong in a unit"),
        ("1 (m", "length", "')' is missing"),
        ("1 m)", "length", "not expected"),
        ("1 m*", "length", "missing"),
        ("1 " + "m*" * 500, "length", "too long"),
        ("1e999", "length", "finite"),
        (math.nan, "length", "finite"),
        (True, "length", "neither a number"),
        (None, "length", "neither a number"),
    ],
)
def test_refusals_say_what_is_needed(text, dimension, message):
    with pytest.raises(UnitError) as caught:
        si(text, dimension)
    assert message in str(caught.value)


def test_a_unit_without_a_name_is_described_by_its_powers():
    assert describe(read_unit("kg^2/m")) == "in kg^2*m^-1"


@pytest.mark.parametrize(("text", "one"), [("1/50 s", "0.02 s"), ("3 / 4 m", "0.75 m"), ("1/2", "0.5")])
def test_a_fraction_is_answered_with_the_number_to_write(text: str, one: str) -> None:
    with pytest.raises(UnitError, match=f"write '{re.escape(one)}'"):
        si(text)
