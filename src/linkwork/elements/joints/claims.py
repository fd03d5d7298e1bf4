"""What a kind of joint says of itself and coordinates take on trust, compared with its motion and its rows.

Natural coordinates make one of two points or axes that a joint holds together, and leave out the rows of that part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import exponential
from linkwork.algebra.space import Space
from linkwork.elements.joints.base import JointKind

PARTS, KINDS = ("point", "axis", "slide", "lock"), ("angle", "length", "spin")
CLOSE = 1e-9  # m or rad: what is one place or one direction


def random_frame(rng: np.random.Generator, space: Space) -> Frame:
    """A frame anywhere."""
    origin = ca.SX(rng.normal(size=space.dimension))
    if space.planar:
        return Frame.planar(origin, ca.SX(float(rng.uniform(-4, 4))))
    return Frame(origin, _turn(rng))


def random_q(rng: np.random.Generator, kind: JointKind, space: Space, most: float) -> ca.SX:
    """Positions of a joint."""
    q = rng.uniform(-most, most, size=kind.count_positions(space))
    if kind.spins(space):
        q[-kind.orientation.count :] = kind.orientation.coordinates(np.array(ca.DM(_turn(rng))))
    return ca.SX(q)


def _turn(rng: np.random.Generator) -> ca.SX:
    return ca.SX(exponential(rng.normal(size=3)))


def claim_faults(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> Iterator[str]:
    """What cannot be, at one random position."""
    freedoms = kind.freedoms(space)
    names = [name for item in freedoms for name in dict.fromkeys((item.name, item.rate))]
    names += [name for item in kind.followers(space) for name in (item.name, item.rate)]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"two of its freedoms and rates are called '{name}'"
    for item in freedoms:
        if item.kind not in KINDS:
            yield f"the kind of its freedom '{item.name}' is '{item.kind}'; it is one of {', '.join(KINDS)}"
    a = random_frame(rng, space)
    b = a @ kind.motion(space, random_q(rng, kind, space, most))
    for condition in kind.rows(space, a, b):
        if condition.part not in PARTS:
            yield f"the part of its row '{condition.component}' is '{condition.part}'; it is one of {', '.join(PARTS)}"
    if kind.shares_point:
        yield from _sharing_faults(kind, space, (a, b, random_frame(rng, space)), "point")
    if kind.shares_axis and not space.planar:
        yield from _sharing_faults(kind, space, (a, b, random_frame(rng, space)), "axis")
    if all(item.kind == "length" for item in freedoms) and _size(b.axes - a.axes) > CLOSE:
        yield "its freedoms are lengths alone, and its motion turns the child"


def _sharing_faults(kind: JointKind, space: Space, frames: tuple[Frame, Frame, Frame], part: str) -> Iterator[str]:
    """Frame b in its motion has what is shared with a; any other that has it satisfies the rows of that part, and these are
    as many as it takes."""
    a, b, other = frames
    if part == "point":
        words, gap, count = "the origins", b.origin - a.origin, space.dimension
        other = replace(other, origin=a.origin)
    else:
        words, gap, count = "the z axes", b.axis(2) - a.axis(2), 2
        other = replace(other, axes=a.axes @ ca.DM(exponential(np.array([0.0, 0.0, 0.7]))))
    if _size(gap) > CLOSE:
        yield f"it says shares_{part}, and {words} of a and b part in its motion"
    shared = [row.residual for row in kind.rows(space, a, other) if row.part == part]
    if len(shared) != count or _size(ca.vertcat(*shared)) > CLOSE:
        yield f"it says shares_{part}: {count} of its rows have the part '{part}', and vanish wherever {words} are one"


def _size(expression: ca.SX) -> float:
    return float(np.max(np.abs(np.array(ca.DM(expression))), initial=0.0))
