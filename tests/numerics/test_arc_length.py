"""Paths by their length on written curves: folds, a snap-back, pitchforks and transcritical points, against exact values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from linkwork.numerics.paths.arc_length import BIFURCATION, END, LIMIT, PathPlace, PathSlope, Walk, walk

Array = np.ndarray


class Written:
    """r(x, μ) with its slopes: by x, and by μ."""

    def __init__(self, force: Callable[..., Array], by_x: Callable[..., Array], by_load: Callable[..., Array]) -> None:
        self.force, self.by_x, self.by_load = force, by_x, by_load

    def slope(self, x: Array, load: float) -> PathSlope:
        force = np.atleast_1d(self.force(x, load))
        matrix = np.column_stack([-np.atleast_2d(self.by_x(x, load)), -np.atleast_1d(self.by_load(x, load))])
        count = len(force) + 1
        return PathSlope(force, matrix, np.eye(count)[:-1], np.eye(count), float(np.max(np.abs(force))), 1.0)

    def move(self, x: Array, delta: Array, load: float) -> tuple[Array, bool]:
        return x + delta, True


def special(points: list[PathPlace]) -> list[PathPlace]:
    return [point for point in points if point.kind]


def test_a_cubic_turns_twice() -> None:
    """μ = x³ − x on a slope: limit points at x = ±1/√3."""
    cubic = Written(
        lambda x, load: load + 0.3 - (x**3 - x), lambda x, load: np.diag(1 - 3 * x**2), lambda x, load: np.ones(1)
    )
    start = np.roots([1, 0, -1, -0.3]).real.min()
    points = list(walk(cubic, np.array([start]), Walk(bounds=(-2.0, 2.0))))
    turns = special(points)
    assert [point.kind for point in turns] == [LIMIT, LIMIT, END]
    for point, x in zip(turns, (-1, 1), strict=False):
        assert point.x[0] == pytest.approx(x / np.sqrt(3), abs=1e-7)
        assert point.load + 0.3 == pytest.approx(-x * 2 / (3 * np.sqrt(3)), abs=1e-14)
    assert turns[-1].load == pytest.approx(2.0, abs=1e-13)
    assert all(abs(point.x[0] ** 3 - point.x[0] - point.load - 0.3) < 1e-12 for point in points)


def test_a_circle_is_followed_round_and_round() -> None:
    circle = Written(
        lambda x, load: x**2 + (load - 0.5) ** 2 - 0.25,
        lambda x, load: np.diag(2 * x),
        lambda x, load: np.array([2 * load - 1]),
    )
    points = [point for point, _ in zip(walk(circle, np.array([0.0]), Walk()), range(200), strict=False)]
    loads = np.array([point.load for point in points if point.kind == LIMIT])
    assert len(loads) >= 4
    np.testing.assert_allclose(loads[:4], [1.0, 0.0, 1.0, 0.0], atol=1e-13)


PITCHFORK = Written(
    lambda x, load: (load - 0.4) * x - x**3,
    lambda x, load: np.diag(load - 0.4 - 3 * x**2),
    lambda x, load: x,
)


def test_a_pitchfork_is_crossed_or_taken() -> None:
    straight = list(walk(PITCHFORK, np.zeros(1), Walk()))
    assert [point.kind for point in special(straight)] == [BIFURCATION, END]
    assert special(straight)[0].load == pytest.approx(0.4, abs=1e-12)
    assert all(point.x[0] == 0.0 for point in straight)
    taken = list(walk(PITCHFORK, np.zeros(1), Walk(switch=True)))
    assert [point.kind for point in special(taken)] == [BIFURCATION, END]
    assert abs(taken[-1].x[0]) == pytest.approx(np.sqrt(0.6), abs=1e-10)


def test_a_pitchfork_is_found_from_its_branch() -> None:
    """Where the load turns and the other path crosses at once it is one point."""
    reversed_load = Written(
        lambda x, load: (0.6 - load) * x - x**3, lambda x, load: np.diag(0.6 - load - 3 * x**2), lambda x, load: -x
    )
    # next to it a force of f leaves the position open by √f
    points = special(list(walk(reversed_load, np.array([np.sqrt(0.6)]), Walk(tolerance=1e-15))))
    assert [point.kind for point in points] == [BIFURCATION, END]
    assert points[0].load == pytest.approx(0.6, abs=1e-8)
    assert points[1].x[0] == pytest.approx(-np.sqrt(1.6), abs=1e-9)


def test_a_transcritical_point_beside_a_stiff_direction() -> None:
    """Two freedoms: x (μ − 0.3 − x) = 0, and y = 2 μ held a hundred times as stiffly."""
    crossing = Written(
        lambda x, load: np.array([x[0] * (load - 0.3 - x[0]), 100 * (2 * load - x[1])]),
        lambda x, load: np.array([[load - 0.3 - 2 * x[0], 0.0], [0.0, -100.0]]),
        lambda x, load: np.array([x[0], 200.0]),
    )
    for switch in (False, True):
        points = list(walk(crossing, np.zeros(2), Walk(switch=switch)))
        first = special(points)[0]
        assert first.kind == BIFURCATION and first.load == pytest.approx(0.3, abs=1e-11)
        end = points[-1]
        assert end.kind == END and abs(end.x[0]) == pytest.approx(abs(end.load - 0.3) if switch else 0.0, abs=1e-10)
