"""Tables of texts: as lines whose columns begin below each other, and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

SHORT = 110  # letters of a representation
WIDTH = 100  # letters of a line in print; a longer word stays whole
NARROW = 24  # letters that the last column of a table has at least


def escaped(text: str) -> str:
    """Whatever a user has written, as text of a page."""
    from html import escape

    return escape(text)


def brief(text: str, letters: int = SHORT) -> str:
    """A line of so many letters at most."""
    line = " ".join(text.split())
    return line if len(line) <= letters else line[: letters - 3] + "..."


def rounded(value: float) -> str:
    """Three digits, of thousands too: 0.0123, 12.3, 1240."""
    return f"{float(f'{value:.3g}'):g}"


def wrapped(line: str, width: int = WIDTH, hang: str = "  ") -> list[str]:
    """A line as several, broken between words; those after the first are indented by *hang* more than it is."""
    from textwrap import wrap

    front = line[: len(line) - len(line.lstrip())]
    if len(line) <= width:
        return [line]
    return wrap(
        line.lstrip(),
        width,
        initial_indent=front,
        subsequent_indent=front + hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


class Text(str):
    """Lines that are printed as they stand."""

    __slots__ = ()

    def lines(self) -> list[str]:
        """In print."""
        return self.split("\n")

    def html(self) -> str:
        """In a notebook."""
        return f"<pre style='font-family:monospace'>{escaped(self)}</pre>"


class Sections(Text):
    """Headings, each with the indented lines that belong to it; in a notebook a table."""

    __slots__ = ()

    def lines(self) -> list[str]:
        """In print, long lines broken between words."""
        return [part for line in self.split("\n") for part in wrapped(line, hang="    ")]

    def html(self) -> str:
        """A row for every heading."""
        rows: list[tuple[str, list[str]]] = []
        for line in filter(None, self.split("\n")):
            if not line.startswith(" ") or not rows:
                rows.append((line, []))
            else:
                rows[-1][1].append(line.removeprefix("  ").replace("  ", "\u2003"))
        return Grid([(heading, "\n".join(lines)) for heading, lines in rows]).html()


@dataclass(frozen=True)
class Grid:
    """Rows of texts below their heads, or without any; a cell may have several lines. indent: spaces before the lines.

    In print the texts of the last column are broken between words where lines would be too long.
    """

    rows: Sequence[Sequence[str]]
    heads: Sequence[str] = ()
    indent: int = 2

    def lines(self) -> list[str]:
        """In print."""
        rows = [[cell.split("\n") for cell in row] for row in ([self.heads] if self.heads else []) + [*self.rows]]
        if not rows:
            return []
        widths = [max(len(line) for row in rows for line in row[i]) for i in range(len(rows[0]))]
        left = max(WIDTH - self.indent - sum(widths[:-1]) - 2 * len(widths[:-1]), NARROW)
        rows = [[*row[:-1], [part for line in row[-1] for part in wrapped(line, left)]] for row in rows]
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
