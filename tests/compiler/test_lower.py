"""An instruction list computes what the expressions say, each thing once, and is refused when it cannot be."""

from __future__ import annotations

import casadi as ca
import pytest

from linkwork.compiler import Op, lower
from linkwork.compiler.operations import SOURCES
from linkwork.errors import CompileError

T, Y, P = ca.SX.sym("t"), ca.SX.sym("y", 3), ca.SX.sym("p", 2)


def function(*outputs: ca.SX) -> ca.Function:
    return ca.Function("f", [T, Y, P], list(outputs))


def operations(*outputs: ca.SX) -> list[Op]:
    return [op for op, _, _ in lower(function(*outputs)).rows() if op not in SOURCES]


def test_sizes_and_layout() -> None:
    code = lower(ca.Function("f", [T, Y, P], [Y * T, ca.SX.ones(2, 3) * P[0]], ["t", "y", "p"], ["a", "b"]))
    assert (code.size_y, code.size_p, code.size_out) == (3, 2, 9)
    assert code.layout == (("a", (3, 1)), ("b", (2, 3)))


def test_a_repeated_expression_is_computed_once() -> None:
    # the two are different nodes of CasADi's graph, in a different order
    assert operations(ca.sin(Y[0] + Y[1]), ca.sin(Y[1] + Y[0])) == [Op.ADD, Op.SIN]
    assert operations(Y[0] - Y[1], Y[1] - Y[0]) == [Op.SUB, Op.SUB]


def test_squares_doubles_and_reciprocals_are_ordinary_operations() -> None:
    assert operations(Y[0] ** 2, 2 * Y[0], 1 / Y[0]) == [Op.MUL, Op.ADD, Op.DIV]


def test_equal_constants_are_held_once() -> None:
    code = lower(function(Y[0] + 0.1, Y[1] * 0.1, ca.SX(0.1)))
    assert code.constants.tolist() == [0.1]


def test_structural_zeros_are_written() -> None:
    sparse = ca.sparsify(ca.vertcat(ca.horzcat(Y[0], 0), ca.horzcat(0, Y[1])))
    code = lower(function(sparse))
    assert sparse.nnz() == 2
    listing = code.listing()
    names = {line.split(" = ")[1]: line.split(" = ")[0] for line in listing.splitlines() if line.startswith("%")}
    expected = [names["y[0]"], names["0.0"], names["0.0"], names["y[1]"]]
    assert listing.splitlines()[-4:] == [f"out[{k}] = {name}" for k, name in enumerate(expected)]


def test_every_value_is_needed() -> None:
    code = lower(function(ca.jacobian(ca.sin(Y[0] * Y[1]) / Y[2], Y)))
    used = set(code.outputs.tolist())
    for op, first, second in code.rows():
        if op not in SOURCES:
            used |= {first, second}
    assert used - {-1} == set(range(len(code.opcodes)))


def test_every_operand_comes_before_its_use() -> None:
    code = lower(function(ca.inv(ca.SX.eye(3) * 3 + Y @ Y.T) @ ca.sin(Y * T)))
    for i, (op, first, second) in enumerate(code.rows()):
        if op not in SOURCES:
            assert first < i and second < i


def test_the_key_names_the_content() -> None:
    code = lower(function(Y[0] * 2.5))
    assert code == lower(ca.Function("another_name", [T, Y, P], [Y[0] * 2.5]))
    others = [function(Y[0] * 2.25), function(Y[1] * 2.5), function(Y[0] + 2.5), function(Y[0] * 2.5, Y[0])]
    assert len({code.key, *(lower(other).key for other in others)}) == 5


def test_functions_of_matrices_are_expanded() -> None:
    t, y, p = ca.MX.sym("t"), ca.MX.sym("y", 3), ca.MX.sym("p", 2)
    code = lower(ca.Function("f", [t, y, p], [ca.norm_2(y) * t]))
    assert {op for op, _, _ in code.rows()} >= {Op.SQRT, Op.MUL, Op.ADD}


def test_what_has_no_scalar_form_is_refused() -> None:
    t, y, p = ca.MX.sym("t"), ca.MX.sym("y", 3), ca.MX.sym("p", 2)
    table = ca.interpolant("table", "linear", [[0.0, 1.0, 2.0]], [0.0, 1.0, 4.0])
    with pytest.raises(CompileError, match="'f' calls a function that has no scalar form; write it with"):
        lower(ca.Function("f", [t, y, p], [table(t)]))
    with pytest.raises(CompileError, match="'f' contains an operation that has no scalar form; write it with"):
        lower(ca.Function("f", [t, y, p], [ca.low(ca.DM([0.0, 1.0, 2.0]), t)]))


def test_an_unknown_operation_is_named() -> None:
    with pytest.raises(CompileError, match="'f' uses the operation erfinv"):
        lower(function(ca.erfinv(Y[0])))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([T, Y], "2 inputs"),
        ([Y, T, P], "input 0 .* the time"),
        ([T, ca.SX.sym("y", 2, 2), P], "input 1 .* the state"),
        ([T, Y, ca.SX.sym("p", ca.Sparsity.lower(2))], "input 2 .* the live parameters"),
        ([T, ca.SX.sym("y", ca.Sparsity(3, 1)), P], "input 1"),
    ],
)
def test_wrong_inputs_are_refused(inputs: list[ca.SX], message: str) -> None:
    with pytest.raises(CompileError, match=message):
        lower(ca.Function("f", inputs, [ca.SX(1)]))


def test_inputs_may_be_empty() -> None:
    code = lower(ca.Function("f", [T, ca.SX(0, 1), ca.SX(0, 0)], [T * 3]))
    assert (code.size_y, code.size_p, code.size_out) == (0, 0, 1)


def test_it_prints_readably() -> None:
    text = str(lower(function(ca.sin(Y[0]) * P[1])))
    assert "f(t, y[3], p[2]) -> out[1]: 2 operations" in text
    assert "%1 = sin(%0)" in text
    assert "out[0] = %3" in text
    long = str(lower(function(*[Y[0] + k for k in range(100)])))
    assert "more lines" in long
    assert len(long.splitlines()) < 50
