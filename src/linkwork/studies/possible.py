"""Which values of live parameters can be: what `Topology.parameters` refuses of one variant, of many at once.

Masses that are negative, lengths that are zero, inertias of no body: what may be is convex. Where all numbers of a model are
linear in the parameters that change, the corners of the box that these fill answer for all variants; else each is asked.
"""

from __future__ import annotations

from itertools import product

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.algebra.expressions import to_sx
from linkwork.arrays import Array
from linkwork.errors import LinkworkError
from linkwork.model.draft_model import draft_of
from linkwork.model.parameters import ReadNumber
from linkwork.topology.topology import Topology

MOST = 8  # parameters whose corners are asked


def possible(topology: Topology, names: tuple[str, ...], values: Array) -> NDArray[np.bool_]:
    """Which of the variants (N), with values (N, names), can be."""
    changing = np.ptp(values, axis=0) > 0.0
    if np.count_nonzero(changing) <= MOST and _is_linear(topology, names):
        ends = [
            (low, high) if moves else (low,)
            for low, high, moves in zip(values.min(0), values.max(0), changing, strict=True)
        ]
        if all(_can_be(topology, names, corner) for corner in product(*ends)):
            return np.ones(len(values), dtype=bool)
    return np.array([_can_be(topology, names, row) for row in values], dtype=bool)


def _can_be(topology: Topology, names: tuple[str, ...], row: tuple[float, ...] | Array) -> bool:
    try:
        topology.parameters({name: ReadNumber(value) for name, value in zip(names, row, strict=True)})
    except LinkworkError:
        return False
    return True


def _is_linear(topology: Topology, names: tuple[str, ...]) -> bool:
    """Whether all numbers of the model are linear in these parameters; formulas of the state are no numbers."""
    geometry = topology.geometry
    known = geometry.fixed_values
    places = [geometry.parameter_names.index(name) for name in names]
    symbols = ca.vertcat(*[geometry.parameters[place] for place in places])
    for _, _, expression in draft_of(topology.model).expressions():
        used = expression.names()
        if not used or not used <= known.keys():
            continue
        slope = ca.jacobian(ca.SX(to_sx(expression, known.__getitem__)), symbols)
        if ca.depends_on(slope, symbols):
            return False
    return True
