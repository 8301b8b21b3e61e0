"""All settings of the project: one module per concern, joined here. Nothing but the environment is read."""

from reviewapp.settings.base import *
from reviewapp.settings.database import *
from reviewapp.settings.queue import *
from reviewapp.settings.security import *
from reviewapp.settings.auth import *
from reviewapp.settings.telling import *
from reviewapp.settings.auditing import *
from reviewapp.settings.doors import *
from reviewapp.settings.logging import *
from reviewapp.settings.templates import *
from reviewapp.settings.static import *
from reviewapp.settings.uploads import *
