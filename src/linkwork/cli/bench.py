"""The command `bench`: Linkwork beside every other program that is installed, on the same problems in one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from linkwork.cli.answering import Giving

if TYPE_CHECKING:
    from linkwork.answer import Answer


def bench(
    problems: Annotated[
        list[str] | None, typer.Argument(help="Names of problems, such as a01 four_bar; by default all.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer settings and problems: two minutes.")] = False,
) -> Answer:
    """Compare Linkwork with every other program that is installed: times for the same accuracy."""
    from linkwork.bench.compare import compare

    return compare(problems or (), quick=quick)


COMMANDS = {bench: Giving(moving=lambda found, _: found, film=False, page="page")}
