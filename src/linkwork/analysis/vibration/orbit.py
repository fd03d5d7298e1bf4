"""A motion of a mechanism over one period: where it ends, and how a neighbouring motion goes beside it.

A variation of the start follows δẏ = J(t) δy, J = ∂ẏ/∂y along the motion (``equations/linear/variations.py``), and stays on
the tangent of the conditions. With E = ∂y/∂ξ at the start, whose rows of independent components are 1, the rows of Y(T) E at
these components are the monodromy matrix: δξ(T) = M δξ(0). States are compared after whole turns of angles, and with
quaternions of either sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.course import begin_flow
from linkwork.analysis.prepared.memo import of_noun
from linkwork.analysis.prepared.prepare import Array, Mechanism, Start
from linkwork.equations.linear.variations import Moment, Variation, VariationalEquations
from linkwork.equations.linear.variations_along import jacobians_along
from linkwork.errors import RefusedError
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
    """One period from a state: where it ends, and the monodromy matrix (k, k) of the independent components.

    gap (n): how far the end is from the start, after whole turns; error: of the matrix, as halved intervals tell it
    """

    start: Moment
    end: Array
    gap: Array
    matrix: Array
    error: float


class Orbit:
    """The motions of a mechanism from states near each other, over one period."""

    def __init__(self, mechanism: Mechanism, p: Array) -> None:
        self.mechanism, self.p = mechanism, p
        self.c = mechanism.coordinates
        self.equations = of_noun(self.c, "variations", None, lambda: VariationalEquations(self.c, ca.SX(0, 1)))
        self._known: dict[tuple[float, bytes], Variation] = {}

    def about(self, t: float, y: Array) -> Variation:
        """The variations about a state; the last ones are remembered."""
        key = (t, y.tobytes())
        if key not in self._known:
            self._known = dict(list(self._known.items())[-1:])
            self._known[key] = self.equations.about(Moment(t, y, self.p))
        return self._known[key]

    def states(self, t: float, y: Array, times: Array) -> Array:
        """States (N, n) at increasing times behind t."""
        start = Start(y.copy(), self.p.copy(), self.mechanism.topology.assembly)
        flow = begin_flow(self.mechanism, start, METHOD, t)
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
        end = self.states(t, y, np.array([t + period]))[0]
        return end, self.apart(y, end)[0]

    def lap(self, t: float, y: Array, period: float, *, precise: bool = True) -> Lap:
        """The motion over a period with its monodromy matrix, with intervals that are halved until it stays."""
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
                return Lap(Moment(t, y, self.p), states[-1], gap, matrix, error)
            intervals, last = 2 * intervals, matrix

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
