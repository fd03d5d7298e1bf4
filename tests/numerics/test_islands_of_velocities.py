"""Islands of velocities and Delassus' operator, against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.numerics.kernels.timestepping.contact_rows import ContactRows, add_impulses, write_operator
from linkwork.numerics.kernels.timestepping.islands import (
    MASSLESS,
    Island,
    IslandEntry,
    expand_row,
    factorise_conditions,
    factorise_mass,
    find_pushes,
    meet_conditions,
    reduce_row,
)
from linkwork.numerics.loader import compiled


def made(n: int, slopes: np.ndarray, seed: int = 1, scale: float = 1.0) -> tuple[Island, np.ndarray]:
    """An island with a random mass matrix and conditions, factorised."""
    random = np.random.default_rng(seed)
    root = random.normal(size=(n, n)) * scale
    mass = root @ root.T + scale**2 * np.eye(n)
    island = Island(n=n, m=len(slopes))
    island.columns[:], island.rows[:] = np.arange(n), np.arange(len(slopes))
    flat = np.ascontiguousarray(slopes.T).ravel()
    assert compiled(factorise_mass)(island, np.ascontiguousarray(mass).ravel(), flat) == 0
    compiled(factorise_conditions)(island, flat)
    return island, mass


def constrained_inverse(mass: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """M⁻¹ − M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁺ C M⁻¹."""
    inverse = np.linalg.inv(mass)
    delassus = slopes @ inverse @ slopes.T
    return inverse - inverse @ slopes.T @ np.linalg.pinv(delassus, rcond=1e-10) @ slopes @ inverse


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e3])
def test_redundant_conditions_are_met_and_make_no_difference(scale: float) -> None:
    random = np.random.default_rng(2)
    slopes = random.normal(size=(3, 6))
    slopes = np.vstack([slopes, slopes[0] - 2.0 * slopes[1], 1e4 * slopes[2]])
    island, mass = made(6, slopes, scale=scale)
    assert island.rank == 3
    change, impulse = slopes @ random.normal(size=6), random.normal(size=6)
    given = impulse.copy()
    compiled(reduce_row)(island, given)
    z = given.copy()
    compiled(meet_conditions)(island, np.ascontiguousarray(change), z)
    found, pushes = z.copy(), np.zeros(5)
    compiled(expand_row)(island, found)
    assert np.allclose(slopes @ found, change, rtol=0.0, atol=1e-9 * np.abs(change).max())
    compiled(find_pushes)(island, np.ascontiguousarray(change), z, given, pushes)
    assert np.allclose(mass @ found, impulse + slopes.T @ pushes, rtol=0.0, atol=1e-9 * np.abs(mass @ found).max())


def test_the_operator_of_contacts_that_share_islands() -> None:
    random = np.random.default_rng(3)
    slopes = [random.normal(size=(2, 5)), np.zeros((0, 6))]
    parts = [made(5, slopes[0], 4), made(6, slopes[1], 5)]
    rows = ContactRows(most=4, room=400, islands=2, blocks_room=16)
    entries = IslandEntry.row(2)
    for entry, (island, _) in zip(entries, parts, strict=True):
        entry.island = island
    rows.entries = entries
    inverse = np.zeros((11, 11))
    inverse[:5, :5] = constrained_inverse(parts[0][1], slopes[0])
    inverse[5:, 5:] = constrained_inverse(parts[1][1], slopes[1])
    sizes, sides = (3, 1, 2), ((0, 1), (1, -1), (1, 0))
    dense, number = [], 0
    for i, (size, both) in enumerate(zip(sizes, sides, strict=True)):
        jacobian = np.zeros((size, 11))
        rows.size[i] = size
        for k, e in enumerate(both):
            rows.sides[2 * i + k], rows.places[2 * i + k] = e, number
            if e < 0:
                continue
            n = 5 if e == 0 else 6
            own = random.normal(size=(size, n))
            jacobian[:, 5 * e : 5 * e + n] = own
            for row in own:
                reduced = row.copy()
                compiled(reduce_row)(parts[e][0], reduced)
                rows.rows[number : number + n] = reduced
                number += n
        dense.append(jacobian)
    rows.count = 3
    assert compiled(write_operator)(rows) == 0
    wanted, found = np.vstack(dense) @ inverse @ np.vstack(dense).T, np.zeros((6, 6))
    for i in range(3):
        for block in range(rows.starts[i], rows.starts[i + 1]):
            j, at = rows.columns[block], rows.blocks[block]
            part = np.array(rows.matrix[at : at + sizes[i] * sizes[j]]).reshape(sizes[i], sizes[j])
            found[rows.first[i] : rows.first[i + 1], rows.first[j] : rows.first[j + 1]] = part
    assert np.allclose(found, wanted, rtol=0.0, atol=1e-12 * np.abs(wanted).max())
    push, z = random.normal(size=6), np.zeros(11)
    compiled(add_impulses)(rows, push, 0, z, np.array([0, 5, 11]))
    moved = np.concatenate([z[:5], z[5:]])
    for begin, end, (island, _) in ((0, 5, parts[0]), (5, 11, parts[1])):
        part = moved[begin:end].copy()
        compiled(expand_row)(island, part)
        moved[begin:end] = part
    assert np.allclose(moved, inverse @ np.vstack(dense).T @ push, rtol=0.0, atol=1e-12)


def test_a_velocity_without_inertia_is_found_unless_a_condition_determines_it() -> None:
    mass, slopes = np.diag([1.0, 0.0]), np.array([[1.0, 1.0]])
    free, held = Island(n=2, m=0), Island(n=2, m=1)
    assert compiled(factorise_mass)(free, mass.ravel(), np.zeros(0)) == MASSLESS
    assert compiled(factorise_mass)(held, mass.ravel(), slopes.T.ravel().copy()) == 0
