"""Hashed, compressed static files that still work before anything was collected: an unknown file keeps its plain name."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ForgivingManifestStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """A missing style sheet is a blemish; Django's own storage would answer every page with 500 for it."""

    manifest_strict = False

    def hashed_name(self, name: str, content: object = None, filename: str | None = None) -> str:
        try:
            return str(super().hashed_name(name, content, filename))
        except ValueError:
            if self._new_files is not None:  # while collecting, a style sheet that names a missing file is an error
                raise
            return name
