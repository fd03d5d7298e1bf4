"""Accuracy that was asked for: a run is repeated with tighter tolerances until two of them agree as well as is wished.

The difference of two runs is the error of the coarser one, and more than that of the finer one, which is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import casadi as ca
import numpy as np

from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.arrays import Array
from linkwork.errors import RefusedError
from linkwork.results.accuracy import Accuracy
from linkwork.results.audit import Audit, Check
from linkwork.results.result import Result

FIRST = 0.1  # of the wish: rtol of the first run, unless a tighter one was given
FINER = 1e-2  # rtol of the next run, of the last one's
TIGHTEST = 1e-14  # rtol: rounding errors are larger
TWICE = 2.0  # of the tightest: nearer to it there is no other run
HALVINGS = 12  # of steps of fixed size
SENSITIVE = 1e4  # growth of errors in a run that is called chaotic
REGULAR = 0.95  # correlation of the logarithm of errors with time, where they grow so


def check_accuracy(accuracy: object) -> float:
    """Refuse what is no accuracy."""
    number = np.asarray(accuracy)
    if number.ndim or number.dtype.kind not in "iuf" or not 0.0 < float(number) < 1.0:
        raise RefusedError(f"accuracy = {accuracy!r}: it is a part of the scale of each coordinate, such as 1e-6")
    return float(number)


def reach(accuracy: float, run: Callable[..., Result], rtol: float, step: float | None) -> Result:
    """The finer of two runs that agree; *run* takes rtol and atol, or fixed_step where there is a *step*."""
    finest: list[Result] = []
    found: tuple[Array, list[str]] | None = None
    count = 0
    for options in _finer(accuracy, rtol, step):
        finest.append(run(**options))
        count += 1
        if count > 1:
            found = differences(finest[-2], finest[-1])
            if found is not None and float(np.max(found[0], initial=0.0)) <= accuracy:
                break
        if not finest[-1].outcome.completed:
            break
    last = finest[-1]
    if found is None:
        # a single run that has not come to its end: its outcome says why
        return last
    said = f"fixed_step {options['fixed_step']:.3g} s" if step is not None else f"rtol {options['rtol']:.0e}"
    return _with_accuracy(last, _accuracy(accuracy, last.time, found, count, said))


def _finer(accuracy: float, rtol: float, step: float | None) -> list[dict[str, Any]]:
    """Options of one run after the other."""
    if step is not None:
        return [{"fixed_step": step / 2**k} for k in range(HALVINGS)]
    tolerances = [min(rtol, FIRST * accuracy)]
    while tolerances[-1] > TWICE * TIGHTEST:
        tolerances.append(max(FINER * tolerances[-1], TIGHTEST))
    # the last two must differ, or they agree without a reason
    tolerances = [TIGHTEST / FINER, TIGHTEST] if len(tolerances) == 1 else tolerances
    return [{"rtol": tolerance, "atol": FINER * tolerance} for tolerance in tolerances]


def _with_accuracy(result: Result, accuracy: Accuracy) -> Result:
    auditor = result.auditor
    if auditor is None:
        return replace(result, accuracy=accuracy)
    finding = "" if accuracy.satisfied else f"accuracy: {accuracy}; ask for less, or for a shorter run"
    check = Check("accuracy", accuracy.reached, accuracy.wish, finding=finding)

    def extended() -> Audit:
        audit = auditor()
        return replace(audit, checks=(*audit.checks, check))

    return replace(result, accuracy=accuracy, auditor=extended)


def differences(first: Result, second: Result) -> tuple[Array, list[str]] | None:
    """Of two runs, the differences (N, k) of all coordinates over their scales at the outputs of both, and their names."""
    count = min(len(first), len(second))
    if not count or not np.array_equal(first.time[:count], second.time[:count]):
        count = int(np.searchsorted(first.time[:count] != second.time[:count], True)) if count else 0
    if not count:
        return None
    names, left = _coordinates(first.source, count)
    _, right = _coordinates(second.source, count)
    values, scales = right
    return np.abs(left[0] - values) / scales, names


def _coordinates(source: object, count: int) -> tuple[list[str], tuple[Array, Array]]:
    """Names; values (N, k) and scales (k) of all joint coordinates, places and orientations of bodies, and of their rates.

    Scales: a length counts with the size of the mechanism, an angle with 1 rad, or with how far it goes where that is more;
    a rate with the largest rate of all, times the size for one of a length; components of axes with 1.
    """
    assert isinstance(source, Trajectory)
    c = source.mechanism.coordinates
    size = float(c.kinematics.length)
    entries: list[tuple[str, ca.SX, float, bool]] = []
    for (joint, freedom), coordinate in c.motion.coordinates.items():
        unit = size if coordinate.kind == "length" else 1.0
        entries.append((f"{joint}.{freedom}", coordinate.value, unit, False))
        entries.append((f"the rate of {joint}.{freedom}", coordinate.rate, unit, True))
    for name in c.geometry.bodies:
        frame, twist = c.kinematics.frames[name], c.kinematics.twists[name]
        entries += [
            (f"the place of {name}", frame.origin, size, False),
            (f"the attitude of {name}", frame.axes, 1.0, False),
        ]
        entries += [(f"the velocity of {name}", twist.velocity, size, True)]
        entries += [(f"the angular velocity of {name}", twist.omega, 1.0, True)]
    parts = [ca.densify(ca.vec(ca.SX(value))) for _, value, _, _ in entries]
    f = ca.Function("coordinates", [c.t, c.y, c.p], [ca.vertcat(*parts)])
    p = np.broadcast_to(np.atleast_2d(source.p)[:1, : c.p.numel()], (count, c.p.numel()))
    values = np.array(f(source.t[None, :count], source.y[:count].T, p.T)).T
    counts = [part.numel() for part in parts]
    names = [entry[0] for entry, k in zip(entries, counts, strict=True) for _ in range(k)]
    units = np.repeat([entry[2] for entry in entries], counts)
    rates = np.repeat([entry[3] for entry in entries], counts)
    largest = float(np.max(np.abs(values[:, rates] / units[rates]), initial=0.0)) or 1.0
    scales = np.where(rates, units * largest, np.maximum(units, np.ptp(values, axis=0)))
    return names, (values, scales)


def _accuracy(wish: float, time: Array, found: tuple[Array, list[str]], runs: int, finest: str) -> Accuracy:
    errors, names = found
    sizes = np.where(np.isfinite(errors), errors, np.inf)
    worst = np.max(sizes, axis=1)
    reached = float(np.max(worst))
    place = np.unravel_index(np.argmax(sizes), sizes.shape)
    early = np.flatnonzero(worst > wish)
    holds = float(time[early[0] - 1]) if early.size and early[0] > 0 else 0.0 if early.size else float(time[-1])
    tenfold = _tenfold(time[: len(worst)], worst) if early.size else 0.0
    return Accuracy(wish, reached, names[place[1]], holds, float(time[-1]), tenfold, runs, finest)


def _tenfold(time: Array, worst: Array) -> float:
    """s in which errors grow tenfold, where they grow so from rounding errors to the size of the motion; else 0."""
    so_far = np.maximum.accumulate(worst)
    grows = (so_far > 0.0) & (so_far < 0.1 * so_far[-1])
    grows[0] = False
    if np.count_nonzero(grows) < 5 or so_far[-1] < SENSITIVE * so_far[grows][0]:
        return 0.0
    t, logs = time[grows], np.log10(so_far[grows])
    slope = float(np.polyfit(t, logs, 1)[0])
    straight = float(np.corrcoef(t, logs)[0, 1])
    return 1.0 / slope if slope > 0.0 and straight > REGULAR else 0.0
