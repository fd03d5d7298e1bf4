"""A mechanism that moves by small variations of one of its states, put right by its conditions."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np

from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.prepared.prepare import Array, Mechanism, Start
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.spinning import spin_rates
from linkwork.equations.linear.variations import Moment
from linkwork.errors import AssemblyError, RefusedError
from linkwork.results.result import Result


def moved_motion(
    mechanism: Mechanism,
    states: Sequence[Moment],
    variations: tuple[Array, Array],
    time: Array,
    title: str,
) -> Result:
    """A result over time (N) from states (N) that are moved by variations of y (N, n), with the accelerations (N, nv)."""
    delta, vdot = variations
    retract = _Retraction(mechanism.coordinates)
    settled = []
    for state, by in zip(states, delta, strict=True):
        start = Start(retract(state.y, by), state.p.copy(), mechanism.topology.assembly)
        try:
            settled.append(mechanism.settle(start, state.t).y)
        except AssemblyError as reason:
            raise RefusedError(f"the mechanism does not reach so far along {title}: ask for less") from reason
    p = np.array([state.p for state in states])
    p = p[0] if np.all(p == p[0]) else p
    source = Trajectory(mechanism, (time, np.array(settled), vdot), p)
    return Result(title, time, source, mechanism.drawing(states[0].p), model_text=mechanism.text)


def free_spins(mechanism: Mechanism) -> tuple[str, ...]:
    """What to say of passive spins among the free motions."""
    c = mechanism.coordinates
    names = spin_rates(c.geometry, c.topology.idle_spins, c.kinematics).names
    return (f"passive spins, each with two eigenvalues that are zero: {', '.join(names)}",) if names else ()


class _Retraction:
    """Moves y by δ, positions by the rule of their orientations."""

    def __init__(self, coordinates: Coordinates) -> None:
        k = coordinates.kinematics
        self._nq = k.q.numel()
        self._lift = ca.Function("lift", [k.q], [ca.densify(ca.jacobian(k.rates, k.v))])
        self._move = None if k.retract is None else ca.Function("moved", [k.q, k.v], [ca.densify(k.retract)])

    def __call__(self, y: Array, delta: Array) -> Array:
        found, nq = y + delta, self._nq
        if self._move is not None:
            turned = np.linalg.lstsq(np.array(self._lift(y[:nq])), delta[:nq])[0]
            found[:nq] = np.array(self._move(y[:nq], turned)).ravel()
        return found
