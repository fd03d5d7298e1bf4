"""Numerical methods that know no mechanics: integrators and the loader of compiled kernels."""
