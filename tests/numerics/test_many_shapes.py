"""The broad phase: pairs against those of all boxes one by one, over motions, and who ignores whom."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from convex_checks import turns
from hypothesis import given
from hypothesis import strategies as st

from linkwork.numerics.collision.broad_phase import Kinship, all_contacts, pairs_of, scene_record
from linkwork.numerics.collision.narrow_phase import contacts
from linkwork.numerics.collision.solids import convex_record, corners_of, located, plane_record, turned_record
from linkwork.numerics.kernels.collision.broad import keep_order
from linkwork.numerics.kernels.collision.shape_record import TURNED, ShapeRecord
from linkwork.numerics.loader import compiled

SEEDS = st.integers(0, 2**32 - 1)


def drawn_shapes(rng: np.random.Generator, count: int) -> list[ShapeRecord]:
    """Balls, boxes and cylinders, strewn over a room, and a floor."""
    kinds = (
        lambda: convex_record(np.zeros((1, 3)), 0.4),
        lambda: convex_record(0.3 * np.array(list(product((-1, 1), repeat=3)))),
        lambda: turned_record([(-0.4, 0.2), (0.4, 0.2)]),
    )
    shapes = [kinds[rng.integers(3)]() for _ in range(count - 1)]
    for shape in shapes:
        located(shape, rng.uniform(0, 4, 3), turns(rng, 1, 3)[0])
    return [*shapes, plane_record()]


def moved(rng: np.random.Generator, shapes: list[ShapeRecord], step: float) -> None:
    for shape in shapes[:-1]:
        located(shape, shape.place + step * rng.normal(size=3), turns(rng, 1, 3)[0])


def ends(shape: ShapeRecord) -> np.ndarray:
    """Lower and upper ends (2, 3) of a shape, from its corners or the heights of its rims along each axis."""
    if shape.kind != TURNED:
        corners = corners_of(shape)
        return np.array([corners.min(axis=0), corners.max(axis=0)]) + [[-shape.radius], [shape.radius]]
    axis, (low, r, high, s) = shape.axes.reshape(3, 3)[:, 2], shape.stations
    out = np.sqrt(1 - axis**2)
    tops = np.array([shape.place + axis * low, shape.place + axis * high])
    return np.array([np.min(tops - out * [[r], [s]], axis=0), np.max(tops + out * [[r], [s]], axis=0)])


def one_by_one(shapes: list[ShapeRecord], reach: float) -> set[tuple[int, int]]:
    boxes = [ends(shape) for shape in shapes[:-1]]
    found = {
        (i, j)
        for i, j in combinations(range(len(boxes)), 2)
        if np.all(boxes[i][0] <= boxes[j][1] + reach) and np.all(boxes[j][0] <= boxes[i][1] + reach)
    }
    return found | {(i, len(boxes)) for i, box in enumerate(boxes) if box[0][2] <= reach}


@given(seed=SEEDS)
def test_pairs_are_those_of_all_boxes(seed):
    rng = np.random.default_rng(seed)
    shapes, reach = drawn_shapes(rng, 25), float(rng.choice([0.0, 0.3]))
    scene = scene_record(shapes, Kinship(range(25)), reach, room=1)
    for _ in range(4):
        found = [tuple(pair) for pair in pairs_of(scene)]
        assert len(set(found)) == len(found)
        assert set(found) == one_by_one(shapes, reach)
        moved(rng, shapes, 0.3)


def test_small_motions_take_few_exchanges():
    rng = np.random.default_rng(0)
    shapes = drawn_shapes(rng, 200)
    scene = scene_record(shapes, Kinship(range(200)))
    pairs_of(scene)
    assert compiled(keep_order)(scene) == 0
    for shape in shapes[:-1]:
        located(shape, shape.place + 1e-2 * rng.normal(size=3), shape.axes.reshape(3, 3).copy())
    assert 0 < compiled(keep_order)(scene) < 200  # of 19900 pairs


@given(seed=SEEDS)
def test_contacts_are_those_of_all_pairs(seed):
    """Whoever is near enough is found, with the contacts of the narrow phase."""
    rng = np.random.default_rng(seed)
    shapes, reach = drawn_shapes(rng, 15), 0.1
    scene = scene_record(shapes, Kinship(range(15)), reach)
    count = all_contacts(scene)
    pairs, gaps = scene.contact_pair[: 2 * count].reshape(-1, 2), scene.gap[:count]
    wanted = {}
    for i, j in combinations(range(15), 2):
        near = contacts(shapes[i], shapes[j], reach).gap
        if np.any(near <= reach):
            wanted[i, j] = near[near <= reach]
    assert {tuple(pair) for pair in pairs} == set(wanted)
    for pair, near in wanted.items():
        np.testing.assert_allclose(gaps[np.all(pairs == pair, axis=1)], near, atol=1e-12)


@pytest.mark.parametrize(
    ("kinship", "wanted"),
    [
        (Kinship([0, 1, 2]), {(0, 1), (0, 2), (1, 2)}),
        (Kinship([0, 0, 1]), {(0, 2), (1, 2)}),
        (Kinship([0, 1, 2], apart={(2, 0)}), {(0, 1), (1, 2)}),
        (Kinship([0, 1, 2], groups=[{"arm"}, {"arm", "leg"}, {"leg"}]), {(0, 2)}),
        (Kinship([0, 1, 0], groups=[{"arm"}, (), ()]), {(0, 1), (1, 2)}),
    ],
)
def test_who_ignores_whom(kinship, wanted):
    """Parts of one body, bodies that a joint connects, and members of a group."""
    shapes = [convex_record(np.zeros((1, 3)), 1.0) for _ in range(3)]
    assert {tuple(pair) for pair in pairs_of(scene_record(shapes, kinship))} == wanted
