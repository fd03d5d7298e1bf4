"""What a joint does on the way from one of its bodies to the other, written once for all joints of a kind."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.space import Space
from linkwork.arrays import Array
from linkwork.elements.joints import JointKind
from linkwork.position.geometry import Pose

MOST = 256  # kinds that are kept: those with numbers of their own count by these


@dataclass(frozen=True, eq=False)
class JointPassage:
    """The far frame of a joint seen from the near one, as expressions of its own q and v.

    angle: in the plane, where the frame counts its turns; else 0 × 0
    translation, rotation: relative velocity (d × n) and angular velocity (k × n) per unit of v, in near axes; along, about:
    the same in axes of the far frame
    slide, spin: relative acceleration (d) and angular acceleration (k) where v̇ = 0, in near axes; spins add none
    """

    origin: ca.SX
    axes: ca.SX
    angle: ca.SX
    translation: ca.SX
    rotation: ca.SX
    along: ca.SX
    about: ca.SX
    slide: ca.SX
    spin: ca.SX

    @property
    def frame(self) -> Frame:
        """The far frame seen from the near one."""
        return Frame(self.origin, self.axes, self.angle if self.angle.numel() else None)


_KNOWN: dict[Hashable, ca.Function] = {}


def passage(kind: JointKind, space: Space, backwards: bool, q: ca.SX, v: ca.SX) -> JointPassage:
    """What a joint does; *backwards*: from the child to the parent."""
    identity = _identity(kind)
    if identity is None:
        return JointPassage(*_written(kind, space, backwards, q, v))
    return JointPassage(*_passing(kind, space, backwards, identity).call([q, v]))


def columns_at(kind: JointKind, space: Space, backwards: bool, axes: Array, q: Array) -> Array:
    """What a joint adds to the velocity and the spin of its outer frame, per unit of v, at q and near *axes* (numbers)."""
    function = _passing(kind, space, backwards, _identity(kind))
    found = function(q, np.zeros(function.size1_in(1)))
    translation, rotation = (np.asarray(found[i].full()) for i in (3, 4))
    return np.vstack([axes @ translation, rotation if space.planar else axes @ rotation])


def positions(kind: JointKind, space: Space, a: Pose, b: Pose) -> Array:
    """The coordinates of a joint whose frames have these poses."""
    angled = a.angle is not None and b.angle is not None
    key = "positions", _identity(kind), space, angled

    def write() -> ca.Function:
        d = space.dimension
        symbols = [ca.SX.sym("x", *shape) for shape in 2 * [(d, 1), (d, d), (1, 1)]]
        frames = [Frame(o, axes, angle if angled else None) for o, axes, angle in (symbols[:3], symbols[3:])]
        return ca.Function("positions", symbols, [ca.densify(kind.values(space, *frames))])

    given = [ca.DM(part) for pose in (a, b) for part in (pose.origin, pose.axes, pose.angle or 0.0)]
    scalars = np.asarray(_known(key, write).call(given)[0].full()).ravel()
    return np.concatenate([scalars, kind.orientation.coordinates(a.axes.T @ b.axes)]) if kind.spins(space) else scalars


def _passing(kind: JointKind, space: Space, backwards: bool, identity: Hashable | None) -> ca.Function:
    """(q, v) → the parts of a passage."""

    def write() -> ca.Function:
        q, v = ca.SX.sym("q", kind.count_positions(space)), ca.SX.sym("v", len(kind.freedoms(space)))
        return ca.Function("passage", [q, v], _written(kind, space, backwards, q, v))

    return _known(("passage", identity, space, backwards), write)


def _known(key: tuple[Hashable, ...], write: Callable[[], ca.Function]) -> ca.Function:
    """A function of a kind of which one is kept, if its second entry can tell it."""
    if key[1] is None:
        return write()
    if key not in _KNOWN:
        if len(_KNOWN) >= MOST:
            _KNOWN.clear()
        _KNOWN[key] = write()
    return _KNOWN[key]


def _identity(kind: JointKind) -> Hashable | None:
    """What tells a kind from others; None: it depends on live parameters, or on what cannot be compared."""
    found: list[Hashable] = [type(kind)]
    for name, value in sorted(vars(kind).items()):
        if isinstance(value, ca.SX):
            if not value.is_constant():
                return None
            value = value.shape, *map(float, ca.DM(value).full().ravel())
        elif not isinstance(value, Hashable):
            return None
        found.append((name, value))
    return tuple(found)


def _written(kind: JointKind, space: Space, backwards: bool, q: ca.SX, v: ca.SX) -> list[ca.SX]:
    """The parts of a passage.

    Backwards: x = −Rᵀ d, hence ẋ = −Rᵀ (T − W × d) v and ω = −Rᵀ W v.
    """
    forward = kind.motion(space, q)
    frame = forward.inverse() if backwards else forward
    translation, rotation = kind.columns(space, q)
    if backwards:
        turned = [space.turn(rotation[:, i], forward.origin) for i in range(rotation.shape[1])]
        swept = ca.horzcat(*turned) if turned else ca.SX(space.dimension, 0)
        turn_back = ca.SX.eye(1) if space.planar else forward.axes.T
        translation = -(forward.axes.T @ (translation - swept))
        rotation = _spun(kind, space, -(turn_back @ rotation), -1.0)
    back = frame.axes.T
    along, about = back @ translation, rotation if space.planar else back @ rotation
    if not backwards:
        about = _spun(kind, space, about, 1.0)
    far = (ca.sparsify(ca.simplify(item)) for item in (along, about))
    angle = ca.SX(0, 0) if frame.angle is None else ca.SX(frame.angle)
    return [
        frame.origin,
        frame.axes,
        angle,
        translation,
        rotation,
        *far,
        *_drift(kind, space, translation, rotation, q, v),
    ]


def _spun(kind: JointKind, space: Space, about: ca.SX, sign: float) -> ca.SX:
    """Angular velocities in axes of the child, in which those that are spins are unit vectors whatever q is."""
    if not kind.spins(space):
        return about
    return ca.horzcat(about[:, :-3], sign * ca.SX.eye(3))


def _drift(
    kind: JointKind, space: Space, translation: ca.SX, rotation: ca.SX, q: ca.SX, v: ca.SX
) -> tuple[ca.SX, ca.SX]:
    """Relative acceleration and angular acceleration where v̇ = 0."""
    if not q.numel():
        return ca.SX(space.dimension, 1), ca.SX(space.rotations, 1)
    rates, scalars = kind.rates(space, q, v), v.numel() - 3 * kind.spins(space)
    return ca.jtimes(translation @ v, q, rates), ca.jtimes(rotation[:, :scalars] @ v[:scalars], q, rates)
