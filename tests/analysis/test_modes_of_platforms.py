"""Direct kinematics of platforms on struts: all assembly modes with relations between bodies."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

import linkwork as lw

LIBRARY = Path(__file__).parents[2] / "examples" / "mechanisms"
BASE = np.array([[0, 0], [2.0, 0], [0.6, 1.9]])
TOP = np.array([[0, 0], [1.4, 0], [0.5, 1.5]])
PLACE, ANGLE = np.array([0.35, 0.3]), 0.9


def turn(angle: float) -> np.ndarray:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


CORNERS = PLACE + TOP @ turn(ANGLE).T
LENGTHS = np.linalg.norm(CORNERS - BASE, axis=1)


@cache
def planar() -> lw.Model:
    """A platform in the plane on three struts, 3-RPR."""
    return lw.Model(
        space="planar",
        name="3-RPR",
        points={f"{name}{i}": at[i].tolist() for name, at in (("A", BASE), ("C", CORNERS)) for i in range(3)},
        bodies={"platform": {"points": ["C0", "C1", "C2"], "mass": 1, "com": "C0", "inertia": 1}},
        relations={f"leg{i}": {"kind": "distance", "between": [f"A{i}", f"platform.C{i}"]} for i in range(3)},
    )


# SOURCE: C. Gosselin, J. Sefrioui, M. J. Richard, "Solutions polynomiales au problème de la cinématique directe des
# manipulateurs parallèles plans à trois degrés de liberté" (1992): differences of the three circles are linear in the place
# of the platform, which leaves one equation for its angle with up to six real roots
def angles() -> list[float]:
    def left(angle: float) -> float:
        c = TOP @ turn(angle).T - BASE
        matrix = 2 * (c[1:] - c[0])
        right = LENGTHS[1:] ** 2 - LENGTHS[0] ** 2 - np.sum(c[1:] ** 2, axis=1) + c[0] @ c[0]
        det = np.linalg.det(matrix)
        place = np.array([matrix[1, 1] * right[0] - matrix[0, 1] * right[1],
                          matrix[0, 0] * right[1] - matrix[1, 0] * right[0]])  # fmt: skip
        return float(np.sum((place + det * c[0]) ** 2) - det**2 * LENGTHS[0] ** 2)

    grid = np.linspace(-np.pi, np.pi, 4001)
    signs = [left(x) > 0 for x in grid]
    return [brentq(left, grid[i], grid[i + 1], xtol=1e-14) for i in range(4000) if signs[i] != signs[i + 1]]


def test_a_platform_in_the_plane_has_the_modes_of_its_polynomial() -> None:
    modes = lw.assembly_modes(planar())
    found = sorted(np.arctan2(mode.poses["platform"].axes[1, 0], mode.poses["platform"].axes[0, 0]) for mode in modes)
    exact = sorted((x - ANGLE + np.pi) % (2 * np.pi) - np.pi for x in angles())
    assert len(exact) >= 4
    np.testing.assert_allclose(found, exact, atol=1e-8)
    assert modes.in_use is modes[0] and not modes.complete and max(mode.residual for mode in modes) < 1e-10
    assert "there may be more" in str(modes)


def test_a_stewart_platform_is_mirrored_in_its_base() -> None:
    text = lw.load(LIBRARY / "stewart_platform.yaml").to_dict()
    for leg in text["relations"].values():
        leg["length"] = None
    modes = lw.assembly_modes(lw.Model(**text))
    heights = sorted(float(mode.poses["platform"].origin[2]) for mode in modes)
    assert len(modes) >= 2 and len(modes) % 2 == 0
    np.testing.assert_allclose(heights, [-height for height in heights[::-1]], atol=1e-8)


def test_modes_need_all_that_can_move_held() -> None:
    text = planar().to_dict()
    del text["relations"]["leg2"]
    with pytest.raises(lw.RefusedError, match=r"leg0, leg1.*give drivers"):
        lw.assembly_modes(lw.Model(**text))
