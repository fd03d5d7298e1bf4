"""Kernels that find where shapes touch."""
