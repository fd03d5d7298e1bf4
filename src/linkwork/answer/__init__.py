"""What every verb gives back: an `Answer` prints, shows itself in notebooks, tabulates, plots and saves in one way."""

from linkwork.answer.base import Answer, AnswerList
from linkwork.answer.column import Column, Units
from linkwork.answer.grid import Grid, Sections, Text

__all__ = ["Answer", "AnswerList", "Column", "Grid", "Sections", "Text", "Units"]
