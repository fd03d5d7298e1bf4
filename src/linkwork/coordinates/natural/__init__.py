"""Natural coordinates: one file per concern. What is shared, the basis of every body, rigidity, inertia."""

from linkwork.coordinates.natural.kind import Natural

__all__ = ["Natural"]
