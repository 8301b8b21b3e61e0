"""Clusters of near-duplicates: what is together, what never is, and that nothing depends on the order of the items."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.clusters import judge, queue
from evidence.rules.clusters import Cluster, ClusterItem, Member, clusters, fence_of
from evidence.rules.opposition import oppose
from evidence.rules.quantities import quantities
from evidence.rules.records import Claim, Reach, Scope, Validity

PUBLIC = Scope("ops-agent", "public")

TOGETHER: list[tuple[str, str]] = [
    ("The gateway keeps 5 releases", "the gateway keeps **five** releases."),
    ("Price lists are mailed every Monday", "Every Monday price lists are mailed"),
    ("Engineers review the migrations of the ledger", "Migrations of the ledger are reviewed by engineers"),
    ("We keep the logs of the portal for 7 days", "Portal logs are kept for 7 days"),
    ("The ledger index is recalculated every Monday", "Each Monday the ledger index is refreshed"),
    ("Depot printers poll every 90 seconds", "Depot printers poll at an interval of 90 seconds"),
    ("Never restart the importer during a run", "Do not restart the importer during a run"),
    ("Large invoices need the controller's approval", "Large invoices must be approved by the controller"),
    ("Integration tests need postgres, which compose starts", "Integration tests need postgres"),
    ("Sessions expire after 2 days", "Sessions expire after 48 hours"),
    ("Die Rechnungen werden freitags verschickt", "Die Rechnungen werden freitags versendet"),
    ("测试环境的日志保留30天", "测试环境日志会保留 30 天。"),
    ("バックアップは毎日保存する", "バックアップを毎日保存します"),
    ("백업 파일은 매일 자동으로 저장합니다", "백업 파일을 매일 자동으로 저장한다"),
    ("Резервные копии хранятся в архиве", "Резервные копии хранятся в архиве."),
]

APART: dict[str, list[tuple[str, str]]] = {
    "number": [
        ("The gateway keeps 5 releases", "The gateway keeps 6 releases"),
        ("The exporter retries 3 times with a wait of 2 seconds", "The exporter retries 3 times"),
        ("Staging keeps 3 days and the archive 5 days", "Staging keeps 5 days and the archive 3 days"),
        ("测试环境的日志保留30天", "测试环境的日志保留7天"),
        ("任务失败后重试三次", "任务失败后重试五次"),
    ],
    "date, time, unit, version": [
        ("The freeze starts on 3 June 2027", "The freeze starts on 4 June 2027"),
        ("The scorecard runs at 05:00 UTC", "The scorecard runs at 06:00 UTC"),
        ("The suite takes 22 minutes", "The suite takes 22 seconds"),
        ("The portal runs on Python 3.12", "The portal runs on Python 3.11"),
        ("The portal runs on Python 3.12", "The portal runs on Python 3.12.4"),
    ],
    "name": [
        ("Errors of the portal are sent to Sentry", "Errors of the portal are sent to Rollbar"),
        ("Load tests run against the staging cluster only", "Load tests run against the preview cluster only"),
        ("The carrier report is recalculated every Monday", "The depot report is refreshed each Monday"),
        ("Read ticket PAY-123 before touching the ledger", "Read ticket PAY-124 before touching the ledger"),
        ("Uploads of quote-engine are stored", "Uploads of carrier-gateway are stored"),
        ("Der Anbieter der Server ist Hetzner", "Der Anbieter der Server ist Netcup"),
        ("负载测试只在预发集群运行", "负载测试只在生产集群运行"),
        ("Custom reports are sent weekly to sales", "Customer reports are sent weekly to sales"),
    ],
    "negation": [
        ("Feature flags are removed after the rollout", "Feature flags are not removed after the rollout"),
        ("Feature flags are deleted after the rollout", "Feature flags are not removed after the rollout"),
        ("Reports are mailed as PDF, not as spreadsheets", "Reports are mailed as PDF"),
        ("测试环境不使用真实数据", "测试环境使用真实数据"),
        ("ログは毎日保存しません", "ログは毎日保存します"),
        ("夜间禁止部署服务程序", "夜间部署服务程序"),
    ],
    "role": [
        ("The API calls the worker for each job", "For each job the worker calls the API"),
        ("The French office audits the British branch", "The British office audits the French branch"),
        ("网关调用缓存服务", "缓存服务调用网关"),
    ],
    "bent": [
        ("Reviewers may merge their own hotfix", "Reviewers must merge their own hotfix"),
        ("Services write an audit log at start", "Some services write an audit log at start"),
        ("Deploys to production are blocked", "Deploys to production are blocked if the tests fail"),
        ("The ledger database is in the cellar", "The ledger database was in the cellar"),
        ("The ledger database is in the cellar", "Is the ledger database in the cellar?"),
        ("Uploads go to the bucket or the archive", "Uploads go to the bucket and the archive"),
    ],
    "another word": [
        ("The portal caches images for offline reading", "The portal caches images in debug builds"),
        ("The cache is flushed every night", "The cache is copied every night"),
        ("Run the exporter", "Run the importer"),
        ("Deploy", "Rollback"),
    ],
    "nothing said": [("", ""), ("...", "..."), ("the", "the"), ("不", "不"), ("  ", "\n")],
}


def _together(*statements: str) -> bool:
    found = clusters([ClusterItem(f"p-{at}", text, scope=PUBLIC) for at, text in enumerate(statements)])
    return any(len(cluster.ids) == len(statements) for cluster in found)


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_rewordings_are_together(one: str, other: str) -> None:
    assert _together(one, other)


@pytest.mark.parametrize(
    ("reason", "one", "other"), [(reason, *pair) for reason, pairs in APART.items() for pair in pairs]
)
def test_what_says_something_else_is_not_together(reason: str, one: str, other: str) -> None:
    assert not _together(one, other)


ITEM = ClusterItem("p-1", "Portal logs are kept for 7 days", scope=PUBLIC)


@pytest.mark.parametrize(
    ("change", "is_together"),
    [
        ({}, True),
        ({"scope": Scope("data-agent", "public", ("ops-agent",))}, True),
        ({"scope": Scope("ops-agent", "private")}, False),
        ({"scope": replace(PUBLIC, project="kestrel")}, False),
        ({"namespace": "other"}, False),
        ({"kind": "promotion"}, False),
        ({"reach": Reach("project", "kestrel")}, False),
        ({"valid": Validity("2026-01-01T00:00:00Z")}, False),
        ({"statement": "PORTAL LOGS are kept for 7 days!"}, True),
    ],
)
def test_fences(change: dict[str, object], is_together: bool) -> None:
    other = replace(ITEM, id="p-2", **change)  # type: ignore[arg-type]
    assert bool(clusters([ITEM, other])) is is_together
    assert ("statement" in change) or (fence_of(ITEM) == fence_of(other)) is is_together


@pytest.mark.parametrize(
    ("one", "other", "is_together"),
    [
        (Scope("ada", "private"), Scope("bob", "private"), False),
        (Scope("ada", "private"), Scope("ada", "private"), True),
        (Scope("ada", "shared", ("bob",)), Scope("bob", "shared", ("ada",)), False),
        (Scope("ada", "shared", ("bob", "cleo")), Scope("ada", "shared", ("cleo", "bob")), True),
        (Scope("ada", "shared", ("bob,cleo",)), Scope("ada", "shared", ("bob", "cleo")), False),
    ],
)
def test_the_owner_counts_where_not_everybody_reads(one: Scope, other: Scope, is_together: bool) -> None:
    assert bool(clusters([replace(ITEM, scope=one), replace(ITEM, id="p-2", scope=other)])) is is_together


WINDOW = Claim("webhook delivery", "retry window", "24 hours")


@pytest.mark.parametrize(
    ("one", "other", "statement", "is_together"),
    [
        (WINDOW, WINDOW, "For 24 hours a hook that failed is tried again", True),
        (WINDOW, Claim("Webhook  Delivery", "retry window", "24 HOURS"), "Parked hooks are kept for 24 hours", True),
        (WINDOW, replace(WINDOW, value="one day"), ITEM.statement, False),
        (WINDOW, WINDOW, "Webhooks are retried for 48 hours", False),
        (WINDOW, WINDOW, "Webhooks are not retried for 24 hours", False),
        (WINDOW, None, "We retry webhooks for 24 hours", True),
        (WINDOW, None, "For 24 hours a hook that failed is tried again", False),
        (WINDOW, replace(WINDOW, attribute="window"), "For 24 hours webhooks are retried", True),
        (WINDOW, replace(WINDOW, attribute="window"), "Webhooks are retried for 24 hours by the queue", False),
        (WINDOW, WINDOW, "...", False),
    ],
)
def test_claims(one: Claim, other: Claim | None, statement: str, is_together: bool) -> None:
    first = replace(ITEM, statement="Webhooks are retried for 24 hours", claim=one)
    second = replace(first, id="p-2", statement=statement, claim=other)
    if statement == ITEM.statement:
        first = replace(first, statement=statement)
    assert bool(clusters([first, second])) is is_together


def test_a_chain_of_likenesses_joins_nothing_that_differs() -> None:
    """Both longer ones are near the short one; of each other they say different things."""
    short = "The mobile client caches depot pictures"
    ends = [f"{short} in debug builds", f"{short} for offline reading"]
    assert _together(short, ends[0])
    assert _together(short, ends[1])
    found = clusters([ClusterItem(str(at), text, scope=PUBLIC) for at, text in enumerate([ends[0], short, ends[1]])])
    assert [len(cluster.ids) for cluster in found] == [2]


def test_what_a_member_says_otherwise() -> None:
    items = [
        ClusterItem("p-3", "Depot printers poll the queue every 90 seconds", scope=PUBLIC),
        ClusterItem("p-2", "Depot printers poll the queue every 90 seconds.", scope=PUBLIC),
        ClusterItem("p-1", "Every 90 seconds depot printers poll the local queue", scope=PUBLIC),
    ]
    assert clusters(items) == (
        Cluster((Member("p-2", 1), Member("p-3", 1), Member("p-1", pytest.approx(10 / 11), ("local",), ()))),
    )


def test_the_largest_cluster_comes_first_and_its_representative_is_near_to_most() -> None:
    pair = ["Invoices are mailed on Friday", "On Friday invoices are mailed"]
    trio = ["Backups run in the cellar", "Backups run in the cellar vault", "In the cellar backups run"]
    found = clusters([ClusterItem(f"p-{at}", text, scope=PUBLIC) for at, text in enumerate([*pair, *trio])])
    assert [len(cluster.members) for cluster in found] == [3, 2]
    assert found[0].representative in {"p-2", "p-4"}
    assert found[0].members[-1] == Member("p-3", pytest.approx(6 / 7), ("vault",), ())


def test_a_generated_queue_is_sorted_out() -> None:
    """Nearly nothing is glued that differs, and most of what belongs together is found."""
    filed = queue(400, seed=5)
    found = clusters(one.item for one in filed)
    truth = {one.item.id: one.truth for one in filed}
    assert all(len({truth[name] for name in cluster.ids}) == 1 for cluster in found)
    figures = dict(judge(filed, found))
    assert float(figures["pairs that belong together, recall"].split()[-1]) > 0.6


VERBS = ["reads", "writes", "never reads", "is read by", "may read"]
NOUNS = ["the ledger", "the portal", "quote-engine", "Sentry"]
TAILS = ["every night", "5 times", "five times", "6 times", "after 30 seconds", "without approval", "in the cellar", ""]
statements = st.one_of(
    st.builds("{} {} {} {}".format, *map(st.sampled_from, (NOUNS, VERBS, NOUNS, TAILS))),
    st.builds("{2} {0} {1}".format, *map(st.sampled_from, (NOUNS, VERBS, TAILS))),
    st.sampled_from(["", "...", "日志保留30天", "日志会保留30天", "日志保留7天", "日志不保留30天"]),
    st.text(max_size=12),
)
scopes = st.builds(Scope, st.sampled_from(["ada", "bob"]), st.sampled_from(["public", "private"]))
items = st.builds(
    ClusterItem,
    id=st.uuids().map(str),
    statement=statements,
    claim=st.one_of(st.none(), st.builds(Claim, st.just("ledger"), st.sampled_from(["a", "b"]), st.sampled_from("xy"))),
    namespace=st.sampled_from(["default", "other"]),
    scope=scopes,
)
queues = st.lists(items, max_size=14, unique_by=lambda item: item.id)


@given(queues, st.randoms(use_true_random=False))
def test_the_order_of_the_items_does_not_matter(filed: list[ClusterItem], chance: object) -> None:
    shuffled = list(filed)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert clusters(shuffled) == clusters(filed) == clusters([*filed, *shuffled])


@given(queues)
def test_every_item_is_in_one_cluster_at_most(filed: list[ClusterItem]) -> None:
    members = [name for cluster in clusters(filed) for name in cluster.ids]
    assert len(members) == len(set(members))
    assert set(members) <= {item.id for item in filed}


@given(queues)
def test_no_cluster_spans_a_fence_or_holds_an_opposition(filed: list[ClusterItem]) -> None:
    by_id = {item.id: item for item in filed}
    for cluster in clusters(filed):
        for a, b in itertools.combinations([by_id[name] for name in cluster.ids], 2):
            assert fence_of(a) == fence_of(b)
            assert a.scope.access == "public" or a.scope.owner == b.scope.owner
            assert oppose(a.statement, b.statement) is None
            assert a.claim is None or b.claim is None or a.claim.key != b.claim.key or a.claim == b.claim
            assert {v.value for v in quantities(a.statement)} == {v.value for v in quantities(b.statement)}
