"""What surfaces that touch look like: polylines (n × d, m) along the edges of their forms, in the axes of their bodies."""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca
import numpy as np

from linkwork.arrays import Array
from linkwork.elements.curves import ToNumbers
from linkwork.elements.extents import Extent
from linkwork.elements.outlines import ball_lines, round_lines
from linkwork.elements.shapes.forms import ContactShape, HalfSpace, HeightField, Outline, Turned
from linkwork.position.geometry import GROUND

ROUND = np.linspace(0.0, 2.0 * np.pi, 65)
SAMPLES, MESHES = 181, 32  # of a curve, and of a field along each side
FLAT = 1e-6  # two faces whose normals differ by less are one


def surface_lines(shape: ContactShape, number: ToNumbers) -> list[Array]:
    """The edges of a surface; none of a point or of a plane, which has no end."""
    d = shape.frame.origin.numel()
    origin, axes = number(shape.frame.origin).reshape(d), number(ca.densify(shape.frame.axes)).reshape(d, d)
    return [np.asarray(origin + line @ axes.T) for line in _own_lines(shape, number, d)]


def plane_of(shape: ContactShape, number: ToNumbers) -> tuple[Array, Array] | None:
    """A place (d) and the normal (d) of a plane."""
    if not isinstance(shape.form, HalfSpace):
        return None
    d = shape.frame.origin.numel()
    return number(shape.frame.origin).reshape(d), number(ca.densify(shape.frame.axes)).reshape(d, d)[:, -1]


def _own_lines(shape: ContactShape, number: ToNumbers, d: int) -> Iterator[Array]:
    """In the axes of the shape."""

    def values(items: tuple[ca.SX, ...]) -> Iterator[Array]:
        return (number(ca.densify(item)).reshape(item.shape).T for item in items)

    match shape.form:
        case Extent(corners, radius):
            places = number(ca.densify(corners)).reshape(corners.shape).T
            yield from _hull_lines(places, float(number(ca.SX(radius)).ravel()[0]), d, shape.body != GROUND)
        case Turned(axis, stations):
            yield from values(round_lines(axis, stations))
        case Outline(curve):
            u = curve.first + (curve.last - curve.first) * np.linspace(0.0, 1.0, SAMPLES)
            yield from values((ca.horzcat(*[curve.formula(u[i]) for i in range(SAMPLES)]),))
        case HeightField(heights, spacing):
            yield from _field_lines(np.asarray(heights), spacing)


def _hull_lines(corners: Array, radius: float, d: int, moves: bool) -> Iterator[Array]:
    """What is at most a radius away from the hull of corners: its outline in the plane, in space its edges.

    moves: a disc has a line from its middle then, which shows how it turns
    """
    if len(corners) == 1 and radius == 0.0:
        return
    if d == 2:
        yield _outline(corners, radius)
        if len(corners) == 1 and moves:
            yield corners[0] + radius * np.array([[0.0, 0.0], [1.0, 0.0]])
    elif len(corners) == 1:
        for line in ball_lines(ca.SX(radius)):
            yield corners[0] + np.array(ca.DM(line)).T
    elif len(corners) == 2:
        yield from _capsule(corners, radius)
    else:
        yield from _edges(corners)


def _outline(corners: Array, radius: float) -> Array:
    """For every direction the corner farthest along it, and as much further as the hull is round."""
    turns = ROUND
    if len(corners) > 1:
        sides = corners[:, None] - corners[None]
        normals = np.arctan2(sides[..., 0], -sides[..., 1])[np.linalg.norm(sides, axis=-1) > 0.0]
        turns = np.unique(np.concatenate([ROUND, *(np.mod(normals + s * 1e-9, 2.0 * np.pi) for s in (-1, 1))]))
    out = np.column_stack([np.cos(turns), np.sin(turns)])
    line = corners[np.argmax(out @ corners.T, axis=1)] + radius * out
    return np.vstack([line, line[:1]])


def _capsule(ends: Array, radius: float) -> Iterator[Array]:
    """A line, or a circle round each end and four lines between them."""
    if radius == 0.0:
        yield ends
        return
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    across = np.linalg.svd(along[None])[2][1:]
    circle = radius * np.column_stack([np.cos(ROUND), np.sin(ROUND)]) @ across
    yield from (end + circle for end in ends)
    for k in range(0, 64, 16):
        half = np.cos(ROUND[:33, None]) * circle[k] + radius * np.sin(ROUND[:33, None]) * along
        yield np.vstack([ends[0] + circle[k], ends[1] + half[:17]])
        yield ends[0] - radius * np.sin(ROUND[:17, None]) * along + np.cos(ROUND[:17, None]) * circle[k]


def _edges(corners: Array) -> Iterator[Array]:
    """The edges of the hull of corners, without those between triangles of one face; of what is flat its ring."""
    from scipy.spatial import ConvexHull  # slow to import, and few surfaces are hulls

    middle = corners.mean(axis=0)
    spread = np.linalg.svd(corners - middle)
    if len(corners) == 3 or spread[1][-1] <= FLAT * spread[1][0]:
        flat = (corners - middle) @ spread[2][:2].T
        ring = ConvexHull(flat).vertices
        yield corners[[*ring, ring[0]]]
        return
    hull = ConvexHull(corners)
    beside: dict[tuple[int, int], list[Array]] = {}
    for face, plane in zip(hull.simplices, hull.equations, strict=True):
        for i in range(3):
            first, second = sorted((int(face[i]), int(face[i - 1])))
            beside.setdefault((first, second), []).append(plane[:3])
    for edge, normals in beside.items():
        if np.linalg.norm(normals[0] - normals[-1]) > FLAT:
            yield corners[list(edge)]


def _field_lines(heights: Array, spacing: tuple[float, float]) -> Iterator[Array]:
    """Lines along both sides of a grid about its origin."""
    rows, columns = heights.shape
    x = (np.arange(columns) - (columns - 1) / 2) * spacing[0]
    y = (np.arange(rows) - (rows - 1) / 2) * spacing[1]
    for i in np.unique(np.linspace(0, rows - 1, min(rows, MESHES)).round().astype(int)):
        yield np.column_stack([x, np.full(columns, y[i]), heights[i]])
    for k in np.unique(np.linspace(0, columns - 1, min(columns, MESHES)).round().astype(int)):
        yield np.column_stack([np.full(rows, x[k]), y, heights[:, k]])
