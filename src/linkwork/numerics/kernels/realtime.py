"""Steps of fixed size with a clock at each of them: nothing is allocated, and no Python runs between them.

After every step the outputs are evaluated there, a sample goes into the ring of the last ones, and the time that all
this took is entered: sum, worst, missed deadlines, histogram with bins of equal ratio.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

from linkwork.numerics.kernels import control as slot
from linkwork.numerics.kernels import realtime_slots as watch
from linkwork.numerics.kernels.advance import advance
from linkwork.numerics.kernels.calling import at, call_clock, call_counter, call_model, doubles, integers, kernel
from linkwork.numerics.kernels.stages import show


@kernel("int64(int64* c, double* r, int64* m, double* x, int64 count)")
def take_steps(c, r, m, x, count):
    """Take *count* steps, fewer if one fails or the flow asks for its owner; return how many were taken."""
    m[watch.TRIED] = 0
    for done in range(count):
        begin = now(m)
        c[slot.CHUNK_STEPS] = 1
        before = c[slot.ACCEPTED]
        advance(c, r)
        if c[slot.ACCEPTED] == before or c[slot.STATUS] != slot.RUNNING:
            m[watch.TRIED] = 1
            return done
        m[watch.STEPS] += 1
        look(c, r, m)
        if m[watch.RING_ROWS] > 0 and m[watch.STEPS] % m[watch.EVERY] == 0:
            keep(c, r, m)
        enter(m, x, (now(m) - begin) * x[watch.TICK])
        if c[slot.ATTENTION] != 0:
            return done + 1
    return count


@kernel("int64(int64* m)")
def now(m):
    """Ticks of a clock that does not go back."""
    ticks = integers(m[watch.TICKS])
    if m[watch.CLOCK_KIND] == watch.COUNTER:
        call_counter(m[watch.CLOCK], ticks)
        return ticks[0]
    call_clock(m[watch.CLOCK], m[watch.CLOCK_CHOICE], ticks)
    return ticks[0] * 1000000000 + ticks[1]


@kernel("void(int64* c, double* r, int64* m)")
def look(c, r, m):
    """What is seen of the state: [y, v̇], and the outputs."""
    seen = doubles(m[watch.SEEN])
    n = c[slot.SHOWN]
    if show(c, r[slot.TIME], doubles(c[slot.STATE]), seen) < 0:
        for i in range(n):
            seen[i] = math.nan
    rates = at(doubles(c[slot.DERIVATIVES]), m[watch.POSITIONS])
    for i in range(m[watch.VELOCITIES]):
        seen[n + i] = rates[i]
    if m[watch.OUTPUTS] != 0:
        call_model(m[watch.OUTPUTS], r[slot.TIME], seen, doubles(m[watch.PARAMETERS]), doubles(m[watch.VALUES]))


@kernel("void(int64* c, double* r, int64* m)")
def keep(c, r, m):
    """Write a sample over the oldest one."""
    size, count = c[slot.SHOWN] + m[watch.VELOCITIES], m[watch.PARAMETER_COUNT]
    seen, p = doubles(m[watch.SEEN]), doubles(m[watch.PARAMETERS])
    row = at(doubles(m[watch.RING]), (m[watch.RING_NEXT] % m[watch.RING_ROWS]) * (1 + size + count))
    row[0] = r[slot.TIME]
    for i in range(size):
        row[1 + i] = seen[i]
    for i in range(count):
        row[1 + size + i] = p[i]
    m[watch.RING_NEXT] += 1


@kernel("void(int64* m, double* x, double duration)")
def enter(m, x, duration):
    """Enter the duration of a step, s."""
    x[watch.LAST] = duration
    x[watch.TOTAL] += duration
    if duration > x[watch.WORST]:
        x[watch.WORST] = duration
        m[watch.WORST_STEP] = m[watch.STEPS]
    if duration > x[watch.DEADLINE]:
        m[watch.MISSED] += 1
    place = 0
    if duration > watch.FIRST_BIN:
        place = int(math.log(duration / watch.FIRST_BIN) * (watch.BINS_PER_OCTAVE / math.log(2.0)))
    integers(m[watch.HISTOGRAM])[min(place, m[watch.BINS] - 1)] += 1
