"""Slots of the two control blocks that the kernels of the integrators and their caller share (plain numbers).

``control`` (int64) holds sizes, counters and addresses; ``real`` (float64) holds times, tolerances and the step size.
A run can be left and resumed at any accepted step, because everything that it remembers stands here.
"""

# sizes
(
    STATES,  # n
    SHOWN,  # length of a state as the outside sees it, n unless there is a DECODE
    STAGES,  # s, stages of the step; stage s is the derivative at its end
    ALL_STAGES,  # s + 1 + extra stages of the dense output
    DEGREE,  # of the dense output
    ADAPTIVE,  # 1: the step size follows the error; 0: it is fixed
    GRID_SIZE,
    EVENT_COUNT,  # number of event functions
    STEP_CAPACITY,  # room for times of steps
    RECORD_CAPACITY,  # room for located events
    # counters
    STATUS,
    FAILURE,  # last failure code of the flow since the last accepted step
    GRID_INDEX,  # next grid point to be written
    ACCEPTED,
    REJECTED,
    EVALUATIONS,
    STEP_INDEX,  # next free place for the time of a step
    RECORD_INDEX,  # next free place for an event
    MAX_STEPS,
    CHUNK_STEPS,  # attempts until the kernel must return
    STALLED,  # creeping steps, and failures of the flow by their weight, since STALL_TIME
    ATTENTION,  # 1 when a refresh has asked for its owner
    VOID,  # RESTART or RENEWED when the history of the step is void
    END_OPEN,  # 1: the step attempted has left its end to be evaluated, once it is corrected
    ITERATIONS,  # of Newton's method in implicit stages
    POSITIONS,  # how many states come first whose rates follow from the others
    OWN_CONTROL,  # 1: the family of the method chooses the next step itself
    # addresses
    FLOW,
    REFRESH,
    ATTEMPT,  # this and the next four: the family of the method, see advance.py
    INTERPOLATE,
    DENSIFY,
    ACCEPT,
    RESTART_HISTORY,
    OWN_INTEGERS,  # memory of the family, laid out as it likes
    OWN_NUMBERS,
    SOLVE,  # finds an implicit stage, 0: there are none
    NEWTON,  # 1: memory of the solver is that of newton.py, so that its equations are known
    SOLVER_INTEGERS,
    SOLVER_WORK,
    DECODE,  # from the state that is integrated to the one that is shown, 0: they are the same
    FLOW_INTEGERS,
    FLOW_WORK,
    NODES,  # c, (all stages)
    MATRIX,  # A, (all stages, all stages), rows
    ESTIMATORS,  # (2, all stages): weights of the two error estimators
    DENSE,  # P, (all stages, degree), rows
    ABSOLUTE,  # absolute tolerances (n)
    LEVELS,  # (n) powers of the step size that errors are multiplied by, 0: none
    GRID,
    OUTPUT,  # (grid, shown)
    STEP_TIMES,
    EVENT_FUNCTION,
    EVENT_PARAMETERS,
    EVENT_DIRECTIONS,
    EVENT_TERMINAL,
    RECORDS,  # located events: (index, t, y) in rows of 2 + shown
    STATE,  # y at TIME (n)
    NEW_STATE,  # y at the end of the step, before and after refresh (2, n)
    SCRATCH,  # (n)
    HAT,  # (n) what an implicit stage is given: y = hat + τ k
    VIEW,  # (shown)
    DERIVATIVES,  # k, (all stages + 1, n); the last row is the derivative after a refresh
    WEIGHTS,  # b(θ), (all stages)
    EVENT_VALUES,  # g at start, end, inside; θ, rounding errors of g, θ before a dip, ġ, looks: (12, events); a corner
    VELOCITIES,  # how many states follow the positions that are velocities
    ENERGY_FUNCTION,  # model function of the energy, 0: none
    ENERGY_PARAMETERS,
    SERIES,  # power series of the flow, 0: it has none
    WATCH,  # suspicion of stiffness at which somebody is asked, 0: nobody watches
    SUSPICION,
    CALM,  # steps since the last one that looked stiff
    REVIEW_AT,  # accepted steps after which somebody is asked anyway, 0: never
    STAGE_STATES,  # (all stages, n) the states of Runge-Kutta stages, at which their derivatives were taken
    NODE_COUNT,  # states that are kept of every step for the integrals of powers, 0: none
    NODE_KIND,  # what they are, see below
    NODE_WIDTH,  # numbers of a step
    NODE_SOURCE,  # where the family has its series
    NODE_ROWS,  # (nodes) of stages, their rows
    NODE_PLACES,  # (nodes) θ of each
    NODE_STATES,  # (steps, width)
    NODE_SIZES,  # (steps) h of the step attempted, which may have been cut by an event; of knots their times
    NODE_ENDS,  # (steps) time at the end
    NODE_ORDERS,  # (steps) of knots and series
    NODE_INDEX,  # next free place
    NODE_CAPACITY,  # the last place from which a step may begin
    CONTROL_SIZE,
) = range(87)

(
    TIME,
    STEP,  # proposed step size
    START,
    END,
    PAUSE,  # the kernel returns after the first step that reaches this time
    MAX_STEP,
    MIN_STEP,  # near t = 0; elsewhere it is a matter of the resolution of time
    RELATIVE,  # relative tolerance
    ERROR,  # weighted norm of the error of the step that is attempted
    LAST_ERROR,  # error of the last accepted step
    ALPHA,  # h ← h · 0.9 · err^-α · err_last^β
    BETA,
    SECOND_WEIGHT,  # of the second estimator in the error norm, 0 = there is none
    STALL_TIME,  # from which on the run may be stuck
    STIFFNESS,  # h ρ as the last step looks
    STIFF_LIMIT,  # from which on stability may limit the steps
    REAL_SIZE,
) = range(17)

# values of STATUS
RUNNING, COMPLETED, EVENT, STEP_TOO_SMALL, NOT_FINITE, FLOW_FAILED, TOO_MANY_STEPS, HANDED_OVER = range(8)

NODE_DENSE, NODE_STAGES, NODE_KNOTS, NODE_SERIES = range(4)
"""Values of NODE_KIND: nodes of the dense output, stages, ends of steps, power series; see ``keeping.py``."""

NOT_FINITE_CODE = -1_000_000
"""Failure code that the integrator itself gives to infinite or undefined values."""

ATTEND = 2
"""What a refresh returns when its owner should look after it before the next step; the derivative is unchanged."""

RESTART = 3
"""What a refresh returns when the state means something else now: its derivative is another, histories are void."""

RENEWED = 4
"""The same, where not only positions have become other numbers, but states behind them too, such as momenta."""

HELD = -2
"""Direction of an event function that must stay positive: it counts where it is negative at the end of a step by more than
its rounding errors, even if it was not positive at the start."""

WATCHED = -3
"""The same, of a function that is looked at inside the steps too: it may be negative there and positive at both ends."""

EVENT_ROWS, LOOKS, CORNER = 7, 5, 11
"""What EVENT_VALUES holds: rows of all functions, behind them those of looks inside a step, and the numbers of a corner."""

STRONG = 32
"""How much more a step near the stability limit counts than others that may be stiff."""
