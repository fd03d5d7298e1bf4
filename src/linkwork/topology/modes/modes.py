"""Assembly modes: all positions of a mechanism with its inputs held, block by block through its plan.

Every block has finitely many branches once those before it are decided; the modes are the leaves of this tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from linkwork.errors import AssemblyError
from linkwork.numerics.policy import POLICY
from linkwork.outline import outlined
from linkwork.position.assembly import Target, check_bounds, close_joints
from linkwork.position.geometry import Pose
from linkwork.position.poses import wrap
from linkwork.topology.modes.block_branches import (
    FoundBranch,
    branch_there,
    nearest_branch,
    nearest_first,
    real_branches,
)
from linkwork.topology.modes.situation import Situation
from linkwork.topology.plan.blocks import Block
from linkwork.topology.solution.solve import PartialSolution

SAME = 1e-6  # distance (of the size of the mechanism, or of axes) of positions that are one
IN_USE = 1e-4  # distance (of the size of the mechanism, rad) within which the mode in use is looked for


Way = Mapping[int, FoundBranch]
"""The branches that have been taken, by the places of their blocks."""


@outlined
@dataclass(frozen=True, eq=False)
class FoundMode:
    """One position of a mechanism with its inputs held.

    branches: of every block with a closed form, by its name, the name of the branch
    found: of every block that is solved by iteration, by its name, the number of the assembly that a search has found
    poses: of all bodies; residual: the largest opening of a joint, of the size of the mechanism or rad
    dead_centres: blocks in which another branch meets this one
    in_use: whether this is how the mechanism is assembled
    """

    branches: Mapping[str, str]
    found: Mapping[str, str]
    poses: Mapping[str, Pose]
    residual: float
    dead_centres: tuple[str, ...] = ()
    in_use: bool = False

    @property
    def name(self) -> str:
        """The names of the branches, then the numbers, in the order of the plan; without any loop 'the only one'."""
        return ", ".join([*self.branches.values(), *self.found.values()]) or "the only one"


def find_modes(situation: Situation) -> Iterator[FoundMode]:
    """All modes in the order of the branches; the one in use is not marked yet."""
    for way, solution in _walk(situation, situation.begin(), {}):
        mode = _verified(situation, way, solution)
        if mode is not None:
            yield mode


def distinct_modes(situation: Situation, modes: Iterator[FoundMode]) -> Iterator[FoundMode]:
    """The modes without those that differ from one before by passive spins alone, or by bodies that tell none apart."""
    passive, found = set(situation.plan.passive), list[FoundMode]()
    shown = [name for name in situation.told or situation.geometry.bodies if name not in passive]
    for mode in modes:
        if not any(_is_same(situation, mode, other, shown) for other in found):
            found.append(mode)
            yield mode


def _is_same(situation: Situation, one: FoundMode, other: FoundMode, bodies: list[str]) -> bool:
    """Whether all these bodies stand alike."""
    pairs = [(one.poses[name], other.poses[name]) for name in bodies]
    return all(
        float(np.max(np.abs(a.origin - b.origin), initial=0.0)) <= SAME * situation.length
        and float(np.max(np.abs(a.axes - b.axes), initial=0.0)) <= SAME
        for a, b in pairs
    )


def mark_mode_in_use(situation: Situation, modes: list[FoundMode]) -> list[FoundMode]:
    """The modes with the one marked that is nearest to the poses of the situation."""
    distances = [situation.distance(mode.poses) for mode in modes]
    if not modes or min(distances) > IN_USE:
        return modes
    used = int(np.argmin(distances))
    return [replace(mode, in_use=i == used) for i, mode in enumerate(modes)]


def find_mode(situation: Situation, wanted: Mapping[int, str]) -> FoundMode | None:
    """The mode with the *wanted* branches, by the places of their blocks, and the others as near as can be."""
    for way, solution in _walk(situation, situation.begin(), {}, wanted):
        mode = _verified(situation, way, solution)
        if mode is not None:
            return mode
    return None


def branches_in_use(situation: Situation) -> dict[int, FoundBranch]:
    """Of every closed form of the plan, by its place, the branch that the situation is in, and all that it is called."""
    return _in_use(situation, nearest_branch)


def names_in_use(situation: Situation) -> dict[int, str]:
    """Their names alone, for which no other branches are looked at where one is there."""
    return {place: branch.name for place, branch in _in_use(situation, branch_there).items()}


def _in_use(
    situation: Situation, choose: Callable[[Situation, PartialSolution, int, Block], FoundBranch | None]
) -> dict[int, FoundBranch]:
    found: dict[int, FoundBranch] = {}
    solution = situation.begin()
    for place, block in enumerate(situation.plan.blocks):
        if not block.cuts or not block.family.closed:
            solution.take(place, block)
            continue
        branch = choose(situation, solution, place, block)
        if branch is None:
            return found
        found[place], solution = branch, branch.solution
    return found


def _walk(
    situation: Situation, solution: PartialSolution, way: Way, wanted: Mapping[int, str] | None = None
) -> Iterator[tuple[Way, PartialSolution]]:
    """All ways through the plan from here on; with *wanted* branches only those, the nearest of the others first."""
    place = len(way)
    if place == len(situation.plan.blocks):
        yield way, solution
        return
    block = situation.plan.blocks[place]
    found = real_branches(situation, solution, place, block)
    if wanted is not None and block.cuts:
        called = [item for item in found if place not in wanted or wanted[place] in item.called]
        found = nearest_first(situation, block, called)
    for item in found:
        yield from _walk(situation, item.solution, {**way, place: item}, wanted)


def _verified(situation: Situation, way: Way, solution: PartialSolution) -> FoundMode | None:
    """The mode at the end of a walk with its last digits put right; None where a joint stays open."""
    frames = solution.clusters[solution.home[situation.network.ground]]
    poses = situation.poses_of(frames) | _own_unknowns(situation, solution)
    if opening_of(situation, poses) > POLICY.exact:
        closed, worst, _ = close_joints(situation.conditions, situation.p, poses, held_inputs(situation))
        poses = closed if worst is None else poses
    opening = opening_of(situation, poses)
    if not opening < POLICY.closed or not _within_bounds(situation, poses):
        return None
    blocks = enumerate(situation.plan.blocks)
    loops = {block.name: (block, way[place]) for place, block in blocks if block in situation.plan.loops}
    return FoundMode(
        branches={name: branch.name for name, (block, branch) in loops.items() if block.family.closed},
        found={name: branch.name for name, (block, branch) in loops.items() if not block.family.closed},
        poses=poses,
        residual=opening,
        dead_centres=tuple(name for name, (_, branch) in loops.items() if branch.dead_centre),
    )


def _own_unknowns(situation: Situation, solution: PartialSolution) -> dict[str, Pose]:
    """The unknowns of relations at the end of a walk."""
    return {
        name: Pose(np.array([float(solution.known[name, i]) for i in range(len(unknowns))]), np.zeros((0, 0)))
        for name, unknowns in situation.conditions.own.items()
    }


def _within_bounds(situation: Situation, poses: Mapping[str, Pose]) -> bool:
    """Whether no relation has come to its end."""
    try:
        check_bounds(situation.conditions, poses, situation.p)
    except AssemblyError:
        return False
    return True


def opening_of(situation: Situation, poses: Mapping[str, Pose]) -> float:
    """The largest residual of all conditions, and of all joints as they must be closed."""
    residual = situation.conditions.residuals_at(poses, situation.p)
    residual = np.where(np.abs(residual) > np.pi, wrap(residual), residual)
    return max(float(np.max(np.abs(residual), initial=0.0)), situation.opening(poses))


def held_inputs(situation: Situation) -> list[Target]:
    """The inputs of the plan, to be held where they are."""
    conditions, found = situation.conditions, []
    values = conditions.readings_at(situation.poses, situation.p)
    for name, place in (*situation.plan.inputs, *situation.plan.driven):
        joint = situation.geometry.joints.get(name)
        if joint is not None and joint.kind.freedoms(situation.space)[place].kind != "spin":
            reading = conditions.index(name, joint.kind.freedoms(situation.space)[place].name)
            found.append(Target(reading, float(values[reading]), "the inputs"))
    return found
