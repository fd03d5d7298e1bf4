"""The response of ẋ = A x + B u, z = C x + D u to inputs u e^{iωt}: H(ω) = C (iω − A)⁻¹ B + D.

Where iω is an eigenvalue, H has no bound, unless its group is not moved by the input or not seen in the output: then the
group adds nothing to that entry, C_g A_gʲ B_g = 0 for all j, and the others give its value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.numerics.systems.spectrum import Array, ComplexArray, Group, neutral_size, split

UNDAMPED = 1e-9  # real part of an eigenvalue, or distance of a frequency, beside its size, that counts as none
UNFELT = 1e-11  # of a group's part in an entry, beside what it could be


@dataclass(frozen=True, eq=False)
class Transfer:
    """H of a linear system A (n, n), B (n, nu), C (nz, n), D (nz, nu)."""

    a: Array
    b: Array
    c: Array
    d: Array

    @cached_property
    def groups(self) -> list[Group]:
        return split(self.a)

    @cached_property
    def poles(self) -> list[tuple[float, float, list[Group]]]:
        """Angular frequencies at which nothing damps, how near counts as hit, and the groups there."""
        tiny = neutral_size(np.concatenate([np.zeros(1), *(group.values for group in self.groups)]))
        found: list[tuple[float, float, list[Group]]] = []
        for group in self.groups:
            value = group.values[np.argmax(group.values.imag)]
            if group.neutral:
                found.append((0.0, tiny, [group]))
            elif abs(value.real) <= UNDAMPED * abs(value):
                omega = float(abs(value.imag))
                same = [place for place in found if abs(place[0] - omega) <= UNDAMPED * omega]
                if same:
                    same[0][2].append(group)
                else:
                    found.append((omega, UNDAMPED * omega, [group]))
        return sorted(found, key=lambda pole: pole[0])

    def __call__(self, omega: ArrayLike) -> ComplexArray:
        """H (N, nz, nu) at angular frequencies ω (N); infinite where it has no bound."""
        asked = np.atleast_1d(np.asarray(omega, dtype=float))
        found = np.empty((len(asked), *self.d.shape), dtype=complex)
        regular = np.ones(len(asked), dtype=bool)
        for place, near, groups in self.poles:
            hit = np.abs(np.abs(asked) - place) <= near
            regular &= ~hit
            for i in np.flatnonzero(hit):
                found[i] = self._beside(asked[i], groups)
        moved = 1j * asked[regular, None, None] * np.eye(len(self.a)) - self.a
        swung = np.linalg.solve(moved, np.broadcast_to(self.b, (len(moved), *self.b.shape)))
        found[regular] = self.c @ swung + self.d
        return found

    def _beside(self, omega: float, groups: list[Group]) -> ComplexArray:
        """H at a pole: of the other groups, and infinite where these are felt."""
        total = self.d.astype(complex)
        for group in self.groups:
            if not any(group is other for other in groups):
                own = group.left @ self.a @ group.right
                solved = np.linalg.solve(1j * omega * np.eye(len(own)) - own, group.left @ self.b)
                total += self.c @ group.right @ solved
        for group in groups:
            total[self._felt(group)] = np.inf
        return total

    def _felt(self, group: Group) -> NDArray[np.bool_]:
        """Which entries (nz, nu) a group takes part in."""
        own, into, out = group.left @ self.a @ group.right, group.left @ self.b, self.c @ group.right
        most = np.linalg.norm(self.c, axis=1)[:, None] * np.linalg.norm(self.b, axis=0)
        most = most * np.linalg.norm(group.right) * np.linalg.norm(group.left)
        felt, power, size = np.zeros(self.d.shape, dtype=bool), np.eye(len(own)), 1.0
        for _ in range(len(own)):
            felt |= np.abs(out @ power @ into) > UNFELT * size * most
            power, size = power @ own, size * float(np.linalg.norm(own))
        return felt

    def unbounded(self) -> list[tuple[float, NDArray[np.bool_]]]:
        """Frequencies without a bound, with the entries that have none there."""
        found = [(omega, np.any([self._felt(group) for group in groups], axis=0)) for omega, _, groups in self.poles]
        return [(omega, entries) for omega, entries in found if entries.any()]
