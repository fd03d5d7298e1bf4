"""Rows of poses as a path of the inputs: straight from each pose to the next, in small parts, so that branches are kept.

The path is over its own length: angles count in rad, lengths in sizes of the mechanism. Rows that follow each other on one
line are passed at one speed: the motion along it is smooth, which tells branches apart (``numerics/paths/meetings``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.kinematics.input_samples import SampledInput
from linkwork.analysis.kinematics.inputs import Driven, input_name
from linkwork.arrays import Array
from linkwork.position.drives import FreedomName
from linkwork.results.quantities import Variable
from linkwork.topology import Topology

PART = 0.1  # of the path, rad or sizes of the mechanism
APART = 1e-12  # poses that are nearer to each other are one
STRAIGHT = 1e-6  # rad, by which a straight way may bend
WAY = Variable("way of the inputs", "")


@dataclass(frozen=True, eq=False)
class PosePath:
    """Values (M, k) of inputs at the points of a path and its length (M) up to them; places (N) of the rows among them."""

    keys: tuple[FreedomName, ...]
    values: Array
    lengths: Array
    places: NDArray[np.intp]

    def driven(self, topology: Topology, parameters: Mapping[str, float]) -> Driven:
        """The motion along the path, at one unit of its length per second."""
        rates = np.diff(self.values, axis=0) / np.diff(self.lengths)[:, None]
        rates = np.vstack([rates[:1], rates])
        none = np.zeros(len(self.lengths))
        samples = tuple(
            SampledInput(*key, np.column_stack([self.values[:, i], rates[:, i], none, none]), straight=True)
            for i, key in enumerate(self.keys)
        )
        names = {key: name for name, key in topology.drives.keys.items()}
        named = {names.get(sample.key, input_name(sample.key)): sample.key for sample in samples}
        drives = topology.drives.moved(named, np.concatenate([sample.first for sample in samples]))
        return Driven(topology.model, drives, self.lengths, parameters, samples=samples, variable=WAY)

    def row_at(self, length: float, near: float) -> int | None:
        """The number of the row at a place on the path, if one is so near."""
        gaps = np.abs(self.lengths[self.places] - length)
        return int(np.argmin(gaps)) if gaps.min() < near else None


def straight_on(rows: Array, begin: int, following: int) -> range:
    """The numbers of rows, from one that follows another, to which the way goes straight on; rows (M, k) in their sizes."""
    way, last = rows[following] - rows[begin], following
    while last + 1 < len(rows):
        step = rows[last + 1] - rows[last]
        if not np.linalg.norm(way) or not np.linalg.norm(step):
            if np.linalg.norm(step):
                way = step
        elif np.linalg.norm(step / np.linalg.norm(step) - way / np.linalg.norm(way)) > STRAIGHT:
            break
        last += 1
    return range(following, last + 1)


def pose_path(keys: Sequence[FreedomName], rows: Array, sizes: Array, part: float = PART) -> PosePath:
    """The path through rows (N, k) of values of inputs, each of which has its size (k), in parts of some length."""
    steps = np.diff(rows, axis=0)
    way = np.linalg.norm(steps / sizes, axis=1)
    kept = np.append(True, way > APART)
    corner = np.cumsum(kept) - 1
    counts = np.maximum(1, np.ceil(way[kept[1:]] / part)).astype(int)
    corners, ways = rows[kept], way[kept[1:]]
    parts = [
        np.linspace(one, other, n + 1)[1:] for one, other, n in zip(corners[:-1], corners[1:], counts, strict=True)
    ]
    lengths = np.concatenate([[0.0], np.cumsum(np.repeat(ways / counts, counts))])
    ends = np.concatenate([[0], np.cumsum(counts)])
    return PosePath(tuple(keys), np.vstack([corners[:1], *parts]), lengths, ends[corner])
