"""What constrained kernels return where they fail, their thresholds, and their choices (plain numbers)."""

from linkwork.numerics.policy import POLICY

# --- failure codes ---------------------------------------------------------------------------------------------------
POSITIONS_NOT_FOUND = -11
DEPENDENT_SINGULAR = -12
MASS_SINGULAR = -13
RANK_CHANGED = -14
NOT_FINITE = -15
VELOCITIES_NOT_FOUND = -16
STAGE_NOT_FOUND = -17
LEAPT = -18
BRANCH_ENDS = -21
NOT_CONVERGED = -22
BLOCK_SINGULAR = -23
NO_SERIES = -24

# --- thresholds on equilibrated matrices and scaled coordinates ------------------------------------------------------
RANK_TOLERANCE = POLICY.rank
EXPECTED_PIVOT = 1e-13  # a row of the expected rank is given up below this pivot
EMPTY_ROW = 1e-13  # relative to the largest row
FAINT_ROW = POLICY.faint  # relative to the largest row; fainter rows are stretched no more
REGULARISATION = 1e-12  # of a singular mass matrix, in the criterion only


# --- how B is found, and modes of a stabilised partition -------------------------------------------------------------
GAUSS, QR, SVD, GRAM_SCHMIDT, EIGENVECTORS = 0, 1, 2, 3, 4
FREE, DAMPED, SOLVED = 0, 1, 2
