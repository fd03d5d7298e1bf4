"""Work: powers integrated over a run, when somebody asks.

A run does not carry integrals along. When a work is asked for, the run is repeated with the same steps (output points do not
change them), with output at the Gauss-Legendre nodes between all step ends and output times. There the dense output is a
smooth function, so that a few nodes integrate the powers as accurately as the run is itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
States = tuple[Array, Array, Array]  # t (N), y (N, n), v̇ (N, nv)


@dataclass(frozen=True, eq=False)
class Quadrature:
    """Nodes (N) between breakpoints, and the weights of the intervals (m × k) to which they belong.

    ends: for every output time the number of intervals before it
    """

    nodes: Array
    weights: Array
    ends: NDArray[np.intp]

    def integrate(self, values: Array) -> Array:
        """Integrals (outputs × q) from the first output time, of values (N × q) at the nodes."""
        shape = (*self.weights.shape, values.shape[1])
        parts = np.einsum("ik,ikq->iq", self.weights, values.reshape(shape))
        return np.vstack([np.zeros((1, shape[2])), np.cumsum(parts, axis=0)])[self.ends]


def quadrature(outputs: Array, steps: Array, order: int) -> Quadrature:
    """Gauss-Legendre nodes for a run with these output times and ends of steps, for a method of this order."""
    inner = steps[(steps > outputs[0]) & (steps < outputs[-1])]
    # a step that was meant to end at an output does, but for rounding
    nearest = outputs[np.clip(np.searchsorted((outputs[1:] + outputs[:-1]) / 2, inner), 0, len(outputs) - 1)]
    inner = inner[np.abs(inner - nearest) >= 64 * np.spacing(np.abs(nearest))]
    breaks = np.unique(np.concatenate([outputs, inner]))
    # an interval without room for its nodes adds nothing
    short = np.diff(breaks) < 64 * np.spacing(np.abs(breaks[1:]))
    kept = np.isin(breaks, outputs) | np.concatenate([[False], ~short])
    breaks = breaks[kept]
    points, weights = np.polynomial.legendre.leggauss(order // 2 + 1)
    half = np.diff(breaks) / 2
    nodes = (breaks[:-1] + half)[:, None] + half[:, None] * points
    return Quadrature(nodes.ravel(), half[:, None] * weights, np.searchsorted(breaks, outputs))


@dataclass(frozen=True, eq=False)
class Rerun:
    """How to repeat a run: ``states`` gives the states at further times between the first and the last output."""

    states: Callable[[Array], States]
    steps: Array
    order: int
