"""Other programs that solve the problems, one file each. Adding one is a new file and a line in ``ALL_PEERS``.

A file has ``PACKAGE``, the name under which ``pip`` installs what it needs, and ``contenders(problem)``, which imports it
and gives its solvers of a problem; none where it has no model of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from peers.base import Contender

if TYPE_CHECKING:
    from problems import Problem

ALL_PEERS = (
    *("heyoka_taylor", "scipy_ivp", "sundials_cvode"),
    *("sympy_kane", "pinocchio_loop", "pinocchio_tree", "mujoco_rk4", "mujoco_tree", "exudyn_planar"),
)


def find_contenders(problem: Problem) -> tuple[list[Contender], list[str]]:
    """The solvers of all installed peers, and a line for each that is not installed."""
    found: list[Contender] = []
    missing: list[str] = []
    for name in ALL_PEERS:
        peer = import_module(f"peers.{name}")
        try:
            found += peer.contenders(problem)
        except ImportError as error:
            missing.append(f"{peer.PACKAGE}: left out, not installed (pip install {peer.PACKAGE}; {error})")
    return found, missing
