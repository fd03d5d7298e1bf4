"""Places in the arrays of a kinematic solution: integers ``ic`` and numbers ``w``."""

from __future__ import annotations

# --- ic: sizes, addresses of functions, choices ----------------------------------------------------------------------
NQ, NV, NS, M, RANK = 0, 1, 2, 3, 4
GAP, CLOSURE, BEND, JERK, RETRACT, COUNT = 5, 6, 7, 8, 9, 10
PARAMETERS = 11
METHOD, ORDER, DERIVATIVES, LIMIT = 12, 13, 14, 15
POINTS, TIMES, STATES, ACCELERATIONS, JERKS, SPENT = 16, 17, 18, 19, 20, 21

# --- ic: what it cost -------------------------------------------------------------------------------------------------
ITERATIONS, FACTORISATIONS, EVALUATIONS, STEPS, REJECTED = 22, 23, 24, 25, 26

# --- ic: offsets into w, and of the pivots in ic itself ---------------------------------------------------------------
SCALE, WEIGHTS, MATRIX, TAU, NORMS, RIGHT, STEP = 27, 28, 29, 30, 31, 32, 33
OUT, NOW, BASE, EXTENDED, MOVED, BEFORE, PIVOTS = 34, 35, 36, 37, 38, 39, 40
ALONG, NP = 41, 42  # address of the parameters of every time, or 0, and how many they are
STOP = 43  # somebody wants it to end
SIZE = 44

# --- w ----------------------------------------------------------------------------------------------------------------
TOLERANCE, REACHED = 0, 1
NUMBERS = 2

# --- methods ----------------------------------------------------------------------------------------------------------
NEWTON, DAMPED, MODIFIED, LEAST_SQUARES = 0, 1, 2, 3
