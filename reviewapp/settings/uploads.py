"""Files that people send for an import: where they lie until it is over, and how big one may be."""

from __future__ import annotations

from reviewapp.settings.env import DATA_DIR, number

__all__ = ["FILE_UPLOAD_HANDLERS", "IMPORT_FOLDER", "IMPORT_UPLOAD_MAX"]

IMPORT_FOLDER = str(DATA_DIR / "imports")
IMPORT_UPLOAD_MAX: int = number("IMPORT_UPLOAD_MIB", 512) * 1024 * 1024

# The first one stops what is too big, or what nobody asked for, before it lies anywhere.
FILE_UPLOAD_HANDLERS = [
    "evidence.web.upload_limit.Limited",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
