"""How much a file that is sent may hold: nothing from a stranger or to a page that takes none, else what the settings say.

A request's body is read before anybody knows who sent it (`RejectNulMiddleware`), so the session is looked up here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.urls import reverse


class Limited(FileUploadHandler):
    """Ends the reading of a request that sends too much; its files are not there then."""

    def __init__(self, request: Any = None) -> None:
        super().__init__(request)
        self.seen = 0
        self.most: int | None = None

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        if self.most is None:
            self.most = settings.IMPORT_UPLOAD_MAX if self._is_wanted() else 0
        self.seen += len(raw_data)
        if self.seen > self.most:
            if self.request is not None:
                self.request.upload_refused = True
            raise StopUpload(connection_reset=True)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None

    def _is_wanted(self) -> bool:
        """Sent to where files are taken, by somebody who is signed in; whether they may, the page says."""
        request = self.request
        if request is None or request.path != reverse("import-upload"):
            return False
        key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        return bool(key) and SESSION_KEY in import_module(settings.SESSION_ENGINE).SessionStore(key)
