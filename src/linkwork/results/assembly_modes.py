"""All assembly modes of a mechanism, as a user reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import degrees
from pathlib import Path

from linkwork.algebra.given import FilePath
from linkwork.answer import AnswerList, Column, Grid
from linkwork.results.drawing import Drawing
from linkwork.shown import page
from linkwork.topology.assembly_mode import AssemblyMode

MOST = 6  # places that are printed


@dataclass(frozen=True, eq=False, repr=False)
class AssemblyModes(AnswerList[AssemblyMode]):
    """The positions in which a mechanism can be assembled with its inputs held; prints as a table.

    Modes that a search has found have no names of branches: they are told by the coordinates of joints, or by the places of
    the bodies that tell them apart.

    name: of the mechanism; inputs: what is held, by name, as text with its unit
    blocks: the names of the blocks in the order of the plan
    complete: whether no mode can be missing (every loop has a closed form, and all were counted)
    drawing: what the bodies look like; notes: what has to be known of the model
    bodies: by whose places modes are told apart; none: all
    """

    view, pictured = "modes.plot_modes", True

    name: str
    inputs: Mapping[str, str]
    blocks: tuple[str, ...]
    modes: tuple[AssemblyMode, ...]
    complete: bool
    drawing: Drawing
    notes: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()

    @property
    def items(self) -> Sequence[AssemblyMode]:
        return self.modes

    @property
    def in_use(self) -> AssemblyMode | None:
        """The mode in which the mechanism is assembled."""
        return next((mode for mode in self.modes if mode.in_use), None)

    @property
    def title(self) -> str:
        """How many there are, of what, and with which inputs."""
        count = f"{len(self)} assembly mode{'' if len(self) == 1 else 's'} of {self.name}"
        held = ", ".join(f"{name} = {value}" for name, value in self.inputs.items())
        return f"{count} with {held}" if held else count

    def report(self) -> list[str | Grid]:
        """The modes, the branch of each block, and what has to be known of them."""
        told = self.places[:MOST] or self._branches
        rows = [
            (str(i), *(_text(column, i - 1) for column in told), mode.remark)
            for i, mode in enumerate(self.modes, start=1)
        ]
        heads = ("", *(_head(column) for column in told), "")
        lines: list[str | Grid] = [Grid(rows, heads if told else ())] if rows else []
        if not self.complete:
            lines.append("found by a search or cut off: there may be more")
        if self.odd:
            lines.append(
                "an odd number: solutions of such equations come in pairs, so that one is likely to be missing; look "
                "further with tries=5000"
            )
        return lines

    def columns(self) -> list[Column]:
        """A row for every mode, with the branch of each block, and with places where those tell them."""
        numbers = Column("mode", list(range(1, len(self) + 1)))
        return [numbers, *self._branches, *self.places, Column("remark", [mode.remark for mode in self.modes])]

    @property
    def places(self) -> list[Column]:
        """Coordinates of joints, or places of bodies, where no names of branches tell modes apart."""
        if self.bodies:
            each = [[column for body in self.bodies for column in mode.columns_of(body)] for mode in self.modes]
        else:
            each = [mode.columns_of_joints for mode in self.modes if mode.found and not mode.branches]
        return (
            [Column(first.name, [row[i].values[0] for row in each], first.unit) for i, first in enumerate(each[0])]
            if each
            else []
        )

    @property
    def _branches(self) -> list[Column]:
        cells = [self.cells(mode) for mode in self.modes]
        return [Column(name, [row[i] for row in cells]) for i, name in enumerate(self.blocks)]

    @property
    def odd(self) -> bool:
        """Whether a search has found an odd number of modes, more than one, none in a dead centre: one may be missing."""
        regular = not any(mode.dead_centres for mode in self.modes)
        return not self.complete and regular and len(self) > 1 and len(self) % 2 == 1

    def animate(self, path: FilePath, *, overwrite: bool | None = None) -> Path:
        """Write one self-contained HTML page to click through the modes; the one in use is pale behind the others."""
        return page("page.write_modes_page", self, path, overwrite=overwrite)

    def cells(self, mode: AssemblyMode) -> list[str]:
        """The names of the branches of a mode in the order of the blocks."""
        names = {**mode.branches, **mode.found}
        return [names[block] for block in self.blocks]


def _head(column: Column) -> str:
    unit = "deg" if column.unit == "rad" else column.unit
    return f"{column.name}, {unit}" if unit else column.name


def _text(column: Column, row: int) -> str:
    value = column.values[row]
    if isinstance(value, str):
        return value
    return f"{round(degrees(value) if column.unit == 'rad' else value, 9) + 0.0:.6g}"
