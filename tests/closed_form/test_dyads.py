"""Planar dyads against Newton's method from many starts, their closing conditions, and the implicit function theorem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
import pytest
from newton_multistart import Array, all_roots, assert_same_roots
from numpy.typing import NDArray

from linkwork.closed_form.dyads import DyadBranch, StraightGuide, normal, prp, rpp, rpr, rrp, rrr

DRAWS = 40


@dataclass(frozen=True)
class Case:
    """A kind of dyad with its data as one vector z.

    ``solve(z)`` gives the branches. ``closing(z, branch)`` are the closing conditions on what a branch states.
    ``gap(z, x)`` (n, N) are other ones, on angles and travels x (n, N), of which the first ``angles`` are angles;
    ``unknowns(branch)`` are the same angles and travels. ``draw`` makes random data.
    """

    solve: Callable[[ca.SX], tuple[DyadBranch, ...]]
    closing: Callable[[ca.SX, DyadBranch], list[ca.SX]]
    gap: Callable[[Array, NDArray], NDArray]
    unknowns: Callable[[DyadBranch], list[ca.SX]]
    angles: int
    draw: Callable[[np.random.Generator], Array]


def both(dyad: Callable[..., DyadBranch], *data: Any) -> tuple[DyadBranch, DyadBranch]:
    """The assemblies on either side."""
    return dyad(*data, 1), dyad(*data, -1)


def direction(z: ca.SX) -> ca.SX:
    return ca.vertcat(ca.cos(z), ca.sin(z))


def turn(z: ca.SX) -> tuple[ca.SX, ca.SX]:
    return ca.cos(z), ca.sin(z)


def angle(v: ca.SX) -> ca.SX:
    return ca.atan2(v[1], v[0])


def guide(z: ca.SX) -> StraightGuide:
    """A guide from the three numbers x, y, angle."""
    return StraightGuide(z[:2], direction(z[2]))


def unit(v: ca.SX) -> ca.SX:
    return ca.sumsqr(v) - 1


def ray(q: NDArray) -> NDArray:
    return np.stack([np.cos(q), np.sin(q)])


def beside(q: NDArray) -> NDArray:
    return np.stack([-np.sin(q), np.cos(q)])


def some(rng: np.random.Generator, *kinds: str) -> Array:
    """Random data: a 'point', a 'length', an 'offset', an 'angle', a 'turn' that is not small."""
    drawn = {
        "point": lambda: rng.normal(size=2),
        "length": lambda: rng.uniform(0.4, 2.5, 1),
        "offset": lambda: rng.uniform(-0.8, 0.8, 1),
        "angle": lambda: rng.uniform(-3, 3, 1),
        "turn": lambda: rng.uniform(0.2, 2.9, 1) * rng.choice([-1, 1]),
    }
    return np.concatenate([drawn[kind]() for kind in kinds])


# z = pin A, length a, length b, pin B; x = both angles
RRR = Case(
    solve=lambda z: both(rrr, z[:2], z[2], z[3], z[4:6]),
    closing=lambda z, d: [
        z[:2] + z[2] * d.first - d.point,
        z[4:6] + z[3] * d.second - d.point,
        unit(d.first),
        unit(d.second),
    ],
    gap=lambda z, x: z[:2] + z[2] * ray(x[0]) - z[4:6] - z[3] * ray(x[1]),
    unknowns=lambda d: [angle(d.first), angle(d.second)],
    angles=2,
    draw=lambda rng: some(rng, "point", "length", "length", "point"),
)


def rrp_closing(z: ca.SX, d: DyadBranch) -> list[ca.SX]:
    u = direction(z[5])
    line = z[3:5] + d.slides[0] * u + z[6] * normal(u)
    return [z[:2] + z[2] * d.first - d.point, line - d.point, unit(d.first), d.second - u]


# z = pin A, length, guide, offset; x = angle, travel
RRP = Case(
    solve=lambda z: both(rrp, z[:2], z[2], guide(z[3:6]), z[6]),
    closing=rrp_closing,
    gap=lambda z, x: z[:2] + z[2] * ray(x[0]) - z[3:5] - x[1] * ray(z[5]) - z[6] * beside(z[5]),
    unknowns=lambda d: [angle(d.first), d.slides[0]],
    angles=1,
    draw=lambda rng: some(rng, "point", "length", "point", "angle", "offset"),
)

# z = pin A, offset of the guide, offset of pin B, pin B; x = angle, travel
RPR = Case(
    solve=lambda z: both(rpr, z[:2], z[2], z[3], z[4:6]),
    closing=lambda z, d: [
        z[:2] + z[2] * normal(d.first) + d.slides[0] * d.first - d.point,
        d.point + z[3] * normal(d.second) - z[4:6],
        unit(d.first),
        d.second - d.first,
    ],
    gap=lambda z, x: z[:2] + (z[2] + z[3]) * beside(x[0]) + x[1] * ray(x[0]) - z[4:6],
    unknowns=lambda d: [angle(d.first), d.slides[0]],
    angles=1,
    draw=lambda rng: some(rng, "point", "offset", "offset", "point"),
)


def prp_closing(z: ca.SX, d: DyadBranch) -> list[ca.SX]:
    u, w = direction(z[2]), direction(z[2] + z[7])
    line1 = z[:2] + d.slides[0] * u + z[3] * normal(u)
    line2 = z[5:7] + d.slides[1] * w + z[4] * normal(w)
    return [line1 - d.point, line2 - d.point, d.first - u, d.second - w]


# z = guide, offset, offset, point of the other guide, turn between the guides; x = both travels
PRP = Case(
    solve=lambda z: (prp(guide(z[:3]), z[3], z[4], StraightGuide(z[5:7], direction(z[2] + z[7]))),),
    closing=prp_closing,
    gap=lambda z, x: (
        (z[:2] + x[0] * ray(z[2]) + z[3] * beside(z[2]))
        - (z[5:7] + x[1] * ray(z[2] + z[7]) + z[4] * beside(z[2] + z[7]))
    ),
    unknowns=lambda d: list(d.slides),
    angles=0,
    draw=lambda rng: some(rng, "point", "angle", "offset", "offset", "point", "turn"),
)


def rpp_closing(z: ca.SX, d: DyadBranch) -> list[ca.SX]:
    u, w = direction(z[6]), direction(z[6] + z[3])
    start = z[4:6] + d.slides[1] * u
    return [start + d.slides[0] * w - d.point, d.point + z[2] * normal(w) - z[:2], d.first - w, d.second - u]


# z = pin, offset, turn of the carried guide, guide; x = angle of link 1, both travels
RPP = Case(
    solve=lambda z: (rpp(z[:2], z[2], turn(z[3]), guide(z[4:7])),),
    closing=rpp_closing,
    gap=lambda z, x: np.concatenate(
        [
            np.sin(x[:1] - z[6] - z[3]) + 0.5 * (1 - np.cos(x[:1] - z[6] - z[3])),
            z[4:6] + x[2] * ray(z[6]) + x[1] * ray(x[0]) + z[2] * beside(x[0]) - z[:2],
        ]
    ),
    unknowns=lambda d: [angle(d.first), *d.slides],
    angles=1,
    draw=lambda rng: some(rng, "point", "offset", "turn", "point", "angle"),
)

CASES = {"RRR": RRR, "RRP": RRP, "RPR": RPR, "PRP": PRP, "RPP": RPP}
every_dyad = pytest.mark.parametrize("kind", CASES)


def draws(case: Case) -> tuple[ca.SX, list[Array]]:
    """The data as a symbol, and random values of it that are not within a hair of a dead centre."""
    rng = np.random.default_rng(2024)
    z = ca.SX.sym("z", len(case.draw(rng)))
    valid = ca.Function("valid", [z], [case.solve(z)[0].valid])
    values: list[Array] = []
    while len(values) < DRAWS:
        value = case.draw(rng)
        if abs(float(valid(value))) > 1e-3:
            values.append(value)
    return z, values


@every_dyad
def test_the_real_branches_are_all_solutions_and_nothing_else(kind: str) -> None:
    case = CASES[kind]
    z, values = draws(case)
    branches = case.solve(z)
    evaluate = ca.Function("branches", [z], [ca.vertcat(b.valid, *case.unknowns(b)) for b in branches])
    rng = np.random.default_rng(7)
    counts = set()
    for value in values:
        rows = np.array(evaluate.call([ca.DM(value)])).reshape(len(branches), -1)
        assert np.isfinite(rows[rows[:, 0] > 0]).all()
        closed = rows[rows[:, 0] > 0][:, 1:]
        starts = rng.uniform(-3.5, 3.5, (60, rows.shape[1] - 1))
        roots = all_roots(lambda x, v=value: case.gap(v[:, None], x.T).T, starts, case.angles)
        if kind in ("RPP", "PPR"):
            # the direction of link 1 is held by the slides; the residual has a second zero that is no assembly
            roots = roots[np.abs(np.sin((roots[:, 0] - value[6] - value[3]) / 2)) < 1e-6]
        assert_same_roots(closed, roots, case.angles, 1e-11)
        counts.add(len(closed))
    assert counts == ({0, 2} if len(branches) == 2 else {1})


@every_dyad
def test_every_real_branch_closes(kind: str) -> None:
    case = CASES[kind]
    z, values = draws(case)
    branches = case.solve(z)
    evaluate = ca.Function("gaps", [z], [ca.vertcat(b.valid, *case.closing(z, b)) for b in branches])
    for value in values:
        for row in evaluate.call([ca.DM(value)]):
            if float(row[0]) > 0:
                assert np.abs(np.array(row[1:])).max() < 1e-12


@every_dyad
def test_derivatives_obey_the_implicit_function_theorem(kind: str) -> None:
    case = CASES[kind]
    z, values = draws(case)
    branches = case.solve(z)
    slides = ca.SX.sym("s", len(branches[0].slides))
    point, first, second = (ca.SX.sym(name, 2) for name in "pfg")
    stated = DyadBranch(point, first, second, tuple(ca.vertsplit(slides)) if len(branches[0].slides) else (), z[0])
    unknown = ca.vertcat(point, first, second, slides)
    closing = ca.vertcat(*case.closing(z, stated))
    assert closing.numel() == unknown.numel()
    slopes = ca.Function("slopes", [z, unknown], [ca.jacobian(closing, unknown), ca.jacobian(closing, z)])
    for branch in branches:
        given = ca.vertcat(branch.point, branch.first, branch.second, *branch.slides)
        evaluate = ca.Function("branch", [z], [branch.valid, given, ca.jacobian(given, z)])
        for value in values:
            valid, position, slope = evaluate(value)
            if float(valid) <= 0:
                continue
            by_unknown, by_data = (np.array(m) for m in slopes(value, position))
            expected = -np.linalg.solve(by_unknown, by_data)
            scale = 1 + np.abs(expected).max()
            np.testing.assert_allclose(np.array(slope), expected, atol=1e-11 * scale**2, rtol=0)


def test_the_side_says_where_the_inner_joint_is() -> None:
    left, right = both(rrr, ca.SX([0, 0]), ca.SX(5), ca.SX(5), ca.SX([6, 0]))
    np.testing.assert_array_equal(np.array(ca.DM(ca.horzcat(left.point, right.point))), [[3, 3], [4, -4]])
    line = StraightGuide(ca.SX([0, 3]), ca.SX([1, 0]))
    ahead, behind = both(rrp, ca.SX([1, 0]), ca.SX(5), line, ca.SX(0))
    assert (float(ahead.slides[0]), float(behind.slides[0])) == (5, -3)
    ahead, behind = both(rpr, ca.SX([0, 0]), ca.SX(3), ca.SX(0), ca.SX([5, 0]))
    assert (float(ahead.slides[0]), float(behind.slides[0])) == (4, -4)
    np.testing.assert_allclose(np.array(ca.DM(ahead.first)).ravel(), [0.8, -0.6], atol=1e-15)


@pytest.mark.parametrize("kind", ["RRR", "RRP", "RPR"])
def test_valid_vanishes_at_the_dead_centre(kind: str) -> None:
    data = {
        "RRR": [0, 0, 1, 2, 3, 0],
        "RRP": [0, 0, 2, 5, 1.5, 0, 0.5],
        "RPR": [0, 0, 3, 2, 3, 4],
    }[kind]
    for branch in CASES[kind].solve(ca.SX(data)):
        assert float(branch.valid) == 0


def test_valid_vanishes_between_parallel_guides() -> None:
    only = prp(
        StraightGuide(ca.SX([0, 0]), ca.SX([0.6, 0.8])),
        ca.SX(0),
        ca.SX(0),
        StraightGuide(ca.SX([1, 0]), ca.SX([0.6, 0.8])),
    )
    assert float(only.valid) == 0


@every_dyad
def test_a_branch_that_is_not_real_is_finite_with_finite_derivatives(kind: str) -> None:
    case = CASES[kind]
    z, values = draws(case)
    for branch in case.solve(z):
        given = ca.vertcat(branch.point, branch.first, branch.second, *branch.slides)
        evaluate = ca.Function("branch", [z], [given, ca.jacobian(given, z)])
        for value in values:
            assert all(np.isfinite(np.array(result)).all() for result in evaluate(value))
