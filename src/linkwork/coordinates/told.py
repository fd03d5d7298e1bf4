"""What has to be known of a mechanism wherever its numbers are: that of its topology, and what forces say of their start."""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.coordinates.coordinates import Coordinates
from linkwork.model.remarks import unfelt, unswitched, untouched
from linkwork.topology import as_drawn


def remarks(c: Coordinates, p: Array) -> tuple[str, ...]:
    """All of it. p: of the run; where parameters change, (N, np)."""
    first = np.atleast_2d(p)[0]
    unheld = unfelt(c.topology.model, stops=c.stops, rubs=c.rubs, touching=c.touching)
    unheld += () if c.stops else untouched(c.topology.model)
    unheld += () if c.rubs else unswitched(c.topology.model)  # both act in runs alone
    return (*as_drawn.remarks(c.topology, first), *unheld, *_of_forces(c, first[: c.p.numel()]))


def changing(c: Coordinates, t: float) -> tuple[str, ...]:
    """What to know of a rest where forces or drivers change with time."""
    if not (ca.depends_on(ca.densify(c.forces), c.t) or ca.depends_on(ca.densify(c.phi), c.t)):
        return ()
    return (f"forces or drivers change with time: this is the balance at t = {t:g} s",)


def _of_forces(c: Coordinates, p: Array) -> list[str]:
    """What forces say of their start, by their names."""
    items = [(name, told) for name, action in c.loading.actions.items() for told in action.told]
    if not items:
        return []
    read = ca.Function("told", [c.p], [ca.densify(ca.vertcat(*[told.numbers for _, told in items]))])
    numbers, found = iter(np.array(read(p)).ravel().tolist()), []
    for name, told in items:
        words = told.words(*[next(numbers) for _ in range(told.numbers.numel())])
        found += [f"force {name}: {words}"] if words else []
    return found
