"""Imports by people: a file is looked at first, carried out then, and its report stays; what is hostile never gets that far."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from evidence.exchange.archives import Limits, unpack
from evidence.exchange.files import CorruptSource
from evidence.models import Decision, Evidence, HeldRecord, ImportedItem, Job, JobItem, News, Outbox
from evidence.rules.vocab import AuditAction, Role
from evidence.services import import_uploads, importing
from evidence.services.outbox import IMPORTS, deliver_due
from evidence.tasks import imports as _imports  # noqa: F401 - as in a worker, where the handlers are known
from tests.exchange.memories import SAMPLES
from tests.services import make
from tests.services.dumps import dump
from tests.services.test_importing import fact, note, proposal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.IMPORT_FOLDER = str(tmp_path / "imports")
    return tmp_path / "imports"


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(make.user("boss", Role.ADMINISTRATOR))
    return client


def lines(*entries: dict[str, Any]) -> bytes:
    return b"\n".join(json.dumps(one).encode() for one in entries)


def send(client: Client, content: bytes, *, name: str = "facts.jsonl", format_name: str = "jsonl", **more: str) -> Any:
    return client.post(
        reverse("import-upload"), {"file": SimpleUploadedFile(name, content), "format": format_name, **more}
    )


def looked_at(client: Client, content: bytes, **more: Any) -> Job:
    """Sent, and looked at by a worker."""
    answer = send(client, content, **more)
    assert answer.status_code == 302, answer.content.decode()[-800:]
    assert deliver_due(lane=IMPORTS) == 1
    return Job.objects.get()


def rows() -> int:
    return (
        Evidence.objects.count() + HeldRecord.objects.count() + ImportedItem.objects.count() + Decision.objects.count()
    )


def test_a_file_is_looked_at_carried_out_and_leaves_its_report(admin: Client, folder: Path) -> None:
    content = lines(fact(1), proposal(), {"nonsense": 1}, note(3, content="token ghp" + "_" + "A1b2C3d4" * 5))
    job = looked_at(admin, content, namespace="shop")
    assert (job.status, rows()) == ("preview", 0)
    page = admin.get(reverse("import", args=[job.pk])).content.decode()
    assert "1 would be created, 1 would wait for a person, 2 would be refused" in page
    assert "Carry out: 2 entries" in page
    assert "secret_detected" in page
    assert "ghp" not in page

    assert admin.post(reverse("import-carry-out", args=[job.pk])).status_code == 302
    assert admin.post(reverse("import-carry-out", args=[job.pk])).status_code == 302  # twice is once
    assert deliver_due(lane=IMPORTS) == 1
    job.refresh_from_db()
    assert job.status == "done"
    assert [(line.outcome, line.code) for line in JobItem.objects.order_by("position")] == [
        ("created", ""), ("held", ""), ("refused", "malformed"), ("refused", "secret_detected"),
    ]  # fmt: skip
    row = Decision.objects.get(action=AuditAction.IMPORT)
    assert (row.actor_kind, row.actor_name, row.namespace) == ("person", "boss", "shop")
    assert not any(folder.iterdir())
    page = admin.get(reverse("import", args=[job.pk]), {"show": "refused"}).content.decode()
    assert page.count("<code>") == 2
    assert str(HeldRecord.objects.get().pk) not in page
    assert "1 created, 1 waiting for a person, 2 refused" in admin.get(reverse("imports")).content.decode()


def test_a_report_is_downloaded_whole_and_without_formulas(admin: Client) -> None:
    job = looked_at(admin, b'{"x": 1}\n{"x": 2}', name="=HYPERLINK(1).jsonl")
    JobItem.objects.filter(position=0).update(subject="=cmd|' /C calc'!A0", detail="\tx")
    table = b"".join(admin.get(reverse("import-download", args=[job.pk, "csv"])).streaming_content).decode("utf-8-sig")
    cells = list(csv.reader(io.StringIO(table)))
    assert len(cells) == 3
    assert not any(cell[:1] in "=+-@\t" for row in cells for cell in row if cell)
    plain = b"".join(admin.get(reverse("import-download", args=[job.pk, "jsonl"])).streaming_content).decode()
    assert [json.loads(line)["outcome"] for line in plain.splitlines()] == ["refused", "refused"]


def test_long_reports_come_by_pages(admin: Client) -> None:
    job = Job.objects.create(kind="import", status="done", detail={"format": "csv", "source": "a"})
    JobItem.objects.bulk_create(
        JobItem(job=job, position=at, subject=f"a:{at}", outcome="created") for at in range(130)
    )
    first = admin.get(reverse("import", args=[job.pk]))
    assert len(first.context["rows"]) == 100
    second = admin.get(reverse("import", args=[job.pk]), {"after": first.context["page"].after})
    assert [row["line"].position for row in second.context["rows"]] == list(range(100, 130))


def test_cancelling_leaves_nothing(admin: Client, folder: Path) -> None:
    job = looked_at(admin, lines(fact(1)))
    admin.post(reverse("import-cancel", args=[job.pk]))
    job.refresh_from_db()
    assert (job.status, rows(), list(folder.iterdir())) == ("cancelled", 0, [])
    assert admin.post(reverse("import-carry-out", args=[job.pk])).status_code == 409


def test_what_is_cancelled_while_it_runs_stops_with_whole_entries(
    admin: Client, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(importing, "FIRST_CHUNK", 2)
    monkeypatch.setattr(importing, "CHUNK", 2)
    job = looked_at(admin, lines(*(fact(number) for number in range(7))))
    admin.post(reverse("import-carry-out", args=[job.pk]))
    kept = importing._store_chunk

    def meanwhile(*given: Any) -> Any:
        done = kept(*given)
        if Evidence.objects.count() == 4:
            Job.objects.update(status="cancelled")
        return done

    monkeypatch.setattr(importing, "_store_chunk", meanwhile)
    deliver_due(lane=IMPORTS)
    assert (Evidence.objects.count(), JobItem.objects.count(), list(folder.iterdir())) == (4, 4, [])


def test_a_worker_that_dies_is_gone_on_from(admin: Client, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(importing, "FIRST_CHUNK", 2)
    monkeypatch.setattr(importing, "CHUNK", 2)
    job = looked_at(admin, lines(*(fact(number) for number in range(7))))
    admin.post(reverse("import-carry-out", args=[job.pk]))
    kept = importing._store_chunk

    def dies(*given: Any) -> Any:
        if Evidence.objects.count() == 4:
            raise RuntimeError("the plug was pulled")
        return kept(*given)

    monkeypatch.setattr(importing, "_store_chunk", dies)
    deliver_due(lane=IMPORTS)
    job.refresh_from_db()
    assert (job.status, JobItem.objects.count()) == ("running", 4)
    monkeypatch.setattr(importing, "_store_chunk", kept)
    Outbox.objects.update(available_at=job.created_at)
    assert deliver_due(lane=IMPORTS) == 1
    job.refresh_from_db()
    assert (job.status, job.detail["created"], job.detail["unchanged"]) == ("done", 7, 0)
    assert list(JobItem.objects.order_by("position").values_list("position", flat=True)) == list(range(7))
    assert Evidence.objects.count() == 7


def test_what_cannot_be_read_fails_with_words(admin: Client, folder: Path) -> None:
    job = looked_at(admin, "{}".encode("utf-16"))
    assert job.status == "failed"
    assert "UTF-16" in admin.get(reverse("import", args=[job.pk])).content.decode()
    assert not any(folder.iterdir())
    assert not News.objects.exists()


def test_whoever_carries_out_an_import_is_told_that_it_failed(admin: Client) -> None:
    job = looked_at(admin, lines(fact(1)))
    import_uploads.remove_files(job.id)
    admin.post(reverse("import-carry-out", args=[job.pk]))
    assert deliver_due(lane=IMPORTS) == 1
    job.refresh_from_db()
    assert (job.status, "send it again" in job.detail["error"]) == ("failed", True)
    told = News.objects.get()
    assert (told.kind, told.subject_id, told.people) == ("import_finished", str(job.pk), [job.owner_id])


@pytest.mark.parametrize(
    ("content", "more", "status"),
    [
        (b"", {}, 422), (b"{}", {"format_name": "nothing"}, 422), (b"{}" * 600_000, {}, 413),
        (b"{}", {"namespace": "a\0b"}, 400),
    ],
)  # fmt: skip
def test_refused_at_the_door(
    admin: Client, settings: Any, folder: Path, content: bytes, more: dict[str, str], status: int
) -> None:
    settings.IMPORT_UPLOAD_MAX = 1024**2
    before = dump()
    assert send(admin, content, **more).status_code == status
    assert dump() == before
    assert not folder.exists() or not any(folder.iterdir())


def test_strangers_send_no_files(client: Client, folder: Path) -> None:
    assert send(client, b"{}").status_code in (302, 403)
    client.force_login(make.reviewer())
    assert send(client, b"{}").status_code == 403
    assert not folder.exists()
    assert not Job.objects.exists()


def test_what_nobody_carries_out_is_forgotten(admin: Client, folder: Path) -> None:
    job = looked_at(admin, lines(fact(1)))
    assert import_uploads.forget_uploads() == 0
    assert import_uploads.forget_uploads(now=job.created_at + 2 * import_uploads.KEEP_FOR) == 1
    job.refresh_from_db()
    assert (job.status, list(folder.iterdir())) == ("cancelled", [])


# -- archives --


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return made.getvalue()


def tarred(*entries: tuple[str, bytes, bytes], mode: str = "w:gz", link: str = "") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content, kind in entries:
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname, entry.size = kind, link, len(content)
            archive.addfile(entry, io.BytesIO(content))
    return made.getvalue()


def linked() -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("memory/secrets.md")
    entry.external_attr = 0o120777 << 16
    return entry


MEMORY = b"- Releases are cut on the first Tuesday of a month.\n"


@pytest.mark.parametrize(
    "make_archive",
    [
        lambda: zipped(("memory/release-day.md", MEMORY)),
        lambda: tarred(("memory/release-day.md", MEMORY, tarfile.REGTYPE)),
        lambda: tarred(("./memory/release-day.md", MEMORY, tarfile.REGTYPE), mode="w"),
    ],
    ids=["zip", "tar.gz", "tar"],
)
def test_folders_come_as_archives(admin: Client, make_archive: Callable[[], bytes]) -> None:
    job = looked_at(admin, make_archive(), name="memory.bin", format_name="claude-memory")
    assert (job.status, job.detail["held"]) == ("preview", 1)


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "up": (lambda: zipped(("../escaped.md", b"x")), "leads out"),
    "absolute": (lambda: zipped(("/escaped.md", b"x")), "leads out"),
    "backslash": (lambda: zipped(("a\\..\\escaped.md", b"x")), "leads out"),
    "drive": (lambda: zipped(("C:/escaped.md", b"x")), "leads out"),
    "link": (lambda: zipped((linked(), b"/etc/passwd")), "link"),
    "twice": (lambda: zipped(("a.md", b"x"), ("A.md", b"y")), "one name"),
    "deep": (lambda: zipped(("a/" * 40 + "b.md", b"x")), "too deep"),
    "bomb": (lambda: zipped(("a.md", b"0" * 40_000_000)), "far more"),
    "many": (lambda: zipped(*((f"{number}.md", b"") for number in range(30))), "more than 20 entries"),
    "list": (lambda: zipped(("a.md", b"x"))[:-10] + b"\xff\xff\xff\x7f" + b"\0" * 6, "list of its entries"),
    "cut": (lambda: zipped(("a.md", MEMORY))[:-30], "damaged"),
    "torn": (lambda: b"PK\x03\x04" + b"\xff" * 100, "damaged"),
    "empty": (zipped, "no archive"),
    "tar up": (lambda: tarred(("../escaped.md", b"x", tarfile.REGTYPE)), "leads out"),
    "tar link": (lambda: tarred(("a", b"", tarfile.SYMTYPE), link="/etc/passwd"), "link"),
    "tar hard link": (lambda: tarred(("a", b"", tarfile.LNKTYPE), link="../../x"), "link"),
    "tar device": (lambda: tarred(("a", b"", tarfile.CHRTYPE)), "link or no file"),
    "tar bomb": (lambda: tarred(("a", b"0" * 40_000_000, tarfile.REGTYPE)), "far more"),
    "tar header": (lambda: tarred(("a" * 3_000_000, b"x", tarfile.REGTYPE), mode="w"), "too long"),
    "gzip alone": (lambda: gzip.compress(b"not a tar"), "damaged"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives_are_refused_whole(name: str, tmp_path: Path) -> None:
    build, words = HOSTILE[name]
    archive, target = tmp_path / "sent", tmp_path / "deep" / "inside" / "target"
    archive.write_bytes(build())
    target.mkdir(parents=True)
    before = archive.read_bytes()
    with pytest.raises(CorruptSource, match=words):
        unpack(archive, target, name="sent.zip", limits=Limits(len(before), entries_max=20))
    assert archive.read_bytes() == before
    outside = {path for path in tmp_path.rglob("*") if path.is_file() and target not in path.parents}
    assert outside == {archive}


def test_a_hostile_archive_that_is_sent_leaves_nothing(admin: Client, folder: Path) -> None:
    job = looked_at(admin, zipped(("../escaped.md", b"x")), format_name="claude-memory")
    assert (job.status, rows(), list(folder.iterdir())) == ("failed", 0, [])


def test_what_a_foreign_entry_said_besides_is_shown_and_not_believed(admin: Client) -> None:
    run = importing.run_import(format_name="bridge", path=SAMPLES / "bridge" / "bridge.db")
    assert run.stored_any
    kept = ImportedItem.objects.exclude(extra={}).filter(target_kind="record").first()
    assert kept is not None
    kept.extra = {"note": "<b>bold</b> \u202eturned", "deep": {"list": ["a", {"b": 1}]}}
    kept.save()
    page = admin.get(reverse("record", args=[kept.target_id]), {"ns": kept.namespace}).content.decode()
    assert "Kept from" in page
    assert "&lt;b&gt;bold" in page
    assert "<b>bold" not in page
    assert "\u202eturned" not in page
    assert "deep.list" in page
