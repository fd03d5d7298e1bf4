"""Numbers beyond all measure are refused by the name of their element; all others are analysed, or refused in words."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.formats.examples import example_text

HINGE = {
    "space": "spatial",
    "points": {"O": [0, 0, 0], "A": [1, 0, 0]},
    "bodies": {"arm": {"bar": ["O", "A"], "mass": 1, "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"O": {"kind": "revolute", "bodies": ["ground", "arm"], "axis": [0, 0, 1]}},
}


def hinge(axis: list[float]) -> lw.Model:
    return lw.Model(**{**HINGE, "joints": {"O": {**HINGE["joints"]["O"], "axis": axis}}})  # type: ignore[dict-item]


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e160, 1e300])
def test_axes_beyond_all_measure_are_refused(size: float) -> None:
    with pytest.raises(lw.errors.ModelError, match=r"joints\.O\.axis"):
        hinge([0, 0, size])


@pytest.mark.parametrize("size", [1e-39, 1e-9, 1.0, 1e9, 1e39])
def test_the_length_of_an_axis_does_not_matter(size: float) -> None:
    mechanism = lw.analyse(hinge([0.6 * size, 0.0, 0.8 * size]))
    assert mechanism.mobility.free == 1
    assert lw.analyse(hinge([size, 1e-300, 0.0])).mobility.free == 1


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"points": {"O": [0, 0, 0], "A": [1e200, 0, 0]}}, r"points\.A\[0\]"),
        ({"bodies": {"arm": {"bar": ["O", "A"], "mass": 1e180, "inertia": [1, 1, 1]}}}, r"bodies\.arm\.mass"),
        ({"bodies": {"arm": {"bar": ["O", "A"], "mass": 1e-180, "inertia": [1, 1, 1]}}}, r"bodies\.arm\.mass"),
        ({"parameters": {"a": "1e30", "b": "a*a"}}, r"parameters\.b"),
        ({"parameters": {"a": "1e30"}, "gravity": ["a^2", 0, 0]}, r"gravity\[0\]"),
        ({"forces": {"F": {"kind": "effort", "joint": "O", "value": "1e200*t"}}}, r"forces\.F\.value"),
    ],
)
def test_each_is_told_by_its_name(change: dict, path: str) -> None:
    with pytest.raises(lw.errors.ModelError, match=path):
        lw.Model(**{**HINGE, **change})


@pytest.mark.parametrize("value", [math.inf, math.nan, 1e200, -1e41, "1e60 m"])
def test_live_values_are_checked_too(value: float | str) -> None:
    model = lw.Model(**HINGE, parameters={"g": {"value": 1.0, "live": True}}, gravity=[0, "g", 0])
    for verb in (lw.simulate, lw.find_equilibrium):
        with pytest.raises(LinkworkError, match=r"'g'|finite"):
            verb(model, **({"until": 0.1} if verb is lw.simulate else {}), parameters={"g": value})  # type: ignore[operator]


def numbers_of(data: object, path: tuple = ()) -> list[tuple]:
    if isinstance(data, dict):
        return [found for key, item in data.items() for found in numbers_of(item, (*path, key))]
    if isinstance(data, list):
        return [found for i, item in enumerate(data) for found in numbers_of(item, (*path, i))]
    return [path] if isinstance(data, int | float) and not isinstance(data, bool) and path != ("linkwork",) else []


@pytest.mark.parametrize(
    "name", ["double_pendulum", "driven_four_bar", "pendulum", "flywheel_and_piston", "spatial_four_bar"]
)
def test_numbers_of_any_size_are_analysed_or_refused(name: str) -> None:
    """None of the messages of LAPACK comes out, and nothing hangs."""
    data = lw.loads(example_text(name)).to_dict()
    places, rng = numbers_of(data), np.random.default_rng(5)
    for _ in range(12):
        place = places[rng.integers(len(places))]
        target: object = data
        for key in place[:-1]:
            target = target[key]  # type: ignore[index]
        kept = target[place[-1]]  # type: ignore[index]
        target[place[-1]] = float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-310, 308))  # type: ignore[index]
        with contextlib.suppress(LinkworkError):
            lw.analyse(lw.Model(**data))
        target[place[-1]] = kept  # type: ignore[index]


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_halves_of_characters_are_refused_and_can_be_printed(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    for change in ({"name": text}, {"description": text}, {"outputs": {text: "1"}}, {text: 1}):
        with pytest.raises(lw.errors.ModelError) as caught:
            lw.Model(**{**HINGE, **change})
        str(caught.value).encode()
        "".join(str(fault) for fault in caught.value.faults).encode()
    for format_ in ("yaml", "json"):
        with pytest.raises(lw.errors.ModelError) as caught:
            lw.loads(f'{{"space": "planar", "name": "{text}"}}', format_)
        str(caught.value).encode()
    with pytest.raises(lw.errors.ModelError) as caught:
        lw.loads('{"space": "planar", "name": "\\ud800"}', "json")
    with pytest.raises(LinkworkError) as unknown:
        lw.simulate(lw.Model(**HINGE), 0.1)[text]
    str(unknown.value).encode()
