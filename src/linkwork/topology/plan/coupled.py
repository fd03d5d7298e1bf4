"""Which coordinates a set of linear relations gives, on its own or together with a loop.

Relations are solved as soon as a few of them have as many unknowns as they are and determine them: one gear after
another, or the two meshes of a differential at once. Inside a loop they are further conditions; coordinates outside it
that only pass a motion on, such as that of an idler, are found together with the loop.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.topology.plan.blocks import Array, Key, LinearRelation

MOST_SETS = 4000
RANK = 1e-9


@dataclass(frozen=True)
class Determined:
    """Relations, and the unknown coordinates that they determine."""

    relations: tuple[LinearRelation, ...]
    keys: tuple[Key, ...]


def find_solvable(relations: Sequence[LinearRelation], known: Collection[Key]) -> Determined | None:
    """The smallest set of relations with as many unknowns as relations, all of which it determines."""
    open_keys = [_missing(relation, known) for relation in relations]
    sets = {frozenset([i]) for i, keys in enumerate(open_keys) if keys}
    tried = 0
    while sets and tried < MOST_SETS:
        for chosen in sorted(sets, key=sorted):
            tried += 1
            bound = _bound(relations, open_keys, sorted(chosen))
            if len(bound.keys) == len(chosen) and _rank(bound.relations, bound.keys) == len(chosen):
                return bound
        sets = {s | {i} for s in sets for i in range(len(relations)) if i not in s and _touches(open_keys, s, i)}
    return None


def find_binding(relations: Sequence[LinearRelation], known: Collection[Key], inside: Collection[Key]) -> Determined:
    """The relations that bind the coordinates *inside* a loop; the keys are those outside that they determine on the way."""
    left = [relation for relation in relations if _missing(relation, known)]
    while True:
        counts: dict[Key, int] = {}
        for relation in left:
            for key in _missing(relation, known):
                counts[key] = counts.get(key, 0) + 1
        # a coordinate outside that occurs only once is what its relation is there for
        kept = [r for r in left if all(key in inside or counts[key] > 1 for key in _missing(r, known))]
        if len(kept) == len(left):
            break
        left = kept
    found: list[LinearRelation] = []
    outer: list[Key] = []
    for group in _groups(left, {*known, *inside}):
        keys = list(dict.fromkeys(key for r in group for key in _missing(r, known) if key not in inside))
        bound = any(key in inside for r in group for key in _missing(r, known))
        if bound and _rank(group, keys) == len(keys):
            found += group
            outer += keys
    return Determined(tuple(r for r in relations if r in found), tuple(outer))


def dependent_keys(relations: Sequence[LinearRelation], allowed: Collection[Key], avoided: Collection[str]) -> set[Key]:
    """Coordinates among those *allowed* that the relations give from the others; not of joints *avoided*, if possible.

    Elimination, relation by relation; the last coordinate of each is the dependent one where there is a choice.
    """
    keys = list(dict.fromkeys(key for relation in relations for key in relation.keys))
    rows = np.array([[dict(relation.terms).get(key, 0.0) for key in keys] for relation in relations])
    pivots: set[Key] = set()
    for i, relation in enumerate(relations):
        size = float(np.max(np.abs(rows[i]), initial=0.0))
        columns = [keys.index(key) for key in (*reversed(relation.keys), *keys)]
        usable = [j for j in columns if keys[j] in allowed and abs(rows[i, j]) > RANK * size > 0.0]
        if not usable:
            continue
        chosen = min(usable, key=lambda j: keys[j][0] in avoided)
        rows[i] /= rows[i, chosen]
        for other in range(len(relations)):
            if other != i:
                rows[other] -= rows[other, chosen] * rows[i]
        pivots.add(keys[chosen])
    return pivots


def _missing(relation: LinearRelation, known: Collection[Key]) -> list[Key]:
    return [key for key in relation.keys if key not in known]


def _bound(
    relations: Sequence[LinearRelation], open_keys: Sequence[Sequence[Key]], chosen: Sequence[int]
) -> Determined:
    keys = tuple(dict.fromkeys(key for i in chosen for key in open_keys[i]))
    return Determined(tuple(relations[i] for i in chosen), keys)


def _touches(open_keys: Sequence[Sequence[Key]], chosen: Collection[int], other: int) -> bool:
    return any(key in open_keys[other] for i in chosen for key in open_keys[i])


def _groups(relations: Sequence[LinearRelation], known: Collection[Key]) -> list[list[LinearRelation]]:
    """Relations that hang together by coordinates that are not known."""
    groups: list[list[LinearRelation]] = []
    for relation in relations:
        keys = set(_missing(relation, known))
        near = [g for g in groups if any(keys & set(_missing(other, known)) for other in g)]
        groups = [g for g in groups if g not in near] + [[r for g in near for r in g] + [relation]]
    return groups


def _rank(relations: Sequence[LinearRelation], keys: Sequence[Key]) -> int:
    if not keys:
        return 0
    rows: Array = np.array([[dict(relation.terms).get(key, 0.0) for key in keys] for relation in relations])
    sizes = np.linalg.norm(rows, axis=0)
    return int(np.linalg.matrix_rank(rows / np.where(sizes > 0, sizes, 1.0), tol=RANK))
