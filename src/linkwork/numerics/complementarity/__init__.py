"""Complementarity: linear problems, contacts with friction, and which solver is for which."""
