"""How large the description of a mechanism is: the numbers by which kinds of coordinates are compared.

Source: García de Jalón and Bayo, section 2.3 and table 2.3 (size, non-zero elements and operations of the Jacobian).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca

_NO_ARITHMETIC = (ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST, ca.OP_PARAMETER, ca.OP_NEG, ca.OP_ASSIGN)


@dataclass(frozen=True)
class Counts:
    """Numbers of unknowns and conditions, and of non-zero elements and arithmetic operations of the Jacobian C."""

    positions: int
    velocities: int
    conditions: int
    nonzeros: int
    operations: int

    def __str__(self) -> str:
        return (
            f"{self.positions} positions, {self.velocities} velocities, {self.conditions} conditions; Jacobian with "
            f"{self.nonzeros} non-zero elements in {self.operations} operations"
        )


def count_operations(inputs: Sequence[ca.SX], expression: ca.SX) -> int:
    """Arithmetic operations that give the non-zero elements of an expression; changes of sign are none."""
    f = ca.Function("count", list(inputs), [ca.cse(ca.sparsify(expression))])
    return sum(f.instruction_id(i) not in _NO_ARITHMETIC for i in range(f.n_instructions()))
