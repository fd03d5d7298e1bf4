"""Long instruction lists as tables and loops."""

from linkwork.compiler.folding.folded import Folded, Kind, fold

__all__ = ["Folded", "Kind", "fold"]
