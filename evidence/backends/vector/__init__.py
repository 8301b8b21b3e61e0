"""Searching by meaning: texts as points of a small model's space, nearest first. Needs the packages of the extra `vector`."""

from evidence.backends.vector.backend import VectorBackend

__all__ = ["VectorBackend"]
