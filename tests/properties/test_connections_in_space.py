"""Every kind of joint closes between two bodies in flight and opens again: what nothing outside changes stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.elements.joints import ALL_JOINTS

KEYS: dict[str, dict[str, Any]] = {
    "universal": {"axes": [[1, 0, 0], [0, 1, 0]]},
    "helical": {"axis": [0, 0, 1], "pitch": "0.1 m"},
    "fixed": {},
    "spherical": {},
}
FLIGHT = {
    "a": {"velocity": [0.1, 0.2, 0.3], "omega": [0.5, -0.2, 0.4]},
    "b": {"velocity": [-0.3, 0.1, 0], "omega": [-0.6, 0.3, 0.8]},
}


def body(hook: list[float], mass: float, origin: list[float]) -> dict[str, Any]:
    points = {"G": [0, 0, 0], "H": hook}
    return {"points": points, "com": "G", "mass": mass, "inertia": [0.3, 0.2, 0.25], "origin": origin}


def in_flight(kind: str) -> lw.Model:
    joint = {"kind": kind, "bodies": ["a", "b"], "at": ["H", "H"], **KEYS.get(kind, {"axis": [0.2, 0.3, 1]})}
    return lw.Model(
        space="spatial",
        bodies={"a": body([0.3, 0.1, 0], 2, [0, 0, 0]), "b": body([-0.3, 0, 0.1], 1.5, [0.8, 0.1, 0.2])},
        relations={"it": {"kind": "connection", "active": False, "joint": joint}},
        switches={"on": {"connect": "it", "at": 0.3, "catching": "anywhere"}, "off": {"release": "it", "at": 1}},
        initial=FLIGHT,
    )


@pytest.mark.parametrize("kind", [kind.name for kind in ALL_JOINTS if "spatial" in kind.axes])
def test_momentum_stays_and_energy_is_lost_once(kind: str) -> None:
    found = []
    for coordinates in ("relative", "reference_point", "natural"):
        run = lw.simulate(in_flight(kind), until=1.3, coordinates=coordinates, rtol=1e-11, atol=1e-12)
        assert run.outcome.completed and run.audit.passed, (run.outcome, run.audit)
        for name in ("momentum", "angular_momentum"):
            for axis in "xyz":
                assert np.ptp(run[f"{name}.{axis}"]) < 1e-10
        closed = (run.time > 0.3) & (run.time < 1)
        energy, lost = run["energy.kinetic"], run["work.dissipated"][-1]
        assert np.ptp(energy[closed]) < 1e-9
        assert energy[0] - energy[-1] == pytest.approx(lost, abs=1e-9)
        assert lost > 1e-3
        found.append([lost, *(run[f"b.{name}"][-1] for name in ("x", "vy", "wz"))])
    np.testing.assert_allclose(found[1:], [found[0]] * 2, atol=1e-8)
