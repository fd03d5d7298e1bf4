"""Models with plausible mistakes: from every verb come results or Linkwork's own errors, in time, and no silent NaN.

``python tests/properties/mutated_models.py --count 5000`` goes on for hours; this is a small choice of it.
"""

import pytest
from mutated_models import sources, watch

COUNT = 25
REPAIRED = (1358, 1702)  # slopes without a value at rest; equations without accelerations beside a position


def test_only_own_errors_come_out_of_every_verb():
    tally, faults = watch(0, COUNT)
    assert not faults, "\n\n".join(faults)
    assert sum(count for what, count in tally.items() if what.startswith(("load", "analyse"))) == COUNT
    verbs = {what.split()[0] for what in tally if not what.startswith("load")}
    assert len(verbs) == 8 and any(what.endswith("fine") for what in tally) and len(sources(long=False)) > 20


@pytest.mark.parametrize("seed", REPAIRED)
def test_what_longer_runs_have_found(seed):
    assert not watch(seed, 1)[1]
