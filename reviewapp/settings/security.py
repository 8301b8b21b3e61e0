"""Cookies, TLS, sizes. The Content-Security-Policy and its kin are set in `evidence.web.middleware`.

HTTPS=1 says that people reach the desk through TLS; without it a cookie marked Secure would lock everybody out of a laptop.
"""

from __future__ import annotations

from reviewapp.settings.env import env, number

__all__ = [
    "CSRF_COOKIE_HTTPONLY",
    "CSRF_COOKIE_SAMESITE",
    "CSRF_COOKIE_SECURE",
    "CSRF_FAILURE_VIEW",
    "CSRF_TRUSTED_ORIGINS",
    "DATA_UPLOAD_MAX_MEMORY_SIZE",
    "DATA_UPLOAD_MAX_NUMBER_FIELDS",
    "HTTPS",
    "SECURE_CONTENT_TYPE_NOSNIFF",
    "SECURE_CROSS_ORIGIN_OPENER_POLICY",
    "SECURE_HSTS_SECONDS",
    "SECURE_PROXY_SSL_HEADER",
    "SECURE_REDIRECT_EXEMPT",
    "SECURE_REFERRER_POLICY",
    "SECURE_SSL_REDIRECT",
    "SESSION_COOKIE_AGE",
    "SESSION_COOKIE_HTTPONLY",
    "SESSION_COOKIE_SAMESITE",
    "SESSION_COOKIE_SECURE",
    "TRUSTED_PROXIES",
    "X_FRAME_OPTIONS",
]

HTTPS: bool = env.bool("HTTPS", default=False)
# How many proxies in front may be believed about who calls and whether it was TLS.
TRUSTED_PROXIES = number("TRUSTED_PROXIES", 0)

SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "evidence.web.gates.csrf_failure"  # seen beside the action bar, not swapped in for the card
CSRF_COOKIE_HTTPONLY = True  # pages carry the token in their markup; no script needs the cookie
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/"]  # asked by machines that stand behind the TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0

# Uploads for an import stream to disk and do not count here; a bulk of 1,000 items is two fields each.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
