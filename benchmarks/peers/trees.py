"""The open chains of the problems in numbers, for programs that are given joints, masses and springs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tree:
    """Links of 1 m with hinges about z, or one body on a ball; com and inertia about it in axes of the body."""

    links: int
    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, float, float]
    speeds: tuple[float, ...]
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    stiffness: tuple[float, ...] = (0.0, 0.0)
    damping: tuple[float, ...] = (0.0, 0.0)
    ball: bool = False


def _sprung(stiffness: float) -> Tree:
    return Tree(2, 1.0, (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (100.0, 100.0), stiffness=(stiffness, stiffness))


TREES = {
    "pendulum_1e6": _sprung(1e6),
    "pendulum_1e8": _sprung(1e8),
    "bushing": Tree(
        *(2, 1.0, (0.5, 0.0, 0.0), (0.0, 1 / 12, 1 / 12), (0.0, 0.0)),
        gravity=(0.0, -9.81, 0.0),
        stiffness=(0.0, 1e5),
        damping=(0.0, 1e4),
    ),
    "heavy_top": Tree(
        *(1, 15.0, (0.0, 1.0, 0.0), (0.234375, 0.46875, 0.234375), (0.0, 150.0, -4.61538)),
        gravity=(0.0, 0.0, -9.81),
        ball=True,
    ),
}
