"""The admin site: everything is read in it, and what is corrected is corrected by a form with a reason, through a service."""

from evidence.admin import site

__all__ = ["site"]
