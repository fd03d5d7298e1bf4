"""What a way to find the efforts of motors is, and how efforts are shared where there are more motors than freedoms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.motors import Motor
from linkwork.equations.inverse.power_system import PowerSystem
from linkwork.equations.reactions.base import ReactionScheme
from linkwork.equations.reactions.schemes import LEAST
from linkwork.numerics.matrices.many_matrices import least_solutions, pseudo_inverse
from linkwork.numerics.policy import POLICY

RANK = POLICY.rank


@dataclass(frozen=True, eq=False)
class Motorised:
    """A mechanism with motors: coordinates whose forces contain the symbols u (k), with the weights w (k) of these.

    rank: of the conditions between the coordinates in positions that are not singular; None where it is not known
    systems: those of virtual power that were written for it, by name
    """

    coordinates: Coordinates
    motors: tuple[Motor, ...]
    u: ca.SX
    weights: Array
    rank: int | None = None
    systems: dict[str, PowerSystem] = field(default_factory=dict)

    def at_rest(self, expression: ca.SX) -> ca.SX:
        """An expression with motors that do not push."""
        return ca.substitute(expression, self.u, ca.SX.zeros(self.u.numel()))

    @property
    def scale(self) -> Array:
        return self.coordinates.kinematics.scale


@dataclass(frozen=True, eq=False)
class Samples:
    """Moments (N) of a motion, and the outputs there of functions (t, [y, v̇], p), with motors that do not push."""

    time: Array
    vdot: Array  # (N, nv)
    evaluate: Callable[[ca.Function], Mapping[str, Array]]


class InverseMethod(ABC):
    """One way to get the efforts u (N, k) of all motors; ``reactions`` is how those of joints follow then."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @property
    def reactions(self) -> ReactionScheme:
        return LEAST

    @abstractmethod
    def solve(self, motorised: Motorised, samples: Samples) -> Array:
        """The efforts. Where there are more motors than freedoms, Σ w u² is least."""


def least(matrix: Array, right: Array, weights: Array) -> Array:
    """u with A u = r and least Σ w u²; of least squares where there is none."""
    root = 1.0 / np.sqrt(weights)
    return np.asarray(root * least_solutions(matrix * root, right, RANK))


def with_others(matrix: Array, others: Array, right: Array, weights: Array) -> Array:
    """u of [A, D] [u; x] = r with any x, and least Σ w u².

    All solutions are u₀ + Z z, with the null space Z of [A, D].
    """
    root = 1.0 / np.sqrt(weights)
    k = matrix.shape[-1]
    whole = np.concatenate([matrix * root, others], axis=-1)
    if not whole.shape[-1]:
        return np.zeros((len(matrix), 0))
    length = np.linalg.norm(whole, axis=-2, keepdims=True)
    length = np.where(length > 0.0, length, 1.0)
    u, sizes, vt = np.linalg.svd(whole / length)
    kept = sizes > RANK
    inner = sizes.shape[-1]
    along = np.einsum("nij,ni->nj", u[:, :, :inner], right)
    found = np.einsum("nij,ni->nj", vt[:, :inner], np.divide(along, sizes, out=np.zeros_like(along), where=kept))
    loose = np.arange(vt.shape[-1]) >= np.sum(kept, axis=-1)[:, None]
    free = ((vt * loose[..., None]).swapaxes(-1, -2) / length.swapaxes(-1, -2))[:, :k]
    start = (found / length[:, 0])[:, :k]
    size = np.linalg.norm(free, ord=2, axis=(-2, -1)) if k else np.zeros(len(free))
    step = pseudo_inverse(free, np.maximum(RANK, RANK * size)) @ start[..., None]
    return np.asarray(root * (start - (free @ step)[..., 0]))
