"""Names of momenta and inertia: ``momentum.x``, ``upper_body.angular_momentum.z``, ``inertia.zz``, ``mass.total``.

Of the whole mechanism without a prefix, of groups and bodies with their names. ``angular_momentum.z`` is about the origin,
``angular_momentum.P.z`` about the point P as it is now, ``angular_momentum.centre_of_mass.z`` about the centre of mass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import casadi as ca

from linkwork.coordinates.bodies_together import BodiesTogether, all_spins, untold
from linkwork.coordinates.coordinates import Coordinates
from linkwork.coordinates.naming import Entry, massive_groups, whose
from linkwork.errors import RefusedError
from linkwork.model.quantities import ANGULAR, CENTRE, INERTIA, MASS, MOMENTUM

Named = Iterator[tuple[str, Entry]]


def momentum_entries(c: Coordinates) -> dict[str, Entry]:
    """Momenta of the mechanism, of its groups and bodies; mass and inertia of the first two."""
    spins, known = all_spins(c.loading.actions), not untold(c.geometry, c.loading.actions)
    entries: dict[str, Entry] = {}
    for prefix, bodies in massive_groups(c.topology).items():
        group = BodiesTogether(c.motion, bodies, spins)
        entries |= dict(_masses(c, prefix, group))
        entries |= dict(_momenta(c, prefix, group, _places(c))) if known else {}
    for name in c.geometry.bodies if known else ():
        entries |= dict(_momenta(c, f"{name}.", BodiesTogether(c.motion, (name,), spins), {}))
    return entries


def refuse_untold(c: Coordinates, name: str) -> None:
    """Say whose momentum is not known, where somebody asks for one."""
    missing = untold(c.geometry, c.loading.actions)
    if missing and {MOMENTUM, ANGULAR} & {*name.split(".")}:
        raise RefusedError(
            f"'{name}': '{missing[0]}' has parts of its own that move and does not say their momentum (spins of its "
            "Contribution)"
        )


def _masses(c: Coordinates, prefix: str, group: BodiesTogether) -> Named:
    of, turns = whose(prefix), c.space.turn_names
    yield f"{prefix}{MASS}" if prefix else f"{MASS}.total", Entry("kg", f"mass of {of}", lambda: group.mass)
    pairs = [(i, j) for i in range(len(turns)) for j in range(len(turns)) if (j - i) % 3 < 2]
    for i, j in sorted(pairs, key=lambda pair: pair[0] != pair[1]):
        text = f"{turns[i]}{turns[j]} of the inertia of {of} about its centre of mass, world axes"
        build = _taken(lambda: group.distribution.inertia, i, j)
        yield f"{prefix}{INERTIA}.{turns[i]}{turns[j]}", Entry("kg*m^2", text, build)


def _places(c: Coordinates) -> dict[str, ca.SX]:
    """Where the named points are; one that a body lists stands there by its own name alone."""
    points = c.topology.named_points()
    return {
        name: c.motion.station(owner, local).position
        for name, (owner, local) in points.items()
        if "." not in name or name.partition(".")[2] not in points
    }


def _momenta(c: Coordinates, prefix: str, group: BodiesTogether, places: dict[str, ca.SX]) -> Named:
    of, space = whose(prefix), c.space
    for i, axis in enumerate(space.axis_names):
        yield f"{prefix}{MOMENTUM}.{axis}", Entry("N*s", f"{axis} momentum of {of}", _taken(lambda: group.linear, i))
    about: dict[str, tuple[str, Callable[[], ca.SX]]] = {
        ANGULAR: ("the origin", lambda: group.angular(ca.SX(space.dimension, 1))),
        f"{ANGULAR}.{CENTRE}": ("its centre of mass", lambda: group.about_centre),
    }
    about |= {f"{ANGULAR}.{name}": (f"point {name}", _about(group, place)) for name, place in places.items()}
    for name, (where, build) in about.items():
        for i, axis in enumerate(space.turn_names):
            text = f"{axis} angular momentum of {of} about {where}"
            yield f"{prefix}{name}.{axis}", Entry("N*m*s", text, _taken(build, i))


def _about(group: BodiesTogether, place: ca.SX) -> Callable[[], ca.SX]:
    return lambda: group.angular(place)


def _taken(build: Callable[[], ca.SX], *place: int) -> Callable[[], ca.SX]:
    """What builds one element of what is built."""
    return lambda: build()[place] if len(place) > 1 else build()[place[0]]
