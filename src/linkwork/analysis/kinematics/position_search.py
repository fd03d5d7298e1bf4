"""How the positions of a prescribed motion are found: by closed forms or by iteration, on its smooth branch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from linkwork.analysis.kinematics.carried_spins import carry_spins
from linkwork.analysis.kinematics.closing_motion import MotionClosing
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.arrays import Array
from linkwork.compiler.compiled import CompiledFunction
from linkwork.coordinates.spinning import spin_rates
from linkwork.coordinates.undefined import is_number
from linkwork.equations.prescribed import prescribed_functions
from linkwork.errors import AssemblyError
from linkwork.numerics.flows.closure import rank_at
from linkwork.numerics.paths.displacement import Displacements, PrescribedSystem, complete, follow, without_first
from linkwork.numerics.paths.meetings import keep_smooth

CLOSED_FORM = "closed_form"
LARGEST = 60  # iterations of one displacement
SAME = 1e-6  # difference of states that are the same
APART = 1.0  # rad, between a displacement and what speeds say of it, beyond which turns are not counted
PLACES = 8  # positions that tell how long rows of conditions are
LONG = 10.0  # times the usual length of a row that counts as its greatest


def prescribed_system(mechanism: Mechanism, start: Start) -> PrescribedSystem:
    """The conditions of a mechanism whose motion is prescribed, compiled."""
    c = mechanism.coordinates
    spins = spin_rates(c.geometry, c.topology.spins, c.kinematics).rates
    code = {name: mechanism.compiled(function) for name, function in prescribed_functions(c, spins).items()}
    count = len(c.rows) + spins.numel()
    known = mechanism.conditions(start.p)
    rows = replace(known, functions={**known.functions, "closure": code["closure"]}, m=count, entries=None)
    rank = rank_at(rows, 0.0, start.y) if c.rows else 0
    sizes = c.q.numel(), c.v.numel(), c.s.numel(), count
    slopes = partial(_rows_at, code["closure"], c.kinematics.scale, start.p)
    lengths = _row_lengths(mechanism, slopes, start)
    return PrescribedSystem(
        sizes, functions=code, rank=rank, scale=c.kinematics.scale, p=start.p, lengths=lengths, rows=slopes
    )


def _rows_at(closure: CompiledFunction, scale: Array, p: Array, t: Array, y: Array, along: Array | None) -> Array:
    """C (N, m, nv) in units of the scale."""
    return np.asarray(closure.unpack(closure.sample(t, y, p if along is None else along))["C"] * scale)


def _row_lengths(mechanism: Mechanism, rows: Callable[[Array, Array, Array | None], Array], start: Start) -> Array:
    """(m) The greatest length of every row of C, in units of the scale: of the start and of some positions around."""
    moved = np.tile(start.y, (PLACES, 1))
    nq, nv = mechanism.coordinates.q.numel(), mechanism.coordinates.v.numel()
    scale = mechanism.coordinates.kinematics.scale
    if nq == nv:
        moved[1:, :nq] += 0.5 * np.random.default_rng(0).uniform(-1, 1, (PLACES - 1, nq)) * scale
    found = rows(np.zeros(PLACES), moved, None)
    sizes = np.nan_to_num(np.linalg.norm(found, axis=2))
    # some rows grow without bounds where others vanish
    return np.asarray(np.minimum(sizes.max(axis=0, initial=0.0), LONG * np.median(sizes, axis=0)))


@dataclass(frozen=True, eq=False)
class PositionSearch:
    """How positions are found: by closed forms where there are some, or by iteration."""

    mechanism: Mechanism
    system: PrescribedSystem
    start: Start
    method: str
    prediction: int
    tolerance: float

    def all(self, times: Array, along: Array | None, forms: bool) -> tuple[Displacements, str]:
        """The motion at all times on its smooth branch, and the method that has found it; *forms*: by closed forms."""
        found = self.by_forms(self.start, times, along) if forms else None
        used = CLOSED_FORM if found is not None else self.method
        if found is None:
            found = _without_spins(self.mechanism, self.system, self.by_steps(self.start.y, times, along), times, along)
        if not self.mechanism.topology.loops:
            return found, used

        def go_on(time: float, y: Array, i: int, j: int) -> Displacements:
            return self._go_on(time, y, times[i:j], None if along is None else along[i:j], used == CLOSED_FORM)

        kept = keep_smooth(self.system, times, along, found, go_on)
        if used == CLOSED_FORM and len(kept.y) < len(times) and kept.lost is None and not kept.interrupted:
            # where the formulas end iteration tells why
            return self.all(times, along, False)
        return kept, used

    def by_steps(self, y: Array, times: Array, along: Array | None) -> Displacements:
        """Positions by iteration from the one at the first time."""
        return follow(
            self.system,
            times,
            y,
            method=self.method,
            prediction=self.prediction,
            tolerance=self.tolerance,
            limit=LARGEST,
            along=along,
        )

    def by_forms(self, start: Start, times: Array, along: Array | None) -> Displacements | None:
        """Positions by formulas, up to where they fail; None where a loop cannot be closed or an input has no value."""
        mechanism = self.mechanism
        try:
            q, v, _ = mechanism.motion(times, start, along)
        except AssemblyError:
            return None
        if not (np.all(is_number(q)) and np.all(is_number(v))):
            return None
        if q.shape == v.shape and not _turned(mechanism, times, q, v):
            return None
        y = np.tile(start.y, (len(times), 1))
        y[:, : q.shape[1]] = q
        found = complete(self.system, times, y, along)
        return found if len(found.y) else None

    def _go_on(self, time: float, y: Array, times: Array, along: Array | None, forms: bool) -> Displacements:
        """Positions behind a state: by the branches of the formulas that are those of the state, or by iteration."""
        if forms:
            p = self.start.p if along is None else along[0]
            found = self.by_forms(replace(self.start, y=y, p=p, time=time), times, along)
            near = self.by_steps(y, *_with_first(time, times[:1], along))
            if found is not None and len(near.y) == 2 and _agree(found.y[0], near.y[1]):
                return found
        return without_first(self.by_steps(y, *_with_first(time, times, along)))


def _with_first(time: float, times: Array, along: Array | None) -> tuple[Array, Array | None]:
    """Times and parameters from a time before the first one on."""
    return np.append(time, times), None if along is None else np.vstack([along[:1], along[: len(times)]])


def _agree(one: Array, other: Array) -> bool:
    """Whether two states are the same."""
    return bool(np.all(np.abs(one - other) <= SAME * np.maximum(1.0, np.abs(other))))


def _without_spins(
    mechanism: Mechanism, system: PrescribedSystem, found: Displacements, times: Array, along: Array | None
) -> Displacements:
    """The same motion with the positions of passive spins as those go along with it, not along chords between samples."""
    spins, t = mechanism.topology.spins, times[: len(found.y)]
    p = system.p if along is None else along[: len(t)]
    closing = MotionClosing(mechanism, p, [], spins)
    if not closing.spins.names or len(t) < 2:
        return found
    across = carry_spins(mechanism, closing.spins, (t, found.y, found.vdot), p)
    y = closing.positions(t, found.y, np.zeros((len(t), 0)), across)
    exact = complete(system, t, y, None if along is None else p)
    if len(exact.y) < len(t):
        return found
    return replace(found, y=exact.y, vdot=exact.vdot, jerk=exact.jerk, last=exact.last)


def _turned(mechanism: Mechanism, times: Array, q: Array, v: Array) -> bool:
    """Count the turns of angles by their speeds, in place; False where positions are too far apart to tell."""
    angles = [i for i, name in enumerate(mechanism.coordinates.kinematics.q_names) if name.endswith("angle")]
    way = np.diff(q[:, angles], axis=0)
    expected = np.diff(times)[:, None] * (v[1:, angles] + v[:-1, angles]) / 2
    if not (np.all(np.isfinite(way)) and np.all(np.isfinite(expected))):
        return False
    way += 2 * np.pi * np.round((expected - way) / (2 * np.pi))
    q[1:, angles] = q[0, angles] + np.cumsum(way, axis=0)
    return bool(np.all(np.abs(way - expected) < APART))
