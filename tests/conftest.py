"""Settings for all tests: by default every run repeats the same examples; `make explore` looks for new ones.

HYPOTHESIS_PROFILE=explore draws new examples; EXPLORE_TIMES=10 draws ten times as many.
"""

import os

from exploring import TIMES
from hypothesis import HealthCheck, settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile(
    "explore",
    deadline=None,
    print_blob=True,
    max_examples=100 * TIMES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
