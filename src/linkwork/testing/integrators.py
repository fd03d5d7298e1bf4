"""An integrator has the order and the stability that it declares: by its tableau, and by runs."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from linkwork.analysis.runs.simulate import simulate
from linkwork.numerics.integrators.base import Method, RungeKutta
from linkwork.numerics.integrators.multistep import Multistep
from linkwork.numerics.integrators.stability import stability_function
from linkwork.testing.comparing import Array, require, require_close
from linkwork.testing.mechanisms import crank_rocker

UNTIL = 0.5
# steps by order, few enough for errors to stay above rounding, and many enough for higher powers to have gone
STEPS = {1: 256, 2: 256, 3: 128, 4: 192, 5: 64, 6: 48, 7: 24, 8: 16}


def check_integrator(method: Method, *, steps: int = 0) -> None:
    """Check the order of a method of fixed order, and its stability where there is a function of it.

    steps: of half a second, where the usual are too few
    """
    if isinstance(method, RungeKutta):
        check_tableau(method)
    if isinstance(method, RungeKutta | Multistep):
        found = stability_function(method).stability
        require(found == method.stability, f"{method.name}: it is {found}, and says that it is {method.stability}")
    check_order(method, steps)


def check_tableau(method: RungeKutta) -> None:
    """Σ a_ij = c_i; b Aʲ cⁱ = i!/(i + j)!/(i + j + 1) for i + j < order, and the same of b(θ) of the dense output."""
    name, a, c = method.name, method.matrix, method.nodes
    require_close(f"{name}: row sums", a.sum(axis=1), c, 3e-15)
    for vector, factor, total in _tall_trees(a, c, method.order):
        require_close(f"{name}: condition of order {total + 1}", a[method.stages] @ vector, factor / (total + 1), 5e-15)
    for theta in (0.0, 0.3, 0.77, 1.0):
        b = method.dense @ theta ** np.arange(1, method.dense.shape[1] + 1)
        for vector, factor, total in _tall_trees(a, c, method.dense_order):
            expected = factor * theta ** (total + 1) / (total + 1)
            require_close(f"{name}: dense output, order {total + 1}", b @ vector, expected, 2e-13)


def _tall_trees(a: Array, c: Array, order: int) -> list[tuple[Array, float, int]]:
    """Stage vectors whose weighted sums are the conditions of the trees without branches: Aʲ cⁱ i! / (i + j)!"""
    vectors = []
    for i in range(order):
        vector = c**i
        for j in range(order - i):
            vectors.append((vector, math.factorial(i) / math.factorial(i + j), i + j))
            vector = a @ vector
    return vectors


def check_order(method: Method, steps: int = 0) -> None:
    """Errors of a crank-rocker under gravity fall with the declared order, when its steps are halved."""
    count = steps or STEPS[min(method.order, max(STEPS))]
    errors = [np.linalg.norm(course(integrator=method, fixed_step=UNTIL / n) - reference()) for n in (count, 2 * count)]
    require_close(f"{method.name}: order", np.log2(errors[0] / errors[1]), method.order, 0.2)


def course(**options: object) -> Array:
    """Angle and speed of the crank on the way: at any one time the power of the error that counts may pass through zero."""
    result = simulate(crank_rocker(), until=UNTIL, step=UNTIL / 8, **options)  # type: ignore[arg-type]
    return np.array([result[name] for name in ("O.angle", "O.speed")])


@cache
def reference() -> Array:
    """The same by steps that dop853 chooses, in other coordinates and with multipliers."""
    return course(integrator="dop853", rtol=1e-13, atol=1e-13, coordinates="natural", formulation="multipliers")
