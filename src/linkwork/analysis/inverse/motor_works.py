"""The works of motors along a motion that is known at samples.

Powers jump where accelerations or forces do, and no spline goes through a jump. Energies do not: between two samples all
motors together do

    Σ W = Δ(T + V) − ∫ (S − D) dt,

S what other forces bring in, D what is destroyed, both without accelerations. Where a spline through the samples of a power
misses it between two of them, it is integrated from states between the samples (``motion/between``), in halves until
these agree: that finds every jump. What is then missed of the sum is shared by the motors as splines ring nearby, in the
shares in which those of two degrees differ.

From pose to pose everything goes slowly: along the straight way of what is given, at rest, with forces that do work by
the change of the pose alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.kinematics.record import spline
from linkwork.arrays import Array
from linkwork.numerics.systems.quadrature import over_intervals

RINGS = 5  # samples to both sides at which a spline feels a jump
PLAIN = 3  # degree of the splines that those of powers are compared with
AGREED = 1e-9  # of the largest power: a spline that is off by less inside an interval is the power
LOOKED = np.array([0.15, 0.5, 0.85])  # parts of an interval at which that is looked at
PORTION = 8192  # states that are looked at together

PowerAt = Callable[[Array], Array]  # of times (n): powers (n)


@dataclass(frozen=True, eq=False)
class Worked:
    """Powers along a motion: at samples t (N), of motors (N, k) and of all others, S − D, (N); and at any times.

    energy (N): T + V; known (N): where motors have efforts
    alone: whether they do what moves the mechanism by themselves: there are no conditions that move, and nothing is missing
    slowly: whether it goes from pose to pose, so that there are no powers at the samples
    """

    t: Array
    motors: Array
    others: Array
    energy: Array
    known: NDArray[np.bool_]
    motor_at: Sequence[PowerAt]
    others_at: PowerAt
    alone: bool
    slowly: bool = False


def motor_works(run: Worked) -> Array:
    """Works (N, k) of motors since the first sample."""
    count, k = run.motors.shape
    if count < 2 or not k:
        return np.zeros((count, k))
    every = np.ones(count, dtype=bool)
    if run.alone and k == 1:
        return (run.energy - run.energy[0] - _integral(run, run.others, run.others_at, every))[:, None]
    works = np.column_stack(
        [_integral(run, power, at, run.known) for power, at in zip(run.motors.T, run.motor_at, strict=True)]
    )
    if run.alone:
        missed = np.diff(run.energy - _integral(run, run.others, run.others_at, every) - works.sum(axis=1))
        works[1:] += np.cumsum(missed[:, None] * _shares(run.t, run.motors, works), axis=0)
    return works


def _shares(t: Array, powers: Array, works: Array) -> Array:
    """The parts (N − 1, k) in which motors are in doubt between two samples."""
    from scipy.interpolate import make_interp_spline
    from scipy.ndimage import maximum_filter1d

    plain = make_interp_spline(t, powers, k=min(PLAIN, len(t) - 1)).antiderivative()(t)
    doubts = maximum_filter1d(np.abs(np.diff(works - plain, axis=0)), 2 * RINGS + 1, axis=0)
    whole = doubts.sum(axis=1, keepdims=True)
    return np.where(whole > 0.0, doubts / np.where(whole > 0.0, whole, 1.0), 1.0 / powers.shape[1])


def _integral(run: Worked, values: Array, at: PowerAt, known: NDArray[np.bool_]) -> Array:
    """∫ from the first sample (N) of a power with these values at the samples that are known."""
    t, given = run.t, np.flatnonzero(known)
    looked_at = (t[:-1, None] + np.diff(t)[:, None] * LOOKED).ravel()
    if given.size < 3 or run.slowly:
        parts, guessed = np.diff(t) * (values[1:] + values[:-1]) / 2, np.interp(looked_at, t, values)
    else:
        through = spline("power", t[given], values[given])
        parts, guessed = np.diff(through.antiderivative()(t)), through(looked_at)
    inside = np.flatnonzero(known[1:] & known[:-1]) if not run.slowly else np.arange(len(t) - 1)
    places = (inside[:, None] * len(LOOKED) + np.arange(len(LOOKED))).ravel()
    found = _in_portions(at, looked_at[places])
    size = max(float(np.abs(found).max(initial=0.0)), float(np.abs(values[given]).max(initial=0.0)))
    missed = np.abs(found - guessed[places]).reshape(-1, len(LOOKED)).max(axis=1)
    off = inside[missed > AGREED * size]
    parts[off] = over_intervals(lambda x: _in_portions(at, x), t[off], t[off + 1], size * float(t[-1] - t[0]))
    return np.concatenate([[0.0], np.cumsum(parts)])


def _in_portions(at: PowerAt, times: Array) -> Array:
    parts = [at(times[first : first + PORTION]) for first in range(0, len(times), PORTION)]
    return np.concatenate(parts) if parts else np.zeros(0)
