"""``measures.friction_at_rest(model)``: whether friction of joints and contacts holds a mechanism, and how far that goes.

See ``friction_share.py`` for what is asked of friction. Along a live parameter or a joint coordinate, the ends of the ranges
in which it holds are zeros of usage − 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

import casadi as ca
import numpy as np
from scipy.optimize import brentq

from linkwork.algebra.given import Along, GivenValues, Parameters, Scalar
from linkwork.algebra.units import si
from linkwork.analysis.motion.output_units import parameter_unit
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.transmitted import transmitted
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.analysis.statics.at_limits import held_limit
from linkwork.analysis.statics.friction_share import HeldByFriction, Share, least_share
from linkwork.analysis.statics.resting import RestQuestion, ask, placed
from linkwork.analysis.statics.stiffness import leading
from linkwork.analysis.walk.subject import RUBBED_REST, Noun
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.coordinates.numbering import KindChoice
from linkwork.equations.statics.forces_at_rest import Statics
from linkwork.equations.terms import make_function
from linkwork.errors import AssemblyError, EquilibriumError, RefusedError, UnknownNameError, did_you_mean
from linkwork.model import Model
from linkwork.model.remarks import unfelt
from linkwork.numerics.paths.rest import Search
from linkwork.position.rank import rank_of
from linkwork.progress import counted
from linkwork.results.equilibrium import HeldLimit
from linkwork.results.friction_at_rest import RESTS, FrictionAtRest
from linkwork.results.result import Result

SAMPLES = 41  # along a load or a coordinate
USED = 1e-9  # of the size of the mechanism: a room that is none
UNHELD = 1e-10  # of the forces that act: less pushes nothing
MOST = 1e6  # usage that is as good as infinite
NO_FRICTION = "no joint has dry friction that sticks"


@verb
def friction_at_rest(
    model: Noun,
    *,
    along: Along | None = None,
    start: GivenValues | None = None,
    coordinates: KindChoice | None = None,
    parameters: Parameters | None = None,
    time: Scalar | None = None,
) -> FrictionAtRest:
    """Find the least part of the friction of joints, and of contacts in the plane, that holds a mechanism where it is.

    model: or what else `simulate` takes; start: joint coordinates of the position, {"O.angle": "30 deg"}
    along: two values of a live parameter or of a joint coordinate, {"F": ("0 N", "50 N")}, between which the ranges are
    found in which it stays
    parameters: values of live parameters; time: at which forces and drivers are taken, by default 0
    What sticks takes any friction up to its static coefficient; limits and ropes without room hold where they push.
    """
    asked = ask(
        model,
        Search(),
        method="virtual_power",
        coordinates=coordinates,
        at=start,
        parameters=parameters,
        time=time,
        asking=RUBBED_REST,
    )
    rubbed = _Rubbed(asked, parameters or {}, start or {})
    found = rubbed.found(asked.statics.p, asked.start)
    course = _Course() if along is None else _along(rubbed, along)
    return FrictionAtRest(
        name=asked.name,
        result=found.result(asked),
        usage=found.share.usage,
        shares=dict(zip(rubbed.sticking, found.share.shares.tolist(), strict=True)),
        holds=found.holds,
        unheld=found.unheld,
        along=course.name,
        unit=course.unit,
        values=course.values,
        usages=course.usages,
        ranges=course.ranges,
        notes=(*_notes(asked), *_creeping(asked.mechanism.model), *([] if rubbed.sticking else [NO_FRICTION])),
    )


def _notes(asked: RestQuestion) -> list[str]:
    """What is to be known of the question: here joints do rub, and contacts in the plane."""
    planar = asked.mechanism.coordinates.space.planar
    frictionless = unfelt(asked.mechanism.model, stops=True, rubs=False, touching=planar)
    return [note for note in asked.notes if note not in frictionless]


def _creeping(model: Model) -> list[str]:
    """Joints and contacts whose friction does not hold."""
    smooth = [name for name, joint in model.joints.items() if joint.friction and joint.friction.smoothing is not None]
    loose = {name: joint.clearance for name, joint in model.joints.items() if joint.clearance is not None}
    smooth += [name for name, item in loose.items() if item.smoothing is not None]
    smooth += [name for name, contact in model.contacts.items() if contact.smoothing is not None]
    return [f"friction with smoothing holds nothing here: {', '.join(smooth)}"] if smooth else []


@dataclass(frozen=True, eq=False)
class _Found:
    """What holds in one position, with the parameters of its friction."""

    mechanism: Mechanism
    statics: Statics
    x: Array
    p: Array
    share: Share
    pushes: Mapping[int, float]
    unheld: str

    @property
    def holds(self) -> tuple[HeldLimit, ...]:
        limits = self.statics.c.one_sided
        return tuple(held_limit(limits[i], push) for i, push in self.pushes.items() if push > 0.0)

    def result(self, asked: RestQuestion) -> Result:
        """The position with its friction and reactions."""
        c, y = self.mechanism.coordinates, self.statics.state(self.x)[None, :]
        states = (np.array([self.statics.t]), y, np.zeros((1, c.v.numel())))
        source = Trajectory(self.mechanism, states, self.p)
        return Result(
            name=asked.name,
            time=np.array([self.statics.t]),
            source=source,
            drawing=asked.mechanism.drawing(self.p),
            model_text=asked.mechanism.text,
            settings={"coordinates": str(c.kind), "at rest by": "friction"},
        )


class _Rubbed:
    """A mechanism whose joints rub, in any position."""

    def __init__(self, asked: RestQuestion, parameters: Parameters, start: GivenValues) -> None:
        self.asked, self.parameters, self.start = asked, parameters, start
        self.mechanism, self.given = asked.mechanism.with_given_friction()
        self.sticking = [name for name, item in self.given.joints.items() if item.bound is not None]
        c, joints = self.mechanism.coordinates, self.given.joints
        x, w = (ca.vertcat(ca.SX(0, 1), *[getattr(item, n) for item in joints.values()]) for n in ("efforts", "wrench"))
        bounds = ca.vertcat(ca.SX(0, 1), *[item.bound for item in joints.values() if item.bound is not None])
        outputs = {"b": bounds, "by_x": ca.jacobian(bounds, x), "by_w": ca.jacobian(bounds, w)}
        self._bounds = make_function("friction_bounds", c, outputs)
        self._first = asked.mechanism.coordinates.p.numel()
        self._places = {name: self._of(name) for name in ("efforts", "wrench", "still")}
        own = [item.bound is not None for item in joints.values() for _ in range(item.efforts.numel())]
        self._own = np.flatnonzero(own)
        self._statics: Statics | None = None
        self._near: Array | None = None  # friction that was found last
        rooms = {item.label.element: i for i, item in c.one_sided.items()}
        self._rooms = [rooms.get(name, -1) for name in self.sticking]  # the limits without which friction does not act
        self._acting = np.arange(len(self.sticking))

    def _of(self, part: str) -> Array:
        """Where parts of the numbers of friction stand among the parameters."""
        found, at = list[int](), self._first
        for item in self.given.joints.values():
            for name in ("efforts", "wrench", "into", "still"):
                count = getattr(item, name).numel()
                found += range(at, at + count) if name == part else ()
                at += count
        return np.array(found, dtype=int)

    def found(self, p: Array, x: Array) -> _Found:
        """What friction has to do in a position x."""
        full = np.concatenate([p, np.zeros(self.given.count)])
        full[self._places["still"]] = 1.0
        if self._statics is None:
            self._statics = Statics(self.mechanism.coordinates, self.asked.statics.t, full)
        statics, c = self._statics.with_parameters(full), self.mechanism.coordinates
        rooms, every = statics.rooms(x), list(c.one_sided)
        near = [i for i, room in zip(every, rooms, strict=True) if room <= USED * float(c.kinematics.length)]
        statics = statics.holding(near)
        self._acting = np.flatnonzero([room < 0 or room in near for room in self._rooms])
        h, _, jacobian = statics.forces(x)
        none = np.zeros(len(statics.kept))
        pushed = np.column_stack(
            [
                np.zeros((statics.nv, 0)),
                *(statics.load_slope(x, none, self._unit(full, j))[0] for j in self._own[self._acting].tolist()),
            ]
        )
        directions = statics.directions(jacobian)
        left, by = directions.T @ h, directions.T @ pushed
        start, ways = _solutions(by, -left)
        size, missed = statics.size(x), left + by @ start
        if np.max(np.abs(missed), initial=0.0) > UNHELD * size:
            lead = leading(statics, x, directions @ missed)
            word = f"{lead.name} is pushed with {float(missed @ missed) / lead.rate:.4g} {lead.force_unit}"
            share = Share(np.inf, np.zeros(0), np.full(len(self.sticking), np.inf))
            return _Found(self.mechanism, statics, x, statics.p, share, {}, f"{word}, and no friction acts there")
        return self._shared(statics, x, (start, ways), (h, jacobian, pushed))

    def _shared(
        self, statics: Statics, x: Array, solutions: tuple[Array, Array], forces: tuple[Array, Array, Array]
    ) -> _Found:
        """The least share of all ways in which friction balances the forces."""
        (start, ways), (h, jacobian, pushed) = solutions, forces
        unit = statics.size(x) / float(statics.c.kinematics.length) or 1.0
        ways = ways * unit
        columns = [start, *(start + way for way in ways.T)]
        wrenches = self._transmitted(statics, x, columns)
        pushes = np.array([statics.push(h + pushed @ column, jacobian) for column in columns])
        own = {i: int(np.flatnonzero(statics.kept == statics.c.coming[i][0])[0]) for i in statics.held}
        limits = pushes[:, list(own.values())]
        w, by_z = wrenches[0], (wrenches[1:] - wrenches[0]).T

        def bounds(z: Array) -> tuple[Array, Array]:
            p = self._with(statics.p, start + ways @ z, w + by_z @ z)
            b, by_x, by_w = (np.array(item) for item in self._bounds.call([statics.t, statics.state(x), p]))
            count = len(self.sticking)
            if not count:
                return np.zeros(0), np.zeros((0, z.size))
            slopes = by_x.reshape(count, -1)[:, self._own[self._acting]] @ ways + by_w.reshape(count, -1) @ by_z
            return b.ravel()[self._acting], slopes[self._acting]

        affine = limits[0], (limits[1:] - limits[0]).T.reshape(len(own), ways.shape[1])
        share = least_share(HeldByFriction(start, ways, bounds, affine, unit), self._near)
        z = share.z
        self._near = start + ways @ z if np.isfinite(share.usage) else None
        shares = np.zeros(len(self.sticking))
        shares[self._acting] = share.shares
        share = replace(share, shares=shares)
        p = self._with(statics.p, start + ways @ z, w + by_z @ z)
        held = dict(zip(own, (affine[0] + affine[1] @ z).tolist(), strict=True))
        return _Found(self.mechanism, statics, x, p, share, held, "")

    def _transmitted(self, statics: Statics, x: Array, columns: list[Array]) -> Array:
        """What joints transmit (N, m) with friction x (n)."""
        p = np.array([self._with(statics.p, column, None) for column in columns])
        y = np.tile(statics.state(x), (len(p), 1))
        states = (np.full(len(p), statics.t), y, np.zeros((len(p), statics.nv)))
        return transmitted(
            self.mechanism, self.given.joints, states, p, without="leave their friction out of the model"
        )

    def _with(self, p: Array, x: Array, w: Array | None) -> Array:
        found = p.copy()
        found[self._places["efforts"][self._own[self._acting]]] = x
        if w is not None:
            found[self._places["wrench"]] = w
        return found

    def _unit(self, p: Array, j: int) -> Array:
        change = np.zeros_like(p)
        change[self._places["efforts"][j]] = 1.0
        return change

    def at(self, values: Mapping[str, float], start: GivenValues) -> float:
        """Usage with other live parameters, or in another position; infinite where it cannot be put together."""
        mechanism, t = self.asked.mechanism, self.asked.statics.t
        try:
            known = {**mechanism.model.in_si(self.parameters), **values}
            y, p = placed(mechanism, start, known, t) if start else mechanism.start(known, t).place
            statics = self.asked.statics.with_parameters(p)
            return self.found(p, statics.position(y)).share.usage
        except (AssemblyError, EquilibriumError):
            return float("inf")


@dataclass(frozen=True, eq=False)
class _Course:
    """Usage along something."""

    name: str = ""
    unit: str = ""
    values: Array = field(default_factory=lambda: np.zeros(0))
    usages: Array = field(default_factory=lambda: np.zeros(0))
    ranges: tuple[tuple[float, float], ...] = ()


def _along(rubbed: _Rubbed, asked: Along) -> _Course:
    """Usage over a live parameter or a coordinate, and where it is at most one."""
    ends = [(name, tuple(values)) for name, values in asked.items()]
    if len(ends) != 1 or len(ends[0][1]) != 2:
        raise RefusedError('along takes two values of one parameter or coordinate: along={"F": ("0 N", "50 N")}')
    ((along, between),) = ends
    model = rubbed.asked.mechanism.model
    name, kinds = model.named(along), _kinds(rubbed.asked.mechanism)
    if along in model.parameters:
        low, high = (model.in_si({along: value})[along] for value in between)
        unit = parameter_unit(model.parameters, along)

        def usage(value: float) -> float:
            return rubbed.at({along: value}, rubbed.start)
    elif name in kinds:
        low, high = (si(value, kinds[name]) for value in between)
        unit = "rad" if kinds[name] == "angle" else "m"

        def usage(value: float) -> float:
            return rubbed.at({}, {**rubbed.start, name: value})
    else:
        raise UnknownNameError(
            f"along = '{along}': there is no such live parameter or joint coordinate; "
            f"{did_you_mean(along, [*model.parameters, *kinds])}"
        )
    if not low < high:
        raise RefusedError(f"between = {between}: the first value must be below the second one")
    values = np.linspace(low, high, SAMPLES)
    usages = np.array([usage(float(value)) for value in counted(values, "following friction")])
    return _Course(along, unit, values, usages, tuple(_ranges(usage, values, usages)))


def _kinds(mechanism: Mechanism) -> dict[str, str]:
    """The joint coordinates with their dimensions."""
    known = mechanism.coordinates.motion.coordinates
    return {f"{joint}.{name}": "angle" if item.kind == "angle" else "length" for (joint, name), item in known.items()}


def _ranges(usage: Callable[[float], float], values: Array, usages: Array) -> Iterator[tuple[float, float]]:
    """Where the usage is at most one."""

    def over(value: float) -> float:
        return min(usage(value), MOST) - 1.0

    begun: float | None = float(values[0]) if usages[0] <= RESTS else None
    for (low, high), (one, other) in zip(pairwise(values.tolist()), pairwise(usages.tolist()), strict=True):
        if (one <= RESTS) == (other <= RESTS):
            continue
        end = float(low if one <= RESTS else high)
        if over(low) * over(high) < 0.0:
            end = float(brentq(over, low, high, xtol=1e-15, rtol=1e-14))
        if begun is None:
            begun = end
        else:
            yield begun, end
            begun = None
    if begun is not None:
        yield begun, float(values[-1])


def _solutions(matrix: Array, right: Array) -> tuple[Array, Array]:
    """The least x with A x = b as well as can be, and all ways to change it (n, k)."""
    n = matrix.shape[1]
    if not matrix.size:
        return np.zeros(n), np.eye(n)
    left, sizes, rows = np.linalg.svd(matrix)
    rank = rank_of(matrix)
    start = rows[:rank].T @ ((left[:, :rank].T @ right) / sizes[:rank])
    return start, rows[rank:].T
