"""Complementarity: linear problems, and those of second-order cones."""
