"""Positions of rest."""
