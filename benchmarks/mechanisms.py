"""The library of mechanisms that is timed: those that come with Linkwork."""

from __future__ import annotations

import linkwork as lw

# name of the file and what the tables call it
MECHANISMS: dict[str, str] = {
    "four_bar": "four-bar",
    "slider_crank": "slider-crank",
    "quick_return": "quick return",
    "rggr": "RGGR",
    "rccc": "RCCC",
    "rgcr": "RGCR",
    "rgrrr": "RGRRR",
    "spherical_four_bar": "spherical four-bar",
    "watt_1": "Watt I",
    "watt_2": "Watt II",
    "stephenson_1": "Stephenson I",
    "stephenson_2": "Stephenson II",
    "stephenson_3": "Stephenson III",
    "peaucellier": "Peaucellier",
    "eight_bar": "eight-bar",
}
# those of the cross test, tests/references/ten_mechanisms.py
TEN: dict[str, str] = {
    "four_bar": "four-bar",
    "slider_crank": "slider-crank",
    "spatial_slider_crank": "spatial slider-crank",
    "bricard": "Bricard",
    "five_link_pendulum": "five-link pendulum",
    "double_wishbone": "double wishbone",
    "watt_1": "six-bar",
    "seven_axis_arm": "7R arm",
    "rolling_disc": "rolling disc",
    "gyroscope": "gyroscope",
}


def load_mechanism(name: str) -> lw.Model:
    return lw.example(name)
