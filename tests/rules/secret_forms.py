"""The forms in which a secret stands in a command, a file or a table; `{}` is its value, drawn when a test runs.

With the assignments and the tokens of `fake_secrets` they are what `bench.judge_secrets` makes its fakes from.
"""

from __future__ import annotations

import base64
import json
import string
from collections.abc import Callable
from typing import Final
from urllib.parse import quote

from tests.rules.fake_secrets import ALNUM, HEX, URL_SAFE, Fakes

_PW: Final = "PASS" + "WORD"
_KEY_LINE: Final = "PRIV" + "ATE KEY"

COMMANDS: Final[tuple[str, ...]] = (
    "sshpass -p {} ssh svc@host",
    "sshpass -p '{}' ssh svc@host",
    "curl -u svc:{} https://api.harbor.example",
    'curl --user "svc:{}" https://api.harbor.example',
    "curl -usvc:{} https://api.harbor.example",
    "wget --user=svc --password={} https://files.harbor.example",
    "mysql -u root -p{} app",
    "mysqldump -h db -u root -p'{}' app > app.sql",
    "redis-cli -h cache -a {} ping",
    "docker login -u svc -p {} registry.harbor.example",
    "tool --password {}",
    "tool login --token {}",
    'tool --client-secret "{}"',
    "docker run -e DB_" + _PW + "={} image",
    "helm install --set db.password={} chart",
    "kubectl create secret generic db --from-literal=password={}",
    "kubectl create secret generic db --from-literal=dsn={}",
    "echo {} | docker login --password-stdin registry.harbor.example",
    'echo "{}" | sudo -S systemctl restart app',
    "echo svc:{} | chpasswd",
    "setx DB_" + _PW + ' "{}"',
    "set -x DB_" + _PW + " {}",
    "net use z: \\\\srv\\share /user:svc {}",
    "machine git.harbor.example login svc password {}",
    "machine git.harbor.example\n  login svc\n  password {}",
    "default login svc password {}",
    "db.internal:5432:app:svc:{}",
    "*:*:*:postgres:{}",
    "CREATE USER svc WITH " + _PW + " '{}';",
    "ALTER USER svc IDENTIFIED BY '{}';",
    "GRANT ALL ON app.* TO 'svc'@'%' IDENTIFIED BY '{}';",
    "CREATE ROLE svc LOGIN ENCRYPTED " + _PW + " '{}'",
    "$pw = ConvertTo-SecureString '{}' -AsPlainText -Force",
    "WIFI:T:WPA;S:lantern;P:{};;",
    "login: svc / {}",
    "Zugangsdaten: svc / {}",
    "snmp-server community {} RO",
)

FILES: Final[tuple[str, ...]] = (
    '[{"name": "DB_' + _PW + '", "value": "{}"}]',
    "- name: DB_" + _PW + "\n  value: {}",
    '- name: DB_API_KEY\n  value: "{}"',
    '<add key="ApiKey" value="{}"/>',
    'variable "db_password" {\n  default = "{}"\n}',
    '{"password": {"value": "{}"}}',
    "password: >-\n  {}",
    "passwords:\n  - {}",
    "os.getenv('DB_" + _PW + "', '{}')",
    "const pw = process.env.DB_" + _PW + " || '{}'",
    "${DB_" + _PW + ":-{}}",
    "define('DB_" + _PW + "', '{}');",
    'let api_key: &str = "{}";',
    'const apiKey: string = "{}";',
    '<user name="svc" password="{}"/>',
    "**Password:** {}",
    "**Password**: `{}`",
    "| password | {} |",
    "| user | password |\n|---|---|\n| svc | {} |",
    "user,password\nsvc,{}",
    "user\ttoken\nsvc\t{}",
    "kind: Secret\nstringData:\n  dsn: {}",
    "API key: {}",
    "PW: {}",
    "PIN code and psk={}",
    "密码：{}",
    "şifre: {}",
    "lösenord: {}",
    "heslo: {}",
    "lozinka: {}",
    "hasło: {}",
    "jelszó: {}",
    "비밀번호: {}",
    "סיסמה: {}",
    "mot de passe : {}",
)


def _armour(fakes: Fakes) -> str:
    return fakes.pem("RSA")


def _lines(shape: str) -> Callable[[Fakes], str]:
    return lambda fakes: "\n".join(shape.replace("{}", line) for line in _armour(fakes).splitlines())


KEYS: Final[dict[str, Callable[[Fakes], str]]] = {
    "indented": _lines("      {}"),
    "quoted mail": _lines("> {}"),
    "commented": _lines("# {}"),
    "a diff": _lines("+{}"),
    "a table": _lines("| {} |"),
    "literals": _lines('"{}\\n" +'),
    "escaped": lambda fakes: _armour(fakes).replace("\n", "\\n"),
    "escaped twice": lambda fakes: json.dumps(json.dumps({"key": _armour(fakes)})),
    "carriage returns": lambda fakes: _armour(fakes).replace("\n", "\r\n"),
    "breaks of a page": lambda fakes: _armour(fakes).replace("\n", "<br>"),
    "base64": lambda fakes: base64.b64encode(_armour(fakes).encode()).decode(),
    "an address": lambda fakes: quote(_armour(fakes)),
    "cut short": lambda fakes: "\n".join(_armour(fakes).splitlines()[:-1]),
    "lower case": lambda fakes: _armour(fakes).replace("BEGIN RSA " + _KEY_LINE, "begin rsa " + _KEY_LINE.lower()),
    "a web key": lambda fakes: json.dumps({"kty": "EC", "x": fakes.draw(URL_SAFE, 43), "d": fakes.draw(URL_SAFE, 43)}),
    "a web key, turned": lambda fakes: json.dumps({"d": fakes.draw(URL_SAFE, 43), "kty": "OKP"}),
    "PuTTY": lambda fakes: (
        "PuTTY-User-" + "Key-File-3: ssh-rsa\nEncryption: none\nComment: ops\nPublic-Lines: 6\n"
        + "\n".join(fakes.draw(ALNUM, 64) for _ in range(6)) + "\nPrivate-" + "Lines: 2\n" + fakes.draw(ALNUM, 64)
    ),
}  # fmt: skip
"""A private key in the ways in which one is pasted into a note."""


def _encoded(fakes: Fakes, name: str = "svc") -> str:
    return base64.b64encode(f"{name}:{fakes.password()}".encode()).decode()


WRAPPED: Final[dict[str, Callable[[Fakes], str]]] = {
    "a registry's login": lambda fakes: '{"auths":{"registry.harbor.example":{"auth":"' + _encoded(fakes) + '"}}}',
    "a manifest": lambda fakes: (
        "apiVersion: v1\nkind: Secret\ntype: Opaque\ndata:\n  db: "
        + base64.b64encode(fakes.password().encode()).decode()
    ),
    "a session cookie": lambda fakes: "Cookie: sessionid=" + fakes.draw(ALNUM, 32),
    "a set cookie": lambda fakes: "Set-Cookie: app_session=" + fakes.draw(ALNUM, 40) + "; HttpOnly",
    "a header of git": lambda fakes: "extraheader = AUTHORIZATION: basic " + _encoded(fakes, "x-access-token"),
    "an address with a slash": lambda fakes: f"amqp://svc:{fakes.draw(ALNUM, 6)}/{fakes.draw(ALNUM, 6)}@mq:5672/",
    "a seed of a second factor": lambda fakes: (
        "otpauth://totp/app:svc?sec" + "ret=" + fakes.draw(string.ascii_uppercase + "234567", 32)
    ),
    "a signed address": lambda fakes: "https://x.harbor.example/f?sv=2025&sig=" + fakes.draw(ALNUM, 43) + "%3D",
    "a seed phrase": lambda fakes: (
        "seed phrase: abandon ability harbour lantern pebble willow cobalt orchid thimble ferry maple quay"
    ),
    "a variable in base64": lambda fakes: (
        "blob " + base64.b64encode(("DB_" + _PW + "=" + fakes.password()).encode()).decode()
    ),
    "a tunnel's key": lambda fakes: "Private" + "Key = " + base64.b64encode(fakes.random.randbytes(32)).decode(),
    "an application's id": lambda fakes: (
        "client_sec" + "ret: " + "-".join(fakes.draw(HEX, length) for length in (8, 4, 4, 4, 12))
    ),
}
"""What stands in an encoding or in a place of its own."""
