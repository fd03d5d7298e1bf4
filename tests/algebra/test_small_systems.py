"""Small linear systems in straight-line code against numpy, with zero pivots on the way."""

import casadi as ca
import numpy as np
import pytest

from linkwork.algebra.linear import solve_linear


@pytest.mark.parametrize("n", range(1, 8))
def test_solution_and_determinant(n: int) -> None:
    a, b = ca.SX.sym("a", n, n), ca.SX.sym("b", n, 2)
    f = ca.Function("f", [a, b], list(solve_linear(a, b)))
    rng = np.random.default_rng(n)
    for trial in range(40):
        matrix, right = rng.normal(size=(n, n)), rng.normal(size=(n, 2))
        if n > 1 and trial % 2:
            matrix[0, 0] = 0.0
            matrix = matrix[rng.permutation(n)]
        x, determinant = (np.array(item) for item in f(matrix, right))
        exact = np.linalg.solve(matrix, right)
        # forward error: rounding times condition times the size of the solution
        np.testing.assert_allclose(x, exact, rtol=0, atol=4e-15 * np.linalg.cond(matrix) * np.max(np.abs(exact)))
        np.testing.assert_allclose(determinant.item(), np.linalg.det(matrix), atol=1e-12)


def test_structural_zeros_cost_nothing() -> None:
    n = 6
    full, upper = ca.SX.sym("a", n, n), ca.SX.sym("a", ca.Sparsity.upper(n))
    b = ca.SX.sym("b", n, 1)
    count = [ca.Function("f", [a, b], [solve_linear(a, b)[0]]).n_instructions() for a in (full, upper)]
    assert count[1] < count[0] / 3
