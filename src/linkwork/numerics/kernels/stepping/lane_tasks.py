"""Tasks of lanes: runs of one system that wait in a queue, and the memory of the lanes that they are done in.

Number i of lane l lies at a[i * LANES + l]. A *task* can be left at the end of any step and taken up again; who takes it up
may give it other functions. It ends as DONE, or is handed back: to change the formulas that close its loops (CHANGE, with
those that are better), or because lanes cannot do it (ELSEWHERE): it fails, creeps, is stiff, or leaves all formulas.
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.calling import kernel
from linkwork.numerics.kernels.language.records import (
    Floats,
    Ints,
    MachineFunction,
    ModelFunction,
    Record,
    array,
    borrowed,
)

LANES = 8
DONE, CHANGE, ELSEWHERE = range(3)
"""What has become of a task."""
NONE = -1  # no task


class LanesFunction(MachineFunction):
    """A straight-line function of a model for all lanes: out of times, states and parameters."""

    def __call__(self, t: Floats, y: Floats, p: Floats, out: Floats) -> None:
        raise NotImplementedError


class LoopFormulas(Record):
    """Formulas that close loops in another way: positions and velocities with their health, and the branches of a state."""

    state: ModelFunction
    select: ModelFunction | None = None
    first_selector: int  # behind the parameters
    selector_count: int


class LaneRun(Record):
    """Tasks of one system and one method, and the lanes that they are done in."""

    # --- the system
    states: int  # n
    closed: int  # how many of them the formulas give, the first ones; 0: none
    parameters: int  # selectors included
    width: int  # numbers that the flow gives: ẏ, and perhaps its health behind it
    floor: float  # of the health: below it nothing counts
    near_end: float  # below it other formulas are looked at
    better: float  # how much better these must be
    hopeless: float  # below it, with none better, lanes are left
    flow: LanesFunction
    close: LanesFunction | None = None
    formulas: int  # in use, by number
    formulas_count: int  # of those that there are
    room: int  # for formulas
    pending: int  # 1 while more could be had
    others: list[LoopFormulas] = array("room")
    first_place: int  # of all selectors in the parameters

    # --- the method
    stages: int
    all_stages: int
    degree: int
    adaptive: int
    second_weight: float
    alpha: float
    beta: float
    nodes: Floats = borrowed()
    matrix: Floats = borrowed()
    estimators: Floats = borrowed()
    dense: Floats = borrowed()
    relative: float
    absolute: Floats = borrowed()  # (n, LANES)
    min_step: float
    max_attempts: int  # steps of one task, rejected ones included
    watch: int  # suspicion at which steps count as stiff; 0: nobody looks
    stiff_limit: float

    # --- the tasks
    tasks: int
    start: float
    end: float
    grid_size: int
    grid: Floats = borrowed()
    queue_size: int
    queue: Ints = borrowed()  # tasks that are to be done, in this order
    next_place: int  # in the queue
    times: Floats = borrowed()  # (tasks) reached
    sizes: Floats = borrowed()  # (tasks) of the next step
    last_errors: Floats = borrowed()  # (tasks)
    outcomes: Ints = borrowed()  # (tasks)
    wishes: Ints = borrowed()  # (tasks) formulas to change to
    accepted: Ints = borrowed()  # (tasks)
    rejected: Ints = borrowed()  # (tasks)
    outputs: Ints = borrowed()  # (tasks) grid points that are written
    task_states: Floats = borrowed()  # (tasks, n)
    task_rates: Floats = borrowed()  # (tasks, n) there
    task_parameters: Floats = borrowed()  # (tasks, parameters)
    output: Floats = borrowed()  # (tasks, grid_size, n), not closed

    # --- the lanes
    task: Ints = array("8")
    failed: Ints = array("8")  # 1: the last attempt was
    suspicion: Ints = array("8")
    calm: Ints = array("8")
    time: Floats = array("8")
    step: Floats = array("8")
    new_time: Floats = array("8")
    size: Floats = array("8")  # h
    sizes_of_states: Floats = array("states", "8")  # the same for each state
    moment: Floats = array("8")  # of a stage
    error: Floats = array("8")
    last_error: Floats = array("8")
    health: Floats = array("8")  # the least of a step
    end_health: Floats = array("8")  # that at its end
    first: Floats = array("8")  # sums of errors
    second: Floats = array("8")
    y: Floats = array("states", "8")
    new: Floats = array("states", "8")
    stage: Floats = array("states", "8")
    inside: Floats = array("states", "8")  # of a stage of the dense output
    sums: Floats = array("states", "8")
    rates: Floats = array("all_stages", "width", "8")  # of all stages, as the flow gives them
    p: Floats = array("parameters", "8")
    closing: Floats = array("closed + 1", "8")
    lone_state: Floats = array("states")
    lone_parameters: Floats = array("parameters")
    lone_closed: Floats = array("closed + 1")


@kernel
def load(run: LaneRun, l: int) -> None:
    """The next task into a free lane, or none where there is no more."""
    if run.next_place >= run.queue_size:
        run.task[l] = NONE
        run.step[l] = 0.0
        return
    task = run.queue[run.next_place]
    run.next_place += 1
    run.task[l] = task
    run.time[l], run.step[l], run.last_error[l] = run.times[task], run.sizes[task], run.last_errors[task]
    run.failed[l], run.suspicion[l], run.calm[l] = 0, 0, 0
    n, count = run.states, run.parameters
    for i in range(n):
        run.y[i * LANES + l] = run.task_states[task * n + i]
        run.rates[i * LANES + l] = run.task_rates[task * n + i]
    for i in range(count):
        run.p[i * LANES + l] = run.task_parameters[task * count + i]


@kernel
def leave(run: LaneRun, l: int, outcome: int) -> None:
    """Hand the task of a lane back, and take the next one."""
    task, n = run.task[l], run.states
    run.outcomes[task] = outcome
    run.times[task], run.sizes[task], run.last_errors[task] = run.time[l], run.step[l], run.last_error[l]
    for i in range(n):
        run.task_states[task * n + i] = run.y[i * LANES + l]
    load(run, l)


@kernel
def begin_lanes(run: LaneRun) -> None:
    """The first tasks into the lanes."""
    run.next_place = 0
    for l in range(LANES):
        load(run, l)
