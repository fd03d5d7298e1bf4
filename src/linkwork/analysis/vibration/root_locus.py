"""``root_locus``: how the eigenvalues of a mechanism move with a live parameter, and where it becomes unstable.

Branches are followed by pairing the eigenvalues of neighbouring values so that the sum of their distances is least. Where a
real part changes its sign, the value of the parameter is found by Brent's method on exact linearisations; where modes
without damping meet and one of them begins to grow, by extrapolation of the square of its real part. Positions of rest are
followed from value to value as in ``equilibrium_path``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from scipy.interpolate import KroghInterpolator
from scipy.optimize import brentq, linear_sum_assignment

from linkwork.algebra.given import Along, GivenValues, Parameters
from linkwork.analysis.motion.output_units import parameter_unit
from linkwork.analysis.prepared.idle import check_inertia
from linkwork.analysis.statics.load_steps import follow, snap
from linkwork.analysis.statics.path_points import PathPoint
from linkwork.analysis.statics.resting import RestQuestion, ask, equilibrium, rest
from linkwork.analysis.vibration.linearise import derivatives_of, linearise
from linkwork.analysis.walk.subject import Noun, Subject, subject_of
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations.linear.variations import Moment
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.model.parameters import ReadNumber
from linkwork.numerics.paths.rest import Search
from linkwork.progress import counted
from linkwork.results.equilibrium import Equilibrium
from linkwork.results.linear_system import ComplexArray
from linkwork.results.linearisation import Linearisation
from linkwork.results.root_locus import Crossing, RootLocus, growths, size_of_none

ASSEMBLED, REST = "assembled", "equilibrium"
NEAR = 1e-3  # of the distance of values: how near to a meeting of modes growth is read
SAME = 1e-9  # distance of crossings, beside the range of the parameter, that are one


@verb
def root_locus(
    model: Noun,
    along: Along,
    *,
    about: str = ASSEMBLED,
    states: Sequence[str] = (),
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
    start: GivenValues | None = None,
    stable: bool = True,
) -> RootLocus:
    """Follow the eigenvalues along two or more increasing values of a live parameter.

    along: the parameter with its values, as in {"speed": [1, 2, 3]}
    about: 'assembled', the state in which the mechanism begins, with its speeds, put together anew for each value: where it
    should be a steady motion it must be one for all of them. Or 'equilibrium', a position of rest, found for the first value
    and followed to the others
    states, coordinates: see ``linearise``; parameters: values of the other live parameters
    start, stable: where an equilibrium begins, and whether it keeps to stable ones; see ``equilibrium_path``
    """
    subject = subject_of(model, "root_locus")
    declared = subject.model
    parameter, over = _one(declared, along)
    _check(declared, parameter, over, about)
    others = declared.in_si(parameters)
    if about == ASSEMBLED and (start or not stable):
        raise RefusedError(
            f"about='{ASSEMBLED}' takes the state as it is put together: start and stable belong to '{REST}'"
        )
    resting = None
    if about == REST:
        given = {**others, parameter: ReadNumber(over[0])}
        search = Search(downhill=stable)
        asked = ask(model, search, coordinates=coordinates, at=start, parameters=given, asking="root_locus")
        resting = _Resting(asked, parameter, over)

    def linear(value: float) -> Linearisation:
        if resting is not None:
            return linearise(resting.at(value), states=states)
        return _begun(subject, coordinates, {**others, parameter: ReadNumber(value)}, states)

    def roots(value: float) -> ComplexArray:
        return linear(value).eigenvalues

    lines = [linear(value) for value in counted(over, "following the eigenvalues")]
    found = _branches([item.eigenvalues for item in lines], parameter)
    moving = np.any(np.abs(found) > size_of_none(found), axis=0)
    snaps = resting.snaps if resting is not None else ()
    breaks = [snap.index for snap in snaps]
    crossings = _crossings(roots, over, found[:, moving], breaks)
    crossings = _with_meetings(roots, over, found[:, moving], crossings, breaks)
    name, still = declared.name or "mechanism", int(np.sum(~moving))
    looked_at = {0, len(lines) // 2, len(lines) - 1}
    unsteady = tuple(float(over[i]) for i in sorted(looked_at) if not lines[i].steady)
    notes = tuple(dict.fromkeys(note for i in sorted(looked_at) for note in lines[i].notes))
    unit = parameter_unit(declared.parameters, parameter)
    return RootLocus(name, parameter, over, found[:, moving], still, crossings, snaps, unsteady, notes, unit)


def _one(model: Model, along: Along) -> tuple[str, Array]:
    """The only parameter, and its values."""
    if not isinstance(along, Mapping) or len(along) != 1:
        got = ", ".join(along) if isinstance(along, Mapping) else repr(along)
        raise RefusedError(f"a root locus goes along one live parameter, as in {{'speed': [1, 2, 3]}}; it got {got}")
    ((name, values),) = model.series_in_si(along).items()
    return model.named(name), np.array(values)


def _begun(
    subject: Subject, kind: KindChoice | None, given: Mapping[str, float], states: Sequence[str]
) -> Linearisation:
    """The linearisation about the state in which what was given begins, with live parameters."""
    mechanism = subject.prepare(kind)
    check_inertia(mechanism)
    begun = subject.start(mechanism, given)
    return derivatives_of(mechanism, tuple(map(mechanism.model.named, states)), ()).about(
        Moment(begun.time, *begun.place), ()
    )


def _check(model: Model, parameter: str, over: Array, about: str) -> None:
    live = [name for name, item in model.parameters.items() if item.live]
    if parameter not in live:
        if parameter in model.parameters:
            model.parameter_values({parameter: 1.0})  # says that it is fixed, and how it becomes live
        hint = did_you_mean(parameter, live) if live else "the model has none: give one live: true"
        raise UnknownNameError(f"there is no live parameter '{parameter}'; {hint}")
    if about not in (ASSEMBLED, REST):
        raise RefusedError(f"there is no root locus about '{about}'; {did_you_mean(about, [ASSEMBLED, REST])}")
    if over.size < 2 or np.any(np.diff(over) <= 0):
        raise RefusedError("a root locus needs two or more values of the parameter, each larger than the one before")


class _Resting:
    """Positions of rest along one parameter: those of given values, and on demand others between them."""

    def __init__(self, question: RestQuestion, parameter: str, over: Array) -> None:
        self._place = question.mechanism.coordinates.geometry.parameter_names.index(parameter)
        points, snaps = [PathPoint(question, rest(question, question.start))], []
        for i, value in enumerate(over[1:], start=1):
            point, broken = follow(points[-1], [self._place], np.array([value]))
            if broken is not None:
                snaps.append(snap(i, [parameter], broken, points[-1], point))
            points.append(point)
        self._over, self._points, self.snaps = over, points, tuple(snaps)

    def at(self, value: float) -> Equilibrium:
        """The position of rest, from the nearest one."""
        nearest = self._points[int(np.argmin(np.abs(self._over - value)))]
        point = follow(nearest, [self._place], np.array([value]))[0]
        return equilibrium(point.question, point.found)


def _branches(found: Sequence[ComplexArray], parameter: str) -> ComplexArray:
    """Eigenvalues (N, n) in an order in which each column is one branch."""
    if len({len(roots) for roots in found}) > 1:
        raise RefusedError(
            f"the number of degrees of freedom changes with '{parameter}': follow it between these values"
        )
    rows = [found[0]]
    for roots in found[1:]:
        # straight on, where there is a direction
        ahead = 2 * rows[-1] - rows[-2] if len(rows) > 1 else rows[-1]
        rows.append(roots[linear_sum_assignment(np.abs(ahead[:, None] - roots))[1]])
    return np.array(rows)


def _crossings(
    roots: Callable[[float], ComplexArray], at: Array, branches: ComplexArray, breaks: Sequence[int]
) -> tuple[Crossing, ...]:
    """Where the k-th largest real part, which is continuous whatever branches do, is zero; conjugate ones count once.

    breaks: rows before which the state jumps
    """
    real = np.sort(growths(branches), axis=1)
    span = float(at[-1] - at[0])
    found: list[Crossing] = []
    for k, low, high in _sign_changes(real):
        if any(low < i <= high for i in breaks):
            continue

        def ranked(value: float, k: int = k) -> complex:
            # those that stay zero are the smallest
            found = sorted(roots(value), key=abs)[-branches.shape[1] :]
            return complex(sorted(found, key=lambda root: root.real)[k])

        value = float(brentq(lambda x, f=ranked: f(x).real, at[low], at[high], xtol=1e-13, rtol=1e-13))
        value = 0.0 if abs(value) < 1e-12 * span else value
        crossing = Crossing(value, abs(ranked(value).imag), bool(real[high, k] > 0.0))
        if not any(_same(crossing, other, span) for other in found):
            found.append(crossing)
    return tuple(sorted(found, key=lambda crossing: (crossing.value, crossing.omega)))


def _with_meetings(
    roots: Callable[[float], ComplexArray],
    at: Array,
    branches: ComplexArray,
    crossings: tuple[Crossing, ...],
    breaks: Sequence[int],
) -> tuple[Crossing, ...]:
    """Crossings, and values at which modes that nothing damps meet on the axis and leave it, one of them growing.

    The real part goes with the root of the distance from there, and does not change its sign.
    """
    none, count = size_of_none(branches), branches.shape[1]

    def growing(value: float) -> complex:
        found = np.array(sorted(roots(value), key=abs)[-count:])
        fastest = int(np.argmax(growths(found)))
        return complex(found[fastest]) if growths(found)[fastest] > 0.0 else 0j

    grows, found = np.any(growths(branches) > 0.0, axis=1), list(crossings)
    for i in np.flatnonzero(np.diff(grows)):
        if i + 1 in breaks or any(at[i] <= crossing.value <= at[i + 1] for crossing in crossings):
            continue
        still, moved = (float(at[i + 1]), float(at[i])) if grows[i] else (float(at[i]), float(at[i + 1]))
        value, omega = _meeting(growing, still, moved)
        found.append(Crossing(value, omega if omega > none else 0.0, not grows[i], meeting=True))
    return tuple(sorted(found, key=lambda crossing: (crossing.value, crossing.omega)))


def _meeting(growing: Callable[[float], complex], still: float, moved: float) -> tuple[float, float]:
    """Where growth begins between a value without it and one with it, and the frequency of the mode, rad/s.

    The square of the real part is a smooth function of the parameter: its zero is extrapolated from values at which rounding
    does not touch it yet.
    """
    far = moved
    while abs(moved - still) > NEAR * abs(far - still):
        middle = 0.5 * (still + moved)
        still, moved = (still, middle) if growing(middle) != 0j else (middle, moved)
    at = moved + NEAR * (far - moved) * np.arange(1, 7)
    modes = [growing(float(value)) for value in at]
    parts = np.stack([at, [abs(mode.imag) for mode in modes]], axis=1)
    value, omega = (float(x) for x in KroghInterpolator([mode.real**2 for mode in modes], parts)(0.0))
    trusted = abs(value - moved) <= abs(at[-1] - moved)
    return (value, max(omega, 0.0)) if trusted else (moved, abs(modes[0].imag))


def _sign_changes(real: Array) -> Iterator[tuple[int, int, int]]:
    """Column and rows between which a number changes its sign; zeros may lie between them."""
    for k, column in enumerate(real.T):
        for low, high in pairwise(np.flatnonzero(column)):
            if column[low] * column[high] < 0.0:
                yield k, int(low), int(high)


def _same(one: Crossing, other: Crossing, span: float) -> bool:
    near = abs(one.value - other.value) <= SAME * span
    return near and abs(one.omega - other.omega) <= 1e-6 * max(one.omega, other.omega)
