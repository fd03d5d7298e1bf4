"""Where the kernels for explicitly closed systems keep their things in ``ic`` and ``w``.

``ic`` begins with scalars and offsets; then come a table with a line for every variant, a table with a line for every
block that is iterated, the unknowns of these blocks, and the log.
"""

# --- ic: scalars ------------------------------------------------------------------------------------------------------
NQ, NV, NS, PARAMETERS, RETRACT = 0, 1, 2, 3, 4
NET_INTEGERS, NET_WORK = 5, 6  # addresses of the context of a partition flow to fall back on; 0: there is none
VARIANT = 7  # the one in use; -1: the fall-back
COUNT = 8  # of variants
SELECTORS = 9  # place of the first selector in p
CHANGES = 10
LOGGED, LOG_LIMIT = 11, 12
FAILURE = 13  # code of the last failure, 0: none
FAILED_VARIANT = 14
FAILED_BLOCK = 15  # line of the table of iterations, or -1
PENDING = 27  # 1 while more variants could be prepared
REFRAME = 28  # address; 0: positions have no charts
# --- ic: offsets ------------------------------------------------------------------------------------------------------
TABLE = 16  # (COUNT, LINE)
ITERATIONS = 17  # (all, ITERATION_LINE)
LOG = 18  # (LOG_LIMIT) variants
PIVOTS = 19  # (largest block)
# --- ic: offsets of blocks in w
OUT = 20  # (nq + nv + ns + 1) what a function of a variant gives
SYSTEM = 21  # Φ (m) and its derivative (m, m) of the largest block
X = 22  # (largest block)
ROW_SCALE = 23  # (largest block)
SCALE = 24  # (nv) typical size of each coordinate
STEP = 25  # (nq + nv + ns) state handed to retract
LOG_TIMES = 26  # (LOG_LIMIT)
BEHIND = 29  # the variant that made the last step: for output points behind its end, and where it is repeated
HEADER = 30

# --- a line of TABLE --------------------------------------------------------------------------------------------------
FLOW, STATE, SELECT, FIRST_SELECTOR, SELECTOR_COUNT, FIRST_ITERATION, ITERATION_COUNT = 0, 1, 2, 3, 4, 5, 6
SERIES, SERIES_WORK = 7, 8  # addresses, 0: the variant has no power series
SLOPE = 9  # address of the table of ∂ẏ/∂y, 0: there is none
LINE = 10
# --- a line of ITERATIONS ---------------------------------------------------------------------------------------------
RESIDUAL, SIZE, UNKNOWNS = 0, 1, 2  # address, number of unknowns, offset of their places in v
ITERATION_LINE = 3

# --- w: scalars, then blocks ------------------------------------------------------------------------------------------
LAST_TIME, HEALTH = 0, 1
SCALARS = 2

# --- failure codes ----------------------------------------------------------------------------------------------------
BRANCH_ENDS = -21
NOT_CONVERGED = -22
BLOCK_SINGULAR = -23
NOT_FINITE = -15
NO_SERIES = -24

# --- thresholds of the health, a squared sine -------------------------------------------------------------------------
FLOOR = 1e-9  # below it positions, velocities and accelerations have lost too many digits
WATCH = 0.1  # below it other variants are looked at
BETTER = 2.0  # how much better another one must be
FALL_BACK = 1e-2  # below it, with no better variant, the fall-back takes over
RESUME = 3e-2  # above it a variant takes over from the fall-back
