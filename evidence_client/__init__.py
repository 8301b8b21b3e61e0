"""A small client of the REST door, for programs that file and recall. Needs nothing but Python's own library.

It can be copied out of here: it knows nothing of the desk but its address.
"""

from __future__ import annotations

from evidence_client.answers import Filed, Proposal, Recalled, Record, Result, Source
from evidence_client.client import Desk
from evidence_client.errors import DeskError, Unreachable

__all__ = ["Desk", "DeskError", "Filed", "Proposal", "Recalled", "Record", "Result", "Source", "Unreachable"]
