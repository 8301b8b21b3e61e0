"""Counts by time that the insights read: small signed numbers, written by triggers with the rows that they count.

Rows are only ever added, so that writers never wait for each other; a sweep merges them (`services.tallies`). Whoever
writes an item, a record or a question, the counts follow in the same transaction. A time is the quarter of an hour that it
falls into: every zone in use begins its days on one. What is counted by many words is counted by days of UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce

from evidence.models.base import NAME_LENGTH, WORD_LENGTH
from evidence.rules.vocab import InquiryKind, InquiryStatus, Kind, State

if TYPE_CHECKING:
    from evidence.models.accounts import User

SLOT_SECONDS = 900
TABLE = "evidence_tally"
SLOTS_A_DAY = 86_400 // SLOT_SECONDS
VERSION = 2  # raise it with any change of what is counted: the triggers are replaced, and everything is counted anew


class Figure(StrEnum):
    """What a row counts; `word` and `detail` say more."""

    WAITING = "waiting"
    """Items that wait, at no time in particular."""
    FILED = "filed"
    """By when they were filed."""
    ENDED = "ended"
    """By when they were decided or closed here; status."""
    JUDGED = "judged"
    """The same by days of UTC; status, trust class."""
    LABEL = "label"
    """Active facts and articles: kind; approved, unverified, or when a check begins and ends to hold."""
    ASKED = "asked"
    """Open questions about a disagreement, by when they were asked; kind."""
    REFUSED = "refused"
    """Texts refused because of a secret, by when; kind of secret, door. Kept by `services.refusals`, not by a trigger."""


DISAGREEMENTS = (InquiryKind.CONFLICT, InquiryKind.SUPERSESSION, InquiryKind.AMBIGUOUS)


def slot_of(moment: datetime) -> int:
    """The quarter of an hour since 1970 that an instant falls into."""
    return int(moment.timestamp() // SLOT_SECONDS)


def begin_of(slot: int) -> datetime:
    return datetime.fromtimestamp(slot * SLOT_SECONDS, UTC)


class TallyQuerySet(models.QuerySet["Tally"]):
    def of(self, *figures: Figure) -> TallyQuerySet:
        return self.filter(figure__in=figures)

    def visible_to(self, user: User) -> TallyQuerySet:
        from evidence.models.visibility import agents_of

        seen = agents_of(user)
        return self if seen is None else self.filter(agent__in=seen)

    def within(self, since: datetime, until: datetime) -> TallyQuerySet:
        """Both on the border of a quarter of an hour; `until` is outside."""
        return self.filter(slot__gte=slot_of(since), slot__lt=slot_of(until))

    def total(self) -> int:
        return int(self.aggregate(total=Coalesce(Sum("number"), 0))["total"])

    def by(self, *names: str) -> dict[tuple[Any, ...], int]:
        """The sums by columns or annotations, zeros left out."""
        rows = self.order_by().values_list(*names).annotate(total=Sum("number"))
        return {tuple(key): int(total) for *key, total in rows if total}


class Tally(models.Model):
    """A signed number; what it counts is the sum of all rows with the same words."""

    id = models.BigAutoField(primary_key=True)
    figure = models.CharField(max_length=10)
    agent = models.CharField(max_length=NAME_LENGTH, blank=True)
    word = models.CharField(max_length=WORD_LENGTH, blank=True)
    detail = models.CharField(max_length=WORD_LENGTH, blank=True)
    slot = models.BigIntegerField()
    number = models.BigIntegerField()
    merged = models.BooleanField(default=False)

    objects = TallyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["figure", "agent", "word", "detail", "slot"], condition=Q(merged=True), name="tally_merged_once"
            )
        ]
        indexes = [
            # Everything that is read is in it.
            models.Index(fields=["figure", "slot", "agent", "word", "detail", "number"], name="tally_by_time"),
            models.Index(fields=["id"], condition=Q(merged=False), name="tally_unmerged"),
        ]


@dataclass(frozen=True, slots=True)
class Count:
    """Which rows of a table count as what. SQL of our own; `{r}` is the row, `time` the column of its time, by days if so."""

    table: str
    figure: Figure
    when: str
    agent: str
    word: str = "''"
    detail: str = "''"
    time: str = ""
    by_day: bool = False


HELD, EVIDENCE, INQUIRY = "evidence_heldrecord", "evidence_evidence", "evidence_inquiry"
_ENDED_HERE = "{r}.status <> 'waiting' AND {r}.decided_at IS NOT NULL AND {r}.decision_id IS NOT NULL"
_CURATED = f"{{r}}.state = '{State.ACTIVE}' AND {{r}}.kind IN ('{Kind.FACT}', '{Kind.ARTICLE}')"
_WORDS = ", ".join(f"'{kind}'" for kind in DISAGREEMENTS)
_OPEN = f"{{r}}.status = '{InquiryStatus.OPEN}' AND {{r}}.kind IN ({_WORDS})"
COUNTS = (
    Count(HELD, Figure.WAITING, "{r}.status = 'waiting'", "agent_id"),
    # What was decided elsewhere and came by an import never waited here.
    Count(HELD, Figure.FILED, f"({{r}}.status = 'waiting' OR ({_ENDED_HERE}))", "agent_id", time="created_at"),
    Count(HELD, Figure.ENDED, _ENDED_HERE, "agent_id", "{r}.status", time="decided_at"),
    Count(HELD, Figure.JUDGED, _ENDED_HERE, "agent_id", "{r}.status", "{r}.effective_trust_class", "decided_at", True),
    Count(EVIDENCE, Figure.LABEL, f"{_CURATED} AND {{r}}.label_base <> 'dated'", "scope_owner", "{r}.kind", "{r}.label_base"),
    Count(EVIDENCE, Figure.LABEL, f"{_CURATED} AND {{r}}.label_base = 'dated' AND {{r}}.verified_from IS NOT NULL",
          "scope_owner", "{r}.kind", "'begins'", "verified_from"),
    Count(EVIDENCE, Figure.LABEL, f"{_CURATED} AND {{r}}.label_base = 'dated' AND {{r}}.expires_at IS NOT NULL",
          "scope_owner", "{r}.kind", "'ends'", "expires_at"),
    Count(INQUIRY, Figure.ASKED, _OPEN, "agent_id", "{r}.kind", time="asked_at"),
)  # fmt: skip
_READ: dict[str, tuple[str, ...]] = {
    HELD: ("status", "agent_id", "created_at", "decided_at", "decision_id", "effective_trust_class"),
    EVIDENCE: ("state", "kind", "scope_owner", "label_base", "verified_from", "expires_at"),
    INQUIRY: ("status", "kind", "agent_id", "asked_at"),
}
_COLUMNS = "figure, agent, word, detail, slot, number, merged"


class _Dialect:
    """The few words in which the two databases differ."""

    def __init__(self, vendor: str) -> None:
        self.postgres = vendor == "postgresql"

    def slot(self, row: str, count: Count) -> str:
        if not count.time:
            return "0"
        unit = SLOT_SECONDS * (SLOTS_A_DAY if count.by_day else 1)
        if self.postgres:
            units = f"CAST(floor(extract(epoch FROM {row}.{count.time}) / {unit}) AS bigint)"
        else:
            units = f"CAST(strftime('%s', {row}.{count.time}) AS INTEGER) / {unit}"
        return f"{units} * {SLOTS_A_DAY}" if count.by_day else units

    def flag(self, value: bool) -> str:
        return str(value).upper() if self.postgres else str(int(value))

    def differs(self, column: str) -> str:
        return f"OLD.{column} IS {'DISTINCT FROM' if self.postgres else 'NOT'} NEW.{column}"

    def key(self, count: Count, row: str) -> list[str]:
        words = [part.format(r=row) for part in (count.word, count.detail)]
        return [f"{row}.{count.agent}", *words, self.slot(row, count)]

    def add(self, count: Count, row: str, number: int, unless: str = "") -> str:
        """One row for `row` where it counts, unless the other side of an update counts as the very same."""
        where = count.when.format(r=row)
        if unless:
            same = " AND ".join(
                f"{a} = {b}" for a, b in zip(self.key(count, row), self.key(count, unless), strict=True)
            )
            where += f" AND NOT (({count.when.format(r=unless)}) AND {same})"
        values = ", ".join([f"'{count.figure}'", *self.key(count, row), str(number), self.flag(False)])
        return f"INSERT INTO {TABLE}({_COLUMNS}) SELECT {values} WHERE {where}"

    def bodies(self, table: str) -> dict[str, str]:
        """Event -> statements."""
        counts = [count for count in COUNTS if count.table == table]
        changed = [
            self.add(count, row, number, other)
            for count in counts
            for row, number, other in (("OLD", -1, "NEW"), ("NEW", 1, "OLD"))
        ]
        made = {
            "insert": [self.add(count, "NEW", 1) for count in counts],
            "update": changed,
            "delete": [self.add(count, "OLD", -1) for count in counts],
        }
        return {event: "; ".join(statements) for event, statements in made.items()}


def _name(table: str, event: str) -> str:
    return f"{TABLE}_{table.removeprefix('evidence_')}_v{VERSION}_{event}"


def _triggers(vendor: str) -> dict[str, list[str]]:
    """Trigger name -> the statements that make it."""
    dialect = _Dialect(vendor)
    made: dict[str, list[str]] = {}
    for table, columns in _READ.items():
        changed = " OR ".join(dialect.differs(column) for column in columns)
        for event, body in dialect.bodies(table).items():
            name = _name(table, event)
            if dialect.postgres:
                # No column is named in the trigger itself: its type could not be altered then.
                guarded = f"IF {changed} THEN {body}; END IF" if event == "update" else body
                function = (
                    f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $body$"
                    f" BEGIN {guarded}; RETURN NULL; END $body$"
                )
                trigger = (
                    f"CREATE TRIGGER {name} AFTER {event.upper()} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()"
                )
                made[name] = [function, trigger]
            else:
                of = f" OF {', '.join(columns)}" if event == "update" else ""
                when = f" WHEN {changed}" if event == "update" else ""
                made[name] = [f"CREATE TRIGGER {name} AFTER {event.upper()}{of} ON {table}{when} BEGIN {body}; END"]
    return made


def _existing(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Our triggers of any version that are there and fire -> their table."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
                " JOIN pg_namespace n ON n.oid = c.relnamespace"
                " WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A') AND n.nspname = current_schema()"
            )
        else:
            cursor.execute("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        return {name: table for name, table in cursor.fetchall() if name.startswith(f"{TABLE}_")}


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of triggers that should be there and are not; empty when the counts follow the rows."""
    return sorted(set(_triggers(connection.vendor)) - set(_existing(connection)))


def install(connection: BaseDatabaseWrapper) -> None:
    """Put the triggers in place; count anew where one was away. Does nothing before the tables exist."""
    if not {TABLE, *_READ} <= set(connection.introspection.table_names()):
        return
    if not missing(connection):
        _forget_what_was_flushed(connection)
        return
    with connection.cursor() as cursor:
        for name, table in _existing(connection).items():
            cursor.execute(f"DROP TRIGGER {name}" + (f" ON {table}" if connection.vendor == "postgresql" else ""))
        for statements in _triggers(connection.vendor).values():
            for statement in statements:
                cursor.execute(statement)
    recount(connection)


def recount(connection: BaseDatabaseWrapper) -> None:
    """Count everything from the rows. Inside a transaction; on PostgreSQL the caller keeps writers out (`services.tallies`)."""
    dialect = _Dialect(connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLE} WHERE figure <> %s", [Figure.REFUSED])  # noqa: S608 - our own names
        for count in COUNTS:
            key = ", ".join(dialect.key(count, "r"))
            grouped = (
                f"SELECT '{count.figure}', {key}, COUNT(*), {dialect.flag(True)} FROM {count.table} r"  # noqa: S608
                f" WHERE {count.when.format(r='r')} GROUP BY 1, 2, 3, 4, 5"
            )
            cursor.execute(f"INSERT INTO {TABLE}({_COLUMNS}) {grouped}")


def _forget_what_was_flushed(connection: BaseDatabaseWrapper) -> None:
    """A flush empties table after table, in any order: what its deletes were counted as must not stay behind."""
    empty = " AND ".join(f"NOT EXISTS (SELECT 1 FROM {table})" for table in _READ)  # noqa: S608 - our own names
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLE} WHERE figure <> %s AND {empty}", [Figure.REFUSED])  # noqa: S608


def reinstall_after_migrate(using: str = "default", **_: Any) -> None:
    """`post_migrate` receiver."""
    install(connections[using])
