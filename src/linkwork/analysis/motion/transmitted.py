"""What joints that rub transmit: force and moment on the child, in world axes at the origin of frame b."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.motion.reactions import ReactionRun
from linkwork.analysis.motion.work import States
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.coordinates.rubbing import GivenFriction
from linkwork.equations.reactions.schemes import LEAST, ReactionScheme
from linkwork.errors import RefusedError

FORCE = "force"  # component of a place that touches


def transmitted(
    mechanism: Mechanism,
    joints: Mapping[str, GivenFriction],
    states: States,
    p: Array,
    scheme: ReactionScheme = LEAST,
    without: str = "leave friction out: friction=False",
) -> Array:
    """(N, m) of all joints, one after the other; *without*: what helps where it is not unique."""
    run = ReactionRun(mechanism, states, p, scheme)
    values, loose = run.solve()
    components, space = list(run.plan.components), mechanism.coordinates.space
    labels = [*(f"f{axis}" for axis in space.axis_names), *(f"m{axis}" for axis in space.turn_names)]
    found = []
    for name in joints:
        # of a place that touches, the force across the surfaces stands first
        across = (name, FORCE) in components
        for label in [FORCE, *labels[1:]] if across else labels:
            place = components.index((name, label)) if (name, label) in components else None
            found.append(np.zeros(len(values)) if place is None else values[:, place])
    _check_unique(joints, (components, labels), np.asarray(loose), without)
    return np.column_stack([np.zeros((len(values), 0)), *found])


def _check_unique(
    joints: Mapping[str, GivenFriction],
    named: tuple[list[tuple[str, str]], list[str]],
    loose: NDArray[np.bool_],
    without: str,
) -> None:
    """Refuse friction of joints whose reactions are not unique; named: components, and those of one joint."""
    components, labels = named
    mostly = 2 * np.count_nonzero(loose, axis=0) > len(loose)
    for name, item in joints.items():
        felt = ca.which_depends(item.law, item.wrench, 1, False)
        own = [FORCE, *labels[1:]] if (name, FORCE) in components else labels
        open_ = [
            label
            for label, feels in zip(own, felt, strict=True)
            if feels and (name, label) in components and mostly[components.index((name, label))]
        ]
        if open_:
            raise RefusedError(
                f"the friction of {'contact' if own[0] == FORCE else 'joint'} '{name}' follows from what it transmits, of "
                f"which {', '.join(open_)} "
                f"{'is' if len(open_) == 1 else 'are'} not unique, as conditions are redundant: take joints that hold "
                f"no more than they have to, or {without}"
            )
