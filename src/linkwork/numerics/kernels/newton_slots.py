"""Where the solver of implicit stages keeps its things: ``ic`` begins with scalars and offsets, blocks lie further back."""

from __future__ import annotations

# --- ic: sizes, addresses --------------------------------------------------------------------------------------------
SIZE, POSITIONS = 0, 1
RESIDUAL, TANGENT, INTEGERS, NUMBERS = 2, 3, 4, 5  # the equations and their own memory
LIMIT = 6  # most iterations with one matrix
FIXED = 7  # 1: exactly that many, whatever they find
CONSTANT = 8  # 1: steps are of fixed size, and the iteration goes on to rounding errors

# --- ic: what is known, and counters ---------------------------------------------------------------------------------
KNOWN = 9  # 1: Fy and Fk are those of a state not far away
FACTORED = 10  # 1: the matrix is factored for TAU and TAU_Q
ITERATIONS, JACOBIANS, FACTORISATIONS, FAILURES = 11, 12, 13, 14

# --- ic: offsets of blocks; PIVOTS in ic, the others in w ------------------------------------------------------------
PIVOTS = 15  # (n)
FY, FK, MATRIX = 16, 17, 18  # (n, n)
RESIDUALS, MOVE, FIRST, ROW_SCALE = 19, 20, 21, 22  # (n)
ABSOLUTE, LEVELS = 23, 24  # (n)
ROWS, COLUMNS = 25, 26  # (n) factors of the equilibrated matrix
RATED = 27  # how many states come first that have rates; the others are algebraic
ALGEBRAIC = 28  # 1: some unknowns are algebraic
GRADES = 29  # (n) powers of 1/τ that unknowns of one size grow with
HEADER = 30

# --- w: scalars ------------------------------------------------------------------------------------------------------
RELATIVE = 0
ACCURACY = 1  # weighted size of a correction that ends the iteration
TAU, TAU_Q = 2, 3  # of the matrix that is factored
RATE = 4  # of the last convergence
ASSUMED = 5  # rate of the next one before it is measured
SCALARS = 6

# --- ic and w of the equations of a flow -----------------------------------------------------------------------------
FLOW, FLOW_INTEGERS, FLOW_WORK = 0, 1, 2
SLOPE = 3  # exact ∂f/∂y, 0: by differences
COUNT = 4
RATE_HEADER = 5

# --- failure codes ---------------------------------------------------------------------------------------------------
NOT_CONVERGED, SINGULAR = -2001, -2002
