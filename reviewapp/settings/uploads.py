"""Files that people send for an import: where they lie, how big one may be; and the stores that decisions go back to."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from reviewapp.settings.env import DATA_DIR, env, number

__all__ = ["FILE_UPLOAD_HANDLERS", "IMPORT_FOLDER", "IMPORT_UPLOAD_MAX", "WRITE_BACK_STORES"]

IMPORT_FOLDER = str(DATA_DIR / "imports")
IMPORT_UPLOAD_MAX: int = number("IMPORT_UPLOAD_MIB", 512) * 1024 * 1024


def _stores(text: str) -> dict[str, tuple[str, str]]:
    """`NAME=FORMAT:PATH`, several with semicolons between: what a page may carry decisions back to."""
    found: dict[str, tuple[str, str]] = {}
    for part in filter(None, (one.strip() for one in text.split(";"))):
        name, equals, rest = part.partition("=")
        form, colon, path = rest.partition(":")
        if not (equals and colon and name.strip() and path.strip()):
            raise ImproperlyConfigured(f"WRITE_BACK_STORES: {part} is not NAME=FORMAT:PATH.")
        found[name.strip()] = (form.strip(), path.strip())
    return found


WRITE_BACK_STORES = _stores(env.str("WRITE_BACK_STORES", default=""))

# The first one stops what is too big, or what nobody asked for, before it lies anywhere.
FILE_UPLOAD_HANDLERS = [
    "evidence.web.upload_limit.Limited",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
