"""How far a motion goes, and what ends it."""
