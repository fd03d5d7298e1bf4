"""Runs over time, and what is read off them."""
