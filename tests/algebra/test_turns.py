"""Angles known as pairs put into expressions: the same numbers as with the angles themselves, and no inverse functions."""

import casadi as ca
import numpy as np
import pytest

from linkwork.algebra.turns import Replacements, Sum, linear_forms, replace_values

q = ca.SX.sym("q", 4)
x = ca.SX.sym("x")
c = ca.SX.sym("c")
s = ca.SX.sym("s")


def known(**more: object) -> Replacements:
    """q[1] is known as the pair (c, s), q[2] as x²."""
    return Replacements(q, direct={2: x * x}, turns={1: lambda: (c, s)}, angles={1: lambda: ca.atan2(s, c)}, **more)  # type: ignore[arg-type]


def evaluate(expression: ca.SX, values: Replacements, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """The expression with plain numbers, and the rewritten one with the pair."""
    (rewritten,) = replace_values([expression], values)
    plain = ca.Function("plain", [q, x], [expression])([0.4, angle, 1.1**2, 2.0], 1.1)
    pair = ca.Function("pair", [q, x, c, s], [rewritten])([0.4, np.nan, np.nan, 2.0], 1.1, np.cos(angle), np.sin(angle))
    return np.array(plain), np.array(pair)


@pytest.mark.parametrize("angle", [-2.5, 0.0, 0.7, 3.0])
@pytest.mark.parametrize(
    "expression",
    [
        ca.cos(q[1]),
        ca.sin(q[0] + q[1] + 0.3) * x + q[2],
        ca.cos(2 * q[1] - q[3]),
        ca.sin(-q[1] + x) / (2 + q[2]),
        q[1] ** 2 + ca.sin(q[1]),
        ca.diag(ca.vertcat(q[3], ca.sin(q[1] - x))),
        ca.cos(0.5 * q[1]),
    ],
)
def test_the_rewritten_expression_has_the_same_value(expression: ca.SX, angle: float) -> None:
    plain, pair = evaluate(expression, known(), angle)
    np.testing.assert_allclose(pair, plain, atol=1e-15)


def test_no_inverse_function_is_written_where_a_sine_will_do() -> None:
    (rewritten,) = replace_values([ca.cos(q[0] + q[1]) + ca.sin(q[1])], known())
    assert "atan2" not in str(rewritten)


def test_a_known_sum_is_used_as_a_whole() -> None:
    (body,) = linear_forms([q[0] + q[1] + 0.3], q)
    assert body.terms == {0: 1.0, 1: 1.0}
    pair = (ca.SX.sym("bc"), ca.SX.sym("bs"))
    (rewritten,) = replace_values([ca.cos(q[0] + q[1] + 0.3)], known(sums=[(body, lambda: pair)]))
    assert str(rewritten) == "bc"


def test_only_linear_forms_are_linear() -> None:
    with pytest.raises(ValueError, match="not linear"):
        linear_forms([q[2], q[0] * q[1]], q)
    first, second, third = linear_forms([2 * q[3] - x, x, q[1] - q[0]], q)
    assert (first.terms, second.terms, third.terms) == ({3: 2.0}, {}, {1: 1.0, 0: -1.0})
    assert isinstance(second, Sum) and str(second.rest) == str(x)
