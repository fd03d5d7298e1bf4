"""``envelope``: the room that bodies sweep in a motion.

In the plane every convex piece sweeps the union of the hulls of its consecutive poses. Poses are taken so near to each
other, between the samples too, that no corner goes farther than a resolution aside from the straight line between two of
them; arcs are polygons with the same error. Where a displacement turns a side about one of its own places, the hull of both
poses would be too wide: the piece is cut there, across the side, from the pole of the displacement. So the outline is that
of the swept region up to the resolution δ, and its area up to δ times the length of the outline. In space the convex hull
and the box around all poses are found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.spatial import ConvexHull

from linkwork.analysis.position.interference import Moving, moving_bodies
from linkwork.analysis.walk.subject import Moved, motion_of_noun
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.errors import RefusedError, UnknownNameError, did_you_mean
from linkwork.extras import bring
from linkwork.numerics.geometry.convex import Convex, hull_of
from linkwork.numerics.geometry.distances import PoseSamples
from linkwork.numerics.geometry.polygons import cut_convex
from linkwork.numerics.geometry.union import union_of_hulls
from linkwork.progress import told
from linkwork.results.courses import BodyCourse
from linkwork.results.envelope import Envelope
from linkwork.results.outcome import refuse_without_samples
from linkwork.results.result import Result

DIRECTIONS = 200  # on a ball in space
MOST = 5000  # poses of a body


@verb
@told("sweeping")
def envelope(result: Moved, bodies: str | Sequence[str] | None = None, *, resolution: float = 1e-4) -> Envelope:
    """The region that a body sweeps in a motion, or several bodies together, or all of them.

    result: a run, or what was found along one
    resolution: how exact the outline is, as a part of the size of the region
    """
    if not 1e-6 <= resolution <= 0.1:
        raise RefusedError(f"resolution = {resolution:g}: give a part of the size between 1e-6 and 0.1")
    result = motion_of_noun(result, "envelope")
    names = _names(result, bodies)
    planar = result.drawing.space == "planar"
    if planar:
        bring("shapely")  # refused before anything is computed
    moving = list(moving_bodies(result, names).values())
    size = _size(moving)
    allowed = resolution * size
    swept, worst = [], 0.0
    for body in moving:
        times, aside = _times(body, allowed)
        worst = max(worst, aside)
        swept += [(piece, body.course, times) for piece in body.pieces]
    found = union_of_hulls([item for piece in swept for item in _clouds(*piece, allowed)] if planar else [])
    corners, low, high = _extremes(swept, allowed)
    volume = _content(corners)
    return Envelope(
        name=result.name,
        bodies=tuple(names),
        outlines=found.rings,
        area=found.area if planar else None,
        hull=corners,
        hull_content=volume,
        low=low,
        high=high,
        error=worst + (2 if any(piece.radius > 0.0 for piece, _, _ in swept) else 1) * allowed,
        result=result,
    )


def _names(result: Result, bodies: str | Sequence[str] | None) -> list[str]:
    known = list(result.drawing.bodies)
    given = known if bodies is None else [bodies] if isinstance(bodies, str) else list(bodies)
    names = [result.drawing.named(name) for name in given]
    for name in names:
        if name not in known:
            raise UnknownNameError(f"'{name}' is no body; {did_you_mean(name, known)}")
    refuse_without_samples(result.name, len(result), result.outcome)
    if not names:
        raise RefusedError("there is nothing that moves")
    return names


def _size(moving: Sequence[Moving]) -> float:
    """The largest edge of the box around all samples."""
    places = np.vstack(
        [
            body.course.samples().points(piece.corners).reshape(-1, piece.dimension)
            for body in moving
            for piece in body.pieces
        ]
    )
    widest = 2 * max(piece.radius for body in moving for piece in body.pieces)
    return max(float(np.max(np.ptp(places, axis=0))) + widest, 1e-300)


def _times(body: Moving, allowed: float) -> tuple[Array, float]:
    """Times at which poses are so near that corners stay beside straight lines, and how far they go aside."""
    time = body.course.time
    corners = np.vstack([piece.corners for piece in body.pieces])
    if len(time) < 2:
        return time, 0.0
    # the way aside grows with the square of the time between poses
    share = np.sqrt(_aside(body.course, corners, time) / allowed)
    passed = np.concatenate([[0.0], np.cumsum(share)])
    count = int(np.clip(np.ceil(passed[-1]), 1, MOST))
    # where nothing turns, the share is none, and one pose after the other stands for all
    spread = passed + np.linspace(0.0, 1e-9 * count, len(passed))
    chosen = np.interp(np.linspace(0.0, spread[-1], count + 1), spread, time)
    return chosen, float(np.max(_aside(body.course, corners, chosen)))


def _aside(course: BodyCourse, corners: Array, time: Array) -> Array:
    """How far (N − 1) corners are beside the straight way in the middle between two times."""
    ends = course.at(time).points(corners)
    middle = course.at((time[1:] + time[:-1]) / 2).points(corners)
    return np.asarray(np.max(np.linalg.norm(middle - (ends[1:] + ends[:-1]) / 2, axis=2), axis=1))


def _clouds(piece: Convex, course: BodyCourse, times: Array, allowed: float) -> list[Array]:
    """Corners of consecutive poses of a piece of the plane, cut where its sides would turn over, and blown up afterwards."""
    poses, circle = course.at(times), _circle(piece.radius, allowed)
    pairs = [poses.at(slice(k, k + 2)) for k in range(max(len(times) - 1, 1))]
    found = []
    for pair in pairs:
        for part in _parts(piece.corners, pair, allowed) if len(pair) > 1 else [piece.corners]:
            places = pair.points(part).reshape(-1, 1, 2) + circle
            found.append(places.reshape(-1, 2))
    return found


def _parts(outline: Array, pair: PoseSamples, allowed: float) -> list[Array]:
    """A convex polygon cut from the pole of a displacement across those sides that it turns about a place of their own.

    The hull of both positions of such a side is wider than what it sweeps, by half the way of its nearer end.
    """
    lever = pair.axes[0] - pair.axes[1]
    turn = float(np.sqrt(abs(np.linalg.det(lever))))
    if turn < 1e-9 or len(outline) < 2:
        return [outline]
    pole = np.linalg.solve(lever, pair.origin[1] - pair.origin[0])
    parts = [outline]
    side = np.roll(outline, -1, axis=0) - outline
    foot = np.sum((pole - outline) * side, axis=1)
    length = np.linalg.norm(side, axis=1)
    nearer = np.minimum(foot, length**2 - foot) / np.maximum(length, 1e-300)
    for i in np.flatnonzero(nearer * turn / 2 > allowed):
        parts = [half for part in parts for half in cut_convex(part, pole, side[i])]
    return parts


def _circle(radius: float, allowed: float) -> Array:
    """A circle as a polygon (n, 2) at most *allowed* inside of it; without a radius its centre."""
    if radius <= 0.0:
        return np.zeros((1, 2))
    half = np.arccos(1.0 - min(allowed / radius, 1.0))
    turn = np.linspace(0.0, 2 * np.pi, int(np.clip(np.ceil(np.pi / half), 12, 360)), endpoint=False)
    return np.asarray(radius * np.column_stack([np.cos(turn), np.sin(turn)]))


def _extremes(swept: Sequence[tuple[Convex, BodyCourse, Array]], allowed: float) -> tuple[Array, Array, Array]:
    """Corners of the convex hull of everything, and the low and high corners of the box around it."""
    clouds, lows, highs = [], [], []
    for piece, course, times in swept:
        poses = course.at(times)
        bare = poses.points(piece.corners).reshape(-1, piece.dimension)
        lows.append(np.min(bare, axis=0) - piece.radius)
        highs.append(np.max(bare, axis=0) + piece.radius)
        around = _circle(piece.radius, allowed) if piece.dimension == 2 else piece.radius * _ball()
        clouds.append((hull_of(bare).corners[:, None, :] + around).reshape(-1, piece.dimension))
    corners = hull_of(np.vstack([hull_of(cloud).corners for cloud in clouds])).corners
    return corners, np.min(lows, axis=0), np.max(highs, axis=0)


def _ball() -> Array:
    """Unit vectors (n, 3) on a spiral that covers the sphere evenly, and those along the axes."""
    steps = np.arange(DIRECTIONS) + 0.5
    z, turn = 1 - 2 * steps / DIRECTIONS, np.pi * (1 + np.sqrt(5)) * steps
    across = np.sqrt(1 - z * z)
    return np.vstack([np.column_stack([across * np.cos(turn), across * np.sin(turn), z]), np.eye(3), -np.eye(3)])


def _content(corners: Array) -> float:
    """Area or volume of the hull of its corners; zero of a flat one."""
    if len(corners) <= corners.shape[1] or np.linalg.matrix_rank(corners - corners[0], tol=1e-12) < corners.shape[1]:
        return 0.0
    return float(ConvexHull(corners).volume)
