"""Rotation matrices on expressions and on numbers. Quaternions are w-first, body to world."""

from __future__ import annotations

import math

import casadi as ca
import numpy as np

from linkwork.algebra.written import written
from linkwork.arrays import Array

ROUNDING = 4e-16  # of the size of its terms: error of a sum of few of them
MISSED = 1e-6  # by which a matrix that is given may miss a rotation


@written((1, 1))
def _planar(angle: ca.SX) -> list[ca.SX]:
    c, s = ca.cos(angle), ca.sin(angle)
    return [ca.reshape(ca.vertcat(c, s, -s, c), 2, 2)]


def planar_rotation(angle: ca.SX) -> ca.SX:
    """[[c, −s], [s, c]] of *angle*."""
    (axes,) = _planar(angle)
    return ca.sparsify(axes) if axes.is_constant() else axes


def about_x(angle: ca.SX) -> ca.SX:
    c, s = ca.cos(angle), ca.sin(angle)
    return ca.sparsify(ca.vertcat(ca.horzcat(1, 0, 0), ca.horzcat(0, c, -s), ca.horzcat(0, s, c)))


def about_y(angle: ca.SX) -> ca.SX:
    c, s = ca.cos(angle), ca.sin(angle)
    return ca.sparsify(ca.vertcat(ca.horzcat(c, 0, s), ca.horzcat(0, 1, 0), ca.horzcat(-s, 0, c)))


def about_z(angle: ca.SX) -> ca.SX:
    c, s = ca.cos(angle), ca.sin(angle)
    return ca.sparsify(ca.vertcat(ca.horzcat(c, -s, 0), ca.horzcat(s, c, 0), ca.horzcat(0, 0, 1)))


def from_quaternion(e: ca.SX) -> ca.SX:
    """A = (2 e₀² − 1) 1 + 2 (e eᵀ + e₀ ẽ), e w-first and of unit length (García de Jalón and Bayo, eq. 2.80)."""
    w, x, y, z = e[0], e[1], e[2], e[3]
    return ca.vertcat(
        ca.horzcat(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        ca.horzcat(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        ca.horzcat(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def quaternion_rate(e: ca.SX, omega_body: ca.SX) -> ca.SX:
    """ė = ½ e ⊗ (0, ω) with ω in body axes."""
    w, x, y, z = e[0], e[1], e[2], e[3]
    a, b, c = omega_body[0], omega_body[1], omega_body[2]
    return ca.vertcat(-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a) / 2


def retract_quaternion(e: ca.SX, delta: ca.SX) -> ca.SX:
    """e turned by the small body-fixed rotation vector *delta*, scaled back to unit length."""
    moved = e + quaternion_rate(e, delta)
    return moved / ca.norm_2(moved)


def to_quaternion(r: ca.SX) -> ca.SX:
    """Unit quaternion of a rotation matrix, by the largest of the four components (no cancellation anywhere)."""
    trace = r[0, 0] + r[1, 1] + r[2, 2]
    squares = [1 + trace] + [1 + 2 * r[i, i] - trace for i in range(3)]
    a, b, c = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    d, e, f = r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1]
    rows = [
        (squares[0], a, b, c),
        (a, squares[1], d, e),
        (b, d, squares[2], f),
        (c, e, f, squares[3]),
    ]
    best = ca.vertcat(*rows[0])
    largest = squares[0]
    for i in range(1, 4):
        better = squares[i] > largest
        best = ca.if_else(better, ca.vertcat(*rows[i]), best)
        largest = ca.fmax(largest, squares[i])
    return best / (2 * ca.sqrt(largest))


def roll_pitch_yaw(r: ca.SX) -> ca.SX:
    """Angles of R = R_z(yaw) R_y(pitch) R_x(roll): roll and yaw from −π to π, pitch from −π/2 to π/2.

    At a pitch of ±π/2 only the sum or difference of roll and yaw is determined.
    """
    level = ca.sqrt(r[0, 0] ** 2 + r[1, 0] ** 2)
    return ca.vertcat(ca.atan2(r[2, 1], r[2, 2]), ca.atan2(-r[2, 0], level), ca.atan2(r[1, 0], r[0, 0]))


def near_quaternion(axes: ca.SX, guess: ca.SX) -> ca.SX:
    """The quaternion of the rotation *axes* (3 × 3) near the quaternion *guess* (4): guess ⊗ what is left to turn."""
    # of unit length, since an error of it would grow from one state to the next
    guess = guess / ca.norm_2(guess)
    small = from_quaternion(guess).T @ axes
    w = ca.sqrt(ca.fmax(1 + ca.trace(small), 1e-8)) / 2
    # the skew part of a rotation is 4 w times the vector of its quaternion
    skew = ca.vertcat(small[2, 1] - small[1, 2], small[0, 2] - small[2, 0], small[1, 0] - small[0, 1])
    return w * guess + quaternion_rate(guess, skew) / (2 * w)


def exponential(phi: Array) -> Array:
    """Rotation matrix of the rotation vector *phi* (numbers; Rodrigues)."""
    angle = float(np.linalg.norm(phi))
    k = np.array([[0, -phi[2], phi[1]], [phi[2], 0, -phi[0]], [-phi[1], phi[0], 0]])
    if angle < 1e-9:
        return np.eye(3) + k + k @ k / 2
    return np.eye(3) + np.sin(angle) / angle * k + (1 - np.cos(angle)) / angle**2 * (k @ k)


def frame_about(axis: Array, beside: Array | None = None) -> Array:
    """Right-handed axes (columns x, y, z) with z along *axis*, and x along the part of *beside* normal to it.

    Without *beside*, x is the coordinate direction that follows the one nearest to *axis* (z -> x, x -> y, y -> z), so
    that an axis along a coordinate direction gives axes made of zeros and ones.
    """
    z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    if beside is None:
        beside = np.eye(3)[(int(np.argmax(np.abs(z))) + 1) % 3]
    x = beside - np.dot(beside, z) * z
    x = x / np.linalg.norm(x)
    return snap(np.column_stack([x, np.cross(z, x), z]))


def snap(values: Array, sizes: Array | float = 1.0) -> Array:
    """Round entries that differ from 0 or ±1 by rounding errors only, so that they fold away in expressions.

    sizes: of the terms that the entries are sums of, beside which a rest is zero
    """
    rounded = np.round(values)
    return np.where(np.abs(values - rounded) < ROUNDING * np.where(rounded == 0.0, sizes, 1.0), rounded, values) + 0.0


def nearest_rotation(matrix: Array) -> Array:
    """The rotation closest to *matrix* (Kabsch)."""
    u, _, vt = np.linalg.svd(matrix)
    signs = np.ones(len(matrix))
    signs[-1] = np.sign(np.linalg.det(u @ vt))
    return u @ np.diag(signs) @ vt


def why_no_rotation(matrix: Array) -> str:
    """What keeps a matrix (3 × 3) from being a rotation; nothing where it is one up to rounding."""
    # of any numbers, whose squares may be none
    lengths = np.array([math.hypot(*column) for column in matrix.T])
    if not np.all(np.abs(lengths - 1.0) < MISSED):
        return f"its columns have the lengths {', '.join(f'{x:.6g}' for x in lengths)}"
    if np.max(np.abs(np.triu(matrix.T @ matrix, 1))) > MISSED:
        return "its columns are not perpendicular"
    return "" if np.linalg.det(matrix) > 0.0 else "it is left-handed, a mirror"


def straightened(matrix: Array) -> Array:
    """A rotation from a matrix that is one up to rounding errors: one step of Newton's method for its polar factor.

    N. J. Higham, *Functions of Matrices*, SIAM 2008, section 8.3: R (3 − RᵀR) / 2, whose error is the square of that of R.
    """
    return np.asarray(1.5 * matrix - 0.5 * (matrix @ (matrix.T @ matrix)))


def least_rotation(start: Array, end: Array) -> Array:
    """The smallest rotation that brings the direction *start* (3) to the direction *end* (3)."""
    axis = np.cross(start, end)
    sine, cosine = float(np.linalg.norm(axis)), float(np.dot(start, end))
    if sine < 1e-12 * np.linalg.norm(start) * np.linalg.norm(end):
        return np.eye(3) if cosine > 0 else exponential(np.pi * frame_about(start)[:, 0])
    return exponential(axis / sine * np.arctan2(sine, cosine))


def matrix_to_quaternion(r: Array) -> Array:
    """Unit quaternion (w first, w ≥ 0) of a rotation matrix of numbers."""
    e = np.array(ca.DM(to_quaternion(ca.SX(r)))).ravel()
    return e if e[0] >= 0 else -e
