"""Where the linear multistep methods of fixed step keep their things: ``ic`` and ``w`` are the memory of the family."""

from __future__ import annotations

# --- ic ----------------------------------------------------------------------------------------------------------------
STEPS = 0  # k
FILLED = 1  # how many rows of the history are of the past at the step size
STATES_KEPT = 2  # 1: the history is one of states, 0: of their rates
IMPLICIT = 3  # 1: the corrector is solved by the solver of the flow
CORRECTIONS = (
    4  # of a predictor-corrector: how many, 0: the predictor is all, < 0: until they no longer change the state
)
STARTING = 5  # 1: the step attempted was one of the starting method
LACK, TABLE = 6, 7  # offsets in w: what the dense output lacks at the end (n), extrapolation table (k, 4 n)
HEADER = 8

# --- w: scalars, then rows of k or k + 1 numbers, then blocks of states ----------------------------------------------
STEP = 0  # step size of the history
END_WEIGHT = 1  # β₀
MOST_STEPS = 5
PREDICTOR = 2  # (k) weights of the history
CORRECTOR = PREDICTOR + MOST_STEPS  # (k)
DENSE = CORRECTOR + MOST_STEPS  # (k + 1, k + 1)
WORK = DENSE + (MOST_STEPS + 1) ** 2  # (k + 1)
ROWS = WORK + MOST_STEPS + 1  # (k + 1, n): the end of the step attempted, and the history from the last point backwards
