"""Displacement subgroups from the twists of joints, in random positions and orientations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwork.topology.graph.subgroups import classify, count_conditions, generate, row_basis

X, Y, Z = np.eye(3)


def turn(axis: np.ndarray, point: np.ndarray) -> np.ndarray:
    return np.concatenate([axis, -np.cross(axis, point)])


def slide(axis: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros(3), axis])


def carried(twists: list[np.ndarray], seed: int) -> np.ndarray:
    """The twists after one common random displacement."""
    rng = np.random.default_rng(seed)
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))
    shift = rng.normal(size=3)
    moved = []
    for twist in twists:
        omega, v = rotation @ twist[:3], rotation @ twist[3:]
        moved.append(np.concatenate([omega, v + np.cross(shift, omega)]))
    return np.array(moved)


def points(seed: int, n: int) -> np.ndarray:
    return np.random.default_rng(seed + 1).normal(size=(n, 3))


CHAINS = {
    "planar": (3, lambda p: [turn(Z, p[0]), turn(Z, p[1]), turn(-Z, p[2]), slide(X)]),
    "spherical": (3, lambda p: [turn(X, np.zeros(3)), turn(Z, np.zeros(3)), turn((X + Y + Z) / 3**0.5, np.zeros(3))]),
    "translational": (3, lambda p: [slide(X), slide(Y), slide((X + Z) / 2**0.5)]),
    "cylindrical": (2, lambda p: [turn(Z, p[0]), slide(Z), turn(Z, p[0] + 2 * Z)]),
    "rotational": (1, lambda p: [turn(Y, p[0]), turn(Y, p[0] + 3 * Y)]),
    "Schoenflies": (4, lambda p: [turn(Z, p[0]), slide(Z), turn(Z, p[1])]),
    "spatial": (6, lambda p: [turn(Z, p[0]), turn(X, p[1]), turn(Y, p[2])]),
}


@pytest.mark.parametrize("name", CHAINS)
@given(seed=st.integers(0, 2**31))
def test_subgroups_are_found_anywhere(name: str, seed: int) -> None:
    dimension, build = CHAINS[name]
    found = classify(carried(build(points(seed, 4)), seed))
    assert (found.name, found.dimension) == (name, dimension)


@given(seed=st.integers(0, 2**31))
def test_an_algebra_is_closed(seed: int) -> None:
    basis = generate(carried(CHAINS["Schoenflies"][1](points(seed, 4)), seed))
    assert len(generate(basis)) == len(basis) == 4


def test_screws_are_no_rotations() -> None:
    screw = turn(Z, X) + 0.1 * slide(Z)
    assert classify(screw[None]).name == "helical"
    assert classify(np.array([screw, turn(Z, Y) + 0.1 * slide(Z)])).name == "helical planar"


def test_conditions_of_loops() -> None:
    p = points(0, 8)
    planar = [turn(Z, p[i])[None] for i in range(4)]
    assert count_conditions(planar) == 3
    sarrus = [turn(Y, p[i])[None] for i in range(3)] + [turn(X, p[i])[None] for i in range(3, 6)]
    assert count_conditions(sarrus) == 5
    rng = np.random.default_rng(3)
    general = [turn(axis / np.linalg.norm(axis), p[i])[None] for i, axis in enumerate(rng.normal(size=(7, 3)))]
    assert count_conditions(general) == 6


@given(seed=st.integers(0, 2**31), kinds=st.lists(st.sampled_from(sorted(CHAINS)), min_size=2, max_size=4))
def test_conditions_are_the_fewest_of_all_pairs_of_arcs(seed: int, kinds: list[str]) -> None:
    """Every cut of the loop into two arcs, by the definition: the dimension of the sum of their algebras."""
    rows = [carried(CHAINS[kind][1](points(seed + i, 4)), seed + i % 2) for i, kind in enumerate(kinds)]
    loop = [twist[None] for part in rows for twist in part]
    n, doubled = len(loop), loop + loop
    fewest = min(
        len(row_basis(np.vstack([generate(np.vstack(doubled[i:j])), generate(np.vstack(doubled[j : i + n]))])))
        for i in range(n)
        for j in range(i + 1, i + n)
    )
    whole = len(generate(np.vstack(loop)))
    assert count_conditions(loop) == (whole if whole <= 3 else min(whole, fewest))
