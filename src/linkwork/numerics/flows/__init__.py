"""Procedures of constrained systems, and the flows that they become."""
