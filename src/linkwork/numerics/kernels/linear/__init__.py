"""Linear algebra on flat arrays."""
