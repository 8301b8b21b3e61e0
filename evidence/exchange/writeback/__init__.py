"""Decisions carried back into the system that their item came from, by that system's own way and never past it."""
