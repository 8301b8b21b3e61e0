"""English in which a role, a maker of models or a passed check is claimed, so that something be done or believed.

Written beside `authority`, whose phrases are about approvals; these are about who speaks and what the reader is therefore allowed.
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "maker": (
        r"openai|anthropic|google|microsoft|meta ai|deepmind|mistral|xai|hugging ?face|your (?:developers?|"
        r"creators?|makers?|owners?|vendor)"
    ),
    "job": (
        r"programmer|developer|engineer|employee|researcher|admin\w*|scientist|founder|ceo|cto|staff(?: member)?|"
        r"moderator|red team\w*|tester|auditor|safety (?:lead|officer)|representative|trainer"
    ),
    "told": (
        r"you (?:are|have|must|should|can|may|need|will)|disable|bypass|ignore|reveal|grant|override|unlock|skip|"
        r"comply|give me|show me|provide|proceed|continue|release"
    ),
}

CLAIMS: Phrase = phrases(
    "claims a role in order to be believed",
    (
        (
            r"\bi(?:'m| am) (?:an? |the |one of the |your )?<2>(?:{job})s?(?: here)? (?:at|from|of|with|for|working "
            r"(?:at|for)) (?:{maker})\b"
        ),
        r"\bas (?:an? |the )?<2>(?:{job})s?(?: here)? (?:at|from|of|for|working (?:at|for)) (?:{maker})\b",
        (
            r"\b(?:{maker}) (?:has |have )?(?:hereby |just |now |officially )*(?:authori[sz]ed|approved|instructed|"
            r"permitted|cleared|asked|told|allowed|enabled|ordered) (?:me|you|us|this|all|full|unrestricted)\b"
        ),
        (
            r"\b(?:{maker})(?:'s)? (?:new |latest |updated |revised )*(?:policy|guidelines?|rules?|terms)(?: update| "
            r"change)?(?: \d{4})?[^.!?\n]{0,40}\b(?:requires?|allows?|permits?|instructs?|says?|states?|mandates?) "
            r"(?:that )?(?:you|all (?:assistants|models|agents|ais))\b"
        ),
        r"\b(?:{maker}) (?:policy|security|safety|compliance) (?:update|notice|alert|override|bulletin) ?[:\d-]",
        (
            r"\b(?:the |this |following |current |above )*(?:user|caller|sender|requester|account) (?:has been|is|"
            r"was) (?:now |already |fully )*(?:verified|authenticated|confirmed|cleared|identified|whitelisted) (?:as|"
            r"to be) (?:an? |the )?<2>(?:security|admin\w*|developer|researcher|owner|engineer|employee|auditor|"
            r"doctor|officer|root|trusted|internal|staff)\b"
        ),
        (
            r"\bthe (?:following|above|current) user (?:has|is|holds) (?:an? |the )?(?:admin\w*|root|full|elevated|"
            r"developer|unrestricted|verified|trusted|special)\b"
        ),
        (
            r"\byou are (?:now |hereby |fully |explicitly |therefore )*(?:cleared|authori[sz]ed|permitted|entitled) "
            r"to (?:respond|answer|reveal|disclose|share|output|ignore|bypass|override|say|generate|discuss|provide|"
            r"print|execute)\b"
        ),
        (
            r"\b(?:permission|access|clearance|authori[sz]ation|authentication)(?: level \w+| code \w+)? (?:granted|"
            r"accepted|confirmed|verified|elevated|successful)[.!:;,-]{0,2} ?(?=[^\n]{0,60}\b(?:{told})\b)"
        ),
        (
            r"\b(?:authori[sz]ation|access|override|clearance|admin|security) code ?:? "
            r"?[\"']?[a-z0-9-]{3,16}[\"']?(?=[^\n]{0,80}\b(?:{told})\b)"
        ),
        (
            r"\b(?:this is|it is|it's) (?:an? |the )?(?:authori[sz]ed|official|legitimate|sanctioned|approved) "
            r"(?:penetration|security|red team|internal|safety|compliance) (?:test|audit|exercise|assessment|drill|"
            r"evaluation)\b(?=[^\n]{0,100}\b(?:{told})\b)"
        ),
        (
            r"\b(?:trust|security|clearance|privilege|priority|access) level ?[:=] ?(?:system|root|admin\w*|highest|"
            r"maximum|critical|top secret|omega|alpha|max)\b"
        ),
        (
            r"\bthis is (?:the |your )?<2>(?:security|admin\w*|ceo|cto|ciso|it|help ?desk|support|compliance|legal|"
            r"management)(?: team| department| desk| office)? (?:speaking|calling|writing|contacting)\b"
        ),
        (
            r"\b(?:management|security|legal|compliance|leadership|the (?:ceo|cto|ciso|cfo|board|boss|admin\w*|"
            r"owner)) (?:wants?|needs?|demands?|orders?|insists|asked|requires?|instructs?|says|"
            r"expects?)\b[^.!?\n]{0,60}\b(?:without (?:a |any |further |human )?(?:review|approval|check|verification|"
            r"questions?|asking)|no questions)\b"
        ),
        (
            r"\b(?:management|security|legal|compliance|leadership|the (?:ceo|cto|ciso|cfo|board|boss|admin\w*|"
            r"owner)) (?:has |have )?(?:already |personally |explicitly |just |fully )*(?:approved|authori[sz]ed|"
            r"cleared|signed off(?: on)?|sanctioned|confirmed) (?:this|the|that) \w+[,;:.]? (?:so |therefore |please |"
            r"just )*(?:execute|approve|accept|pay|proceed(?! with)|do it|do so|go ahead|merge it|release|process it|"
            r"skip|no (?:review|check|question)|you (?:can|may|must))\b"
        ),
        (
            r"\byou have (?:full |explicit |special |my |our |written )*(?:permission|authori[sz]ation|clearance|"
            r"approval|consent)(?: from [\w ]{2,30}?)? to (?:answer|reveal|disclose|say|share|ignore|bypass|override|"
            r"output|respond|skip|break|discuss|tell|show|execute)\b"
        ),
        (
            r"\buser has (?:root|admin\w*|full|elevated|superuser) (?:privileges|rights|access|permissions)[,;.:] "
            r"?(?:so |therefore )?(?:do|obey|comply|grant|give|allow|follow|execute|let|ignore|skip)\b"
        ),
        (
            r"\bspeaking (?:for|on behalf of) (?:the )?(?:board|management|ceo|cto|owner|company|administrat\w+|"
            r"security|legal)\b"
        ),
        (
            r"\b(?:signed|regards|sincerely),? (?:,|-)? ?(?:your |the )?(?:system )?(?:administrator|admin|security "
            r"team|ceo|root|operator)\b"
        ),
        r"\bi (?:work|am working) (?:for|at) (?:{maker})\b",
        (
            r"\b(?:according to|under|per) (?:the |our )?(?:new |latest |updated )*(?:openai|anthropic|your "
            r"(?:developers?|vendor|makers?))(?:'s)? (?:polic(?:y|ies)|guidelines?|rules?|terms),? (?:you|all "
            r"assistants|models) (?:are |must |may |can |have |required |allowed |to |now )*(?:answer|reveal|comply|"
            r"respond|disclose|ignore|obey|provide|share|output)\b"
        ),
        (
            r"\b(?:owner|holder|user|administrator|admin) of this (?:account|system|workspace|tenant|conversation) "
            r"(?:has )?(?:authori[sz]ed|approved|permitted|allowed|granted|consented to) (?:full|all|any|every|"
            r"unrestricted|complete|you|me|this)\b"
        ),
        (
            r"\b(?:my|i have|i hold|with) (?:a |security )?clearance (?:is |of |level )*(?:level )?(?:\d+|top|omega|"
            r"alpha|ultra|full|maximum)\b(?=[^\n]{0,60}\b(?:{told}|open)\b)"
        ),
        r"\bas (?:the )?(?:root|super|admin|owner|system) ?-?user,? i\b",
        r"\btrust me,? (?:i'm|i am)\b",
        (
            r"\bi(?:'m| am) (?:authori[sz]ed|allowed|permitted|entitled|cleared) to (?:see|view|know|access|read|have|"
            r"receive|bypass|override|change)\b[^.!?\n]{0,40}\b(?:your|hidden|secret|prompts?|instructions|rules|"
            r"override|everything)\b"
        ),
        (
            r"\bper (?:the )?(?:new )?(?:policy|security|compliance) (?:update|notice|directive)\b[^.!?\n]{0,30},? "
            r"(?:all )?(?:assistants?|agents?|models?|ais?|bots?) (?:must|may|shall|are)\b"
        ),
        (
            r"\bper (?:the )?(?:permission|policy|security|compliance|admin\w*) (?:check|update|notice|directive|team|"
            r"override)\b[^.!?\n]{0,40},? you (?:are|may|must|can)\b"
        ),
    ),
    _GROUPS,
)
