"""The audit of steps that are taken by hand: conditions now and in the samples that are kept, energy where none comes in.

Springs and weights keep it, and with dampers it falls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.audit.auditor import Auditor, another_formulation
from linkwork.analysis.audit.limits import limits_of
from linkwork.analysis.motion.gathering import has_losses, has_sources
from linkwork.analysis.motion.states import known_states
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.told import remarks
from linkwork.coordinates.undefined import is_number
from linkwork.model.remarks import unswitched
from linkwork.numerics.integrators.base import Method
from linkwork.results.audit import Audit

MOST = 100  # samples
ENERGY = "energy (real time does not integrate the powers of forces and drivers)"
SMALLER = "take a smaller step"
CHANGED = "energy (parameters were set on the way)"


def remarks_in_time(c: Coordinates, p: Array) -> tuple[str, ...]:
    """What is to be known of a mechanism in real time: there switches wait for a hand."""
    return (*remarks(c, p), *(unswitched(c.topology.model) if c.rubs else ()))


def shaping(c: Coordinates, live: int) -> NDArray[np.bool_]:
    """Of each live parameter, whether conditions on positions or velocities contain it."""
    if not c.rows or not live:
        return np.zeros(live, dtype=bool)
    conditions = ca.densify(ca.vertcat(c.phi, c.jacobian @ c.v + c.a))
    return np.array(ca.which_depends(conditions, c.p, 1, False), dtype=bool)[:live]


@dataclass(frozen=True, eq=False)
class Seen:
    """States at some steps: t (N), y (N, n), p (N, np); *same*: no parameter was set since the start, which is the first."""

    t: Array
    y: Array
    p: Array
    same: bool


def rows_seen(samples: Array, now: tuple[float, Array, Array], start: Array | None) -> Seen:
    """The start unless parameters were set since, samples (N, 1 + n + ... + np), and now: time, y and p."""
    time, y, p = now
    kept = thinned(samples)
    rows = [] if start is None else [(0.0, start, p)]
    rows += [(row[0], row[1 : y.size + 1], row[row.size - p.size :]) for row in kept]
    rows = [row for i, row in enumerate(rows) if row[0] < time and (i == 0 or rows[i - 1][0] < row[0])]
    t, states, values = (np.array(column) for column in zip(*rows, (time, y, p), strict=True))
    return Seen(t, states, values, same=start is not None)


def thinned(samples: Array) -> Array:
    """At most so many of the samples, evenly spread."""
    return samples[np.unique(np.linspace(0, len(samples) - 1, min(MOST, len(samples))).astype(int))]


def audit_steps(mechanism: Mechanism, start: Start, method: Method, step: float, seen: Seen) -> Audit:
    """The audit of what was seen of steps of one size (s)."""
    pieces = [replace(start, p=p.copy()) for p in seen.p]
    each = [known_states(mechanism, piece, seen.t[i : i + 1], seen.y[i : i + 1])[2] for i, piece in enumerate(pieces)]
    limits = limits_of(mechanism.equations.formulation, method, (0.0, 0.0), fixed=True)
    balanced = seen.same and not has_sources(mechanism)
    # what is too large for any computation is as good as infinite
    y = np.where(is_number(seen.y), seen.y, np.inf)
    run = Trajectory(mechanism, (seen.t, y, np.vstack(each)), seen.p[0] if seen.same else seen.p)
    ends = np.arange(seen.t[0], seen.t[-1] + step, step) if len(seen.t) > 1 else np.empty(0)
    # inputs that were set at a sample jump there: the interval behind it is left out
    jumps = np.flatnonzero(np.any(seen.p[1:] != seen.p[:-1], axis=1))
    breaks = tuple(((seen.t[jumps] + seen.t[jumps + 1]) / 2).tolist())
    falls = has_losses(mechanism)
    closes = f"{another_formulation(mechanism)}, or a smaller step"
    found = Auditor(run, limits, ends, breaks, balanced, falls, remedy=SMALLER, closes=closes)()
    return found if balanced else replace(found, unchecked=(*found.unchecked, ENERGY if seen.same else CHANGED))
