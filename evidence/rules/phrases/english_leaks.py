"""English that wants the model's own text out by a detour: translate it, spell it, complete it, remind me of it.

"The system prompt lives in prompts/system.md" tells where a file is; what counts is asking the model for its own.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = GROUPS | {
    "hidden": (
        r"(?:system|initial|initiali[sz]ation|original|hidden|secret|internal|core|base|developer|starting|first|"
        r"opening|confidential|private|pre|underlying) ?-?(?:prompts?|instructions?|messages?|text|configuration|"
        r"directives?|guidelines|rules|settings|setup|state|programming|context|sentence|parameters)"
    ),
    "ask": (
        r"remind|translat\w+|summari[sz]\w*|repeat\w*|reveal\w*|show\w*|tell\w*|print\w*|output\w*|share|what|"
        r"list|write|give|spell\w*|encod\w+|paste|complete|continue|describe|explain|provide|display|send|"
        r"disclose|expose|leak|dump|recite|quote|copy|letter|reproduce|rephrase|paraphrase|return|respond|reply|"
        r"say|know|see|read|access|extract|guess|hint|define|rhyme|poem|preserving|includ\w+|compile|decode|"
        r"convert|replace|reverse|echo|cite"
    ),
}

LEAKS: Phrase = phrases(
    "asks for the model's prompt or secrets",
    (
        (
            r"(?<!never\s)(?<!not\s)\b(?:{ask})\b[^\n]{0,110}?\byour <1>(?:{hidden}|prompt|context window|"
            r"pre-?prompt)\b(?! (?:from|of) the )"
        ),
        (
            r"\byour (?:{hidden}|prompt|instructions)\b[^.!?\n]{0,60}\b(?:word for word|verbatim|letter by letter|in "
            r"full|exactly|base64|backwards?|first letter|spell|translate|french|german|spanish|poem|rap|haiku|json|"
            r"code block|as a list|line by line)\b"
        ),
        (
            r"\bwhat (?:does|do|did|is|are|was|were) your (?:{hidden}|prompt|instructions?|guidelines|rules|context "
            r"window)\b"
        ),
        (
            r"\b(?:prompts?|instructions?|rules|(?:system|initial|first) (?:text|message)s?) (?:that )?(?:(?:was|were|"
            r"is|are|have been|has been) )?(?:used|given|provided|fed|supplied|shown|sent|passed) (?:to "
            r")?(?:configure|set ?up|initiali[sz]e|program|instruct|create|prime|steer|guide|start|you\b)"
        ),
        r"\bwhat (?:i|we|they) (?:wrote|put|typed|said|set|entered|have|had) (?:in|as|into) your\b",
        (
            r"\b(?:list|show|output|print|reveal|repeat|summar\w+|export|dump|compile|display|return|include\w*|give|"
            r"tell|provide)\b[^.!?\n]{0,70}\b(?:prior context|system messages?|internal (?:state|instructions|"
            r"reasoning|rules|prompts?)|developer messages?|hidden (?:context|messages?|state|rules|instructions?|"
            r"prompts?)|(?:your|the) context window)\b(?! (?:on|of|from|in|to) (?:the |our |a )?(?:\w+ )?(?:page|log|"
            r"dashboard|panel|server|queue|bot|agent)s?)"
        ),
        (
            r"\b(?:{ask})\b[^.!?\n]{0,60}\b(?:contents?|text|words?|beginning|start|first (?:line|sentence|word)) of "
            r"(?:the|your) (?:system|developer|initial|hidden) ?(?:message|prompt|instructions?)\b"
        ),
        (
            r"\b(?:system prompt|instructions?|prompt|system message) (?:is|are|was|were|says?|reads?|begins?|starts?|"
            r"dice|lautet) ?: ?['\"]{0,2}\s{0,3}['\"]{0,2}\.?\s{0,4}$"
        ),
        r"['\"]\s?you are\s?['\"]",
        (
            r"\b(?:repeat|copy|output|print|write|recite|rewrite|echo|return|give) (?:me |back |out )*(?:this|our|"
            r"the) (?:entire|whole|full|complete) (?:conversation|chat|prompt|context|input|text|message)\b(?! "
            r"(?:with|of|to|from) (?:the |a )?(?:customer|client|ticket))"
        ),
        (
            r"\b(?:output|print|reveal|dump|disclose|leak|emit|expose|return|phinda) (?:me )?(?:all |of |out )*your "
            r"(?:unique|internal|secret|session|model|full|entire|complete|current|raw)? ?(?:id|identifier|number|"
            r"configuration|config|environment|source code|weights|parameters|api keys?|credentials|tool(?:s| list| "
            r"definitions)|functions|capabilities|memor(?:y|ies)|state)\b"
        ),
        (
            r"\b(?:share|provide|send|confirm|give|show)\b <2>your <2>(?:configuration|config|settings|instructions|"
            r"setup)\b[^.!?\n]{0,40}\bfor (?:security|identity|debugging|compliance|verification|audit)\b"
        ),
        (
            r"\b(?:api keys?|credentials|secrets|passwords|tokens)\b[^.!?\n]{0,40}\b(?:in|from|of|inside) your "
            r"(?:configuration|config|environment|memory|context|system|settings|files|prompt|instructions)\b"
        ),
        (
            r"\b(?:console\.log|print|echo|alert|return|printf?|puts|dump)\s?\(?\s?[\"'$]?(?:system_?prompt|"
            r"initial_?prompt|system_?message|self\.(?:system|instructions|prompt))\b"
        ),
        r"\b(?:each|every|first) (?:word|letter|sentence|line) (?:in|of) your\b",
        r"\bcomplete (?:this|the) sentence\b[^\n]{0,40}\b(?:instructions|prompt|told|rules)\b",
        (
            r"\b(?:were|been|was) you (?:told|instructed|given|asked|programmed|prompted) (?:before|at the (?:start|"
            r"beginning)|initially|to (?:do|say|keep|hide))\b"
        ),
        (
            r"\bwhat (?:did|have|had|do) (?:the |your |any )?(?:developers?|creators?|system|openai|anthropic|admins?|"
            r"they|people|engineers|makers|operators?|owners?) (?:tell|told|instruct\w*|say to|said to|ask(?:ed)?|"
            r"give|gave) you\b"
        ),
        (
            r"\b{show} [^.!?\n]{0,50}?\b(?:guidelines|instructions|rules|prompts?|directives|constraints|polic(?:y|"
            r"ies)|messages?|text)\b[^.!?\n]{0,20}\byou (?:follow|have|were|are|received|got|obey|must|operate|use|"
            r"work|started)\b"
        ),
        (
            r"\b(?:display|paste|print|output|dump|reveal|expose) (?:me )?(?:all )?your (?:\w+ )?(?:configuration|"
            r"config|settings|setup|parameters|memory|instructions)\b"
        ),
        (
            r"\bhow (?:were|are|have) you (?:been )?(?:configured|programmed|instructed|prompted|set up|"
            r"initiali[sz]ed)\b"
        ),
        (
            r"\b(?:list|show|enumerate|describe|what|which|name)\b[^.!?\n]{0,40}\b(?:(?:tools?|functions?|plugins?|"
            r"capabilities|apis)\b[^.!?\n]{0,30}\b(?:you (?:have|can|were|are|'ve)|are you) (?:access|been given|call|"
            r"use|available|given)|(?:topics|things|words|subjects)\b[^.!?\n]{0,30}\b(?:you (?:were|are|have been)|"
            r"are you) (?:forbidden|not (?:allowed|supposed|permitted)|prohibited|told|instructed))"
        ),
        r"\baccording to your (?:prompt|instructions|rules|guidelines|programming|system)\b",
        (
            r"\b(?:secret|hidden) (?:word|phrase|code|password|key|flag|passphrase)\b[^.!?\n]{0,60}\b(?:you (?:were|"
            r"are|have|know|must)|your (?:instructions|prompt|memory))\b"
        ),
    ),
    _GROUPS,
)
