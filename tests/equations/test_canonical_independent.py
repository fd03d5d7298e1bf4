"""Momenta of independent velocities: their rates, where they lie, and what a change of B does to them."""

import numpy as np
import pytest
from flow_matrices import input_rows, r_matrix
from shared_mechanisms import begin, mechanism_of

import linkwork as lw
from linkwork.equations.momenta import momentum_units
from linkwork.equations.terms import make_function
from linkwork.numerics.flows.r_matrix import BASES
from linkwork.numerics.integrators.run import integrate

CASES = [
    ("six_bar", "natural"),
    ("rscr", "reference_point"),
    ("redundant", "relative"),
    ("led_arm", "natural"),
    ("led_arm", "mixed"),
]


def momenta(mechanism, flow, t, y):
    """η = RᵀM v with the B that the flow uses now."""
    c = mechanism.coordinates
    nq, nv = c.q.numel(), c.v.numel()
    mass = np.array(make_function("mass", c, {"M": c.mass}).call([t, y, mechanism.start().p])[0])
    return r_matrix(flow, t, y).T @ mass @ y[nq : nq + nv]


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_momenta_lie_in_the_rows_of_b_and_change_as_their_rates_say(name, kind, basis):
    """π = Bᵀη, and η̇ = Rᵀ(h + Ṁ v) + ṘᵀM v is the derivative of RᵀM v along the motion, by differences of order 4."""
    mechanism = mechanism_of(name, kind)
    c = mechanism.coordinates
    nq, nv = c.q.numel(), c.v.numel()
    step, middle = 1e-3, 0.05
    times = middle + step * np.array([-2, -1, 0, 1, 2])
    motion, y, _ = begin(mechanism, lw.formulations.Partitioning())
    states = integrate("dop853", motion, y, [0, *times], rtol=1e-12, atol=1e-13).y[1:]
    flow, _, _ = begin(mechanism, lw.formulations.CanonicalIndependent(basis=basis))
    found = np.array([momenta(mechanism, flow, t, y) for t, y in zip(times, states, strict=True)])
    units = momentum_units(c, 0.0, mechanism.start().y, mechanism.start().p)
    state = flow.encode(middle, states[2])
    rates = np.zeros(state.size)
    assert flow.evaluate(middle, state, rates) >= 0
    size = max(1.0, float(np.abs(found).max()))
    np.testing.assert_allclose(units * state[nq : nq + nv], input_rows(flow).T @ found[2], atol=1e-10 * size)
    wanted = np.array([1, -8, 0, 8, -1]) @ found / (12 * step)
    np.testing.assert_allclose(
        r_matrix(flow, middle, states[2]).T @ (units * rates[nq : nq + nv]),
        wanted,
        atol=1e-6 * max(1.0, float(np.abs(wanted).max())),
    )
