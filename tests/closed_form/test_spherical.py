"""Spherical dyads against Newton's method, rotations of SciPy, and the implicit function theorem."""

from __future__ import annotations

import casadi as ca
import numpy as np
from newton_multistart import Array, all_roots, assert_same_roots
from scipy.spatial.transform import Rotation

from linkwork.closed_form.spherical import SphericalBranch, spherical_dyad

z = ca.SX.sym("z", 6)


def on_sphere(azimuth: ca.SX, height: ca.SX) -> ca.SX:
    return ca.vertcat(ca.cos(azimuth) * ca.cos(height), ca.sin(azimuth) * ca.cos(height), ca.sin(height))


u1, u3 = on_sphere(z[0], z[1]), on_sphere(z[2], z[3])
arcs = [(ca.cos(z[i]), ca.sin(z[i])) for i in (4, 5)]
branches = [spherical_dyad(u1, *arcs, u3, side) for side in (1, -1)]


def stacked(branch: SphericalBranch) -> ca.SX:
    return ca.vertcat(branch.valid, branch.axis, *branch.first, *branch.inner, *branch.second)


evaluate = ca.Function("spherical", [z], [ca.horzcat(u1, u3), *[stacked(branch) for branch in branches]])


def draws(count: int) -> list[Array]:
    """Two axes and two arcs of any sign, away from dead centres, parallel axes and links without length."""
    rng = np.random.default_rng(11)
    found: list[Array] = []
    while len(found) < count:
        value = rng.uniform(-1, 1, 6) * [3, 1, 3, 1, 3, 3]
        axes, left, _ = (np.array(part) for part in evaluate(value))
        apart = np.linalg.norm(np.cross(axes[:, 0], axes[:, 1]))
        if apart > 0.1 and np.abs(np.sin(value[4:])).min() > 0.1 and abs(left[0, 0]) > 1e-2:
            found.append(value)
    return found


def towards(start: Array, end: Array) -> Array:
    """Unit tangent at *start* of the arc to *end*."""
    tangent = end - np.dot(start, end) * start
    return tangent / np.linalg.norm(tangent)


def test_the_real_branches_are_all_solutions_and_nothing_else() -> None:
    rng = np.random.default_rng(3)
    counts = set()
    for value in draws(60):
        axes, *rows = (np.array(part) for part in evaluate(value))
        first, third = axes.T
        m = towards(first, third)
        arc1, arc2 = value[4:]

        def gap(x: Array, first=first, third=third, m=m, arc1=arc1, arc2=arc2) -> Array:
            tangent = np.cos(x) * m + np.sin(x) * np.cross(first, m)
            return ((np.cos(arc1) * first + np.sin(arc1) * tangent) @ third - np.cos(arc2))[:, None]

        roots = all_roots(gap, rng.uniform(-3.2, 3.2, (30, 1)), 1)
        closed = np.array([[np.arctan2(row[5, 0], row[4, 0])] for row in rows if row[0, 0] > 0]).reshape(-1, 1)
        assert_same_roots(closed, roots, 1, 1e-11)
        counts.add(len(closed))
    assert counts == {0, 2}


def test_axis_and_turns_close_the_triangle() -> None:
    for value in draws(100):
        axes, *rows = (np.array(part) for part in evaluate(value))
        first, third = axes.T
        sign1, sign2 = np.sign(np.sin(value[4:]))
        for side, row in zip((1, -1), rows, strict=True):
            if row[0, 0] < 0:
                continue
            second, turns = row[1:4, 0], row[4:, 0].reshape(3, 2)
            closing = [second @ second - 1, second @ first - np.cos(value[4]), second @ third - np.cos(value[5])]
            assert np.abs(closing).max() < 1e-12
            np.testing.assert_allclose(np.linalg.norm(turns, axis=1), 1, atol=1e-12)
            # a positive pair of arcs on the left branch has its common axis on the side of u1 × u3
            assert np.sign(second @ np.cross(first, third)) == side * sign1 * sign2
            arcs = [
                (first, towards(first, third), sign1 * towards(first, second)),
                (second, sign1 * towards(second, first), sign2 * towards(second, third)),
                (third, sign2 * towards(third, second), towards(third, first)),
            ]
            for (axis, start, end), (cosine, sine) in zip(arcs, turns, strict=True):
                carried = Rotation.from_rotvec(np.arctan2(sine, cosine) * axis).apply(start)
                np.testing.assert_allclose(carried, end, atol=1e-12)


def test_derivatives_obey_the_implicit_function_theorem() -> None:
    axis = ca.SX.sym("u", 3)
    closing = ca.vertcat(ca.dot(axis, u1) - ca.cos(z[4]), ca.dot(axis, u3) - ca.cos(z[5]), ca.sumsqr(axis) - 1)
    slopes = ca.Function("slopes", [z, axis], [ca.jacobian(closing, axis), ca.jacobian(closing, z)])
    for branch in branches:
        ours = ca.Function("ours", [z], [branch.valid, branch.axis, ca.jacobian(branch.axis, z)])
        for value in draws(60):
            valid, position, slope = ours(value)
            assert np.isfinite(np.array(slope)).all()
            if float(valid) > 0:
                by_axis, by_data = (np.array(m) for m in slopes(value, position))
                np.testing.assert_allclose(np.array(slope), -np.linalg.solve(by_axis, by_data), atol=1e-10, rtol=1e-11)


def test_an_octant_of_the_sphere() -> None:
    quarter = (ca.SX(0), ca.SX(1))
    left, right = (spherical_dyad(ca.SX([1, 0, 0]), quarter, quarter, ca.SX([0, 1, 0]), side) for side in (1, -1))
    np.testing.assert_array_equal(np.array(ca.DM(ca.horzcat(left.axis, right.axis))), [[0, 0], [0, 0], [1, -1]])
    assert [float(part) for part in left.inner] == [0, 1]
    assert [float(part) for part in right.first] == [0, -1]
