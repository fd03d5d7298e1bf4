"""What a run by time stepping works on."""

from __future__ import annotations

from linkwork.numerics.kernels.collision.broad import SceneRecord
from linkwork.numerics.kernels.language.records import Floats, Ints, ModelFunction, Record, array, borrowed
from linkwork.numerics.kernels.timestepping.contact_rows import ContactRows, LimitRowEntry, TouchingBodyEntry
from linkwork.numerics.kernels.timestepping.islands import IslandEntry
from linkwork.numerics.kernels.timestepping.pushing import Pushing
from linkwork.numerics.kernels.timestepping.step_touches import KeptTouches


class Tally(Record):
    """What a run has come to so far; impulses, times and firsts by pairs of shapes (shape_count²), then limits.

    given, destroyed: energy (J) that elements and moving conditions have brought in, and they and contacts have taken out
    shifted: what taking overlaps apart has changed of it
    deepest: overlap (m) at the beginning of a step; open: error of the conditions at the end of one
    adrift: way (m) that what solvers have left over comes to, all steps together
    hits: (5) of each impact: time, both shapes, impulse, speed before; there is room for so many
    """

    pairs: int
    steps: int
    contacts: int  # most at once
    given: float
    destroyed: float
    shifted: float
    deepest: float
    open: float
    adrift: float
    impulse: Floats = array("pairs")
    touching: Floats = array("pairs")
    first: Floats = array("pairs")
    last: Floats = array("pairs")
    hit: Ints = array("pairs")
    hit_room: int
    hit_count: int
    hits: Floats = array("5 * hit_room")


class StepMemory(Record):
    """A run.

    state: [q, v, s]; middle: the state in which forces and contacts are looked at; terms: of it,
        ṡ (ns), h (nv), b (m), then M and C of islands, poses (12 each), bodies with shapes, limits, where their records say
    closure: [Φ (m), C of islands, a (m)]; retract: q ⊕ δ, δ in the place of v; without it q + δ
    z, given: (nv) of all islands, from starts on; c: what conditions change by in a step; push: what they push with
    """

    nq: int
    nv: int
    ns: int
    m: int
    n: int
    out_size: int
    closure_size: int
    island_count: int
    carrier_count: int
    limit_count: int
    shape_count: int
    law_count: int
    outputs: int
    t: float
    start: float
    theta: float
    size: float  # of the mechanism, m
    closed: float  # error of conditions that is none
    slack: float  # gap within which contacts take part, whatever their velocities
    moving: int  # whether forces depend on velocities
    terms: ModelFunction
    closure: ModelFunction | None = None
    retract: ModelFunction | None = None
    p: Floats = borrowed()
    islands: list[IslandEntry] = array("island_count")
    carriers: list[TouchingBodyEntry] = array("carrier_count")
    limits: list[LimitRowEntry] = array("limit_count")
    of_shape: Ints = array("shape_count")  # its carrier
    poses: int  # where the poses of shapes stand
    law: Ints = array("shape_count", "shape_count")  # of each pair, −1: it does not touch
    friction: Floats = array("law_count")  # of what slides
    static: Floats = array("law_count")  # of what sticks
    fading: Floats = array("law_count")  # speed over which the one becomes the other, 0: at once
    restitution: Floats = array("law_count")
    powers: ModelFunction | None = None  # of (t, [middle, v̇], p): brought in and destroyed by elements
    driven: int  # whether conditions move
    scene: SceneRecord | None = None
    rows: ContactRows
    pushing: Pushing
    tally: Tally
    kept: KeptTouches
    starts: Ints = array("island_count + 1")
    state: Floats = array("n")
    middle: Floats = array("n")
    work: Floats = array("n")
    next: Floats = array("n")
    out: Floats = array("out_size")
    open: Floats = array("closure_size")
    z: Floats = array("nv")
    given: Floats = array("nv")
    change: Floats = array("nv")
    shift: Floats = array("nv")
    c: Floats = array("m")
    push: Floats = array("m")
    moment: Floats = array("n + nv")
    power: Floats = array("2")
    # --- outputs
    grid: Floats = borrowed()
    grid_index: int
    shown: Floats = borrowed()  # (outputs, n)
    accelerations: Floats = borrowed()  # (outputs, nv)
    energies: Floats = borrowed()  # (outputs, 3) brought in, destroyed, and shifted so far
    longest: float  # step
    left: int  # steps to the next output, 0: not known yet
    h: float
    chunk: int
