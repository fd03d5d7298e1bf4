"""``assembly_modes(model)``: all positions in which a mechanism can be assembled with its inputs held."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import degrees

from linkwork.algebra.given import Parameters
from linkwork.analysis.walk.subject import Noun, topology_of
from linkwork.arguments import verb_with
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.progress import told
from linkwork.results.assembly_modes import AssemblyModes
from linkwork.results.sketch import draw
from linkwork.topology import Topology
from linkwork.topology.analyse import refuse_loose_modes, situate
from linkwork.topology.assembly_mode import AssemblyMode
from linkwork.topology.modes.modes import distinct_modes, find_modes, mark_mode_in_use
from linkwork.topology.modes.situation import Situation
from linkwork.topology.plan.blocks import Key
from linkwork.topology.solution.solve import joint_named


@verb_with("inputs are held where the model stands: assembly_modes(assemble(model, {...}))")
@told("looking for assembly modes")
def assembly_modes(
    model: Noun,
    *,
    parameters: Parameters | None = None,
    bodies: str | Sequence[str] | None = None,
    max_modes: int = 200,
    tries: int = 0,
) -> AssemblyModes:
    """Find all assembly modes with the driven and independent coordinates of the plan held where they are assembled.

    parameters: values of live parameters; bodies: those by whose places modes are told apart, such as 'platform' of one
    on legs that may be turned over; all by default; max_modes: the number of modes after which no more are looked for.
    Blocks with a closed form give all their real branches; the assemblies of a block that needs iteration, also of one that
    relations between bodies or drivers of points and bodies close, are those that Newton's method finds from many starts:
    as many as it takes until nothing new turns up, and at least *tries*.
    A link between two balls keeps its spin, a screw its turn. Every mode can be given to a verb in place of a model;
    ``mode.coordinates`` are those of its joints, ``mode.model`` is a model that starts there.
    """
    if tries < 0:
        raise RefusedError(f"tries = {tries}: give a number such as 5000, or leave it out")
    topology = topology_of(model, "assembly_modes")
    refuse_loose_modes(topology)
    p = topology.parameters(topology.model.in_si(parameters))
    situation = situate(topology, p)
    situation.starts, situation.told = tries, _told_by(topology, bodies)
    found = list(islice(distinct_modes(situation, find_modes(situation)), max_modes + 1))
    return AssemblyModes(
        name=topology.model.name or "the mechanism",
        inputs=_inputs(topology, situation),
        blocks=tuple(block.name for block in situation.plan.loops),
        modes=tuple(AssemblyMode(mode, topology, p) for mode in mark_mode_in_use(situation, found[:max_modes])),
        complete=situation.plan.closed and len(found) <= max_modes,
        drawing=draw(topology, p),
        notes=topology.remarks,
        bodies=situation.told,
    )


def _told_by(topology: Topology, bodies: str | Sequence[str] | None) -> tuple[str, ...]:
    """The bodies that tell modes apart; none: all."""
    known, model = list(topology.geometry.bodies), topology.model
    names = [model.named(name) for name in ([bodies] if isinstance(bodies, str) else bodies or ())]
    for name in names:
        if name not in known:
            raise UnknownNameError(f"'{name}' is no body; {did_you_mean(name, known)}")
    return tuple(names)


def _inputs(topology: Topology, situation: Situation) -> dict[str, str]:
    """The inputs of the plan with their values; attitudes, which are no numbers, are left out."""
    keys = (*situation.plan.inputs, *situation.plan.driven)
    texts = {topology.planner.name_of(key): _text(situation, key) for key in keys}
    return {name: text for name, text in texts.items() if text is not None}


def _text(situation: Situation, key: Key) -> str | None:
    name, place = key
    freedom = joint_named(situation.geometry, situation.network, name).kind.freedoms(situation.space)[place]
    if freedom.kind == "spin":
        return None
    value = float(situation.given.positions[name][place])
    # adding zero takes the sign off a zero
    return f"{round(degrees(value), 4) + 0.0:g} deg" if freedom.kind == "angle" else f"{round(value, 9) + 0.0:g} m"
