"""Every key of every declaration says what it is, and what holds without it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from linkwork.model import Model
from linkwork.model.drive import Driver
from linkwork.model.guide import Guide
from linkwork.model.moving_base import MovingBase
from linkwork.model.parameters import Parameter
from linkwork.model.sections import SECTIONS
from linkwork.model.shapes import Mesh, Shape
from linkwork.model.start import StartPose

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import reference

KINDS = [kind for section in SECTIONS for kind in (section.kinds or {}).values()]
DECLARED: list[type[Any]] = [*KINDS, Model, Parameter, Driver, Guide, StartPose, MovingBase, Shape, Mesh]


@pytest.mark.parametrize("declared", DECLARED, ids=lambda declared: declared.__name__)
def test_every_key_says_what_it_is_and_what_holds_without_it(declared: type[Any]) -> None:
    rows = list(reference.rows(declared))  # which refuses a key without words, or without a default
    assert {key for key, _, _ in rows} == set(declared.model_fields)
    for key, words, default in rows:
        assert words.strip(" -.") and default.strip(" -"), f"{declared.__name__}.{key}"
        assert default == "required" or not declared.model_fields[key].is_required()


def test_a_key_without_a_default_is_noticed() -> None:
    from pydantic import BaseModel, Field

    class Silent(BaseModel):
        """Says what its key is, and not what holds without it."""

        key: float | None = Field(None, description="a number, m")

    with pytest.raises(ValueError, match="the key 'key' of Silent says nowhere what holds without it"):
        list(reference.rows(Silent))


def test_the_defaults_that_are_told_are_those_that_hold() -> None:
    """A number in a table is that of the declaration."""
    found = {(declared.__name__, key): default for declared in KINDS for key, _, default in reference.rows(declared)}
    assert found["Spring", "free_length"] == found["TorsionSpring", "free_angle"] == "as drawn"
    assert found["Spring", "damping"] == "0" and found["Friction", "smoothing"] == "0.001"
    assert found["Force", "axes"] == "world" and found["Gear", "internal"] == "no"
    assert found["Actuator", "gain"] == "1"
