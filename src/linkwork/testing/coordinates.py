"""A kind of coordinates describes the motion that others describe: places, conditions, inertia, accelerations.

On small mechanisms, at one position and one random velocity,

* q and v of given poses and velocities give these back, and close all conditions;
* q̇ is linear in v, names are unique, and as many freedoms are left as in relative coordinates;
* what ``states`` says holds, and bodies have the accelerations that they have in relative coordinates.
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from linkwork.coordinates.base import CoordinateKind
from linkwork.coordinates.coordinates import Coordinates
from linkwork.errors import RefusedError
from linkwork.model import Model
from linkwork.position.geometry import GROUND
from linkwork.position.rank import null_space
from linkwork.testing import mechanisms
from linkwork.testing.comparing import Array, require, require_close
from linkwork.testing.states import NEAR, SeenState, check_conditions, check_inertia, seen_state
from linkwork.topology.analyse import analyse

MODELS = (
    mechanisms.damped,
    mechanisms.two_hinges,
    mechanisms.swinging_chain,
    mechanisms.flat_in_space,
    mechanisms.sleigh,
    mechanisms.roped,
)
OPEN = 1e-10  # of the size of the mechanism


def check_coordinates(kind: CoordinateKind, *, seed: int = 0) -> None:
    """Check a kind of coordinates on all small mechanisms that it does not refuse, of which there must be some."""
    refused = []
    for make in MODELS:
        try:
            _check(kind, make(), np.random.default_rng(seed))
        except RefusedError as error:
            refused.append(f"{make.__name__}: {error}")
    require(len(refused) < len(MODELS), f"{kind}: nothing can be described: {'; '.join(refused)}")


def _check(kind: CoordinateKind, model: Model, rng: np.random.Generator) -> None:
    topology = analyse(model)
    usual = seen_state(topology, "relative", 0.1, rng)
    there = seen_state(topology, kind, 0.1, rng, usual)
    _check_shape(there.c)
    _check_places(there, usual)
    check_conditions(there)
    check_inertia(there)
    require_close(f"{kind}: freedoms of {model.name}", _freedoms(there), _freedoms(usual), 0.0)
    expected = usual.accelerations()
    size = max([1.0, *(float(np.abs(value).max()) for value in expected.values())])
    for name, value in there.accelerations().items():
        require_close(f"{kind}: {name} of {model.name}", value, expected[name], NEAR * size)


def _check_shape(c: Coordinates) -> None:
    k, kind = c.kinematics, c.kind
    for what, names, symbols in (("q", k.q_names, k.q), ("v", k.v_names, k.v)):
        require(
            len(set(names)) == len(names) == symbols.numel(), f"{kind}: {what} has a name for each, and no two alike"
        )
    require(k.rates.numel() == k.q.numel(), f"{kind}: q̇ has as many entries as q")
    curved = ca.jacobian(ca.jacobian(k.rates, k.v), k.v).nnz() if k.v.numel() else 0
    require(not curved, f"{kind}: q̇ is linear in v")
    require(len(k.scale) == k.v.numel() and bool(np.all(k.scale > 0)), f"{kind}: a positive scale for each of v")
    require(
        set(k.frames) == set(k.twists) == {GROUND, *c.geometry.bodies}, f"{kind}: a frame and a twist for each body"
    )


def _check_places(there: SeenState, usual: SeenState) -> None:
    """The poses that q was made of, and the velocities that v was made of."""
    c, kind, near = there.c, there.c.kind, OPEN * there.c.kinematics.length
    poses = c.topology.assembly.poses
    for name in c.geometry.bodies:
        frame = c.kinematics.frames[name]
        require_close(f"{kind}: origin of {name}", there.value(frame.origin), poses[name].origin, near)
        require_close(f"{kind}: axes of {name}", there.value(frame.axes), poses[name].axes.ravel(order="F"), 10 * OPEN)
        found, expected = there.twists()[name], usual.twists()[name]
        require_close(f"{kind}: velocity of {name}", found, expected, NEAR * max(1.0, float(np.abs(expected).max())))
    for row in (*c.kinematics.rows, *c.kinematics.identities):
        require_close(f"{kind}: {row.label}", there.value(row.residual * row.weight), 0.0, near)
    if c.kinematics.retract is not None:
        still = ca.substitute(c.kinematics.retract, c.v, ca.SX.zeros(c.v.shape))
        require_close(f"{kind}: q ⊕ 0", there.value(still), there.y[: c.q.numel()], 10 * OPEN)


def _freedoms(there: SeenState) -> Array:
    """How many motions the conditions leave."""
    c = there.c
    rows = there.value(c.jacobian).reshape(len(c.rows), c.v.numel(), order="F")
    return np.array(null_space(rows * c.kinematics.scale).shape[1])
