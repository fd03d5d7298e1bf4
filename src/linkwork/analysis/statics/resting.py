"""A mechanism made ready for questions of statics, searches for positions of rest, and why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from linkwork.algebra.expressions import Number
from linkwork.algebra.given import GivenValues, Parameters, Scalar
from linkwork.algebra.units import si
from linkwork.analysis.kinematics.bare_angles import bare_angles
from linkwork.analysis.motion.corners import corner_notes
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.motion.undefined import undefined_forces
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.analysis.statics.at_limits import at_limits, free_way, held_limit
from linkwork.analysis.statics.singular_rest import UsualFreedoms
from linkwork.analysis.statics.stiffness import leading, principal
from linkwork.analysis.walk.subject import REST, Noun, subject_of
from linkwork.arrays import Array
from linkwork.coordinates.numbering import KindChoice
from linkwork.coordinates.told import changing, remarks
from linkwork.equations.equations import place_state
from linkwork.equations.statics.forces_at_rest import Statics
from linkwork.errors import EquilibriumError, RefusedError, UnknownNameError, did_you_mean
from linkwork.model.remarks import unstruck
from linkwork.numerics.paths.rest import WAYS, Rest, RestForces, Search, balance
from linkwork.results.equilibrium import UNSTABLE, Equilibrium, EquilibriumDirection
from linkwork.results.quantities import TIME, Variable
from linkwork.results.result import Result
from linkwork.topology import Topology
from linkwork.topology.analyse import assemble
from linkwork.topology.graph.floating import floating_texts

NUDGE = (
    0.02  # by which a search leaves a position that is not stable, in radians, or lengths by the size of the mechanism
)
NUDGES = 5
LOOSE = 1e-6  # of stiffnesses and forces: less holds nothing
FAR = 3.0  # rad, or sizes of the mechanism, after which a constant force counts as one for ever


@dataclass(frozen=True, eq=False)
class RestQuestion:
    """What is asked: a mechanism at one time, its forces at rest, a position to start from, and how to look."""

    mechanism: Mechanism
    statics: Statics
    start: Array
    method: str
    search: Search
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.mechanism.model.name or "the mechanism"


@dataclass(frozen=True, eq=False)
class FoundRest:
    """A position of rest with its stiffness; ways (nv, k) are the principal directions.

    statics: the forces with what holds there; pushes: of the limits that hold, by their numbers
    """

    rest: Rest
    balance: RestForces
    directions: tuple[EquilibriumDirection, ...]
    ways: Array
    statics: Statics
    pushes: Mapping[int, float]
    left: tuple[str, ...] = ()  # what was unstable on the way


def ask(
    model: Noun,
    search: Search,
    *,
    method: str = "virtual_power",
    coordinates: KindChoice | None = None,
    at: GivenValues | None = None,
    parameters: Parameters | None = None,
    time: Scalar | None = None,
    asking: str = REST,
) -> RestQuestion:
    """Prepare a model, put it together where the search should start, and refuse what cannot rest; *asking*: who asks."""
    if method not in WAYS:
        raise RefusedError(f"there is no method '{method}' of statics; {did_you_mean(method, list(WAYS))}")
    if not search.tolerance > 0.0 or search.limit < 1:
        raise RefusedError("a search needs a tolerance above zero and max_iterations of at least one")
    subject = subject_of(model, asking)
    mechanism, t = subject.prepare(coordinates), subject.time if time is None else si(time, "time")
    values = subject.given | subject.model.in_si(parameters)
    y, p = placed(mechanism, at, values, t) if at else subject.start(mechanism, values, t).place
    statics = Statics(mechanism.coordinates, t, p)
    x = statics.position(y)
    moving = statics.driven(x)
    if moving:
        raise RefusedError(
            f"{'; '.join(moving)}: moves by itself at t = {t:g} s, so that nothing rests; "
            "hold it at a position, take a time at which it stands still, or leave the driver out"
        )
    doubts = bare_angles(mechanism.model, mechanism.model.with_names(at))
    return RestQuestion(mechanism, statics, x, method, search, (*_notes(mechanism, t, y, p), *doubts))


def placed(mechanism: Mechanism, at: GivenValues, values: Mapping[str, float], t: float) -> tuple[Array, Array]:
    """y and p of the assembled mechanism, joint coordinates near what *at* asks for."""
    topology, model = mechanism.topology, mechanism.model
    drives = topology.drives
    initial = {name: dict(entries) for name, entries in drives.initial.items()}
    for name, value in at.items():
        joint, _, freedom = model.named(name).partition(".")
        own = [f for j, f in mechanism.coordinates.motion.coordinates if j == joint]
        if (joint not in model.joints and joint not in model.bodies) or not (freedom or len(own) == 1):
            known = [f"{j}.{f}" for j, f in mechanism.coordinates.motion.coordinates]
            raise UnknownNameError(f"start: there is no joint coordinate '{name}'; {did_you_mean(name, known)}")
        freedom = freedom or own[0]
        holds = [driver for driver, key in drives.keys.items() if key == (joint, freedom)]
        if holds:
            raise RefusedError(f"start: {joint}.{freedom} is where the driver '{holds[0]}' has it: leave it out")
        initial.setdefault(joint, {})[freedom] = Number(_quantity(topology, joint, freedom, value))
    p = topology.parameters(values)
    return place_state(mechanism.coordinates, assemble(topology, p, t, drives.asking(initial)), p, t)


def _quantity(topology: Topology, element: str, name: str, value: Scalar) -> float:
    """A value of a coordinate of a joint or a body, in SI units."""
    known = {(item.element, item.name): item.angular for item in topology.conditions.readings}
    if (element, name) not in known:
        valid = [f"{element}.{item}" for owner, item in known if owner == element]
        raise UnknownNameError(
            f"start: there is no coordinate '{element}.{name}'; {did_you_mean(f'{element}.{name}', valid)}"
        )
    return si(value, "angle" if known[element, name] else "length")


def _notes(mechanism: Mechanism, t: float, y: Array, p: Array) -> tuple[str, ...]:
    c = mechanism.coordinates
    nq, nv = c.q.numel(), c.v.numel()
    notes = [*remarks(mechanism.coordinates, p), *unstruck(mechanism.model)]
    if np.any(np.abs(y[nq : nq + nv]) > 1e-12):
        notes.append("speeds of the start are left out: everything is at rest")
    return (*notes, *changing(c, t))


def rest(question: RestQuestion, x: Array, search: Search | None = None) -> FoundRest:
    """Look for rest from a position; downhill, a position that is not stable is left. An error says what goes on."""
    search, statics, left = search or question.search, question.statics, []
    iterations = 0
    for _ in range(NUDGES):
        try:
            found = at_limits(WAYS[question.method], statics, x, search)
        except np.linalg.LinAlgError:
            raise EquilibriumError(f"{question.name}: a force or condition has no value on the way to rest") from None
        ended, statics = found.rest, found.statics
        iterations += ended.iterations
        if not ended.found:
            raise EquilibriumError(_why(replace(question, statics=statics), x, ended))
        now = balance(statics, ended.x)
        directions, ways = principal(statics, ended.x, now)
        if not (search.downhill and directions and directions[0].kind == UNSTABLE and now.symmetric):
            break
        left.append(f"left an unstable equilibrium on the way, along {directions[0].along}")
        way = free_way(statics, ended.x, NUDGE * ways[:, 0] / np.sqrt(len(statics.c.geometry.bodies)))
        x = statics.close(statics.move(ended.x, way))[0]
    rested = replace(ended, iterations=iterations)
    return FoundRest(rested, now, tuple(directions), ways, statics, found.pushes, tuple(dict.fromkeys(left)))


def _why(question: RestQuestion, start: Array, ended: Rest) -> str:
    """What a search was doing when it ended, and what would help."""
    statics, name = question.statics, question.name
    closed, together = statics.close(ended.x)
    h, _, jacobian = statics.forces(closed)
    pushed = _pushed(statics, closed)
    if not np.all(np.isfinite(ended.x)) or not together or not np.any(pushed):
        return f"{name}: the search by {question.method} cannot close all joints on its way; begin elsewhere: start={{...}}"
    most = leading(statics, closed, pushed)
    force = float(h @ pushed) / most.rate
    gone = _gone(question, start, closed, most.name)
    text = f"{name}: no position of rest within {question.search.limit} steps of {question.method}: {most.name}"
    text += (
        f" has moved by {gone:.4g} and" if abs(gone) > 1e-9 else ""
    ) + f" is pushed with {force:.4g} {most.force_unit}"
    slope = float(pushed @ statics.stiffness(closed, statics.push(h, jacobian)) @ pushed) / most.rate**2
    far = FAR * (1.0 if most.force_unit == "N*m" else statics.c.kinematics.length)
    if abs(gone) > far and slope * abs(gone) < 1e-3 * abs(force):
        how = "grows on the way" if slope * abs(gone) < -1e-3 * abs(force) else "does not fall off"
        loose = "".join(f". {part}" for part in floating_texts(question.mechanism.topology.geometry))
        return f"{text} that {how}; it would move for ever. Hold it by a spring, a driver or a joint{loose}"
    return f"{text}. Start nearer to a balance, start={{'{most.name}': ...}}, or allow more with max_iterations"


def _pushed(statics: Statics, x: Array) -> Array:
    """The displacement (nv) along which forces push: where nothing holds, if they do there."""
    now = balance(statics, x)
    if not now.symmetric:
        return np.asarray(now.directions @ now.force)
    values, vectors = np.linalg.eigh(0.5 * (now.stiffness + now.stiffness.T))
    loose = vectors[:, np.abs(values) <= LOOSE * max(now.stiffest, now.size)]
    free = loose @ (loose.T @ now.force)
    chosen = free if np.linalg.norm(free) > LOOSE * np.linalg.norm(now.force) else now.force
    return np.asarray(now.directions @ chosen)


def _gone(question: RestQuestion, start: Array, end: Array, name: str) -> float:
    return _changes(question, start, end, [name]).get(name, 0.0)


def _changes(question: RestQuestion, start: Array, end: Array, names: Iterable[str]) -> dict[str, float]:
    """By how much quantities that are known have changed between two positions, rad and m."""
    statics = question.statics
    states = np.array([statics.state(start), statics.state(end)])
    source = Trajectory(question.mechanism, (np.zeros(2), states, np.zeros((2, statics.nv))), statics.p)
    values = source.evaluate([name for name in names if name in source.catalogue])
    return {name: float(value[1] - value[0]) for name, value in values.items()}


def singular_note(told: str, at: str = "") -> str:
    """What to know of a position that is singular, *at* which loads; *told*: how it is."""
    remedy = "search from nearer to the position that is meant, start={...}"
    return f"the position{at} is singular, {told}: stiffness and stability are not what they seem; {remedy}"


def equilibrium(question: RestQuestion, found: FoundRest) -> Equilibrium:
    """What was found, with everything that can be asked about it."""
    statics, mechanism = found.statics, question.mechanism
    result = sampled(question, np.zeros(1) + statics.t, statics.state(found.rest.x)[None, :], statics.p)
    moment = result.time, statics.state(found.rest.x)[None, :], statics.p
    ways = statics.variations(found.rest.x, found.balance.directions)
    bends = corner_notes(mechanism, statics.t, statics.state(found.rest.x), statics.p, ways)
    usual = UsualFreedoms(mechanism, statics, question.start)
    singular = usual.exceeded(statics, found.rest.x, found.directions)
    notes = [
        *([singular_note(singular)] if singular else []),
        *bends,
        *question.notes,
        *found.left,
        *undefined_forces(mechanism, *moment),
    ]
    if statics.spin_names:
        notes.append(f"passive spins, held by nothing and moving nothing else: {', '.join(statics.spin_names)}")
    if not found.balance.symmetric:
        notes.append("some force has no potential: stability by the eigenvalues of a stiffness that is not symmetric")
    if mechanism.model.base is not None:
        notes.append("stability is that of the energy in the moving frame; Coriolis forces may hold more")
    return Equilibrium(
        name=question.name,
        method=question.method,
        result=result,
        energy=statics.energy(found.rest.x),
        residual=found.balance.error,
        iterations=found.rest.iterations,
        directions=found.directions,
        conservative=found.balance.symmetric,
        joints=joint_units(statics),
        notes=tuple(notes),
        singular=bool(singular),
        moved=moved_from_start(question, found.rest.x),
        holds=tuple(held_limit(statics.c.one_sided[i], push) for i, push in found.pushes.items()),
    )


def moved_from_start(question: RestQuestion, x: Array) -> dict[str, float]:
    """By how much joints have moved from where the search began, rad and m."""
    return _changes(question, question.start, x, joint_units(question.statics))


def joint_units(statics: Statics) -> dict[str, str]:
    """Joint coordinates by name, with 'rad' or 'm'; before them the places of bodies that float."""
    c = statics.c
    floating = [step.outboard for step in c.topology.tree.steps if step.link is None]
    turns = {"angle": "rad"} if c.space.planar else {}
    places = {
        f"{body}.{name}": unit
        for body in floating
        for name, unit in (dict.fromkeys(c.space.axis_names, "m") | turns).items()
    }
    kinds = [item.kind for item in c.motion.coordinates.values()]
    units = ["rad" if kind == "angle" else "m" for kind in kinds]
    return places | dict(zip(statics.joint_names, units, strict=True))


def sampled(question: RestQuestion, t: Array, y: Array, p: Array, variable: Variable = TIME) -> Result:
    """Positions of rest (N) as a result over t, all of the time of the question; p (np), or (N, np)."""
    mechanism, c = question.mechanism, question.mechanism.coordinates
    source = Trajectory(mechanism, (np.full(len(t), question.statics.t), y, np.zeros((len(t), c.v.numel()))), p)
    return Result(
        name=question.name,
        time=t,
        source=source,
        drawing=mechanism.drawing(p if p.ndim == 1 else p[0]),
        model_text=mechanism.text,
        settings={"coordinates": str(c.kind), "at rest by": question.method},
        variable=variable,
    )
