"""Joints that a hand closes and opens between two steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linkwork.algebra.given import Scalar
from linkwork.algebra.units import si
from linkwork.analysis.motion.connecting import CLOSED, Connecting, TooFarOpen
from linkwork.analysis.motion.holding import Holding
from linkwork.analysis.prepared.prepare import Mechanism
from linkwork.arrays import Array
from linkwork.errors import RefusedError, did_you_mean
from linkwork.model.switches import ANYWHERE
from linkwork.results.outcome import EventRecord

STEPS = 1000  # since the last change: by hand nothing comes and goes without end


@dataclass(eq=False)
class Hand:
    """Of one run. p: its parameters, in which seats and selectors are changed.

    jump: of t and y, the state behind the impulse that a change takes, where it is not that of runs with events
    """

    mechanism: Mechanism
    p: Array
    jump: Callable[[float, Array], Array] | None = None

    @cached_property
    def holding(self) -> Holding:
        """What holds, with its impulses."""
        return Holding(self.mechanism, self.p)

    @cached_property
    def connecting(self) -> Connecting:
        """What closes and opens."""
        return Connecting(self.mechanism, self.p, self.holding.events)

    @property
    def events(self) -> tuple[EventRecord, ...]:
        """What a hand has done so far."""
        return tuple(self.holding.events)

    @property
    def closed(self) -> tuple[str, ...]:
        """What is closed now."""
        known = self.mechanism.coordinates.connections
        return tuple(item.name for i, item in known.items() if self.holding.selectors[i] > 0.5)

    def connect(self, t: float, y: Array, name: str, catching: Scalar | None) -> Array:
        """The state behind a connection that closes, if it is open by no more than so much, by default but for rounding."""
        least = CLOSED * float(self.mechanism.coordinates.kinematics.length)
        within = least if catching is None else np.inf if catching == ANYWHERE else si(catching, "length")
        before = self.p.copy()
        try:
            self.connecting.connect(t, y, name, max(within, least))
        except TooFarOpen as error:
            raise RefusedError(str(error)) from None
        return self._behind(t, y, before)

    def ground(self, t: float, y: Array, body: str) -> Array:
        """The state behind a body that is held to the ground where it is, by the switch that grounds it."""
        known = {item.ground: name for name, item in self.mechanism.model.switches.items() if item.ground is not None}
        if body not in known:
            hint = did_you_mean(body, [str(name) for name in known]) if known else ""
            raise RefusedError(
                f"no switch grounds '{body}': write switches: {{hold: {{ground: {body}}}}}, so that its conditions are there"
                f"{'; ' + hint if hint else ''}"
            )
        return self.connect(t, y, known[body], ANYWHERE)

    def release(self, t: float, y: Array, name: str) -> Array:
        """The state behind a connection that opens; a body that is grounded may be named too."""
        known = {item.ground: own for own, item in self.mechanism.model.switches.items() if item.ground is not None}
        before = self.p.copy()
        self.connecting.release(t, known.get(name, name))
        return self._behind(t, y, before)

    def _behind(self, t: float, y: Array, before: Array) -> Array:
        if self.jump is not None:
            try:
                return self.jump(t, y)
            except RefusedError:
                if np.any(before != self.p):
                    self.holding.events.pop()
                self.p[:] = before
                raise
        found = self.holding.change(t, y, STEPS)
        if found is None:
            self.p[:] = before
            assert self.holding.stopped is not None
            reason, self.holding.stopped = self.holding.stopped.reason, None
            raise RefusedError(f"at t = {t:.6g} s {reason}; all is as it was before")
        return found
