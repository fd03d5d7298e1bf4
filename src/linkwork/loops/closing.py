"""A plan in coordinates: all positions as expressions of the inputs.

The state keeps all coordinates. Of those that a closed form gives, only the whole turns of an angle and the spin of a
link between two balls are taken from the state; inputs and iterated coordinates are read from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.orientations import Orientation
from linkwork.algebra.turns import Replacements, Sum, Turn, linear_forms
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.relative import Relative
from linkwork.elements.joints import FREE
from linkwork.errors import RefusedError
from linkwork.loops.branches import CoordinatePlaces, NearestBranch, Selectors
from linkwork.topology.plan.blocks import Key, Plan
from linkwork.topology.solution.solve import BranchChoice, Given, Linear, Solved, near_value, solve_plan


def orientation_of(c: Coordinates) -> Orientation:
    """How free bodies and balls are turned in the state."""
    assert isinstance(c.kind, Relative)
    return c.kind.parametrisation


def find_places(c: Coordinates) -> CoordinatePlaces:
    """Places of the coordinates of tree joints and free bodies and of the unknowns of relations (relative coordinates)."""
    positions: dict[Key, int] = {}
    velocities: dict[Key, int] = {}
    slices: dict[str, slice] = {}
    orientation = orientation_of(c)
    at_q = at_v = 0
    for step in c.topology.tree.steps:
        name = step.outboard if step.link is None else step.link.name
        kind = FREE if step.link is None else c.geometry.joints[name].kind
        nq, nv = kind.oriented(orientation).count_positions(c.space), len(kind.freedoms(c.space))
        slices[name] = slice(at_q, at_q + nq)
        velocities |= {(name, i): at_v + i for i in range(nv)}
        positions |= {(name, i): at_q + i for i in range(len(kind.scalars(c.space)))}
        at_q, at_v = at_q + nq, at_v + nv
    for name, own in c.unknowns.items():
        slices[name] = slice(at_q, at_q + own.numel())
        for i in range(own.numel()):
            positions[name, i], velocities[name, i] = at_q + i, at_v + i
        at_q, at_v = at_q + own.numel(), at_v + own.numel()
    return CoordinatePlaces(positions, velocities, slices)


@dataclass(frozen=True, eq=False)
class Closing:
    """All positions of a mechanism in closed form, for one plan.

    selectors: symbols of the branches, by the place of the block
    solved: frames of all bodies
    """

    coordinates: Coordinates
    plan: Plan
    places: CoordinatePlaces
    selectors: Mapping[int, ca.SX]
    solved: Solved

    @cached_property
    def independent(self) -> tuple[int, ...]:
        """Indices into v of the freedoms that are integrated (a passive spin is not among them)."""
        return tuple(self.places.velocities[key] for key in self.plan.inputs)

    @cached_property
    def values(self) -> Replacements:
        """What replaces q in expressions."""
        c, given = self.coordinates, {*self.plan.inputs, *self.plan.iterated}
        direct: dict[int, ca.SX] = {}
        turns: dict[int, Callable[[], Turn]] = {}
        angles: dict[int, Callable[[], ca.SX]] = {}
        for key, place in self.places.positions.items():
            if key in self.plan.driven:
                direct[place] = driven_value(c, key, place)
            elif key in self.solved.coordinates:
                direct[place] = self.solved.coordinates[key]
            elif key not in given:
                self._solved_value(key, place, direct, turns, angles)
        for joint, quaternion in self.solved.quaternions.items():
            stop = self.places.slices[joint].stop
            part = slice(stop - orientation_of(c).count, stop)
            e = orientation_of(c).of_quaternion(quaternion, c.q[part])
            direct |= {part.start + i: e[i] for i in range(e.numel())}
        return Replacements(c.q, direct, turns, angles, self._body_angles(turns))

    def _solved_value(
        self,
        key: Key,
        place: int,
        direct: dict[int, ca.SX],
        turns: dict[int, Callable[[], Turn]],
        angles: dict[int, Callable[[], ca.SX]],
    ) -> None:
        """A coordinate read off the frames of the two bodies, or off the closed form itself."""
        c = self.coordinates
        joint = c.geometry.joints[key[0]]
        if key in self.solved.turns:
            cosine, sine = self.solved.turns[key]
        else:
            measure = joint.kind.measure(c.space, *joint.frames(self.solved.frames))[key[1]]
            if measure.value is not None:
                direct[place] = measure.value
                return
            assert measure.cosine is not None and measure.sine is not None
            cosine, sine = measure.cosine, measure.sine
        turns[place] = lambda: (cosine, sine)
        angles[place] = lambda: near_value(None, sine, cosine, c.q[place])

    def _body_angles(self, turns: Mapping[int, object]) -> list[tuple[Sum, Callable[[], Turn]]]:
        """In the plane: the angles of the bodies, whose cosine and sine stand in their frames."""
        c = self.coordinates
        if not c.space.planar or not turns:
            return []
        names = list(c.geometry.bodies)
        angles = [angle for name in names if (angle := c.kinematics.frames[name].angle) is not None]
        pairs = [partial(_turn_of, self.solved.frames[name]) for name in names]
        return list(zip(linear_forms(angles, c.q), pairs, strict=True))


def _turn_of(frame: Frame) -> Turn:
    return frame.axes[0, 0], frame.axes[1, 0]


def driven_value(c: Coordinates, key: Key, place: int) -> ca.SX:
    """The coordinate that its driver asks for: the condition q − f = 0 with q = 0 gives −f."""
    for name, driven in c.topology.drives.keys.items():
        if c.geometry.key(*driven) == key:
            row = next(row for row in c.rows if row.label.element == name and row.label.kind == "driver")
            return -ca.substitute(row.residual, c.q[place], ca.SX(0))
    raise KeyError(key)


def close(c: Coordinates, plan: Plan) -> Closing:
    """Solve a plan in coordinates, with symbols for its branches."""
    places = find_places(c)
    _check_places(c, plan, places)
    selectors = Selectors(c, places)
    return Closing(c, plan, places, selectors.symbols, _walk(c, plan, places, selectors))


def _check_places(c: Coordinates, plan: Plan, places: CoordinatePlaces) -> None:
    """Refuse a plan that reads coordinates of joints which are cut: they do not stand in the state."""
    keys = {c.geometry.key(t.joint, t.freedom) for name in _related(plan) for t in c.geometry.couplings[name].terms}
    missing = [
        key for key in (*plan.inputs, *plan.driven, *plan.iterated, *sorted(keys)) if key not in places.velocities
    ]
    untied = [name for name in c.geometry.relations if name not in plan.ties]
    if untied:
        raise RefusedError(f"relation {untied[0]} stands in no block of the plan")
    if missing:
        names = ", ".join(c.topology.planner.name_of(key) for key in missing)
        raise RefusedError(f"the plan needs {names}, which the spanning tree does not have")


def choose_branches(closing: Closing) -> ca.SX:
    """For every selector of a closing +1 where the first branch is nearer to the state, else −1."""
    choice = NearestBranch(closing.coordinates, closing.places)
    _walk(closing.coordinates, closing.plan, closing.places, choice)
    return ca.vertcat(*choice.found.values()) if choice.found else ca.SX(0, 1)


def _walk(c: Coordinates, plan: Plan, places: CoordinatePlaces, choice: BranchChoice) -> Solved:
    positions = {name: _with_quaternion(c, name, c.q[part]) for name, part in places.slices.items()}
    for key in plan.driven:
        name, i = key
        column = [positions[name][j] for j in range(positions[name].numel())]
        column[i] = driven_value(c, key, places.positions[key])
        positions[name] = ca.vertcat(*column)
    given = Given(positions, {name: _relation(c, places, name) for name in _related(plan)})
    return solve_plan(c.geometry, c.topology.planner.network, plan, given, choice)


def _with_quaternion(c: Coordinates, name: str, q: ca.SX) -> ca.SX:
    """The coordinates of a joint, free body or relation as plans read them: an orientation is a quaternion."""
    kind = c.geometry.joints[name].kind if name in c.geometry.joints else FREE
    if name in c.unknowns or not kind.spins(c.space):
        return q
    orientation = orientation_of(c)
    shifts = q.numel() - orientation.count
    return ca.vertcat(q[:shifts], orientation.quaternion(q[shifts:]))


def _relation(c: Coordinates, places: CoordinatePlaces, name: str) -> Linear:
    """A coupling between coordinates of the tree, in which its condition is linear."""
    residual = next(row.residual for row in c.rows if row.label.element == name and row.label.kind == "coupling")
    factors = {c.geometry.key(term.joint, term.freedom): term.factor for term in c.geometry.couplings[name].terms}
    q = ca.vertcat(*[c.q[places.positions[key]] for key in factors])
    return Linear(factors, -ca.substitute(residual, q, ca.SX.zeros(q.shape)))


def _related(plan: Plan) -> list[str]:
    """The couplings that a plan uses."""
    return [name for block in plan.blocks for name in block.relations]
