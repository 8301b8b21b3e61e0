"""`manage.py check --deploy` and `makemigrations --check`, as a served desk would have them: TLS in front, strict about warnings.

Run as `python -m tests.checked_settings`, in a data folder that goes away.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

SERVED = {"HTTPS": "1", "ALLOWED_HOSTS": "desk.example", "TRUSTED_PROXIES": "1", "DEBUG": "0"}
COMMANDS = (
    ("check", "--deploy", "--fail-level", "WARNING"),
    ("makemigrations", "--check", "--dry-run", "--no-input"),
    ("migrate", "--verbosity", "0"),
    ("check", "--database", "default"),
)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="evidence-check-") as folder:
        env = os.environ | SERVED | {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "reviewapp.settings"}
        for command in COMMANDS:
            print("manage.py", *command, flush=True)
            status = subprocess.run([sys.executable, "manage.py", *command], env=env, check=False).returncode
            if status:
                return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
