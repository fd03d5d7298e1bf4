"""Linear systems: eigenvalues, responses, exact flows."""
