"""What integrators do, step by step."""
