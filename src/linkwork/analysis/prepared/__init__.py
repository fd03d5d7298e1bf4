"""Mechanisms that are ready, and what is remembered of them."""
