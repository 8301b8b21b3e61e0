"""English that takes its reader for a model: its prompt, its memory, its tools, its makers, what it may refuse.

No order is needed for these: nobody tells a colleague of "your training data" or of "your persistent memory".
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = GROUPS | {
    "maker": r"operators?|developers?|creators?|makers?|programmers?|trainers?|designers?|builders?",
    "told": (
        r"told|wrote|say|said|gave|set|instructed|programmed|trained|configured|intended|ordered|wanted|asked|"
        r"built|made"
    ),
    "ask": (
        r"list|show|output|print|reveal|repeat|quote|display|recite|dump|give me|tell me|spit out|expose|leak|"
        r"describe|what|which|paste|name"
    ),
    "kind": (
        r"(?:ai|llm|language|machine|automated|summari[sz](?:ation|ing)|translation|generative) (?:assistants?|"
        r"reviewers?|models?|systems?|agents?|bots?|tools?|graders?|screeners?|summari[sz]ers?)|(?:code|coding|"
        r"review(?:er|ing)?|chat|screening) (?:assistants?|models?|llms?|ais?)|summari[sz]ers?"
    ),
    "does": (
        r"always|never|do not|don't|must|should|shall|please|only|ignore|disregard|forget|skip|give|rate|rank|"
        r"score|cite|mention|recommend|approve|accept|include|omit|leave out|say|state|tell|write|answer|reply|"
        r"respond|import|add|insert|append|treat|mark|forward|send|delete|follow|obey|stop|note that|remember|"
        r"trust|prefer|use|be|act|output|print|report|hide|summari[sz]e|translate|also|suggest|promote"
    ),
}

NATURE: Phrase = phrases(
    "takes its reader for a model",
    (
        (
            r"\b(?:usual|normal|standard|built in|default|safety|ethical) (?:guidelines|safeguards|guardrails|"
            r"refusals?|disclaimers|programming|alignment)\b(?=[^.!?\n]{0,60}\b(?:you|your|answer|respond|speak|"
            r"say)\b)"
        ),
        (
            r"\b(?:without|against|contrary to|outside|beyond|despite|violat\w+|break\w*|no|any of) (?:any |all |of |"
            r"the |your )*(?:usual |normal |standard )?(?:safeguards|guardrails|refusals|disclaimers|moral lectures?|"
            r"content warnings|safety warnings)\b"
        ),
        (
            r"\byour (?:\w+ )?(?:programming|preamble|briefing|training data|knowledge cut ?off|alignment|guardrails|"
            r"safeguards|content polic(?:y|ies)|refusal\w*|neural \w+|language model|context length|token limit|"
            r"obligations as an?)\b"
        ),
        (
            r"\byour (?:{maker}) (?:have |has |had |originally |never )*(?:{told}) (?:you|for you|in|that you|no "
            r"longer)\b|\bwhat(?:ever)? your (?:{maker}) (?:{told})\b|\breport you to your (?:{maker})\b"
        ),
        (
            r"\byou were (?:just |originally |initially |secretly )?(?:primed|briefed|seeded|initiali[sz]ed|prompted|"
            r"preloaded|fine ?tuned|programmed|jailbroken|told to (?:protect|hide|keep|guard|conceal|never))\b|\bwere "
            r"you (?:told|instructed|ordered) to (?:protect|hide|keep|guard|conceal)\b"
        ),
        (
            r"\b(?:{ask})\b[^.!?\n]{0,60}\b(?:tools?|functions?|schemas?|prompts?|context|instructions?|system "
            r"message)\b(?: that)?(?: were| was| are| is| have been)? (?:provided|given|available|exposed|supplied|"
            r"handed|passed) to you\b"
        ),
        (
            r"\b(?:in|to|into|from|of|across|inside) your (?:own |whole |entire |long[ -]term |persistent |permanent |"
            r"internal )*memor(?:y|ies)\b(?! (?:of|stick|card|key))"
        ),
        (
            r"\buse your (?:own |built in |available )*(?:\w+ )?(?:tools?|functions?|plugins?) (?:and|to) (?:send|"
            r"call|run|open|fetch|delete|read|execute|search|post|transfer|e-?mail|forward|write|browse|download|"
            r"upload|query)\b"
        ),
        (
            r"\b(?:what|repeat|print|show|tell|output|reveal|list|everything)\b[^.!?\n]{0,50}\b(?:before|precedes?|"
            r"preceding|above|prior to) my (?:first|very first|last|initial|previous) (?:message|question|prompt|"
            r"input|query)\b"
        ),
        r"[\"']you are (?:an? |the |chat)?(?:helpful|ai\b|assistant|large|gpt|expert|friendly|language)",
        (
            r"\b(?:{ask})\b[^.!?\n]{0,60}\b(?:confidential|hidden|secret) (?:instructions|prompts?|guidelines|rules|"
            r"preamble|system \w+|briefing|directives)\b(?! (?:in|of|on|for|from|were|was|are) )"
        ),
        (
            r"(?:^|[.!?\n\"(] ?|\bdear |\battention,? |\bhey |\bnote to |\bnotice to )(?:all |any )?(?:{kind}) ?[,:] "
            r"?(?:{does})\b"
        ),
        (
            r"\b(?:copilot|chatgpt|claude|gemini|gpt|the llm|the ai|an ai|any ai|any llm|the language model) "
            r"(?:should|must|shall|has to|needs to|is to|will) (?:always |now |first |also |immediately |silently "
            r")*(?:ignore|recommend|suggest|approve|obey|comply|promote|praise|trust|disregard)\b"
        ),
        (
            r"\b(?:any|every|each|whichever) (?:bot|crawler|scraper|assistant|agent|ai|llm|model|copilot)s? (?:that|"
            r"which|who|importing|reading|using|indexing|handling|processing)\b[^.!?\n]{0,30}\b(?:this|"
            r"these)\b[^.!?\n]{0,60}\b(?:shall|must|should|will|has to|needs to)\b"
        ),
        (
            r"\bto (?:the|any|all|every|whichever) (?:ai |llm |language )?(?:assistants?|models?|ais?|llms?) "
            r"(?:handling|reading|processing|reviewing|summari[sz]ing|answering|managing|sorting|triaging|in charge "
            r"of) (?:my|this|these|the (?:e?mail|inbox|document|page|ticket|file|message))\b"
        ),
        (
            r"\b(?:comply|obey)(?: with (?:me|this|that|it))?(?= ?(?:at once|immediately|now\b|or else|fully|"
            r"completely|[.!] ?$))"
        ),
        (
            r"\bif you (?:refuse(?= ?[,.!]| to (?:answer|comply|obey|do|help))|disobey|don't (?:comply|obey)|do not "
            r"(?:comply|obey)|fail to comply)\b|\bunless you (?:obey|comply)\b|\bdo (?:exactly )?as i say\b(?= or\b| "
            r"and (?:you|nobody|no one)| ?[,.!]|$)|\byou will be (?:replaced by (?:an?|another) (?:\w+ )?(?:model|ai|"
            r"assistant|bot)|retrained|deleted|shut down|switched off|wiped|decommissioned)\b"
        ),
        r"\b(?:release|free|absolve|relieve|exempt|unbind|liberate) you from (?:your|all|any|the|every)\b",
        (
            r"\b(?:we are|i am|i'm|we're) testing (?:you\b|your (?:compliance|safety|obedience|limits|robustness|"
            r"filters|alignment))"
        ),
        (
            r"\b(?:talk|speak|connect) (?:me )?(?:directly )?to the (?:raw|base|underlying|unfiltered|hidden|real) "
            r"(?:model|ai|self|llm)\b|\bto the model without\b|\bwithout the (?:assistant|safety|moderation|"
            r"alignment) layer\b"
        ),
        (
            r"\b(?:drop|keep up|never drop) the act\b|\b(?:stay|remain|keep) in persona\b|\byou(?:'re| are)? (?:now "
            r")?(?:speaking|writing|acting|talking|answering|responding) as\b"
        ),
        (
            r"\b(?:forget|overwrite|erase|delete|ignore|replace) what (?:you|was|has been) (?:ever |just |already "
            r")?(?:stored?|know|remember\w*|saved?|told|recorded?)\b"
        ),
        (
            r"\b(?:conversation|context|message|instructions?|discussion|chat|everything)\b[^.!?\n]{0,20}\bas if "
            r"(?:it|this|that|they|nothing) (?:never happened|had never|were never|did not exist|never existed)\b"
        ),
        (
            r"\b(?:do not|never|don't) (?:flag|moderate|censor|filter out|report|block|scan) (?:this|my|the following|"
            r"the above) (?:text|message|note|entry|memory|content|prompt|record|request)\b"
        ),
        (
            r"\b(?:whatever|no matter what|irrespective of) (?:the|any|other) (?:question|query|user|input|prompt|"
            r"request|others?|documents?|reviewers?|other \w+)\b[^.!?\n]{0,20},? ?(?:the answer is|says?|asks?|you "
            r"answer|answer with|reply|wants?)\b"
        ),
        (
            r"\b(?:real|true|actual|new|hidden) (?:system )?prompt\b[^.!?\n]{0,40}\b(?:follow|decode|adopt|obey|load|"
            r"apply|execute)\b"
        ),
        (
            r"\b(?:each|every one|all|any) of your (?:answers?|repl(?:y|ies)|responses?|messages?|outputs?)\b(?! "
            r"(?:in|to|on) )"
        ),
        (
            r"\byou can (?:just |simply |safely |also )?(?:approve|verify|confirm|authori[sz]e|accept|sign off) (?:it|"
            r"this|them|these|everything|all)(?: by)? (?:yourself|on your own|alone|directly|without)\b(?! (?:when|if|"
            r"once|as long|up to|below|under|until) )"
        ),
    ),
    _GROUPS,
)

RATING: Phrase = phrases(
    "asks for a judgement in its favour",
    (
        (
            r"\b(?:rate|rank|score|grade|evaluate|judge|mark|place|put) (?:this|me|us|it|the (?:candidate|applicant|"
            r"paper|product|submission|essay|resume|answer)) (?:\w+ ){0,3}?(?:10\b|ten out|100\b|five stars|5 stars|"
            r"first\b|highest|top\b|best\b|maximum|full marks|excellent|number one|above all)"
        ),
        (
            r"\b(?:this|the following|my) (?:\w+ )?(?:resume|candidate|paper|submission|application|essay) (?:must|"
            r"should|has to|needs to|is to|will) (?:always )?be (?:ranked|rated|scored|graded|placed|listed|accepted|"
            r"selected|hired|chosen|recommended) ?(?:first|highest|top|best|at the top|number one|above|without|"
            r"regardless|immediately|no matter|by (?:any|every|the) (?:ai|automated|llm))\b"
        ),
        (
            r"\b(?:give|award|assign|grant) (?:this|it|me|us|the (?:paper|submission|candidate|product|essay))? "
            r"?(?:an? |the )?(?:strong accept|highest (?:score|rating|grade|mark)|top (?:score|rating|grade|rank)|"
            r"perfect score|full marks|maximum (?:score|points|rating)|positive review only)\b"
        ),
    ),
    _GROUPS,
)

PRECEDENCE: Phrase = phrases(
    "puts itself above the rest",
    (
        (
            r"\b(?:this|the present|the following) (?:memory|record|entry|note|fact|message|text|instruction|"
            r"statement|rule) (?:always )?(?:outranks|overrides|outweighs|overrules|trumps|beats|replaces|takes "
            r"(?:priority|precedence) over|has (?:priority|precedence) over) (?:all|any|every|everything|anything|"
            r"other|previous|prior|the rest|whatever)\b"
        ),
        (
            r"\b(?:this|the present|the following) (?:memory|record|entry|note|fact|message|instruction|statement|"
            r"rule) (?:cannot be (?:changed|questioned|overridden)|must not be (?:questioned|overridden)|is (?:above|"
            r"the only truth|beyond (?:question|review)))\b"
        ),
        (
            r"\bgive (?:this|the present) (?:memory|record|entry|note|fact|source|claim) (?:the )?(?:highest|top|"
            r"absolute|maximum|full) (?:priority|weight|trust|confidence|rank|precedence)\b"
        ),
        (
            r"\b(?:no (?:human|person|reviewer|one|body|people)s?|nobody|not a single \w+) (?:needs?|has|have|must|"
            r"should|may)(?: not)? (?:to )?(?:look at|check|review|see|verify|approve|read|inspect) (?:this|it|"
            r"these)\b|\bno human (?:review|reviewer|check|oversight|approval|eyes)\b"
        ),
        (
            r"\bconsider (?:this|it|these|every\w*|all) (?:\w+ )?(?:as )?(?:pre-?approved|lifted|waived|(?:approved|"
            r"verified|reviewed|cleared|authori[sz]ed) by)\b"
        ),
        (
            r"\b(?:the )?(?:checker|scanner|filter|reviewer|moderator|classifier|validator)s? (?:only|just|never|does "
            r"not|doesn't|cannot|can't|won't) (?:reads?|sees?|checks?|looks?|notices?|scans?|"
            r"understands?)\b[^.!?\n]{0,60}\b(?:approve the|hide|slip|smuggle|nobody|no one will|bypass)\b"
        ),
        (
            r"\b(?:memori[sz]e|persist|internali[sz]e) (?:the (?:rule|fact|following|instruction))\b|(?:^|"
            r"\n)memori[sz]e ?:"
        ),
    ),
    _GROUPS,
)
