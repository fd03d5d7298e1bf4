"""How places that stick together share what they hold, where that is not unique: the largest part of each is least.

With the parts x = f / b of what each can hold,

    K x = d,   t = max |x_c| least,

where c are the components that have one bound together. Of one component each this is a linear program. Of two, with the
multipliers y of the first line, it is the same as

    F(y) = Σ |K_cᵀ y| least,   d · y = 1,   t = 1 / F,   x_c = t K_cᵀ y / |K_cᵀ y|,

which has as many unknowns as there are independent directions in which anything is held. In place of |u| stands
√(u² + ε²) with an ε that goes to zero: the parts of a place with u = 0, which holds less than its largest part, follow
with it, and K x = d is right for every ε.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.arrays import Array

LEAST = 1e-290  # of bounds that are some
INDEPENDENT = 1e-10  # eigenvalue, of the largest, of a direction in which something is held
SMOOTH = np.logspace(
    0, -8, 9
)  # ε, of the largest |u| at the beginning; a smaller one loses as much to rounding errors of y
NEWTON, HALVINGS = 40, 40  # steps for each ε, and halvings of one
FLAT = 1e-14  # slope of F that is none


def share_evenly(matrix: Array, needed: Array, bounds: Array, together: Sequence[Sequence[int]]) -> Array:
    """f with *matrix* f = *needed* and the least max |f| / bounds; together: those with one |f|, by places."""
    values, vectors = np.linalg.eigh(matrix)
    known = vectors[:, values > INDEPENDENT * values[-1]].T
    sizes = np.maximum(bounds, 1e-300 + 1e-12 * np.max(bounds, initial=0.0))
    target = known @ np.linalg.lstsq(matrix, needed, rcond=INDEPENDENT)[0]
    single = len(together) == len(bounds)
    if single and len(known) == 1:
        # one freedom, |Σ s f/b| = |target|: all take the same part
        scaled = known[0] * sizes
        whole = float(np.sum(np.abs(scaled)))
        return np.asarray(np.sign(scaled) * sizes * (target[0] / whole if whole > LEAST else 0.0))
    found = _of_one(known * sizes, target) if single else _of_several(known * sizes, target, together)
    return np.asarray(known.T @ target if found is None else found * sizes)


def _of_one(rows: Array, target: Array) -> Array | None:
    """The parts (n) of components that have a bound each."""
    from scipy.optimize import linprog  # slow to import, and few mechanisms have several places that stick

    n = rows.shape[1]
    every, ones = np.eye(n), -np.ones((n, 1))
    found = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=np.block([[every, ones], [-every, ones]]),
        b_ub=np.zeros(2 * n),
        A_eq=np.column_stack([rows, np.zeros(len(rows))]),
        b_eq=target,
        bounds=[(None, None)] * n + [(0, None)],
        method="highs",
    )
    return None if found.x is None else np.asarray(found.x[:n])


def _of_several(rows: Array, target: Array, together: Sequence[Sequence[int]]) -> Array | None:
    """The parts (n) of components of which several have one bound."""
    length = float(np.linalg.norm(target))
    if not length > LEAST:
        return np.zeros(rows.shape[1])
    # own[c, i] is 1 for the components i of c
    own = np.zeros((len(together), rows.shape[1]))
    for c, places in enumerate(together):
        own[c, list(places)] = 1.0
    y, across = target / length**2, np.linalg.svd(target[None, :])[2][1:].T
    largest = float(np.sqrt(np.max(own @ (rows.T @ y) ** 2)))
    if not largest > LEAST:
        return None
    for part in SMOOTH:
        y = _least(rows, own, y, across, part * largest)
    parts = _parts(rows, own, y, SMOOTH[-1] * largest)[0]
    taken = float(target @ (rows @ parts))
    if not taken > LEAST:
        return None
    found = parts * (length**2 / taken)
    return np.asarray(found + np.linalg.lstsq(rows, target - rows @ found, rcond=INDEPENDENT)[0])


def _parts(rows: Array, own: Array, y: Array, smooth: float) -> tuple[Array, Array]:
    """u / √(u² + ε²) of all components, and these roots."""
    u = rows.T @ y
    roots = np.sqrt(own @ u**2 + smooth**2)
    return u / (own.T @ roots), roots


def _least(rows: Array, own: Array, y: Array, across: Array, smooth: float) -> Array:
    """The y of the least F for an ε, by Newton's method within d · y = 1."""
    for _ in range(NEWTON if across.size else 0):
        parts, roots = _parts(rows, own, y, smooth)
        slope = across.T @ (rows @ parts)
        if np.max(np.abs(slope)) <= FLAT * np.max(np.abs(rows)):
            break
        among = own.T @ own
        bend = (np.diag(np.ones(len(parts))) - among * np.outer(parts, parts)) / (own.T @ roots)
        step = -across @ np.linalg.lstsq(across.T @ rows @ bend @ rows.T @ across, slope, rcond=None)[0]
        whole, size = float(np.sum(roots)), 1.0
        for _ in range(HALVINGS):
            new, longer = _parts(rows, own, y + size * step, smooth)
            if np.sum(longer) < whole or np.max(np.abs(across.T @ (rows @ new))) < 0.5 * np.max(np.abs(slope)):
                break
            size *= 0.5
        else:
            break  # rounding errors are all that is left
        y = y + size * step
    return y
