"""Tables of texts as lines."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]], indent: int = 2) -> list[str]:
    """Lines whose columns begin below each other, behind so many spaces."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    front = " " * indent
    return [front + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
