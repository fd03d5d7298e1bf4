"""Other programs that solve the four-bar, one file each. Adding one is a new file and a line in ``ALL_PEERS``.

A file has ``PACKAGE``, the name under which ``pip`` installs what it needs, and ``contenders()``, which imports it.
"""

from __future__ import annotations

from importlib import import_module

from peers.base import Contender

ALL_PEERS = ("heyoka_taylor", "sympy_kane", "pinocchio_loop", "mujoco_rk4", "exudyn_planar")


def find_contenders() -> tuple[list[Contender], list[str]]:
    """The solvers of all installed peers, and a line for each that is not installed."""
    found: list[Contender] = []
    missing: list[str] = []
    for name in ALL_PEERS:
        peer = import_module(f"peers.{name}")
        try:
            found += peer.contenders()
        except ImportError as error:
            missing.append(f"{peer.PACKAGE}: left out, not installed (pip install {peer.PACKAGE}; {error})")
    return found, missing
