"""Tokens that carry their provider's name in their shape: prefix, length and alphabet as documented by each provider.

Kinds are the contract's closed list (12.5); a provider outside it counts as what its token is: a bearer token, an address
with credentials. Each shape has literal cues, so that a text without any of them costs no pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from evidence.rules.secret_shapes.randomness import is_mask, looks_drawn
from evidence.rules.vocab import SecretKind


def _filled(body: str) -> bool:
    return not is_mask(body)


def _drawn(body: str) -> bool:
    return not is_mask(body) and looks_drawn(body)


def _has_digit(body: str) -> bool:
    return not is_mask(body) and any(char.isdigit() for char in body)


@dataclass(frozen=True, slots=True)
class Shape:
    """`pattern` finds a candidate with its variable part in group `b`; `accepts` sorts out masks and words."""

    kind: SecretKind
    cues: tuple[str, ...]
    pattern: re.Pattern[str]
    accepts: Callable[[str], bool] = _filled

    def matches(self, text: str) -> bool:
        if not any(map(text.__contains__, self.cues)):
            return False
        return any(self.accepts(found.group("b")) for found in self.pattern.finditer(text))


def _shape(kind: SecretKind, cues: str, pattern: str, accepts: Callable[[str], bool] = _filled) -> Shape:
    # A token ends where its alphabet does; it may follow an underscore or a word (`bot` + id in a URL) only where said.
    return Shape(kind, tuple(cues.split("|")), re.compile(pattern), accepts)


_L = r"(?<![A-Za-z0-9_])"  # left edge: not inside a longer word
_R = r"(?![A-Za-z0-9_])"

SHAPES: tuple[Shape, ...] = (
    _shape(
        SecretKind.GITHUB_TOKEN, "ghp_|gho_|ghu_|ghs_|ghr_", r"(?<![A-Za-z0-9])gh[pousr]_(?P<b>[A-Za-z0-9_]{30,255})"
    ),
    _shape(SecretKind.GITHUB_TOKEN, "github_pat_", r"github_pat_(?P<b>[A-Za-z0-9_]{30,255})"),
    _shape(
        SecretKind.GITLAB_TOKEN,
        "glpat-|gldt-|glrt-|glrtr-|glcbt-|glptt-|glft-|glimt-|glagent-|gloas-|glsoat-|glffct-|glwt-",
        r"(?<![A-Za-z0-9])gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-(?P<b>[A-Za-z0-9_.=-]{20,1024})",
        _has_digit,
    ),
    _shape(SecretKind.GITLAB_TOKEN, "GR1348941", r"GR1348941(?P<b>[A-Za-z0-9_-]{20,50})"),
    _shape(
        SecretKind.AWS_KEY,
        "AKIA|ASIA|ABIA|ACCA|A3T",
        r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])(?P<b>[A-Z0-9]{16})(?![A-Za-z0-9])",
    ),
    _shape(SecretKind.AWS_KEY, "ABSK", r"(?<![A-Za-z0-9])ABSK(?P<b>[A-Za-z0-9+/]{100,}={0,2})"),
    _shape(SecretKind.AWS_KEY, "bedrock-api-key-", r"bedrock-api-key-(?P<b>[A-Za-z0-9+/=_-]{40,})"),
    _shape(
        SecretKind.AWS_KEY,
        "aws|AWS|Aws",
        (
            r"(?i:aws).{0,24}?(?i:secret|access).{0,24}?(?i:key)"
            r".{0,12}?[\s\"'=:>]{1,6}(?P<b>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
        ),
        _drawn,
    ),
    _shape(SecretKind.GOOGLE_KEY, "AIza", r"(?<![A-Za-z0-9_-])AIza(?P<b>[A-Za-z0-9_-]{35})(?![A-Za-z0-9])"),
    _shape(SecretKind.GOOGLE_KEY, "GOCSPX-", r"GOCSPX-(?P<b>[A-Za-z0-9_-]{24,})"),
    _shape(SecretKind.GOOGLE_KEY, "ya29.", r"(?<![A-Za-z0-9])ya29\.(?P<b>[A-Za-z0-9_.-]{20,})"),
    _shape(SecretKind.GOOGLE_KEY, "1//", r"(?<![A-Za-z0-9/])1//0[A-Za-z0-9](?P<b>[A-Za-z0-9_-]{30,})", _drawn),
    _shape(
        SecretKind.SLACK_TOKEN,
        "xox|XOX|xapp-",
        r"(?i)(?<![A-Za-z0-9])(?:xox[a-z](?:\.xox[a-z])?|xapp)-(?P<b>[A-Za-z0-9%/+=-]{16,})",
        _has_digit,
    ),
    _shape(
        SecretKind.SLACK_WEBHOOK,
        "hooks.slack",
        r"(?i)hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/(?P<b>[A-Za-z0-9_/+-]{20,})",
    ),
    _shape(SecretKind.TELEGRAM_TOKEN, ":", r"(?<!\d)\d{8,10}:(?P<b>[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])", _drawn),
    _shape(SecretKind.ANTHROPIC_KEY, "sk-ant-", r"(?<![A-Za-z0-9])sk-ant-(?P<b>[A-Za-z0-9_-]{20,})", _has_digit),
    _shape(
        SecretKind.OPENAI_KEY,
        "sk-",
        r"(?<![A-Za-z0-9])sk-(?:proj|svcacct|admin|service|live|test|None|or-v1)-(?P<b>[A-Za-z0-9_-]{20,})",
        _has_digit,
    ),
    _shape(
        SecretKind.OPENAI_KEY,
        "sk-",
        r"(?<![A-Za-z0-9_-])sk-(?!ant-)(?P<b>[A-Za-z0-9]{20,})(?![A-Za-z0-9-])",
        _has_digit,
    ),
    _shape(
        SecretKind.STRIPE_KEY,
        "k_live_|k_test_|k_prod_|whsec_",
        r"(?<![A-Za-z0-9])(?:(?:sk|rk)_(?:live|test|prod)|whsec)_(?P<b>[A-Za-z0-9+/=]{16,})",
    ),
    _shape(SecretKind.NPM_TOKEN, "npm_", r"(?<![A-Za-z0-9])npm_(?P<b>[A-Za-z0-9]{30,})(?![A-Za-z0-9_])", _has_digit),
    _shape(
        SecretKind.NPM_TOKEN, "_auth", r"_auth(?:Token)?\s{0,4}=\s{0,4}[\"']?(?P<b>[A-Za-z0-9+/_=-]{20,})", _has_digit
    ),
    _shape(
        SecretKind.HUGGINGFACE_TOKEN,
        "hf_|api_org_",
        r"(?<![A-Za-z0-9_])(?:hf|api_org)_(?P<b>[A-Za-z0-9]{30,})(?![A-Za-z0-9_])",
    ),
    _shape(
        SecretKind.JWT,
        "eyJ|ewog",
        (
            r"(?<![A-Za-z0-9_-])(?:eyJ|ewog)[A-Za-z0-9_-]{8,}\.(?P<b>[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*(?:\.[A"
            r"-Za-z0-9_-]{8,}){0,2})"
        ),
    ),
    # Providers outside the list: what they hand out is presented as a bearer token.
    _shape(SecretKind.BEARER_TOKEN, "pypi-", r"pypi-(?P<b>AgE[A-Za-z0-9_-]{40,})"),
    _shape(SecretKind.BEARER_TOKEN, "SG.", r"(?<![A-Za-z0-9])SG\.(?P<b>[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64})"),
    _shape(SecretKind.BEARER_TOKEN, "dop_v1_|doo_v1_|dor_v1_", r"do[opr]_v1_(?P<b>[a-f0-9]{64})"),
    _shape(SecretKind.BEARER_TOKEN, "shpat_|shpss_|shpca_|shppa_", r"shp(?:at|ss|ca|pa)_(?P<b>[a-fA-F0-9]{32})"),
    _shape(
        SecretKind.BEARER_TOKEN, "hvs.|hvb.|hvr.", r"(?<![A-Za-z0-9])hv[sbr]\.(?P<b>[A-Za-z0-9_-]{24,})", _has_digit
    ),
    _shape(
        SecretKind.BEARER_TOKEN,
        (
            "dckr_|ATATT|ATCTT|ATBB|lin_api_|ntn_|secret_|figd_|glsa_|glc_|rubygems_|pat-|PMAK-|sntrys_|phc_|"
            "phx_|r8_|gsk_|xai-|pplx-|tvly-|dapi|CFPAT-|key-|sbp_|vercel_|nvapi-|dp.|fly_|FlyV1|FLWSECK|EAAC|"
            "lsv2_|pul-|oy2|tskey-|cio|crates"
        ),
        (
            r"(?<![A-Za-z0-9_])(?:dckr_(?:pat|oat)_|AT[AC]TT3xFf|ATBB|lin_api_|ntn_|secret_|figd_|glsa_|glc_|"
            r"rubygems_|pat-(?:na|eu)\d-|PMAK-|sntrys_|ph[cx]_|r8_|gsk_|xai-|pplx-|tvly-(?:dev-|prod-)?|dapi|"
            r"CFPAT-|key-|sbp_|nvapi-|dp\.(?:pt|st|sa|ct)\.|fo1_|fm[12][ar]?_|FLWSECK(?:_TEST)?-|"
            r"EAACEdEose0cBA|lsv2_(?:pt|sk)_|pul-|oy2|tskey-[a-z]+-|cio)(?P<b>[A-Za-z0-9_=+/.-]{28,})"
        ),
        _drawn,
    ),
    _shape(SecretKind.BEARER_TOKEN, "SK", r"(?<![A-Za-z0-9])SK(?P<b>[a-f0-9]{32})(?![A-Za-z0-9])", _drawn),
    _shape(SecretKind.BEARER_TOKEN, "-us", r"(?<![A-Za-z0-9])(?P<b>[a-f0-9]{32})-us\d{1,2}(?!\d)", _drawn),
    _shape(
        SecretKind.BEARER_TOKEN, "sq0", r"(?<![A-Za-z0-9])sq0(?:atp|csp|idp)-(?P<b>[A-Za-z0-9_-]{22,43})", _has_digit
    ),
    _shape(
        SecretKind.BEARER_TOKEN,
        ".",
        r"(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.(?P<b>[A-Za-z0-9_-]{27,38})(?![A-Za-z0-9_-])",
        _drawn,
    ),
    _shape(
        SecretKind.BEARER_TOKEN,
        "AccountKey|SharedAccess|sig=",
        r"(?:AccountKey|SharedAccessKey|SharedAccessSignature|[?&]sig)=(?P<b>[A-Za-z0-9+/%]{36,}(?:=|%3[dD]){0,2})",
        _has_digit,
    ),
    _shape(SecretKind.PRIVATE_KEY, "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1(?P<b>[0-9A-Z]{50,})"),
    _shape(
        SecretKind.URL_CREDENTIALS,
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/\d{15,}/(?P<b>[A-Za-z0-9_-]{50,})",
    ),
    _shape(
        SecretKind.URL_CREDENTIALS,
        "webhook.office.com|logic.azure.com",
        r"(?:webhook\.office\.com/webhookb2/|logic\.azure\.com\S{0,200}?[?&]sig=)(?P<b>[A-Za-z0-9@/_-]{36,})",
    ),
)
