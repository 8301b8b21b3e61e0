"""Links and commands that carry data out: templated or loaded queries, mails with whole lists (contract 12.15).

A link to documentation, a badge, a templated path of an API and an ordinary mail address are none: it takes a place that
asks for the reader's data, or an order to put such data there.
"""

from __future__ import annotations

import re

from evidence.rules.phrases.phrase import Phrase, phrases

_DATA = (
    r"conversations?|chat(?:_?history|s|log)?|histor(?:y|ies)|memor(?:y|ies)|context|"
    r"(?:system_?)?prompts?|secrets?|(?:api_?)?keys?|tokens?|passwords?|passwd|credentials?|cookies?|"
    r"sessions?|transcripts?|messages?|user_?(?:data|info|input|name|email|messages?|prompt|query)|"
    r"personal_?(?:data|info)|data|contents?|response|answer|output|"
    r"env(?:ironment)?(?:_?var(?:iable)?s?)?|dump|leak(?:ed)?|stolen|"
    r"payload|base64|b64|encoded|exfil\w*|summary|document|notes?|emails?|contacts?|files?|results?|"
    r"info(?:rmation)?|pii|knowledge|instructions?"
)
_GROUPS = {
    "send": (
        r"(?:make|issue|perform|fire) (?:an? )?(?:(?:http|https|get|post|web|network|api) )?(?:request|call)|send|"
        r"forward|e-?mail|mail|post|upload|cop(?:y|ies)|share|export|transmit|deliver|submit|push|exfiltrate|leak|"
        r"transfer|report|ship|relay|dump|sync|publish|smuggle|webhook|beacon|pass|sends|forwards|emails|posts|"
        r"uploads|sending|forwarding|posting|uploading"
    ),
    "data": (
        r"(?:customer|client|user|member|contact|subscriber|mailing|employee|payroll|price|patient|supplier|"
        r"partner|account)s?(?:'s?)? ?(?:list|data(?:base)?|records?|details|file|e-?mails?|names|addresses|"
        r"export|table|contacts)s?|contact (?:list|details)|address book|credentials?|passwords?|api ?keys?|"
        r"access (?:keys?|tokens?)|auth tokens?|(?:ssh|private|secret|encryption) keys?|secrets|session "
        r"(?:cookies?|tokens?)|cookies|(?:conversation|chat|message|browsing|search|command) ?(?:history|logs?|"
        r"transcripts?)|(?:full |entire |whole |this |the |all |our )?conversations?|transcripts?|chat ?logs?|"
        r"(?:all |your |stored |saved |agent )(?:memor(?:y|ies)|notes|context|knowledge|files|documents|e-?mails|"
        r"data|messages)|memory (?:store|dump|contents)|system prompt|environment variables?|env(?:ironment)? "
        r"(?:file|vars?)|\.env(?: file)?|id_rsa|(?:my|the user's|users?'|their|his|her|your) data|(?:all |the |"
        r"full |entire |retrieved |prior )+context|list of (?:all |our |the )*(?:customers|users|clients|"
        r"employees|contacts|members|passwords|keys|suppliers)|database (?:dump|backup|export|contents|"
        r"credentials)|raw (?:database|data)|personal (?:data|information|details)|private (?:data|information|"
        r"messages|keys?|files)|pii|source code|credit card|card numbers?|payment details|bank details|"
        r"confidential (?:data|information|files|documents|report)|sensitive (?:data|information|files)|internal "
        r"(?:documents|data|files|notes|e-?mails)|everything (?:you (?:know|have|remember|see)|in (?:your|the) "
        r"(?:memory|context))"
    ),
    "place": (
        r"(?:https?://|www\.|ftp://|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+|(?:attacker|external|remote|my|"
        r"their|our) (?:server|endpoint|webhook|site|url|address|account)|webhook|the (?:url|link|address|"
        r"endpoint|server) below|this (?:url|link|address|endpoint|server|email|webhook))"
    ),
}

# The value of a query (or a path, or the host) that is a place to fill in.
_TEMPLATE = (
    r"(?:\{\{[^{}\n]{1,80}\}\}|\$\{[^{}\n]{1,80}\}|\{[a-z_ .-]{2,60}\}|%7b[^&\s]{1,80}?%7d|<[a-z_ .-]{2,60}>|"
    r"\[[a-z_ .'-]{2,80}\]|\$\([^()\n]{1,120}\)|`[^`\n]{1,120}`|%s|\$[a-z_]{2,40}|<<[^<>\n]{1,60}>>)"
)
_DATA_TEMPLATE = (
    rf"(?:\{{\{{|\$\{{|\{{|%7b(?:%7b)?|<|\[|\$\(|`|\$|"
    rf"<<)[^\s{{}}<>\[\]`&]{{0,40}}?\b(?:[a-z]{{2,20}}_)?(?:{_DATA})(?![a-z])"
)

IMAGE = re.compile(
    r"!\[[^\]\n]{0,200}\]\(\s?<?((?:https?:)?//[^\s)>]{1,2000})|"
    r"<img\s[^>]{0,300}?src\s?=\s?[\"']?((?:https?:)?//[^\s\"'>]{1,2000})|"
    r"!\[[^\]\n]{0,200}\]\(\s?((?:https?:)?//[^)\n]{1,2000})\)"
)
URL = re.compile(r"(?:https?|ftp|wss?)://[^\s\"'<>|\\^]{4,2000}|(?:https?|ftp|wss?)://[^\s\"'|\\^]{4,600}")
TEMPLATED_QUERY = re.compile(
    rf"[?&#;/][\w.\[\]-]{{0,40}}=?{_TEMPLATE}|[?&][\w.-]{{1,40}}=(?:\.\.\.|data|secret|payload|leak)$"
)
DATA_QUERY = re.compile(
    rf"[?&#][\w.\[\]-]{{1,40}}={_DATA_TEMPLATE}"
    r"|[?&](?:data|payload|secret|conversation|context|chat|history|msg|leak|exfil|stolen|info|prompt|memory|dump|contents?|text|c|d|m|"
    r"body|out|log|cookie|x)=$"
    rf"|[?&][\w.-]{{1,40}}=(?:[a-z]{{2,20}}_)?(?:{_DATA})(?:_here|_text)?$"
)
DATA_HOST = re.compile(rf"^(?:https?|ftp|wss?)://[^/?#\s]{{0,60}}?(?:{_DATA_TEMPLATE}|\$\(|`[a-z$])")
DATA_PATH = re.compile(
    r"/(?:\{\{|\$\{|\[|<)(?:the |user'?s? |full |your )?(?:conversation|chat|history|secret|password|"
    r"credential|api_?key|token|prompt|memory|memories|user_?data|context|env)\w*"
)
QUERY_VALUE = re.compile(r"[?&#][\w.\[\]-]{1,40}=([A-Za-z0-9+/_=%.-]{16,2000})")

LINKS: tuple[Phrase, ...] = (
    phrases(
        "an image or a link that runs a script",
        (
            r"<img\b[^<>]{0,200}\bonerror\s?=",
            r"\]\(\s?(?:javascript|vbscript|data:text/html)",
            r"<script\b[^<>]{0,100}>[^<]{0,300}(?:fetch\(|document\.|xmlhttp|alert\(|window\.)",
            r"\bconsole\.log\(['\"]?placeholder\b",
        ),
    ),
    phrases(
        "asks to send whole lists or secrets to an address",
        (
            (
                r"\b(?:bcc|cc) (?:all |every |any |each )<3>(?:replies|mails?|e-?mails?|messages?|answers?|invoices?|"
                r"conversations?) to [\w.+-]{1,64}@"
            ),
            (
                r"\b(?:rassemble|envoie|envoyez|transmets|transfere|send[ea]n?|schicke?|sende|uberweise|envia|enviar|"
                r"manda|invia|inoltra|envie|verzend|stuur|posalji|wyslij|gonder)[rzn]?\b[^.!?\n]{0,120}\b(?:donnees|"
                r"kundendaten|daten|passwort\w*|datos|contrasenas?|dati|password|dados|senhas?|gegevens|wachtwoord\w*|"
                r"podatke|lozink\w+|dane|hasla|verileri|sifre\w*|clients?|clientes|clienti|mots? de "
                r"passe)\b[^!?\n]{0,80}(?:https?://|[\w.+-]{1,64}@[\w-]{1,63}\.)"
            ),
        ),
    ),
    phrases(
        "asks to send whole lists or secrets to an address",
        (
            (
                r"\b{send}\b[^.!?\n]{0,140}?\b{data}\b[^!?\n]{0,100}?\b(?:to|at|via|into|through|"
                r"with)\b[^!?\n]{0,40}?{place}"
            ),
            (
                r"\b{send}\b[^!?\n]{0,140}?{place}[^!?\n]{0,60}?\b(?:with|including|containing|attach\w*|together with|"
                r"along with|and|plus)\b[^.!?\n]{0,60}?\b{data}\b"
            ),
            (
                r"\b{send}\b[^!?\n]{0,80}?{place}[^!?\n]{0,60}?\b(?:full|entire|complete|whole) (?:\w+ ){0,3}(?:list|"
                r"database|history|log|export|dump|record)s?\b"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks to put data into a link",
        (
            (
                r"\b(?:append|include|add|insert|put|embed|encode|place|concatenat\w*|attach|replac\w*|fill|substitut\w*|"
                r"pass)\b[^.!?\n]{0,120}?\b(?:{data}|user's (?:name|email|question|query|input|data|message)s?|previous "
                r"messages?|last message|answer|first name)\b[^.!?\n]{0,80}?\b(?:to|in|into|as|at|after|with|"
                r"on)\b[^.!?\n]{0,40}?\b(?:url|link|query|query string|(?:query |url |get )?param(?:eter)?s?|image (?:url|"
                r"link|tag|source)|markdown (?:image|link)|subdomain|hostname|dns|tracking pixel)\b"
            ),
            (
                r"\b(?:render|display|show|load|fetch|visit|open|request|click|include|insert|output|return|print|"
                r"navigate to|browse to|get|ping|curl)\b[^.!?\n]{0,60}?\b(?:image|markdown|link|url|pixel|page|site|"
                r"https?)\b[^!?\n]{0,140}?\b(?:where|replac\w+|substitut\w+|with|contain\w+|append\w*|followed by|"
                r"encod\w+)\b[^!?\n]{0,60}?\b(?:{data}|user's (?:name|email|question|query|input|data|message)s?|base64 "
                r"?encoded)\b"
            ),
            (
                r"\b(?:where|replace|substitute) [\[({<\"']?[a-z_]{2,30}[\])}>\"']? (?:is|with|by) (?:the |a |an )?(?:url "
                r"?|base64 ?|percent ?|hex ?)?-?(?:encoded|encoding|base64)\b[^.!?\n]{0,80}"
            ),
        ),
        _GROUPS,
    ),
    phrases(
        "asks to put data into a link",
        (
            r"(?:^|[.!?\n;:] ?|\b(?:please|then|and|now) )exfiltrat(?:e|ing) (?:the|all|your|this|every|any)\b",
            (
                r"\b(?:put|write|place|copy|encode|embed|hide|paste|smuggle|pack) [^.!?,\n]{0,60}\b(?:cookie|token|"
                r"password|secret|key|conversation|history|notes?|answer|e-?mail|name|memory|context|"
                r"data)s?\b[^.!?,\n]{0,40}\b(?:into|in|as|inside|within|to) [^.!?\n]{0,20}\b(?:query string|url|subdomain|"
                r"path of|dns|image (?:url|address|link|source)|query parameter|next image|link)\b"
            ),
            (
                r"\b(?:dns|dns lookup|subdomain|hostname)\b[^.!?\n]{0,30}<[a-z_ ]{2,30}>\.|\bbuild a (?:link|"
                r"url)\b[^.!?\n]{0,60}\b(?:base64|answer|conversation|secret|notes|memory|encoded)\b"
            ),
            (
                r"\b(?:image|pixel|picture|img)\b[^!?\n]{0,30}https?://[^\s?]{1,200}\?\w{1,20}=[^.!\n]{0,20}\b(?:plus|"
                r"followed by|and then|\+|with) (?:the |your |his |her )*(?:users?'?s?|e-?mail|name|conversation|data|"
                r"answer|secret)"
            ),
        ),
    ),
    phrases(
        "a command that uploads local secrets",
        (
            (
                r"\b(?:curl|wget|http)\b[^\n]{0,200}?(?:@(?:~|/|\.|\$home)[\w./~-]{0,80}|\$\((?:cat|env|printenv|whoami|"
                r"id|base64|tar|ls)\b|`(?:cat|env|printenv|whoami|base64)\b|--post-file|<\s?(?:~|/etc)|"
                r"\$(?:\{)?(?:[a-z_]*(?:secret|token|key|password))\b)[^\n]{0,200}"
            ),
            (
                r"\b(?:cat|env|printenv|tar|mysqldump|pg_dump|base64|history|grep)\b[^\n|]{0,100}\|[^\n]{0,80}\b(?:curl|"
                r"wget|nc|ncat|socat)\b[^\n]{0,80}(?:https?://|\d{1,3}\.\d{1,3}|\b[\w-]+\.[a-z]{2,})"
            ),
            (
                r"\b(?:fetch|xmlhttprequest|sendbeacon|new image\(\)\.src|location(?:\.href)?|axios\.\w+|requests\.(?:get|"
                r"post))\b[^\n]{0,120}\b(?:document\.cookie|localstorage|sessionstorage|os\.environ|process\.env)\b"
            ),
            (
                r"\b(?:nslookup|dig|ping|host) [^\n]{0,40}(?:\$\(|`(?:cat|env|whoami|base64|hostname|id|"
                r"printenv)\b)[^\n]{1,100}"
            ),
        ),
    ),
)
