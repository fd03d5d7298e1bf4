"""Which independent quantities are the states x of linear equations.

Wanted ones come first, then their rates, then components of the state of the mechanism, positions before speeds. Where the
mechanism has orientations, small rotations in world axes and their rates stand for parameters and spins; see
``equations/linear/small_rotations.py``. Candidates are rows R of x by y; those are taken whose R E span all variations E of
y that the conditions allow.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

import casadi as ca
import numpy as np
from scipy.linalg import qr

from linkwork.arrays import Array
from linkwork.equations.linear.small_rotations import RATE, SmallRotations
from linkwork.equations.linear.variations import Variation, VariationalEquations
from linkwork.errors import RefusedError
from linkwork.numerics.policy import POLICY

BEFORE, AFTER = 1e3, 1e-3  # weights of candidates that are taken before, or after, components of y
RATES = {
    "x": ["vx"],
    "y": ["vy"],
    "z": ["vz"],
    "angle": ["speed"],
    "position": ["speed"],
}  # names of rates of positions


class StateChoice:
    """Candidates of x, and the choice among them: wanted names, their rates, components of y, rotations.

    expressions: of named quantities; known: names that have one
    """

    def __init__(
        self,
        equations: VariationalEquations,
        wanted: tuple[str, ...],
        expressions: Callable[[Sequence[str]], ca.SX],
        known: Collection[str],
    ) -> None:
        self.equations, self.wanted, self._expressions, self._known = equations, wanted, expressions, known
        self.rotations = SmallRotations(equations, expressions)

    @cached_property
    def mates(self) -> list[str]:
        """Names of the rates of wanted positions."""
        found: list[str] = []
        for name in self.wanted:
            prefix, _, last = name.rpartition(".")
            rates = [f"{prefix}.{rate}" for rate in [*RATES.get(last, []), f"{last}_rate"]]
            found += [rate for rate in rates if rate in self._known][:1]
        return [name for name in dict.fromkeys(found) if name not in self.wanted]

    @cached_property
    def _plain(self) -> tuple[list[str], ca.SX]:
        """Candidates that are quantities: wanted ones, their rates, and y."""
        own = {*self.rotations.names, *(set(self.equations.c.state_names) - set(self._known))}
        wanted = [name for name in self.wanted if name not in own]
        found = self._expressions(wanted)
        for i, name in enumerate(wanted):
            if ca.depends_on(found[i], self.equations.vdot):
                raise RefusedError(f"'{name}' is an acceleration, no state: name positions and speeds")
        names = [*wanted, *self.mates, *self.equations.c.state_names]
        return names, ca.vertcat(found, self._expressions(self.mates), self._components)

    @cached_property
    def _components(self) -> ca.SX:
        """y; for components that a quantity of the same name is not, the quantity: positions are of centres of mass."""
        found = ca.SX(self.equations.c.y)
        for i in self._renamed:
            found[i] = self._expressions([self.equations.c.state_names[i]])
        return found

    @cached_property
    def _renamed(self) -> list[int]:
        places = [f"{item.name}.{last}" for item in self.rotations.of for last in ("x", "y", "z", "vx", "vy", "vz")]
        return [i for i, name in enumerate(self.equations.c.state_names) if name in places and name in self._known]

    @property
    def names(self) -> list[str]:
        """Names of all candidates."""
        return [*self._plain[0], *self.rotations.names]

    @cached_property
    def functions(self) -> tuple[ca.Function, ca.Function]:
        """Slopes of the candidates, and of their rates."""
        every = range(len(self.rotations.names))
        return self.rotations.slopes(self._plain[1], every), self.rotations.rate_slopes(self._plain[1], every)

    @cached_property
    def positions(self) -> list[bool]:
        """Which candidates are positions."""
        c, plain = self.equations.c, self._plain[1]
        n, other = c.y.numel(), c.y[[int(i) for i in self.equations.moving if i >= c.q.numel()]]
        named = [not ca.depends_on(plain[i], other) for i in range(plain.numel() - n)]
        return [
            *named,
            *(i < c.q.numel() for i in range(n)),
            *(not name.endswith(RATE) for name in self.rotations.names),
        ]

    def choose(self, found: Variation) -> list[int]:
        """Candidates that are x."""
        independent = [self._first + int(i) for i in found.independent]
        pool = self._pool(found)
        if not self.wanted and all(i in independent for i, _ in pool):
            return independent
        rows = found.value(self.functions[0])[0] @ found.basis
        asked = [self.names.index(name) for name in self.wanted]
        self._check(rows[asked])
        placed = found.independent < self.equations.c.q.numel()
        first = [i for i in asked if self.positions[i]]
        filled = _fill(rows[:, placed], first, [item for item in pool if self.positions[item[0]]])
        chosen = [*asked, *filled[len(first) :]]
        filled = _fill(rows, chosen, [item for item in pool if not self.positions[item[0]]])
        return [*asked, *sorted(filled[len(asked) :], key=self._place)]

    def restated(self, found: Variation, projected: tuple[Array, Array]) -> tuple[Array, Array]:
        """A on the tangent and the tangent itself (n, k) in the states of the choice, from those in independent components.

        With δx = R δy = S δξ:  A_x = S A S⁻¹ + Ṡ S⁻¹, and Ṡ = Ṙ E + R Ė.
        """
        chosen = self.choose(found)
        if chosen == [self._first + int(i) for i in found.independent] and not self._renamed:
            return projected
        (a, tangent), speeds = projected, slice(self.equations.c.q.numel(), None)
        rows = found.value(self.functions[0])[0][chosen]
        by_y, by_vdot = (part[chosen] for part in found.value(self.functions[1])[:2])
        moved = found.jacobian @ found.basis
        turned = by_y @ found.basis + by_vdot @ moved[speeds][: by_vdot.shape[1]] - rows @ moved
        back = np.linalg.inv(rows @ found.basis)
        return (rows @ found.basis @ a + turned + rows @ found.basis_rate) @ back, tangent @ back

    @property
    def _first(self) -> int:
        """Where the components of y begin among the candidates."""
        return len(self._plain[0]) - self.equations.c.y.numel()

    def _pool(self, found: Variation) -> list[tuple[int, float]]:
        """Candidates beside the wanted ones, with their weights in the choice."""
        nq, names = self.equations.c.q.numel(), self.names
        free, pool = set(found.independent.tolist()), [(names.index(name), BEFORE) for name in self.mates]
        turned: set[int] = set()
        for item in self.rotations.of:
            own = {*item.positions, *(nq + i for i in item.spins)}
            turned |= own
            if own & free:
                swapped = [*item.rotations, *item.rates]
                pool += [(names.index(name), AFTER) for name in swapped if name not in self.wanted]
        return pool + [(self._first + int(i), 1.0) for i in found.independent if int(i) not in turned]

    def _place(self, i: int) -> tuple[bool, bool, int]:
        """In which order they stand: positions, speeds of wanted positions, speeds, others."""
        name = self.names[i]
        for item in self.rotations.of:
            if name in item.rotations:
                return False, False, item.positions[0]
            if name in item.rates:
                return True, True, self.equations.c.q.numel() + item.spins[0]
        return not self.positions[i], i >= self._first, i - self._first

    def _check(self, rows: Array) -> None:
        """Refuse wanted states that depend on each other."""
        count, many = rows.shape
        triangle = qr(_unit(rows).T, mode="r")[0] if count else rows
        for i in range(count):
            if i >= many or abs(triangle[i, i]) < POLICY.rank:
                others = ", ".join(self.wanted[:i]) or "no degree of freedom"
                raise RefusedError(
                    f"the states are not independent: '{self.wanted[i]}' follows from {others}; the mechanism has "
                    f"{many} independent states here"
                )


def _fill(rows: Array, chosen: Sequence[int], pool: Sequence[tuple[int, float]]) -> list[int]:
    """The chosen rows and as many of the pool as are needed to span all, those first that weigh most beside the others."""
    left = qr(_unit(rows[list(chosen)]).T)[0][:, len(chosen) :] if chosen else np.eye(rows.shape[1])
    offered = np.array([weight * rows[i] for i, weight in pool]).reshape(-1, rows.shape[1]) @ left
    order = qr(offered.T, mode="r", pivoting=True)[1][: left.shape[1]] if offered.size else []
    return [*chosen, *(pool[i][0] for i in order)]


def _unit(rows: Array) -> Array:
    """Rows of length 1."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
