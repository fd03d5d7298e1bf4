"""Stage 7: results. `Result` gives every quantity by name, and an outcome that says what happened."""

from linkwork.results.drawing import BodyDrawing, Drawing, JointDrawing, SpringDrawing
from linkwork.results.multipliers import MultiplierTable
from linkwork.results.outcome import EventRecord, Outcome, Status
from linkwork.results.quantities import ArraySource, Quantity, QuantitySource, ReactionInfo
from linkwork.results.reactions import Reaction, Reactions
from linkwork.results.result import Result
from linkwork.results.store import load_result

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
