"""Every joint kind in every space it admits answers the five questions of its contract consistently."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from random_mechanisms import examples, seeds

from linkwork.algebra.orientations import ALL_ORIENTATIONS
from linkwork.algebra.space import PLANAR, SPATIAL, Space
from linkwork.elements.joints import ALL_JOINTS, FREE, JointKind, joint_kind
from linkwork.model import JOINT_KINDS
from linkwork.testing.joints import JOINT_CHECKS, OF_ATTITUDES, JointCheck

CASES = [
    pytest.param(kind, space, id=f"{kind.name}-{space.name}")
    for kind in (*ALL_JOINTS, FREE)
    for space in (PLANAR, SPATIAL)
    if space.name in kind.spaces
]
TURNING = [
    pytest.param(kind.oriented(orientation), SPATIAL, id=f"{kind.name}-{orientation}")
    for kind in (*ALL_JOINTS, FREE)
    for orientation in ALL_ORIENTATIONS[1:]
    if "spatial" in kind.spaces and kind.spins(SPATIAL)
]
every_kind = pytest.mark.parametrize(("kind", "space"), CASES)
few = examples(6)
MOST = {"constant_velocity": 2.0}  # must not be bent by nearly 180 degrees


@every_kind
def test_counts_agree_with_the_declarations(kind: JointKind, space: Space) -> None:
    assert len(kind.freedoms(space)) + kind.count_rows(space) == space.freedoms
    assert joint_kind(kind.name) is kind
    if kind is not FREE:
        assert JOINT_KINDS[kind.name].MECHANICS is kind


@pytest.mark.parametrize("check", JOINT_CHECKS, ids=lambda check: check.__name__)
@every_kind
@few
@given(seed=seeds)
def test_a_kind_answers_consistently(kind: JointKind, space: Space, check: JointCheck, seed: int) -> None:
    check(kind, space, np.random.default_rng(seed), MOST.get(kind.name, 3.0))


@pytest.mark.parametrize("check", OF_ATTITUDES, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("kind", "space"), TURNING)
@few
@given(seed=seeds)
def test_so_it_does_in_every_parametrisation(kind: JointKind, space: Space, check: JointCheck, seed: int) -> None:
    check(kind, space, np.random.default_rng(seed), 3.0)
