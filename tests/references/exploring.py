"""How many examples tests of properties draw: their usual number, or as many times as many as EXPLORE_TIMES says."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

TIMES = int(os.environ.get("EXPLORE_TIMES", "1"))
EXPLORING = os.environ.get("HYPOTHESIS_PROFILE") == "explore"  # new seeds, and every cell of the matrix


def drawn(count: int, **others: Any) -> settings:
    """Settings for a test that draws *count* examples in an ordinary run."""
    return settings(deadline=None, max_examples=count * TIMES, **others)
