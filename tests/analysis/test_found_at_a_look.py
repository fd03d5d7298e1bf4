"""What a run says about itself is found at the first look at it, and is the same then as at once."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.bench.iftomm import n_four_bar

FLAT = """
linkwork: 1
space: planar
points: {A: [0, 0], B: [1, 0], C: [2, 0], D: [3, 0]}
bodies: {crank: {bar: [A, B], mass: 1}, coupler: {bar: [B, D], mass: 1}, rocker: {bar: [C, D], mass: 1}}
joints:
  A: {kind: revolute, bodies: [ground, crank]}
  B: {kind: revolute, bodies: [crank, coupler]}
  C: {kind: revolute, bodies: [ground, rocker]}
  D: {kind: revolute, bodies: [coupler, rocker]}
initial: {A: {speed: 1}}
"""


def test_notes_tell_of_singular_positions_and_only_who_looks_waits_for_them() -> None:
    """The rods of a window are singular where they lie in line with the couplers, a quarter turn from where they begin."""
    result = lw.simulate(n_four_bar(2), until="3 s")
    assert "notes" not in vars(result)
    assert "vdot" not in vars(result.source)
    turned = np.abs(result["A0.angle"] - result["A0.angle"][0])
    quarter = np.interp(np.pi / 2, turned[:1000], result.time[:1000])
    assert f"({quarter:.4g}"[:5] in result.notes[-1]
    assert "singular positions" in result.notes[-1]
    assert result.notes is result.notes
    assert pickle.loads(pickle.dumps(result)).notes == result.notes


def test_accelerations_are_those_of_the_equations_whenever_they_are_asked_for() -> None:
    """I θ̈ = W sin θ with θ from the vertical, whatever has been done with the mechanism in between."""
    mechanism = lw.prepare(n_four_bar(2))
    early, late = (lw.simulate(mechanism, until="1 s", audit=False) for _ in range(2))
    first = early["A0.acceleration"]
    lw.simulate(mechanism, until="5 s")
    np.testing.assert_array_equal(late["A0.acceleration"], first)
    inertia, weight = 3 / 3 + 2, (3 / 2 + 2) * 9.81
    theta = late["A0.angle"] - late["A0.angle"][0]
    np.testing.assert_allclose(first, weight / inertia * np.sin(theta), rtol=1e-9, atol=1e-9)


def test_a_start_that_was_refused_is_refused_again() -> None:
    mechanism = lw.prepare(lw.loads(FLAT))
    for _ in range(2):
        with pytest.raises(lw.errors.RefusedError, match="the start position is singular"):
            lw.simulate(mechanism, until="1 s")
