"""Displacement subgroups: in which motions a chain of joints is caught, and how many conditions close a loop of them.

The twists of the joints of a chain, at any one position, generate an algebra under the bracket

    [(ω₁, v₁), (ω₂, v₂)] = (ω₁ × ω₂, ω₁ × v₂ − ω₂ × v₁).

A motion of the chain carries its twists along by displacements of the subgroup, which leaves the algebra as it is: one
position decides for all. A loop within a subgroup of dimension λ is closed by λ conditions. Where two arcs of a loop
generate different subgroups (Sarrus), what either arc can do is the sum of both: λ = d₁ + d₂ − d₁₂.
Source: Hervé, "Analyse structurelle des mécanismes par groupe des déplacements", 1978.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.numerics.policy import POLICY, Array


@dataclass(frozen=True)
class Subgroup:
    """A displacement subgroup: its name, its dimension, and how many independent rotations and translations it has."""

    name: str
    dimension: int
    rotations: int
    translations: int


def row_basis(rows: Array) -> Array:
    """Orthonormal basis (rank × n) of the space that the rows span; each row counts with its direction only."""
    sizes = np.linalg.norm(rows, axis=1)
    directions = rows[sizes > POLICY.rank] / sizes[sizes > POLICY.rank, None]
    if not len(directions):
        return np.zeros((0, rows.shape[1]))
    _, values, vt = np.linalg.svd(directions, full_matrices=False)
    return np.asarray(vt[values > POLICY.rank])


def generate(twists: Array) -> Array:
    """Basis (d × 6) of the algebra that the twists (n × 6, rotation first) generate."""
    basis = row_basis(twists)
    while True:
        larger = row_basis(np.vstack([basis, _brackets(basis)])) if len(basis) > 1 else basis
        if len(larger) == len(basis):
            return basis
        basis = larger


def _brackets(basis: Array) -> Array:
    """The brackets of all pairs of twists."""
    first, second = np.triu_indices(len(basis), 1)
    (w1, v1), (w2, v2) = ((basis[i, :3], basis[i, 3:]) for i in (first, second))
    return np.hstack([_cross(w1, w2), _cross(w1, v2) - _cross(w2, v1)])


def _cross(a: Array, b: Array) -> Array:
    """a × b, row by row."""
    return a[:, [1, 2, 0]] * b[:, [2, 0, 1]] - a[:, [2, 0, 1]] * b[:, [1, 2, 0]]


def classify(twists: Array) -> Subgroup:
    """The smallest displacement subgroup that holds the twists (n × 6)."""
    basis = generate(twists)
    rotations = len(row_basis(basis[:, :3])) if len(basis) else 0
    translations = len(basis) - rotations
    names = {
        (0, 0): "rigid",
        (0, 1): "translational",
        (0, 2): "translational",
        (0, 3): "translational",
        (1, 0): "rotational",
        (1, 1): "cylindrical",
        (1, 2): "planar",
        (1, 3): "Schoenflies",
        (3, 0): "spherical",
        (3, 3): "spatial",
    }
    name = names.get((rotations, translations), "spatial")
    if name == "planar" and not _is_planar(basis):
        name = "helical planar"
    if name == "rotational" and not _is_pure_rotation(basis[0]):
        name = "helical"
    return Subgroup(name, len(basis), rotations, translations)


def _is_planar(basis: Array) -> bool:
    """Whether the rotations are pure: no advance along their axis."""
    normal = row_basis(basis[:, :3])[0]
    return bool(np.max(np.abs(basis[:, 3:] @ normal)) < 10 * POLICY.rank)


def _is_pure_rotation(twist: Array) -> bool:
    return bool(abs(twist[:3] @ twist[3:]) < 10 * POLICY.rank)


def count_conditions(joints: Sequence[Array]) -> int:
    """Independent conditions λ that close a loop of joints, given the twists (fᵢ × 6) of each in order round the loop.

    Joints that add nothing to the algebra of an arc belong to it: what is left beside it becomes smaller at most. So each
    joint begins a few arcs only, one for each dimension below that of the whole.
    """
    stacked = [np.atleast_2d(twists) for twists in joints if len(twists)]
    if not stacked:
        return 0
    whole = len(generate(np.vstack(stacked)))
    fewest, n = whole, len(stacked)
    if whole <= 3:
        return whole
    for first in range(n):
        turned = [*stacked[first:], *stacked[:first]]
        arc = generate(turned[0])
        for length in range(1, n):
            larger = row_basis(np.vstack([arc, turned[length]]))
            if len(larger) > len(arc):
                rest = generate(np.vstack(turned[length:]))
                fewest = min(fewest, len(row_basis(np.vstack([arc, rest]))))
                arc = generate(larger)
            if len(arc) == whole:
                break
    return fewest
