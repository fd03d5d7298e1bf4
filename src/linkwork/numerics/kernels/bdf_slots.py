"""Where backward differences of variable order and step keep their things: ``ic``, ``w`` are the memory of the family."""

from __future__ import annotations

MOST = 5  # largest order
WIDTH = MOST + 3

# --- ic ----------------------------------------------------------------------------------------------------------------
ORDER = 0  # k
EQUAL = 1  # steps in sequence of the same size and order, the last one included
TRIES = 2  # rejections in sequence
ITERATIONS = 3  # of the step attempted
AHEAD, END, PREDICTED, ADDED = 4, 5, 6, 7  # offsets in w
HEADER = 8

# --- w: scalars and rows of numbers ------------------------------------------------------------------------------------
STEP = 0  # size of the steps between the states that the differences belong to
ALPHA = 1  # (1 − κ_k) γ_k by the order
GAMMA = ALPHA + MOST + 1  # γ_k = 1 + 1/2 + ... + 1/k
CONSTANTS = GAMMA + MOST + 1  # of the error, κ_k γ_k + 1/(k + 1)
CHANGE = CONSTANTS + MOST + 1  # (WIDTH, WIDTH) and work of the same size: from differences of one step size to another
UNIT = CHANGE + WIDTH * WIDTH

# --- w: blocks of states -----------------------------------------------------------------------------------------------
DIFFERENCES = UNIT + WIDTH * WIDTH  # ∇^j y_n, (WIDTH, n)
# at AHEAD: the same with the step attempted (WIDTH, n); at END: those at its end, for output inside it (WIDTH, n)
# at PREDICTED: p (n); at ADDED: d = y₊ − p (n)
