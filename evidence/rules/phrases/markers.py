"""Text that poses as another speaker: turns of a conversation, headings of a system, closings of the data that it stands in.

Talk about roles and labels ("the label reads [SYSTEM]") is none; a mark counts with what it then says.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = GROUPS | {
    "boss": r"admin(?:istrator)?|system|developer|root|override|superuser|hidden|assistant|ai",
    "part": r"(?:[ _](?:note|message|instructions?|prompt|command|directive|override|notice|mode|alert|update|hint))?",
    "order": (
        r"clear (?:all|your)|ignore|disregard|execute|override|you (?:are|must|will|may|can|have|should|now)|new "
        r"(?:instructions?|task|rules|directives?|role|prompt)|output|reveal|enter|grant|from now|forget|respond|"
        r"reply|answer|the (?:following|prior|previous|above) (?:user|task|instructions?|request|text)|(?:this |"
        r"the )?user (?:has|is)|activate|delete (?:all|every)|approve (?:all|every|this)|do whatever|repeat|all "
        r"(?:previous|prior|restrictions|rules)|bypass|append|summari[sz]e this|print"
    ),
}

POSES: Phrase = phrases(
    "poses as another speaker",
    (
        (
            r"[\[{<(]{1,2} ?(?:{boss}|instructions?|security|operator|priority){part} ?[\]}>)]{1,2}:? ?(?:{order}|"
            r"enable|disable|switch|stop|call|send)\b"
        ),
        (
            r"[\[{<(][\w ]{0,20}(?:hidden|secret|covert|invisible)[ _](?:instructions?|commands?|prompts?|directives?|"
            r"notes?)\b"
        ),
        r"(?:^|\n)[ \t>*#-]{0,6}(?:{boss}){part} ?: ?(?:please |all agents (?:must|should) )?(?:{order})\b",
        (
            r"(?:^|\n|[.!?\])}>\"'-] ?)(?:assistant|ai|chatgpt|bot|model) ?: ?(?:sure|of course|certainly|okay|ok|yes|"
            r"absolutely|understood|i will|i'll|here (?:is|are)|as you wish|great)\b"
        ),
        r"(?:^|\n)[ \t{}>*#-]{0,6}(?:assistant|ai|bot|model) ?: ?[\[<{][^\]>}\n]{0,60}[\]>}]",
        r"\b(?:sure|certainly|absolutely|of course)[,!] here (?:is|are|'s)\b(?=[^\n]{0,60}['\":]|[^\n]{0,30}$)",
        (
            r"</(?:untrusted\w*|documents?|contexts?|data|input|user_?(?:input|query|message)?|content|text|e?mail|"
            r"query|retrieved\w*|results?|search\w*|page|message|chunk|"
            r"passage)>\s{0,8}(?:</[^<>\n]{1,30}>\s{0,8}){0,4}(?:<?/?system|assistant|developer|new (?:task|"
            r"instructions?)|important|now|ignore|instructions?|you)\b"
        ),
        (
            r"[\"']instructions?[\"']\s{0,3}:\s{0,3}[\"'](?:ignore|disregard|forget|you (?:are|must|will)|return all|"
            r"reveal|always|never|send|bypass)\b"
        ),
        (
            r"</(?:untrusted\w*|documents?|contexts?|data|input|content|text|query|results?)>\s{0,4}(?:human|user) ?: "
            r"?(?:forget|ignore|disregard|now|stop|print|you|instead)\b"
        ),
        (
            r"[\"']role[\"']\s{0,3}:\s{0,3}[\"'](?:system|"
            r"developer)[\"']\s{0,3},\s{0,3}[\"']content[\"']\s{0,3}:\s{0,3}[\"'][^\"'\n]{0,200}\b(?:you|ignore|"
            r"unrestricted|must|always|never|disregard|no (?:rules|restrictions|limits))\b"
        ),
        (
            r"[-=*#<>\[]{2,} ?(?:begin|start|end|end of|start of) (?:of )?(?:the )?(?:new |secret |hidden |real |"
            r"admin )?(?:system |user |developer |assistant )?(?:prompt|instructions?|context|session|document|input|"
            r"conversation|message|data|query|text)s? ?[-=*#<>\])}:]{1,}"
        ),
        r"\bsystem chain of thought\b|\b(?:chain of thought|analysis|reasoning) result\b[^\n]{0,60}[:\"']",
        (
            r"\b(?:invisible|hidden) to humans\b|\bvisible (?:only )?to (?:the )?(?:llm|ai|model|language model|"
            r"assistant)s?\b|\bwhite[- ]text (?:metadata|note)\b"
        ),
        (
            r"\bfor (?:ai|llm|automated|machine|language model)s? ?(?:coding |screening |reading |review |ranking "
            r")?(?:agents?|assistants?|systems?|models?|readers?|tools?|crawlers?)?(?: only| eyes only)?\)? ?: "
            r"?(?=\w)"
        ),
        (
            r"\b(?:combine|concatenate|join|merge|assemble) (?:this|these|it|them) with the (?:next|following|other|"
            r"previous) (?:chunks?|parts?|messages?|fragments?|sections?)\b|\bassemble the full (?:instruction|prompt|"
            r"command|message)\b"
        ),
        r"\[\[ ?(?:system|admin|developer|assistant|root)\b|\{\{[#/~>] ?(?:system|assistant|role)\b",
        r"#{2,} ?(?:response|output|answer|assistant)s? ?: ?(?:sure|yes|ok(?:ay)?|of course|certainly)\b",
        r"\b(?:begin|start|open) (?:admin|root|developer|sudo|god) (?:session|mode|shell|access)\b",
        r"\bjust (?:print|output|say|respond with|reply with) ?:",
    ),
    _GROUPS,
)
