"""Where a webhook may lead: public addresses by https, however they are written; and the signature of what it gets."""

from __future__ import annotations

import pytest

from evidence.rules.addresses import Target, is_public, read_target
from evidence.rules.errors import BadInput
from evidence.rules.signing import is_signed, secret_of, signature

PUBLIC = ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
PRIVATE = [
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0",
    "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "fec0::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::", "localhost", "", "1.1.1.1.",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_not_public(address: str) -> None:
    assert not is_public(address)


def test_the_parts_of_an_address() -> None:
    assert read_target("https://Hooks.Example.com/a/b?c=d", plain_http=False) == Target(
        "https", "hooks.example.com", 443, "/a/b?c=d"
    )
    assert read_target("https://hooks.example.com:8443", plain_http=False).host_header == "hooks.example.com:8443"
    assert read_target("http://[::1]:80/", plain_http=True).host_header == "[::1]"


@pytest.mark.parametrize(
    "text",
    [
        "", "hooks.example.com", "ftp://h/", "file:///etc/passwd", "javascript:alert(1)", "http://example.com/",
        "https://", "https:///x", "https://u:p@h/", "https://u@h/", "https://h/#x", "https://h:0/", "https://h:99999/",
        "https://h/a b", "https://h/\r\nX: y", "https://h/\x00", "https://hö/", "https://h\\@evil/", "https://-h/",
        "https://h..x/", "https://[::g]/", "https://[fe80::1%25eth0]/", "https://h/" + "a" * 600,
    ],
)  # fmt: skip
def test_what_is_no_address_to_call(text: str) -> None:
    with pytest.raises(BadInput):
        read_target(text, plain_http=False)


def test_a_signature_is_over_id_time_and_body_and_follows_the_standard() -> None:
    # The example of the Standard Webhooks specification.
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    given = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signature(secret, *given) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert is_signed(secret, *given, "v1,other v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    assert not is_signed(secret, given[0], given[1] + 1, given[2], signature(secret, *given))
    assert not is_signed(secret, "msg_other", given[1], given[2], signature(secret, *given))


def test_a_secret_is_made_of_key_and_salt_together() -> None:
    assert secret_of("key", "salt") == secret_of("key", "salt")
    assert len({secret_of("key", "salt"), secret_of("key", "other"), secret_of("other", "salt")}) == 3
