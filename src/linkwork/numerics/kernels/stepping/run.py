"""All that a run of an integrator remembers: it can be left and resumed at any accepted step."""

from __future__ import annotations

from linkwork.numerics.kernels.language.records import (
    Code,
    Floats,
    FlowFunction,
    FlowSeriesFunction,
    Ints,
    MachineFunction,
    ModelFunction,
    Record,
    RefreshFunction,
    StageFunction,
    array,
    borrowed,
    part,
)
from linkwork.numerics.kernels.stepping.newton import NewtonMemory
from linkwork.numerics.kernels.stepping.status import LOOKS


class AttemptFunction(MachineFunction):
    """A step of this size, or what its dense output needs beside it; its error where it is adaptive."""

    def __call__(self, run: Stepping, h: float) -> Code:
        raise NotImplementedError


class InterpolateFunction(MachineFunction):
    """The state at a part of the step attempted."""

    def __call__(self, run: Stepping, h: float, theta: float, out: Floats) -> Code:
        raise NotImplementedError


class AcceptFunction(MachineFunction):
    """The step attempted counts, and ends with this state and derivative."""

    def __call__(self, run: Stepping, h: float, new: Floats, derivative: Floats) -> None:
        raise NotImplementedError


class RestartFunction(MachineFunction):
    """The history is void."""

    def __call__(self, run: Stepping) -> None:
        raise NotImplementedError


class Stepping(Record):
    """The memory of a run. Families of methods that remember more add to it."""

    # --- sizes
    states: int  # n
    shown: int  # length of a state as the outside sees it, n unless there is a decode
    stages: int  # s, stages of the step; stage s is the derivative at its end
    all_stages: int  # s + 1 + extra stages of the dense output
    degree: int  # of the dense output
    adaptive: int  # 1: the step size follows the error; 0: it is fixed
    grid_size: int
    event_count: int  # number of event functions
    step_capacity: int  # room for times of steps
    record_capacity: int  # room for located events
    positions: int  # how many states come first whose rates follow from the others
    velocities: int  # how many states follow the positions that are velocities

    # --- counters
    status: int
    failure: int  # last failure code of the flow since the last accepted step
    grid_index: int  # next grid point to be written
    accepted: int
    rejected: int
    evaluations: int
    iterations: int  # of Newton's method in implicit stages
    step_index: int  # next free place for the time of a step
    record_index: int  # next free place for an event
    looked: int  # whether event functions were looked at inside the step attempted
    densified: int  # whether its dense output is there
    max_steps: int
    chunk_steps: int  # attempts until the kernel must return
    stalled: int  # creeping steps, and failures of the flow by their weight, since stall_time
    attention: int  # 1 when a refresh has asked for its owner
    void: int  # RESTART or RENEWED when the history of the step is void
    end_open: int  # 1: the step attempted has left its end to be evaluated, once it is corrected
    order: int  # of the step, where that changes
    own_control: int  # 1: the family of the method chooses the next step itself
    watch: int  # suspicion of stiffness at which somebody is asked, 0: nobody watches
    suspicion: int
    calm: int  # steps since the last one that looked stiff
    review_at: int  # accepted steps after which somebody is asked anyway, 0: never

    # --- times, tolerances, step size
    time: float
    step: float  # proposed step size
    start: float
    end: float
    pause: float  # the kernel returns after the first step that reaches this time
    max_step: float
    min_step: float  # near t = 0; elsewhere it is a matter of the resolution of time
    relative: float  # relative tolerance
    error: float  # weighted norm of the error of the step that is attempted
    last_error: float  # error of the last accepted step
    alpha: float  # h ← h · 0.9 · err^-α · err_last^β
    beta: float
    second_weight: float  # of the second estimator in the error norm, 0 = there is none
    stall_time: float  # from which on the run may be stuck
    stiffness: float  # h ρ as the last step looks
    stiff_limit: float  # from which on stability may limit the steps

    # --- the flow, and what solves its implicit stages
    flow: FlowFunction
    refresh: RefreshFunction | None = None
    series: FlowSeriesFunction | None = None
    reads: Ints | None = (
        borrowed()
    )  # states that the flow reads in this step, behind how many they are; -1: any of them
    decode: FlowFunction | None = None  # from the state that is integrated to the one that is shown; None: the same
    flow_memory: Record
    solve: StageFunction = borrowed()
    solver_memory: Record = borrowed()
    newton: NewtonMemory = borrowed()  # the same, where its equations are known
    energy_function: ModelFunction = borrowed()
    energy_parameters: Floats = borrowed()
    event_function: ModelFunction = borrowed()
    event_parameters: Floats = borrowed()
    event_directions: Ints = borrowed()
    event_terminal: Ints = borrowed()

    # --- the family of the method, see advance.py
    attempt: AttemptFunction
    densify: AttemptFunction
    interpolate: InterpolateFunction
    accept: AcceptFunction
    restart_history: RestartFunction
    nodes: Floats = borrowed()  # c, (all stages)
    matrix: Floats = borrowed()  # A, (all stages, all stages), rows
    estimators: Floats = borrowed()  # (2, all stages): weights of the two error estimators
    dense: Floats = borrowed()  # P, (all stages, degree), rows
    levels: Floats | None = borrowed()  # (n) powers of the step size that errors are multiplied by

    # --- work and output
    grid: Floats = borrowed()
    output: Floats = array("grid_size", "shown")
    step_times: Floats = array("step_capacity")
    records: Floats = array("record_capacity", "2 + shown")  # located events: index, t, y
    absolute: Floats = array("states")  # absolute tolerances
    state: Floats = array("states")  # y at time
    new_state: Floats = array("2", "states")  # y at the end of the step, before and after refresh
    scratch: Floats = array("states")
    hat: Floats = array("states")  # what an implicit stage is given: y = hat + τ k
    view: Floats = array("shown")
    derivatives: Floats = array("all_stages + 1", "states")  # k; the last row is the derivative after a refresh
    stage_rates: Floats = part("derivatives", "stages", "states")
    end_rates: Floats = part("derivatives", "states")  # at the end of the step
    stage_states: Floats = array("all_stages", "states")  # of Runge-Kutta stages, at which their derivatives were taken
    weights: Floats = array("all_stages")  # b(θ)

    # --- event functions: their values, and what is known of their zeros in the step attempted
    at_start: Floats = array("event_count")
    at_end: Floats = array("event_count")
    inside: Floats = array("event_count")  # where somebody looks
    looks: Floats = array(f"{LOOKS}", "event_count")  # at the places of looks inside the step
    crossings: Floats = array("event_count")  # θ of the next one; negative: there is none
    noise: Floats = array("event_count")  # rounding errors
    safe: Floats = array("event_count")  # θ behind which the next crossing is looked for
    signs: Floats = array("event_count")  # behind that θ
    event_rates: Floats = array("event_count")  # in the last step
    low: float  # θ of both ends of a bracket, and values there
    high: float
    low_value: float
    high_value: float
    corner: float  # θ of the corner between four or five places, which is that of lines through them
    corner_places: Floats = array("5")  # θ
    corner_values: Floats = array("5")

    # --- what is kept of steps for the integrals of powers, see keeping.py
    node_count: int  # states of every step, 0: none
    node_kind: int
    node_width: int  # numbers of a step
    node_index: int  # next free place
    node_capacity: int  # the last place from which a step may begin
    node_source: Floats = borrowed()  # where the family has its series
    node_rows: Ints = borrowed()  # (nodes) of stages, their rows
    node_places: Floats = borrowed()  # (nodes) θ of each
    node_states: Floats = borrowed()  # (steps, width)
    node_sizes: Floats = borrowed()  # (steps) h of the step attempted, which an event may cut; of knots their times
    node_ends: Floats = borrowed()  # (steps) time at the end
    node_orders: Ints = borrowed()  # (steps) of knots and series
