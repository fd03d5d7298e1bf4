"""What formulations do to the state of a constrained system."""
