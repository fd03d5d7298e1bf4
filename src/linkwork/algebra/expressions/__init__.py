"""Formulas such as ``12*sin(3*t)`` or ``2*l1``: own grammar, one tree, values as floats or as CasADi expressions."""

from linkwork.algebra.expressions.definitions import known_definitions, with_definitions
from linkwork.algebra.expressions.dimensions import check_formula, known_units, measured
from linkwork.algebra.expressions.evaluation import evaluate, to_float, to_sx
from linkwork.algebra.expressions.functions import CONSTANTS, FUNCTIONS, RESERVED_NAMES, TIME
from linkwork.algebra.expressions.grammar import number, parse
from linkwork.algebra.expressions.tree import Binary, Call, Compare, Defined, Expression, Name, Number, Unary

__all__ = [
    "CONSTANTS",
    "FUNCTIONS",
    "RESERVED_NAMES",
    "TIME",
    "Binary",
    "Call",
    "Compare",
    "Defined",
    "Expression",
    "Name",
    "Number",
    "Unary",
    "check_formula",
    "evaluate",
    "known_definitions",
    "known_units",
    "measured",
    "number",
    "parse",
    "to_float",
    "to_sx",
    "with_definitions",
]
