"""The report that ``print(analyse(model))`` gives."""

from __future__ import annotations

import numpy as np

from linkwork.elements.relations.connection import ConnectionRelation
from linkwork.errors import RefusedError
from linkwork.position.geometry import GROUND
from linkwork.position.opening import is_stretched
from linkwork.topology.as_drawn import springs_as_drawn
from linkwork.topology.doubts import doubts
from linkwork.topology.limits.declared_limits import starts_beyond
from linkwork.topology.limits.limits import find_limits
from linkwork.topology.limits.motion_limits import range_text
from linkwork.topology.loop_subgroups import count_freedoms, find_loop_subgroups
from linkwork.topology.mobility.singularity import Diagnosis, diagnose_position
from linkwork.topology.mobility.spins import spin_texts
from linkwork.topology.modes.block_branches import names_of
from linkwork.topology.plan.blocks import Block
from linkwork.topology.topology import Topology, many

EPS = float(np.finfo(float).eps)
DEEP = 20  # steps from the ground that are shown by the margin of a line; every line names both bodies
LARGE = 8  # bodies; to follow the motion of more takes longer than a reader waits


def page(topology: Topology) -> str:
    """Describe freedoms, loops, redundant constraints, drivers, the plan and its branches in a page of text."""
    parts = (_bodies, _freedoms, _tree, _loops, _meshes, _switches, _plan, _limits, _assembly, _springs, _remarks)
    return "\n".join([_gravity(topology), "", *(line for part in parts for line in part(topology))])


def _gravity(topology: Topology) -> str:
    gravity = topology.geometry.number(topology.geometry.gravity)
    return "gravity " + (f"[{', '.join(f'{component:g}' for component in gravity)}] m/s^2" if any(gravity) else "none")


def _bodies(topology: Topology) -> list[str]:
    """Mass, centre of mass and principal moments of the bodies that are built from parts."""
    built = [name for name, body in topology.model.bodies.items() if body.assembled]
    if not built:
        return []
    width = max(map(len, built))
    lines = ["Bodies built from parts"]
    for name in built:
        matter, value = topology.geometry.bodies[name].kind.drawn, topology.geometry.number
        centre = ", ".join(f"{component:.6g}" for component in value(matter.centre))
        moments = np.linalg.eigvalsh(np.atleast_2d(value(matter.inertia)))
        inertia = ", ".join(f"{moment:.6g}" for moment in moments)
        what = "moment of inertia" if len(moments) == 1 else "principal moments"
        mass = f"mass {float(value(matter.mass)):.6g} kg"
        lines.append(f"  {name:<{width}}  {mass}, centre of mass [{centre}] m, {what} {inertia} kg·m²")
    return [*lines, ""]


def _freedoms(topology: Topology) -> list[str]:
    mobility = topology.mobility
    lines = ["Degrees of freedom", f"  by count (Grübler): {mobility.by_count}"]
    by_subgroups = count_freedoms(topology)
    if by_subgroups is not None:
        conditions = find_loop_subgroups(topology)[0].conditions
        lines.append(
            f"  by the subgroup of the loop: {by_subgroups} ({by_subgroups + conditions} of the joints - {conditions})"
        )
    lines.append(f"  by rank at the assembled position: {mobility.by_rank}")
    own = topology.geometry.own_unknowns
    lines += [f"  of bodies for themselves: {len(own)} ({', '.join(own)})"] if own else []
    found = _diagnosed(topology)
    lines += _singular(topology, found)
    if mobility.nonholonomic:
        count = f"{many(mobility.nonholonomic, 'nonholonomic constraint')}: on velocities alone"
        lines.append(f"  of velocity: {mobility.by_rank - mobility.nonholonomic} ({count})")
    lines += _passive(topology)
    if topology.drives.names:
        names, left = ", ".join(topology.drives.names), f"{mobility.free}"
        left += f" of position, {mobility.free_velocities} of velocity" if mobility.nonholonomic else ""
        lines.append(f"  driven: {mobility.driven} ({names}); left to the dynamics: {left}")
    lines += _redundant(topology, found)
    lines += [f"  {text}" for text in doubts(topology.model, topology.geometry)]
    if mobility.unresisted:
        spinning = {*topology.geometry.slender, *(name for spin in topology.idle_spins for name in spin.bodies)}
        idle = [name for name in mobility.unresisted if name not in spinning]
        thin = [name for name in mobility.unresisted if name in spinning]
        if thin:
            lines.append(f"  slender, their spin stays as it is: {', '.join(thin)}")
        if idle:
            lines.append(f"  without inertia in a free motion: {', '.join(idle)} (no dynamics possible)")
    return [*lines, ""]


def _passive(topology: Topology) -> list[str]:
    """Spins that move nothing else, how many freedoms are left, and which of them the dynamics has to tell."""
    if not topology.passive:
        return []
    names, count = ", ".join(f"spin of {name}" for name in topology.passive), len(topology.passive)
    free = topology.mobility.by_rank
    counted = f"  of these passive: {names} ({count} of {free}; {free - count} left)"
    return [counted, *(f"  {text}" for text in spin_texts(topology.spins))]


def _diagnosed(topology: Topology) -> Diagnosis | None:
    """Whether the position is singular, and why; of a large mechanism ``diagnose`` tells it."""
    if not topology.loops or len(topology.model.bodies) > LARGE:
        return None
    return diagnose_position(topology.drives, topology.conditions, topology.assembly.poses, topology.geometry.defaults)


def _singular(topology: Topology, found: Diagnosis | None) -> list[str]:
    """That the position is singular."""
    if found is None:
        return []
    shaky = not found.singular and topology.mobility.by_rank > 0
    if shaky and is_stretched(topology.conditions, topology.geometry.defaults):
        return [
            "  this position is singular: a loop closes in one line and nowhere else, one of its sides is as long as all",
            "  others together; it is a structure, and velocities that its constraints admit here lead nowhere",
        ]
    if not found.singular:
        return []
    return [
        f"  this position is singular, {found}",
        "  draw the mechanism in another one: its degrees of freedom are those elsewhere",
    ]


def _redundant(topology: Topology, found: Diagnosis | None) -> list[str]:
    """Redundant constraints, and what they do: to a motion nothing, where they are redundant in every position."""
    mobility = topology.mobility
    if not mobility.redundant:
        return ["  no redundant constraints"]
    lines = [f"  {many(len(mobility.redundant), 'redundant constraint')}:"]
    lines += [f"    {label}" for label in mobility.redundant]
    if not topology.geometry.space.planar:
        lines.append("  (x, y, z are axes of the joint: z its own, x and y across it)")
    effect = "some reactions are not unique (their least-norm values are given)"
    if mobility.by_rank == 0:
        effect = f"nothing can move; {effect}"
    elif found is not None and found.freedoms > found.elsewhere:
        effect = f"of these in this position alone: {len(mobility.redundant) - found.redundant}; {effect}"
    elif found is not None and not is_stretched(topology.conditions, topology.geometry.defaults):
        effect = f"the motion is not affected; {effect}"
    return [*lines, f"  {effect}"]


def _tree(topology: Topology) -> list[str]:
    lines = ["Spanning tree"]
    depth = {GROUND: 0}
    for step in topology.tree.steps:
        depth[step.outboard] = depth[step.inboard] + 1
        how = (
            "free" if step.link is None else f"{step.link.name} ({topology.geometry.joints[step.link.name].kind.name})"
        )
        lines.append(f"  {'  ' * min(depth[step.inboard], DEEP)}{step.inboard} - {how} - {step.outboard}")
    if topology.cut_joints:
        lines.append("  cut: " + ", ".join(topology.cut_joints))
    return [*lines, ""]


def _loops(topology: Topology) -> list[str]:
    if not topology.loops:
        tied = ", ".join(f"{name} ({item.kind})" for name, item in topology.geometry.relations.items())
        return [f"No loops of joints; relations: {tied}" if tied else "No loops: an open mechanism", ""]
    lines = [many(len(topology.loops), "independent loop").capitalize()]
    most = topology.geometry.space.freedoms
    lost = [label.element for label in topology.mobility.redundant]
    for i, loop in enumerate(find_loop_subgroups(topology), start=1):
        # lengths and angles may make a loop movable that its subgroup alone does not
        left = min(loop.conditions, most - lost.count(loop.joints[0]))
        closing = f"{many(left, 'independent constraint')} of {most}"
        if left < loop.conditions:
            closing += f" by its dimensions ({loop.conditions} by the subgroup)"
        lines.append(f"  {i}: {' - '.join(loop.joints)}: {loop.subgroup}, {closing}")
    return [*lines, ""]


def _meshes(topology: Topology) -> list[str]:
    """What couples with backlash, and holds nothing for good."""
    meshes = topology.geometry.meshes
    if not meshes:
        return []
    plays = topology.model.to_dict()["couplings"]
    lines = [
        f"  {name} ({coupled.component}): {_told(plays[name]['backlash'])}" for name, (coupled, _) in meshes.items()
    ]
    return ["Couplings with backlash", *lines, ""]


def _told(backlash: object) -> str:
    if not isinstance(backlash, dict):
        backlash = {"gap": backlash}
    return ", ".join(f"{key} {value}" for key, value in backlash.items())


def _switches(topology: Topology) -> list[str]:
    """What closes and opens during a run, and what of it is closed at the start."""
    relations = topology.geometry.relations.items()
    joints = {name: item for name, item in relations if isinstance(item, ConnectionRelation)}
    if not joints:
        return []
    lines = ["Joints that close and open"]
    for name, item in joints.items():
        what = f"{item.joint.name}, {item.parent} - {item.child}"
        lines.append(f"  {name} ({what}): {'closed' if item.active else 'open'} at the start")
    return [*lines, *(f"  {name} {switch.told}" for name, switch in topology.model.switches.items()), ""]


def _plan(topology: Topology) -> list[str]:
    plan, name_of = topology.plan, topology.planner.name_of
    if not (plan.loops or topology.model.couplings):
        return []
    rolling = list(dict.fromkeys(label.element for label in topology.conditions.rate_labels))
    if rolling:
        reason = f"nonholonomic constraints ({', '.join(rolling)}) give no positions; all are integrated"
        return ["Plan", f"  none: {reason}", ""]
    if topology.geometry.heavy:
        heavy = ", ".join(topology.geometry.heavy)
        return ["Plan", f"  none: unknowns of relations have inertia ({heavy}) and are integrated, with all others", ""]
    groups = (("independent", plan.inputs), ("driven", plan.driven))
    inputs = [f"{title} {', '.join(map(name_of, keys))}" for title, keys in groups if keys]
    inputs += [f"moved by {', '.join(topology.conditions.timed)}"] if topology.conditions.timed else []
    lines = ["Plan", f"  inputs: {'; '.join(inputs) or 'none, nothing can move'}"]
    width = len(str(len(plan.blocks)))
    lines += [f"  {i:>{width}}: {_block(topology, block)}" for i, block in enumerate(plan.blocks, start=1)]
    return [*lines, ""]


def _block(topology: Topology, block: Block) -> str:
    unknowns = ", ".join(map(topology.planner.name_of, block.unknowns))
    match block.family.solver:
        case "known":
            return f"{block.name}: known"
        case "relation":
            return f"{block.name}: linear relation {', '.join(block.relations)}, gives {unknowns}"
        case "iteration":
            how = f"Newton's method on {many(len(block.unknowns), 'unknown')}"
            kind = f"relation {', '.join(block.ties)}" if block.ties else block.subgroup
            return f"{block.name}: {how} ({kind}), gives {unknowns}"
    used = topology.branches.get(block.name, "")
    names = [f"{name} (in use)" if name == used else name for name in names_of(block)]
    how = f"{block.family.name} ({block.subgroup})"
    if block.hung is not None:
        one, two = (body for body, _ in block.hung.seats)
        how += f" through {one} and {two} on the pin of {block.hung.joint}"
    return f"{block.name}: {how}, gives {unknowns}; branches: {', '.join(names)}"


def _limits(topology: Topology) -> list[str]:
    """How far the input of a mechanism with one freedom goes before its branch ends; of a large one, who tells it."""
    inputs = (*topology.plan.inputs, *topology.plan.driven)
    if not topology.loops or len(inputs) != 1 or topology.freedoms - len(topology.passive) != 1:
        return []
    name = topology.planner.name_of(inputs[0])
    if len(topology.model.bodies) > LARGE:
        return ["Motion", f"  {name}: find_limits follows it through all positions", ""]
    try:
        limits = find_limits(topology, name)
    except RefusedError:
        return []
    kind = "" if limits.kind is None else f"  {limits.kind.value}\n"
    return ["Motion", f"{kind}  {limits.input}: {range_text(limits[limits.input])}", ""]


def _assembly(topology: Topology) -> list[str]:
    assembly = topology.assembly
    kept = f"; given by initial: {', '.join(assembly.given)}" if assembly.given else ""
    kept += f"; kept from the sketch: {', '.join(assembly.kept)}" if assembly.kept else ""
    if not assembly.kept and topology.mobility.free > len(assembly.given) and topology.model.joints:
        kept += "; no coordinate could keep its sketched value: check that this is the position you mean"
    # no place is known better than the largest one is rounded
    known = max(assembly.residual, EPS * float(topology.geometry.length))
    closed = f"closed to {known:.1e} m" if topology.model.joints else "no joints to close"
    beyond = [f"  note: {item}" for item in starts_beyond(topology)]
    moved = f"points moved by at most {assembly.moved:.3g} m from the sketch"
    notes = [f"  {note}" for note in assembly.notes]
    return ["Assembly", f"  {closed}; {moved}{kept}", *notes, *beyond]


def _springs(topology: Topology) -> list[str]:
    return [f"  {line}" for line in springs_as_drawn(topology, topology.geometry.defaults)]


def _remarks(topology: Topology) -> list[str]:
    """What is declared and does not act, or on something that may not be meant."""
    return [f"  note: {remark}" for remark in topology.remarks]
