"""All assemblies of a block without closed form that can be found: damped Newton's method from many starts.

The unknowns are the coordinates of the tree joints of the block, and those of its relations between bodies; the conditions
are those of the joints that close it and of these relations: rods, drivers of points and bodies, cams. With r the residuals
and J their derivatives, steps are

    (JᵀJ + |r|² I) δ = −Jᵀr  far from an assembly,    δ = −J⁺ r, of least length, near one,

none longer than half a radian (or half the size of the mechanism): the damping keeps walks from jumping over assemblies
with little room around them (K. Levenberg, 1944). Many walks go side by side; one that arrives, or goes on for too long,
gives way to a new one from coordinates at random, lengths more or less far from where they are. The search ends when many
have arrived without finding anything new: the more assemblies there are, the more, and not before as many starts as were
asked for. It can miss some; closed forms cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import least_rotation
from linkwork.algebra.space import numbers
from linkwork.elements.contribution import Condition, Placement
from linkwork.numerics.paths.many_newton import ManyDescent, damped_steps
from linkwork.numerics.policy import POLICY
from linkwork.position.geometry import JointGeometry
from linkwork.topology.modes.situation import HALF, Situation, opening_of
from linkwork.topology.plan.blocks import Array, Block
from linkwork.topology.solution.solve import Branches, Given, PartialSolution

LANES = 64  # walks side by side
OLDEST = 60  # steps after which a walk is given up
ENOUGH, FOR_EACH = 200, 25  # arrivals without anything new that end the search: so many, and more for each assembly
MOST = 2000  # steps of all lanes
CLOSED = POLICY.apart  # largest residual of an assembly
KNOWN = 2e-6  # singular value of an assembly that is a double root: it is known to some √CLOSED
DAMPED = ManyDescent(steps=partial(damped_steps, near=1e-3))
LEAST = 0.1  # part of the size by which starts are spread at least
SAME = 1e-6  # distance (of the size of the mechanism, rad) below which two assemblies are one


def search_block(
    situation: Situation, solution: PartialSolution, place: int, block: Block
) -> list[tuple[PartialSolution, bool]]:
    """Distinct assemblies of a block that needs iteration: the walk in which it is solved, and whether it can move on."""
    unknowns = _Unknowns(situation, solution, place, block)
    found: list[_Arrival] = []
    walks: list[tuple[PartialSolution, bool]] = []
    quiet = 0
    for arrival in unknowns.arrivals(np.random.default_rng(0), situation.starts):
        quiet += 1
        if not any(arrival.is_same(other) for other in found):
            found.append(arrival)
            ahead = unknowns.placed(arrival.q)
            walks += [] if unknowns.winds(ahead) else [(ahead, not arrival.isolated)]
            quiet = 0
        if quiet > ENOUGH + FOR_EACH * len(found) and unknowns.started >= situation.starts:
            break
    return walks


@dataclass(frozen=True, eq=False)
class _Arrival:
    """An assembly: the coordinates of the tree joints, what tells it from others, and whether it is isolated."""

    q: Array
    features: Array
    isolated: bool

    def is_same(self, other: _Arrival) -> bool:
        """Whether two are one; assemblies in which the block can move, of which there is no end, count as one."""
        near = float(np.max(np.abs(self.features - other.features))) < SAME
        return near or not (self.isolated or other.isolated)


@dataclass(frozen=True)
class _Spinning:
    """A cluster that hangs between two balls: a body of it, and the two joints."""

    body: str
    balls: tuple[str, str]


class _Unknowns:
    """The coordinates of the tree joints of a block, with the conditions that they must satisfy as functions."""

    def __init__(self, situation: Situation, solution: PartialSolution, place: int, block: Block) -> None:
        self.situation, self.solution, self.place, self.block = situation, solution, place, block
        self.started = 0
        inside = [name for name in block.joints if name not in block.cuts]
        relations = situation.geometry.relations
        outside = [name for name, _ in block.unknowns if name not in block.joints and name not in relations]
        self.ties = {name: relations[name] for name in block.ties}
        self.joints = [solution.joint(name) for name in dict.fromkeys([*inside, *outside])]
        self.spinning = _spinning(solution, block)
        space = situation.space
        freedoms = [freedom for joint in self.joints for freedom in joint.kind.freedoms(space)]
        keys = [(joint.name, i) for joint in self.joints for i in range(len(joint.kind.freedoms(space)))]
        self.free = [i for i, key in enumerate(keys) if key in block.unknowns]
        scales = [situation.length if freedoms[i].kind == "length" else 1.0 for i in self.free]
        # behind them the unknowns of relations
        extra = [unknown for tie in self.ties.values() for unknown in tie.unknowns]
        self.free += range(len(keys), len(keys) + len(extra))
        self.scale = np.array([*scales, *(situation.length if unknown.is_length else 1.0 for unknown in extra)])
        names = [*(joint.name for joint in self.joints), *(name for name, tie in self.ties.items() if tie.unknowns)]
        self.own = np.concatenate([numbers(solution.given.positions[name]).ravel() for name in names])
        q, delta = ca.SX.sym("q", len(self.own)), ca.SX.sym("delta", len(self.free))
        moved = self._moved(q, delta)
        ahead = self._walk(moved)
        at_rest = ca.SX.zeros(delta.shape)
        residual, openings = self._residual(ahead), self._openings(ahead)
        jacobian = ca.substitute(ca.jacobian(residual, delta), delta, at_rest)
        still = [ca.substitute(item, delta, at_rest) for item in (residual, self._features(ahead), openings)]
        conditions = ca.Function("block", [q], [ca.densify(item) for item in (still[0], jacobian, *still[1:])])
        retract = ca.Function("retract", [q, delta], [ca.densify(ca.vertcat(*moved.values()))])
        self._conditions, self._retract = conditions.map(LANES), retract.map(LANES)

    def _moved(self, q: ca.SX, delta: ca.SX) -> dict[str, ca.SX]:
        """Coordinates of the tree joints, displaced by δ."""
        space, found, at_q, at_v = self.situation.space, {}, 0, 0
        for joint in self.joints:
            nq, nv = joint.kind.count_positions(space), len(joint.kind.freedoms(space))
            steps = [delta[self.free.index(i)] if i in self.free else ca.SX(0) for i in range(at_v, at_v + nv)]
            found[joint.name] = joint.kind.retract(space, q[at_q : at_q + nq], ca.vertcat(*steps))
            at_q, at_v = at_q + nq, at_v + nv
        for name, count in self._own_counts():
            first = self.free.index(at_v)
            found[name] = q[at_q : at_q + count] + delta[first : first + count]
            at_q, at_v = at_q + count, at_v + count
        return found

    def _own_counts(self) -> list[tuple[str, int]]:
        """Relations with unknowns of their own, and how many."""
        return [(name, len(tie.unknowns)) for name, tie in self.ties.items() if tie.unknowns]

    def _walk(self, positions: Mapping[str, ca.SX]) -> PartialSolution:
        given = Given({**self.solution.given.positions, **positions}, self.solution.given.relations)
        ahead = self.solution.fork(Branches({}), given)
        ahead.take(self.place, self.block)
        return ahead

    def _residual(self, ahead: PartialSolution) -> ca.SX:
        """Conditions of the joints that close the block, and of its relations; lengths over the size."""
        rows = []
        for name in self.block.cuts:
            joint = ahead.joint(name)
            for row in joint.kind.rows(self.situation.space, *ahead.frames_of(joint)):
                rows.append(row.residual / self.situation.length if row.is_length else row.residual)
        rows += [ahead.excess(name) for name in self.block.relations]
        rows += [row.residual / self.situation.length if row.is_length else row.residual for row in self._tied(ahead)]
        return ca.vertcat(*rows)

    def _tied(self, ahead: PartialSolution) -> Iterator[Condition]:
        """The conditions of the relations between bodies, at the time and with the parameters of the situation."""
        situation, frames = self.situation, ahead.clusters[ahead.home[self.block.hubs[0]]]
        geometry, t = situation.conditions.geometry, ca.SX(situation.conditions.time)
        for name, tie in self.ties.items():
            own = ca.vertcat(ca.SX(0, 1), *[ahead.known[name, i] for i in range(len(tie.unknowns))])
            for row in tie.contribute(Placement(situation.space, frames, t, own)).of("position"):
                value = ca.substitute(row.residual, geometry.parameters, ca.SX(situation.p))
                yield replace(row, residual=value)

    def _openings(self, ahead: PartialSolution) -> ca.SX:
        """What is open of the joints that close the block: more than nought also where one is closed the wrong way."""
        space, length = self.situation.space, self.situation.length
        joints = [ahead.joint(name) for name in self.block.cuts]
        gaps = [opening_of(space, joint.kind, *ahead.frames_of(joint), length) for joint in joints]
        return ca.vertcat(ca.SX(1, 1), *gaps)

    def _features(self, ahead: PartialSolution) -> ca.SX:
        """What tells two assemblies apart: frames of the clusters; of one that spins freely, where its balls are."""
        frames, length = ahead.clusters[ahead.home[self.block.hubs[0]]], self.situation.length
        spinning = {item.body: item for item in self.spinning}
        parts = []
        for body in self._telling:
            if body in spinning:
                parts += [self._ball(ahead, frames, name, body) / length for name in spinning[body].balls]
            else:
                parts += [frames[body].origin / length, ca.vec(frames[body].axes)]
        return ca.vertcat(*parts)

    @property
    def _telling(self) -> Sequence[str]:
        """Bodies of the clusters that tell assemblies apart: all, or in the last block those that were chosen."""
        hubs, solution = self.block.hubs[1:], self.solution
        if self.block is not self.situation.plan.loops[-1]:
            return hubs
        wanted = [hub for hub in hubs if set(solution.clusters[solution.home[hub]]).intersection(self.situation.told)]
        return wanted or hubs

    def _ball(self, ahead: PartialSolution, frames: Mapping[str, Frame], name: str, body: str) -> ca.SX:
        """The centre of a ball of the cluster of *body*."""
        joint = ahead.joint(name)
        inside = self.solution.clusters[self.solution.home[body]]
        owner, local = (joint.parent, joint.a) if joint.parent in inside else (joint.child, joint.b)
        return frames[owner].point(local.origin)

    def _starts(self, generator: np.random.Generator) -> Array:
        """Coordinates (LANES × nq) at random; unknowns of relations about where they are."""
        own = sum(count for _, count in self._own_counts())
        spread = generator.uniform(LEAST, 1.0, (LANES, 1))
        about = spread * generator.normal(size=(LANES, own)) * self.scale[len(self.scale) - own :]
        about += self.own[len(self.own) - own :]
        return np.hstack([*(self._start(generator, joint, spread[:, 0]) for joint in self.joints), about])

    def _start(self, generator: np.random.Generator, joint: JointGeometry, spread: Array) -> Array:
        """Coordinates of one joint: angles within a turn, attitudes anywhere, lengths about where they are."""
        own = numbers(self.solution.given.positions[joint.name]).ravel()
        q = np.tile(own, (LANES, 1))
        if joint.kind.spins(self.situation.space):
            attitude = generator.normal(size=(LANES, 4))
            q[:, -4:] = attitude / np.linalg.norm(attitude, axis=1, keepdims=True)
        for i, freedom in enumerate(joint.kind.scalars(self.situation.space)):
            if (joint.name, i) in self.block.unknowns:
                length = self.situation.length * spread * generator.normal(size=LANES)
                q[:, i] += length if freedom.kind == "length" else generator.uniform(-np.pi, np.pi, LANES)
        return q

    def _step(self, q: Array, delta: Array) -> Array:
        return np.array(self._retract(q.T, delta.T)).T

    def arrivals(self, generator: np.random.Generator, starts: int = 0) -> Iterator[_Arrival]:
        """Assemblies as they are reached, from so many *starts* or more; the first walk begins where the situation is."""
        q, age = self._starts(generator), np.zeros(LANES)
        q[0] = self.own
        self.started = LANES
        for _ in range(max(MOST, (OLDEST + 1) * (starts // LANES + 1))):
            residual, jacobian, features, openings = self._evaluate(q)
            arrived = np.max(np.abs(residual), axis=1) < CLOSED
            for i in np.flatnonzero(arrived & (np.max(np.abs(openings), axis=1) < 100 * CLOSED)):
                yield _Arrival(q[i], features[i], self._is_isolated(jacobian[i]))
            q = self._step(q, self.scale * DAMPED.shortened(jacobian * self.scale, residual))
            over = arrived | (age > OLDEST)
            q = np.where(over[:, None], self._starts(generator), q)
            self.started += int(np.sum(over))
            age = np.where(over, 0, age + 1)

    def _is_isolated(self, jacobian: Array) -> bool:
        """Whether the block cannot move on from here, but for the spins of links between two balls."""
        return POLICY.rank_of(jacobian * self.scale, KNOWN) >= len(self.free) - len(self.spinning)

    def _evaluate(self, q: Array) -> tuple[Array, Array, Array, Array]:
        residual, jacobian, features, openings = (np.array(item) for item in self._conditions(q.T))
        slopes = jacobian.T.reshape(LANES, len(self.free), -1).transpose(0, 2, 1)
        return np.nan_to_num(residual.T, nan=1.0), np.nan_to_num(slopes), features.T, np.nan_to_num(openings.T, nan=1.0)

    def placed(self, q: Array) -> PartialSolution:
        """The walk with the block solved by these coordinates."""
        positions, at = {}, 0
        for joint in self.joints:
            count = joint.kind.count_positions(self.situation.space)
            positions[joint.name] = ca.SX(q[at : at + count])
            at += count
        for name, count in self._own_counts():
            positions[name] = ca.SX(q[at : at + count])
            at += count
        ahead = self._walk(positions)
        ahead.given = self.solution.given
        for item in self.spinning:
            self._keep_spin(ahead, item)
        return ahead

    def winds(self, ahead: PartialSolution) -> bool:
        """Whether a screw has been turned by more than half a turn: each turn is another assembly, there is no end."""
        space = self.situation.space
        for joint in (ahead.joint(name) for name in self.block.joints):
            if any(freedom.winds for freedom in joint.kind.freedoms(space)):
                q = joint.kind.positions(space, *ahead.frames_of(joint))
                if np.max(np.abs(numbers(q - self.solution.given.positions[joint.name]))) > HALF:
                    return True
        return False

    def _keep_spin(self, ahead: PartialSolution, item: _Spinning) -> None:
        """Turn a link between two balls from where the situation has it onto its new line, by the smallest rotation."""
        hub = ahead.home[self.block.hubs[0]]
        frames = ahead.clusters[hub]
        own = self.situation.frames[self.block.hubs[0]].inverse()
        known = {body: frames[self.block.hubs[0]] @ own @ frame for body, frame in self.situation.frames.items()}
        old, new = (
            [numbers(self._ball(ahead, where, name, item.body)).ravel() for name in item.balls]
            for where in (known, frames)
        )
        turn = least_rotation(old[1] - old[0], new[1] - new[0])
        carry = Frame(ca.SX(new[0] - turn @ old[0]), ca.SX(turn))
        for body in self.solution.clusters[self.solution.home[item.body]]:
            frames[body] = carry @ known[body]


def _spinning(solution: PartialSolution, block: Block) -> list[_Spinning]:
    """The clusters of a block that hang between two balls only."""
    found = []
    for body in block.hubs[1:]:
        inside = set(solution.clusters[solution.home[body]])
        touching = [
            edge for edge in solution.network.edges.values() if (edge.first in inside) != (edge.second in inside)
        ]
        if len(touching) == 2 and all(inside.intersection(edge.pivots) for edge in touching):
            found.append(_Spinning(body, (touching[0].name, touching[1].name)))
    return found
