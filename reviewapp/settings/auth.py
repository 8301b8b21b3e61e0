"""Who may come in: user names and passwords, a second factor, no open sign-up. Rate limits are allauth's own, all on."""

from __future__ import annotations

from reviewapp.settings.env import env
from reviewapp.settings.security import HTTPS, TRUSTED_PROXIES

__all__ = [
    "ACCOUNT_DEFAULT_HTTP_PROTOCOL",
    "ACCOUNT_EMAIL_VERIFICATION",
    "ACCOUNT_LOGIN_METHODS",
    "ACCOUNT_LOGOUT_ON_GET",
    "ACCOUNT_SESSION_REMEMBER",
    "ACCOUNT_SIGNUP_ENABLED",
    "ACCOUNT_SIGNUP_FIELDS",
    "ALLAUTH_TRUSTED_PROXY_COUNT",
    "AUTHENTICATION_BACKENDS",
    "AUTH_PASSWORD_VALIDATORS",
    "AUTH_USER_MODEL",
    "LOGIN_REDIRECT_URL",
    "LOGIN_URL",
    "LOGOUT_REDIRECT_URL",
    "MFA_SUPPORTED_TYPES",
    "MFA_TOTP_ISSUER",
]

AUTH_USER_MODEL = "evidence.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "account_login"

# An account decides nothing until an administrator gives it a membership, yet strangers have no business here.
ACCOUNT_SIGNUP_ENABLED: bool = env.bool("OPEN_SIGNUP", default=False)
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional" if env.str("EMAIL_URL", default="") else "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False  # a GET never changes state
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES

MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Evidence Desk"
