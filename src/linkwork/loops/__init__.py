"""Loops in coordinates: what a plan says about q, v and v̇, for the minimal equations of motion."""
