"""Places that rub and push with more than is determined, such as four feet of a crate: which, and what it decides.

They share what they push with as the least λ does. With z in its place, Cᵀ z = 0, what slips rubs with μ z more: four feet
that slide without turning feel nothing of it, as their friction has one direction; in others the motion depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from linkwork.analysis.motion.complementarity import TAKES_PART, ZERO
from linkwork.analysis.motion.gripping import Gripping, Tried
from linkwork.arrays import Array

FELT = 1e-7  # change of accelerations, of their size, that is one


@dataclass(frozen=True, eq=False)
class Surplus:
    """Of one run. found: places by their names, and whether the motion depends on how they share."""

    found: dict[tuple[str, ...], bool] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        return [_told(names, decides) for names, decides in self.found.items()]

    def look(self, gripping: Gripping, chosen: Tried) -> None:
        """Note the limits that rub and push with the least λ of many."""
        c, limits = gripping.c, chosen.choice.limits
        if not gripping.system.are_dependent(limits) or not {*limits} & {*c.carriers.values()}:
            return
        names, decides, now = list[str](), False, np.array(chosen.choice.into)
        for share in gripping.system.surplus(limits):
            shares = {i: z for i, z in zip(limits, share, strict=True) if abs(z) > TAKES_PART * np.max(np.abs(share))}
            names += [c.limits[i].label.element for i in shares]
            ways = now, _ahead(gripping, chosen, now)
            decides |= any(_decides(gripping, chosen, shares, into) for into in ways)
        known = tuple(dict.fromkeys(names))
        self.found[known] = self.found.get(known, False) or decides


def _ahead(gripping: Gripping, chosen: Tried, into: Array) -> Array:
    """Directions of slips a little later."""
    later = into.copy()
    for cone in gripping.c.cones:
        places = gripping.places(cone)
        way = into[places] + gripping.rates(chosen, cone) / gripping.size
        later[places] = way / max(float(np.linalg.norm(way)), 1e-300)
    return later


def _decides(gripping: Gripping, chosen: Tried, share: Mapping[int, float], into: Array) -> bool:
    """Whether accelerations change with the friction of limits that share what they push with in another way."""
    c, system, pushes = gripping.c, gripping.system, np.abs(chosen.f)
    change = np.zeros(system.jacobian.shape[1])
    size = float(np.max([pushes[c.coming[i][0]] for i in share])) / float(np.max(np.abs([*share.values()])))
    for cone in c.cones:
        carrier = c.carriers.get(cone[0])
        if carrier is None or carrier not in share or cone[0] in chosen.choice.stuck:
            continue
        push, places = pushes[c.coming[carrier][0]], gripping.places(cone)
        part = chosen.sliding[places[0]] / push if push > ZERO * size else 0.0
        rows = [c.coming[i][0] for i in cone]
        change -= size * share[carrier] * part * (into[places] @ system.jacobian[rows])
    moved = system.held([*chosen.choice.limits, *chosen.choice.basic], change, np.zeros(len(gripping.b)))
    return bool(np.max(np.abs(system.jacobian @ moved.x), initial=0.0) > FELT * gripping.size)


def _told(names: tuple[str, ...], decides: bool) -> str:
    said = "; they rub in different directions, and the motion depends on it" if decides else ""
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{listed} touch together, and how they share the load is not unique: as feet do that yield alike{said}"
