"""The conditions between natural coordinates: rigid bodies, and what the joints do not share.

The products of the basis vectors of a body stay what they are (García de Jalón and Bayo, eqs. 2.17 to 2.46); every
further point or vector is a combination of the basis with constant coefficients (eqs. 2.23, 2.30, 2.40, 2.47). As no
basis has nearly parallel vectors, no product stands where its derivative vanishes, and as combinations are linear, points
in a line and vectors in a plane need nothing special. Joints compare directions that are orthogonal where they
hold, so that their rows are regular at every angle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import casadi as ca
import numpy as np

from linkwork.algebra.space import Space
from linkwork.coordinates.base import ConstraintRow, Meaning, RowLabel, rows_between
from linkwork.coordinates.natural.basis import BodyBasis, LinearVector, segment_key, vector_key
from linkwork.coordinates.natural.sharing import Entity, Sharing
from linkwork.position.geometry import GROUND, Geometry

PointSet = tuple[str, ...]


def conditions(sharing: Sharing, bases: Mapping[str, BodyBasis], q: ca.SX, length: float) -> list[ConstraintRow]:
    """Rigidity of every group of bodies, their further points and vectors, and what the joints do not share."""
    geometry = sharing.geometry
    rows: list[ConstraintRow] = []
    held: set[frozenset[PointSet]] = set()  # products of directions that a group holds already
    for group in _groups(sharing, bases):
        rows += _products(geometry, group[0], held, length)
        rows += _combinations(sharing, group, length)
        keys = _directions(sharing, group)
        held |= {frozenset((one, other)) for one in keys for other in keys}
    for joint in geometry.joints.values():
        ends = [
            frame if name == GROUND else bases[name].place(frame)
            for name, frame in ((joint.parent, joint.a), (joint.child, joint.b))
        ]
        rows += rows_between(geometry, joint, (ends[0], ends[1]), length, sharing.shared_parts(joint))
    # rows between fixed things only hold by themselves
    return [row for row in rows if q.numel() and ca.depends_on(row.residual, q)]


def _groups(sharing: Sharing, bases: Mapping[str, BodyBasis]) -> list[list[BodyBasis]]:
    """Bodies with the same orientation. Those with the most combinations come first: these hold products by the way."""
    groups: dict[str, list[BodyBasis]] = {}
    for body in bases.values():
        groups.setdefault(body.attitude.root, []).append(body)
    return sorted(groups.values(), key=lambda group: len(group[0].basis.vectors) - len(_directions(sharing, group)))


def _directions(sharing: Sharing, group: Sequence[BodyBasis]) -> set[PointSet]:
    """All segments and vectors of a group."""
    keys = {vector_key(vector) for vector in sharing.vectors_of(group[0].attitude.root)}
    for body in group:
        keys |= {segment_key(one, other) for one, other in combinations(sharing.points_of(body.body.name), 2)}
    return keys


def _products(
    geometry: Geometry, body: BodyBasis, held: set[frozenset[PointSet]], length: float
) -> Iterator[ConstraintRow]:
    """The products of the basis vectors, each once in the mechanism."""
    vectors = body.basis.vectors
    for i, first in enumerate(vectors):
        for second in vectors[i:]:
            if frozenset((first.key, second.key)) not in held and not (first.constant and second.constant):
                yield _product(geometry, body.body.name, first, second, length)


def _product(geometry: Geometry, body: str, first: LinearVector, second: LinearVector, length: float) -> ConstraintRow:
    same, units = first is second, [vector.key[0] == "vector" for vector in (first, second)]
    kind = "normalisation" if same and units[0] else "body"
    title = first.title if same else f"angle of {first.title} and {second.title}"
    residual = ca.dot(first.world, second.world) - ca.dot(first.local, second.local)
    residual = residual / 2 if same else residual  # its gradient is the vector itself
    sizes = [float(np.linalg.norm(geometry.number(vector.local))) for vector in (first, second)]
    reach = max((size for size, unit in zip(sizes, units, strict=True) if not unit), default=length)
    part = 1.0 if any(units) else _unit_of(length)
    meaning = _stretch(first, part) if same else _bend(first, second, part)
    return ConstraintRow(RowLabel(body, title, kind), residual / part, part * reach / (sizes[0] * sizes[1]), meaning)


def _unit_of(length: float) -> float:
    """The unit (mm, m, km, ...) nearest to a length, in m.

    Products of two segments are measured in it times metres, so that all conditions are lengths or numbers of one size.
    """
    return float(1000.0 ** round(math.log(length, 1000.0)))


def _stretch(vector: LinearVector, part: float) -> Meaning:
    """λ of half a squared length L: the forces λ L that push its ends apart (eqs. 6.57 to 6.61, 6.96)."""
    if vector.key[0] == "vector":
        return Meaning(f"pair of forces along {vector.title}, without effect", True)
    _, start, end = vector.key
    return Meaning(
        f"force that pushes {start} and {end} apart", False, vector.ratio * ca.norm_2(vector.local) / part, part
    )


def _bend(first: LinearVector, second: LinearVector, part: float) -> Meaning:
    """λ of a scalar product: couples λ L₁ L₂ sin θ that turn both directions together (eqs. 6.81, 6.97 to 6.100)."""
    text = f"couple that closes the angle of {first.title} and {second.title}"
    return Meaning(text, True, ca.norm_2(ca.cross(first.local, second.local)) / part, part)


def _combinations(sharing: Sharing, group: Sequence[BodyBasis], length: float) -> Iterator[ConstraintRow]:
    """Further shared points of the bodies and vectors of the group are combinations of its basis."""
    basis, root = {vector.key for vector in group[0].basis.vectors}, group[0].attitude.root
    own = {point for body in group for point in sharing.points_of(body.body.name)}
    for body in group:
        for point in sharing.points_of(body.body.name):
            if point is not body.start and segment_key(body.start, point) not in basis:
                gap = point.position - body.point(point.places[body.body.name])
                yield from _components(sharing.space, body, point, gap, 1.0)
    for vector in sharing.vectors_of(root):
        # a multiple of a segment of the group follows its points
        if vector_key(vector) not in basis and not (vector.ends and own.issuperset(vector.ends)):
            gap = vector.position - group[0].group_vector(vector.places[root])
            yield from _components(sharing.space, group[0], vector, gap, length)


def _components(space: Space, body: BodyBasis, entity: Entity, gap: ca.SX, weight: float) -> Iterator[ConstraintRow]:
    for i, axis in enumerate(space.axis_names):
        label = RowLabel(body.body.name, f"{entity.kind} {entity.name} {axis}", "body")
        # with factors 1 − α − β, α, β and −1 on the points of the basis (eqs. 6.82 to 6.84)
        what = f"{'force' if entity.kind == 'point' else 'moment'} on {entity.name} along {axis}"
        meaning = Meaning(f"{what}, balanced by the basis of {body.body.name}", entity.kind != "point")
        yield ConstraintRow(label, gap[i], weight, meaning)
