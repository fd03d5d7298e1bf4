"""``find_equilibrium(model)``: where a mechanism rests; ``find_equilibria``: those found from many starts.

See ``numerics/paths/rest.py`` for the four ways, and ``equations/statics/forces_at_rest.py`` for what is in balance.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwork.algebra.given import GivenValues, Parameters, Scalar
from linkwork.analysis.statics.assemblies import changed_assembly, other_assemblies
from linkwork.analysis.statics.resting import FoundRest, RestQuestion, ask, equilibrium, moved_from_start, rest
from linkwork.analysis.walk.subject import Noun
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.coordinates.numbering import KindChoice
from linkwork.errors import EquilibriumError, RefusedError
from linkwork.numerics.paths.rest import Search
from linkwork.progress import counted
from linkwork.results.equilibrium import Equilibria, Equilibrium, farthest

STRIDE = 0.5  # of a random walk to another start, in units of the coordinates; the last one is shorter
STRIDES = 7
BESIDE = 3  # walks at whose ends other ways to put a mechanism together are looked for
FAR = np.pi / 2  # rad, by which a joint may turn without a word
APART = 1e-6  # of the size of the mechanism, rad: nearer positions are the same


@verb
def find_equilibrium(
    model: Noun,
    *,
    method: str = "virtual_power",
    coordinates: KindChoice | None = None,
    start: GivenValues | None = None,
    parameters: Parameters | None = None,
    time: Scalar | None = None,
    stable: bool = True,
    tolerance: float = 1e-12,
    max_iterations: int = 200,
) -> Equilibrium:
    """Find a position in which a mechanism rests under gravity, springs, other forces and a ground that moves steadily.

    model: or what else `simulate` takes: a pose or a run, from whose end the search starts
    method: 'virtual_power', 'multipliers', 'penalty' or 'relaxation'
    start: joint coordinates from which to search, {"O.angle": "30 deg"}; by default where the mechanism is assembled
    parameters: values of live parameters; time: at which forces and drivers are taken, by default 0
    stable: go downhill, away from positions that are not stable; else to the nearest one of any sort
    tolerance: the largest force left in an admissible direction, in units of the forces that act
    max_iterations: of the search, at most
    """
    search = Search(tolerance, max_iterations, stable)
    question = ask(model, search, method=method, coordinates=coordinates, at=start, parameters=parameters, time=time)
    found = rest(question, question.start)
    return _with_way(question, found, equilibrium(question, found))


def _with_way(question: RestQuestion, found: FoundRest, told: Equilibrium) -> Equilibrium:
    """An equilibrium of loops that is far from where the search began, or another assembly, with a note."""
    changed = changed_assembly(question, found.rest.x)
    far = {"rad": FAR, "m": question.mechanism.coordinates.kinematics.length}
    gone = {name: way for name, way in told.moved.items() if abs(way) > far[told.joints[name]]}
    if not question.mechanism.topology.loops or not (changed or gone):
        return told
    how = f"in another assembly ({changed})" if changed else "far from where the search began"
    moved = ", ".join(farthest(told.moved, told.joints))
    note = f"the search ended {how}: it moved {moved}; search from nearer to the position that is meant, start={{...}}"
    return replace(told, notes=(note, *told.notes))


@verb
def find_equilibria(
    model: Noun,
    *,
    tries: int = 40,
    seed: int = 0,
    assemblies: bool = True,
    method: str = "virtual_power",
    coordinates: KindChoice | None = None,
    start: GivenValues | None = None,
    parameters: Parameters | None = None,
    time: Scalar | None = None,
    tolerance: float = 1e-12,
    max_iterations: int = 100,
) -> Equilibria:
    """Find positions of rest, stable and unstable ones, from many starts; lowest energy first.

    tries: number of starts: the assembled position, other assembly modes, and random walks from all of them, the same
    ones for the same *seed*; assemblies: False keeps to walks from the assembled position.
    Where positions of rest are a whole line or surface (a neutral direction), only some of them are listed.
    """
    if tries < 1:
        raise RefusedError(f"tries = {tries}: at least one start is needed")
    search, random = Search(tolerance, max_iterations, True), np.random.default_rng(seed)
    question = ask(model, search, method=method, coordinates=coordinates, at=start, parameters=parameters, time=time)
    beside = [_walk(question, np.random.default_rng((seed, i))) for i in range(BESIDE)] if assemblies else []
    others, said = other_assemblies(question, beside) if assemblies else ([], "")
    begun, found = [question, *others], list[tuple[RestQuestion, FoundRest]]()
    failure: EquilibriumError | None = None
    for i in counted(range(max(tries, len(begun))), "looking for equilibria"):
        asked = begun[i % len(begun)]
        begin = asked.start if i < len(begun) else _walk(asked, random)
        for downhill in (True, False):
            try:
                other = asked, rest(asked, begin, Search(tolerance, max_iterations, downhill))
            except EquilibriumError as error:
                failure = failure or error
                continue
            if not any(_same(other, known) for known in found):
                found.append(other)
    if not found:
        assert failure is not None
        raise failure
    found.sort(key=lambda item: item[0].statics.energy(item[1].rest.x))
    listed = tuple(_told(question, *item) for item in found)
    notes = (*question.notes, *((said,) if said else ()))
    return Equilibria(question.name, listed, max(tries, len(begun)), len(begun), notes)


def _told(question: RestQuestion, asked: RestQuestion, found: FoundRest) -> Equilibrium:
    """One of them, with how far it is from where the search as a whole began."""
    return replace(equilibrium(asked, found), moved=moved_from_start(question, found.rest.x))


def _walk(question: RestQuestion, random: np.random.Generator) -> Array:
    """A start elsewhere: some steps in random admissible directions, all joints closed."""
    statics, x = question.statics, question.start
    heading = statics.directions(statics.forces(x)[2])
    way = heading @ random.standard_normal(heading.shape[1])
    distance = STRIDE * STRIDES * (1.0 - random.random())
    for stride in [STRIDE] * int(distance / STRIDE) + [distance % STRIDE]:
        try:
            basis = statics.directions(statics.forces(x)[2])
            onwards = basis @ (np.linalg.pinv(basis) @ way)
            size = float(np.max(np.abs(onwards / statics.scale), initial=0.0))
            moved, closed = statics.close(statics.move(x, stride * onwards / max(size, 1e-300)))
        except EquilibriumError:
            # a force has no value there
            break
        if not closed:
            break
        x = moved
    return x


def _same(one: tuple[RestQuestion, FoundRest], other: tuple[RestQuestion, FoundRest]) -> bool:
    places, energies = zip(
        *((q.statics.places(f.rest.x), q.statics.energy(f.rest.x)) for q, f in (one, other)), strict=True
    )
    apart = np.max(np.abs(places[0] - places[1]), initial=0.0)
    return bool(apart < APART and abs(energies[0] - energies[1]) < 1e-9 * max(1e-9, *np.abs(energies)) + 1e-12)
