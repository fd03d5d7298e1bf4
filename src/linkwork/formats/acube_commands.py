"""ACUBE command files as text: which commands there are, how many numbers each takes, and where they stand."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkwork.errors import Fault, did_you_mean

BODIES = "total_number_of_body"
FOURBAR = "planar_fourbar"
FIXED_X = "absolute_x_position_constraint"
FIXED_Y = "absolute_y_position_constraint"
FIXED_ANGLE = "absolute_angular_constraint"
DRIVER = "selected_angular_driver"
COORDINATES = "initial_generalized_coordinates"
INERTIA = "inertia_properties"
END = "END_OF_DATA"

COMMANDS: Mapping[str, tuple[int, ...]] = {
    BODIES: (1,),
    FOURBAR: (5, 5, 4, 4),
    FIXED_X: (6,),
    FIXED_Y: (6,),
    FIXED_ANGLE: (4,),
    DRIVER: (1, 12, 12, 12),
    COORDINATES: (8,),
    INERTIA: (4, 4),
    END: (),
}
"""Command -> count of numbers in each of its lines."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True)
class Command:
    """One command: its name, its line in the text, and its numbers line by line, with the lines where they stand."""

    name: str
    line: int
    rows: tuple[tuple[float, ...], ...] = ()
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class CommandText:
    """A text taken apart: the free lines before the first command, the complete commands, and what is wrong."""

    header: tuple[str, ...]
    commands: tuple[Command, ...]
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class _Block:
    """A command as written: the lines (number, text) until the next one, blank lines left out."""

    name: str
    line: int
    content: list[tuple[int, str]]


def take_apart(text: str) -> CommandText:
    """Find the commands of a text and their numbers; faults tell their line."""
    header, blocks = _blocks(text)
    faults = list(_order_faults(blocks))
    commands = []
    for block in blocks:
        if block.name not in COMMANDS:
            continue
        command, wrong = _numbers_of(block)
        faults += wrong
        if not wrong:
            commands.append(command)
    return CommandText(tuple(header), tuple(commands), tuple(faults))


def at(name: str, line: int, reason: str, suggestion: str = "") -> Fault:
    """A fault of a command, with its line."""
    return Fault(name, f"line {line}: {reason}", suggestion)


def _blocks(text: str) -> tuple[list[str], list[_Block]]:
    header: list[str] = []
    blocks: list[_Block] = []
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        words = line.strip()
        if words.startswith(">"):
            blocks.append(_Block(words[1:].strip(), number, []))
        elif words and blocks:
            blocks[-1].content.append((number, words))
        elif words:
            header.append(words)
    return header, blocks


def _order_faults(blocks: list[_Block]) -> Iterator[Fault]:
    """Commands that are unknown, given twice, missing, or behind the end."""
    first: dict[str, int] = {}
    for block in blocks:
        if block.name not in COMMANDS:
            hint = did_you_mean(block.name[:60], list(COMMANDS))
            yield at(block.name[:60], block.line, "this command is not known", hint)
        elif block.name in first:
            yield at(block.name, block.line, f"is given twice, first in line {first[block.name]}", "give it once")
        elif END in first:
            yield at(block.name, block.line, f"comes after >{END}", "move it before the end")
        first.setdefault(block.name, block.line)
    if not blocks:
        hint = f"a command stands on a line of its own after '>', such as >{BODIES}"
        yield Fault("", "the text contains no commands", hint)
        return
    for name in COMMANDS:
        if name not in first and name != INERTIA:
            what = "ends the file" if name == END else f"takes {_spoken(COMMANDS[name])}"
            yield Fault(name, "is missing", f">{name} {what}")


def _numbers_of(block: _Block) -> tuple[Command, list[Fault]]:
    """The numbers of a command. Its data are the lines right after it; what follows them is free text."""
    wanted = COMMANDS[block.name]
    rows: list[tuple[float, ...]] = []
    faults: list[Fault] = []
    for count, (line, words) in zip(wanted, block.content, strict=False):
        row = words.split()
        wrong = [word for word in row if _value(word) is None]
        if wrong:
            reason = f"'{wrong[0][:40]}' is not a finite number"
            faults.append(at(block.name, line, reason, f">{block.name} takes {_spoken(wanted)}"))
        elif len(row) != count:
            reason = f"{_plural(count, 'number')} needed here, not {len(row)}"
            faults.append(at(block.name, line, reason, f">{block.name} takes {_spoken(wanted)}"))
        rows.append(tuple(_value(word) or 0.0 for word in row))
    if len(block.content) < len(wanted):
        reason = f"{_plural(len(wanted), 'line')} needed after it, not {len(block.content)}"
        faults.append(at(block.name, block.line, reason, f">{block.name} takes {_spoken(wanted)}"))
    for line, words in block.content[len(wanted) :]:
        if all(_value(word) is not None for word in words.split()):
            hint = f">{block.name} takes {_spoken(wanted)}; after them comes free text or the next command"
            faults.append(at(block.name, line, "more numbers than the command takes", hint))
    lines = tuple(line for line, _ in block.content[: len(wanted)])
    return Command(block.name, block.line, tuple(rows), lines), faults


def _value(word: str) -> float | None:
    """The finite number that a word stands for; None when there is none."""
    value = float(word) if _NUMBER.fullmatch(word) else math.nan
    return value if math.isfinite(value) else None


def _plural(count: int, what: str) -> str:
    return f"{count} {what} is" if count == 1 else f"{count} {what}s are"


def _spoken(counts: tuple[int, ...]) -> str:
    """The lines of a command in words."""
    if not counts:
        return "no numbers"
    sizes = ", ".join(map(str, counts[:-1]))
    each = f"{sizes} and {counts[-1]}" if sizes else str(counts[-1])
    plural = "s" if len(counts) > 1 else ""
    return f"{len(counts)} line{plural} of {each} number{'' if counts == (1,) else 's'}"
