"""The momentum of a mechanism that nothing outside acts on but its weight.

With the masses m, the centres of mass r and the inertias I of all bodies, and c their common centre,

    p = Σ m ṙ = p₀ + m g t,    H = Σ (m (r − c) × (ṙ − ċ) + I ω) = H₀.
"""

from __future__ import annotations

import casadi as ca

from linkwork.analysis.audit.measures import Measures
from linkwork.analysis.prepared.memo import of_noun
from linkwork.coordinates.bodies_together import BodiesTogether, all_spins, untold
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.naming import massive_groups
from linkwork.position.geometry import GROUND
from linkwork.results.audit import largest

# of the momentum times the size: a smaller moment of momentum is rounding, as of what falls without turning
BLUR = 1e-6
PARTS = (
    0.1  # of the moment of momentum over the size: the momentum of parts of a body that turns without going anywhere
)
NOTHING = 1e-9  # of the largest force or moment of any element: what its loads may add up to


def momentum_change(measures: Measures) -> tuple[float, str] | None:
    """The largest change of p or H over their sizes, and which; None where something outside acts."""
    if not of_noun(measures.c, "floats", None, lambda: _floats(measures.c)):
        return None
    p, h, sizes, spins, forces, moments, all_loads = measures.at(_momenta_and_loads)
    pushed = NOTHING * largest(all_loads)
    if largest(forces) > pushed or largest(moments) > pushed:
        return None
    t = measures.trajectory.t[measures.picked][:, None]
    fallen = measures.sizes.mass * measures.sizes.fall * (t - t[0])
    moved, turned = largest(sizes) + largest(fallen), largest(spins)
    changes = {
        "the momentum": largest(p - p[0] - fallen) / (moved + PARTS * turned / measures.length or 1.0),
        "the moment of momentum": largest(h - h[0]) / (turned + BLUR * moved * measures.length or 1.0),
    }
    worst = max(changes, key=lambda name: changes[name])
    return changes[worst], worst


def _floats(c: Coordinates) -> bool:
    """Whether no joint, relation, coupling, driver or contact holds a body to the ground, that itself is at rest, and no
    impulse is given."""
    model, geometry = c.topology.model, c.geometry
    joined = any(GROUND in (joint.parent, joint.child) for joint in geometry.joints.values())
    others = (
        geometry.relations or geometry.couplings or geometry.meshes or c.topology.drives.names or model.base is not None
    )
    return (
        bool(massive_groups(c.topology).get(""))
        and not joined
        and not others
        and not any(load.body == GROUND for item in c.limits for load in item.unit)
        and not untold(c.geometry, c.loading.actions)
        and not c.strikes
    )


def _momenta_and_loads(c: Coordinates, _vdot: ca.SX) -> list[ca.SX]:
    return [*_momenta(c), *_loads(c)]


def _momenta(c: Coordinates) -> tuple[ca.SX, ca.SX, ca.SX, ca.SX]:
    """p and H, and the sizes of their parts."""
    every = BodiesTogether(c.motion, tuple(c.geometry.bodies), all_spins(c.loading.actions))
    size = sum((ca.norm_2(body.linear) for body in every.bodies), ca.SX(0))
    return every.linear, every.about_centre, size, sum((ca.norm_2(part) for part in every.parts), ca.SX(0))


def _loads(c: Coordinates) -> tuple[ca.SX, ca.SX, ca.SX]:
    """All loads of force elements on bodies, together and about the origin, and the sizes of each.

    What parts that turn inside bodies do to these is no load from outside: their momenta are counted.
    """
    space = c.space
    force, moment, sizes = ca.SX(space.dimension, 1), ca.SX(space.rotations, 1), [ca.SX(1, 1)]
    for action in (action for action in c.loading.actions.values() if not action.spins):
        for load in action.loads:
            if load.body != GROUND:
                turned = load.moment + space.moment(load.at, load.force)
                force, moment = force + load.force, moment + turned
                sizes += [ca.norm_1(load.force), ca.norm_1(turned)]
    return force, moment, ca.vertcat(*sizes)
