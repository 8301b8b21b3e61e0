#!/usr/bin/env python3
"""Verify an audit of Evidence Desk with nothing but Python 3.9 or newer: no package, no database server, no network.

    python3 verify_audit.py EXPORT.jsonl | DESK.sqlite3 | RECEIPT.json  [--keys KEYS.json] [--anchors ANCHORS.jsonl]

An export comes from `manage.py audit_export`, keys from `manage.py audit_key` or /audit/keys/, anchors from AUDIT_ANCHOR_FILE;
keep keys and anchors where whoever might change the desk cannot. It is written apart from the desk on purpose: the rules stand
in docs/operating.md, and two programs that agree are worth more than one. Exit 0: everything holds; 1: something does not,
each place named; 2: the files cannot be read.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import sqlite3
import sys
import uuid
from pathlib import Path

GENESIS = "0" * 64


class Chain:
    """One namespace, link after link."""

    def __init__(self, namespace, keys, anchors, start=None):
        self.namespace, self.keys = namespace, keys
        self.anchors = {row["seq"]: row["digest"] for row in anchors if row["namespace"] == namespace}
        # An export of a stretch begins anywhere: its first link's predecessor is taken as it is told.
        self.prev, self.seq = start or (GENESIS, 0)
        self.sealed, self.links, self.faults = False, 0, []

    def fault(self, seq, word, detail):
        self.faults.append((self.namespace, seq, word, detail))

    def link(self, seq, prev, digest, seal, payload):
        self.links += 1
        if seq != self.seq + 1:
            self.fault(seq, "missing_link", f"link {self.seq + 1} is missing")
        if prev != self.prev:
            self.fault(seq, "wrong_place", "it does not follow from the link before")
        if (
            payload.get("seq") != seq
            or payload.get("namespace") != self.namespace
            or digest != link_digest(prev, payload)
        ):
            self.fault(seq, "edited_link", "its content is not what its digest says")
        if self.anchors.pop(seq, digest) != digest:
            self.fault(seq, "rewritten", "another link stood here when the chain was anchored")
        self.check_seal(seq, digest, seal)
        self.prev, self.seq = digest, seq

    def check_seal(self, seq, digest, seal):
        if not self.keys:
            return
        if seal and not seal_holds(seal, self.namespace, seq, digest, self.keys):
            self.fault(seq, "wrong_seal", "its seal was not made with one of the keys for this link")
        if self.sealed and not seal:
            self.fault(seq, "no_seal", "it has no seal, though links before it have one")
        self.sealed = self.sealed or bool(seal)

    def text(self, seq, name, promise, kept):
        """`kept`: salt and body; none: purged; "emptied": nobody decided to purge it; False: it is gone."""
        if kept is False:
            self.fault(seq, "text_gone", f"its text {name!r} is gone without a purge")
        elif kept == "emptied":
            self.fault(seq, "purged_without_decision", f"its text {name!r} was emptied without a decision to purge")
        elif kept is not None and hashlib.sha256(kept[0] + kept[1].encode()).hexdigest() != promise["sha256"]:
            self.fault(seq, "edited_text", f"its text {name!r} is not what was committed to")

    def end(self, head=None):
        if head is not None and head != (self.seq, self.prev):
            self.fault(self.seq, "wrong_head", "the chain does not end where its head says")
        for seq in sorted(self.anchors):
            if seq > self.seq:
                self.fault(seq, "cut_off", "the chain was longer when it was anchored: its end is gone")


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def link_digest(prev, payload):
    return hashlib.sha256(f"{prev}\n{canonical(payload)}".encode()).hexdigest()


# --- an export or a receipt ---


def verify_export(lines, keys, anchors):
    head, chain, ended = json.loads(next(lines)), None, False
    namespace = head["namespace"]
    for line in lines:
        row = json.loads(line)
        if row.get("end"):
            chain = chain or Chain(namespace, keys, anchors)
            if (row["links"], row["seq"], row["digest"]) != (chain.links, chain.seq, chain.prev if chain.links else ""):
                chain.fault(row["seq"], "wrong_head", "the export does not hold what its last line says")
            ended = True
            break
        if chain is None:
            chain = Chain(namespace, keys, anchors, (row["prev"], row["seq"] - 1) if row["seq"] > 1 else None)
        chain.link(row["seq"], row["prev"], row["digest"], row.get("seal", ""), row["payload"])
        for name, promise in row["payload"]["commitments"].items() if "texts" in row else ():
            kept = row["texts"].get(name, False)
            chain.text(row["seq"], name, promise, (bytes.fromhex(kept["salt"]), kept["body"]) if kept else kept)
    chain = chain or Chain(namespace, keys, anchors)
    if not ended:
        chain.fault(chain.seq, "cut_off", "the export has no last line: it was cut")
    if head["whole"]:  # a stretch may end before the newest anchor
        chain.end()
    return chain


def verify_receipt(row, keys):
    chain = Chain(row["namespace"], keys, [], (row["prev"], row["seq"] - 1))
    chain.link(row["seq"], row["prev"], row["digest"], row.get("seal", ""), row["payload"])
    if not row.get("seal"):
        chain.fault(row["seq"], "no_seal", "the receipt carries no seal")
    return chain


# --- a database of SQLite ---


def verify_database(path, keys, anchors):
    link = sqlite3.connect(Path(path).resolve().as_uri() + "?mode=ro", uri=True)
    link.row_factory = sqlite3.Row
    heads = {row["namespace"]: (row["seq"], row["digest"]) for row in link.execute("SELECT * FROM evidence_chainhead")}
    names = {row[0] for row in link.execute("SELECT DISTINCT namespace FROM evidence_decision")}
    return [
        verify_rows(link, name, keys, anchors, heads.get(name, ()))
        for name in sorted(names | set(heads) | {row["namespace"] for row in anchors})
    ]


def verify_rows(link, namespace, keys, anchors, head):
    chain = Chain(namespace, keys, anchors)
    rows = link.execute("SELECT * FROM evidence_decision WHERE namespace = ? ORDER BY seq", (namespace,))
    for row in rows:
        try:
            payload = payload_of(row)
            chain.link(row["seq"], row["prev"], row["digest"], row["seal"], payload)
            check_touches(link, chain, row, payload)
            for name, promise in payload["commitments"].items():
                chain.text(row["seq"], name, promise, kept_text(link, promise["snapshot"]))
        except (ValueError, TypeError, AttributeError, KeyError):
            chain.fault(
                chain.seq, "unreadable_link", "a later link holds what no link can hold; nothing after it was read"
            )
            return chain
    chain.end(head)
    return chain


def check_touches(link, chain, row, payload):
    found = link.execute(
        "SELECT target_kind, target_id, version FROM evidence_decisiontouch WHERE decision_id = ?", (row["id"],)
    )
    if sorted(list(touch) for touch in found) != payload["touched"]:
        chain.fault(row["seq"], "edited_touch", "what it touched is not what was written down")


def kept_text(link, snapshot):
    row = link.execute(
        "SELECT salt, body, purged_at FROM evidence_snapshot WHERE id = ?", (uuid.UUID(snapshot).hex,)
    ).fetchone()
    if row is None:
        return False
    if row["salt"] is not None and row["body"] is not None:
        return bytes(row["salt"]), row["body"]
    purged = (
        row["purged_at"]
        and link.execute(
            "SELECT 1 FROM evidence_decision WHERE action = 'purge' AND at >= ? AND at <= datetime(?, '+1 hour')",
            (row["purged_at"], row["purged_at"]),
        ).fetchone()
    )
    return None if purged else "emptied"


def payload_of(row):
    """What the digest of a row covers: all columns but digest, prev and seal."""
    return {
        "id": identifier(row["id"]), "namespace": row["namespace"], "seq": row["seq"], "at": instant(row["at"]),
        "actor": [row["actor_kind"], row["actor_id"], row["actor_name"]], "door": row["door"], "action": row["action"],
        "reason_code": row["reason_code"], "agent": row["agent"],
        "target": [row["target_kind"], row["target_id"], row["target_version"]], "policy": row["policy_version"],
        "key": row["idempotency_key"], "bulk": identifier(row["bulk_id"]), "undoes": identifier(row["undoes"]),
        "amends": identifier(row["amends"]), "solo": bool(row["solo"]), "effects": json.loads(row["effects"]),
        "commitments": json.loads(row["commitments"]), "touched": json.loads(row["touched"]),
    }  # fmt: skip


def identifier(text):
    return None if text is None else str(uuid.UUID(text))


def instant(text):
    at = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC)
    return at.isoformat().replace("+00:00", "Z")


# --- Ed25519 (RFC 8032, section 5.1.7), only verifying ---

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
BASE_Y = 4 * pow(5, P - 2, P) % P


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point(packed):
    number = int.from_bytes(packed, "little")
    y = number & ((1 << 255) - 1)
    x = recover_x(y, number >> 255)
    return None if x is None else (x, y, 1, x * y % P)


def added(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, base):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = added(result, base)
        base, scalar = added(base, base), scalar >> 1
    return result


def same(one, other):
    return not ((one[0] * other[2] - other[0] * one[2]) % P or (one[1] * other[2] - other[1] * one[2]) % P)


BASE = (recover_x(BASE_Y, 0), BASE_Y, 1, recover_x(BASE_Y, 0) * BASE_Y % P)


def signature_holds(key, message, signature):
    if len(key) != 32 or len(signature) != 64:
        return False
    public, nonce, scalar = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if public is None or nonce is None or scalar >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return same(times(scalar, BASE), added(nonce, times(challenge, public)))


def seal_holds(seal, namespace, seq, digest, keys):
    name, _, signature = seal.partition(":")
    try:
        found = bytes.fromhex(signature)
    except ValueError:
        return False
    return name in keys and signature_holds(
        keys[name], f"evidence-desk/audit/1\n{namespace}\n{seq}\n{digest}".encode(), found
    )


# --- the command ---


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--keys", help="public keys; without them seals are not looked at")
    parser.add_argument("--anchors", help="anchors kept outside")
    asked = parser.parse_args()
    try:
        chains = verified(asked.file, read_keys(asked.keys), read_anchors(asked.anchors))
    except (OSError, ValueError, KeyError, TypeError, StopIteration, sqlite3.Error) as error:
        print(f"cannot be read: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    faults = [fault for chain in chains for fault in chain.faults]
    for namespace, seq, word, detail in faults:
        print(f"BROKEN {namespace}#{seq} {word}: {detail}")
    print(f"{sum(chain.links for chain in chains)} links checked, {len(faults)} faults")
    return 1 if faults else 0


def verified(path, keys, anchors):
    with Path(path).open("rb") as stream:
        if stream.read(16) == b"SQLite format 3\0":
            return verify_database(path, keys, anchors)
    with Path(path).open(encoding="utf-8") as stream:
        whole = stream.read(200)
        stream.seek(0)
        if "evidence-desk-audit-receipt" in whole:
            return [verify_receipt(json.load(stream), keys)]
        return [verify_export(iter(stream), keys, anchors)]


def read_keys(path):
    if not path:
        return {}
    keys = json.loads(Path(path).read_text(encoding="utf-8"))["keys"]
    if isinstance(keys, list):
        keys = {row["id"]: row["public"] for row in keys}
    return {name: bytes.fromhex(key) for name, key in keys.items()}


def read_anchors(path):
    if not path:
        return []
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    sys.exit(main())
