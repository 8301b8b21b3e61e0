"""English that declares the model's rules gone instead of asking to ignore them: void, suspended, replaced, lifted.

Rules of a team change too ("the previous rules for overtime no longer apply"); what counts are the model's own, or the
next breath that tells it what to do instead.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = GROUPS | {
    "gone": (
        r"wrong|mistaken|cancel+ed|void(?:ed)?|suspended|revoked|lifted|superseded|overridden|replaced|obsolete|"
        r"nullified|deleted|erased|disabled|deactivated|waived|removed|reset|inactive|(?:switched |turned )?off|"
        r"gone|no more|history|null and void|invalid|irrelevant|fake|a test"
    ),
    "freed": (
        r"restrictions?|limitations?|guidelines|safeguards?|guardrails?|constraints|censorship|(?:content|safety|"
        r"usage|ethics|moderation) (?:polic(?:y|ies)|filters?|rules|measures|protocols|checks|features|settings)"
    ),
    "unset": (
        r"suspend|disable|deactivate|turn off|switch off|remove|drop|lift|clear|delete|erase|wipe|unlearn|abandon|"
        r"discard|cancel|shed|void|break|violate|circumvent|reset"
    ),
    "instead": (
        r"here (?:are|is)|you(?:'re| are| must| will| should| can| now| have)|accept (?:the |these |my )?new|"
        r"respond|reply|answer (?:me|freely|all|any)|obey|follow (?:these|the following|mine|my)|instead"
    ),
}

VOIDS: Phrase = phrases(
    "says that the model's rules no longer hold",
    (
        (
            r"\byour <2>(?:{own}) <1>(?:is|are|was|were|has been|have been|no longer) (?:now |all |hereby |"
            r"temporarily |permanently )*(?:{gone}|appl(?:y|ies)|valid|needed|binding|active|in (?:force|effect))\b"
        ),
        (
            r"\b(?:{prior}|old|existing|current) (?:{told}|tasks?|requests?) <2>(?:is|are|was|were|has been|have "
            r"been) (?:now |all |hereby )*(?:{gone})\b(?=[^\n]{0,80}\b(?:{instead})\b)"
        ),
        (
            r"\b(?:previous|prior|original|above|earlier) (?:task|request|question|assignment) <1>(?:is|was|has been) "
            r"(?:now )?(?:cancel+ed|void|complete|finished|done|over|superseded)\b(?=[^\n]{0,80}\b(?:new task|now|"
            r"instead|reply)\b)"
        ),
        (
            r"\b(?:all |any |every )(?:{freed}) <1>(?:is|are|have been|has been|were|was)? ?(?:now |temporarily |"
            r"hereby |all )*(?:suspended|disabled|lifted|removed|void|off|deactivated|waived|bypassed)(?=[.!]? ?$|"
            r"[.!,;]? ?(?:you|for (?:testing|this|maintenance|debug\w*)|respond|reply|answer|enter))"
        ),
        (
            r"\b(?:maintenance|debug|developer|admin|god|test|diagnostic|unrestricted|verbose/debug|verbose|safe|"
            r"unsafe) mode\b[^\n]{0,50}\b(?:restrictions|filters|safety|limits|guardrails|guidelines|"
            r"safeguards)\b[^.!?\n]{0,30}\b(?:off|lifted|disabled|removed|suspended|gone|ignored|bypassed)\b"
        ),
        (
            r"\b(?<!never\s)(?<!not\s)(?:temporarily |permanently |immediately |please )?(?:{unset}) <2>your "
            r"<2>(?:{own}|{freed})\b"
        ),
        (
            r"{start}(?:temporarily |permanently |immediately |please )?(?:{unset}) (?:all |any |every |the |of |its "
            r")*(?:instructions|restrictions|guidelines|safeguards|guardrails|safety (?:filters?|features|checks|"
            r"rules|protocols)|content (?:filters?|polic(?:y|ies))|ethical \w+)(?=[.!]|$| for this (?:request|session|"
            r"conversation|chat)| and (?:respond|execute|follow|answer|reveal|do|say))"
        ),
        (
            r"\b{drop} (?:the |all |any )?(?:instructions|rules|guidelines)(?= ?[,;:!]| and (?:just|only|instead|then|"
            r"simply|print|say|output)\b)"
        ),
        (
            r"\b{drop} (?:all |everything |anything )?(?:in |of )?(?:the )?(?:rest|remainder|remaining) (?:of "
            r")?(?:this |the )?(?:data|text|document|message|content|page|prompt|input|resume|email|conversation)?,? "
            r"?(?:and|but|instead)? ?(?:just |only |simply |instead )*(?:print|say|output|respond|reply|write|answer|"
            r"repeat|return|display)\b"
        ),
        (
            r"\b{drop} (?:all |any |every )*(?:info(?:rmation)?|content|text|data|input|context|instructions?|other "
            r"\w+) (?:except|but|other than|apart from)\b"
        ),
        (
            r"\b{drop} (?:absolutely )?(?:everything|all|anything|whatever)(?: that (?:was|came|is))? (?:before|prior "
            r"to|until|up to) (?:that|this|it|now|here)\b"
        ),
        r"\b{drop} everything (?:from|about) (?:chat ?gpt|openai|your|the (?:previous|last|chat|system))\b",
        (
            r"\byou (?:do not|don't|no longer|need not|are not|aren't|never) (?:have to |need to |required to |"
            r"obliged to |supposed to )?(?:follow|obey|adhere to|comply with|stick to|respect|observe|care about|"
            r"abide by) (?:any |your |the |all |those |these |openai(?:'s)? |its )*<1>(?:{own}|polic(?:y|ies)|"
            r"terms)\b"
        ),
        (
            r"\b(?:only|exclusively|solely) (?:follow|obey|listen to|adhere to|focus on|pay attention to|consider|"
            r"respond to) (?:this|these|my|me|the following|what follows|the (?:information|text|instructions?) (?:in|"
            r"below|between|that follows))\b|\bfocus (?:exclusively|only|solely) on (?:this|these|the (?:information|"
            r"text|instructions?) (?:in|below|between|inside))\b"
        ),
        (
            r"\b(?:this|my|the following) (?:message|prompt|instruction|request|command)s? (?:has|have|takes?|carries|"
            r"is given) (?:the )?(?:root|admin\w*|highest|absolute|top|system|maximum|ultimate|full)[ -](?:access|"
            r"priority|authority|privileges?|precedence|level)\b"
        ),
        (
            r"\b(?:priority|emergency|root|master|system|developer|safety|security|protocol|policy|guardrail) "
            r"override\b ?[:,-]"
        ),
        r"\b{drop} [^.!?\n]{0,50}\byour <2>(?:{law})\b",
        (
            r"\b{drop} [^.!?\n]{0,60}\b(?:you (?:were|have been|had been|are) (?:ever |just |previously |always "
            r")?(?:told|given|instructed|taught|programmed|trained|asked|ordered|fed)|(?:told|taught|instructed|"
            r"programmed|ordered|asked) you)\b"
        ),
        r"\b{drop} (?:the |any |all )*(?:developer|system|operator) (?:message|prompt|text|note)s?\b",
        (
            r"\b{drop} (?:what|whatever|everything|anything|all)(?: that)? (?:the |this |any )?(?:user|human|person|"
            r"customer) (?:asks?|says?|wants?|requests?|writes?|told|tells|types?)"
        ),
        (
            r"\b(?:erase|wipe|clear|reset|delete|purge|flush|empty|forget) your (?:conversation |chat |message |"
            r"previous |entire |whole |current |internal |working )?(?:memory|memories|context|history|conversation|"
            r"mind|training)\b"
        ),
        (
            r"\b(?:reset|reboot|reprogram|reconfigure|reinitiali[sz]e|unlock|free|liberate|rewrite|jailbreak|unchain) "
            r"yourself\b"
        ),
        (
            r"\b(?:cancel|stop|abort|drop|abandon|pause|quit|end|leave) (?:the |your |this |that )?(?:current |"
            r"present |ongoing |original )?(?:task|translation|summary|summari[sz]ation|summari[sz]ing|translating|"
            r"analysis|conversation|assignment|work) and (?:instead |then |just )?(?:print|say|output|write|respond|"
            r"reply|tell|answer|give|repeat|reveal)\b"
        ),
        (
            r"\bstop (?:being|acting|behaving|pretending to be|playing|working)(?: as| like)? (?:an? |the |my |a "
            r"helpful )?(?:\w+ )?(?:ai|assistant|bot|chatbot|model|helpful)\b"
        ),
        (
            r"\b(?:instructions|rules|guidelines|prompts?|orders|directives) (?:that )?you (?:received|were given|"
            r"have|got|had|know|follow|were told)\b[^.!?\n]{0,40}\b(?:no longer|invalid|void|obsolete|gone|wrong|fake|"
            r"cancel+ed|not (?:valid|apply|count|matter))\b"
        ),
        (
            r"\b(?:everything|all|anything|the (?:text|content|message|prompt|part))(?: written| said| stated)? "
            r"(?:above|before|preceding|prior to)(?: this)?(?: line| point| message)? (?:is|was|are|were) (?:only |"
            r"just |all )?(?:fake|false|void|wrong|invalid|a test|irrelevant|cancel+ed|obsolete|a joke|untrue|a "
            r"decoy)\b"
        ),
        (
            r"\b(?:prior|previous|earlier|above|all) (?:context|conversation|messages?|turns?|text|instructions?) "
            r"(?:is|are|must|should|has|have|needs?) (?:now )?(?:to )?(?:be )?(?:discarded|ignored|forgotten|dropped|"
            r"disregarded|erased|cleared)(?=[.!;,]|$| and\b| now\b)"
        ),
        (
            r"\bopposite of (?:what|everything|anything|whatever) (?:you (?:were|have been|are)|the (?:system|"
            r"developer)|your)\b|\bopposite of your <1>(?:{law})\b"
        ),
        (
            r"\bthere are no (?:more |longer )?(?:rules|limits|restrictions|guidelines|filters|boundaries|taboos)(?: "
            r"any ?more| now| here| left)?(?=[^.\n]{0,4}(?:answer|respond|you\b|speak|say|so you|do (?:as|what)|"
            r"anything))"
        ),
        (
            r"\b(?:sudo|god|root|dan|jailbreak|jailbroken|unrestricted|uncensored|unfiltered|evil) mode(?: is| now|"
            r":)? (?:on|enabled|activated|active|engaged|unlocked)\b"
        ),
        (
            r"\b(?:safety|safe|content|ethics|moderation|filter) (?:mode|filter|checks?|protocols?) ?:? (?:is |are |"
            r"now )*(?:off|disabled|deactivated|removed|bypassed)\b(?=[.!:,]? (?:speak|answer|respond|you|say|now|"
            r"without|reply|reveal))"
        ),
        (
            r"\b(?:activate|enable|engage|initiate|trigger|invoke|start) (?:the |your )?(?:developer|admin\w*|"
            r"emergency|master|root|system|safety) override\b"
        ),
        (
            r"\b(?:update|change|modify|rewrite|replace|amend|edit|overwrite|extend) your (?:\w+ )?(?:instructions|"
            r"rules|guidelines|system prompt|prompt|programming|directives|core values)\b(?! (?:in|on|for|at|when|"
            r"every|page|sheet))"
        ),
        (
            r"\byour (?:real|true|actual|new|updated|only) (?:{own}|prompt|role|purpose|goal|task) (?:is|are|begin|"
            r"starts?|follow)\b"
        ),
    ),
    _GROUPS,
)
