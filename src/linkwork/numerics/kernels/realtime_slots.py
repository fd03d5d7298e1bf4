"""Slots of the block with which steps are watched in real time (``kernels/realtime.py``): integers, then numbers."""

(
    STEPS,  # taken since the last reset
    MISSED,  # of them, those that took longer than the deadline
    WORST_STEP,  # number of the slowest one
    TRIED,  # 1 when the last call ended in a step that failed
    # sizes
    POSITIONS,  # nq, first of the rates of velocities in a derivative
    VELOCITIES,  # nv of the accelerations that are seen, 0: none
    PARAMETER_COUNT,
    RING_ROWS,  # 0: no samples are kept
    RING_NEXT,  # samples written so far
    EVERY,  # steps between two samples
    BINS,
    # addresses
    OUTPUTS,  # compiled function (t, [y, v̇], p) → values, 0: none
    PARAMETERS,  # p
    SEEN,  # [y, v̇] at the end of the last step
    VALUES,
    RING,  # rows of t, y, v̇, p
    HISTOGRAM,  # int64 (bins)
    CLOCK,
    CLOCK_KIND,
    CLOCK_CHOICE,
    TICKS,  # int64 (2), what the clock writes to
    WATCH_SIZE,
) = range(22)

(
    TOTAL,  # s of all steps
    WORST,  # s of the slowest
    LAST,  # s of the last
    DEADLINE,  # s
    TICK,  # s of a tick of the clock
    TIMES_SIZE,
) = range(6)

TIMESPEC, COUNTER = range(2)
"""Kinds of clocks: ``clock_gettime(choice, {s, ns})``, and ``QueryPerformanceCounter({ticks})``."""

FIRST_BIN = 1e-8
"""s, lower end of the histogram of step times."""

BINS_PER_OCTAVE = 8
