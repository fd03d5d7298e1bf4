"""What other packages add: they offer it by entry points ``linkwork``, which are looked at where a name is not known.

Everything that is offered goes to the room that registers, which knows where it belongs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from linkwork.above import ask

GROUP = "linkwork"
_looked: list[bool] = []


def discover() -> bool:
    """Register what installed packages offer, once in a process. Whether there was anything new."""
    if _looked:
        return False
    _looked.append(True)
    from importlib.metadata import entry_points

    register: Callable[[Any], Any] = ask("registers", "register")
    count = 0
    for entry in entry_points(group=GROUP):
        try:
            register(entry.load())
            count += 1
        except Exception as error:
            package = entry.dist.name if entry.dist is not None else "a package"
            warnings.warn(
                f"'{entry.name} = {entry.value}' that {package} offers is left out ({type(error).__name__}: {error})",
                stacklevel=2,
            )
    return count > 0
