"""Efforts of motors that give a known motion."""
