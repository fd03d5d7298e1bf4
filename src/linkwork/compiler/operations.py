"""The operations of an instruction list: a small closed set of scalar functions with the meaning that C gives them.

Squares, doubles and reciprocals have no operation of their own: x*x, x+x and 1/x are the same numbers, bit by bit.
Truth values are the numbers 0 and 1; every number that is not 0 is true.
"""

from __future__ import annotations

from enum import IntEnum


class Op(IntEnum):
    """One scalar operation. The numbers belong to the key of the cache on disk: append, never renumber."""

    # sources: the operand is an index into the inputs or the constants
    TIME = 0
    STATE = 1
    PARAMETER = 2
    CONSTANT = 3
    # arithmetic
    ADD = 10
    SUB = 11
    MUL = 12
    DIV = 13
    NEG = 14
    SQRT = 15
    POW = 16
    # piecewise
    FABS = 20
    SIGN = 21
    FLOOR = 22
    CEIL = 23
    FMOD = 24
    REMAINDER = 25
    FMIN = 26
    FMAX = 27
    COPYSIGN = 28
    # trigonometry
    SIN = 30
    COS = 31
    TAN = 32
    ASIN = 33
    ACOS = 34
    ATAN = 35
    ATAN2 = 36
    HYPOT = 37
    # exponential and hyperbolic functions
    EXP = 40
    LOG = 41
    EXPM1 = 42
    LOG1P = 43
    SINH = 44
    COSH = 45
    TANH = 46
    ASINH = 47
    ACOSH = 48
    ATANH = 49
    ERF = 50
    # logic
    LT = 60
    LE = 61
    EQ = 62
    NE = 63
    NOT = 64
    AND = 65
    OR = 66
    IF_ELSE_ZERO = 67  # a ? b : 0

    @property
    def label(self) -> str:
        """The name in listings."""
        return self.name.lower()


SOURCES = frozenset({Op.TIME, Op.STATE, Op.PARAMETER, Op.CONSTANT})

BINARY = frozenset(
    {Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.POW, Op.FMOD, Op.REMAINDER, Op.FMIN, Op.FMAX, Op.COPYSIGN, Op.ATAN2}
    | {Op.HYPOT, Op.LT, Op.LE, Op.EQ, Op.NE, Op.AND, Op.OR, Op.IF_ELSE_ZERO}
)

COMMUTATIVE = frozenset({Op.ADD, Op.MUL, Op.EQ, Op.NE, Op.AND, Op.OR})

# operations that are a function of the C library of mathematics, by its name there
C_LIBRARY = {
    op: op.label
    for op in (
        *(Op.SIN, Op.COS, Op.TAN, Op.ASIN, Op.ACOS, Op.ATAN, Op.ATAN2, Op.HYPOT),
        *(Op.EXP, Op.LOG, Op.EXPM1, Op.LOG1P, Op.SINH, Op.COSH, Op.TANH, Op.ASINH, Op.ACOSH, Op.ATANH, Op.ERF),
        *(Op.POW, Op.FMOD, Op.REMAINDER),
    )
}


def arity(op: Op) -> int:
    """Return how many values an operation takes."""
    if op in SOURCES:
        return 0
    return 2 if op in BINARY else 1
