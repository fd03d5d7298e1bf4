"""What the kernels of constrained systems share: sizes, compiled functions, counters and work. Matrices are column-major."""

from __future__ import annotations

from linkwork.numerics.kernels.constrained.operations import Operation
from linkwork.numerics.kernels.constrained.sparse_system import SparseSystem
from linkwork.numerics.kernels.language.records import (
    Floats,
    Ints,
    ModelFunction,
    Record,
    SeriesFunction,
    array,
    borrowed,
    part,
)
from linkwork.numerics.kernels.linear.iteration import IterationPolicy
from linkwork.numerics.kernels.linear.slope import Slope


class Workspace(Record):
    """A constrained system, see ``numerics/flows/context.py``, with the memory of its flows."""

    nq: int  # positions
    nv: int  # velocities
    ns: int  # other states
    n: int  # nq + nv + ns
    m: int  # constraint rows that hold
    holonomic: int  # how many of them restrict positions; they come first
    every: int  # constraint rows, with those that do not hold now; arrays have room for all
    every_position: int  # how many of them restrict positions
    square: int  # nv, or 0 where no operation solves with matrices of all velocities, which then take no memory
    selectors: Ints = array("every")  # where p says whether a row holds, -1: it always does
    active: Ints = array("every")  # places of the rows that hold, ascending
    closure: ModelFunction  # Φ (every, zero where a row restricts velocities only), C (every, nv), a (every)
    terms: ModelFunction  # q̇ (nq), ṡ (ns), h (nv), b (every), M (nv, nv), C (every, nv)
    retract: ModelFunction | None = None
    reframe: ModelFunction | None = None  # None: positions have no charts
    entrywise: int  # 1: C and M are known by their entries, in *sparse*, and arrays for all of them stay empty
    at_hand: int  # 1: the factors of the conditions at hand are those of *sparse*
    sparse: SparseSystem = borrowed()
    accelerate: ModelFunction | None = borrowed()  # ẏ (nq + nv + ns), health
    p: Floats = borrowed()
    scale: Floats = array("nv")  # typical size of each coordinate; 0 holds a coordinate fixed in a projection

    # --- procedures
    evaluation_count: int
    refreshing_count: int
    evaluation: list[Operation] = array("evaluation_count")  # what gives ẏ, one after the other
    refreshing: list[Operation] = array("refreshing_count")  # what puts an accepted state right

    # --- what the kernels find out
    rank: int  # expected rank of C; -1: not known yet
    position_rank: int  # of the rows that restrict positions; -1: not known yet
    served: int  # pivots of the last constraint factorisation that belong to them
    failure: int  # code of the last failure, 0: none yet
    failed_row: int = -1  # constraint row that the last failure is about, or -1
    failed_coordinate: int = -1  # index into v that the last failure is about, or -1
    failed_value: float  # residual or pivot of the last failure
    iterations: int  # of the last position solution, or corrections of multipliers in all
    limit: int  # most iterations of a position projection
    fallbacks: int  # how often the straight-line acceleration was refused and the dense solution taken
    evaluations: int  # of the augmented Lagrangian
    most: int  # most corrections of one evaluation
    changes: int  # how often the independent set has changed
    logged: int  # entries in the log, the first set included
    log_limit: int
    log_times: Floats = array("log_limit")
    log_sets: Ints = array("log_limit", "nv")  # one independent set a line, filled up with -1
    health_limit: float  # smallest relative pivot with which the straight-line acceleration is trusted
    switch_ratio: float  # the set is changed when its worst pivot falls below this fraction of the best set's
    last_time: float  # of the last state at which the set was examined
    residual: float  # largest scaled residual of the last position solution
    correction: float  # largest scaled correction made by the last projection
    tolerance: float  # residual of positions that asks for their correction

    # --- choices and factors
    order: Ints = array("nv")
    independent: Ints = part("order", "nv - rank")  # coordinates
    dependent: Ints = part("order", "rank")
    rows: Ints = array("m")  # independent constraint rows, then redundant ones
    pivots: Ints = array("nv + m")  # of the constraint factorisation
    choice: Ints = array("nv + m")  # pivots of smaller factorisations
    kept: Ints = array("nv")  # independent set before a change
    state: Floats = array("n")  # handed to retract
    moved: Floats = array("nq")  # positions before or after a move
    step: Floats = array("nv")  # correction of the positions
    closure_out: Floats = array("every", "nv + 2")
    phi: Floats = part("closure_out", "m")  # Φ
    c: Floats = part("closure_out", "m", "nv")  # C
    a: Floats = part("closure_out", "m")
    terms_out: Floats = array("nq + ns + nv + every + square * nv + every * square")
    qdot: Floats = part("terms_out", "nq")
    sdot: Floats = part("terms_out", "ns")
    h: Floats = part("terms_out", "nv")
    b: Floats = part("terms_out", "m")
    inertia: Floats = part("terms_out", "square", "nv")  # M
    terms_c: Floats = part("terms_out", "m", "square")  # C once more
    accelerate_out: Floats = array("n + 1")
    factors: Floats = array("nv", "m")  # Householder QR of the scaled Cᵀ
    tau: Floats = array("nv + m")
    norms: Floats = array("nv + m")
    weights: Floats = array("m")  # 1 / norm of each scaled constraint row, 0 for an empty row
    x: Floats = array("nv + m")
    bias: Floats = array("nv")  # v̇ at v̇_I = 0
    lu: Floats = array("square", "nv")  # factors of the dependent block
    row_scale: Floats = array("nv")
    mass: Floats = array("square", "nv")
    mass_factor: Floats = array("square", "nv")
    basis: Floats = array("square", "nv")  # (nv, k) null space of C
    product: Floats = array("square", "nv")
    reduced: Floats = array("square", "nv")  # mass matrix on the null space
    frame: Floats = array("square", "nv")  # (k, nv) null space in the mass metric; its squared column lengths are cos²α
    cos2: Floats = array("nv")  # cos²α
    framed: Floats = array("nq + 1")  # positions in other charts, and whether they are others
    penalty: Floats = array("every")  # α of each constraint row
    multipliers: Floats = array("m")  # λ* of the augmented Lagrangian
    multiplier_policy: IterationPolicy = borrowed()  # of their corrections
    by_lu: int  # 1: the factors of the penalised matrix are those of LU, in mass_factor; 0: of Cholesky, in mass

    # --- independent velocities B S⁻¹ v
    inputs: Floats = array("square", "nv")  # (k, nv) rows of B
    former_inputs: Floats = array("square", "nv")  # before their last change
    version: int  # how often B had changed when those in inputs were chosen
    former_version: int  # and those in former_inputs
    basis_kind: int  # how B is found
    mode: int  # of a stabilised partition: what the errors and pivots of the last step ask for
    closed: int  # 1: positions at hand satisfy the conditions
    lapack_work: Floats = array("6 * nv")  # see linear/lapack.py
    lapack_cells: Ints = array("6")
    independence: float  # of the rows of B from those of C, the best since they were chosen
    alpha: float  # damping of errors of velocity
    beta: float  # and of position
    jacobian_rate: ModelFunction = borrowed()  # Ċ, for a basis of the admissible velocities that is differentiated
    c_rate: Floats = array("every", "nv")  # Ċ

    # --- canonical flows
    augmented: int  # 1: velocities from momenta by penalties, 0: by the null space
    encode: ModelFunction = borrowed()  # state of a canonical flow from y
    rates: ModelFunction = borrowed()  # derivative of that state
    inner: Floats = array("n + m")  # q, v, s and the impulses τ of a canonical flow
    inner_state: Floats = part("inner", "n")
    impulses: Floats = part("inner", "m")
    integrals: int  # how many ∫Φ stand behind the momenta and other states, m or 0
    units: Floats = array("nv")  # inertia that each momentum is counted in

    # --- implicit stages
    stage: ModelFunction = borrowed()  # equations of a stage
    place: ModelFunction = borrowed()  # its positions and own states
    acceleration_terms: ModelFunction = borrowed()  # those of accelerations, where terms are those of momenta
    stage_policy: IterationPolicy = borrowed()  # of corrections of the positions, before the multipliers are raised
    augmentations: int  # how often they are raised once the iteration has converged; -1: after every iteration
    symmetric: int  # 1: the tangent is symmetric
    stages: int
    stage_iterations: int  # of all stages
    stage_most: int  # of one
    unfinished: int  # stages that were accepted above their tolerance
    stage_in: Floats = array("2 * n + 3 + m")
    stage_state: Floats = part("stage_in", "n")  # q, v, s
    stage_hat: Floats = part("stage_in", "n")  # what they are given
    stage_taus: Floats = part("stage_in", "3")  # τ, τ_q, the longest τ so far
    raised: Floats = part("stage_in", "m")  # λ*
    stage_out: Floats = array("nv + m + 1 + square * nv + m * nv")
    stage_residual: Floats = part("stage_out", "nv")
    push: Floats = part("stage_out", "m")  # u
    stage_error: Floats = part("stage_out", "1")  # largest error of Φ
    stage_tangent: Floats = part("stage_out", "square", "nv")
    push_slope: Floats = part("stage_out", "m", "nv")  # ∂u/∂v
    place_out: Floats = array("2 * nq + ns")
    placed_q: Floats = part("place_out", "nq")
    placed_s: Floats = part("place_out", "ns")
    placed_qdot: Floats = part("place_out", "nq")
    first_multipliers: Floats = array("m")  # of the start, fading
    worst_error: float  # largest error of the conditions at the end of a stage
    longest: float  # τ of all stages so far

    # --- passages of singular positions
    followed: Floats = array("n")  # a state further along the velocities
    given: Floats = array("n")  # a state before it is solved
    rates_out: Floats = array("n")  # rates that nobody needs
    gathered: Floats = array("nq + 2 * nv + square * nv")  # by interpolation
    gathered_state: Floats = part("gathered", "nq + nv")  # q, v
    gathered_bias: Floats = part("gathered", "nv")  # ξ
    gathered_basis: Floats = part("gathered", "square", "nv")  # A
    last_rows: Floats = array("m", "nv")  # C at the last state at which the set was examined
    lengths: Floats = array("m")  # the greatest length that each row of C S has had
    passages: int  # how many singular positions have been passed
    apart: int  # 1: the branches near the last states do not meet
    watched: int  # 1: last_rows are those of the last step, where nothing returns a state to its conditions
    passing: int  # 1: the dependent part of the last state was interpolated, A and ξ are gathered
    nearing: int  # short steps in a row near a singular position
    pivot: float  # smallest one of the dependent block at the last solution
    near_time: float  # of the last step
    usual_step: float  # its length before a singular position came near

    # --- power series and ∂ẏ/∂y
    series: SeriesFunction | None = None
    series_work: Floats = borrowed()
    slope: Slope | None = None

    # --- differential and algebraic equations
    dae_residual: ModelFunction = borrowed()  # of (t, [z, v̇], p)
    dae_tangent: ModelFunction = borrowed()
    dae_size: int  # length of z
    dae_stabilised: int  # how many multipliers of positions stand behind λ
    dae_count: int  # entries of the tangent
    dae_places: Ints = borrowed()  # row + column n, and n² more in ∂F/∂ż
    dae_in: Floats = array("dae_size + nv")  # z, v̇
    dae_entries: Floats = array("dae_count")
