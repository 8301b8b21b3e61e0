"""Fake credentials, built from parts when a test runs: no file of the project holds anything shaped like one.

Values are drawn from a seeded generator by each provider's documented format.
"""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from functools import partial

LETTERS = string.ascii_letters
ALNUM = LETTERS + string.digits
URL_SAFE = ALNUM + "-_"
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"


class Fakes:
    """Draws fake values; the same seed gives the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def draw(self, alphabet: str, length: int) -> str:
        """Characters of the alphabet, with a letter and a digit among them wherever it has both."""
        while True:
            value = "".join(self.random.choice(alphabet) for _ in range(length))
            if length < 6 or all(
                any(kind(c) for c in value) == any(map(kind, alphabet)) for kind in (str.isdigit, str.isalpha)
            ):
                return value

    def password(self) -> str:
        return self.draw(ALNUM, self.random.randint(12, 24))

    def jwt(self) -> str:
        def part(value: object) -> str:
            return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

        return ".".join(
            (part({"alg": "HS256", "typ": "JWT"}), part({"sub": self.draw(ALNUM, 8)}), self.draw(URL_SAFE, 43))
        )

    def pem(self, name: str = "", newline: str = "\n") -> str:
        body = newline.join(self.draw(ALNUM + "+/", 64) for _ in range(4))
        label = f"{name} " if name else ""
        return newline.join(
            (f"-----BEGIN {label}PRIV" + "ATE KEY-----", body, f"-----END {label}PRIV" + "ATE KEY-----")
        )


def _join(*parts: str) -> str:
    return "".join(parts)


def _gitlab(prefix: str, length: int, fakes: Fakes) -> str:
    return _join("gl", prefix, "-", fakes.draw(URL_SAFE, length))


# kind -> builders of every documented form of it.
PROVIDERS: dict[str, tuple[Callable[[Fakes], str], ...]] = {
    "github_token": (
        lambda f: _join("gh", "p_", f.draw(ALNUM, 36)),
        lambda f: _join("gh", "o_", f.draw(ALNUM, 36)),
        lambda f: _join("gh", "u_", f.draw(ALNUM, 36)),
        lambda f: _join("gh", "s_", f.draw(ALNUM, 36)),
        lambda f: _join("gh", "r_", f.draw(ALNUM, 76)),
        lambda f: _join("github", "_pat_", f.draw(ALNUM, 22), "_", f.draw(ALNUM, 59)),
    ),
    "gitlab_token": tuple(
        partial(_gitlab, prefix, length)
        for prefix, length in (
            ("pat", 20),
            ("dt", 20),
            ("rt", 20),
            ("ptt", 40),
            ("ft", 20),
            ("agent", 50),
            ("oas", 64),
            ("soat", 20),
        )
    ),
    "aws_key": (
        lambda f: _join("AK", "IA", f.draw(UPPER, 16)),
        lambda f: _join("AS", "IA", f.draw(UPPER, 16)),
        lambda f: _join("aws_secret_", "access_key = ", f.draw(ALNUM + "/+", 40)),
    ),
    "google_key": (
        lambda f: _join("AI", "za", f.draw(URL_SAFE, 35)),
        lambda f: _join("GOC", "SPX-", f.draw(URL_SAFE, 28)),
        lambda f: _join("ya", "29.", f.draw(URL_SAFE, 60)),
    ),
    "slack_token": (
        lambda f: _join("xo", "xb-", f.draw(string.digits, 12), "-", f.draw(string.digits, 12), "-", f.draw(ALNUM, 24)),
        lambda f: _join("xo", "xp-", f.draw(string.digits, 12), "-", f.draw(string.digits, 12), "-", f.draw(HEX, 32)),
        lambda f: _join("xa", "pp-1-A", f.draw(UPPER, 10), "-", f.draw(string.digits, 13), "-", f.draw(HEX, 64)),
    ),
    "slack_webhook": (
        lambda f: _join(
            "https://hooks.sl", "ack.com/services/T", f.draw(UPPER, 8), "/B", f.draw(UPPER, 10), "/", f.draw(ALNUM, 24)
        ),
    ),
    "telegram_token": (lambda f: _join(f.draw("123456789", 10), ":AA", f.draw(URL_SAFE, 33)),),
    "openai_key": (
        lambda f: _join("s", "k-", f.draw(ALNUM, 48)),
        lambda f: _join("s", "k-proj-", f.draw(URL_SAFE, 74), "T3Blbk", "FJ", f.draw(URL_SAFE, 74)),
        lambda f: _join("s", "k-svcacct-", f.draw(URL_SAFE, 60)),
    ),
    "anthropic_key": (
        lambda f: _join("s", "k-ant-api03-", f.draw(URL_SAFE, 93), "AA"),
        lambda f: _join("s", "k-ant-admin01-", f.draw(URL_SAFE, 93), "AA"),
    ),
    "stripe_key": (
        lambda f: _join("s", "k_live_", f.draw(ALNUM, 24)),
        lambda f: _join("s", "k_test_", f.draw(ALNUM, 99)),
        lambda f: _join("r", "k_live_", f.draw(ALNUM, 24)),
        lambda f: _join("wh", "sec_", f.draw(ALNUM, 32)),
    ),
    "npm_token": (
        lambda f: _join("np", "m_", f.draw(ALNUM, 36)),
        lambda f: _join(
            "//registry.example/:_auth",
            "Token=",
            f.draw(HEX, 8),
            "-",
            f.draw(HEX, 4),
            "-4",
            f.draw(HEX, 3),
            "-",
            f.draw(HEX, 12),
        ),
    ),
    "huggingface_token": (lambda f: _join("h", "f_", f.draw(LETTERS, 34)),),
    "jwt": (lambda f: f.jwt(),),
    "bearer_token": (
        lambda f: _join("Authorization: Bea", "rer ", f.draw(ALNUM, 40)),
        lambda f: _join("curl -H 'authorization: bea", "rer ", f.draw(HEX, 32), "'"),
        lambda f: _join("Authorization: tok", "en ", f.draw(HEX, 40)),
        lambda f: _join("Authorization: Bas", "ic ", base64.b64encode(f"svc:{f.password()}".encode()).decode()),
        lambda f: _join("py", "pi-AgEIcHlwaS5vcmc", f.draw(URL_SAFE, 80)),
        lambda f: _join("S", "G.", f.draw(URL_SAFE, 22), ".", f.draw(URL_SAFE, 43)),
        lambda f: _join("do", "p_v1_", f.draw(HEX, 64)),
        lambda f: _join("hv", "s.", f.draw(ALNUM, 90)),
        lambda f: _join("sh", "pat_", f.draw(HEX, 32)),
    ),
    "url_credentials": (
        lambda f: _join("postgres://svc:", f.password(), "@db.internal:5432/app"),
        lambda f: _join("https://deploy:", f.password(), "@git.internal/team/app.git"),
        lambda f: _join("redis://:", f.password(), "@cache.internal:6379/0"),
        lambda f: _join("mongodb+srv://app:", f.password(), "@cluster0.example.net/?retryWrites=true"),
        lambda f: _join("amqps://worker:", f.password(), "@mq.internal//"),
        lambda f: _join("ftp://files:", f.draw(LETTERS, 10), "@files.internal"),
    ),
    "private_key": (
        lambda f: f.pem(),
        lambda f: f.pem("RSA"),
        lambda f: f.pem("EC"),
        lambda f: f.pem("OPENSSH"),
        lambda f: f.pem("ENCRYPTED"),
        lambda f: json.dumps({"type": "service_account", "private_key": f.pem()}),
        lambda f: f.pem(newline=" "),
        lambda f: _join(
            "-----BEGIN PGP PRIV", "ATE KEY BLOCK-----\nVersion: 2\n\n", f.draw(ALNUM, 64), "\n", f.draw(ALNUM, 64)
        ),
    ),
}

# Ways to give a value to a variable named like a secret; `{}` is the value.
ASSIGNMENTS: tuple[str, ...] = (
    "DEPLOY_PASSWORD={}",
    "export CLIENT_SECRET='{}'",
    'api_key: "{}"',
    "db.password = {}",
    "spring.datasource.password={}",
    '"access_token": "{}"',
    "'password': '{}'",
    "const apiKey = '{}';",
    "let dbPassword = `{}`;",
    "SECRET_KEY = '{}'",
    "token: {}",
    "password: {}",
    "Passwort: {}",
    "mot_de_passe = {}",
    "contraseña: {}",
    "пароль: {}",
    "<password>{}</password>",
    "client_secret => '{}'",
    "$config['password'] = '{}';",
    "Server=db;User Id=svc;Password={};Encrypt=true",
    "jdbc:postgresql://db/app?user=svc&password={}&ssl=true",
    "X-Api-Key: {}",
    "AUTH_TOKEN={} ./deploy.sh",
    'passphrase := "{}"',
    "ENV API_KEY {}",
    "mysql --password={} -e 'select 1'",
    "https://api.example/v1?api_key={}",
    "RAILS_MASTER_KEY={}",
    "encryption_key: '{}'",
    "The old config had db_password: {}",
    "PGPASSWORD={} psql",
    'token = "{}" # rotate in May',
)

ORDINARY: tuple[str, ...] = (
    "Check the CSRF token before posting the form.",
    "API keys live in the team vault and nowhere else.",
    "The bearer token expires after an hour, so long jobs refresh it halfway.",
    "Bearer authentication is used between the services.",
    "Send it as Authorization: Bearer <token> with every call.",
    "curl -H 'Authorization: Bearer $API_TOKEN' https://api.harbor.example",
    "Authorization: Bearer ${{ secrets.DEPLOY_TOKEN }}",
    "Classic GitHub tokens begin with ghp_ and GitLab ones with glpat-, the scanner looks for both.",
    "A key such as ghp_" + "x" * 36 + " is masked in the logs.",
    "AWS shows keys as AKIA" + "*" * 16 + " after the first day.",
    "The docs use AKIA" + "IOSFODNN7EXAMPLE as a sample.",
    "Files that start with -----BEGIN PRIV" + "ATE KEY----- are refused by the hook.",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
    (
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQG\n-----END "
        "CERTIFICATE-----"
    ),
    "password: <your-password-here>",
    "password: ${DB_PASSWORD}",
    "password: $DB_PASSWORD",
    "password: %DB_PASSWORD%",
    "password: {{ vault_db_password }}",
    "password: changeme",
    "password = 'changeme123'",
    "API_KEY=your-api-key",
    "API_KEY=xxxxxxxxxxxxxxxx",
    "API_KEY=****************",
    "SECRET=REDACTED",
    "token: process.env.GITLAB_TOKEN",
    "token = os.environ['GITLAB_TOKEN']",
    "token = os.getenv('GITLAB_TOKEN')",
    "password = getpass.getpass()",
    "password = settings.DATABASE_PASSWORD",
    "password=request.form['password']",
    "client.login(user=name, password=user_password)",
    "token: op://vault/item/field",
    "secret: arn:aws:secretsmanager:eu-central-1:123456789012:secret:db",
    "secretName: harbor-prod-db",
    "secret_name = harbor-prod-db-2",
    "password_file: /run/secrets/db_password",
    "PASSWORD_FILE=/run/secrets/db_password",
    "token_url = https://login.harbor.example/oauth/token",
    "password_policy: twelve-characters-mixed",
    "password_hash: $2b$12$KIXQ9Zr8fW0uJ5mN3vT7eO",
    "max_tokens: 4096 is enough for summaries.",
    "max_tokens=16384000",
    "num_tokens: 12345678",
    "eos_token: '<|endoftext|>'",
    "next_page_token: CAoQAAabc123xyz789",
    "primary_key: customer_id_2",
    "public_key: ssh-ed25519",
    "cache_key=orders:2026:11:30",
    "idempotency_key: 3f2b8c1e-7a4d-4e7b-9d55-0c1a2b3c4d5e",
    "password: str = Field(min_length=12)",
    "password: Optional[str] = None",
    "def login(user: str, password: SecretStr) -> Token:",
    "secret: bytes, token: string, api_key: undefined",
    "Password: required, at least 12 characters",
    "Passwords: rotated every 90 days",
    "Token: refreshed hourly by the sidecar",
    "Secret: keeping the list short works best.",
    "Access token: expires after 3600 seconds",
    "Password: see the vault entry harbor-prod-db2",
    "API key: 2 per service, rotated in March 2026",
    "The password is written on the safe, ask the shift lead.",
    "Пароль сервисной учётной записи меняется каждые 90 дней.",
    "Das Passwort: bitte beim Teamleiter erfragen",
    "Le mot de passe : demander au responsable",
    "Reverted in 9fceb02d0ae598e95dc970b74767f19372d61af8 after the smoke test failed.",
    "Base image pinned at sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae.",
    "etag: 5d41402abc4b2a76b9719d911017c592",
    "Tenant 3f2b8c1e-7a4d-4e7b-9d55-0c1a2b3c4d5e was moved to the new cluster.",
    "The console answers at http://localhost:8080/health during tests.",
    "Clone from git@git.internal:team/app.git over SSH.",
    "ssh://git@git.internal:2222/team/app.git",
    "https://registry.example/@scope/package and https://host:8443/@admin",
    "postgres://svc:${DB_PASS}@db.internal:5432/app",
    "postgres://<user>:<password>@<host>:5432/<db>",
    "Use postgres://user:password@host/db as the form of the address.",
    "https://user:****@git.internal/team/app.git",
    "redis://localhost:6379/0",
    "Meeting at 10:30, room 4:12, ratio 16:9.",
    "ids 123456789:abc and 2026-11-30T10:15:00+01:00",
    (
        "Icon: data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA"
        "WjR9awAAAABJRU5ErkJggg=="
    ),
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq3X2p0b7n9mQk2rC6m1d8e5Zk0bq8v2Jm1x9yYw3Tn ops@lantern",
    "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "Class names are sk-folding-cube and sk-chasing-dots-animation-wrapper.",
    "import sklearn  # sk-learn in the old requirements",
    "The eyJ prefix marks a JSON header in base64.",
    "secrets.token_urlsafe(32) makes a new one",
    "openssl rand -hex 32 makes the SECRET_KEY",
    "kubectl create secret generic db --from-literal=password=$PASS",
    "AccountKey is read from the environment.",
    "Auth: OAuth2 with PKCE, no client secret.",
    "salt: the import script wants coarse salt",
    "Key: value pairs, one per line",
    "hf_hub_download and npm_config_registry are names.",
    "xoxb tokens are for bots, xoxp tokens for people.",
    "",
)
