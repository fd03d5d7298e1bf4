"""Where the constrained kernels keep their things in ``ic`` and ``w``.

``ic`` (int64) begins with scalars: sizes, addresses, counters. Then come the slots that hold the offset of a block:
index blocks lie further back in ``ic``, number blocks in ``w``. All matrices are column-major.
"""

from __future__ import annotations

# --- ic: sizes and addresses -----------------------------------------------------------------------------------------
NQ, NV, NS, M = 0, 1, 2, 3  # positions, velocities, other states, constraint rows
CLOSURE, TERMS, RETRACT, ACCELERATE, PARAMETERS = 4, 5, 6, 7, 8

# --- ic: what the kernels find out -----------------------------------------------------------------------------------
RANK = 9  # expected rank of C; -1: not known yet
FAILURE = 10  # code of the last failure, 0: none yet
FAILED_ROW = 11  # constraint row that the last failure is about, or -1
FAILED_COORDINATE = 12  # index into v that the last failure is about, or -1
ITERATIONS = 13  # of the last position solution
LIMIT = 14  # most iterations of a position projection
FALLBACKS = 15  # how often the straight-line acceleration was refused and the dense solution taken
CHANGES = 16  # how often the independent set has changed
LOGGED = 17  # entries in the log, the first set included
LOG_LIMIT = 18

# --- ic: offsets of index blocks in ic -------------------------------------------------------------------------------
ORDER = 19  # (nv) independent coordinates, then dependent ones
ROWS = 20  # (m) independent constraint rows, then redundant ones
PIVOTS = 21  # (nv + m) pivots of the constraint factorisation
CHOICE = 22  # (nv + m) pivots of smaller factorisations
KEPT = 23  # (nv) independent set before a change
LOG_SETS = 24  # (LOG_LIMIT, nv) one independent set a line, filled up with -1

# --- ic: offsets of number blocks in w -------------------------------------------------------------------------------
SCALE = 25  # (nv) typical size of each coordinate; 0 holds a coordinate fixed in a projection
STATE = 26  # (nq + nv + ns) state handed to retract
MOVED = 27  # (nq) positions before or after a move
STEP = 28  # (nv) correction of the positions
CLOSURE_OUT = 29  # Φ (m, zero where a row restricts velocities only), C (m, nv), a (m)
TERMS_OUT = 30  # q̇ (nq), ṡ (ns), h (nv), b (m), M (nv, nv), C (m, nv)
ACCELERATE_OUT = 31  # ẏ (nq + nv + ns), health
FACTORS = 32  # (nv, m) Householder QR of the scaled Cᵀ
TAU = 33  # (nv + m)
NORMS = 34  # (nv + m)
WEIGHTS = 35  # (m) 1 / norm of each scaled constraint row, 0 for an empty row
X = 36  # (nv + m)
BIAS = 37  # (nv) v̇ at v̇_I = 0
LU = 38  # (nv, nv) factors of the dependent block
ROW_SCALE = 39  # (nv)
MASS = 40  # (nv, nv)
MASS_FACTOR = 41  # (nv, nv)
BASIS = 42  # (nv, k) null space of C
PRODUCT = 43  # (nv, nv)
REDUCED = 44  # (nv, nv) mass matrix on the null space
FRAME = 45  # (k, nv) null space in the mass metric; its squared column lengths are cos²α
COS2 = 46  # (nv) cos²α
LOG_TIMES = 47  # (LOG_LIMIT)
FRAMED = 48  # (nq + 1) positions in other charts, and whether they are others
PENALTY = 49  # (m) α of each constraint row
MULTIPLIERS = 50  # (m) λ* of the augmented Lagrangian

# --- ic: further addresses and counters ------------------------------------------------------------------------------
REFRAME = 51  # 0: positions have no charts
EVALUATIONS = 52  # of the augmented Lagrangian
MOST = 53  # most corrections of one evaluation
INPUTS = 54  # (k, nv) rows of B: the independent velocities are B S⁻¹ v
BASIS_KIND = 55  # how B is found
MODE = 56  # of a stabilised partition: what the errors and pivots of the last step ask for

# --- ic: rows that restrict velocities only --------------------------------------------------------------------------
HOLONOMIC = 57  # how many rows restrict positions; they come first
SERVED = 58  # pivots of the last constraint factorisation that belong to them
POSITION_RANK = 59  # expected rank of these rows; -1: not known yet

# --- ic: canonical flows ---------------------------------------------------------------------------------------------
AUGMENTED = 60  # 1: velocities from momenta by penalties, 0: by the null space
ENCODE = 61  # state of a canonical flow from y
RATES = 62  # derivative of that state
INNER = 63  # offset of a number block: (nq + nv + ns + m) q, v, s and the impulses τ of a canonical flow
INTEGRALS = 64  # how many ∫Φ stand behind the momenta and other states, m or 0
UNITS = 65  # offset of a number block: (nv) inertia that each momentum is counted in
FORMER_INPUTS = 66  # offset of a number block: (k, nv) rows of B before its last change
VERSION, FORMER_VERSION = 67, 68  # how often B had changed when those in INPUTS and in FORMER_INPUTS were chosen

# --- ic: a basis of the admissible velocities that is differentiated ---------------------------------------------------
JACOBIAN_RATE = 69  # address of Ċ
C_RATE = 70  # offset of a number block: (m, nv) Ċ

# --- ic: implicit stages ---------------------------------------------------------------------------------------------
STAGE, PLACE = 71, 72  # functions: equations of a stage; its positions and own states
ACCELERATION_TERMS = 73  # the terms of accelerations, where TERMS are those of momenta
STAGE_LIMIT = 74  # most iterations before the multipliers are raised
AUGMENTATIONS = 75  # how often they are raised once the iteration has converged; -1: after every iteration
SYMMETRIC = 76  # 1: the tangent is symmetric
STAGES, STAGE_ITERATIONS, STAGE_MOST = 77, 78, 79  # counters: stages, iterations of all, most of one
UNFINISHED = 80  # stages that were accepted above their tolerance
STAGE_IN = 81  # offset: q, v, s (n), what they are given (n), τ, τ_q, the longest τ so far, λ* (m)
STAGE_OUT = 82  # offset: residual (nv), u (m), largest error of the conditions, tangent (nv, nv), ∂u/∂v (m, nv)
PLACE_OUT = 83  # offset: q (nq), s (ns), q̇ (nq)
FIRST_MULTIPLIERS = 84  # offset: (m) of the start, fading

# --- ic: passages of singular positions; offsets of number blocks in w ---------------------------------------------------
FOLLOWED = 85  # (nq + nv + ns) a state further along the velocities
GIVEN = 86  # (nq + nv + ns) a state before it is solved
RATES_OUT = 87  # (nq + nv + ns) rates that nobody needs
GATHERED = 88  # (nq + (2 + k) nv) q, v, ξ and A by interpolation
LAST_ROWS = 89  # (m, nv) C at the last state at which the set was examined
LENGTHS = 90  # (m) the greatest length that each row of C S has had
PASSAGES = 91  # how many singular positions have been passed
APART = 92  # 1: the branches near the last states do not meet

# --- ic: power series --------------------------------------------------------------------------------------------------
SERIES, SERIES_WORK = 93, 94  # addresses, 0: there is none

# --- ic: differential and algebraic equations --------------------------------------------------------------------------
DAE_RESIDUAL, DAE_TANGENT = 95, 96  # functions of (t, [z, v̇], p)
DAE_SIZE = 97  # length n of z
DAE_STABILISED = 98  # how many multipliers of positions stand behind λ
DAE_COUNT = 99  # entries of the tangent
DAE_PLACES = 100  # address of their places (int64): row + column n, and n² more in ∂F/∂ż
DAE_IN = 101  # offset of a number block: z (n), v̇ (nv)
DAE_ENTRIES = 102  # offset of a number block: the entries
SLOPE = 103  # address of the table of ∂ẏ/∂y, 0: there is none
WATCHED = 104  # 1: LAST_ROWS are those of the last step, where nothing returns a state to its conditions
NEARING = 105  # short steps in a row near a singular position
HEADER = 106

# --- w: scalars ------------------------------------------------------------------------------------------------------
HEALTH_LIMIT = 0  # smallest relative pivot with which the straight-line acceleration is trusted
SWITCH_RATIO = 1  # the set is changed when its worst pivot falls below this fraction of the best set's
FAILED_VALUE = 2  # residual or pivot of the last failure
LAST_TIME = 3  # of the last state at which the set was examined
RESIDUAL = 4  # largest scaled residual of the last position solution
CORRECTION = 5  # largest scaled correction made by the last projection
TOLERANCE = 6  # change of the multipliers that ends their correction, or residual of the positions that asks for one
INDEPENDENCE = 7  # of the rows of B from those of C, the best since they were chosen
ALPHA, BETA = 8, 9  # damping of errors of velocity and of position
STAGE_TOLERANCE = 10  # scaled correction of the positions that ends the iteration of a stage; 0: nothing ends it early
WORST_ERROR = 11  # largest error of the conditions at the end of a stage
LONGEST = 12  # τ of all stages so far
PIVOT = 13  # smallest one of the dependent block at the last solution
NEAR_TIME, USUAL_STEP = 14, 15  # of the last step, and its length before a singular position came near
SCALARS = 16

# --- failure codes ---------------------------------------------------------------------------------------------------
POSITIONS_NOT_FOUND = -11
DEPENDENT_SINGULAR = -12
MASS_SINGULAR = -13
RANK_CHANGED = -14
NOT_FINITE = -15
VELOCITIES_NOT_FOUND = -16
STAGE_NOT_FOUND = -17
LEAPT = -18
NO_SERIES = -24

# --- thresholds on equilibrated matrices and scaled coordinates ------------------------------------------------------
RANK_TOLERANCE = 1e-9
EXPECTED_PIVOT = 1e-13  # a row of the expected rank is given up below this pivot
EMPTY_ROW = 1e-13  # relative to the largest row
FAINT_ROW = 1e-6  # relative to the largest row; fainter rows are stretched no more, lest their rounding errors count
REGULARISATION = 1e-12  # of a singular mass matrix, in the criterion only


# --- how B is found, and modes of a stabilised partition -------------------------------------------------------------
GAUSS, QR, SVD, GRAM_SCHMIDT, EIGENVECTORS = 0, 1, 2, 3, 4
FREE, DAMPED, SOLVED = 0, 1, 2


def index_blocks(nv: int, m: int, log_limit: int) -> dict[int, int]:
    """Length of each block of ``ic``, by the slot that holds its offset."""
    return {ORDER: nv, ROWS: m, PIVOTS: nv + m, CHOICE: nv + m, KEPT: nv, LOG_SETS: log_limit * nv}


def number_blocks(nq: int, nv: int, ns: int, m: int, log_limit: int) -> dict[int, int]:
    """Length of each block of ``w``, by the slot of ``ic`` that holds its offset."""
    n, square, long = nq + nv + ns, nv * nv, nv + m
    return {
        SCALE: nv,
        STATE: n,
        MOVED: nq,
        STEP: nv,
        CLOSURE_OUT: m * (nv + 2),
        TERMS_OUT: nq + ns + nv + m + square + m * nv,
        ACCELERATE_OUT: n + 1,
        FACTORS: nv * m,
        TAU: long,
        NORMS: long,
        WEIGHTS: m,
        X: long,
        BIAS: nv,
        LU: square,
        ROW_SCALE: nv,
        MASS: square,
        MASS_FACTOR: square,
        BASIS: square,
        PRODUCT: square,
        REDUCED: square,
        FRAME: square,
        COS2: nv,
        LOG_TIMES: log_limit,
        FRAMED: nq + 1,
        PENALTY: m,
        MULTIPLIERS: m,
        INPUTS: square,
        UNITS: nv,
        FORMER_INPUTS: square,
        C_RATE: m * nv,
        INNER: n + m,
        STAGE_IN: 2 * n + 3 + m,
        STAGE_OUT: nv + m + 1 + square + m * nv,
        PLACE_OUT: 2 * nq + ns,
        FIRST_MULTIPLIERS: m,
        FOLLOWED: n,
        GIVEN: n,
        RATES_OUT: n,
        GATHERED: nq + 2 * nv + square,
        LAST_ROWS: m * nv,
        LENGTHS: m,
    }
