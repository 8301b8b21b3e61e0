"""Propositions in several wordings, with slots, for `bench.clusters`. As agents write: not every rewording is a near one."""

from __future__ import annotations

FRAMES: tuple[tuple[str, ...], ...] = (
    (
        "{service} logs are kept for {days} days.",
        "Logs of {service} are kept for {days} days.",
        "We keep the logs of {service} for {days} days.",
        "{service} log retention: {days} days.",
        "After {days} days the logs of {service} are deleted.",
    ),
    (
        "{service} listens on port {port}.",
        "The port of {service} is {port}.",
        "{service} is listening on port {port}",
        "Port {port} belongs to {service}.",
    ),
    (
        "{service} runs on Python {version}.",
        "Python {version} is what {service} runs on.",
        "{service} uses Python {version}.",
        "The runtime of {service} is Python {version}.",
    ),
    (
        "The {team} team owns {service}.",
        "{service} is owned by the {team} team.",
        "Owner of {service}: the {team} team.",
        "{service} belongs to the {team} team.",
    ),
    (
        "{service} retries a failed call {few} times.",
        "A failed call is retried {few} times by {service}.",
        "Failed calls are retried {few} times in {service}.",
        "{service} gives up after {few} retries of a failed call.",
    ),
    (
        "The {thing} report is sent every {day} at {time} UTC.",
        "Every {day} at {time} UTC the {thing} report is sent.",
        "The {thing} report goes out on {day}s at {time} UTC.",
        "{thing} reports are sent each {day}, {time} UTC.",
    ),
    (
        "Deploys of {service} need an approval from the {team} lead.",
        "Deploys of {service} must be approved by the {team} lead.",
        "The {team} lead's approval is needed for deploys of {service}.",
        "Before {service} is deployed, ask the {team} lead.",
    ),
    (
        "Never restart {service} during an import.",
        "Do not restart {service} during an import.",
        "{service} must not be restarted during an import.",
        "Restarting {service} while an import is running is forbidden.",
    ),
    (
        "{service} stores its sessions in {store}.",
        "Sessions of {service} are stored in {store}.",
        "{store} stores the sessions of {service}.",
        "The session store of {service} is {store}.",
    ),
    (
        "Backups of {service} are taken every {few} hours.",
        "We take backups of {service} every {few} hours.",
        "Every {few} hours {service} is backed up.",
        "{service} backups run every {few} hours.",
    ),
    (
        "Feature flags of {service} are removed within {few} sprints.",
        "Remove the feature flags of {service} within {few} sprints.",
        "A feature flag of {service} is deleted within {few} sprints.",
        "Within {few} sprints feature flags of {service} are removed.",
    ),
    (
        "The {thing} export of {service} is limited to {many} rows.",
        "{service} limits the {thing} export to {many} rows.",
        "At most {many} rows are in a {thing} export of {service}.",
        "The limit of the {thing} export of {service} is {many} rows.",
    ),
    (
        "The certificate of {service} expires on {date}.",
        "{service}'s certificate expires on {date}.",
        "On {date} the certificate of {service} expires.",
        "The certificate for {service} is valid until {date}.",
    ),
    (
        "{service} keeps uploads under {size} MB.",
        "Uploads to {service} stay under {size} MB.",
        "{service} uploads must be below {size} MB.",
        "Keep uploads to {service} under {size} MB.",
    ),
    (
        "Migrations of {service} are reviewed by the {team} team.",
        "The {team} team reviews the migrations of {service}.",
        "The {team} team reviews migrations of {service}, as agreed in the retro.",
        "Reviews of {service} migrations are done by the {team} team.",
    ),
    (
        "The {thing} dashboard of {service} refreshes every {few} minutes.",
        "Every {few} minutes the {thing} dashboard of {service} is refreshed.",
        "The {thing} dashboard of {service} is rebuilt every {few} minutes.",
        "{service}'s {thing} dashboard is updated every {few} minutes.",
    ),
    (
        "Errors of {service} page the {team} on-call.",
        "The {team} on-call is paged for errors of {service}.",
        "When {service} has errors, the {team} on-call is paged.",
        "{service} errors page the {team} on-call.",
    ),
    (
        "Support may refund {service} orders up to {many} euro.",
        "Up to {many} euro support may refund orders of {service}.",
        "Refunds for {service} orders up to {many} euro may be given by support.",
        "{service} orders may be refunded by support up to {many} euro.",
    ),
    (
        "Staging data of {service} is reset every {day}.",
        "Every {day} the staging data of {service} is reset.",
        "{service}'s staging data is reset on {day}s.",
        "The reset of {service} staging data happens each {day}.",
    ),
    (
        "Load tests of {service} run against the {place} cluster only.",
        "Run load tests of {service} only against the {place} cluster.",
        "{service} load tests run only against the {place} cluster.",
        "Only the {place} cluster is used for load tests of {service}.",
    ),
    (
        "Die Sicherung von {service} läuft jeden Tag um {time} Uhr.",
        "Jeden Tag um {time} Uhr läuft die Sicherung von {service}.",
        "Um {time} Uhr läuft die tägliche Sicherung von {service}.",
        "{service} wird jeden Tag um {time} Uhr gesichert.",
    ),
    (
        "Rechnungen aus {service} werden innerhalb von {few} Werktagen verschickt.",
        "Innerhalb von {few} Werktagen werden Rechnungen aus {service} versendet.",
        "Wir verschicken Rechnungen aus {service} innerhalb von {few} Werktagen.",
        "Rechnungen aus {service} gehen spätestens nach {few} Werktagen raus.",
    ),
    (
        "{service} 的日志保留 {days} 天。",
        "{service} 日志保留 {days} 天",
        "{service} 的日志会保留 {days} 天。",
        "日志在 {service} 中保留 {days} 天。",
    ),
    (
        "{service} のログは {days} 日間保存する。",
        "{service} のログを {days} 日間保存する",
        "{service} のログは {days} 日間保存します。",
        "ログは {service} に {days} 日間保存する。",
    ),
)

SLOTS: dict[str, tuple[str, ...]] = {
    "service": tuple(
        f"{first}-{last}"
        for first in "tracking carrier quote invoice label depot portal address returns scanner billing search".split()
        for last in "api gateway worker".split()
    ),
    "team": tuple("platform data payments mobile support security logistics".split()),
    "thing": tuple("carrier revenue latency capacity refund inventory".split()),
    "store": ("Redis", "PostgreSQL", "Memcached", "DynamoDB"),
    "place": ("staging", "preview", "sandbox", "canary"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    "time": ("05:00", "06:30", "14:00", "22:15"),
    "days": ("7", "14", "30", "60", "90"),
    "few": ("2", "3", "4", "5", "6", "8"),
    "many": ("50", "100", "500", "5000", "20,000"),
    "port": ("8080", "8110", "8443", "9000", "9200"),
    "version": ("3.9", "3.10", "3.11", "3.12", "3.13"),
    "size": ("5", "10", "25", "50"),
    "date": ("2027-01-15", "3 March 2027", "19 October 2027", "2027-12-01"),
}
"""What a near miss exchanges: one slot, all else the same."""
