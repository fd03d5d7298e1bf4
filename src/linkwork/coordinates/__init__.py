"""Coordinates: every unknown has a name and an index; they give q, Φ, M, Q, poses and quantities as expressions."""
