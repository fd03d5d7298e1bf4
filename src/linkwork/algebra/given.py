"""What users give, in one type each: signatures of verbs and answers say these words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike

Scalar = float | str
"""A number in SI units, or a text with a unit: 0.001, "1 ms"; of a time, a size of steps, a coordinate."""

Parameters = Mapping[str, Scalar]
"""Values of live parameters by name."""

GivenValues = Mapping[str, Scalar]
"""Values of coordinates by name, such as {"O.angle": "30 deg"}."""

Along = Mapping[str, Iterable[Scalar]]
"""Values of live parameters that are passed one after the other, by name."""

FilePath = str | PathLike[str]
"""The name of a file."""
