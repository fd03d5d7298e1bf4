"""Impulses with which joints answer where velocities jump: reactions are affine in accelerations and in what acts,

    R(v̇ = v⁺ − v⁻, P) − R(v̇ = 0, 0),

with the impulses P that are given, and those of conditions that come and go among what is looked for. They are found when
somebody asks for them, those of all jumps of a run at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import casadi as ca
import numpy as np

from linkwork.analysis.motion.reactions import WORLD, ReactionRun, SamplesTaken
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.equations.reactions.balance import Flags

POWER = "power"  # a component that is no force


class ImpulsiveReactions(ReactionRun):
    """Reactions at some states, by expressions as they are: nothing is compiled for a few of them."""

    def solve(self, scheme: str | None = None, axes: str = WORLD) -> tuple[Array, Flags]:
        shape = len(self.t), len(self.plan.components)
        values, loose = np.zeros(shape), np.zeros(shape, dtype=bool)
        return self._whole(values, loose) if self.plan.pushes else (values, loose)

    def _evaluate(self, function: ca.Function, part: SamplesTaken, vdot: Array | None = None) -> Mapping[str, Array]:
        accelerations = self.vdot[part] if vdot is None else vdot
        rows = zip(self.t[part], np.hstack([self.y[part], accelerations]), self.p[part], strict=True)
        found = [function.call([ca.DM(item) for item in row]) for row in rows]
        return {name: np.array([np.array(item[i]) for item in found]) for i, name in enumerate(function.name_out())}


@dataclass(frozen=True, eq=False)
class VelocityJump:
    """A jump at a time: the state before (n), p (np), v⁺ − v⁻ (nv), impulses of all rows (m), and given impulses by name."""

    t: float
    y: Array
    p: Array
    change: Array
    impulses: Array
    given: Sequence[str] = ()


@dataclass(eq=False)
class Jumped:
    """All jumps of velocities of one run."""

    mechanism: Mechanism
    jumps: list[VelocityJump] = field(default_factory=list)
    _found: list[dict[str, float]] = field(default_factory=list)

    def add(self, jump: VelocityJump) -> JumpReactions:
        """Keep a jump; what its reactions are."""
        self.jumps.append(jump)
        return JumpReactions(self, len(self.jumps) - 1)

    def reactions(self, number: int) -> Mapping[str, float]:
        """Of a jump, by its number; components that are not unique are left out."""
        if number >= len(self._found):
            self._found += self._solved(self.jumps[len(self._found) :])
        return self._found[number]

    def _solved(self, jumps: Sequence[VelocityJump]) -> list[dict[str, float]]:
        t = np.repeat([jump.t for jump in jumps], 2)
        y = np.repeat([jump.y for jump in jumps], 2, axis=0)
        vdot = np.concatenate([[jump.change, np.zeros_like(jump.change)] for jump in jumps])
        run = ImpulsiveReactions(
            self.mechanism, (t, y, vdot), np.concatenate([self._parameters(jump) for jump in jumps])
        )
        values, loose = run.solve()
        found, open_ = values[::2] - values[1::2], loose[::2] | loose[1::2]
        names = [f"{element}.{part}" for element, part in run.plan.components]
        told = [i for i, (_, part) in enumerate(run.plan.components) if part != POWER]
        return [
            {names[i]: float(row[i]) for i in told if not flags[i]} for row, flags in zip(found, open_, strict=True)
        ]

    def _parameters(self, jump: VelocityJump) -> Array:
        """p (2 × np): what has an impulse holds, what sticks by friction of its own lets go, and in the first row P acts."""
        c = self.mechanism.coordinates
        p = np.tile(jump.p[: c.p.numel()], (2, 1))
        p[:, c.slide_places] = 0.0
        p[:, c.limit_places] = [bool(np.any(jump.impulses[list(rows)] != 0.0)) for rows in c.coming]
        p[0, [c.constant_place(f"{name}.acts") for name in jump.given]] = 1.0
        return np.asarray(p)


@dataclass(frozen=True, eq=False)
class JumpReactions(Mapping[str, float]):
    """Those of one jump, found when they are read."""

    run: Jumped
    number: int

    @cached_property
    def _values(self) -> Mapping[str, float]:
        return self.run.reactions(self.number)

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(dict(self))
