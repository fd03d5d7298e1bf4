"""The closed form of a chain as a CasADi function of all its numbers, so that the expressions are what is tested."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
from loop_chains import Array, Chain

from linkwork.algebra.frames import Frame
from linkwork.closed_form.base import ChainElement, rotation
from linkwork.closed_form.recognise import solve

INPUT_AXIS = np.array([2.0, -1.0, 2.0]) / 3
INPUT_POINT = np.array([0.3, -0.2, 0.5])
INPUT_TWIST = np.concatenate([INPUT_AXIS, np.cross(INPUT_POINT, INPUT_AXIS)])
"""The frozen input inside D: a turn about this axis through this point, in front of the given displacement."""


@cache
def closed_form(kinds: str) -> ca.Function:
    """(numbers of the chain, turn numbers, input angle) -> valid (B), frames (12 n, B), their input derivatives."""
    n = len(kinds)
    numbers, turns, angle = ca.SX.sym("numbers", 7 * n + 12), ca.SX.sym("turns", n), ca.SX.sym("angle")
    axes = ca.reshape(numbers[: 3 * n], 3, n)
    points = ca.reshape(numbers[3 * n : 6 * n], 3, n)
    given = Frame(numbers[7 * n + 9 :], ca.reshape(numbers[7 * n : 7 * n + 9], 3, 3))
    chain = [ChainElement(kinds[i], axes[:, i], points[:, i], numbers[6 * n + i], turns[i]) for i in range(n)]
    turn = rotation(ca.SX(INPUT_AXIS), (ca.cos(angle), ca.sin(angle)))
    driven = Frame(ca.SX(INPUT_POINT) - turn @ INPUT_POINT, turn) @ given
    branches = solve(chain, driven)
    frames = ca.horzcat(*[_flat([m.frame for m in branch.motions]) for branch in branches])
    rates = ca.reshape(ca.jacobian(ca.vec(frames), angle), frames.shape)
    valid = ca.vertcat(*[branch.valid for branch in branches])
    return ca.Function(kinds, [numbers, turns, angle], [valid, ca.densify(frames), ca.densify(rates)])


def _flat(frames: list[Frame]) -> ca.SX:
    return ca.vertcat(*[ca.vec(ca.horzcat(frame.axes, frame.origin)) for frame in frames])


def assemblies(chain: Chain, turns: Array | None = None, angle: float = 0.0) -> list[tuple[list[Array], list[Array]]]:
    """Frames (4 × 4) of the elements and their derivatives by the input angle, for each valid branch."""
    n = len(chain.kinds)
    valid, frames, rates = closed_form(chain.kinds)(chain.flat, np.zeros(n) if turns is None else turns, angle)
    found = []
    for b in np.flatnonzero(np.array(valid).ravel() >= 0):
        found.append((_matrices(frames[:, int(b)], n, 1.0), _matrices(rates[:, int(b)], n, 0.0)))
    return found


def _matrices(column: ca.DM, n: int, corner: float) -> list[Array]:
    blocks = np.array(column).reshape(n, 4, 3)
    out = []
    for block in blocks:
        matrix = np.zeros((4, 4))
        matrix[:3], matrix[3, 3] = block.T, corner
        out.append(matrix)
    return out
