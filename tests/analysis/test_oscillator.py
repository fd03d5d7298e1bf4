"""Errors of period and amplitude against problem 7/1 and the runs of problem 7/2 of the book."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw


@pytest.mark.parametrize(("name", "published"), [("trapezoidal", -0.843569151), ("rk4", -0.83907546)])
def test_oscillator_after_ten_seconds(name: str, published: float) -> None:
    """ÿ + y = 0, y(0) = 1, h = 0.1. SOURCE: García de Jalón and Bayo, problems 7/1(a) and 7/2, worked out: y(10)."""
    (row,) = lw.integrators.oscillator_table([name], [0.1])
    assert row.amplification**100 * np.cos(100 * row.turn) == pytest.approx(published, abs=6e-9)


def test_the_trapezoidal_rule_lengthens_the_period_and_does_not_damp() -> None:
    """φ = 2 atan(ωh/2), 0.0833 % at ωh = 0.1. SOURCE: as above."""
    (row,) = lw.integrators.oscillator_table(["trapezoidal"], [0.1])
    assert row.elongation == pytest.approx(0.05 / np.arctan(0.05) - 1, rel=1e-9)
    assert row.elongation == pytest.approx(0.000833, abs=5e-7)
    assert row.damping_ratio == pytest.approx(0.0, abs=1e-14)
    assert row.amplitude == pytest.approx(1.0, abs=1e-13)


def test_backward_euler_damps_by_the_root_of_one_plus_the_square() -> None:
    """R(iωh) = 1 / (1 − iωh), so y(10) = 1.01⁻⁵⁰ cos(100 atan 0.1) in problem 7/1 with steps of true backward Euler."""
    (row,) = lw.integrators.oscillator_table(["backward_euler"], [0.1])
    assert row.amplification == pytest.approx(1 / np.sqrt(1.01), rel=1e-15)
    assert row.turn == pytest.approx(np.arctan(0.1), rel=1e-15)
    assert row.elongation == pytest.approx(0.1 / np.arctan(0.1) - 1, rel=1e-9)


def test_gauss_lengthens_the_period_by_the_error_of_its_series() -> None:
    """tan(φ/2) is the next fraction of tan(ωh/2): x, x / (1 − x²/3), x (1 − x²/15) / (1 − 2x²/5) with x = ωh/2."""
    h, x = 0.5, 0.25
    rows = lw.integrators.oscillator_table(["implicit_midpoint", "gauss4", "gauss6"], [h])
    fractions = [x, x / (1 - x**2 / 3), x * (1 - x**2 / 15) / (1 - 2 * x**2 / 5)]
    for row, fraction in zip(rows, fractions, strict=True):
        assert row.amplification == pytest.approx(1.0, abs=1e-14)
        assert row.turn == pytest.approx(2 * np.arctan(fraction), rel=1e-13)


def test_euler_grows_by_the_root_of_one_plus_the_square() -> None:
    (row,) = lw.integrators.oscillator_table(["euler"], [0.5])
    assert row.amplification == pytest.approx(np.sqrt(1.25), rel=1e-15)
    assert row.turn == pytest.approx(np.arctan(0.5), rel=1e-15)
    assert row.damping_ratio < 0.0


def test_errors_fall_with_the_order() -> None:
    """The error of the period goes with the order of the method, or the next even one."""
    for row, half in zip(
        *(lw.integrators.oscillator_table(["euler", "heun", "rk4", "rkf45"], [h]) for h in (0.02, 0.01)), strict=True
    ):
        expected = {"euler": 2, "heun": 2}.get(row.method, 4)
        assert np.log2(row.elongation / half.elongation) == pytest.approx(expected, abs=0.05)


def test_the_table_prints() -> None:
    table = lw.integrators.oscillator_table(["trapezoidal", "dop853"], [0.1, 2.0])
    _, *lines = str(table).splitlines()
    assert lines[0].split() == [
        "integrator",
        "ωh",
        "steps/period",
        "elongation",
        "%",
        "damping",
        "ratio",
        "amplitude/period",
    ]
    assert lines[1].split() == ["trapezoidal", "0.1", "62.83", "0.0833", "0", "1"]
    assert len(lines) == 1 + len(table) == 5
    assert len(lw.integrators.oscillator_table()) > 4


def test_multistep_methods_turn_by_their_principal_root() -> None:
    """BDF2 on ẏ = iωy: (3/2 − z) ζ² − 2 ζ + 1/2 = 0; one of the roots stands for e^z."""
    z = 0.1j
    exact = (2 + np.sqrt(4 - 2 * (1.5 - z))) / (2 * (1.5 - z))
    (row,) = lw.integrators.oscillator_table(["bdf2"], [0.1])
    assert row.amplification == pytest.approx(abs(exact), rel=1e-14)
    assert row.turn == pytest.approx(np.angle(exact), rel=1e-14)
    assert row.damping_ratio > 0.0
    assert {"abm4", "bdf5"} <= {row.method for row in lw.integrators.oscillator_table()}
    assert not {"adams", "bdf"} & {row.method for row in lw.integrators.oscillator_table()}


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(lw.errors.RefusedError, match="got -1"):
        lw.integrators.oscillator_table(["rk4"], [-1.0, 0.1])
    with pytest.raises(lw.errors.UnknownNameError, match="rk4"):
        lw.integrators.stability_limits("rk44")
