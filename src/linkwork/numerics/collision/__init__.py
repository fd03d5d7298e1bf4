"""Where shapes touch: their memory, the narrow phase of a pair and the broad phase of many."""
