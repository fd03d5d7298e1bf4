"""What of contacts a run keeps: what pushes at outputs, and from when to when pairs of shapes touch, stick and slip.

A place pushes where its impulse is more than what the solver may leave over. Of a pair all places count together: it sticks
where all do that push.
"""

from __future__ import annotations

from linkwork.numerics.kernels.complementarity.cones import slip_speed
from linkwork.numerics.kernels.language.calling import at, kernel
from linkwork.numerics.kernels.language.records import Floats, Ints, Record, array
from linkwork.numerics.kernels.timestepping.contact_rows import ContactRows

TOUCHES = 6  # there is no room for what pushes at an output
PARTED, SLIPS, STICKS = 0, 1, 2
PLACE = 13  # numbers of a place: where it is (3), n (3), the force along n, that along the surface (3), the slip (3)
INSIDE = 1e-6  # part of friction by which what sticks is below it
STILL = 10.0  # times what the solver may leave over, that is no slip


class KeptTouches(Record):
    """What was kept so far. pairs: of shapes, then limits.

    sample, pair, values: (shown) the output of a place that pushes, its pair, and its numbers, N and m/s in the world
    closed: (touching) pairs that touch now; state, met, now: of each pair, the step in which it was met last, and how
    when, which, what: (changes) times at which the state of a pair has changed, and its new one; there is room for so many
    """

    pairs: int
    room: int
    shown: int
    sample: Ints = array("room")
    pair: Ints = array("room")
    values: Floats = array("13 * room")
    touching: int
    closed: Ints = array("pairs")
    state: Ints = array("pairs")
    met: Ints = array("pairs")
    now: Ints = array("pairs")
    change_room: int
    changes: int
    when: Floats = array("change_room")
    which: Ints = array("change_room")
    what: Ints = array("change_room")


@kernel
def pair_of(rows: ContactRows, i: int, shapes: int) -> int:
    """The number of the pair of a contact, or of its limit."""
    a, b = rows.shapes[2 * i], rows.shapes[2 * i + 1]
    return a * shapes + b if a >= 0 else shapes * shapes + b


@kernel
def place_state(size: int, mu: float, f: Floats, u: Floats, least: float) -> int:
    """Whether a place that pushes slips or sticks: it slips where it rubs as much as it may, and moves."""
    if size == 1:
        return SLIPS
    if slip_speed(size, f) < (1.0 - INSIDE) * mu * f[0]:
        return STICKS
    # of several places some may rub as much as they may where all are at rest
    return SLIPS if slip_speed(size, u) > STILL * least else STICKS


@kernel
def note_touches(
    kept: KeptTouches, rows: ContactRows, f: Floats, least: float, shapes: int, step: int, t: float
) -> None:
    """Pairs that touch, stick or slip otherwise than a step before; least: speed (m/s) for which an impulse is none."""
    for i in range(rows.count):
        first = rows.first[i]
        if f[first] * rows.matrix[rows.own[i]] <= least:
            continue
        pair, u = pair_of(rows, i, shapes), at(rows.behind, 3 * i)
        found = place_state(rows.size[i], rows.mu[i], at(f, first), u, least)
        kept.now[pair] = min(kept.now[pair], found) if kept.met[pair] == step else found
        kept.met[pair] = step
        if kept.state[pair] == PARTED:
            kept.closed[kept.touching] = pair
            kept.touching += 1
            change(kept, pair, found, t)
    left = 0
    for k in range(kept.touching):
        pair = kept.closed[k]
        found = kept.now[pair] if kept.met[pair] == step else PARTED
        if found != kept.state[pair]:
            change(kept, pair, found, t)
        if found != PARTED:
            kept.closed[left] = pair
            left += 1
    kept.touching = left


@kernel
def change(kept: KeptTouches, pair: int, found: int, t: float) -> None:
    """The state of a pair from now on."""
    kept.state[pair] = found
    if kept.changes < kept.change_room:
        kept.when[kept.changes], kept.which[kept.changes], kept.what[kept.changes] = t, pair, found
    kept.changes += 1


@kernel
def show_touches(kept: KeptTouches, rows: ContactRows, f: Floats, shapes: int, output: int, h: float) -> None:
    """What pushes at an output, as means of the step of size h before it."""
    for i in range(rows.count):
        first = rows.first[i]
        if f[first] <= 0.0:
            continue
        k, out = kept.shown, at(kept.values, PLACE * kept.shown)
        kept.sample[k], kept.pair[k] = output, pair_of(rows, i, shapes)
        axes = at(rows.axes, 9 * i)
        for l in range(3):
            out[l], out[3 + l], out[7 + l], out[10 + l] = rows.point[3 * i + l], axes[l], 0.0, 0.0
            for r in range(1, rows.size[i]):
                out[7 + l] += axes[3 * r + l] * f[first + r] / h
                out[10 + l] += axes[3 * r + l] * rows.behind[3 * i + r]
        out[6] = f[first] / h
        kept.shown += 1
