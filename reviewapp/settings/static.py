"""Static files: no build step. `up` collects them once per change; hashed and compressed names unless DEBUG."""

from __future__ import annotations

from reviewapp.settings.env import BASE_DIR, DATA_DIR, DEBUG

__all__ = ["STATICFILES_DIRS", "STATIC_ROOT", "STATIC_URL", "STORAGES", "WHITENOISE_USE_FINDERS"]

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"
HASHED = "reviewapp.staticfiles.ForgivingManifestStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": PLAIN if DEBUG else HASHED},
}
# Files that were not collected (runserver, a forgotten collectstatic) are served from where they lie.
WHITENOISE_USE_FINDERS = True
