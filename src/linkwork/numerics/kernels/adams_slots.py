"""Where the Adams method of variable order and step keeps its things: ``ic`` and ``w`` are the memory of the family."""

from __future__ import annotations

MOST = 12  # largest order

# --- ic ----------------------------------------------------------------------------------------------------------------
ORDER = 0  # k
POINTS = 1  # how many differences are known: 0 ... POINTS − 1
EQUAL = 2  # steps in sequence of the same size, the last one included
STARTING = 3  # 1: the order grows and the step doubles with every step
LOWER = 4  # 1: after the step attempted, a lower order would have done as well
TRIES = 5  # rejections in sequence
HEADER = 6

# --- w: scalars --------------------------------------------------------------------------------------------------------
STEP = 0  # size of the last step
ERROR_LOWER = 1  # error of the step attempted, had it been of order k − 1

# --- w: rows of numbers ------------------------------------------------------------------------------------------------
WIDTH = MOST + 2
PAST = 2  # t_n − t_{n−i}
G = PAST + WIDTH  # g_j of the step attempted
WEIGHTS = G + WIDTH  # g_j(θ)
POLYNOMIAL = WEIGHTS + WIDTH  # work
CONSTANTS = POLYNOMIAL + WIDTH  # γ*_j
EVEN = CONSTANTS + WIDTH  # γ_j: g_j of equal steps

# --- w: blocks of states -----------------------------------------------------------------------------------------------
# behind the differences those of the step attempted, β_j Φ_j(n), (WIDTH, n), then two rows of the dense output
DIFFERENCES = EVEN + WIDTH  # Φ_j(n), (WIDTH, n)
BLOCKS = 2 * WIDTH + 2
