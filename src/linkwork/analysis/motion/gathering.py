"""What a run keeps of its steps for the integrals of powers: nothing where no power can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from linkwork.analysis.motion.states import known_states
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.work import Gathered, PowersAlong, States
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.arrays import Array
from linkwork.numerics.flows.flow import corrected_states


def gatherer(mechanism: Mechanism, start: Start) -> Callable[[Array, Array], Gathered]:
    """What makes the keeper of a run from a start, of its outputs and of its parameters, which are read in place."""

    def pieces(p: Array) -> Iterator[tuple[slice, Start]]:
        """Parts with the same parameters: the branches of formulas that jump are among them."""
        edges = [0, *(np.flatnonzero(np.any(p[1:] != p[:-1], axis=1)) + 1), len(p)]
        for low, high in pairwise(edges):
            if high > low:
                yield slice(low, high), replace(start, p=p[low].copy())

    def states(t: Array, y: Array, p: Array) -> States:
        vdot = np.empty((len(t), mechanism.coordinates.v.numel()))
        for part, begun in pieces(p):
            vdot[part] = known_states(mechanism, begun, t[part], y[part])[2]
        return t, y, vdot

    def close(t: Array, y: Array, p: Array) -> Array:
        closed = np.empty_like(y)
        for part, begun in pieces(p):
            closed[part] = corrected_states(mechanism.flow(replace(begun, y=y[part][0]), t[part][0]), t[part], y[part])
        return closed

    # what is kept is given, so that nothing refers to itself and runs are let go at once
    def overflow(gathered: Gathered) -> PowersAlong:
        nothing = np.zeros(0), np.zeros((0, start.y.size)), np.zeros((0, mechanism.coordinates.v.numel()))
        run = Trajectory(mechanism, nothing, start.p)
        return run.powers_along(gathered).of(run.all_works)

    def keep(grid: Array, p: Array) -> Gathered:
        return Gathered(grid, p, overflow, states, close, wanted=has_powers(mechanism))

    return keep


def has_powers(mechanism: Mechanism) -> bool:
    """Whether forces, drivers or moving conditions may do work beside weights."""
    c = mechanism.coordinates
    return bool(c.loading.actions) or not c.a.is_zero()


def has_sources(mechanism: Mechanism) -> bool:
    """Whether forces, drivers or moving conditions may bring energy in: the energy of others is kept or falls."""
    c = mechanism.coordinates
    return any(action.supplies for action in c.loading.actions.values()) or not c.a.is_zero()


def has_losses(mechanism: Mechanism) -> bool:
    """Whether an element may destroy energy."""
    return any(not action.dissipation.is_zero() for action in mechanism.coordinates.loading.actions.values())
