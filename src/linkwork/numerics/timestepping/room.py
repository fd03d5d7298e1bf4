"""The memory of a run by time stepping, for so many contacts as there are, and more where they become more."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from linkwork.arrays import Array
from linkwork.numerics.collision.broad_phase import make_room, scene_record
from linkwork.numerics.complementarity.choice import BLOCK, CONTACT, FLOP, NEAR, STEEP, solver_named
from linkwork.numerics.complementarity.contact_problem import ContactProblem
from linkwork.numerics.complementarity.semismooth_newton import SemismoothNewton
from linkwork.numerics.complementarity.solver import ContactSolver
from linkwork.numerics.kernels.collision.shape_record import MOST
from linkwork.numerics.kernels.complementarity.banded import Band
from linkwork.numerics.kernels.complementarity.cones import ConeProblem
from linkwork.numerics.kernels.complementarity.entries import ConeFunction
from linkwork.numerics.kernels.timestepping.contact_rows import ContactRows, LimitRow, TouchingBody
from linkwork.numerics.kernels.timestepping.islands import Island
from linkwork.numerics.kernels.timestepping.pushing import QUICK, SURE, LastPushes, Pushing
from linkwork.numerics.kernels.timestepping.step_memory import StepMemory, Tally
from linkwork.numerics.kernels.timestepping.step_touches import KeptTouches
from linkwork.numerics.timestepping.system import ShapePlan, StepSystem

EXACT = 1e-13  # error of conditions that is none, of the size of the mechanism
HITS = 1000  # impacts that are told one by one
CHANGES = 4096  # changes between touching, sticking, slipping and parting that are told one by one
FIRST, GROWTH = 8, 2  # contacts for each shape for which there is room at first; by how much it grows
SURE_ROOM = 64  # contacts at once for which there is room from the beginning where no more can be
SWEEPS = 400  # that piles get before factors are written
INSIDE = 60  # iterations of interior points
TRIED, LAST, SPLIT, DESCENT = 20, 150, 1000, 3000  # and of those that go on where these end, in the order of `_solvers`
CHEAP = 1e3  # sweeps that a factor may take, for which interior points are asked at once: a few from the last impulses


@dataclass
class Room:
    """How much there is room for: contacts, numbers of their rows, blocks of A, rows beside the diagonal of its factor."""

    contacts: int
    numbers: int
    blocks: int
    band: int

    @classmethod
    def first(cls, system: StepSystem) -> Room:
        """That of a run that begins."""
        most = FIRST + FIRST * len(system.shapes.records) + len(system.limits)
        return cls(most, 6 * most * max(system.widest, 1), 8 * most, min(3 * most, 100))

    @classmethod
    def lasting(cls, system: StepSystem) -> Room:
        """Room for all contacts that there can be, where they are few; else that of a run that begins."""
        meant = int(np.count_nonzero(np.triu(system.shapes.pairs >= 0)))
        most = MOST * meant + len(system.limits)
        if most > SURE_ROOM:
            return cls.first(system)
        return cls(most + 1, 6 * (most + 1) * max(system.widest, 1), (most + 1) ** 2, 3 * (most + 1))


def step_memory(system: StepSystem, room: Room, settings: StepSettings, grid: Array, y: Array) -> StepMemory:
    """All that a run works on."""
    shapes = system.shapes
    count = len(shapes.records)
    rows = contact_rows(system, room)
    memory = StepMemory(
        **{name: getattr(system, name) for name in ("nq", "nv", "ns", "m", "n", "out_size", "closure_size", "size")},
        island_count=len(system.islands),
        carrier_count=len(system.bodies),
        limit_count=len(system.limits),
        shape_count=count,
        law_count=len(shapes.laws),
        outputs=len(grid),
        t=float(grid[0]),
        start=float(grid[0]),
        theta=settings.theta,
        closed=EXACT * system.size,
        moving=int(system.moving),
        terms=system.terms,
        closure=system.closure,
        retract=system.retract,
        powers=system.powers,
        driven=int(system.driven),
        p=system.p,
        poses=system.poses,
        rows=rows,
        pushing=pushing_record(system, room, settings),
        tally=begin_tally(system),
        kept=begin_touching(system, room),
        grid=np.ascontiguousarray(grid, dtype=float),
        shown=np.full(len(grid) * system.n, np.nan),
        accelerations=np.full(len(grid) * system.nv, np.nan),
        energies=np.zeros(3 * len(grid)),
        longest=settings.step,
    )
    _fill(memory, system)
    memory.state[:] = y
    if count:
        memory.scene = scene_record(list(shapes.records), shapes.kinship)
    return memory


def begin_tally(system: StepSystem) -> Tally:
    """Nothing has happened yet."""
    pairs = len(system.shapes.records) ** 2 + len(system.limits)
    tally = Tally(pairs=max(pairs, 1), hit_room=HITS)
    tally.last[:] = -np.inf
    return tally


def begin_touching(system: StepSystem, room: Room) -> KeptTouches:
    """Nothing has touched yet."""
    pairs = len(system.shapes.records) ** 2 + len(system.limits)
    return KeptTouches(pairs=max(pairs, 1), room=GROWTH * room.contacts, change_room=CHANGES)


@dataclass(frozen=True)
class StepSettings:
    """step: the longest one, s; theta: of velocities in forces; solver: None: what suits; tolerance: residual beside |b|.

    iterations: the most of a problem; None: as many as it takes
    """

    step: float
    theta: float = 0.5
    solver: ContactSolver | None = None
    tolerance: float = 1e-8
    iterations: int | None = None


def _fill(memory: StepMemory, system: StepSystem) -> None:
    begin = 0
    for e, plan in enumerate(system.islands):
        island = Island(n=len(plan.columns), m=len(plan.rows), mass=plan.mass, slopes=plan.slopes, closing=plan.closing)
        island.columns[:], island.rows[:] = plan.columns, plan.rows
        memory.islands[e].island = island
        memory.starts[e] = begin
        begin += len(plan.columns)
    memory.starts[len(system.islands)] = begin
    memory.rows.entries = memory.islands
    for entry, body in zip(memory.carriers, system.bodies, strict=True):
        entry.carrier = TouchingBody(island=body.island, count=len(body.local), origin=body.origin, slopes=body.slopes)
        entry.carrier.local[:] = body.local
    for held, limit in zip(memory.limits, system.limits, strict=True):
        places = {name: getattr(limit, name) for name in ("island", "room", "slopes", "drift", "back")}
        held.limit = LimitRow(count=len(limit.local), **places)
        held.limit.local[:] = limit.local
    memory.of_shape[:], memory.law[:] = system.shapes.of_body, system.shapes.pairs.ravel()
    fill_laws(memory, system.shapes)


def fill_laws(memory: StepMemory, shapes: ShapePlan) -> None:
    """The numbers of the laws, with the values that live parameters have now."""
    for name in ("friction", "static", "fading", "restitution"):
        getattr(memory, name)[:] = [getattr(law, name) for law in shapes.laws]


def contact_rows(system: StepSystem, room: Room) -> ContactRows:
    """Room for the rows of contacts."""
    return ContactRows(
        most=room.contacts,
        room=room.numbers,
        islands=len(system.islands),
        blocks_room=room.blocks,
        planar=int(system.shapes.planar),
    )


def pushing_record(system: StepSystem, room: Room, settings: StepSettings) -> Pushing:
    """The solvers, each with memory for so many contacts."""
    model = ContactProblem.within_reach(room.contacts, max(room.band // 3, 1))
    width = min(room.band, 3 * room.contacts)
    problem = ConeProblem(count=room.contacts, rows=3 * room.contacts, blocks=room.blocks, numbers=9 * room.blocks)
    problem.mu = np.zeros(room.contacts)
    chosen = _solvers(system, settings)
    last = LastPushes(most=room.contacts, shapes_count=len(system.shapes.records), limits=len(system.limits))
    last.head[:] = -1
    pushing = Pushing(
        problem=problem,
        band=Band(rows=3 * room.contacts, count=room.contacts, room=0, width=0),
        count=len(chosen),
        band_room=width,
        last=last,
        tolerance=settings.tolerance,
        cheap=CHEAP,
        flop=FLOP,
        block=BLOCK,
        contact=CONTACT,
        contacts=room.contacts,
        forced=QUICK if settings.solver is not None and not settings.solver.factors else -1,
    )
    for entry, (solver, way) in zip(pushing.solvers, chosen, strict=True):
        entry.solve, entry.memory, entry.limit, entry.way = (
            ConeFunction(solver.entry),
            solver.memory(model),
            solver.limit,
            way,
        )
    return pushing


def _solvers(system: StepSystem, settings: StepSettings) -> list[tuple[ContactSolver, int]]:
    """Those that are asked, with their ways."""
    if settings.iterations is not None:
        return _bounded(settings.solver, settings.iterations)
    if settings.solver is not None:
        return [(settings.solver, -1)]
    names = ("semismooth_newton", "interior_point", "regularised_newton", "alternating_directions", "gauss_seidel")
    newton, sure, soft, few, sweeps = (solver_named(name) for name in names)
    near, inside = replace(newton, limit=NEAR), replace(sure, limit=INSIDE)
    split = [] if system.shapes.steepest > STEEP else [(few, QUICK)]
    quick = [(replace(sweeps, limit=SWEEPS), QUICK), *split, (inside, QUICK)]
    other = SemismoothNewton(limit=TRIED, function="alart_curnier")
    gradients = replace(solver_named("accelerated_gradient"), limit=DESCENT)
    last = [(replace(soft, limit=LAST), -1), (replace(few, limit=SPLIT), SURE), (gradients, SURE)]
    return [(near, SURE), (inside, SURE), (other, SURE), *quick, *last]


def _bounded(wanted: ContactSolver | None, most: int) -> list[tuple[ContactSolver, int]]:
    """Those that are asked where a problem has so many iterations at most: no more than that in each of the ways."""
    if wanted is not None:
        return [(replace(wanted, limit=most), -1)]
    sure, newton, sweeps = (solver_named(name) for name in ("interior_point", "semismooth_newton", "gauss_seidel"))
    near = min(NEAR, most // 2)
    first = [(replace(newton, limit=near), SURE)] if near else []
    return [*first, (replace(sure, limit=most - near), SURE), (replace(sweeps, limit=most), QUICK)]


def solved_by(memory: StepMemory, system: StepSystem, settings: StepSettings) -> dict[str, int]:
    """How many problems each solver has solved."""
    found: dict[str, int] = {}
    for (solver, _), count in zip(_solvers(system, settings), memory.pushing.solved_by, strict=True):
        found[solver.name] = found.get(solver.name, 0) + int(count)
    return found


def settle_records(memory: StepMemory) -> None:
    """Let the problem read what the rows write."""
    problem, rows = memory.pushing.problem, memory.rows
    problem.first, problem.starts, problem.columns = rows.first, rows.starts, rows.columns
    problem.places, problem.own, problem.matrix, problem.right = rows.blocks, rows.own, rows.matrix, rows.right


def grow(memory: StepMemory, system: StepSystem, room: Room, settings: StepSettings) -> None:
    """Records for more contacts; what the last step has left of impulses is lost."""
    worst = memory.pushing
    memory.rows = contact_rows(system, room)
    memory.rows.entries = memory.islands
    memory.pushing = pushing_record(system, room, settings)
    for name in ("failures", "iterations", "worst"):
        setattr(memory.pushing, name, getattr(worst, name))
    memory.pushing.solved_by[:] = worst.solved_by
    settle_records(memory)


def grow_touches(memory: StepMemory) -> None:
    """Room for more of what pushes at outputs."""
    old = memory.kept
    new = KeptTouches(pairs=old.pairs, room=GROWTH * (old.room + memory.rows.most), change_room=old.change_room)
    for name in ("shown", "touching", "changes"):
        setattr(new, name, getattr(old, name))
    for name in ("sample", "pair", "values", "closed", "state", "met", "now", "when", "which", "what"):
        before = getattr(old, name)
        getattr(new, name)[: len(before)] = before
    memory.kept = new


def grow_pairs(memory: StepMemory) -> None:
    """Room for more pairs of shapes."""
    assert memory.scene is not None
    make_room(memory.scene, GROWTH * memory.scene.room)
