"""What users give, in one type each: signatures of verbs and answers say these words."""

from __future__ import annotations

from collections.abc import Mapping

Scalar = float | str
"""A number in SI units, or a text with a unit: 0.001, "1 ms"; of a live parameter, a time, a size of steps."""

Parameters = Mapping[str, Scalar]
"""Values of live parameters by name."""
