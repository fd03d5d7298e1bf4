"""Some cells of the cross test: right, refused, or honest about why they are not.

``make explore`` runs sixty of them, ``make cross`` thousands.
"""

import pytest
from crossing_checks import GOOD, check
from crossings import FILES, GROUP, METHODS, cells
from exploring import EXPLORING

import linkwork as lw

GROUPS, EACH = 20 if EXPLORING else 12, 3


@pytest.mark.matrix
@pytest.mark.parametrize("group", range(GROUPS))
def test_no_combination_is_wrong_without_a_word(group: int) -> None:
    """Three integrators of one combination, of every group another one."""
    first = GROUP * group + METHODS * (group % (GROUP // METHODS))
    found = [check(cell) for cell in cells(0, range(first, first + EACH))]
    bad = [str(verdict) for verdict in found if verdict.kind not in GOOD]
    assert not bad, "\n".join(bad)
    assert all(verdict.text for verdict in found)


@pytest.mark.parametrize("kind", ["relative", "natural", "mixed"])
def test_a_force_that_jumps_between_two_outputs_is_no_alarm(kind: str) -> None:
    """Accelerations jump there, so that speeds at both ends do not say how far it goes: the audit looks elsewhere."""
    pushed = lw.load(FILES[-1].parent / "double_pendulum.yaml").with_(
        forces={"push": {"kind": "effort", "joint": "O", "value": "if(t > 0.0801, 1.759, 0)"}}
    )
    assert lw.simulate(pushed, 0.25, step=0.0025, coordinates=kind).audit.passed


def test_a_run_that_cannot_go_on_names_what_can() -> None:
    """A governor whose arms are at a dead centre of the coordinates that were chosen once and for all."""
    engine = lw.load(FILES[0].parent / "steam_engine.yaml").with_(
        drivers={"lead": {"joint": "left", "freedom": "angle", "speed": 0.1237}}
    )
    stopped = lw.simulate(engine, 0.05, step=0.01, formulation="canonical_independent").outcome
    assert not stopped.completed
    assert "'partitioning'" in stopped.reason
    assert lw.simulate(engine, 0.05, step=0.01, formulation="partitioning").outcome.completed
