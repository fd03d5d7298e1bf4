"""Geometries where the quartic falls to square roots, exactly and nearly: parallel, meeting and perpendicular axes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from compiled_closed_form import assemblies
from loop_chains import Array, Chain, distance, newton, reachable

Change = Callable[[Array, Array, Callable[[], Array]], None]


def parallel(i: int, j: int) -> Change:
    def change(axes: Array, points: Array, noise: Callable[[], Array]) -> None:
        axes[j] = axes[i] + noise()
        axes[j] /= np.linalg.norm(axes[j])

    return change


def meeting(i: int, j: int) -> Change:
    def change(axes: Array, points: Array, noise: Callable[[], Array]) -> None:
        points[j] = points[i] + 0.7 * axes[i] - 0.9 * axes[j] + noise()

    return change


def perpendicular(i: int, j: int) -> Change:
    def change(axes: Array, points: Array, noise: Callable[[], Array]) -> None:
        axes[j] = np.cross(axes[i], axes[j]) + noise()
        axes[j] /= np.linalg.norm(axes[j])

    return change


CASES: dict[str, tuple[str, list[Change], int]] = {
    "RRR, 1 and 2 parallel": ("RRRG", [parallel(0, 1)], 4),
    "RRR, 2 and 3 meet": ("RRRG", [meeting(1, 2)], 4),
    "RRR, 1 and 2 parallel, 2 and 3 meet": ("RRRG", [parallel(0, 1), meeting(1, 2)], 4),
    "RRR, 1 and 2 meet, 2 and 3 meet": ("RRRG", [meeting(0, 1), meeting(1, 2)], 4),
    "RRP, turns parallel": ("RRPG", [parallel(0, 1)], 2),
    "PRR, turns meet": ("PRRG", [meeting(1, 2)], 4),
    "RPR, slide across the first turn": ("RPRG", [perpendicular(0, 1)], 4),
    "RPR, turns parallel": ("RPRG", [parallel(0, 2)], 2),
    "RC, parallel": ("RCG", [parallel(0, 1)], 2),
    "RC, perpendicular": ("RCG", [perpendicular(0, 1)], 4),
    "PRP, one slide across the turn": ("PRPG", [perpendicular(1, 0)], 2),
    "RRR and a plane, 1 and 2 parallel, 2 and 3 meet": ("RRRF", [parallel(0, 1), meeting(1, 2)], 4),
    "RRR and a plane, all meet": ("RRRF", [meeting(0, 1), meeting(1, 2)], 4),
}


def special_chain(name: str, rng: np.random.Generator, away: float) -> Chain:
    """A random chain of the named case, or one that misses it by *away*."""
    kinds, changes, _ = CASES[name]
    n = len(kinds)
    axes, points = rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    for change in changes:
        change(axes, points, lambda: away * rng.normal(size=3))
    return reachable(Chain(kinds, axes, points, np.zeros(n), np.eye(4)), rng)


@pytest.mark.parametrize("name", CASES)
def test_special_geometry_has_the_assemblies_of_newton(name: str) -> None:
    rng = np.random.default_rng(8)
    chain = special_chain(name, rng, 0.0)
    closed = [frames for frames, _ in assemblies(chain)]
    iterated = newton(chain, rng, 120)
    assert len(closed) == len(iterated)
    for frames in iterated:
        assert min(distance(frames, other) for other in closed) < 1e-7


@pytest.mark.parametrize("away", [0.0, 1e-12, 1e-8, 1e-6, 1e-5, 1e-4])
@pytest.mark.parametrize("name", CASES)
def test_special_geometry_closes_near_and_at_it(name: str, away: float) -> None:
    rng = np.random.default_rng(8)
    most = 0
    for _ in range(8):
        chain = special_chain(name, rng, away)
        found = assemblies(chain)
        most = max(most, len(found))
        assert len(found) in {2, 4}
        for frames, _ in found:
            total = np.linalg.multi_dot([np.eye(4), *frames])
            size = chain.size + max(np.abs(frame[:3, 3]).max() for frame in frames)
            assert np.abs(total - chain.displacement).max() < 1e-12 * size
    assert most == CASES[name][2]
