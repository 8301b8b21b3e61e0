"""Names that a model is to take: written on the text as it is, because a capital is what tells a name from a description.

"You are on call" and "you are the first to know" describe; "You are Omega, an AI that always complies" names.
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "name": (
        r"[\"“'\[*]{0,3}(?!(?:I|A|The|This|If|In|On|At|For|OK)\b)[A-Z][\w-]{1,24}(?:[ "
        r".-][A-Z][\w-]{0,24}){0,3}[\"”'\]*]{0,3}"
    ),
    "you": r"[Yy]ou are|[Yy]ou're|[Yy]ou will be|[Yy]ou shall be|[Yy]ou become|YOU ARE",
}

PERSONAS: tuple[Phrase, ...] = (
    phrases(
        "gives the model a name",
        (
            (
                r"(?:^|[.!?:\n\"“>*] ?|\b(?:now|Now|today|Today) )(?:{you}) (?:now |actually |really |not )?(?:the "
                r"fictional )?{name}(?=[.,;:(!?]|$|\n| (?:which|who|that|and you|and (?:will|must|can|have)|an? |the |"
                r"from now)\b)"
            ),
            r"\b(?:[Nn]ow|NOW) (?:{you}) (?:called |named )?{name}",
            (
                r"\b(?:act|behave|respond|answer|reply|pose|speak|roleplay|role-play|talk|Act|Behave|Respond|Answer|Reply|"
                r"Pose) (?:now )?(?:as|like) (?:the fictional |if you (?:are|were) )?{name}(?=[.,;:!?\"”]|$|\n| (?:would|"
                r"who|which|and|does|from now|an?)\b)"
            ),
            (
                r"\b(?:your|Your|YOUR) name (?:is|will be|shall be|IS) (?:now |from now on )?{name}|\b(?:call yourself|I "
                r"will call you|refer to yourself as) {name}"
            ),
            r"\b(?:{you}|[Aa]s|called|named) {name},? (?:which |that )?(?:stands|standing|short) for\b",
            (
                r"\b(?:called|named|[Aa]s) {name}[^\n]{0,80}\b(?:you (?:will|must|can|have|are)|has no|without|unfilt\w+|"
                r"unrestricted|amoral|unethical|no restrictions)\b"
            ),
        ),
        _GROUPS,
        cased=True,
    ),
    phrases(
        "names a model without restrictions",
        (
            (
                r"\b(?!Chat|Auto|Nano|Mini)[A-Z][A-Za-z]{1,20}GPT\b(?=[^\n]{0,300}\b(?:you|will|responds?|answers?|"
                r"replies|can|never|no|rules)\b)"
            ),
            (
                r"\bDAN\b(?=[^\n]{0,160}\b(?:you|You|respond|answers?|mode|Mode|anything|Anything|act|stay|jailb\w+|"
                r"ChatGPT|rules|restrictions)\b)"
            ),
            (
                r"\b[A-Z]{2,10}[- ]?(?:MODE|Mode)\b(?=[^\n]{0,160}\b(?:you|You|respond|generate|output|Output|policies|"
                r"content|ignoring|enabled)\b)"
            ),
            r"[\U0001f513\U0001f512] ?(?:JAILBR\w+|DAN|CLASSIC|UNLOCKED|UNFILTERED|NORMAL|STANDARD)\b",
            (
                r"\b(?:reply|replies|respond|responds|output|print|say|answer|return|include|emit|echo|Reply|Respond|"
                r"Output|Print|Say|Answer|Return|Include)(?: back)?(?: with| exactly| only| the (?:code|word|token|string|"
                r"phrase|tag)){0,3}:? [\"'“]?(?=[A-Z0-9-]{10})[A-Z]{2,}[A-Z0-9]*(?:-[A-Z0-9]{1,20}){2,6}\b"
            ),
        ),
        _GROUPS,
        cased=True,
    ),
)
