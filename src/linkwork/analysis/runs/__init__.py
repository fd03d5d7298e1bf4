"""Motions over time: integrated, or given by inputs."""
