"""Named quantities of a mechanism that is stepped by hand: compiled once where they are declared, else when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from linkwork.analysis.motion.states import known_states
from linkwork.analysis.motion.stepped_source import BALANCE, PushSource, SteppedSource, Untouched
from linkwork.analysis.motion.trajectory import Trajectory
from linkwork.analysis.prepared.prepare import Mechanism, Start
from linkwork.arrays import Array
from linkwork.compiler.program import build
from linkwork.coordinates.naming import resolve_point_name
from linkwork.errors import UnknownNameError, did_you_mean
from linkwork.numerics.watching import LiveView
from linkwork.results.quantities import Quantity, QuantitySource


class LiveOutputs:
    """The quantities *names* as one compiled function of what is seen after every step.

    accelerations: whether v̇ is seen; where it is not, quantities that need it are found when they are asked for, and so
    are reactions always
    works, pushes: how many works are seen behind v̇, those of time stepping, and numbers of what touches behind these
    touches: what these numbers say
    """

    def __init__(
        self,
        mechanism: Mechanism,
        names: Sequence[str],
        p: Array,
        *,
        accelerations: bool,
        works: int = 0,
        pushes: int = 0,
        touches: Callable[[Array], PushSource] = lambda _: Untouched(),
    ) -> None:
        c = mechanism.coordinates
        self._works, self._pushes, self._touches = works, pushes, touches
        self.mechanism, self._p, self._seen = mechanism, p, accelerations
        self._reader = Trajectory(mechanism, (np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0))), p)
        self._nq, self._nv, self._n = c.q.numel(), c.v.numel(), c.y.numel()
        known = [self.known(name) for name in names]
        self._compiled = [name for name in known if self._cheap(name)]
        self._parts = {name: i for i, name in enumerate(self._reader.ingredients(self._compiled))}

    @property
    def catalogue(self) -> Mapping[str, Quantity]:
        """Every quantity that can be asked for."""
        if not self._works:
            return self._reader.catalogue
        # of one moment there is no balance
        known = SteppedSource(
            self._reader, np.zeros((0, self._works)), self._touches(np.zeros((0, self._pushes)))
        ).catalogue
        return {name: item for name, item in known.items() if name != BALANCE}

    def known(self, name: str) -> str:
        """The name in the catalogue; an unknown one is an error that names the nearest."""
        found = name if name in self.catalogue else resolve_point_name(self.mechanism.topology, name)
        if found not in self.catalogue:
            title = self.mechanism.model.name or "mechanism"
            raise UnknownNameError(f"'{title}' has no quantity '{name}'; {did_you_mean(name, list(self.catalogue))}")
        return found

    def view(self, rows: int, every: int) -> LiveView:
        """What a stepper looks at."""
        program, velocities = None, self._nv if self._seen else 0
        if self._parts:
            function = self._reader.function(list(self._parts), accelerations=self._seen)
            program = build({"outputs": function}, self.mechanism.program.backend)
        outputs, positions = program["outputs"] if program else None, self._nq if self._seen else 0
        return LiveView(
            self._p, outputs, len(self._parts), positions, velocities, self._works + self._pushes, rows, every
        )

    def read(self, name: str, values: Array) -> float | None:
        """A declared quantity from the values of the function; None: it is not among them."""
        if name not in self._compiled and self.known(name) not in self._compiled:
            return None
        key = self.known(name)
        parts = {part: values[self._parts[part]] for part in self._reader.ingredients([key])}
        return float(self._reader.combine([key], parts)[key])

    def source(self, start: Start, samples: Array) -> QuantitySource:
        """A source of all quantities at samples, rows of t, y, v̇ and works where they are seen, and p."""
        t, y, p = samples[:, 0], samples[:, 1 : 1 + self._n], samples[:, samples.shape[1] - self._p.size :]
        if self._seen:
            vdot = samples[:, 1 + self._n : 1 + self._n + self._nv]
        else:
            vdot = np.vstack([known_states(self.mechanism, own, t[k], y[k])[2] for own, k in _pieces(start, p)])
        same = p[0] if len(p) and np.all(p == p[0]) else p
        found = Trajectory(self.mechanism, (t, y, vdot), same)
        if not self._works:
            return found
        works, pushes = np.split(samples[:, 1 + self._n + self._nv : samples.shape[1] - self._p.size], [self._works], 1)
        return SteppedSource(found, works, self._touches(pushes))

    def _cheap(self, name: str) -> bool:
        if name not in self._reader.catalogue:
            return False
        parts = self._reader.ingredients([name])
        if not all(self._reader.is_expression(part) for part in parts):
            return False
        return self._seen or not self._reader.needs_accelerations(parts)


def _pieces(start: Start, p: Array) -> Iterator[tuple[Start, slice]]:
    """Parts of a run with the same parameters."""
    changes = np.flatnonzero(np.any(p[1:] != p[:-1], axis=1)) + 1
    edges = [0, *changes.tolist(), len(p)]
    for first, last in pairwise(edges):
        yield Start(start.y, p[first].copy(), start.assembly), slice(first, last)
