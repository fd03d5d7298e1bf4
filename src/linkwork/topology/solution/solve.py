"""Walk through a plan: the frames of all bodies as expressions of the inputs, the chosen branches and the parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Protocol

import casadi as ca

from linkwork.algebra.frames import Frame
from linkwork.algebra.linear import solve_linear
from linkwork.algebra.rotations import near_quaternion
from linkwork.algebra.turns import Turn, angle_near
from linkwork.closed_form.dyads import DyadSide
from linkwork.elements.joints import FREE
from linkwork.position.geometry import Geometry, JointGeometry
from linkwork.topology.plan.blocks import Block, Key, Network, Plan
from linkwork.topology.plan.pins import passed_joint
from linkwork.topology.solution.assembled import Assembled
from linkwork.topology.solution.chain import follow_chain, solve_chain, solve_chain_on, solve_translation
from linkwork.topology.solution.distance import solve_distance, solve_two_balls
from linkwork.topology.solution.passages import Passage
from linkwork.topology.solution.planar import solve_dyad, solve_parallelogram
from linkwork.topology.solution.spherical import solve_spherical

Build = Callable[[Mapping[Key, ca.SX]], Assembled]
"""Gives the assembly nearest to coordinates of joints; those that are not known are left out."""


class BranchChoice(Protocol):
    """Which branch of a block is meant."""

    def side(self, loop: SolvedBlock, build: Callable[[DyadSide], Assembled]) -> Assembled:
        """Of a block with two branches: +1 the first, −1 the second."""

    def follow(self, loop: SolvedBlock, build: Build, solve: Callable[[], Sequence[Assembled]]) -> Assembled:
        """Of a block with four branches: *build* gives the one nearest to given coordinates, *solve* all of them."""


@dataclass(frozen=True)
class SolvedBlock:
    """A block while it is solved: its place in the plan, and for every cluster the body whose coordinates it uses."""

    place: int
    block: Block
    roots: tuple[str, ...]


@dataclass(frozen=True)
class Branches:
    """Branches by number: for every block with several, which one."""

    numbers: Mapping[int, int]

    def side(self, loop: SolvedBlock, build: Callable[[DyadSide], Assembled]) -> Assembled:
        return build(1 - 2 * self.numbers.get(loop.place, 0))

    def follow(self, loop: SolvedBlock, build: Build, solve: Callable[[], Sequence[Assembled]]) -> Assembled:
        return solve()[self.numbers.get(loop.place, 0)]


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear relation: Σ factor × coordinate = constant."""

    factors: Mapping[Key, ca.SX]
    constant: ca.SX


@dataclass(frozen=True, eq=False)
class Given:
    """What is known before: coordinates by joint, and linear relations.

    positions: q of every joint of the tree (and of free bodies, by their name). Inputs and iterated coordinates are taken
    from here; of the others it says which turn is meant, and the spin of links between two balls
    relations: the linear relations that the plan uses, by name
    """

    positions: Mapping[str, ca.SX]
    relations: Mapping[str, Linear] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Solved:
    """Frames of all bodies in the world; the validity of every block that has branches, by its place in the plan."""

    frames: Mapping[str, Frame]
    valid: Mapping[int, ca.SX]
    turns: Mapping[Key, Turn]
    quaternions: Mapping[str, ca.SX]
    coordinates: Mapping[Key, ca.SX]  # from linear relations, and lengths that closed forms know


def solve_plan(geometry: Geometry, network: Network, plan: Plan, given: Given, choice: BranchChoice) -> Solved:
    """Solve all blocks of a plan in their order."""
    return PartialSolution(geometry, network, plan, given, choice).run()


def joint_named(geometry: Geometry, network: Network, name: str) -> JointGeometry:
    """A joint, or what stands for it between a free body and the ground."""
    if name in geometry.joints:
        return geometry.joints[name]
    identity = Frame.identity(geometry.space.dimension)
    return JointGeometry(name, FREE, network.ground, name, identity, identity)


class PartialSolution:
    """The state of a walk: clusters of bodies with frames, and coordinates that have become known."""

    def __init__(self, geometry: Geometry, network: Network, plan: Plan, given: Given, choice: BranchChoice) -> None:
        self.geometry, self.network, self.plan, self.given, self.choice = geometry, network, plan, given, choice
        self.known: dict[Key, ca.SX] = {}
        for key in (*plan.inputs, *plan.driven):
            self.known[key] = self._position(key)
        identity = Frame.identity(geometry.space.dimension)
        self.home = {name: name for name in (network.ground, *network.bodies)}
        self.clusters: dict[str, dict[str, Frame]] = {name: {name: identity} for name in self.home}
        self.valid: dict[int, ca.SX] = {}
        self.turns: dict[Key, Turn] = {}
        self.quaternions: dict[str, ca.SX] = {}
        self.coordinates: dict[Key, ca.SX] = {}

    def run(self) -> Solved:
        for place, block in enumerate(self.plan.blocks):
            self.take(place, block)
        home = self.home[self.network.ground]
        frames = self.clusters[home]
        return Solved(frames, self.valid, self.turns, self.quaternions, self.coordinates)

    def fork(self, choice: BranchChoice, given: Given | None = None) -> PartialSolution:
        """The same state, to go on with another choice, and with other values of what is not known yet."""
        twin = copy(self)
        twin.given, twin.choice = given or self.given, choice
        twin.known, twin.home, twin.clusters = dict(self.known), dict(self.home), dict(self.clusters)
        twin.valid, twin.turns = dict(self.valid), dict(self.turns)
        twin.quaternions, twin.coordinates = dict(self.quaternions), dict(self.coordinates)
        return twin

    def frames_of(self, joint: JointGeometry) -> tuple[Frame, Frame]:
        """Both frames of a joint, each in the coordinates of the cluster that it belongs to."""
        parents, children = self.clusters[self.home[joint.parent]], self.clusters[self.home[joint.child]]
        return parents[joint.parent] @ joint.a, children[joint.child] @ joint.b

    def take(self, place: int, block: Block) -> None:
        """Solve the next block."""
        match block.family.solver:
            case "known":
                self._join(block.joints[0])
            case "relation":
                self._relate(block)
            case "iteration":
                self._compose(block)
            case _:
                self._close(place, block)

    def _position(self, key: Key) -> ca.SX:
        return self.given.positions[key[0]][key[1]]

    def joint(self, name: str) -> JointGeometry:
        """A joint by its name; that of a free body connects it with the ground."""
        return joint_named(self.geometry, self.network, name)

    def _join(self, name: str) -> None:
        """Join two clusters by a joint whose coordinates are known."""
        joint = self.joint(name)
        space = self.geometry.space
        given = self.given.positions.get(name, joint.kind.neutral(space))
        scalars = [self.known.get((name, i), given[i]) for i in range(len(joint.kind.scalars(space)))]
        self._attach(joint, joint.kind.motion(space, ca.vertcat(ca.SX(0, 1), *scalars, given[len(scalars) :])))

    def _attach(self, joint: JointGeometry, motion: Frame) -> None:
        a, b = self.frames_of(joint)
        if self.home[joint.child] == self.home[self.network.ground]:
            self._merge(self.home[joint.child], self.home[joint.parent], b @ motion.inverse() @ a.inverse())
        else:
            self._merge(self.home[joint.parent], self.home[joint.child], a @ motion @ b.inverse())

    def _merge(self, into: str, other: str, frame: Frame) -> None:
        moved = {body: frame @ local for body, local in self.clusters.pop(other).items()}
        # a new one, since forks share them
        self.clusters[into] = self.clusters[into] | moved
        self.home |= dict.fromkeys(moved, into)

    def _relate(self, block: Block) -> None:
        """As many linear relations as unknowns, solved at once."""
        relations = [self.given.relations[name] for name in block.relations]
        n = len(block.unknowns)
        matrix, right = ca.SX.zeros(n, n), ca.SX.zeros(n, 1)
        for i, relation in enumerate(relations):
            right[i] = relation.constant
            for key, factor in relation.factors.items():
                if key in block.unknowns:
                    matrix[i, block.unknowns.index(key)] = factor
                else:
                    right[i] -= factor * self.value(key)
        found, _ = solve_linear(matrix, right)
        values = {key: found[i] for i, key in enumerate(block.unknowns)}
        self.known |= values
        self.coordinates |= values

    def excess(self, name: str) -> ca.SX:
        """What a linear relation misses: Σ factor × coordinate − constant."""
        relation = self.given.relations[name]
        total = -relation.constant
        for key, factor in relation.factors.items():
            total = total + factor * self.value(key)
        return total

    def value(self, key: Key) -> ca.SX:
        """A coordinate that is known or can be read off, an angle near its value in the state."""
        if key in self.known:
            return self.known[key]
        joint = self.joint(key[0])
        frames = self.clusters[self.home[joint.child]]
        measure = joint.kind.measure(self.geometry.space, *joint.frames(frames))[key[1]]
        return near_value(measure.value, measure.sine, measure.cosine, self._position(key))

    def _compose(self, block: Block) -> None:
        """A block by iteration: the coordinates of its tree joints are given, and those outside that it determines."""
        self.known |= {key: self._position(key) for key in block.unknowns if key[0] not in block.joints}
        waiting = [name for name in block.joints if name not in block.cuts]
        while waiting:
            # from the hub outwards, so that the ground stays in the cluster that grows
            name = next((n for n in waiting if self._touches(n, block.hubs[0])), waiting[0])
            waiting.remove(name)
            self._join(name)

    def _touches(self, name: str, hub: str) -> bool:
        joint = self.joint(name)
        return self.home[hub] in (self.home[joint.parent], self.home[joint.child])

    def _close(self, place: int, block: Block) -> None:
        found = self._solve(place, block, self._passages(block))
        self.valid[place] = found.valid
        self.turns.update(found.turns)
        self.quaternions.update(found.quaternions)
        self.coordinates.update(found.slides)
        hub = self.home[block.hubs[0]]
        for body, frame in zip(block.hubs[1:], found.frames, strict=True):
            self._merge(hub, self.home[body], frame)
        self._read_balls(block)

    def _read_balls(self, block: Block) -> None:
        """Quaternions of balls that stand in the tree and that the closed form has not given."""
        for name in block.joints:
            joint = self.joint(name)
            if joint.kind.letter == "G" and name in self.given.positions and name not in self.quaternions:
                a, b = self.frames_of(joint)
                self.quaternions[name] = near_quaternion(a.axes.T @ b.axes, self.given.positions[name])

    def _solve(self, place: int, block: Block, passages: Sequence[Passage]) -> Assembled:
        space, choice = self.geometry.space, self.choice
        loop = SolvedBlock(place, block, tuple(self.home[body] for body in block.hubs))
        match block.family.solver:
            case "dyad":
                if len(block.family.branches) == 1:
                    return solve_dyad(space, passages, 1)
                return choice.side(loop, lambda side: solve_dyad(space, passages, side))
            case "parallelogram":
                joint = self.joint(block.base)
                base = self.clusters[self.home[joint.parent]][joint.parent] @ joint.a
                return solve_parallelogram(space, passages, base)
            case "spherical":
                return choice.side(loop, lambda side: solve_spherical(passages, side))
            case "balls":
                held = block.spins[0].held
                return solve_two_balls(passages, held, self.given.positions[held])
            case "distance":
                ball = next(p.joint for p in passages if p.kind.letter == "G" and p.joint not in block.cuts)
                attitude = self.given.positions[ball]
                return choice.side(loop, lambda side: solve_distance(passages, side, ball, attitude))
            case "translation":
                return solve_translation(space, passages)
        return self._solve_row(loop, passages)

    def _solve_row(self, loop: SolvedBlock, passages: Sequence[Passage]) -> Assembled:
        """A row of the table of chains: one branch alone is computed, unless the choice needs all of them."""
        space = self.geometry.space
        match len(loop.block.family.branches):
            case 1:
                return solve_chain(space, passages)[0]
            case 2:
                return self.choice.side(loop, lambda side: solve_chain_on(space, passages, side))
        return self.choice.follow(
            loop, lambda given: follow_chain(space, passages, given), lambda: solve_chain(space, passages)
        )

    def _passages(self, block: Block) -> list[Passage]:
        found = []
        n = len(block.joints)
        for i, name in enumerate(block.joints):
            joint = passed_joint(block, name, self.joint)
            near, far = self.home[block.hubs[i]], self.home[block.hubs[(i + 1) % n]]
            backwards = self.home[joint.parent] != near
            a, b = self.frames_of(joint)
            assert {self.home[joint.parent], self.home[joint.child]} == {near, far}
            keys = [(name, place) for place in range(len(joint.kind.freedoms(self.geometry.space)))]
            values = tuple(self.known.get(key) for key in keys)
            direction = self._direction(name, values)
            state = self.given.positions.get(name)
            guess = state[0] if state is not None and joint.kind.letter == "S" else None
            sides = (b, a) if backwards else (a, b)
            found.append(Passage(name, joint.kind, *sides, backwards, values, direction, guess))
        return found

    def _direction(self, name: str, values: Sequence[ca.SX | None]) -> ca.DM:
        twist = self.network.edges[name].twists[[value is None for value in values].index(True)]
        turning = abs(twist[:3]).max() > 0
        return ca.DM(twist[:3] if turning else twist[3:])


def near_value(value: ca.SX | None, sine: ca.SX | None, cosine: ca.SX | None, guess: ca.SX) -> ca.SX:
    """A measured length, or the angle with this sine and cosine that is nearest to *guess*."""
    if value is not None:
        return value
    assert sine is not None and cosine is not None
    return angle_near((cosine, sine), guess)
