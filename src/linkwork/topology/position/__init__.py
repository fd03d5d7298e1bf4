"""Poses of all bodies that close all joints."""
