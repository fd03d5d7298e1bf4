"""``find_equilibrium(model)``: where a mechanism rests; ``find_equilibria``: those found from many starts.

See ``numerics/paths/rest.py`` for the four ways, and ``equations/statics/forces_at_rest.py`` for what is in balance.
"""

from __future__ import annotations

import numpy as np

from linkwork.algebra.given import GivenValues, Parameters, Scalar
from linkwork.analysis.statics.resting import FoundRest, RestQuestion, ask, equilibrium, rest
from linkwork.analysis.walk.subject import Noun
from linkwork.arguments import verb
from linkwork.arrays import Array
from linkwork.coordinates.numbering import KindChoice
from linkwork.errors import EquilibriumError, RefusedError
from linkwork.numerics.paths.rest import Search
from linkwork.progress import counted
from linkwork.results.equilibrium import Equilibria, Equilibrium

STRIDE = 0.5  # of a random walk to another start, in units of the coordinates; the last one is shorter
STRIDES = 7
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
    return equilibrium(question, rest(question, question.start))


@verb
def find_equilibria(
    model: Noun,
    *,
    tries: int = 40,
    seed: int = 0,
    method: str = "virtual_power",
    coordinates: KindChoice | None = None,
    start: GivenValues | None = None,
    parameters: Parameters | None = None,
    time: Scalar | None = None,
    tolerance: float = 1e-12,
    max_iterations: int = 100,
) -> Equilibria:
    """Find positions of rest, stable and unstable ones, from many starts; lowest energy first.

    tries: number of starts, the assembled position and random walks from it, the same ones for the same *seed*.
    Where positions of rest are a whole line or surface (a neutral direction), only some of them are listed.
    """
    if tries < 1:
        raise RefusedError(f"tries = {tries}: at least one start is needed")
    search = Search(tolerance, max_iterations, True)
    question = ask(model, search, method=method, coordinates=coordinates, at=start, parameters=parameters, time=time)
    found: list[FoundRest] = []
    failure: EquilibriumError | None = None
    random = np.random.default_rng(seed)
    for i in counted(range(tries), "looking for equilibria"):
        begin = question.start if i == 0 else _walk(question, random)
        for downhill in (True, False):
            try:
                other = rest(question, begin, Search(tolerance, max_iterations, downhill))
            except EquilibriumError as error:
                failure = failure or error
                continue
            if not any(_same(question, other, known) for known in found):
                found.append(other)
    if not found:
        assert failure is not None
        raise failure
    found.sort(key=lambda item: question.statics.energy(item.rest.x))
    return Equilibria(question.name, tuple(equilibrium(question, item) for item in found), tries)


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


def _same(question: RestQuestion, one: FoundRest, other: FoundRest) -> bool:
    statics = question.statics
    apart = np.max(np.abs(statics.places(one.rest.x) - statics.places(other.rest.x)), initial=0.0)
    energies = statics.energy(one.rest.x), statics.energy(other.rest.x)
    return bool(apart < APART and abs(energies[0] - energies[1]) < 1e-9 * max(1e-9, *np.abs(energies)) + 1e-12)
