"""How what sticks shares what it holds: against bounds from both sides, and against a linear program of many facets."""

import numpy as np
import pytest
from scipy.optimize import linprog

from linkwork.analysis.motion.sharing import share_evenly


def largest(f: np.ndarray, bounds: np.ndarray, together: list[list[int]]) -> float:
    return max(float(np.linalg.norm(f[places]) / bounds[places[0]]) for places in together)


def by_facets(matrix: np.ndarray, needed: np.ndarray, bounds: np.ndarray, together: list[list[int]]) -> float:
    """The least largest part where a circle is a polygon of 720 sides around it: at most 1e-5 below that of the circle."""
    n, cuts = len(bounds), []
    for places in together:
        for angle in np.linspace(0, 2 * np.pi, 720, endpoint=False):
            row = np.zeros(n + 1)
            row[places] = np.array([np.cos(angle), np.sin(angle)])[: len(places)] / bounds[places[0]]
            row[n] = -1.0
            cuts.append(row)
    found = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=np.array(cuts),
        b_ub=np.zeros(len(cuts)),
        A_eq=np.column_stack([matrix, np.zeros(n)]),
        b_eq=needed,
        bounds=[(None, None)] * n + [(0, None)],
    )
    return float(found.x[n])


def feet(count: int, seed: int, *, alone: int = 0) -> tuple[np.ndarray, ...]:
    """Feet on a plane, two components each but for those alone: what they do to a body that slides and turns there."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-1, 1, (count, 2))
    rows = [row for x, y in places for row in ([1.0, 0.0, -y], [0.0, 1.0, x])]
    rows += [[*rng.normal(size=3)] for _ in range(alone)]
    each = rng.uniform(0.5, 2.0, count + alone)
    bounds = np.concatenate([np.repeat(each[:count], 2), each[count:]])
    together = [[2 * i, 2 * i + 1] for i in range(count)] + [[2 * count + i] for i in range(alone)]
    matrix = np.array(rows) @ np.diag([1.0, 1.0, 3.0]) @ np.array(rows).T
    return matrix, matrix @ rng.normal(size=len(bounds)), bounds, together


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("count, alone", [(2, 0), (3, 0), (4, 0), (8, 0), (3, 2)])
def test_the_largest_part_is_the_least(count: int, alone: int, seed: int) -> None:
    matrix, needed, bounds, together = feet(count, seed, alone=alone)
    f = share_evenly(matrix, needed, bounds, together)
    assert matrix @ f == pytest.approx(needed, abs=1e-11 * np.max(np.abs(needed)))
    least = by_facets(matrix, needed, bounds, together)
    assert least * (1 - 1e-9) <= largest(f, bounds, together) <= least * (1 + 1.1e-5)


def test_feet_of_a_square_that_is_pushed_and_turned_share_alike() -> None:
    """Pushed across they hold a quarter each, turned they do as well; a foot that carries nothing holds nothing."""
    rows = np.array([row for x, y in [(1, 1), (-1, 1), (-1, -1), (1, -1)] for row in ([1.0, 0.0, -y], [0.0, 1.0, x])])
    matrix, together = rows @ rows.T, [[0, 1], [2, 3], [4, 5], [6, 7]]
    for held, part in (([1.0, 0.0, 0.0], 0.25), ([0.6, 0.8, 0.0], 0.25), ([0.0, 0.0, 1.0], 0.25 / np.sqrt(2))):
        f = share_evenly(matrix, rows @ held, np.ones(8), together)
        assert rows.T @ f == pytest.approx(held, abs=1e-13)
        assert np.linalg.norm(f.reshape(4, 2), axis=1) == pytest.approx(np.full(4, part), abs=1e-11)
    bounds = np.array([1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
    f = share_evenly(matrix, rows @ [0.0, 0.0, 1.0], bounds, together)
    assert np.max(np.abs(f[2:4])) < 1e-11
    assert rows.T @ f == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)


def test_nothing_to_hold_is_held_by_nobody() -> None:
    matrix, _, bounds, together = feet(4, 0)
    assert not share_evenly(matrix, np.zeros(8), bounds, together).any()
