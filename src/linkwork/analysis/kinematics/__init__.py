"""Motions that inputs prescribe."""
