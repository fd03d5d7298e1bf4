"""Reactions and multipliers of a known motion."""
