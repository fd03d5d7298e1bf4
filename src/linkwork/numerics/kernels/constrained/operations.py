"""An operation of a procedure: compiled code that does one thing to the state, its rates or the work of a flow.

What it is called with follows from the names of its parameters: ``(t, y, ws)``, ``(t, y, ydot, ws)``, ``(y, ws)``, or
``(vdot, ws)`` with the accelerations, which stand in ẏ behind the rates of positions. It returns 0, < 0 where it fails,
FINISHED where ẏ is complete and those behind it have nothing to do; what corrects a state returns what a refresh does
(``status.py``).
"""

from __future__ import annotations

from linkwork.numerics.kernels.language.records import (
    Code,
    Floats,
    FlowFunction,
    MachineFunction,
    Record,
    RefreshFunction,
    borrowed,
)

FINISHED = 9
STATE, RATES, VELOCITIES, ACCELERATIONS = range(4)
KINDS = {
    ("t", "y", "ws"): STATE,
    ("t", "z", "ws"): STATE,
    ("t", "y", "ydot", "ws"): RATES,
    ("t", "z", "zdot", "ws"): RATES,
    ("y", "ws"): VELOCITIES,
    ("vdot", "ws"): ACCELERATIONS,
}
"""Kinds of operations by the names of their parameters."""


class NumbersFunction(MachineFunction):
    """Sets some numbers from what the memory has at hand."""

    def __call__(self, numbers: Floats, memory: Record) -> Code:
        raise NotImplementedError


class Operation(Record):
    """One operation in the list of a flow; that of its kind is set."""

    kind: int
    on_state: RefreshFunction = borrowed()
    on_rates: FlowFunction = borrowed()
    on_numbers: NumbersFunction = borrowed()
