"""RGGR and RRGG against Newton's method, against the long coefficients of direction cosine matrices, and by reflection.

SOURCE: the review of exact displacement analysis of closed loops by direction cosine matrices and by the reflection
method gives the long coefficients, used here with their misprints corrected (the arm has cos ξ along the axis; the sign
of l₂² in C₃; the bracket of C₁).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, cos, sin

import casadi as ca
import numpy as np
import pytest
from newton_multistart import Array, all_roots, assert_same_roots
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from linkwork.closed_form.distance_links import SwingingArm, distance_coefficients, distance_link

ball_, length_, pivot_, axis_, arm_ = (ca.SX.sym(n, k) for n, k in zip("blpua", (3, 1, 3, 3, 3), strict=True))
data = [ball_, length_, pivot_, axis_, arm_]
branches = [distance_link(ball_, length_, SwingingArm(pivot_, axis_, arm_), side) for side in (1, -1)]
stated = [ca.vertcat(b.valid, *b.turn, b.ball, b.link) for b in branches]
solve = ca.Function("solve", data, stated)
coefficients = ca.Function(
    "coefficients", data, [ca.vertcat(*distance_coefficients(*data[:2], SwingingArm(*data[2:])))]
)


@dataclass(frozen=True)
class Rggr:
    """An RGGR: pivots O₁ = 0 and l₄, unit axes p₁, p₂, arms from the pivots to the balls, length of the coupler."""

    l4: Array
    p1: Array
    p2: Array
    arm1: Array
    arm2: Array
    length: float

    def tip(self, theta: float) -> Array:
        return Rotation.from_rotvec(theta * self.p1).apply(self.arm1)

    def closed(self, theta: float) -> list[Array]:
        rows = solve(self.tip(theta), self.length, self.l4, self.p2, self.arm2)
        return [np.array(row).ravel() for row in rows]


def in_axis_frame(p: Array, l4: Array, polar: float, length: float) -> Array:
    """The arm at zero angle: in the plane of the axis and l₄, at the angle *polar* to the axis."""
    beside = l4 - (l4 @ p) * p
    return length * (cos(polar) * p + sin(polar) * beside / np.linalg.norm(beside))


def random_rggr(rng: np.random.Generator, crank: float) -> Rggr:
    """A mechanism that can be assembled at some random position; angles are measured from the planes with l₄."""
    l4 = rng.normal(size=3) * 1.5
    p1, p2 = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
    xi, alpha = rng.uniform(0.4, 2.7, 2)
    arm1, arm2 = in_axis_frame(p1, l4, xi, crank), in_axis_frame(p2, l4, alpha, rng.uniform(0.8, 2.0))
    start, end = rng.uniform(-3, 3, 2)
    coupler = l4 + Rotation.from_rotvec(end * p2).apply(arm2) - Rotation.from_rotvec(start * p1).apply(arm1)
    return Rggr(l4, p1, p2, arm1, arm2, float(np.linalg.norm(coupler)))


def turned(axis: Array, arm: Array, x: NDArray) -> NDArray:
    """The arm turned by the angles x (N, 1), by Rodrigues' formula."""
    return np.cos(x) * arm + np.sin(x) * np.cross(axis, arm) + (1 - np.cos(x)) * (axis @ arm) * axis


def newton(m: Rggr, theta: float, starts: Array) -> Array:
    def gap(x: NDArray) -> NDArray:
        coupler = m.l4 + turned(m.p2, m.arm2, x) - m.tip(theta)
        return (coupler * coupler).sum(axis=1, keepdims=True) - m.length**2

    return all_roots(gap, starts, 1)


def long_coefficients(m: Rggr, theta: float) -> Array:
    """C₁, C₂, C₃ by direction cosine matrices, corrected."""
    l1, l2, l3, l4 = np.linalg.norm(m.arm1), m.length, np.linalg.norm(m.arm2), np.linalg.norm(m.l4)
    u4 = m.l4 / l4
    c_eta, c_beta, c_xi, c_al = m.p1 @ u4, m.p2 @ u4, m.p1 @ m.arm1 / l1, m.p2 @ m.arm2 / l3
    s_eta, s_beta, s_xi, s_al = (sin(acos(c)) for c in (c_eta, c_beta, c_xi, c_al))
    tau, pi, k = m.p1 @ np.cross(m.p2, u4), m.p1 @ m.p2, 2 * l1 * l3 / (s_eta * s_beta)
    c, s = cos(theta), sin(theta)
    first = (c_beta - pi * c_eta) * c_beta - s_eta**2
    c1 = 2 * l3 * l4 * s_beta * s_al + k * (
        first * s_xi * s_al * c - tau * s_xi * s_al * c_beta * s + (pi * c_beta - c_eta) * s_eta * c_xi * s_al
    )
    c2 = k * (tau * c_eta * s_xi * s_al * c + (c_eta * c_beta - pi) * s_xi * s_al * s - tau * s_eta * c_xi * s_al)
    c3 = l1**2 - l2**2 + l3**2 + l4**2 - 2 * l1 * l4 * (s_xi * s_eta * c + c_xi * c_eta) + 2 * l3 * l4 * c_beta * c_al
    c3 -= k * (
        (c_beta - pi * c_eta) * s_xi * s_beta * c_al * c - tau * s_xi * s_beta * c_al * s
        + pi * s_eta * c_xi * s_beta * c_al
    )  # fmt: skip
    return np.array([c1, c2, c3])


def mechanisms(count: int, crank: float, seed: int) -> list[Rggr]:
    rng = np.random.default_rng(seed)
    return [random_rggr(rng, crank) for _ in range(count)]


def full_turn_mechanism() -> Rggr:
    """One whose input turns fully, well away from dead centres."""
    for m in mechanisms(1000, 0.25, 17):
        if min(m.closed(theta)[0][0] for theta in np.linspace(0, 6.28, 60)) > 0.1:
            return m
    raise AssertionError("no crank turns fully")


def test_a_full_turn_of_the_input_on_both_branches() -> None:
    m = full_turn_mechanism()
    starts = np.linspace(-3, 3, 16)[:, None]
    for theta in np.linspace(0, 2 * np.pi, 73):
        rows = m.closed(theta)
        assert all(row[0] > 0 for row in rows)
        found = np.array([[np.arctan2(row[2], row[1])] for row in rows])
        assert_same_roots(found, newton(m, theta, starts), 1, 1e-12)
        for row in rows:
            coupler = row[3:6] - m.tip(theta)
            assert abs(np.linalg.norm(coupler) - m.length) < 1e-12
            np.testing.assert_allclose(row[6:], coupler / m.length, atol=1e-14)
            carried = Rotation.from_rotvec(np.arctan2(row[2], row[1]) * m.p2).apply(m.arm2)
            np.testing.assert_allclose(row[3:6], m.l4 + carried, atol=1e-13)


def test_random_positions_have_no_or_two_assemblies() -> None:
    starts = np.linspace(-3, 3, 24)[:, None]
    counts = set()
    for m in mechanisms(100, 0.9, 23):
        rows = m.closed(0.7)
        if abs(rows[0][0]) < 1e-2:
            continue
        found = np.array([[np.arctan2(row[2], row[1])] for row in rows if row[0] > 0]).reshape(-1, 1)
        assert_same_roots(found, newton(m, 0.7, starts), 1, 1e-11)
        counts.add(len(found))
    assert counts == {0, 2}


def test_short_and_long_coefficients_agree() -> None:
    rng = np.random.default_rng(31)
    for m in mechanisms(300, 0.9, 29):
        theta = rng.uniform(-3, 3)
        scale = (np.linalg.norm(m.arm1) + np.linalg.norm(m.arm2) + np.linalg.norm(m.l4)) ** 2
        u4 = m.l4 / np.linalg.norm(m.l4)
        # the long ones divide by the sines between the axes and l4
        if min(np.linalg.norm(np.cross(m.p1, u4)), np.linalg.norm(np.cross(m.p2, u4))) < 0.1:
            continue
        short = np.array(coefficients(m.tip(theta), m.length, m.l4, m.p2, m.arm2)).ravel()
        np.testing.assert_allclose(short, long_coefficients(m, theta), atol=3e-14 * scale, rtol=0)


def test_the_branches_mirror_each_other_about_the_plane_of_axis_and_ball() -> None:
    """Reflection: φ = θ_r ± φ_r, cos φ_r = (ρ² + r₃² − l₂² + (z − z₃)²) / (2 ρ r₃) in cylinder coordinates of axis 2."""
    for m in mechanisms(100, 0.9, 37):
        tip = m.tip(1.1) - m.l4
        height, height3 = tip @ m.p2, m.arm2 @ m.p2
        radial, radial3 = tip - height * m.p2, m.arm2 - height3 * m.p2
        rho, r3 = np.linalg.norm(radial), np.linalg.norm(radial3)
        cosine = (rho**2 + r3**2 - m.length**2 + (height - height3) ** 2) / (2 * rho * r3)
        rows = m.closed(1.1)
        assert (rows[0][0] > 0) == (abs(cosine) < 1)
        if abs(cosine) < 0.999:
            middle = np.arctan2(np.cross(radial3, radial) @ m.p2, radial3 @ radial)
            for sign, row in zip((1, -1), rows, strict=True):
                phi = middle + sign * acos(cosine)
                np.testing.assert_allclose(row[1:3], [cos(phi), sin(phi)], atol=1e-12)


def test_rrgg_two_cranks_in_series_hold_a_link_to_a_fixed_ball() -> None:
    rng = np.random.default_rng(41)
    for _ in range(40):
        p1, p2 = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
        pivot, arm, ball = rng.normal(size=(3, 3))
        q1, q2 = rng.uniform(-3, 3, 2)
        first = Rotation.from_rotvec(q1 * p1)
        # the second pivot, axis and arm are carried along by the first crank
        carried = [first.apply(v) for v in (pivot, p2, arm)]
        true_end = first.apply(pivot + Rotation.from_rotvec(q2 * p2).apply(arm))
        length = np.linalg.norm(true_end - ball)
        rows = [np.array(row).ravel() for row in solve(ball, length, *carried)]
        if rows[0][0] < 1e-3:
            continue
        hits = [row for row in rows if np.abs(row[1:3] - [cos(q2), sin(q2)]).max() < 1e-10]
        assert len(hits) == 1
        np.testing.assert_allclose(hits[0][3:6], true_end, atol=1e-10)


@pytest.mark.parametrize("which", [0, 1])
def test_derivatives_obey_the_implicit_function_theorem(which: int) -> None:
    every = ca.vertcat(*data)
    turn = ca.vertcat(*branches[which].turn)
    c, s = ca.SX.sym("c"), ca.SX.sym("s")
    coupler = SwingingArm(pivot_, axis_, arm_).ball((c, s)) - ball_
    closing = ca.vertcat(ca.sumsqr(coupler) - length_**2, c * c + s * s - 1)
    unknown = ca.vertcat(c, s)
    slopes = ca.Function("slopes", [*data, unknown], [ca.jacobian(closing, unknown), ca.jacobian(closing, every)])
    ours = ca.Function("ours", data, [branches[which].valid, turn, ca.jacobian(turn, every)])
    tested = 0
    for m in mechanisms(60, 0.9, 43):
        given = (m.tip(0.3), m.length, m.l4, m.p2, m.arm2)
        valid, position, slope = ours(*given)
        assert np.isfinite(np.array(slope)).all()
        if float(valid) > 1e-2:
            by_turn, by_data = (np.array(matrix) for matrix in slopes(*given, position))
            # the axis stays a unit vector
            allowed = np.eye(13)
            allowed[7:10, 7:10] -= np.outer(m.p2, m.p2)
            expected = -np.linalg.solve(by_turn, by_data) @ allowed
            np.testing.assert_allclose(np.array(slope) @ allowed, expected, atol=1e-11, rtol=1e-11)
            tested += 1
    assert tested > 20
