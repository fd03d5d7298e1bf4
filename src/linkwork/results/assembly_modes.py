"""All assembly modes of a mechanism, as a user reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from linkwork.algebra.given import FilePath
from linkwork.answer import AnswerList, Column, Grid
from linkwork.results.drawing import Drawing
from linkwork.shown import page
from linkwork.topology.assembly_mode import AssemblyMode


@dataclass(frozen=True, eq=False, repr=False)
class AssemblyModes(AnswerList[AssemblyMode]):
    """The positions in which a mechanism can be assembled with its inputs held; prints as a table.

    name: of the mechanism; inputs: what is held, by name, as text with its unit
    blocks: the names of the blocks in the order of the plan
    complete: whether no mode can be missing (every loop has a closed form, and all were counted)
    drawing: what the bodies look like; notes: what has to be known of the model
    """

    view, pictured = "modes.plot_modes", True

    name: str
    inputs: Mapping[str, str]
    blocks: tuple[str, ...]
    modes: tuple[AssemblyMode, ...]
    complete: bool
    drawing: Drawing
    notes: tuple[str, ...] = ()

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
        rows = [(str(i), *self.cells(mode), mode.remark) for i, mode in enumerate(self.modes, start=1)]
        lines: list[str | Grid] = [Grid(rows, ("", *self.blocks, "") if self.blocks else ())] if rows else []
        if not self.complete:
            lines.append("found by a search or cut off: there may be more")
        if self.odd:
            lines.append(
                "an odd number: solutions of such equations come in pairs, so that one is likely to be missing; look "
                "further with tries=5000"
            )
        return lines

    def columns(self) -> list[Column]:
        """A row for every mode, with the branch of each block."""
        cells = [self.cells(mode) for mode in self.modes]
        blocks = (Column(name, [row[i] for row in cells]) for i, name in enumerate(self.blocks))
        numbers = Column("mode", list(range(1, len(self) + 1)))
        return [numbers, *blocks, Column("remark", [mode.remark for mode in self.modes])]

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
