"""Near-duplicates on the pages: shown with what differs, decided together as the button says, taken back as a whole."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evidence.models import Decision, Evidence, HeldRecord, HeldSkip, Job, User
from evidence.rules.vocab import Role
from evidence.services.clustering import place
from evidence.services.editing import edit_held
from evidence.services.leasing import claim
from tests.services import make
from tests.web.conftest import SignIn
from tests.web.forms import HTMX, form_for

pytestmark = pytest.mark.django_db

SAME = [
    "Portal logs are kept for 7 days.",
    "For 7 days portal logs are kept.",
    "Portal logs are kept for 7 days in the archive.",
    "The portal logs are kept for 7 days.",
]
CLAIM = make.claim("7 days", "portal", "logs")


def filed(number: int = 4, **members: Any) -> list[HeldRecord]:
    return [make.proposal(make.agent(f"agent-{at}"), text, **members) for at, text in enumerate(SAME[:number])]


class _Members(HTMLParser):
    """What the page offers beside the item: who is shown, whose box is ticked, and the words of each row."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.boxes: dict[str, bool] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "input" and given.get("form") == "approve-form" and given.get("name") == "shown":
            self.shown.append(given["value"] or "")
        if tag == "input" and given.get("name") == "ticked":
            self.boxes[given["value"] or ""] = "checked" in given


def members_on(page: HttpResponse) -> _Members:
    parser = _Members()
    parser.feed(page.content.decode())
    return parser


def open_card(client: Client, held: HeldRecord) -> HttpResponse:
    return client.get(reverse("item", args=[held.pk]))


def press(
    client: Client, page: HttpResponse, action: str, *, untick: tuple[HeldRecord, ...] = (), htmx: bool = True, **fields: Any
) -> HttpResponse:  # fmt: skip
    """Press a button as a browser with scripts does: the number follows what is ticked."""
    address, hidden = form_for(page, action)
    members = members_on(page)
    out = {str(one.pk) for one in untick}
    ticked = [key for key, is_ticked in members.boxes.items() if is_ticked and key not in out]
    parts = {text.split(":")[0]: text.split(":")[2] for text in members.shown}
    joining = sum(parts[key] == "joins" for key in ticked)
    closing = sum(part == "closes" for part in parts.values())
    number = 1 + (joining + closing if action == "approve" else len(ticked))
    data = hidden | {"shown": members.shown, "ticked": ticked, "number": number} | fields
    return client.post(address, data, **(HTMX if htmx else {}))


def statuses(rows: list[HeldRecord]) -> list[str]:
    return [HeldRecord.objects.values_list("status", flat=True).get(pk=row.pk) for row in rows]


def words(response: HttpResponse) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def test_the_card_shows_the_others_with_what_differs(desk: Client):
    held = filed()
    make.proposal(make.agent("agent-8"), "Portal logs are kept for 9 days.")
    page = open_card(desk, held[0])
    text = page.content.decode()
    assert "4 nearly the same" in words(page)
    assert set(members_on(page).boxes) == {str(one.pk) for one in held[1:]}
    assert "<ins>in the archive</ins>" in text
    assert "9 days" not in text
    for one in held[1:]:
        assert one.agent_id in text
        assert reverse("item", args=[one.pk]) in text
    assert re.search(r'data-together="approve">4</span>', text)


def test_an_item_without_others_shows_nothing_of_this(desk: Client):
    held = make.proposal()
    page = open_card(desk, held)
    assert 'id="cluster"' not in page.content.decode()
    assert form_for(page, "approve")[0] == reverse("decide", args=[held.pk])


def test_approving_decides_as_many_as_the_button_says_and_moves_on(desk: Client):
    held = filed()
    other = make.proposal(make.agent("agent-7"), "The lighthouse keeps a log.")
    answer = press(desk, open_card(desk, held[0]), "approve")
    assert answer.status_code == 200
    assert statuses(held) == ["approved"] * 4
    assert f'data-item="{other.pk}"' in answer.content.decode()
    assert f"Approved 4: {SAME[0]}" in words(answer)
    assert Evidence.objects.filter(kind="fact", state="active").count() == 1
    assert Decision.objects.values("bulk_id").exclude(bulk_id=None).distinct().count() == 1


def test_the_toast_takes_all_of_it_back(desk: Client):
    held = filed()
    answer = press(desk, open_card(desk, held[0]), "approve")
    job = Job.objects.get()
    address = reverse("cluster-undo", args=[job.pk])
    assert answer.content.decode().count(f'action="{address}"') == 2  # toast and key
    back = desk.post(address, {"filter": "risk=low"}, **HTMX)
    assert statuses(held) == ["waiting"] * 4
    assert f'data-item="{held[0].pk}"' in back.content.decode()
    assert "All 4 taken back. No recall is known to have shown it meanwhile." in words(back)
    assert "4 nearly the same" in words(back)
    assert back["HX-Push-Url"] == f"{reverse('item', args=[held[0].pk])}?q=risk%3Alow"


def test_the_undo_key_means_all_of_it_too(desk: Client):
    held = filed(2)
    press(desk, open_card(desk, held[0]), "approve")
    other = make.proposal(make.agent("agent-7"), "The lighthouse keeps a log.")
    page = open_card(desk, other)
    assert f"Undo Approved 2: {SAME[0]}" in words(page)
    assert f'action="{reverse("cluster-undo", args=[Job.objects.get().pk])}"' in page.content.decode()


@pytest.mark.parametrize(
    ("action", "fields"), [("reject", {"reason_code": "wrong"}), ("snooze", {"until": "tomorrow"})]
)
def test_rejecting_and_snoozing_take_along_what_is_ticked(desk: Client, action: str, fields: dict[str, str]):
    held = filed()
    answer = press(desk, open_card(desk, held[0]), action, untick=(held[3],), **fields)
    word = {"reject": "Rejected 3", "snooze": "Snoozed 3"}[action]
    assert word in words(answer)
    touched = HeldRecord.objects.filter(status="rejected") | HeldRecord.objects.exclude(snoozed_until=None)
    assert set(touched) == set(held[:3])


def test_what_was_unticked_stays(desk: Client):
    held = filed()
    answer = press(desk, open_card(desk, held[0]), "approve", untick=(held[1], held[2]))
    assert "Approved 2" in words(answer)
    assert statuses(held) == ["approved", "waiting", "waiting", "approved"]


def test_skipping_passes_over_what_is_ticked(desk: Client, reviewer: User):
    held = filed()
    page = open_card(desk, held[0])
    ticked = [str(one.pk) for one in held[1:3]]
    answer = desk.post(reverse("skip", args=[held[0].pk]), {"ticked": ticked, "shown": members_on(page).shown}, **HTMX)
    assert set(HeldSkip.objects.filter(user=reviewer).values_list("held", flat=True)) == {one.pk for one in held[:3]}
    assert f'data-item="{held[3].pk}"' in answer.content.decode()
    assert "Skipped 3." in words(answer)


def test_a_number_that_does_not_fit_the_ticks_decides_nothing_and_shows_them_again(desk: Client):
    """Without scripts the button keeps the number that it was drawn with."""
    held = filed()
    page = open_card(desk, held[0])
    address, hidden = form_for(page, "approve")
    members = members_on(page)
    answer = desk.post(address, hidden | {"shown": members.shown, "ticked": [str(held[2].pk)]})
    assert answer.status_code == 409
    assert statuses(held) == ["waiting"] * 4
    assert "look at the button again, it says 2" in words(answer)
    again = members_on(answer)
    assert again.boxes == {str(held[1].pk): False, str(held[2].pk): True, str(held[3].pk): False}
    assert form_for(answer, "approve")[1]["number"] == "2"
    address, hidden = form_for(answer, "approve")
    done = desk.post(address, hidden | {"shown": again.shown, "ticked": [str(held[2].pk)]})
    assert done.status_code == 302
    assert statuses(held) == ["approved", "waiting", "approved", "waiting"]
    assert "Approved 2" in words(desk.get(done["Location"]))


def test_without_scripts_reject_is_about_the_one_on_the_screen(desk: Client):
    """Its panel is a form of its own: no box belongs to it, and its button names no number."""
    held = filed()
    page = open_card(desk, held[0])
    assert re.search(r'data-together="reject"></span>', page.content.decode())
    address, hidden = form_for(page, "reject")
    desk.post(address, hidden | {"reason_code": "wrong"})
    assert statuses(held) == ["rejected", "waiting", "waiting", "waiting"]


def test_a_member_that_changed_is_reported_with_a_way_to_it(desk: Client):
    held = filed()
    page = open_card(desk, held[0])
    edit_held(
        held_id=held[1].pk, seen_version=held[1].version, actor=make.person(make.reviewer("ada")), reason="x",
        statement="Portal logs are kept for 9 days.",
    )  # fmt: skip
    answer = press(desk, page, "approve")
    assert "Approved 3" in words(answer)
    assert "1 changed meanwhile and was left alone" in words(answer)
    job = desk.get(reverse("job", args=[Job.objects.get().pk]))
    assert reverse("item", args=[held[1].pk]) in job.content.decode()
    assert statuses(held) == ["approved", "waiting", "approved", "approved"]


def test_the_card_that_changed_is_a_conflict_and_keeps_the_ticks(desk: Client):
    held = filed()
    page = open_card(desk, held[0])
    edit_held(
        held_id=held[0].pk, seen_version=held[0].version, actor=make.person(make.reviewer("ada")), reason="x",
        statement="Portal logs are kept for 7 days!",
    )  # fmt: skip
    answer = press(desk, page, "approve", untick=(held[2],))
    assert answer.status_code == 409
    assert statuses(held) == ["waiting"] * 4
    assert members_on(answer).boxes[str(held[2].pk)] is False
    assert members_on(answer).boxes[str(held[1].pk)] is True
    assert not Job.objects.exists()


def test_equal_claims_are_counted_and_close(desk: Client):
    held = filed(3, claim=CLAIM)
    page = open_card(desk, held[0])
    assert "closes with an approval in any case" in words(page)
    answer = press(desk, page, "approve", untick=(held[1],))
    assert "Approved 3" in words(answer)
    assert statuses(held) == ["approved", "superseded", "superseded"]


def test_what_needs_a_look_of_its_own_is_named_and_not_ticked(desk: Client):
    held = filed(2)
    low = "third_party_documentation"
    evidence = (make.inline(SAME[2], of="agent-6", trust_class=low),)
    risky = make.proposal(make.agent("agent-6"), SAME[2], trust_class=low, evidence=evidence)
    claim(held_id=held[1].pk, user=make.reviewer("ada"), now=timezone.now())
    page = open_card(desk, held[0])
    assert members_on(page).boxes == {str(held[1].pk): False, str(risky.pk): False}
    assert "not ticked: ada has it open." in words(page)
    assert "not approved with it: Two people have to approve it" in words(page)
    assert "Approve decides this one alone" in words(page)


def test_who_only_reads_sees_them_without_boxes(sign_in: SignIn):
    held = filed(2)
    page = open_card(sign_in(make.user("audrey", Role.AUDITOR)), held[0])
    assert "2 nearly the same" in words(page)
    assert members_on(page).boxes == {}
    assert members_on(page).shown == []


def test_items_that_a_person_may_not_see_are_not_there(sign_in: SignIn):
    held = filed(3)
    rita = make.user("rita", Role.REVIEWER, of=held[0].agent)
    make.user("rita", Role.OWNER, of=held[1].agent)
    page = open_card(sign_in(rita), held[0])
    text = page.content.decode()
    assert "2 nearly the same" in words(page)
    assert str(held[2].pk) not in text
    assert members_on(page).boxes == {}
    assert "You do not review this agent." in words(page)


def test_hostile_text_is_inert_here_too(desk: Client):
    evil = "Portal logs are kept for 7 days <img src=x onerror=alert(1)> \u202e{{ 7*7 }}"
    held = [make.proposal(make.agent(f"agent-{at}"), f"{evil}{'!' * at}") for at in range(2)]
    text = open_card(desk, held[0]).content.decode()
    assert str(held[1].pk) in members_on(open_card(desk, held[0])).boxes
    assert "<img src=x" not in text
    assert "\u202e" not in text.replace("&#x202e;", "").split("<input")[0]
    assert "{{ 7*7 }}" in text


def test_the_card_fetched_ahead_is_none_that_is_decided_with_this_one(desk: Client):
    held = filed()
    other = make.proposal(make.agent("agent-7"), "The lighthouse keeps a log.")
    ahead = desk.get(reverse("peek", args=[held[0].pk]))
    assert f'data-item="{other.pk}"' in ahead.content.decode()


@pytest.mark.parametrize(
    "fields",
    [
        {"shown": ["nonsense"]},
        {"shown": ["a:b:c:d"]},
        {"shown": ["{id}:x:joins:s"]},
        {"shown": ["{id}:1:nonsense:s"]},
        {"shown": ["{id}:1:joins:s"], "ticked": ["x"]},
        {"shown": ["{id}:1:joins:s"], "number": "many"},
        {"shown": ["{id}:1:joins:\x00"]},
        {"shown": ["{id}:99999999999:joins:s"]},
    ],
)
def test_what_is_no_list_of_items_is_refused(desk: Client, fields: dict[str, Any]):
    held = filed(2)
    fields = {"number": "2", "ticked": []} | fields
    fields["shown"] = [text.format(id=held[1].pk) for text in fields["shown"]]
    address, hidden = form_for(open_card(desk, held[0]), "approve")
    answer = desk.post(address, hidden | fields, **HTMX)
    assert answer.status_code in (400, 409, 422)
    assert statuses(held) == ["waiting", "waiting"]


def test_more_than_the_page_can_show_is_refused(desk: Client):
    held = filed(2)
    address, hidden = form_for(open_card(desk, held[0]), "approve")
    answer = desk.post(address, hidden | {"shown": [f"{held[1].pk}:1:joins:s"] * 21}, **HTMX)
    assert answer.status_code == 413
    assert statuses(held) == ["waiting", "waiting"]


def test_taking_back_what_is_somebody_elses_or_no_cluster_is_refused(desk: Client, sign_in: SignIn):
    held = filed(2)
    press(desk, open_card(desk, held[0]), "approve")
    job = Job.objects.get()
    other = sign_in(make.reviewer("ada"))
    assert other.post(reverse("cluster-undo", args=[job.pk]), **HTMX).status_code == 404
    assert statuses(held) == ["approved", "approved"]
    assert desk.get(reverse("cluster-undo", args=[job.pk])).status_code == 405
    assert desk.get(reverse("cluster-decide", args=[held[0].pk])).status_code == 405


def test_pressing_twice_is_said_and_decides_once(desk: Client):
    held = filed()
    page = open_card(desk, held[0])
    first, again = press(desk, page, "approve"), press(desk, page, "approve")
    assert (first.status_code, again.status_code) == (200, 200)
    assert Counter(Decision.objects.filter(action="approve").values_list("target_id", flat=True)) == {
        str(one.pk): 1 for one in held
    }
    assert Job.objects.count() == 1


# -- the list


def rows_on(page: HttpResponse) -> list[str]:
    return re.findall(r'<li data-id="([0-9a-f-]+)"', page.content.decode())


def test_the_first_row_names_the_others_and_leads_to_them(desk: Client):
    held = filed(3)
    make.proposal(make.agent("agent-7"), "The lighthouse keeps a log.")
    page = desk.get(reverse("queue"))
    text = words(page)
    assert text.count("+2 nearly the same") == 1
    assert text.count("≈ nearly the same as one above") == 2
    first = next(key for key in rows_on(page) if key in {str(one.pk) for one in held})
    assert f"q=cluster%3A{first}" in page.content.decode()
    found = desk.get(reverse("queue"), {"q": f"cluster:{first}"})
    assert set(rows_on(found)) == {str(one.pk) for one in held}


def test_rows_that_repeat_an_earlier_one_can_be_folded(desk: Client):
    held = filed(3)
    equal = [make.proposal(make.agent(f"other-{at}"), f"Said by {at}.", claim=make.claim()) for at in range(2)]
    single = make.proposal(make.agent("agent-7"), "The lighthouse keeps a log.")
    page = desk.get(reverse("queue"))
    assert len(rows_on(page)) == 6
    assert "Fold the 3 rows that repeat an earlier one" in words(page)
    folded = desk.get(reverse("queue"), {"fold": "1"})
    assert len(rows_on(folded)) == 3
    assert str(single.pk) in rows_on(folded)
    assert len({str(one.pk) for one in held} & set(rows_on(folded))) == 1
    assert len({str(one.pk) for one in equal} & set(rows_on(folded))) == 1
    assert "Show the 3 folded rows" in words(folded)
    assert '<input type="hidden" name="fold" value="1">' in folded.content.decode()


def test_only_what_the_person_sees_is_counted_in_the_list(sign_in: SignIn):
    held = filed(3)
    rita = make.user("rita", Role.REVIEWER, of=held[0].agent)
    make.user("rita", Role.REVIEWER, of=held[1].agent)
    page = sign_in(rita).get(reverse("queue"))
    assert "+1 nearly the same" in words(page)
    assert set(rows_on(page)) == {str(one.pk) for one in held[:2]}
    other = sign_in(rita).get(reverse("queue"), {"q": f"cluster:{held[2].pk}"})
    assert rows_on(other) == []


def test_an_item_that_was_edited_is_in_no_cluster_until_it_is_placed_again(desk: Client):
    held = filed(2)
    assert "+1 nearly the same" in words(desk.get(reverse("queue")))
    HeldRecord.objects.filter(pk=held[1].pk).update(statement="Offices close at six.", version=9)
    assert "+1 nearly the same" not in words(desk.get(reverse("queue")))
    place(held_id=held[1].pk)
    assert "+1 nearly the same" not in words(desk.get(reverse("queue")))
