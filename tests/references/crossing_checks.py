"""What a cell of the cross test is worth: its run against that of the usual combination.

A cell is right if its audit is clean and it moves as the usual run does, or if it is refused before it begins. It may stop
where the usual run stops too. Three more are honest, and are counted by themselves: it stops alone and names what goes on;
steps of one size or penalties are too coarse, its audit says so, and it really is off (and less so with smaller steps).
Everything else is a fault of the program.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from crossings import GROUP, SAMPLES, UNTIL, Cell

import linkwork as lw
from linkwork.numerics.integrators import method_named
from linkwork.results import Outcome
from linkwork.results.audit import Audit

MAX_STEPS = 30_000
TOLERANCE = {
    1: 1e-5,
    2: 1e-7,
    3: 1e-8,
}  # rtol by order, of adaptive methods that would take for ever with the usual one
USUAL_TOLERANCE = 1e-9
FINER = (1.0, 1 / 4, 1 / 16)  # steps of one size that are tried until they are right
FINEST, LOST = 1 / 64, 0.5  # where even those have lost the phase of a motion: nothing can be seen to converge there
LEAVES = 0.1  # of the largest value: a phase that begins to be lost
FEWEST = 4  # outputs that are compared
TIMES = np.linspace(0.0, UNTIL, SAMPLES)
SPREAD, STEPWISE = (
    1e4,
    10,
)  # tolerances that a run with a clean audit may be off, of the largest value, and in each step
PENALISED, COARSE, FIRST_ORDER = 1e-2, 5e-2, 1e-1  # the same by penalties, and by steps of one size
ORDERS_THAT_ARE_CLOSE, CLOSE = 4, 1e-4  # of steps of one size
OFF = 0.1  # of what is allowed: a run whose audit fails is off by that at least
CONVERGES = 0.7  # what is left of an error by steps of a quarter of the size
TOGETHER = 2e-3  # s between two runs that stop for the same reason
NEAR_THE_END = 0.97  # of the time until a run stops: speeds may grow beyond all bounds there
WORKS = ["work.supplied", "work.dissipated"]
STICKS = "jumps back and forth without end"
PASSES = "formulation 'partitioning' passes such positions"
OTHERS = [f"'{item.name}'" for item in (*lw.integrators.ALL, *lw.formulations.ALL)] + ["fixed_step", "a shorter step"]

REFUSED, RIGHT, STOPPED = "refused", "right", "stops as the usual run"
GIVES_UP, TOLD = "gives up and names what goes on", "told by its audit"
SLIDES, COSTLY = "goes on in small steps where a formula sticks", "needs more steps, and says so"
GOOD = (RIGHT, REFUSED, STOPPED, GIVES_UP, TOLD, SLIDES, COSTLY)  # each with its reason
WRONG, RAW, ALARM, ENDLESS = "WRONG", "RAW", "FALSE ALARM", "ENDLESS"
DEAD_END, INACCURATE, DIVERGES, USUAL = "DEAD END", "INACCURATE", "DIVERGES", "USUAL RUN FAILS"


@dataclass(frozen=True)
class Verdict:
    """A cell, what it is worth, and why; steps: of the longest run."""

    cell: Cell
    kind: str
    text: str = ""

    @property
    def good(self) -> bool:
        return self.kind in GOOD

    def __str__(self) -> str:
        return f"{self.kind}: {self.cell}\n    {self.text}"


@dataclass(frozen=True, eq=False)
class Moved:
    """How a run moved: names with (N,) values at N outputs, how well they are known, how it ended, its audit, and works."""

    found: dict[str, np.ndarray]
    outcome: Outcome
    audit: Audit
    works: Callable[[], np.ndarray]
    steps: int
    known: float = 0.0

    @property
    def samples(self) -> int:
        return len(next(iter(self.found.values())))


def check(cell: Cell) -> Verdict:
    """Run a cell and compare it with the usual combination."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            usual = _usual(cell.model)
            if usual is not None and usual.audit.passed is False and cell.number % GROUP == 0:
                return Verdict(cell, USUAL, f"{usual.audit}; {usual.outcome}")
            if "fixed_step" in cell.options:
                return _by_steps(cell, usual)
            return _judge(cell, usual, _run(cell.model, **_tolerances(cell), **cell.options))
        except lw.LinkworkError as error:
            return Verdict(cell, REFUSED, str(error)[:300])
        except Exception as error:
            return Verdict(cell, RAW, f"{type(error).__name__}: {str(error)[:300]}")


def _tolerances(cell: Cell) -> dict[str, Any]:
    name = cell.options.get("integrator")
    rtol = TOLERANCE.get(method_named(name).order, USUAL_TOLERANCE) if name else USUAL_TOLERANCE
    return {"rtol": rtol, "atol": rtol / 100, "max_steps": MAX_STEPS}


def _allowed(cell: Cell) -> float:
    """How far a run with a clean audit may be from the usual one."""
    if "fixed_step" in cell.options:
        return FIRST_ORDER if _order(cell) == 1 else COARSE
    allowed = min(SPREAD * _tolerances(cell)["rtol"], COARSE)
    return allowed if _is_exact(cell) else max(PENALISED, allowed)


def _order(cell: Cell) -> int | None:
    return method_named(cell.options["integrator"]).order if "integrator" in cell.options else None


def _is_exact(cell: Cell) -> bool:
    """Whether tolerances hold what a formulation leaves open."""
    return not any(word in cell.options["formulation"] for word in ("penalty", "augmented", "baumgarte", "stabilised"))


def _judge(cell: Cell, usual: Moved | None, moved: Moved) -> Verdict:
    """What a run is worth."""
    # steps have errors of about a tolerance, which add up
    allowed = min(max(_allowed(cell), STEPWISE * moved.steps * _tolerances(cell)["rtol"]), FIRST_ORDER)
    if usual is None:
        # there is nothing to compare it with
        return Verdict(cell, ALARM if moved.audit.passed is False else RIGHT, f"the usual is refused; {moved.audit}")
    apart, where = _apart(usual, moved)
    text = f"{apart:.1e} from the usual run in {where or 'nothing'} (known to {usual.known:.0e})"
    # steps of index 3 are chosen by positions; velocities, which follow from them, are less accurate
    coarse = "fixed_step" in cell.options or not _is_exact(cell) or "index3" in cell.options["formulation"]
    coarse |= not usual.outcome.completed  # beside a dead centre, where speeds and works grow beyond all bounds
    if moved.audit.passed is False and moved.samples:
        told = TOLD if coarse else INACCURATE
        apart = max(apart, _apart(usual, moved, to_the_end=True)[0], _works_apart(usual, moved))
        off = apart > max(OFF * min(allowed, PENALISED), 10 * usual.known)
        # loops that are open are measured, and not concluded from anything
        off |= "closure" in moved.audit and not moved.audit["closure"].passed
        # outputs behind the end of all motion are not those of the model, whatever they are
        off |= not usual.outcome.completed and moved.samples > usual.samples
        kind = told if off or _goes_on(usual, moved) else ALARM
        return Verdict(cell, kind, f"{'; '.join(moved.audit.findings)[:300]}; {text}; {moved.outcome}")
    if apart > max(allowed, 100 * usual.known):
        return Verdict(cell, WRONG, f"{text}; {moved.audit.line}; {moved.outcome}; usual {usual.outcome}")
    # who may be off by a part of the motion may be late by that part of the time
    return Verdict(cell, *_ending(usual, moved, text, max(TOGETHER, allowed * usual.outcome.time)))


def _works_apart(usual: Moved, moved: Moved) -> float:
    """How far works are off, of the largest: what an audit says of the energy may be true of them alone."""
    one, other = usual.works(), moved.works()
    count = min(one.shape[1], other.shape[1])
    gap = np.max(np.abs(one[:, :count] - other[:, :count]), initial=0.0)
    return float(gap / max(np.max(np.abs(one[:, :count]), initial=0.0), 1e-9))


def _goes_on(usual: Moved, moved: Moved) -> bool:
    """Whether a run goes on where the usual one cannot."""
    return not usual.outcome.completed and moved.outcome.time > usual.outcome.time + TOGETHER


def _ending(usual: Moved, moved: Moved, text: str, together: float = TOGETHER) -> tuple[str, str]:
    """Of two runs that move alike: whether they end alike, *together* (s)."""
    if moved.outcome.completed and usual.outcome.completed:
        return RIGHT, text
    if STICKS in usual.outcome.reason and _goes_on(usual, moved):
        return SLIDES, f"{text}; usual: {usual.outcome}"
    if moved.outcome.completed:
        return WRONG, f"goes on where the usual run {usual.outcome}; {text}"
    both = not usual.outcome.completed and abs(usual.outcome.time - moved.outcome.time) < together
    if both:
        return STOPPED, f"{moved.outcome}; usual: {usual.outcome}"[:500]
    if "allow more with max_steps" in moved.outcome.reason:
        return COSTLY, f"{moved.outcome}; usual: {usual.outcome}"[:500]
    kind = GIVES_UP if any(name in moved.outcome.reason for name in OTHERS) else DEAD_END
    return kind, f"{moved.outcome}; usual: {usual.outcome}"[:500]


def _by_steps(cell: Cell, usual: Moved | None) -> Verdict:
    """The same with steps of one size, and with smaller ones where they are too coarse: these have to be better."""
    first, last, samples = None, np.inf, SAMPLES
    for finer in (*FINER, FINEST):
        if finer == FINEST and last <= LOST:
            break
        step = finer * cell.options["fixed_step"]
        moved = _run(cell.model, samples, **{**cell.options, "fixed_step": step})
        found = _judge(cell, usual, moved)
        apart = _apart(usual, moved)[0] if usual is not None else 0.0
        close = apart <= (CLOSE if _is_close(cell) else _allowed(cell))
        first = first or found
        if found.kind not in (RIGHT, TOLD, GIVES_UP) or (found.kind == RIGHT and close):
            break
        ends = finer == FINEST or (finer == FINER[-1] and apart <= LOST)
        # of two phases that are lost none is nearer
        if found.kind == TOLD and ends and LOST > apart > max(CONVERGES * last, OFF * COARSE):
            return replace(found, kind=DIVERGES)
        if usual is not None and finer == FINER[0] and found.kind == TOLD:
            samples = _comparable(cell, usual, moved)
            usual, moved = _cut(usual, samples), _cut(moved, samples)
            apart = _apart(usual, moved)[0]
        last = apart
    if found.kind in (RIGHT, TOLD, GIVES_UP) and first is not found:
        return replace(first, text=f"{first.text}; {found.kind} with steps of {step:g} s: {found.text}")
    return found


def _comparable(cell: Cell, usual: Moved, moved: Moved) -> int:
    """Outputs up to which smaller steps are made: behind the end of the usual run there is nothing to compare with, and
    steps of first order do not find a phase again that they have lost, but have it as far as others leave it later."""
    if _goes_on(usual, moved):
        return max(usual.samples, FEWEST)
    if _order(cell) != 1 or _apart(usual, moved)[0] <= LOST:
        return SAMPLES
    return max(int(np.argmax(_gaps(usual, moved, min(usual.samples, moved.samples)) > LEAVES)), FEWEST)


def _cut(moved: Moved, samples: int) -> Moved:
    """The first outputs of a run."""
    if samples >= SAMPLES:
        return moved
    found = {name: values[:samples] for name, values in moved.found.items()}
    ended = moved.outcome if moved.samples < samples else Outcome(time=float(TIMES[samples - 1]))
    return replace(moved, found=found, outcome=ended, works=lambda: moved.works()[:, :samples])


def _is_close(cell: Cell) -> bool:
    """Whether a method is of high order, and its formulation exact."""
    method = cell.options.get("integrator")
    return _is_exact(cell) and method is not None and method_named(method).order >= ORDERS_THAT_ARE_CLOSE


# -- runs ----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def _usual(model: lw.Model) -> Moved | None:
    """The usual combination, two tolerances apart; where it names another formulation that goes on, by that one."""
    try:
        usual = _twice(model)
        if PASSES in usual.outcome.reason:
            usual = _twice(model, formulation="partitioning")
    except lw.LinkworkError:
        return None
    return usual


def _twice(model: lw.Model, **options: Any) -> Moved:
    fine, coarse = (_run(model, rtol=r, atol=r / 100, max_steps=MAX_STEPS, **options) for r in (1e-11, 1e-9))
    best = fine if fine.outcome.time >= coarse.outcome.time else coarse
    return replace(best, known=_apart(fine, coarse)[0])


def _run(model: lw.Model, samples: int = SAMPLES, **options: Any) -> Moved:
    run = lw.simulate(model, times=TIMES[:samples], **options)
    axes = "xy" if model.space == "planar" else "xyz"
    names = [f"{body}.{kind}{axis}" for body in model.bodies for kind in ("", "v") for axis in axes]
    return Moved(
        run.values(names), run.outcome, run.audit, lambda: np.array(list(run.values(WORKS).values())), len(run.steps)
    )


def _apart(usual: Moved, moved: Moved, to_the_end: bool = False) -> tuple[float, str]:
    """The largest distance over the largest place, and the largest speed, while both go on; and whose it is."""
    count = min(usual.samples, moved.samples)
    if count < SAMPLES and not to_the_end:
        count = int(NEAR_THE_END * count)
    gaps = {name: float(np.max(gap)) for name, gap in _by_name(usual, moved, count).items()} if count else {}
    worst = max(gaps, key=lambda name: np.nan_to_num(gaps[name], nan=np.inf), default="")
    return (gaps[worst], worst if gaps[worst] > 0.0 else "") if gaps else (0.0, "")


def _by_name(usual: Moved, moved: Moved, count: int) -> dict[str, np.ndarray]:
    """Distances (count) over the largest place, or the largest speed."""
    found = {}
    for speeds in (False, True):
        names = [name for name in usual.found if (name.split(".")[-1][0] == "v") == speeds]
        scale = max((float(np.max(np.abs(usual.found[name][:count]))) for name in names), default=1.0)
        for name in names:
            found[name] = np.abs(usual.found[name][:count] - moved.found[name][:count]) / max(scale, 1e-3)
    return found


def _gaps(usual: Moved, moved: Moved, count: int) -> np.ndarray:
    """(count) the largest of them at every output."""
    return np.max(list(_by_name(usual, moved, count).values()), axis=0)
