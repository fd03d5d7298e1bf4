"""Choose the inputs of a mechanism and make its plan.

Driven coordinates are inputs anyway, and so are those of joints that stand in no loop. For the freedoms that are left,
sets of joint coordinates are tried in the order that a user would name them (joints with initial values, then joints at
the ground, then those that move most, then names; never the order of the file). A set is admissible when fixing it leaves
no motion at the assembled position.
The plan with the fewest coordinates found by iteration is taken, and among those the cheapest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice

import casadi as ca
import numpy as np

from linkwork.closed_form.parallelogram import is_parallelogram
from linkwork.elements.joints import FREE
from linkwork.numerics.matrices.long_rows import LongRows, stacked
from linkwork.numerics.policy import POLICY
from linkwork.outline import outlined
from linkwork.position.condition_rows import ConditionRows
from linkwork.position.drives import Drives
from linkwork.position.geometry import GROUND, Geometry, JointGeometry, Pose
from linkwork.position.poses import PoseConditions
from linkwork.position.preference import DIGITS
from linkwork.position.rank import free_rows, null_space
from linkwork.topology.plan.blocks import Array, Block, Edge, Key, LinearRelation, Plan
from linkwork.topology.plan.coupled import dependent_keys
from linkwork.topology.plan.decomposition import decompose
from linkwork.topology.plan.families import PARALLELOGRAM
from linkwork.topology.plan.network import bridges, build_network, displacement_twist
from linkwork.topology.plan.pins import passed_joint

WELL = 0.1  # quality, relative to the best set, below which a set is not taken to start with
MOST_SETS = 60
MANY_INPUTS = 24  # in a set, beyond which fewer sets are tried: each of them takes the longer
FEWEST_SETS = 4
COSTS = {
    "known": 0,
    "relation": 0,
    "dyad": 1,
    "parallelogram": 1,
    "translation": 1,
    "spherical": 2,
    "distance": 2,
    "balls": 1,
}


@dataclass(frozen=True, eq=False)
class Candidate:
    """An admissible set of inputs with its plan; quality in (0, 1], 1 for the set that moves most."""

    plan: Plan
    quality: float

    @property
    def cost(self) -> int:
        """A rough measure of the work: iteration weighs most."""
        total = 0
        for block in self.plan.blocks:
            unknowns = len(block.unknowns)
            loop = 2 * len(block.family.branches) if block.family.closed else 10 * unknowns**2
            total += COSTS.get(block.family.solver, loop)
        return total

    @property
    def rank(self) -> tuple[int, bool, int]:
        return len(self.plan.iterated), self.quality < WELL, self.cost


@outlined
class Planner:
    """Plans of one mechanism at one position; *inputs* are those of the plan to start with, where they are decided."""

    def __init__(
        self,
        drives: Drives,
        conditions: PoseConditions,
        poses: Mapping[str, Pose],
        p: Array,
        rows: ConditionRows,
        relations: Sequence[LinearRelation],
        *,
        inputs: Sequence[Key] | None = None,
    ) -> None:
        self.drives, self.model, self.conditions, self.poses, self.p = drives, drives.model, conditions, poses, p
        self.geometry: Geometry = conditions.geometry
        self.network = build_network(conditions, poses, p, relations)
        self._rows, self._inputs = rows, inputs

    @cached_property
    def best(self) -> Plan:
        """The plan to start with; with given inputs theirs."""
        if self._inputs is not None:
            return self.plan([key for key in self._inputs if key not in self._bound])
        best: Candidate | None = None
        for candidate in self.candidates():
            if best is None or candidate.rank < best.rank:
                best = candidate
            if (
                candidate.plan.closed
                and candidate.quality >= WELL
                and all(_is_simple(b) for b in candidate.plan.blocks)
            ):
                return candidate.plan
        return best.plan if best else self.plan(())

    def variants(self, most: int) -> list[Plan]:
        """The best plan, then others with different inputs in the same tree, at most *most* in all."""
        tree = self.best.tree
        usable = (
            candidate
            for candidate in self.candidates(tree)
            if candidate.plan.inputs != self.best.inputs and _fits(candidate.plan, tree)
        )
        # a few more than wanted are enough to choose from
        others = sorted(islice(usable, 2 * most), key=lambda candidate: candidate.rank)
        return [self.best, *(candidate.plan for candidate in others)][:most]

    def name_of(self, key: Key) -> str:
        """The name of a coordinate, such as 'O.angle'."""
        name, place = key
        if name in self.geometry.relations and name not in self.geometry.joints:
            return f"{name}.{self.geometry.relations[name].unknowns[place].name}"
        kind = self.geometry.joints[name].kind if name in self.geometry.joints else FREE
        return f"{name}.{kind.freedoms(self.geometry.space)[place].name}"

    def candidates(self, tree: frozenset[str] | None = None) -> Iterator[Candidate]:
        """Admissible sets of inputs with their plans, in the order of preference; with a tree, in that tree."""
        motions = self._motions
        free = motions.shape[1]
        # groups of bodies that spin between two balls show only when a plan is made
        for wanted in range(max(free - len(self.passive), 0), -1, -1):
            found = False
            for candidate in self._of_size(wanted, motions, tree):
                if candidate.plan.complete and wanted + len(candidate.plan.passive) == free:
                    found = True
                    yield candidate
            if found:
                return

    def _of_size(self, wanted: int, motions: Array, tree: frozenset[str] | None) -> Iterator[Candidate]:
        """Admissible sets of *wanted* inputs."""
        if wanted == 0:
            yield Candidate(self.plan((), tree), 1.0)
            return
        allowed = [key for key in self._preferred if tree is None or key[0] in tree]
        rates = {key: self._moved(key) for key in allowed}
        choices = [key for key in allowed if np.linalg.norm(rates[key]) > POLICY.rank]
        tried = max(FEWEST_SETS, MOST_SETS * MANY_INPUTS**2 // max(wanted, MANY_INPUTS) ** 2)
        sets: list[tuple[Key, ...]] = list(islice(combinations(choices, wanted), tried))
        qualities = [_quality([rates[key] for key in inputs]) for inputs in sets]
        if len(sets) == tried and max(qualities) <= POLICY.rank:
            # the first set of all that determines the motion, however many do not
            found = free_rows(np.eye(motions.shape[1]), np.array([rates[key] for key in choices]), range(len(choices)))
            sets = [tuple(choices[i] for i in found)] if len(found) == wanted else []
            qualities = [_quality([rates[key] for key in inputs]) for inputs in sets]
        best = max(qualities, default=0.0)
        for inputs, quality in zip(sets, qualities, strict=True):
            if quality > POLICY.rank:
                yield Candidate(self.plan(inputs, tree), quality / best)

    def plan(self, inputs: Sequence[Key], tree: frozenset[str] | None = None) -> Plan:
        """The plan for given inputs beside those that are inputs anyway."""
        found = decompose(self.network, (*self._bound, *inputs), self._driven, self._reserved, tree)
        return replace(found, blocks=tuple(self._with_parallelogram(block) for block in found.blocks))

    # -- which coordinates ---------------------------------------------------------------------------------------------

    @cached_property
    def _driven(self) -> tuple[Key, ...]:
        return tuple(self.geometry.key(*key) for key in self.drives.keys.values())

    @cached_property
    def _bound(self) -> tuple[Key, ...]:
        """Coordinates of joints in no loop: nothing but the dynamics can give them."""
        alone = bridges(self.network)
        keys = [key for name in alone for key in self.network.edges[name].keys]
        open_keys = [key for key in keys if key not in self._driven]
        coupled = dependent_keys(self.network.relations, open_keys, self.drives.initial)
        return tuple(key for key in open_keys if key not in coupled)

    @cached_property
    def passive(self) -> tuple[str, ...]:
        """Links that hang between two balls: each can spin about the line of its balls."""
        joints: dict[str, list[Edge]] = {name: [] for name in self.network.bodies}
        for edge in self.network.edges.values():
            for body in (edge.first, edge.second):
                if body in joints:
                    joints[body].append(edge)
        pivots = {name: [name in edge.pivots for edge in edges] for name, edges in joints.items()}
        tied = {body for tie in self.network.ties for body in tie.bodies}
        return tuple(name for name, found in pivots.items() if len(found) == 2 and all(found) and name not in tied)

    @cached_property
    def _preferred(self) -> list[Key]:
        """Coordinates that could be inputs: no spins, and not those that are inputs anyway."""
        taken = {*self._driven, *self._bound}
        keys = [
            (name, place)
            for name, joint in self.geometry.joints.items()
            for place, freedom in enumerate(joint.kind.freedoms(self.geometry.space))
            if freedom.kind != "spin" and (name, place) not in taken
        ]
        grounded = {name for name, edge in self.network.edges.items() if GROUND in (edge.first, edge.second)}
        sizes = {key: float(np.linalg.norm(self._moved(key))) for key in keys}
        most = max(sizes.values(), default=0.0) or 1.0
        moved = {key: round(size / most, DIGITS) for key, size in sizes.items()}
        return sorted(
            keys, key=lambda key: (key[0] not in self.drives.initial, key[0] not in grounded, -moved[key], key)
        )

    @cached_property
    def _reserved(self) -> frozenset[str]:
        """Joints whose coordinates are referred to."""
        names = {term.joint for coupled in self.geometry.couplings.values() for term in coupled.terms}
        names |= {joint for force in self.model.forces.values() for joint in force.joints}
        return frozenset(names | set(self.drives.initial))

    # -- how well they determine the motion ----------------------------------------------------------------------------

    @cached_property
    def _motions(self) -> Array:
        """Basis (size × n) of the motions that are left when driven and bound coordinates stand still."""
        k, parts = self.conditions.space.freedoms, [self._rates(key) for key in self._bound]
        entries = [(row, first, factors) for row, found in enumerate(parts) for first, factors in found]
        bound = LongRows.of_entries(
            (len(parts), self.conditions.size),
            np.repeat([row for row, _, _ in entries], k).astype(np.intp),
            np.array([first + i for _, first, _ in entries for i in range(k)], dtype=np.intp),
            np.array([factors for _, _, factors in entries]).ravel(),
        )
        return null_space(stacked([self._rows.all, bound]))

    def _rates(self, key: Key) -> list[tuple[int, Array]]:
        """Rates of a coordinate (angles, or lengths in units of the mechanism) as factors of δ̇ of each of its bodies, with
        the place in δ̇ where they begin."""
        edge = self.network.edges[key[0]]
        k = self.conditions.space.freedoms
        dual = np.linalg.pinv(edge.twists)[:, key[1]]
        return [
            (self._numbers[body] * k, sign * dual @ displacement_twist(self.conditions, self.poses[body]))
            for body, sign in ((edge.first, -1.0), (edge.second, 1.0))
            if body != GROUND
        ]

    def _moved(self, key: Key) -> Array:
        """Rates (n) of a coordinate in all motions."""
        parts = [factors @ self._motions[first : first + len(factors)] for first, factors in self._rates(key)]
        return np.asarray(sum(parts, np.zeros(self._motions.shape[1])))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {body: i for i, body in enumerate(self.conditions.bodies)}

    # -- parallelograms ------------------------------------------------------------------------------------------------

    def _with_parallelogram(self, block: Block) -> Block:
        """The dyad as a parallelogram, where its lengths are fixed numbers and say so; crossed it stays a dyad."""
        if block.family.name != "dyad RRR":
            return block
        joints = [passed_joint(block, name, self.geometry.joints.__getitem__) for name in block.joints]
        outer = [self._bodies_apart(joints[0], joints[1]), self._bodies_apart(joints[2], joints[1])]
        base = self._crank(*outer)
        if base is None or not all(_fixed(joint) for joint in (*joints, base)):
            return block
        o, a, b, c = (self._place(joint) for joint in (base, joints[0], joints[1], joints[2]))
        across = np.atleast_2d([a - o, b - a, c - b, o - c])
        crank, coupler, rocker, ground = np.linalg.norm(self._flat(across, base), axis=1)
        crossed = np.linalg.norm(across[0] + across[2]) > 1e-6 * crank
        if not is_parallelogram(crank, coupler, rocker, ground):
            return block
        return replace(block, family=block.family if crossed else PARALLELOGRAM, base=base.name)

    def _bodies_apart(self, joint: JointGeometry, inner: JointGeometry) -> str:
        """The body of an outer joint that is not part of the dyad."""
        return joint.parent if joint.child in (inner.parent, inner.child) else joint.child

    def _crank(self, first: str, second: str) -> JointGeometry | None:
        for joint in self.geometry.joints.values():
            if joint.kind.letter == "R" and {joint.parent, joint.child} == {first, second} and first != second:
                return joint
        return None

    def _place(self, joint: JointGeometry) -> Array:
        local = np.atleast_1d(self.geometry.number(joint.a.origin, self.p))
        return local if joint.parent == GROUND else self.poses[joint.parent].point(local)

    def _flat(self, vectors: Array, joint: JointGeometry) -> Array:
        """Vectors (n × d) seen along the axis of a joint."""
        if vectors.shape[1] == 2:
            return vectors
        axis = self.network.edges[joint.name].twists[0, :3]
        axis = axis / np.linalg.norm(axis)
        return vectors - np.outer(vectors @ axis, axis)


def _fits(plan: Plan, tree: frozenset[str]) -> bool:
    """Whether everything that a plan takes from the state stands there: tree joints of iterated blocks, one ball a link."""
    for block in plan.loops:
        inside = [name for name in block.joints if name in tree]
        if not block.family.closed and len(inside) != len(block.hubs) - 1:
            return False
        if any(spin.held not in tree for spin in block.spins):
            return False
    return True


def _is_simple(block: Block) -> bool:
    return len(block.family.branches) <= 2


def _fixed(joint: JointGeometry) -> bool:
    """Whether the place of a joint in its bodies does not depend on live parameters."""
    return all(ca.SX(part).is_constant() for frame in (joint.a, joint.b) for part in (frame.origin, frame.axes))


def _quality(rates: Sequence[Array]) -> float:
    """The smallest singular value of as many rates as there are."""
    return float(np.linalg.svd(np.array(rates), compute_uv=False)[-1])
