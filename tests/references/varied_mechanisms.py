"""Mechanisms with live parameters, for studies of many variants."""

from __future__ import annotations

from typing import Any

import linkwork as lw


def four_bar(**changes: Any) -> lw.Model:
    return lw.Model(
        name="four-bar",
        space="planar",
        parameters={
            "a": {"value": "400 mm", "live": True},
            "b": {"value": 1.2, "live": True},
            "m": {"value": "2 kg", "live": True},
            "fixed": 3,
        },
        points={"O": [0, 0], "A": [0, 0.4], "B": [1.1, 0.9], "C": [1.3, 0]},
        bodies={
            "crank": {"bar": ["O", "A"], "length": "a", "mass": 1},
            "coupler": {"bar": ["A", "B"], "length": "b", "mass": "m"},
            "rocker": {"bar": ["C", "B"], "length": 1, "mass": 2},
        },
        joints={
            "O": {"kind": "revolute", "bodies": ["ground", "crank"]},
            "A": {"kind": "revolute", "bodies": ["crank", "coupler"]},
            "B": {"kind": "revolute", "bodies": ["coupler", "rocker"]},
            "C": {"kind": "revolute", "bodies": ["ground", "rocker"]},
        },
        **{"gravity": [0, -9.81], "initial": {"O": {"speed": 6}}, **changes},
    )
