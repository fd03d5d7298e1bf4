"""A motion of a mechanism over one period: where it ends, and how a neighbouring motion goes beside it.

A variation of the start follows δẏ = J(t) δy, J = ∂ẏ/∂y along the motion (``equations/linear/variations.py``), and stays on
the tangent of the conditions. With E = ∂y/∂ξ at the start, whose rows of independent components are 1, the rows of Y(T) E at
these components are the monodromy matrix: δξ(T) = M δξ(0). States are compared after whole turns of angles, and with
quaternions of either sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.course import begin_flow
from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Array, Mechanism, Start
from linkwork.analysis.prepared.smooth import require_smooth
from linkwork.analysis.vibration.hybrid import Followed, HybridMotion, OwnJump, PassedEvent, SmoothPart, returned
from linkwork.equations.linear.variations import Moment, Variation, VariationalEquations
from linkwork.equations.linear.variations_along import jacobians_along
from linkwork.errors import RefusedError
from linkwork.numerics.flows.constrained import begin_again
from linkwork.numerics.integrators import method_named
from linkwork.numerics.integrators.run import integrate
from linkwork.numerics.integrators.solution import RunStatus
from linkwork.numerics.systems.variational_flow import collocation_times, transition

METHOD = method_named("dop853")
RTOL, ATOL = 1e-13, 1e-14
MOST_STEPS = 1_000_000  # in a period
FIRST, MOST = 8, 512  # intervals of a period
CONVERGED = 1e-11  # change of the monodromy matrix, beside its size, when intervals are halved
SMALL = 1e-9  # change that is halved once more
TURN = 2.0 * np.pi


@dataclass(frozen=True, eq=False)
class Lap:
    """One period from a state: where it ends, and the monodromy matrix (k, k) of the independent components; its events.

    gap (n): how far the end is from the start, after whole turns; error: of the matrix, as halved intervals tell it
    """

    start: Moment
    end: Array
    gap: Array
    matrix: Array
    error: float
    period: float
    crossings: tuple[PassedEvent, ...] = ()


class Orbit:
    """The motions of a mechanism from states near each other, over one period."""

    def __init__(self, mechanism: Mechanism, p: Array, own: OwnJump | None = None) -> None:
        self.mechanism, self.p, self.own = mechanism, p, own
        self.c = mechanism.coordinates
        require_smooth(mechanism.model, "floquet")
        loose = own is not None or bool(self.c.limits or self.c.switches)
        self.hybrid = HybridMotion(mechanism, p, METHOD, own) if loose else None
        self.equations = of_noun(self.c, "variations", None, lambda: VariationalEquations(self.c, ca.SX(0, 1)))
        self._known: dict[tuple[float, bytes, bytes], Variation] = {}

    def about(self, t: float, y: Array, p: Array | None = None) -> Variation:
        """The variations about a state, in the mode of p; the last ones are remembered."""
        p = self.p if p is None else p
        key = (t, y.tobytes(), p.tobytes())
        if key not in self._known:
            self._known = dict(list(self._known.items())[-3:])
            self._known[key] = self.equations.about(Moment(t, y, p))
        return self._known[key]

    def states(self, t: float, y: Array, times: Array) -> Array:
        """States (N, n) at increasing times behind t."""
        if self.hybrid is not None:
            return self._followed(t, y, times).solution.y[1:]
        return self._smooth(t, y, times, self.p)

    def sampled(self, t: float, y: Array, times: Array) -> tuple[Array, Array]:
        """States (N, n) at times of a period, the first at its start; parameters (np), or (N, np) across events."""
        if self.hybrid is None:
            return np.vstack([y, self.states(t, y, t + times[1:])]), self.p
        pieces = self._lap_of(t, y, float(times[-1])).pieces
        found, p = np.zeros((len(times), len(y))), np.zeros((len(times), len(self.p)))
        for piece in pieces:
            inside = (t + times >= piece.t) & (t + times <= piece.end)
            asked = t + times[inside]
            later = asked[asked > piece.t]
            rows = self._smooth(piece.t, piece.y, later, piece.p) if later.size else np.zeros((0, len(y)))
            found[inside] = np.vstack([piece.y[None, :].repeat(len(asked) - len(later), axis=0), rows])
            p[inside] = piece.p
        return found, p

    def _followed(self, t: float, y: Array, times: Array) -> Followed:
        """The motion across events."""
        assert self.hybrid is not None
        return self.hybrid.follow(t, y, times, {"rtol": RTOL, "atol": ATOL, "max_steps": MOST_STEPS})

    def _smooth(self, t: float, y: Array, times: Array, p: Array) -> Array:
        """States (N, n) at increasing times behind t, in the mode of p."""
        start = Start(y.copy(), p.copy(), self.mechanism.topology.assembly)
        flow = begin_flow(self.mechanism, start, METHOD, t)
        if self.c.limits:
            begin_again(flow, t, y, first=True)
        grid = np.concatenate([[t], times])
        found = integrate(METHOD, flow, y, grid, rtol=RTOL, atol=ATOL, max_steps=MOST_STEPS)
        if found.interrupted:
            raise KeyboardInterrupt
        if found.status is not RunStatus.COMPLETED:
            long = f"more than {MOST_STEPS:,} steps are needed; check the period, and forces that grow with time"
            why = long if found.status is RunStatus.TOO_MANY_STEPS else found.status.value
            raise RefusedError(
                f"the motion cannot be followed over a period (from t = {found.t_reached:.6g} s on): {why}"
            )
        return found.y[1:]

    def end(self, t: float, y: Array, period: float) -> tuple[Array, Array]:
        """The state after a period, and how far it is from the first."""
        if self.hybrid is not None:
            found = self._lap_of(t, y, period)
            return found.y, self.apart(y, found.y)[0]
        end = self.states(t, y, np.array([t + period]))[0]
        return end, self.apart(y, end)[0]

    def _lap_of(self, t: float, y: Array, period: float) -> Followed:
        """The motion over a period, or to its return to an event of one's own."""
        if self.own is None:
            return self._followed(t, y, np.array([t + period]))
        return returned(self._followed, self._quiet, (t, y), period)

    def _quiet(self, t: float, y: Array, until: float) -> Array:
        """The state at a time near the start, which is no event."""
        return self._smooth(t, y, np.array([until]), self.p)[0]

    def lap(self, t: float, y: Array, period: float, *, precise: bool = True) -> Lap:
        """The motion over a period with its monodromy matrix, with intervals that are halved until it stays."""
        if self.hybrid is not None:
            return self._hybrid_lap(t, y, period, precise)
        intervals, last, error = FIRST, None, np.inf
        while True:
            times = collocation_times(t, t + period, intervals)
            states = self.states(t, y, np.append(times, t + period))
            self._check_branches(times, states[:-1])
            jacobians = jacobians_along(self.equations, times, states[:-1], self.p)
            gap, signs = self.apart(y, states[-1])
            begin = self.about(t, y)
            moved = signs[:, None] * (transition(jacobians, period) @ begin.basis)
            matrix = moved[begin.independent]
            before = error
            if last is not None:
                error = float(np.max(np.abs(matrix - last)) / max(1.0, float(np.max(np.abs(matrix)))))
            # rounding errors do not become smaller
            if error <= CONVERGED or before < SMALL or intervals >= MOST or not precise:
                return Lap(Moment(t, y, self.p), states[-1], gap, matrix, error, period)
            intervals, last = 2 * intervals, matrix

    def _hybrid_lap(self, t: float, y: Array, period: float, precise: bool) -> Lap:
        """The same across events: Y of the pieces, and S of the events between them."""
        assert self.hybrid is not None
        found = self._lap_of(t, y, period)
        pieces = found.pieces
        self._check_mode(pieces)
        whole, error = np.eye(len(y)), 0.0

        def rates(at: float, state: Array, p: Array) -> Array:
            return self.about(at, state, p).ydot

        for piece in pieces:
            moved, missed = self._transition(piece, precise)
            whole, error = moved @ whole, max(error, missed)
            if piece.crossing is not None:
                whole = self.hybrid.saltation(piece.crossing, rates, returns=self.own is not None) @ whole
        gap, signs = self.apart(y, found.y)
        begin = self.about(t, y, pieces[0].p)
        matrix = (signs[:, None] * (whole @ begin.basis))[begin.independent]
        crossings = tuple(piece.crossing for piece in pieces if piece.crossing is not None)
        return Lap(Moment(t, y, pieces[0].p), found.y, gap, matrix, error, found.end - t, crossings)

    def _transition(self, piece: SmoothPart, precise: bool) -> tuple[Array, float]:
        """Y (n, n) over a piece, with intervals that are halved until it stays, and its error."""
        span, intervals, last, error = piece.end - piece.t, FIRST, None, np.inf
        if span <= 0.0:
            return np.eye(len(piece.y)), 0.0
        while True:
            times = collocation_times(piece.t, piece.end, intervals)
            states = self._smooth(piece.t, piece.y, times, piece.p)
            jacobians = jacobians_along(self.equations, times, states, piece.p)
            matrix = transition(jacobians, span)
            before = error
            if last is not None:
                error = float(np.max(np.abs(matrix - last)) / max(1.0, float(np.max(np.abs(matrix)))))
            if error <= CONVERGED or before < SMALL or intervals >= MOST or not precise:
                return matrix, error if np.isfinite(error) else 0.0
            intervals, last = 2 * intervals, matrix

    def _check_mode(self, pieces: Sequence[SmoothPart]) -> None:
        """Refuse motions that come back in another mode."""
        last = pieces[-1].p if pieces[-1].crossing is None else pieces[-1].crossing.p_after
        places = self.c.limit_places
        changed = np.flatnonzero(pieces[0].p[places] != last[places])
        if changed.size:
            named = ", ".join(self.c.limits[i].name for i in changed)
            raise RefusedError(
                f"the motion comes back to its start while other limits hold than there ({named}); begin elsewhere, between "
                "two events"
            )

    def apart(self, first: Array, last: Array) -> tuple[Array, Array]:
        """last − first (n) but for whole turns and the sign of quaternions, and these signs (n)."""
        signs = np.ones(len(first))
        for places in self._quaternions:
            signs[places] = 1.0 if first[places] @ last[places] >= 0.0 else -1.0
        gap = signs * last - first
        gap[self._turning] -= TURN * np.round(gap[self._turning] / TURN)
        still = np.setdiff1d(np.arange(len(first)), self.equations.moving)
        gap[still] = 0.0
        return gap, signs

    @cached_property
    def _quaternions(self) -> list[NDArray[np.int64]]:
        names = list(self.c.kinematics.q_names)
        heads = [name.removesuffix(".q0") for name in names if name.endswith(".q0")]
        return [np.array([names.index(f"{head}.q{i}") for i in range(4)]) for head in heads]

    @cached_property
    def _turning(self) -> NDArray[np.int64]:
        """Places in y of angles of which whole turns do not count."""
        coordinates = self.c.motion.coordinates
        winding = {f"{joint}.{freedom}" for (joint, freedom), x in coordinates.items() if x.winds}
        angles = {joint for (joint, _), x in coordinates.items() if x.kind == "angle" and not x.winds}
        found = [
            i
            for i, name in enumerate(self.c.kinematics.q_names)
            if "angle" in name.rpartition(".")[2] and name not in winding
        ]
        first = self.c.q.numel() + self.c.v.numel()
        for i, state in enumerate(self.c.auxiliaries):
            driver, _, what = state.name.rpartition(".")
            if state.role == "driver" and what == "position":
                found += [first + i] if self.mechanism.topology.drives.keys[driver][0] in angles else []
        return np.array(found, dtype=int)

    def _check_branches(self, times: Array, states: Array) -> None:
        """Refuse formulas that jump on the way."""
        if not self.c.switches:
            return
        values = ca.vertcat(*[switch.value for switch in self.c.switches])
        function = ca.Function("selectors", [self.c.t, self.c.y, self.c.p], [ca.densify(values)])
        found = np.array([np.array(function(t, y, self.p)).ravel() for t, y in zip(times, states, strict=True)])
        changes = np.flatnonzero(np.any(found[1:] != found[:-1], axis=1))
        if changes.size:
            i = int(changes[0])
            which = int(np.argmax(found[i + 1] != found[i]))
            raise RefusedError(
                f"'{self.c.switches[which].formula}' jumps at about t = {times[i + 1]:.6g} s: multipliers are those of a "
                "motion without jumps"
            )
