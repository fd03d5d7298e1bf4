"""Tables of texts: as lines whose columns begin below each other, and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

SHORT = 110  # letters of a representation


def escaped(text: str) -> str:
    """Whatever a user has written, as text of a page."""
    from html import escape

    return escape(text)


def brief(text: str, letters: int = SHORT) -> str:
    """A line of so many letters at most."""
    line = " ".join(text.split())
    return line if len(line) <= letters else line[: letters - 3] + "..."


class Text(str):
    """Lines that are printed as they stand."""

    __slots__ = ()

    def lines(self) -> list[str]:
        """In print."""
        return self.split("\n")

    def html(self) -> str:
        """In a notebook."""
        return f"<pre>{escaped(self)}</pre>"


class Sections(Text):
    """Headings, each with the indented lines that belong to it; in a notebook a table."""

    __slots__ = ()

    def html(self) -> str:
        """A row for every heading."""
        rows: list[tuple[str, list[str]]] = []
        for line in filter(None, self.lines()):
            if not line.startswith(" ") or not rows:
                rows.append((line, []))
            else:
                rows[-1][1].append(line.removeprefix("  ").replace("  ", "\u2003"))
        return Grid([(heading, "\n".join(lines)) for heading, lines in rows]).html()


@dataclass(frozen=True)
class Grid:
    """Rows of texts below their heads, or without any; a cell may have several lines. indent: spaces before the lines."""

    rows: Sequence[Sequence[str]]
    heads: Sequence[str] = ()
    indent: int = 2

    def lines(self) -> list[str]:
        """In print."""
        rows = [[cell.split("\n") for cell in row] for row in ([self.heads] if self.heads else []) + [*self.rows]]
        if not rows:
            return []
        widths = [max(len(line) for row in rows for line in row[i]) for i in range(len(rows[0]))]
        printed = (line for row in rows for line in zip_longest(*row, fillvalue=""))
        front = " " * self.indent
        return [front + "  ".join(f"{x:<{w}}" for x, w in zip(line, widths, strict=True)).rstrip() for line in printed]

    def html(self) -> str:
        """In a notebook; whatever a user has written is text."""
        head = _row("th", self.heads) if any(self.heads) else ""
        return f"<table>{head}{''.join(_row('td', row) for row in self.rows)}</table>"


def _row(kind: str, cells: Sequence[str]) -> str:
    texts = (escaped(cell).replace("\n", "<br>") for cell in cells)
    return (
        "<tr>"
        + "".join(f"<{kind} style='text-align:left;vertical-align:top'>{text}</{kind}>" for text in texts)
        + "</tr>"
    )
