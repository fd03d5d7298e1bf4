"""Models with plausible mistakes: from every verb come results or Linkwork's own errors, in time, and no silent NaN.

``python tests/properties/mutated_models.py --count 5000`` goes on for hours; this is a small choice of it.
"""

from mutated_models import sources, watch

COUNT = 25


def test_only_own_errors_come_out_of_every_verb():
    tally, faults = watch(0, COUNT)
    assert not faults, "\n\n".join(faults)
    assert sum(count for what, count in tally.items() if what.startswith(("load", "analyse"))) == COUNT
    verbs = {what.split()[0] for what in tally if not what.startswith("load")}
    assert len(verbs) == 8 and any(what.endswith("fine") for what in tally) and len(sources(long=False)) > 20
