"""The full-text backend on the desk's own database: one class, two dialects (SQLite FTS5, PostgreSQL tsvector + GIN).

Words are cut and stemmed by the rules' own tokeniser and ranked in Python, so that both databases answer alike.
"""

from evidence.backends.sql.backend import SqlBackend

__all__ = ["SqlBackend"]
