"""Positions that follow each other, along a path or to rest."""
