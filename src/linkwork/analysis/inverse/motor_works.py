"""The works of motors along a motion that is known at samples alone.

Powers jump where accelerations do, and no spline goes through a jump. Energies do not: between two samples all motors
together do

    Σ W = Δ(T + V) − ∫ (S − D) dt,

S what other forces bring in, D what is destroyed, both without accelerations. What the integrals of splines through the
powers of the motors miss of that is theirs in the shares in which splines ring nearby: in which those of two degrees differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.kinematics.record import spline
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.arrays import Array

RINGS = 5  # samples to both sides at which a spline feels a jump
PLAIN = 3  # degree of the splines that those of powers are compared with
OTHERS = ("energy.total", "power.supplied", "power.dissipated")


def motor_works(run: Trajectory, motors: Sequence[str], known: NDArray[np.bool_], alone: bool) -> dict[str, Array]:
    """Works (N) of motors since the first sample; *known* (N): where they have efforts.

    alone: whether they do what moves the mechanism by themselves: there are no conditions that move, and nothing is missing
    """
    found = run.evaluate([f"{name}.power" for name in motors])
    powers = np.column_stack(list(found.values()))
    works = np.column_stack([_integral(run.t, power, known) for power in powers.T])
    if alone and len(run.t) > 1:
        energy, supplied, dissipated = run.evaluate(OTHERS).values()
        others = _integral(run.t, supplied - dissipated - powers.sum(axis=1), known)
        missed = np.diff(energy - others - works.sum(axis=1))
        works[1:] += np.cumsum(missed[:, None] * _shares(run.t, powers, works), axis=0)
    return dict(zip(motors, works.T, strict=True))


def _shares(t: Array, powers: Array, works: Array) -> Array:
    """The parts (N − 1, k) in which motors are in doubt between two samples."""
    from scipy.interpolate import make_interp_spline
    from scipy.ndimage import maximum_filter1d

    plain = make_interp_spline(t, powers, k=min(PLAIN, len(t) - 1)).antiderivative()(t)
    doubts = maximum_filter1d(np.abs(np.diff(works - plain, axis=0)), 2 * RINGS + 1, axis=0)
    whole = doubts.sum(axis=1, keepdims=True)
    return np.where(whole > 0.0, doubts / np.where(whole > 0.0, whole, 1.0), 1.0 / powers.shape[1])


def _integral(t: Array, values: Array, known: NDArray[np.bool_]) -> Array:
    """∫ from the first sample (N), by the spline through all that are known."""
    given = np.flatnonzero(known)
    if given.size < 3:
        return np.concatenate([[0.0], np.cumsum(np.diff(t) * (values[1:] + values[:-1]) / 2)])
    integral = spline("power", t[given], values[given]).antiderivative()
    return np.asarray(integral(t) - integral(t[0]))
