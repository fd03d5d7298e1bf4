"""What integrators do, before anything is simulated."""
