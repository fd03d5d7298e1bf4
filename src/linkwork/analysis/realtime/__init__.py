"""Mechanisms that are stepped by hand."""
