"""Stage 7: results. `Result` gives every quantity by name, and an outcome that says what happened."""

from linkwork.results.drawing import BodyDrawing, Drawing, JointDrawing, SpringDrawing
from linkwork.results.multipliers import MultiplierTable
from linkwork.results.outcome import EventRecord, Outcome, Status
from linkwork.results.quantities import ArraySource, Quantity, QuantitySource, ReactionInfo
from linkwork.results.reaction import Reaction
from linkwork.results.reactions import Reactions
from linkwork.results.reading import load_result
from linkwork.results.result import Result

__all__ = [
    "ArraySource",
    "BodyDrawing",
    "Drawing",
    "EventRecord",
    "JointDrawing",
    "MultiplierTable",
    "Outcome",
    "Quantity",
    "QuantitySource",
    "Reaction",
    "ReactionInfo",
    "Reactions",
    "Result",
    "SpringDrawing",
    "Status",
    "load_result",
]
