"""Apps, middleware, time and language. What has a concern of its own (database, queue, security ...) is in its own module."""

from __future__ import annotations

from reviewapp.settings.env import BASE_DIR, DATA_DIR, DEBUG, env, from_url, secret_key

__all__ = [
    "ALLOWED_HOSTS",
    "APPEND_SLASH",
    "ASGI_APPLICATION",
    "BASE_DIR",
    "CACHES",
    "DATA_DIR",
    "DEBUG",
    "DEFAULT_AUTO_FIELD",
    "DEMO",
    "EMAIL_BACKEND",
    "EMAIL_FILE_PATH",
    "INSTALLED_APPS",
    "LANGUAGES",
    "LANGUAGE_CODE",
    "LOCALE_PATHS",
    "MIDDLEWARE",
    "PUBLIC_URL",
    "ROOT_URLCONF",
    "SECRET_KEY",
    "SILENCED_SYSTEM_CHECKS",
    "TIME_ZONE",
    "USE_I18N",
    "USE_TZ",
    "WSGI_APPLICATION",
]

SECRET_KEY = secret_key(DATA_DIR)
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
DEMO: bool = env.bool("DEMO", default=True)
# The address that mails and exports may name; empty: they give the path only.
PUBLIC_URL: str = env.str("PUBLIC_URL", default="").rstrip("/")

# `evidence` stands before the admin so that its templates win.
INSTALLED_APPS = [
    "evidence",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "template_partials",
    "ninja",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]

# The three of our own stand first: every answer gets the headers and an id, and no path with a NUL reaches the file system.
MIDDLEWARE = [
    "evidence.web.middleware.RequestIdMiddleware",
    "evidence.web.metrics.MetricsMiddleware",
    "evidence.web.middleware.SecurityHeadersMiddleware",
    "evidence.web.middleware.RejectNulMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "evidence.web.language.LanguageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "reviewapp.urls"
WSGI_APPLICATION = "reviewapp.wsgi.application"
ASGI_APPLICATION = "reviewapp.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = True

# English is what stands in the code. The person's own choice comes first, then what the browser asks for, then English.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

# In memory by default: the rate limits are per process then, and losing the broker cannot break a login.
CACHES = {"default": from_url("CACHE_URL", lambda: env.cache("CACHE_URL", default="locmemcache://"))}

# Without EMAIL_URL mails are files in the data folder, and a line of the log says so: nothing is sent, nothing is lost.
EMAIL_BACKEND = "reviewapp.filed_mail.EmailBackend"
EMAIL_FILE_PATH = str(DATA_DIR / "mail")
if env.str("EMAIL_URL", default=""):
    _mail = from_url("EMAIL_URL", lambda: env.email_url("EMAIL_URL"))
    globals().update(_mail)
    __all__ += [name for name in _mail if name not in __all__]

# Subdomains and the browsers' preload list are their owner's decision, not this program's.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
