"""Other programs that solve the problems, one file each. Adding one is a new file and a line in ``ALL_PEERS``.

A file has ``PACKAGE``, the name under which ``pip`` installs what it needs, and ``contenders(task)``, which imports it
and gives its solvers of a task; none where it has no model of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from linkwork.bench.peers.base import Contender

if TYPE_CHECKING:
    from linkwork.bench.task import Task

ALL_PEERS = (
    *("heyoka_taylor", "scipy_ivp", "sundials_cvode", "sympy_kane"),
    *("pinocchio_bodies", "mujoco_bodies", "exudyn_bodies", "drake_bodies"),
)


def find_contenders(task: Task) -> tuple[list[Contender], dict[str, str]]:
    """The solvers of all installed peers, and what is missing by package, with the reason."""
    found: list[Contender] = []
    missing: dict[str, str] = {}
    for name in ALL_PEERS:
        peer = import_module(f"linkwork.bench.peers.{name}")
        try:
            found += peer.contenders(task)
        except ImportError as error:
            missing[peer.PACKAGE] = str(error)
    return found, missing
