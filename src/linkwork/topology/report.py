"""The report that ``print(analyse(model))`` gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwork.topology.geometry import GROUND

if TYPE_CHECKING:
    from linkwork.topology.topology import Topology


def write_report(topology: Topology) -> str:
    """Describe freedoms, loops, redundant conditions, drivers and branches in a page of text."""
    lines = [*_head(topology), *_freedoms(topology), *_tree(topology), *_loops(topology), *_assembly(topology)]
    return "\n".join(lines)


def _head(topology: Topology) -> list[str]:
    model = topology.model
    title = model.name or "mechanism"
    counts = [_many(len(model.bodies), "moving body", "moving bodies"), _many(len(model.joints), "joint")]
    counts += [_many(len(model.drivers), "driver")] if model.drivers else []
    counts += [_many(len(model.forces), "force element")] if model.forces else []
    gravity = topology.geometry.number(topology.geometry.gravity)
    field = "[" + ", ".join(f"{component:g}" for component in gravity) + "] m/s^2" if any(gravity) else "none"
    return [f"{title} ({model.space}): {', '.join(counts)}; gravity {field}", ""]


def _freedoms(topology: Topology) -> list[str]:
    mobility = topology.mobility
    lines = ["Freedoms", f"  by count (Grübler): {mobility.by_count}"]
    lines.append(f"  by rank at the assembled position: {mobility.by_rank}")
    if topology.model.drivers:
        names = ", ".join(topology.model.drivers)
        lines.append(f"  driven: {mobility.driven} ({names}); left to the dynamics: {mobility.free}")
    if mobility.redundant:
        lines.append(f"  {_many(len(mobility.redundant), 'redundant condition')}:")
        lines += [f"    {label}" for label in mobility.redundant]
        lines.append("  the motion is not affected; some reactions are not unique (their least-norm values are given)")
    else:
        lines.append("  no redundant conditions")
    if mobility.unresisted:
        lines.append(f"  without inertia in a free motion: {', '.join(mobility.unresisted)} (no dynamics possible)")
    return [*lines, ""]


def _tree(topology: Topology) -> list[str]:
    lines = ["Spanning tree"]
    depth = {GROUND: 0}
    for step in topology.tree.steps:
        depth[step.outboard] = depth[step.inboard] + 1
        how = (
            "free" if step.link is None else f"{step.link.name} ({topology.geometry.joints[step.link.name].kind.name})"
        )
        lines.append(f"  {'  ' * depth[step.inboard]}{step.inboard} - {how} - {step.outboard}")
    if topology.cut_joints:
        lines.append("  cut: " + ", ".join(topology.cut_joints))
    return [*lines, ""]


def _loops(topology: Topology) -> list[str]:
    if not topology.loops:
        return ["No loops: an open mechanism", ""]
    lines = [_many(len(topology.loops), "independent loop").capitalize()]
    for i, (joints, branch) in enumerate(zip(topology.loops, topology.branches, strict=True), start=1):
        known = f"; {branch.count} branches" if branch.count else ""
        lines.append(f"  {i}: {' - '.join(joints)}")
        lines.append(f"     branch: {branch.name} ({branch.meaning}){known}")
    return [*lines, ""]


def _assembly(topology: Topology) -> list[str]:
    assembly = topology.assembly
    kept = f"; kept from the sketch: {', '.join(assembly.kept)}" if assembly.kept else ""
    if not assembly.kept and topology.mobility.free > 0 and topology.model.joints:
        kept = "; no coordinate could keep its sketched value: check that this is the position you mean"
    closed = f"closed to {assembly.residual:.1e} m" if topology.model.joints else "no joints to close"
    return ["Assembly", f"  {closed}; points moved by at most {assembly.moved:.3g} m from the sketch{kept}"]


def _many(count: int, one: str, several: str | None = None) -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"
