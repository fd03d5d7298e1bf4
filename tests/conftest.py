"""Settings for all tests: by default every run repeats the same examples; `make explore` looks for new ones.

HYPOTHESIS_PROFILE=explore draws new examples, and takes all cells of matrices (`exploring.py`); EXPLORE_TIMES=10 draws ten
times as many.
"""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from exploring import EXPLORING, TIMES, left_out
from hypothesis import HealthCheck, settings

# one thread for linear algebra, of small matrices and in several processes: threads would wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.register_profile(
    "explore",
    deadline=None,
    print_blob=True,
    max_examples=100 * TIMES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of each matrix an ordinary run takes some cells, of those that were asked for."""
    others = [] if EXPLORING else left_out(items)
    if others:
        config.hook.pytest_deselected(items=others)
        away = set(map(id, others))
        items[:] = [item for item in items if id(item) not in away]


def pytest_collection_finish() -> None:
    """All tests stay until the end: whoever looks for what nobody holds need not look at them, nor so often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@contextmanager
def _kinds_kept() -> Iterator[None]:
    """What is registered inside is gone behind it."""
    from linkwork.coordinates.numbering import ALL_COORDINATES
    from linkwork.elements import joints
    from linkwork.equations.formulations import ALL_FORMULATIONS
    from linkwork.formats.native import ALL_FORMATS
    from linkwork.model.body import BODY_KINDS
    from linkwork.model.couplings import COUPLING_KINDS
    from linkwork.model.forces import FORCE_KINDS
    from linkwork.model.joint_kinds import JOINT_KINDS
    from linkwork.model.model import renew_kinds
    from linkwork.model.relations import RELATION_KINDS
    from linkwork.numerics.integrators import ALL_METHODS

    tables = [BODY_KINDS, RELATION_KINDS, COUPLING_KINDS, FORCE_KINDS, JOINT_KINDS, joints._BY_NAME]
    lists = (ALL_COORDINATES, ALL_FORMULATIONS, ALL_METHODS, ALL_FORMATS)
    kept, counts = [dict(table) for table in tables], [len(entries) for entries in lists]
    yield
    changed = tables != kept
    for table, old in zip(tables, kept, strict=True):
        table.clear()
        table.update(old)  # type: ignore[arg-type]
    for entries, count in zip(lists, counts, strict=True):
        del entries[count:]  # type: ignore[attr-defined]
    if changed:
        renew_kinds()


@pytest.fixture
def kinds_as_before() -> Iterator[None]:
    """What a test registers is gone behind it."""
    with _kinds_kept():
        yield


@pytest.fixture(scope="module")
def kinds_of_the_file() -> Iterator[None]:
    """What a file registers for all of its tests is gone behind it."""
    with _kinds_kept():
        yield
