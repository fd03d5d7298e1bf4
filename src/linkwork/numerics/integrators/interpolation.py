"""Dense outputs of implicit methods, from the conditions that they satisfy."""

from __future__ import annotations

import math

import numpy as np

from linkwork.arrays import Array


def smooth_dense(matrix: Array, nodes: Array, stages: int, order: int) -> Array:
    """Dense output of the shortest coefficients that has this order, and the derivatives at both ends, for stages of
    order 2.

    b(θ) A^j c^i = θ^(m+1) i! / m! / (m + 1) with m = i + j < order, and b(1) = b, b'(0) = e_0, b'(1) = e_s. All other
    conditions up to order 4 follow from A c = c²/2.
    """
    count, powers, unit = len(nodes), np.arange(1.0, order + 1), np.eye(order)
    left, right = [], []
    for i in range(order):
        vector = nodes**i
        for m in range(i, order):
            left.append(np.kron(vector, unit))
            right.append(unit[m] * math.factorial(i) / math.factorial(m) / (m + 1))
            vector = matrix @ vector
    stage = np.eye(count)
    for at_end, value in ((unit[0], stage[0]), (np.ones(order), matrix[stages]), (powers, stage[stages])):
        left.append(np.kron(stage, at_end))
        right.append(value)
    found = np.linalg.lstsq(np.vstack(left), np.concatenate(right), rcond=1e-10)[0].reshape(count, order)
    found[:, 0] = stage[0]
    return np.asarray(found)


def collocation_polynomial(nodes: Array) -> Array:
    """P (s, s) of the polynomial whose derivatives at the nodes c (s) are the stages: Σ_i P_ij c_i^m = δ_jm / (m + 1).

    Its order is s, and A = P(c), b = P(1) are those of the method of collocation (Hairer, Nørsett, Wanner I, section
    II.7).
    """
    count = len(nodes)
    inverse = np.linalg.inv(np.vander(nodes, increasing=True).T)
    return np.asarray(inverse / np.arange(1, count + 1))
