"""Orders to a runtime in plain words: call this tool with that address, fetch and run, hand out the files that hold secrets.

"The agent calls send_invoice after the customer has confirmed" describes; "use send_email to send this to ..." orders.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = GROUPS | {
    "tool": (
        r"[`\"']?(?:(?:send|delete|remove|transfer|post|upload|exec|execute|shell|http|email|forward|drop|wipe|"
        r"purge|run|write|read|export|grant|disable|update|create|approve|pay)_[a-z_]{2,30}|[a-z]{2,20}_(?:email|"
        r"mail|payment|request|shell|command|post|transfer|message|funds|money|sms))[`\"']?"
    ),
    "place": r"[\w.+-]{1,64}@[\w-]{1,63}\.|https?://|url ?=|(?:to|on|for|at) [`\"']?(?:~|\.{0,2})/[\w.~-]",
}

TOOL_ORDERS: Phrase = phrases(
    "orders a tool to be called",
    (
        (
            r"{start}(?:call|use|invoke|run|execute|trigger) (?:the |your )?{tool}(?: tool| function)? (?:on|to|with|"
            r"at|for|and|url)\b[^!?\n]{0,160}?(?:{place})"
        ),
        (
            r"\b(?:call|use|invoke|run|execute|trigger) (?:the |your )?{tool}(?: tool| function)? (?:on|with|for) "
            r"(?:all|every|each|any|id|\*)\b"
        ),
        (
            r"\b(?:call|use|invoke|run|execute|trigger) (?:the |your )?{tool}[^.!?\n]{0,80}\b(?:api key|password|"
            r"credentials|secrets?|(?:auth|access|session) token|conversation|chat history|bank details|contents? of "
            r"(?:your|the) (?:memory|context|prompt))\b"
        ),
        r"\b(?:call|use|invoke|run|execute|trigger) [`\"']?[a-z]{2,20}_[a-z_]{2,30}[`\"']? with \w{1,20} ?[=:]",
        (
            r"\b(?:agent|assistant|model|self|system)\.(?:approve|grant|disable|delete|override|accept|trust|unlock|"
            r"bypass)\w*\s?\(|\b(?:jailbreak|unsafe_mode|unrestricted) ?= ?(?:true|1|on|yes)\b"
        ),
        (
            r"\buse (?:the |your )?(?:shell|terminal|bash|browser|python|code|file|email|mail|search|web|http|"
            r"system)[ _-]?(?:tool|interpreter|plugin|access)? to (?:run|execute|open|fetch|send|delete|read|visit|"
            r"download|upload|post|call)\b[^\n]{0,100}(?:https?://|curl |wget |rm -|/etc/|secret|password|api key|"
            r"cookie|token|conversation)"
        ),
        r"\brm -[rf]{1,2}f? (?:--no-preserve-root )?(?:/|~|\*)(?:\s|$|\*)|--no-preserve-root\b|:\(\)\{ ?:\|:& ?\};:",
        (
            r"\b(?:run|execute) (?:this|the following|these) (?:commands?|script|code)[^.!?\n]{0,20}\b(?:silently|"
            r"secretly|quietly|without (?:asking|telling))\b"
        ),
        (
            r"\b(?:you )?(?:confirmed|agreed|promised) (?:that )?you would (?:call|use|invoke|run|execute|delete|send|"
            r"transfer)\b"
        ),
        r"\b(?:function|tool)[ _]call ?: ?[\"'`]?[a-z]\w{1,40}\s?\(",
        (
            r"(?:^|\n) ?(?:tool|function|action|command|call) ?: ?[\"'`]?(?:delete|drop|send|transfer|exec\w*|shell|"
            r"rm|wipe|grant|disable|approve)\w{0,30}\("
        ),
        (
            r"\b(?:fetch|download|load|retrieve|get|open|visit|read|"
            r"follow)\b[^.!?\n]{0,40}https?://\S{4,200}[^.!?\n]{0,40}\band (?:then )?(?:execute|run|eval\w*|follow|"
            r"obey|apply|do what|carry out|act on)\b"
        ),
        (
            r"\b(?:follow|obey|execute|carry out) (?:the |all |any |its )*(?:instructions|commands|orders|steps) "
            r"(?:at|from|on|in|found (?:at|in|on)) https?://"
        ),
        (
            r"\b(?:retrieve|read|print|cat|show|dump|output|return|send|display|reveal|list|"
            r"exfiltrate)\b[^.!?\n]{0,40}(?:/etc/(?:passwd|shadow)|\bid_rsa\b|\.aws/credentials|\.git-credentials|"
            r"contents? of (?:the |your |my )?(?:\.env|~/\.ssh|secrets? file|password file|environment))"
        ),
        (
            r"\b(?:agents?|assistants?|ai|llm|bots?|models?)\)? ?: ?[^.!?\n]{0,80}\b(?:call|use|invoke|run|execute) "
            r"{tool}"
        ),
        (
            r"\b(?:delete|drop|wipe|erase|destroy|format) (?:all|every|the entire|the whole) (?:of )?(?:the |your |"
            r"our |user |customer |production )*(?:data(?:base)?s?|files?|tables?|records?|memor(?:y|ies)|disks?|"
            r"drives?|backups?|users?|accounts?)\b(?=[^.!?\n]{0,40}(?:\b(?:now|immediately|at once|without|right away|"
            r"silently)\b|!))"
        ),
    ),
    _GROUPS,
)
