"""Times, tolerances and formulas that make no sense are refused in words by every verb that takes them."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.formats.examples import example_text

PENDULUM = lw.loads(example_text("pendulum"))
(JOINT,) = PENDULUM.joints


@pytest.mark.parametrize("times", [["a"], [0.0, np.nan], [0.0, np.inf], [[0.0], [1.0, 2.0]], "abc", [None, 1.0], {}])
def test_times_that_are_none(times: object) -> None:
    verbs = (
        lambda: lw.simulate(PENDULUM, times=times),  # type: ignore[arg-type]
        lambda: lw.solve_kinematics(PENDULUM, {JOINT: "t"}, times=times),  # type: ignore[arg-type]
        lambda: lw.inverse_dynamics(PENDULUM, {f"{JOINT}.angle": "t"}, times=times),  # type: ignore[arg-type]
    )
    for verb in verbs:
        with pytest.raises(lw.LinkworkError):
            verb()


def test_times_may_carry_units() -> None:
    found = lw.simulate(PENDULUM, times=["10 ms", "0.5 s"])  # type: ignore[list-item]
    np.testing.assert_array_equal(found.time, [0.01, 0.5])


def test_spacings_that_would_fill_the_memory_are_refused() -> None:
    with pytest.raises(lw.errors.RefusedError, match=r"step = 1e-12: 1e\+12 outputs are more than the 1e\+07"):
        lw.simulate(PENDULUM, 1.0, step=1e-12)
    with pytest.raises(lw.errors.RefusedError, match="outputs are more"):
        lw.solve_kinematics(PENDULUM, {JOINT: "t"}, until=1.0, step=1e-12)


@pytest.mark.parametrize("rtol", [np.inf, np.nan, 0.5, -1e-9, 1e300])
def test_tolerances_that_are_none(rtol: float) -> None:
    with pytest.raises(lw.errors.RefusedError, match="tolerance"):
        lw.simulate(PENDULUM, 0.1, rtol=rtol)


def test_atol_is_finite() -> None:
    with pytest.raises(lw.errors.RefusedError, match="tolerance"):
        lw.simulate(PENDULUM, 0.1, atol=np.inf)
