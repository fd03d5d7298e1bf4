"""A kind of joint answers the five questions of its contract consistently, in every space that it admits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import casadi as ca
import numpy as np

from linkwork.algebra.frames import Frame
from linkwork.algebra.rotations import exponential
from linkwork.algebra.space import Space, space_named
from linkwork.elements.joints import JointKind
from linkwork.elements.joints.claims import claim_faults, random_frame, random_q
from linkwork.testing.comparing import Array, central, numeric, require, require_close


def check_joint(kind: JointKind | type[JointKind], *, most: float = 3.0, examples: int = 6, seed: int = 0) -> None:
    """Check a kind of joint, or a class of one, at random positions: what it says of itself, conditions, motion, velocities,
    coordinates, reactions, efforts.

    most: how far, in rad and m, its coordinates may go either way
    """
    kind, rng = kind() if isinstance(kind, type) else kind, np.random.default_rng(seed)
    for space in map(space_named, kind.spaces):
        for _ in range(examples):
            for check in JOINT_CHECKS:
                check(kind, space, rng, most)


def moved(frame: Frame, space: Space, delta: Array) -> Frame:
    """The frame displaced by a small displacement and rotation vector in world axes."""
    d = space.dimension
    origin = frame.origin + ca.DM(delta[:d])
    if space.planar:
        assert frame.angle is not None
        return Frame.planar(origin, frame.angle + delta[d])
    return Frame(origin, ca.SX(exponential(delta[d:])) @ frame.axes)


def _residuals(kind: JointKind, space: Space, a: Frame, b: Frame) -> Array:
    return np.array([float(row.residual) for row in kind.rows(space, a, b)])


def _world_columns(kind: JointKind, space: Space, a: Frame, q: ca.SX) -> Array:
    translation, rotation = kind.columns(space, q)
    turn = np.eye(1) if space.planar else numeric(a.axes)
    return np.vstack([numeric(a.axes) @ numeric(translation), turn @ numeric(rotation)])


def _plain(frame: Frame) -> Frame:
    return Frame(frame.origin, frame.axes)


def claims_hold(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> None:
    """Names are its own, and what it shares is shared."""
    faults = [*claim_faults(kind, space, rng, most)]
    require(not faults, f"{kind.name}: {'; '.join(faults)}")


def rows_vanish_along_the_motion(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> None:
    """As many conditions as freedoms are taken, and all of them are satisfied by its own motion."""
    a = random_frame(rng, space)
    b = a @ kind.motion(space, random_q(rng, kind, space, most))
    require(len(kind.rows(space, a, b)) == kind.count_rows(space), f"{kind.name}: number of rows")
    require_close(f"{kind.name}: rows along its motion", _residuals(kind, space, a, b), 0.0, 1e-13)
    require_close(f"{kind.name}: rows without angles", _residuals(kind, space, _plain(a), _plain(b)), 0.0, 1e-13)


def rows_exclude_all_but_the_freedoms(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> None:
    """Conditions are independent, and see nothing of what the joint lets move."""
    if not kind.count_rows(space):
        return
    a, q = random_frame(rng, space), random_q(rng, kind, space, most)
    b = a @ kind.motion(space, q)
    # relative displacement of b's origin and rotation of b, everything else at rest
    residuals = lambda u, h: _residuals(kind, space, a, moved(b, space, h * u))  # noqa: E731
    jacobian = np.column_stack([central(partial(residuals, u)) for u in np.eye(space.freedoms)])
    require(float(np.linalg.svd(jacobian, compute_uv=False)[-1]) > 0.1, f"{kind.name}: rows depend on each other")
    require_close(f"{kind.name}: rows see its freedoms", jacobian @ _world_columns(kind, space, a, q), 0.0, 1e-9)


def columns_are_the_velocity(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> None:
    """Columns times rates are the velocity of the motion, by differences."""
    q, v = random_q(rng, kind, space, most), ca.SX(rng.normal(size=len(kind.freedoms(space))))
    rates, axes = kind.rates(space, q, v), numeric(kind.motion(space, q).axes)
    translation, rotation = kind.columns(space, q)
    velocity = central(lambda h: numeric(kind.motion(space, q + h * rates).origin))
    require_close(f"{kind.name}: velocity of its columns", numeric(translation @ v), velocity, 1e-8)
    spin = central(lambda h: numeric(kind.motion(space, q + h * rates).axes)) @ axes.T
    turning = [spin[1, 0]] if space.planar else [spin[2, 1], spin[0, 2], spin[1, 0]]
    require_close(f"{kind.name}: angular velocity of its columns", numeric(rotation @ v).ravel(), turning, 1e-8)


def measures_read_the_coordinates_back(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> None:
    """What is read off two frames is what they were moved by, but for whole turns."""
    a, q = random_frame(rng, space), random_q(rng, kind, space, most)
    b = a @ kind.motion(space, q)
    for first, second in ((a, b), (_plain(a), _plain(b))):
        measures = kind.measure(space, first, second)
        require(len(measures) == len(kind.scalars(space)), f"{kind.name}: number of measures")
        for i, (freedom, measure) in enumerate(zip(kind.scalars(space), measures, strict=True)):
            if measure.sine is not None and measure.cosine is not None:
                length = float(measure.sine) ** 2 + float(measure.cosine) ** 2
                require_close(f"{kind.name}: sine and cosine of {freedom.name}", length, 1.0, 1e-13)
            gap = float(measure.principal) - float(q[i])
            if freedom.kind == "angle":
                gap = (gap + np.pi) % (2 * np.pi) - np.pi
            require_close(f"{kind.name}: measure of {freedom.name}", gap, 0.0, 1e-12)


def reactions_carry_all_but_the_freedoms(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> None:
    """Directions in which it pushes have size one, are independent and do no work on its freedoms."""
    a, q = random_frame(rng, space), random_q(rng, kind, space, most)
    directions = kind.reactions(space, a, a @ kind.motion(space, q))
    wrenches = [(f, ca.SX(space.rotations, 1)) for f in directions.forces]
    wrenches += [(ca.SX(space.dimension, 1), m) for m in directions.moments] + list(directions.combined)
    require(len(wrenches) == kind.count_rows(space), f"{kind.name}: number of reactions")
    if not wrenches:
        return
    stacked = np.array([np.concatenate([numeric(f).ravel(), numeric(m).ravel()]) for f, m in wrenches])
    for f, m in wrenches:
        force = numeric(f) if np.any(numeric(f)) else numeric(m)
        require_close(f"{kind.name}: size of a reaction", np.linalg.norm(force), 1.0, 1e-12)
    require(np.linalg.matrix_rank(stacked, tol=1e-8) == len(wrenches), f"{kind.name}: reactions depend on each other")
    require_close(f"{kind.name}: work of reactions", stacked @ _world_columns(kind, space, a, q), 0.0, 1e-12)


def efforts_work_on_their_own_freedom(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> None:
    """The effort along a freedom does unit work on it, and none on the others."""
    a, q = random_frame(rng, space), random_q(rng, kind, space, most)
    efforts, n = kind.efforts(space, a, a @ kind.motion(space, q)), len(kind.freedoms(space))
    require(len(efforts) == n, f"{kind.name}: number of efforts")
    if n:
        wrenches = np.array([np.concatenate([numeric(f).ravel(), numeric(m).ravel()]) for f, m in efforts])
        work = wrenches @ _world_columns(kind, space, a, q)
        require_close(f"{kind.name}: work of efforts", work, np.eye(n), 1e-12)


def retraction_stays_on_the_manifold(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> None:
    """Small displacements move with the rates; large ones keep what positions satisfy by themselves."""
    q, v = random_q(rng, kind, space, most), ca.SX(rng.normal(size=len(kind.freedoms(space))))
    step = central(lambda h: numeric(kind.retract(space, q, h * v)))
    require_close(f"{kind.name}: retraction", step, numeric(kind.rates(space, q, v)), 1e-8)
    for name, residual in kind.identities(space, kind.retract(space, q, v)):
        require_close(f"{kind.name}: {name}", float(residual), 0.0, 1e-14)


def neutral_frames_coincide(kind: JointKind, space: Space, rng: np.random.Generator, most: float) -> None:
    """Its neutral coordinates leave both frames where they are."""
    frame = kind.motion(space, kind.neutral(space))
    require_close(f"{kind.name}: neutral place", numeric(frame.origin), 0.0, 1e-15)
    require_close(f"{kind.name}: neutral axes", numeric(frame.axes), np.eye(space.dimension), 1e-15)


JointCheck = Callable[[JointKind, Space, np.random.Generator, float], None]
OF_ATTITUDES: tuple[JointCheck, ...] = (
    columns_are_the_velocity, retraction_stays_on_the_manifold, neutral_frames_coincide,
)  # fmt: skip
JOINT_CHECKS: tuple[JointCheck, ...] = (
    claims_hold, rows_vanish_along_the_motion, rows_exclude_all_but_the_freedoms, measures_read_the_coordinates_back,
    reactions_carry_all_but_the_freedoms, efforts_work_on_their_own_freedom, *OF_ATTITUDES,
)  # fmt: skip
