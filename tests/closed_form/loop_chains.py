"""Random chains, and an independent solver for them: multistart Newton on the closure T₁ … Tₙ = D, with numbers only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray
WINDOW = 3 * np.pi


@dataclass(frozen=True)
class Chain:
    """Numbers of a chain: letters, axes (n, 3), points (n, 3), pitches (n), and the displacement D (4 × 4)."""

    kinds: str
    axes: Array
    points: Array
    pitches: Array
    displacement: Array

    @property
    def flat(self) -> Array:
        """Everything in one vector, as the compiled closed form takes it."""
        d = self.displacement
        return np.concatenate(
            [self.axes.ravel(), self.points.ravel(), self.pitches, d[:3, :3].ravel(order="F"), d[:3, 3]]
        )

    @property
    def twists(self) -> tuple[Array, Array]:
        """The six single freedoms as twists (6, 6), rows (ω, v), and the place (6) of the element of each."""
        rows, places = [], []
        for i, kind in enumerate(self.kinds):
            a, o = self.axes[i], self.points[i]
            e, f = np.linalg.svd(a[None])[2][1:]
            turn = np.concatenate([a, np.cross(o, a)])
            zero = np.zeros(3)
            basis = {
                "R": [turn],
                "P": [np.concatenate([zero, a])],
                "S": [turn + np.concatenate([zero, self.pitches[i] * a])],
                "C": [turn, np.concatenate([zero, a])],
                "G": [np.concatenate([u, np.cross(o, u)]) for u in np.eye(3)],
                "F": [turn, np.concatenate([zero, e]), np.concatenate([zero, f])],
            }[kind]
            rows += basis
            places += [i] * len(basis)
        return np.array(rows), np.array(places)

    @property
    def size(self) -> float:
        return float(np.abs(self.points).max() + np.abs(self.displacement[:3, 3]).max())


def hat(w: Array) -> Array:
    """Cross-product matrices (…, 3, 3) of vectors (…, 3)."""
    out = np.zeros((*w.shape[:-1], 3, 3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -w[..., 2], w[..., 1], -w[..., 0]
    return out - np.swapaxes(out, -1, -2)


def exponential(twist: Array, q: Array) -> Array:
    """Displacements (N, 4, 4) of one *twist* (6) with |ω| = 1 or 0 by the amounts *q* (N)."""
    w, v = twist[:3], twist[3:]
    out = np.tile(np.eye(4), (len(q), 1, 1))
    if not w.any():
        out[:, :3, 3] = q[:, None] * v
        return out
    k, q = hat(w), q[:, None, None]
    out[:, :3, :3] += np.sin(q) * k + (1 - np.cos(q)) * (k @ k)
    out[:, :3, 3] = ((q * np.eye(3) + (1 - np.cos(q)) * k + (q - np.sin(q)) * (k @ k)) @ v[:, None])[..., 0]
    return out


def adjoint(frame: Array, twist: Array) -> Array:
    """Twists (…, 6) seen through the frames (…, 4, 4)."""
    r, p = frame[..., :3, :3], frame[..., :3, 3]
    w = (r @ twist[:3, None])[..., 0]
    return np.concatenate([w, np.cross(p, w) + (r @ twist[3:, None])[..., 0]], axis=-1)


def closure(chain: Chain, frames: list[Array]) -> tuple[Array, Array]:
    """Product of the frames of the elements (each N × 4 × 4), and the screws (N, 6, 6; columns) of the six freedoms."""
    twists, places = chain.twists
    total, columns = np.tile(np.eye(4), (len(frames[0]), 1, 1)), []
    for i, frame in enumerate(frames):
        columns += [adjoint(total, twist) for twist in twists[places == i]]
        total = total @ frame
    return total, np.stack(columns, axis=-1)


def error_twist(target: Array, total: Array) -> Array:
    """Small displacement (N, 6) from *total* to *target*."""
    gap = target @ np.linalg.inv(total)
    skew = (gap[:, :3, :3] - np.swapaxes(gap[:, :3, :3], 1, 2)) / 2
    return np.concatenate([np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1), gap[:, :3, 3]], axis=1)


def newton(chain: Chain, rng: np.random.Generator, starts: int, iterations: int = 45) -> list[list[Array]]:
    """Distinct assemblies found from random starts: per assembly the frames (4 × 4) of the elements."""
    twists, places = chain.twists
    screws = np.array([chain.kinds[i] == "S" for i in places])
    turning = twists[:, :3].any(axis=1)
    q = rng.uniform(-np.pi, np.pi, (starts, 6)) * np.where(screws, 3.0, 1.0)
    q[:, ~turning] = rng.normal(0, 2, (starts, int((~turning).sum())))
    frames = [np.tile(np.eye(4), (starts, 1, 1)) for _ in chain.kinds]
    for k in range(6):
        frames[places[k]] = exponential(twists[k], q[:, k]) @ frames[places[k]]
    blur = 1e-14 * rng.normal(size=(6, 6))  # no start stops at an exactly singular matrix
    for _ in range(iterations):
        total, columns = closure(chain, frames)
        gap = error_twist(chain.displacement, total)
        steps = np.linalg.solve(columns + blur, gap[..., None])[..., 0]
        # at most 0.7 rad or 1000 lengths a step
        steps /= np.maximum(1, np.abs(steps / np.where(turning, 0.7, 1000.0)).max(axis=1))[:, None]
        q = q + steps
        for k in range(6):
            frames[places[k]] = exponential(twists[k], steps[:, k]) @ frames[places[k]]
    total, _ = closure(chain, frames)
    scale = 1 + np.max([np.abs(f[:, :3, 3]).max(axis=1) for f in frames], axis=0)
    good = np.abs(total - chain.displacement).max(axis=(1, 2)) < 1e-10 * scale
    good &= (np.abs(q[:, screws]) < WINDOW).all(axis=1)
    return distinct([[frame[i] for frame in frames] for i in np.flatnonzero(good)])


def distance(a: list[Array], b: list[Array]) -> float:
    """Largest difference of two assemblies, relative to the size of their slides."""
    x, y = np.array(a), np.array(b)
    return float(np.abs(x - y).max() / (1 + np.abs(x[:, :3, 3]).max()))


def distinct(assemblies: list[list[Array]], tolerance: float = 1e-6) -> list[list[Array]]:
    kept: list[list[Array]] = []
    for assembly in assemblies:
        if all(distance(assembly, other) > tolerance for other in kept):
            kept.append(assembly)
    return kept


def random_chain(kinds: str, rng: np.random.Generator) -> Chain:
    """A chain with these letters in random order, random axes and points, and a D that it can reach."""
    kinds = "".join(rng.permutation(list(kinds)))
    n = len(kinds)
    axes = rng.normal(size=(n, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    chain = Chain(kinds, axes, rng.normal(size=(n, 3)), rng.uniform(0.1, 0.5, n), np.eye(4))
    return reachable(chain, rng)


def reachable(chain: Chain, rng: np.random.Generator) -> Chain:
    """The same chain with D = T₁ … Tₙ at random coordinates."""
    twists, _ = chain.twists
    q = np.where(twists[:, :3].any(axis=1), rng.uniform(-np.pi, np.pi, 6), rng.normal(size=6))
    total = np.eye(4)
    for k in range(6):
        total = total @ exponential(twists[k], q[k : k + 1])[0]
    return Chain(chain.kinds, chain.axes, chain.points, chain.pitches, total)


def implicit_rates(chain: Chain, frames: list[Array], twist: Array) -> list[Array]:
    """dM M⁻¹ (6) of every element when D moves with the spatial *twist* (6), from the linearised closure."""
    _, columns = closure(chain, [f[None] for f in frames])
    rates = np.linalg.solve(columns[0], twist)
    twists, places = chain.twists
    return [rates[places == i] @ twists[places == i] for i in range(len(frames))]
