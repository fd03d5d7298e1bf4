"""Who may touch among shapes of bodies, by the pairs that the broad phase finds of balls in one place."""

from __future__ import annotations

import casadi as ca
import pytest

from linkwork.algebra.frames import Frame
from linkwork.elements.extents import ball
from linkwork.elements.shapes.forms import ContactShape
from linkwork.elements.shapes.kinship import kinship_of
from linkwork.elements.shapes.records import record_of
from linkwork.errors import UnknownNameError
from linkwork.numerics.collision.broad_phase import pairs_of, scene_record

BODIES = {"heel": "foot", "toe": "foot", "shin": "leg", "knee": "leg", "floor": "ground"}


def shapes(**groups: str) -> list[ContactShape]:
    still = Frame.identity(3)
    return [
        ContactShape(name, body, ball(ca.SX(1.0)), still, frozenset({groups[name]} if name in groups else ()))
        for name, body in BODIES.items()
    ]


def touching(of: list[ContactShape], **given: list[tuple[str, str]]) -> set[frozenset[str]]:
    records = [record_of(shape, lambda x: x.full() if hasattr(x, "full") else ca.DM(x).full()) for shape in of]
    found = pairs_of(scene_record(records, kinship_of(of, **given)))
    return {frozenset({of[i].name, of[j].name}) for i, j in found}


def pairs(text: str) -> set[frozenset[str]]:
    return {frozenset(pair.split("-")) for pair in text.split()}


ON_FLOOR = "heel-floor toe-floor shin-floor knee-floor"


def test_parts_of_one_body_do_not_touch():
    assert touching(shapes()) == pairs(f"{ON_FLOOR} heel-shin heel-knee toe-shin toe-knee")


def test_joined_bodies_and_those_named_do_not_touch():
    assert touching(shapes(), joined=[("leg", "foot")]) == pairs(ON_FLOOR)
    assert touching(shapes(), joined=[("leg", "hip")], ignore=[("ground", "leg")]) == pairs(
        "heel-floor toe-floor heel-shin heel-knee toe-shin toe-knee"
    )
    assert touching(shapes(), joined=[("leg", "foot")], ignore=[("heel", "floor")]) == pairs(
        "toe-floor shin-floor knee-floor"
    )
    assert touching(shapes(), joined=[("leg", "foot")], ignore=[("foot", "floor")]) == pairs("shin-floor knee-floor")


def test_groups_do_not_touch():
    assert touching(shapes(shin="soft", toe="soft", floor="soft")) == pairs(
        "heel-floor knee-floor heel-shin heel-knee toe-knee"
    )


def test_unknown_names_are_told():
    with pytest.raises(UnknownNameError, match=r"'heal' is no shape and no body with one.*heel"):
        kinship_of(shapes(), ignore=[("heal", "floor")])
