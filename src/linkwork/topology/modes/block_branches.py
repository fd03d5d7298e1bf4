"""All real branches of one block, from a given state of the walk through a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from linkwork.algebra.rotations import retract_quaternion
from linkwork.algebra.space import numbers
from linkwork.topology.modes.block_search import search_block
from linkwork.topology.modes.situation import Situation
from linkwork.topology.plan.blocks import Array, Block
from linkwork.topology.plan.families import DYADS, PARALLELOGRAM
from linkwork.topology.solution.solve import Branches, Given, PartialSolution

REAL = -1e-9  # validity below which a branch is not real; between that and nought it may be, but for rounding errors
SAME = 1e-6  # distance (of the size of the mechanism, rad) below which two branches are one
UNCROSSED, CROSSED = "uncrossed", "crossed"


@dataclass(frozen=True, eq=False)
class FoundBranch:
    """A real branch: its name, the names by which it may be called, and the walk in which its block is solved.

    In a dead centre another branch meets it.
    """

    name: str
    called: tuple[str, ...]
    solution: PartialSolution
    dead_centre: bool = False


def names_of(block: Block) -> tuple[str, ...]:
    """The names of the branches of a block; none where it is solved by iteration."""
    return (UNCROSSED, CROSSED) if block.base else block.family.branches


def called_of(block: Block) -> tuple[str, ...]:
    """All names by which a branch of the block may be called."""
    return (*names_of(block), *DYADS["RRR"].branches) if block.base else block.family.branches


def real_branches(situation: Situation, solution: PartialSolution, place: int, block: Block) -> list[FoundBranch]:
    """The real branches of a block; two that coincide, as in a dead centre, are one."""
    match block.family.solver:
        case "known" | "relation":
            ahead = solution.fork(solution.choice)
            ahead.take(place, block)
            return [FoundBranch("", (), ahead)]
        case "iteration":
            found = sorted(search_block(situation, solution, place, block), key=lambda s: _gap(situation, s[0], block))
            return [FoundBranch(str(i), (str(i),), ahead, dead) for i, (ahead, dead) in enumerate(found, start=1)]
    if block.base:
        return _merged(situation, block, _parallelogram(situation, solution, place, block))
    return _merged(situation, block, list(_closed(solution, place, block)))


def nearest_branch(situation: Situation, solution: PartialSolution, place: int, block: Block) -> FoundBranch | None:
    """The branch of a closed form that is nearest to the situation; None where none is real."""
    return next(iter(nearest_first(situation, block, real_branches(situation, solution, place, block))), None)


def branch_there(situation: Situation, solution: PartialSolution, place: int, block: Block) -> FoundBranch | None:
    """The same, without what others that meet it are called: one that is there needs no other beside it."""
    for item in _one_by_one(solution, place, block):
        if _gap(situation, item.solution, block) < SAME / 2:
            return item
    return nearest_branch(situation, solution, place, block)


def _one_by_one(solution: PartialSolution, place: int, block: Block) -> Iterator[FoundBranch]:
    """The branches of a block, as they come; of a parallelogram the first alone."""
    if block.base:
        yield FoundBranch(UNCROSSED, (UNCROSSED,), _uncrossed(solution, place, block))
    else:
        yield from _closed(solution, place, block)


def nearest_first(situation: Situation, block: Block, found: Sequence[FoundBranch]) -> list[FoundBranch]:
    """Branches of a block, those first in which its clusters are nearest to where the situation has them."""
    return sorted(found, key=lambda item: _gap(situation, item.solution, block))


def _closed(solution: PartialSolution, place: int, block: Block) -> Iterator[FoundBranch]:
    for number, name in enumerate(block.family.branches):
        for given in _attitudes(solution, block):
            ahead = solution.fork(Branches({place: number}), given)
            ahead.take(place, block)
            ahead.given = solution.given
            if _is_finite(ahead, block):
                break
        if _is_finite(ahead, block) and float(ahead.valid[place]) >= REAL:
            yield FoundBranch(name, (name,), ahead)


def _attitudes(solution: PartialSolution, block: Block) -> Iterator[Given]:
    """What is given; of a link between two balls also with other attitudes, since none turns it round without a choice."""
    yield solution.given
    if block.family.solver != "distance":
        return
    for name in block.joints:
        if solution.joint(name).kind.letter == "G" and name not in block.cuts:
            for axis in ca.horzsplit(ca.SX.eye(3)):
                # by a quarter of a turn
                turned = retract_quaternion(solution.given.positions[name], 2 * axis)
                yield Given({**solution.given.positions, name: turned}, solution.given.relations)


def _is_finite(ahead: PartialSolution, block: Block) -> bool:
    return all(bool(np.all(np.isfinite(part))) for placed in _places(ahead, block) for part in placed)


def _parallelogram(situation: Situation, solution: PartialSolution, place: int, block: Block) -> list[FoundBranch]:
    """Its uncrossed branch is regular everywhere; the crossed one is that of the dyad which is farther from it."""
    uncrossed = _uncrossed(solution, place, block)
    as_dyad = replace(block, family=DYADS["RRR"], base="")
    sides = sorted(
        _closed(solution, place, as_dyad),
        key=lambda side: _distance(situation, _places(side.solution, block), _places(uncrossed, block)),
    )
    if not sides:
        return [FoundBranch(UNCROSSED, (UNCROSSED,), uncrossed)]
    near, far = sides[0], sides[-1]
    return [
        FoundBranch(UNCROSSED, (UNCROSSED, *near.called), uncrossed),
        FoundBranch(CROSSED, (CROSSED, *far.called), far.solution),
    ]


def _uncrossed(solution: PartialSolution, place: int, block: Block) -> PartialSolution:
    ahead = solution.fork(Branches({}))
    ahead.take(place, replace(block, family=PARALLELOGRAM))
    return ahead


def _merged(situation: Situation, block: Block, found: Sequence[FoundBranch]) -> list[FoundBranch]:
    kept: list[FoundBranch] = []
    for item in found:
        places = _places(item.solution, block)
        for i, other in enumerate(kept):
            if _distance(situation, places, _places(other.solution, block)) < SAME:
                called = (*other.called, *item.called)
                kept[i] = FoundBranch(other.name, called, other.solution, dead_centre=True)
                break
        else:
            kept.append(item)
    return kept


def _gap(situation: Situation, solution: PartialSolution, block: Block) -> float:
    """How far the clusters of a block are from where the situation has them, seen from the first."""
    back = situation.frames[block.hubs[0]].inverse()
    wanted = [back @ situation.frames[body] for body in block.hubs[1:]]
    return _distance(
        situation,
        _places(solution, block),
        [(numbers(frame.origin).ravel(), numbers(frame.axes)) for frame in wanted],
    )


def _places(solution: PartialSolution, block: Block) -> list[tuple[Array, Array]]:
    """Origin and axes of the clusters of a block but the first, seen from the first."""
    frames = solution.clusters[solution.home[block.hubs[0]]]
    back = frames[block.hubs[0]].inverse()
    seen = [back @ frames[body] for body in block.hubs[1:]]
    return [(numbers(frame.origin).ravel(), numbers(frame.axes)) for frame in seen]


def _distance(
    situation: Situation, first: Sequence[tuple[Array, Array]], second: Sequence[tuple[Array, Array]]
) -> float:
    gaps = [
        max(float(np.max(np.abs(o1 - o2))) / situation.length, float(np.max(np.abs(a1 - a2))))
        for (o1, a1), (o2, a2) in zip(first, second, strict=True)
    ]
    return max(gaps, default=0.0)
