"""Runs by time stepping: mechanisms with many contacts, and what they leave."""
