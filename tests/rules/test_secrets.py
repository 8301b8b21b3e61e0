"""Secrets by shape: every documented form is found in every dress, prose and stand-ins pass, the value is never told."""

from __future__ import annotations

import base64
import random
from types import ModuleType
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.rules.secret_shapes import (
    assignments,
    commands,
    headers,
    names,
    providers,
    structures,
)
from evidence.rules.secrets import has_secret, secret_kinds
from evidence.rules.vocab import SecretKind
from tests.rules.fake_secrets import ASSIGNMENTS, ORDINARY, PROVIDERS, Fakes
from tests.rules.pattern_trees import patterns_of, unbounded_groups
from tests.rules.secret_forms import COMMANDS, FILES, KEYS, WRAPPED
from tests.rules.secret_prose import PROSE
from tests.rules.secret_talk import TALK

_FORMS = [(kind, number) for kind, forms in PROVIDERS.items() for number in range(len(forms))]
_SEEDS = (1, 2, 3, 4, 5)
_TOKENS = (
    "github_token",
    "gitlab_token",
    "google_key",
    "slack_token",
    "anthropic_key",
    "stripe_key",
    "npm_token",
    "jwt",
)


@pytest.mark.parametrize(("kind", "number"), _FORMS)
def test_every_form_is_found_in_a_sentence(kind: str, number: int) -> None:
    for seed in _SEEDS:
        value = PROVIDERS[kind][number](Fakes(seed))
        for text in (
            value,
            f"The value is {value}.",
            f"({value})",
            f"before\n{value}\nafter",
            f"`{value}`, kept since May",
        ):
            assert kind in secret_kinds(text)


@pytest.mark.parametrize("shape", ASSIGNMENTS)
def test_every_assignment_is_found(shape: str) -> None:
    for seed in _SEEDS:
        assert "assigned_secret" in secret_kinds(shape.replace("{}", Fakes(seed).password()))


@pytest.mark.parametrize("shape", [*COMMANDS, *FILES])
def test_every_command_and_file_is_read(shape: str) -> None:
    for seed in _SEEDS:
        assert secret_kinds(shape.replace("{}", Fakes(seed).password()))


@pytest.mark.parametrize("form", KEYS)
def test_a_private_key_is_found_however_it_is_pasted(form: str) -> None:
    for seed in _SEEDS:
        assert "private_key" in secret_kinds(KEYS[form](Fakes(seed)))


@pytest.mark.parametrize("form", WRAPPED)
def test_what_is_wrapped_is_found(form: str) -> None:
    for seed in _SEEDS:
        assert secret_kinds(WRAPPED[form](Fakes(seed)))


@pytest.mark.parametrize("shape", ["tool -p {}", "The password is {}", "the password: {} and more of it", "{}"])
def test_a_bare_value_is_no_secret_by_shape(shape: str) -> None:
    assert secret_kinds(shape.replace("{}", "harbour-gate-77")) == ()


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("correct-horse-battery-staple", True),
        ("HarbourGate", True),
        ("$ecretHarbour99!", True),
        ("blue Harbour 77 gate", True),
        ("generate-with-openssl", False),
        ("$DB_HARBOUR", False),
        ("Kennwort", False),
        ("user_password", False),
        ("must have a digit", False),
    ],
)
def test_words_for_a_password(value: str, found: bool) -> None:
    assert bool(secret_kinds(f'DB_PASS{"WORD"} = "{value}"')) is found


@pytest.mark.parametrize("text", [*ORDINARY, *TALK, *PROSE])
def test_prose_placeholders_and_references_pass(text: str) -> None:
    assert secret_kinds(text) == ()
    assert not has_secret(text)


def test_the_kinds_are_the_contracts() -> None:
    assert set(PROVIDERS) | {"assigned_secret"} == {kind.value for kind in SecretKind}


@pytest.mark.parametrize("kind", _TOKENS)
def test_a_disguise_does_not_help(kind: str) -> None:
    value = PROVIDERS[kind][0](Fakes(7))
    draw = random.Random(7)
    hidden = "".join(char + draw.choice(("", "\u200b", "\u00ad", "\u2060")) for char in value)
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in value)
    for text in (
        hidden,
        wide,
        value.replace("_", "\\_").replace("-", "\\-"),
        "".join(f"\\u{ord(char):04x}" for char in value),
        "".join(f"&#{ord(char)};" for char in value),
        quote(value, safe="").replace("_", "%5F").replace("-", "%2D"),
        "payload " + base64.b64encode(f"login {value}".encode()).decode(),
        "payload " + f"login {value}".encode().hex(),
        quote(quote(value, safe="").replace("_", "%5F").replace("-", "%2D")),
        f'"{value[:9]}" + "{value[9:]}"',
        f"'{value[:9]}'\n    '{value[9:]}'",
        value.replace("a", "\u0430").replace("o", "\u043e"),
    ):
        assert kind in secret_kinds(text), text[:12]


def test_a_value_of_seven_characters_is_too_short() -> None:
    name = "DB_PASS" + "WORD="
    assert secret_kinds(name + "aB3dE5g") == ()
    assert secret_kinds(name + "aB3dE5gH") == ("assigned_secret",)


def test_several_kinds_come_in_the_contracts_order() -> None:
    fakes = Fakes(11)
    text = "\n".join(PROVIDERS[kind][0](fakes) for kind in ("url_credentials", "jwt", "github_token", "private_key"))
    assert secret_kinds(text) == ("private_key", "github_token", "jwt", "url_credentials")


def test_the_last_line_of_a_long_text_is_read() -> None:
    text = "The depot opens at six.\n" * 4000 + PROVIDERS["gitlab_token"][0](Fakes(3))
    assert secret_kinds(text) == ("gitlab_token",)


@given(st.text(st.characters(exclude_categories=()), max_size=300))
def test_every_text_has_an_answer_of_known_kinds(text: str) -> None:
    assert set(secret_kinds(text)) <= {kind.value for kind in SecretKind}


@given(st.integers(0, 10_000), st.sampled_from(_FORMS), st.sampled_from(ORDINARY), st.sampled_from(ORDINARY))
def test_words_around_it_never_hide_a_token(seed: int, form: tuple[str, int], before: str, after: str) -> None:
    kind, number = form
    value = PROVIDERS[kind][number](Fakes(seed))
    assert kind in secret_kinds(f"{before}\n{value}\n{after}")


@given(st.lists(st.sampled_from(ORDINARY), max_size=5).map("\n".join))
def test_ordinary_notes_stay_ordinary_together(text: str) -> None:
    assert secret_kinds(text) == ()


_PIECES = (
    "a", "A1", "=", ":", "password", "password=", "token: ", "-----BEGIN ", "eyJ", "eyJa.", "://a:", "aws secret ", "x@", "%41",
    "\\u0041", "&#65;", "bearer ", "'", '"', "sk-", "AKIA", "9", " ", "\n", "_", "-", "key_", "<", "\u200b", "Basic ", "-u a:",
    "-----BEGIN RSA PRIV" + "ATE KEY-----", "name: password ", "name: a", 'variable "a', "password:\n", "| password ", "password | ",
    "echo ", "machine a login b ", "login ", "mysql ", "config set ", "--from-literal=a", "a,b\n", "password,b\na,b\n",
    "kind: Secret\ndata:\n", "data:\n a: b\n", "://a:b/", "cookie: ", "PuTTY-User-Key-File-3: ", "kty: d: ", "a:1:a:a:", "creds ",
    "identified by ", "wifi:", "default login a ", "${password", '"a",', '"a" + "b', "\u0441c1", "passwords:\n  - ",
)  # fmt: skip


@pytest.mark.parametrize("piece", _PIECES)
def test_a_long_hostile_text_is_answered(piece: str) -> None:
    """100 kB of one piece: a pattern with more than linear cost would hang here and not merely be slow."""
    assert isinstance(secret_kinds((piece * 100_000)[:100_000]), tuple)


# Patterns that meet whole texts; those of `randomness` meet one short value, those of the plugins are a library's.
@pytest.mark.parametrize("module", [assignments, commands, headers, names, providers, structures])
def test_only_single_characters_repeat_without_end(module: ModuleType) -> None:
    assert [each.pattern for each in patterns_of(module) if unbounded_groups(each.pattern, each.flags)] == []
