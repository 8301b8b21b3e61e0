"""Word search over what waits and what was decided: an FTS5 table on SQLite, tsvectors with GIN on PostgreSQL.

No model describes it. It is put in place after every migrate, and triggers of the database keep it in step, whoever writes.
Entries have numbers of their own that rise as items come (SQLite renumbers rows whose key is no integer, and a cursor must
not move). Beside the words an entry holds the places by which searches narrow down: status, agent, risk, kind and match.
"""

from __future__ import annotations

import string
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

HELD = "evidence_heldrecord"
ENTRIES = "evidence_heldentry"
FTS = "evidence_heldwords"
_READ = (
    "statement", "claim_subject", "claim_attribute", "claim_value", "origin_id", "status", "agent_id",
    "risk", "kind", "match_kind",
)  # fmt: skip
# The first five are words; each of these is a place: its letter in front keeps it apart from the others.
MARKS = {"status": "s", "risk": "r", "kind": "k", "match_kind": "m"}

# Where words end, on both databases and whatever their locale. Other letters and marks are left to their tokenisers.
PUNCTUATION = string.punctuation + "“”„‟‘’‚‛«»‹›–—―…·•¡¿、。「」『』（）：；，！？\u00a0"


def plain(text: str) -> str:
    """The words of a text with single blanks between them, as the index sees them."""
    return " ".join(text.translate(_BLANKS).split())


_BLANKS = str.maketrans(dict.fromkeys(PUNCTUATION, " "))


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of what should be there and is not; empty when items can be found by their words."""
    return [name for name, _ in _needed(connection)]


def install(connection: BaseDatabaseWrapper) -> None:
    """Put in place what is missing, and bring it up to date with the items. Does nothing before the tables exist."""
    if HELD not in connection.introspection.table_names():
        return
    needed = _needed(connection)
    if not needed:
        return
    with connection.cursor() as cursor:
        for _, statement in needed:
            cursor.execute(statement)
        # Items may have changed while a trigger was away.
        for statement in _rebuild(connection):
            cursor.execute(statement)


def reinstall_after_migrate(using: str = "default", **_: Any) -> None:
    """`post_migrate` receiver."""
    install(connections[using])


def _needed(connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    if connection.vendor == "postgresql":
        wanted, there = _postgres(), _in_postgres(connection)
    else:
        wanted, there = _sqlite(), _in_sqlite(connection)
    return [(name, statement) for name, statement in wanted.items() if name not in there]


def _words(row: str) -> str:
    return " || ' ' || ".join(f"{row}.{column}" for column in _READ[:5])


# ---- SQLite

# Without a copy of the texts; the old words are given when they are taken out. `remove_diacritics 0`: letters stay what they are.
_FTS_TABLE = (
    f"CREATE VIRTUAL TABLE {FTS} USING fts5("
    "places, words, content='', columnsize=0, tokenize='unicode61 remove_diacritics 0')"
)
_ENTRY_TABLE = f"CREATE TABLE {ENTRIES} (id integer PRIMARY KEY AUTOINCREMENT, held_id char(32) NOT NULL UNIQUE)"


def _sqlite_columns(row: str) -> str:
    # A name holds any character, and must stay one word.
    marked = " || ".join(f"' {letter}' || {row}.{column}" for column, letter in MARKS.items())
    return f"{marked} || ' a' || hex({row}.agent_id), {_words(row)}"


def _add(row: str) -> str:
    return (
        f"INSERT INTO {FTS}(rowid, places, words)"  # noqa: S608 - our own names
        f" SELECT e.id, {_sqlite_columns(row)} FROM {ENTRIES} e WHERE e.held_id = {row}.id"
    )


def _take(row: str) -> str:
    return (
        f"INSERT INTO {FTS}({FTS}, rowid, places, words)"  # noqa: S608
        f" SELECT 'delete', e.id, {_sqlite_columns(row)} FROM {ENTRIES} e WHERE e.held_id = {row}.id"
    )


def _sqlite() -> dict[str, str]:
    changed = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in _READ)
    gone = f"DELETE FROM {ENTRIES} WHERE held_id = OLD.id"  # noqa: S608
    come = f"INSERT INTO {ENTRIES}(held_id) VALUES (NEW.id)"  # noqa: S608
    return {
        ENTRIES: _ENTRY_TABLE,
        FTS: _FTS_TABLE,
        f"{FTS}_insert": f"CREATE TRIGGER {FTS}_insert AFTER INSERT ON {HELD} BEGIN {come}; {_add('NEW')}; END",
        f"{FTS}_update": (
            f"CREATE TRIGGER {FTS}_update AFTER UPDATE OF {', '.join(_READ)} ON {HELD} WHEN {changed}"
            f" BEGIN {_take('OLD')}; {_add('NEW')}; END"
        ),
        f"{FTS}_delete": f"CREATE TRIGGER {FTS}_delete AFTER DELETE ON {HELD} BEGIN {_take('OLD')}; {gone}; END",
    }


def _in_sqlite(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger')")
        return {row[0] for row in cursor.fetchall()}


# ---- PostgreSQL

_SPACES = " " * len(PUNCTUATION)
_MARKED = ", ".join(f"'{letter.upper()}' || held.{column}" for column, letter in MARKS.items())
_VECTOR = f"""
CREATE OR REPLACE FUNCTION {FTS}_vector(held {HELD}) RETURNS tsvector LANGUAGE sql STABLE AS $body$
  SELECT to_tsvector('simple', translate({_words("held")}, '{PUNCTUATION.replace("'", "''")}', '{_SPACES}'))
    || array_to_tsvector(ARRAY[{_MARKED}, 'A' || md5(held.agent_id)])
$body$
"""  # places begin with a capital letter, and words have none
_KEEP = f"""
CREATE OR REPLACE FUNCTION {FTS}_keep() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    TRUNCATE {ENTRIES};
  ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM {ENTRIES} WHERE held_id = OLD.id;
  ELSIF TG_OP = 'INSERT' OR {" OR ".join(f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in _READ)} THEN
    INSERT INTO {ENTRIES}(held_id, words) VALUES (NEW.id, {FTS}_vector(NEW))
      ON CONFLICT (held_id) DO UPDATE SET words = EXCLUDED.words;
  END IF;
  RETURN NULL;
END
$body$
"""  # noqa: S608 - no column is named in the triggers themselves: their type could not be altered then
_ENTRY_COLUMNS = "id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, held_id uuid NOT NULL UNIQUE"


def _postgres() -> dict[str, str]:
    keep = f"EXECUTE FUNCTION {FTS}_keep()"
    # A long pending list would be read by every search.
    gin = "gin (words) WITH (gin_pending_list_limit = 512)"
    return {
        ENTRIES: f"CREATE TABLE {ENTRIES} ({_ENTRY_COLUMNS}, words tsvector NOT NULL)",
        f"{ENTRIES}_words": f"CREATE INDEX {ENTRIES}_words ON {ENTRIES} USING {gin}",
        f"{FTS}_vector": _VECTOR,
        f"{FTS}_keep": _KEEP,
        f"{FTS}_row": f"CREATE TRIGGER {FTS}_row AFTER INSERT OR UPDATE OR DELETE ON {HELD} FOR EACH ROW {keep}",
        f"{FTS}_truncate": f"CREATE TRIGGER {FTS}_truncate AFTER TRUNCATE ON {HELD} FOR EACH STATEMENT {keep}",
    }


def _in_postgres(connection: BaseDatabaseWrapper) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'i')"
            " UNION ALL SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
            " WHERE n.nspname = current_schema()"
            " UNION ALL SELECT t.tgname FROM pg_trigger t WHERE t.tgrelid = to_regclass(%s) AND t.tgenabled IN ('O', 'A')",
            [HELD],
        )
        return {row[0] for row in cursor.fetchall()}


def _rebuild(connection: BaseDatabaseWrapper) -> list[str]:
    """Oldest first, so that entries are numbered in the order in which items came. Numbers that are given out stay."""
    orphans = f"DELETE FROM {ENTRIES} WHERE held_id NOT IN (SELECT id FROM {HELD})"  # noqa: S608 - our own names
    if connection.vendor == "postgresql":
        every = f"SELECT h.id, {FTS}_vector(h) FROM {HELD} h ORDER BY h.id"  # noqa: S608
        again = "ON CONFLICT (held_id) DO UPDATE SET words = EXCLUDED.words"
        return [orphans, f"INSERT INTO {ENTRIES}(held_id, words) {every} {again}"]
    new = f"SELECT id FROM {HELD} WHERE id NOT IN (SELECT held_id FROM {ENTRIES}) ORDER BY id"  # noqa: S608
    every = f"SELECT e.id, {_sqlite_columns('h')} FROM {ENTRIES} e JOIN {HELD} h ON h.id = e.held_id"  # noqa: S608
    return [
        orphans,
        f"INSERT INTO {ENTRIES}(held_id) {new}",
        f"INSERT INTO {FTS}({FTS}) VALUES ('delete-all')",  # noqa: S608
        f"INSERT INTO {FTS}(rowid, places, words) {every}",
    ]
