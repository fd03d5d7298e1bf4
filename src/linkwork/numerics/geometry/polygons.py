"""Polygons in the plane: convex parts of any one, and halves of convex ones."""

from __future__ import annotations

import numpy as np

from linkwork.arrays import Array


def signed_area(ring: Array) -> float:
    """Positive where the corners (n, 2) go round to the left."""
    ahead = np.roll(ring, -1, axis=0)
    return 0.5 * float(np.sum(ring[:, 0] * ahead[:, 1] - ring[:, 1] * ahead[:, 0]))


def convex_parts(ring: Array) -> list[list[int]]:
    """Places of corners (n, 2) of convex parts of a polygon that does not cross itself: itself, or triangles.

    Triangles are cut off one by one where they contain no other corner (Meisters 1975).
    """
    left = list(range(len(ring)))
    if signed_area(ring) < 0.0:
        left.reverse()
    if all(_turn(*ring[[left[i - 1], left[i], left[(i + 1) % len(left)]]]) >= 0.0 for i in range(len(left))):
        return [left]
    parts = []
    while len(left) > 3:
        i = next((i for i in range(len(left)) if _is_ear(ring, left, i)), 0)
        parts.append([left[i - 1], left[i], left[(i + 1) % len(left)]])
        del left[i]
    return [*parts, left]


def _is_ear(ring: Array, left: list[int], i: int) -> bool:
    corners = [left[i - 1], left[i], left[(i + 1) % len(left)]]
    a, b, c = ring[corners]
    if _turn(a, b, c) <= 0.0:
        return False
    others = [ring[k] for k in left if k not in corners]
    return not any(min(_turn(a, b, p), _turn(b, c, p), _turn(c, a, p)) >= 0.0 for p in others)


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def cut_convex(ring: Array, place: Array, normal: Array) -> list[Array]:
    """A convex polygon (n, 2) cut by the line through a place with a normal: one part or two."""
    beyond = (ring - place) @ normal
    if np.all(beyond >= 0.0) or np.all(beyond <= 0.0):
        return [ring]
    ahead, further = np.roll(ring, -1, axis=0), np.roll(beyond, -1)
    crossed = beyond * further < 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        on = ring + (beyond / (beyond - further))[:, None] * (ahead - ring)
    # corners, each with the place where the line crosses the side behind it
    woven = np.stack([ring, on], axis=1).reshape(-1, 2)
    sides = np.column_stack([beyond, np.where(crossed, 0.0, np.nan)]).ravel()
    return [woven[sign * sides >= 0.0] for sign in (1.0, -1.0)]
