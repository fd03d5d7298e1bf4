"""``assembly_modes(model)``: all positions in which a mechanism can be assembled with its inputs held."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from math import degrees

from linkwork.algebra.units import si
from linkwork.analysis.sketch import draw
from linkwork.errors import RefusedError
from linkwork.model import Model
from linkwork.results.assembly_modes import AssemblyModes
from linkwork.topology import Topology, analyse
from linkwork.topology.analyse import situate
from linkwork.topology.blocks import Key
from linkwork.topology.mode_search import NAME, isolated, search_modes
from linkwork.topology.modes import find_modes, mark_mode_in_use
from linkwork.topology.situation import Situation
from linkwork.topology.solution.solve import joint_named


def assembly_modes(
    mechanism: Model | Topology, *, parameters: Mapping[str, float | str] | None = None, most: int = 200
) -> AssemblyModes:
    """Find all assembly modes with the driven and independent coordinates of the plan held where they are assembled.

    parameters: values of live parameters; most: the number of modes after which no more are looked for.
    Blocks with a closed form give all their real branches; the assemblies of a block that needs iteration are those
    that Newton's method finds from many starts, as are those of mechanisms with relations between bodies, such as struts.
    A link between two balls keeps its spin, a screw its turn.
    """
    topology = analyse(mechanism) if isinstance(mechanism, Model) else mechanism
    p = topology.parameters({name: si(value, "any") for name, value in (parameters or {}).items()})
    situation = situate(topology, p)
    searched = bool(topology.geometry.relations)
    if searched and not isolated(situation):
        names = ", ".join(topology.geometry.relations)
        raise RefusedError(
            f"the modes of a mechanism with relations between bodies ({names}) are searched for with all of it held: give "
            "drivers to what can move, or find another position without a dead centre"
        )
    found = search_modes(situation, most) if searched else list(islice(find_modes(situation), most + 1))
    return AssemblyModes(
        name=topology.model.name or "the mechanism",
        inputs=_inputs(topology, situation),
        blocks=(NAME,) if searched else tuple(block.name for block in situation.plan.loops),
        modes=tuple(mark_mode_in_use(situation, found[:most])),
        complete=not searched and situation.plan.closed and len(found) <= most,
        drawing=draw(topology, p),
    )


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
