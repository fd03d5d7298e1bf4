"""The branches that a model asks for by name: which blocks are meant, and the position in which they are assembled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from linkwork.errors import AssemblyError, Fault, ModelError, did_you_mean
from linkwork.model import Model
from linkwork.position.geometry import Pose
from linkwork.topology.modes.block_branches import called_of, names_of
from linkwork.topology.modes.modes import branches_in_use, find_mode, find_modes
from linkwork.topology.modes.situation import Situation
from linkwork.topology.plan.blocks import Block, Plan

LOOKED_AT = 200  # modes whose branches an error lists


def read_branches(model: Model, plan: Plan) -> dict[int, str]:
    """The wanted branches by the places of their blocks in the plan; a ModelError names all that do not fit."""
    wanted: dict[int, str] = {}
    faults: list[Fault] = []
    for key, branch in model.branches.items():
        place = _find_block(plan, key)
        fault = _fault(plan, place, key, branch)
        if fault is None and place in wanted:
            fault = Fault(f"branches.{key}", f"the branch of {plan.blocks[place].name} is chosen already", "keep one")
        if fault is not None:
            faults.append(fault)
        elif place is not None:
            wanted[place] = branch
    if faults:
        raise ModelError(faults, model.name or "model")
    return wanted


def _find_block(plan: Plan, key: str) -> int | None:
    """The place of the block that has this name, or that the joint of this name is part of."""
    for place, block in enumerate(plan.blocks):
        if block.cuts and (block.name == key or key in block.joints):
            return place
    return None


def _fault(plan: Plan, place: int | None, key: str, branch: str) -> Fault | None:
    path = f"branches.{key}"
    if place is None:
        reason = f"no block of the plan has this name or this joint; {_all_blocks(plan)}"
        return Fault(path, reason, did_you_mean(key, [block.name for block in plan.loops]))
    block = plan.blocks[place]
    if not block.family.closed:
        reason = f"{block.name} is solved by iteration, its branches have no names; {_all_blocks(plan)}"
        return Fault(path, reason, "draw the sketch near the assembly that is meant")
    if branch not in called_of(block):
        reason = f"'{branch}' is no branch of {block.name}; {_all_blocks(plan)}"
        return Fault(path, reason, did_you_mean(branch, names_of(block)))
    return None


def _all_blocks(plan: Plan) -> str:
    """All blocks with their branches, in words."""
    found = [f"{block.name} ({', '.join(names_of(block)) or 'by iteration'})" for block in plan.loops]
    return f"blocks and branches: {'; '.join(found)}" if found else "there are no loops"


def place_in_branches(model: Model, situation: Situation) -> Mapping[str, Pose]:
    """The poses with the branches of the model, the inputs where the situation has them, all else as near as can be."""
    wanted = read_branches(model, situation.plan)
    mode = find_mode(situation, wanted)
    if mode is not None:
        return mode.poses
    raise AssemblyError(_unreal_message(situation, wanted))


def _unreal_message(situation: Situation, wanted: Mapping[int, str]) -> str:
    blocks, real = situation.plan.blocks, _real_names(situation, list(wanted))
    listed = "; ".join(f"{blocks[place].name} ({', '.join(names)})" for place, names in real.items())
    asked = ", ".join(f"branches.{blocks[place].name}: {name}" for place, name in wanted.items())
    kind = "branch is" if len(wanted) == 1 else "branches are together"
    return (
        f"{asked}: the {kind} not real with the inputs where they are; real there: {listed}. Choose another branch, or "
        "change the position of the inputs or the lengths"
    )


def _real_names(situation: Situation, places: Sequence[int]) -> dict[int, list[str]]:
    """The names of the branches of blocks that occur in any mode."""
    found: dict[int, list[str]] = {place: [] for place in places}
    for mode in islice(find_modes(situation), LOOKED_AT):
        for place in places:
            name = mode.branches[situation.plan.blocks[place].name]
            found[place] += [] if name in found[place] else [name]
    return found


def check_branches(model: Model, situation: Situation) -> None:
    """Refuse an assembly that has left the branches of the model."""
    used = branches_in_use(situation)
    for place, branch in read_branches(model, situation.plan).items():
        block: Block = situation.plan.blocks[place]
        if place not in used or branch not in used[place].called:
            name = used[place].name if place in used else "another branch"
            raise AssemblyError(
                f"branches.{block.name}: {branch}: with the values that drivers and initial ask for, the mechanism comes "
                f"out in '{name}'; ask for the values of the inputs only, or for values that this branch can reach"
            )
