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
    """`pattern` finds a candidate with its variable part in its only group; `accepts` sorts out masks and words."""

    kind: SecretKind
    cues: tuple[str, ...]
    pattern: re.Pattern[str]
    accepts: Callable[[str], bool] = _filled

    def matches(self, text: str) -> bool:
        if not any(map(text.__contains__, self.cues)):
            return False
        return any(self.accepts(next(filter(None, found.groups()))) for found in self.pattern.finditer(text))


def _shape(kind: SecretKind, cues: str, pattern: str, accepts: Callable[[str], bool] = _filled) -> Shape:
    # A token ends where its alphabet does; it may follow an underscore or a word (`bot` + id in a URL) only where said.
    return Shape(kind, tuple(cues.split("|")), re.compile(pattern), accepts)


# What providers outside the contract's list put before a long drawn value.
_PREFIXES = (
    "dckr_pat_", "dckr_oat_", "ATATT3xFf", "ATCTT3xFf", "ATBB", "lin_api_", "lin_oauth_", "figd_", "glsa_", "glc_",
    "rubygems_", "pat-na", "pat-eu", "PMAK-", "sntrys_", "sntryu_", "phc_", "phx_", "gsk_", "xai-", "pplx-", "tvly-",
    "CFPAT-", "nvapi-", "dp.pt.", "dp.st.", "dp.sa.", "dp.ct.", "fo1_", "fm1_", "fm1r_", "fm1a_", "fm2_", "FLWSECK-",
    "FLWSECK_TEST-", "EAACEdEose0cBA", "lsv2_pt_", "lsv2_sk_", "tskey-auth-", "tskey-api-", "tskey-client-", "nfp_",
    "pscale_tkn_", "pscale_pw_", "pscale_oauth_", "xkeysib-", "xsmtpsib-", "shippo_live_", "shippo_test_", "rdme_", "EZAK",
    "EZTK", "CLOJARS_", "CCIPAT_", "bkua_", "squ_", "sqp_", "sqa_", "pnu_", "tfp_", "rzp_live_", "napi_", "pcsk_",
    "sk-lf-", "sk-helicone-", "KGAT_", "tgp_v1_", "duffel_live_", "duffel_test_", "HRKU-AA", "AQ.Ab", "jina_", "apify_api_",
)  # fmt: skip
_PREFIXED = (
    r"(?<![A-Za-z0-9_])(?:"
    + "|".join(map(re.escape, _PREFIXES))
    + r")(?:[12]-)?([A-Za-z0-9_=+/.-]{20,})(?![A-Za-z0-9])"
)
# Prefixes that words and names have too: the rest must be of one piece.
_SHORT_PREFIXES = (
    "key-", "md-", "fc-", "fw_", "ico-", "cio", "oy2", "secret_", "ntn_", "pul-", "aio_", "r8_", "sgp_", "tk-us-", "dapi",
    "dose", "sbp_", "rnd_", "e2b_", "whk_",
)  # fmt: skip
_SHORT_PREFIXED = (
    r"(?<![A-Za-z0-9_-])(?:" + "|".join(map(re.escape, _SHORT_PREFIXES)) + r")([A-Za-z0-9]{24,})(?![A-Za-z0-9_-])"
)

SHAPES: tuple[Shape, ...] = (
    _shape(SecretKind.GITHUB_TOKEN, "ghp_|gho_|ghu_|ghs_|ghr_", r"(?<![A-Za-z0-9])gh[pousr]_([A-Za-z0-9_]{30,255})"),
    _shape(SecretKind.GITHUB_TOKEN, "github_pat_", r"github_pat_([A-Za-z0-9_]{30,255})"),
    _shape(
        SecretKind.GITLAB_TOKEN,
        "glpat-|gldt-|glrt-|glrtr-|glcbt-|glptt-|glft-|glimt-|glagent-|gloas-|glsoat-|glffct-|glwt-",
        r"(?<![A-Za-z0-9])gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-([A-Za-z0-9_.=-]{20,1024})",
        _has_digit,
    ),
    _shape(SecretKind.GITLAB_TOKEN, "GR1348941", r"GR1348941([A-Za-z0-9_-]{20,50})"),
    _shape(
        SecretKind.AWS_KEY,
        "AKIA|ASIA|ABIA|ACCA|A3T",
        r"(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])([A-Z0-9]{16})(?![A-Za-z0-9])",
    ),
    _shape(SecretKind.AWS_KEY, "ABSK", r"(?<![A-Za-z0-9])ABSK([A-Za-z0-9+/]{100,}={0,2})"),
    _shape(SecretKind.AWS_KEY, "bedrock-api-key-", r"bedrock-api-key-([A-Za-z0-9+/=_-]{40,})"),
    _shape(
        SecretKind.AWS_KEY,
        "aws|AWS|Aws",
        (
            r"(?i:aws).{0,24}?(?i:secret|access).{0,24}?(?i:key)"
            r".{0,12}?[\s\"'=:>]{1,6}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
        ),
        _drawn,
    ),
    _shape(
        SecretKind.AWS_KEY,
        "ccess",
        r"(?i:secret[_-]?access[_-]?key)[\\\"']{0,2}\s{0,4}[:=]\s{0,4}[\\\"']{0,2}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _drawn,
    ),
    _shape(SecretKind.GOOGLE_KEY, "AIza", r"(?<![A-Za-z0-9_-])AIza([A-Za-z0-9_-]{35})(?![A-Za-z0-9])"),
    _shape(SecretKind.GOOGLE_KEY, "GOCSPX-", r"GOCSPX-([A-Za-z0-9_-]{24,})"),
    _shape(SecretKind.GOOGLE_KEY, "ya29.", r"(?<![A-Za-z0-9])ya29\.([A-Za-z0-9_.-]{20,})"),
    _shape(SecretKind.GOOGLE_KEY, "1//", r"(?<![A-Za-z0-9/])1//0[A-Za-z0-9]([A-Za-z0-9_-]{30,})", _drawn),
    _shape(
        SecretKind.SLACK_TOKEN,
        "xox|XOX|xapp-",
        r"(?i)(?<![A-Za-z0-9])(?:xox[a-z](?:\.xox[a-z])?|xapp)-([A-Za-z0-9%/+=-]{16,})",
        _has_digit,
    ),
    _shape(
        SecretKind.SLACK_WEBHOOK,
        "hooks.slack",
        r"(?i)hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]{20,})",
    ),
    _shape(SecretKind.TELEGRAM_TOKEN, ":", r"(?<!\d)\d{8,10}:([A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])", _drawn),
    _shape(SecretKind.ANTHROPIC_KEY, "sk-ant-", r"(?<![A-Za-z0-9])sk-ant-([A-Za-z0-9_-]{20,})", _has_digit),
    _shape(
        SecretKind.OPENAI_KEY,
        "sk-",
        r"(?<![A-Za-z0-9])sk-(?:proj|svcacct|admin|service|live|test|None|or-v1)-([A-Za-z0-9_-]{20,})",
        _has_digit,
    ),
    _shape(
        SecretKind.OPENAI_KEY,
        "sk-",
        r"(?<![A-Za-z0-9_-])sk-(?!ant-)([A-Za-z0-9]{20,})(?![A-Za-z0-9-])",
        _has_digit,
    ),
    _shape(
        SecretKind.STRIPE_KEY,
        "k_live_|k_test_|k_prod_|whsec_",
        r"(?<![A-Za-z0-9])(?:(?:sk|rk)_(?:live|test|prod)|whsec)_([A-Za-z0-9+/=]{16,})",
    ),
    _shape(SecretKind.NPM_TOKEN, "npm_", r"(?<![A-Za-z0-9])npm_([A-Za-z0-9]{30,})(?![A-Za-z0-9_])", _has_digit),
    _shape(SecretKind.NPM_TOKEN, "_auth", r"_auth(?:Token)?\s{0,4}=\s{0,4}[\"']?([A-Za-z0-9+/_=-]{20,})", _has_digit),
    _shape(
        SecretKind.HUGGINGFACE_TOKEN,
        "hf_|api_org_",
        r"(?<![A-Za-z0-9_])(?:hf|api_org)_([A-Za-z0-9]{30,})(?![A-Za-z0-9_])",
    ),
    _shape(
        SecretKind.JWT,
        "eyJ|ewog",
        (
            r"(?<![A-Za-z0-9_-])(?:eyJ|ewog)[A-Za-z0-9_-]{8,}\.([A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*(?:\.[A"
            r"-Za-z0-9_-]{8,}){0,2})"
        ),
    ),
    # Providers outside the list: what they hand out is presented as a bearer token.
    _shape(SecretKind.BEARER_TOKEN, "pypi-", r"pypi-(AgE[A-Za-z0-9_-]{40,})"),
    _shape(SecretKind.BEARER_TOKEN, "SG.", r"(?<![A-Za-z0-9])SG\.([A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64})"),
    _shape(SecretKind.BEARER_TOKEN, "dop_v1_|doo_v1_|dor_v1_", r"do[opr]_v1_([a-f0-9]{64})"),
    _shape(SecretKind.BEARER_TOKEN, "shpat_|shpss_|shpca_|shppa_", r"shp(?:at|ss|ca|pa)_([a-fA-F0-9]{32})"),
    _shape(SecretKind.BEARER_TOKEN, "hvs.|hvb.|hvr.", r"(?<![A-Za-z0-9])hv[sbr]\.([A-Za-z0-9_-]{24,})", _has_digit),
    _shape(SecretKind.BEARER_TOKEN, "|".join(_PREFIXES), _PREFIXED, _drawn),
    _shape(SecretKind.BEARER_TOKEN, "|".join(_SHORT_PREFIXES), _SHORT_PREFIXED, _drawn),
    _shape(
        SecretKind.BEARER_TOKEN,
        "re_",
        r"(?<![A-Za-z0-9_-])re_([A-Za-z0-9]{8}_[A-Za-z0-9]{24})(?![A-Za-z0-9_-])",
        _drawn,
    ),
    _shape(
        SecretKind.BEARER_TOKEN,
        ".atlasv1.|8Q~|dt0c01.|AAAA|access_token$|sk.ey|NRAK-|ops_ey|LTAI|AQVN|AKC",
        (
            r"(?<![A-Za-z0-9_])(?:[A-Za-z0-9]{14}\.atlasv1\.([A-Za-z0-9_-]{60,})"
            r"|[A-Za-z0-9_~.-]{3}8Q~([A-Za-z0-9_~.-]{31,34})"
            r"|dt0c01\.([A-Z0-9]{24}\.[A-Z0-9]{64})"
            r"|AAAA[A-Za-z0-9_-]{7}:([A-Za-z0-9_-]{134,})"
            r"|access_token\$(?:production|sandbox)\$([a-z0-9]{16}\$[a-f0-9]{32})"
            r"|sk\.(eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,})"
            r"|NRAK-([A-Z0-9]{27})|ops_(eyJ[A-Za-z0-9_=-]{100,})"
            r"|LTAI([A-Za-z0-9]{20})|AQVN([A-Za-z0-9_-]{35,38})|AKC[pm]([A-Za-z0-9]{60,}))(?![A-Za-z0-9])"
        ),
        _drawn,
    ),
    _shape(SecretKind.BEARER_TOKEN, "SK", r"(?<![A-Za-z0-9])SK([a-f0-9]{32})(?![A-Za-z0-9])", _drawn),
    _shape(SecretKind.BEARER_TOKEN, "-us", r"(?<![A-Za-z0-9])([a-f0-9]{32})-us\d{1,2}(?!\d)", _drawn),
    _shape(SecretKind.BEARER_TOKEN, "sq0", r"(?<![A-Za-z0-9])sq0(?:atp|csp|idp)-([A-Za-z0-9_-]{22,43})", _has_digit),
    _shape(
        SecretKind.BEARER_TOKEN,
        ".",
        r"(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.([A-Za-z0-9_-]{27,38})(?![A-Za-z0-9_-])",
        _drawn,
    ),
    _shape(
        SecretKind.BEARER_TOKEN,
        "AccountKey|SharedAccess|sig=",
        r"(?:AccountKey|SharedAccessKey|SharedAccessSignature|[?&]sig)=([A-Za-z0-9+/%]{36,}(?:=|%3[dD]){0,2})",
        _has_digit,
    ),
    _shape(SecretKind.BEARER_TOKEN, "EAA", r"(?<![A-Za-z0-9])EAA[A-Z]([A-Za-z0-9]{80,})(?![A-Za-z0-9])", _drawn),
    _shape(SecretKind.PRIVATE_KEY, "nsec1", r"(?<![A-Za-z0-9])nsec1([02-9ac-hj-np-z]{58})(?![A-Za-z0-9])"),
    _shape(SecretKind.PRIVATE_KEY, "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1([0-9A-Z]{50,})"),
    _shape(
        SecretKind.URL_CREDENTIALS,
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/\d{15,}/([A-Za-z0-9_-]{50,})",
    ),
    _shape(
        SecretKind.URL_CREDENTIALS,
        "webhook.office.com|logic.azure.com",
        r"(?:webhook\.office\.com/webhookb2/|logic\.azure\.com\S{0,200}?[?&]sig=)([A-Za-z0-9@/_-]{36,})",
    ),
)
