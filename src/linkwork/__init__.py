"""Linkwork: a mechanism compiler."""

__version__ = "0.1.0"
