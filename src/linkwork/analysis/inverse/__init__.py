"""Efforts that give a known motion."""
