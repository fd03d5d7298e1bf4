"""``root_locus``: how the eigenvalues of a mechanism move with a live parameter, and where it becomes unstable.

Branches are followed by pairing the eigenvalues of neighbouring values so that the sum of their distances is least. Where a
real part changes its sign, the value of the parameter is found by Brent's method on exact linearisations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq, linear_sum_assignment

from linkwork.algebra.units import si
from linkwork.analysis.linearise import linearise
from linkwork.coordinates.numbering import KindChoice
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.results.linearisation import ComplexArray
from linkwork.results.root_locus import Crossing, RootLocus

Array = NDArray[np.float64]
SAME = 1e-9  # distance of crossings, beside the range of the parameter, that are one
ZERO = 1e-9  # real part, beside the largest eigenvalue, that counts as none


def root_locus(
    model: Model,
    parameter: str,
    values: ArrayLike,
    *,
    states: Sequence[str] = (),
    coordinates: KindChoice = "relative",
    parameters: Mapping[str, float | str] | None = None,
) -> RootLocus:
    """Follow the eigenvalues about the assembled state while a live *parameter* takes two or more increasing *values*.

    The state is assembled anew for each value: where it should be an equilibrium, it must be one for all of them.
    states, coordinates: see ``linearise``; parameters: values of the other live parameters
    """
    at = np.asarray(values, dtype=float).ravel()
    live = [name for name, item in model.parameters.items() if item.live]
    if parameter not in live:
        raise UnknownNameError(f"there is no live parameter '{parameter}'; {did_you_mean(parameter, live)}")
    if at.size < 2 or np.any(np.diff(at) <= 0):
        raise RefusedError("a root locus needs two or more values of the parameter, each larger than the one before")
    others = {name: si(value, "any") for name, value in (parameters or {}).items()}

    def roots(value: float) -> ComplexArray:
        given = {**others, parameter: float(value)}
        return linearise(model, states=states, coordinates=coordinates, parameters=given).eigenvalues

    found = _branches([roots(value) for value in at], parameter)
    moving = np.any(np.abs(found) > 0.0, axis=0)
    crossings = _crossings(roots, at, found[:, moving])
    return RootLocus(model.name or "mechanism", parameter, at, found[:, moving], int(np.sum(~moving)), crossings)


def _branches(found: Sequence[ComplexArray], parameter: str) -> ComplexArray:
    """Eigenvalues (N, n) in an order in which each column is one branch."""
    if len({len(roots) for roots in found}) > 1:
        raise RefusedError(f"the number of freedoms changes with '{parameter}': follow it between these values")
    rows = [found[0]]
    for roots in found[1:]:
        # straight on, where there is a direction
        ahead = 2 * rows[-1] - rows[-2] if len(rows) > 1 else rows[-1]
        rows.append(roots[linear_sum_assignment(np.abs(ahead[:, None] - roots))[1]])
    return np.array(rows)


def _crossings(roots: Callable[[float], ComplexArray], at: Array, branches: ComplexArray) -> tuple[Crossing, ...]:
    """Where the k-th largest real part, which is continuous whatever branches do, is zero; conjugate ones count once."""
    tiny = ZERO * float(np.max(np.abs(branches), initial=1.0))
    real = np.sort(np.where(np.abs(branches.real) <= tiny, 0.0, branches.real), axis=1)
    span = float(at[-1] - at[0])
    found: list[Crossing] = []
    for k, low, high in _sign_changes(real):

        def ranked(value: float, k: int = k) -> complex:
            # zeros that stay are exact
            moving = sorted((root for root in roots(value) if root != 0.0), key=lambda root: root.real)
            return complex(moving[k])

        value = float(brentq(lambda x, f=ranked: f(x).real, at[low], at[high], xtol=1e-13, rtol=1e-13))
        value = 0.0 if abs(value) < 1e-12 * span else value
        crossing = Crossing(value, abs(ranked(value).imag), bool(real[high, k] > 0.0))
        if not any(_same(crossing, other, span) for other in found):
            found.append(crossing)
    return tuple(sorted(found, key=lambda crossing: (crossing.value, crossing.omega)))


def _sign_changes(real: Array) -> Iterator[tuple[int, int, int]]:
    """Column and rows between which a number changes its sign; zeros may lie between them."""
    for k, column in enumerate(real.T):
        for low, high in pairwise(np.flatnonzero(column)):
            if column[low] * column[high] < 0.0:
                yield k, int(low), int(high)


def _same(one: Crossing, other: Crossing, span: float) -> bool:
    near = abs(one.value - other.value) <= SAME * span
    return near and abs(one.omega - other.omega) <= 1e-6 * max(one.omega, other.omega)
