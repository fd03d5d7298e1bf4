"""Many matrices of one pattern."""
