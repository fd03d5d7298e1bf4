"""Formulas: values against Python's own arithmetic and CasADi, round trips, places of errors, and no way to crash."""

import contextlib
import math

import casadi
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given

from linkwork.algebra.expressions import (
    FUNCTIONS,
    Binary,
    Call,
    Compare,
    Name,
    Number,
    Unary,
    evaluate,
    parse,
    to_float,
    to_sx,
)
from linkwork.errors import ExpressionError

VALUES = {"x": 0.7, "y": -1.3, "t": 2.5, "O.angle": 0.4, "coupler.P.x": 3.0}


def lookup(name):
    return VALUES[name]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^3^2", 512.0),
        ("2**-1", 0.5),
        ("2^-1^2", 0.5),
        ("1 - 2 - 3", -4.0),
        ("8/4/2", 1.0),
        ("-x*y", 0.91),
        ("2 - -3", 5.0),
        ("+x", 0.7),
        ("2*pi", 2 * math.pi),
        ("log(e)", 1.0),
        ("25 mm", 0.025),
        ("2*25 mm + 1 cm", 0.06),
        ("2*3 [N/m]*x", 4.2),
        ("3 N/m", 3.0),
        ("9.81 m/s²", 9.81),
        ("60 1/s", 60.0),
        ("-30 deg", -math.pi / 6),
        ("60 rpm", 2 * math.pi),
        ("5 t", 5000.0),
        ("25 mm*t", 0.0625),
        ("3 min", 180.0),
        ("1.5e2", 150.0),
        ("if(t < 3, 1, 1/0)", 1.0),
        ("if(x >= 0.7, 2, 3)", 2.0),
        ("if(x > 0.7, 2, 3)", 3.0),
        ("if(y <= -1.3, 2, 3)", 2.0),
        ("mod(-1, 3)", 2.0),
        ("mod(7.5, -2)", -0.5),
        ("step(0) + step(-1) + step(2)", 2.0),
        ("sign(0) + sign(-3)", -1.0),
        ("min(3, 1, 2) + max(1, 2)", 3.0),
        ("floor(-1.5) + ceil(1.2)", 0.0),
        ("atan2(1, -1)", 3 * math.pi / 4),
        ("sqrt(abs(-9))", 3.0),
        ("O.angle*coupler.P.x", 1.2),
    ],
)
def test_values(text, value):
    expression = parse(text)
    assert to_float(expression, lookup) == pytest.approx(value, rel=1e-14, abs=1e-15)
    assert float(casadi.DM(to_sx(expression, lookup))) == pytest.approx(value, rel=1e-14, abs=1e-15)


def test_names():
    assert parse("2*l1 + sin(w*t) + O.angle - pi").names() == {"l1", "w", "t", "O.angle"}


def test_symbols_stay_symbols_in_casadi():
    symbols = {"x": casadi.SX.sym("x"), "t": casadi.SX.sym("t")}
    expression = to_sx(parse("if(x < t, x^2, sin(t))*mod(x, 2)"), symbols.__getitem__)
    function = casadi.Function("f", list(symbols.values()), [expression])
    assert float(function(0.5, 1.0)) == pytest.approx(0.125, rel=1e-15)
    assert float(function(1.5, 1.0)) == pytest.approx(math.sin(1.0) * 1.5, rel=1e-15)


# -- random trees ----------------------------------------------------------------------------------------------------

SAFE_FUNCTIONS = ("sin", "cos", "tanh", "atan", "abs", "floor", "ceil", "step", "sign")
numbers = st.floats(-100, 100, allow_nan=False).map(Number)
leaves = st.one_of(numbers, st.sampled_from([Name(name) for name in VALUES]), st.just(Number(0.025, "25 mm")))


def _branches(children):
    binary = st.builds(Binary, st.sampled_from("+-*/^"), children, children)
    unary = st.builds(Unary, st.just("-"), children.filter(lambda node: not isinstance(node, Number)))
    single = st.builds(lambda f, x: Call(f, (x,)), st.sampled_from(SAFE_FUNCTIONS), children)
    several = st.builds(lambda f, *x: Call(f, x), st.sampled_from(["min", "max"]), children, children, children)
    compare = st.builds(Compare, st.sampled_from(["<", "<=", ">", ">="]), children, children)
    choice = st.builds(lambda c, a, b: Call("if", (c, a, b)), compare, children, children)
    return st.one_of(binary, unary, single, several, choice)


trees = st.recursive(leaves, _branches, max_leaves=20)


def python_text(node):
    """The same formula in Python, fully parenthesised."""
    match node:
        case Number(value):
            return f"({value!r})"
        case Name(name):
            return f"V[{name!r}]"
        case Unary(_, operand):
            return f"(-{python_text(operand)})"
        case Binary("^", left, right):
            return f"pow({python_text(left)}, {python_text(right)})"
        case Binary(operator, left, right) | Compare(operator, left, right):
            return f"({python_text(left)} {operator} {python_text(right)})"
        case Call("if", (condition, then, otherwise)):
            return f"({python_text(then)} if {python_text(condition)} else {python_text(otherwise)})"
        case Call(function, arguments):
            return f"{function}({', '.join(map(python_text, arguments))})"
    raise AssertionError(node)


PYTHON_NAMES = {
    **{name: getattr(math, name) for name in ("sin", "cos", "tanh", "atan", "floor", "ceil", "pow")},
    "abs": abs,
    "min": min,
    "max": max,
    "V": VALUES,
    "step": lambda x: float(x >= 0),
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
}


def python_value(node):
    """The value by Python's own parser and arithmetic; None where there is none."""
    try:
        value = eval(python_text(node), dict(PYTHON_NAMES))
    except (ArithmeticError, ValueError):
        return None
    return float(value) if math.isfinite(value) else None


@given(trees)
def test_random_trees_have_the_value_that_python_gives(tree):
    expected = python_value(tree)
    assume(expected is not None)
    assert to_float(tree, lookup) == pytest.approx(expected, rel=1e-13, abs=1e-300)


@given(trees)
def test_text_and_tree_round_trip(tree):
    assert parse(str(tree)) == tree


def test_every_function_exists_in_both_arithmetics():
    for name, (least, _) in FUNCTIONS.items():
        arguments = "0.3 < 0.4, 0.5, 0.6" if name == "if" else ", ".join(["0.3", "0.4", "0.5", "0.6", "0.7"][:least])
        expression = parse(f"{name}({arguments})")
        assert float(casadi.DM(to_sx(expression, lookup))) == pytest.approx(to_float(expression), rel=1e-15)


# -- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "column", "fragment"),
    [
        ("", 1, "empty"),
        ("2*sine(t)", 3, "did you mean one of: sin"),
        ("2*(3 + x", 9, "expected ')' for the '(' of column 3"),
        ("2 l1", 3, "2*l1"),
        ("2 t + 1", 3, "2*t"),
        ("2 pi", 3, "2*pi"),
        ("3 min(1, 2)", 3, "3*min"),
        ("2 3", 3, "a star"),
        ("x y", 3, "a star"),
        ("x (y)", 1, "unknown function 'x'"),
        ("(x) [m]", 5, "right after a number"),
        ("sin", 1, "sin(...)"),
        ("sin()", 1, "takes 1 argument"),
        ("mod(1)", 1, "takes 2 arguments, not 1"),
        ("min(1)", 1, "at least 2"),
        ("x < 2", 3, "first argument of if"),
        ("(x < 2)", 4, "first argument of if"),
        ("if(x, 1, 2)", 5, "comparison"),
        ("if(x < 1 < 2, 1, 2)", 10, "not allowed here"),
        ("2 +", 4, "instead of the end"),
        ("*2", 1, "instead of '*'"),
        ("2 = x", 3, "comparisons"),
        ("−2", 1, "keyboard"),
        ("2 [N", 3, "closed by ']'"),
        ("2 [parsnips]", 3, "not a known unit"),
        ("1e999", 1, "too large"),
        ("ä + 1", 1, "letters a-z"),
        ("x.1", 2, "expected an operator"),
        ("__import__('os')", 12, "unexpected"),
        ("(" * 5000, 152, "nested"),
        ("-" * 5000 + "1", 152, "nested"),
        ("sin(" * 200 + "x" + ")" * 200, 605, "nested"),
        ("1" * 30000, 1, "too long"),
    ],
)
def test_errors_show_place_and_remedy(text, column, fragment):
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    message = str(caught.value)
    assert f"at column {column}\n" in message
    assert fragment in message
    shown, caret = message.split("\n")[1:3]
    assert caret.strip() == "^"
    if column <= len(text):
        assert shown[caret.index("^")] == text[column - 1]


@pytest.mark.parametrize(
    "text", ["1/0", "sqrt(-1)", "log(0)", "(-8)^(1/3)", "exp(1e6)", "1e308*10", "asin(2)", "mod(1, 0)"]
)
def test_a_formula_without_a_value_says_so(text):
    with pytest.raises(ExpressionError, match="has no"):
        to_float(parse(text))


def test_a_name_without_a_value_says_so():
    with pytest.raises(ExpressionError, match="'x' has no value here"):
        to_float(parse("2*x"))


def test_evaluate_works_in_any_arithmetic():
    counting = {"number": lambda value: 1, "+": lambda a, b: a + b, "*": lambda a, b: a + b}
    assert evaluate(parse("1 + x*2"), lambda name: 10, counting) == 12


@given(st.text(alphabet="0123456789.eE+-*/^()[]<>=, \tabtxyzNmgskr°²µ_if", max_size=60))
def test_no_text_escapes_as_another_error(text):
    with contextlib.suppress(ExpressionError):
        parse(text)


@given(st.text(max_size=40))
def test_no_unicode_text_escapes_as_another_error(text):
    with contextlib.suppress(ExpressionError):
        assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize("count", [99, 100, 101, 102, 151, 1000, 2500])
def test_long_sums_and_products_are_no_nesting(count: int) -> None:
    rng = np.random.default_rng(count)
    signs = rng.choice(["+", "-"], count)
    numbers = rng.uniform(0.5, 1.5, count + 1).round(2)
    text = str(numbers[0]) + "".join(f"{sign}{x}" for sign, x in zip(signs, numbers[1:], strict=True))
    expected = numbers[0] + sum(x if sign == "+" else -x for sign, x in zip(signs, numbers[1:], strict=True))
    found = parse(text)
    assert to_float(found) == pytest.approx(expected, abs=1e-10)
    assert parse(str(found)) == found
    assert float(to_sx(found, lambda name: 0.0)) == to_float(found)
    factors = rng.choice(["*", "/"], count)
    product = parse(str(numbers[0]) + "".join(f"{sign}{x}" for sign, x in zip(factors, numbers[1:], strict=True)))
    logs = np.log(numbers[1:]) * np.where(factors == "*", 1, -1)
    assert to_float(product) == pytest.approx(numbers[0] * np.exp(logs.sum()), rel=1e-10)
    assert parse(str(product)) == product


def test_a_remainder_of_zero_has_no_value_anywhere() -> None:
    with pytest.raises(ExpressionError, match="no value"):
        to_float(parse("mod(1, 0)"))
    assert np.isnan(float(to_sx(parse("mod(1, 0)"), lambda name: 0.0)))
    x = casadi.SX.sym("x")
    assert np.isnan(float(casadi.Function("f", [x], [to_sx(parse("mod(1, x)"), lambda name: x)])(0.0)))
