"""Linear motions of ten mechanisms: the parts of their modes add up, and the whole is the matrix exponential."""

import numpy as np
import pytest
from scipy.linalg import expm
from ten_mechanisms import TEN, model_of

import linkwork as lw


@pytest.mark.parametrize("name", TEN)
def test_modes_add_up(name):
    linear = lw.linearise(model_of(name))
    start = 1e-3 * np.cos(np.arange(len(linear.states)))
    found = linear.simulate(0.2, step=0.05, initial=dict(zip(linear.states, start, strict=True)))
    exact = np.array([expm(t * linear.a) @ start for t in found.time])
    size = np.max(np.abs(exact))
    np.testing.assert_allclose(found.x, exact, atol=1e-11 * size)
    np.testing.assert_allclose(sum(found.parts.values()), exact, atol=1e-9 * size)
    # each part goes its own way
    for part in found.parts.values():
        np.testing.assert_allclose(part[-1], expm(0.2 * linear.a) @ part[0], atol=1e-9 * size)
