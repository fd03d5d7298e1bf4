"""Linear equations about a state or along a motion."""
