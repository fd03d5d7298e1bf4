"""Kernels of time stepping: velocities in islands, the rows of contacts, and the step."""
