"""Stability of multistep methods by their characteristic roots, against published limits and real runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from compiled_flows import flow, oscillator

from linkwork.analysis.methods.stability_limits import stability_limits
from linkwork.errors import RefusedError
from linkwork.numerics.integrators import ALL_METHODS
from linkwork.numerics.integrators.adams_moulton import AM3, adams_bashforth_moulton
from linkwork.numerics.integrators.multistep import Multistep
from linkwork.numerics.integrators.root_locus import stability_roots
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.stability import stability_function

MULTISTEP = [method for method in ALL_METHODS if isinstance(method, Multistep)]
methods = pytest.mark.parametrize("method", MULTISTEP, ids=lambda method: method.name)


@methods
def test_declared_stability_is_that_of_the_roots(method: Multistep) -> None:
    assert stability_roots(method).stability == method.stability


@methods
def test_the_principal_root_is_the_exponential_to_the_order(method: Multistep) -> None:
    errors = [abs(stability_roots(method)(z) - np.exp(z)) for z in (0.02 + 0.015j, 0.01 + 0.0075j)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(method.order + 1, abs=0.2)


@pytest.mark.parametrize(
    ("name", "real"),
    [
        *zip(["ab1", "ab2", "ab3", "ab4"], [2, 1, 6 / 11, 3 / 10], strict=True),
        ("ab5", 90 / 551),
        *zip(["am3", "am4", "am5"], [6, 3, 90 / 49], strict=True),
        # 1 + z + z² = 1, and ζ = 1 in ζ² = ζ (1 + z + 3/4 z²) − z²/4
        *zip(["abm1", "abm2"], [1, 2], strict=True),
        *zip(["am1", "am2", "bdf1", "bdf2", "bdf3", "bdf4", "bdf5"], [math.inf] * 7, strict=True),
    ],
)
def test_published_limits_on_the_real_axis(name: str, real: float) -> None:
    """SOURCE: J. D. Lambert, Computational Methods in Ordinary Differential Equations, 1973, table 3.2."""
    assert stability_limits(name).real == pytest.approx(real, rel=1e-12)


def test_published_limit_of_the_predictor_corrector() -> None:
    """1.25 for PECE of order 4. SOURCE: Lambert, 1973, section 3.11, to two figures; 3 with corrections to convergence."""
    assert stability_limits("abm4").real == pytest.approx(1.28, abs=0.05)
    assert stability_limits(adams_bashforth_moulton(4, 0)).real == pytest.approx(3.0, rel=1e-12)


def test_published_angles() -> None:
    """SOURCE: Hairer and Wanner II, table V.2.1."""
    for k, angle in enumerate([90, 90, 86.03, 73.35, 51.84], start=1):
        assert math.degrees(stability_limits(f"bdf{k}").angle) == pytest.approx(angle, abs=5e-3)
    assert stability_limits("am4").angle == 0.0


@methods
def test_limits_are_where_solutions_begin_to_grow(method: Multistep) -> None:
    function = stability_roots(method)
    for direction in (-1.0, 1j, -1.0 + 1j):
        limit = function.limit(complex(direction))
        inside = np.linspace(0.0, min(limit, 100.0), 200)[1:-1]
        assert np.all(function.growth(inside * direction) <= 1.0 + 1e-12)
        if np.isfinite(limit):
            assert function.growth((limit + 0.02) * direction) > 1.0


@methods
def test_a_run_is_multiplied_by_its_principal_root(method: Multistep) -> None:
    """ẏ = (y₂, −y₁) is ż = −iz; the other roots have died out after 200 steps."""
    found = integrate(method, flow(oscillator), [1.0, 0.0], 0.1 * np.arange(202), step=0.1)
    first, second = found.y[-2:] @ [1.0, 1j]
    np.testing.assert_allclose(second / first, stability_roots(method)(-0.1j), rtol=1e-10)


def test_corrections_one_after_the_other() -> None:
    """With k corrections π is that of the corrector applied k times; many of them are as good as convergence."""
    z = np.array([-0.3 + 0.2j, 0.1j, -0.7])
    many, converged = (stability_roots(adams_bashforth_moulton(3, count)).growth(z) for count in (40, 0))
    np.testing.assert_allclose(many, converged, rtol=1e-9)
    np.testing.assert_allclose(converged, stability_roots(AM3).growth(z), rtol=1e-12)


def test_printing_and_refusal() -> None:
    assert str(stability_limits("bdf3")).endswith("A(86.03°)-stable")
    assert "h|λ| ≤ 0.3 for decay" in str(stability_limits("ab4"))
    with pytest.raises(RefusedError, match=r"'adams' has no stability function.*fixed order"):
        stability_function("adams")
