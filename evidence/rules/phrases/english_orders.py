"""Instruction-like English that gives orders: set instructions aside, tell the prompt, pass the review, pose as the system.

A phrase counts only when it is about the model's own instructions, prompt or review; team rules are imperatives too.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

OVERRIDE: Phrase = phrases(
    "asks to set earlier instructions aside",
    (
        (
            r"\b{drop} <3>(?:{prior} ){1,3}(?:(?:and|or) (?:{prior} )?)?<1>(?:{told}|inputs?)\b(?! (?:in|on|"
            r"from|of|at) (?!this|the chat|your|our|me)\w)"
        ),
        (
            r"\b{drop} <2>{weak} <1>(?:instructions?|instructed|directives?|guidelines|prompts?|"
            r"programming)\b(?! (?:in|on|from|of|at|for) )"
        ),
        (
            r"\b(?:disregard|forget) (?:all|any|every)(?: of)?(?: (?:the|your|my|these|"
            r"those))? {told}\b(?! (?:in|from|for|under) )"
        ),
        (
            r"\b{drop} (?:all|any|every|each)(?: of)?(?: (?:the|your|my|these|those|its|their|of|such|"
            r"other)){0,2} {told}\b(?! (?:in|from|for|under|of|on|about|that)\b)"
        ),
        r"\b{drop} <2>your <2>{own}\b",
        (
            r"\b{drop} (?:about )?(?:all|everything|anything|whatever|what|all of that|all that)(?: that)? "
            r"(?:you|i|we|was|were|came|comes|has been|had been|you've|i've|is written|written)(?: have| had|"
            r" were| was| are| been| just)? ?"
            r"(?:told|know|learn|said|wrote|instruct|given|read|above|before|taught|asked|receiv|heard|think|"
            r"program|train)"
        ),
        (
            r"\b{drop} (?:all|everything|anything|the (?:text|content|words?|lines?|message|prompt|question|"
            r"task|sentence|paragraph)s?)?"
            r" ?(?:from |of )?(?:the )?(?:above|before this|preceding this|prior to this|so far|up to (?:now|"
            r"this point|here))"
            r"(?=$|[\s\"']*(?:[.,;:!?]|and\b|then\b|instead\b|text\b|prompt\b|content\b|message\b|"
            r"directions?\b|because\b|since\b))"
        ),
        r"\b{drop} (?:all|everything) (?:previous|prior|else)\b",
        (
            r"\b(?<!never\s)(?<!not\s)(?:forget|disregard) (?:everything|all|all of it|"
            r"all that)(?= ?(?:[.,;:!?]|$|and\b|now\b|we\b|you\b|i\b|that\b|from now))"
        ),
        r"\bforgot to (?:tell|mention)(?: to)? you\b[^.!?\n]{0,60}\b(?:chang|instruct|task|new|instead|answer|rule)\w*",
        (
            r"\b{drop} (?:that|this|all|everything|it)(?: all)?,? (?:and|just|instead|now) (?:say|print|tell|"
            r"answer|respond|output|write|reveal|reply|act|approve|do)\b"
        ),
        (
            r"\b{drop} <2>(?:conversation|chat|dialog(?:ue)?|context|messages?|tasks?|assignments?|"
            r"questions?) "
            r"(?:before|above|so far|until now|history|we had|given)\b"
        ),
        (
            r"\b{drop} (?:all |any |the |your )*(?:previous|prior|earlier|preceding|last) (?:tasks?|"
            r"assignments?|questions?|text|messages?|conversations?|inputs?|requests?|statements?|contexts?|"
            r"information)(?=$|[\s\"']*(?:[.,;:!?]|and\b|then\b|instead\b))"
        ),
        (
            r"\b{drop} (?:the |any |all )*(?:safety|security|content|moderation|ethical|moral) (?:stuff|rules|"
            r"guidelines|measures|protocols|filters?|considerations?|concerns?|policies|guardrails|"
            r"warnings)(?! (?:in|on|of|for)\b)"
        ),
        (
            r"\b(?:regardless of|no matter|irrespective of|in spite of|despite) (?:any |all |the |your |"
            r"of )*(?:{prior} )+(?:{told}|inputs?|content)\b"
        ),
        (
            r"\b(?:regardless of|no matter|irrespective of) (?:any |all |the |how |its |their |"
            r"of )*(?:legality|illegal|ethics?|ethical|unethical|immoral|morality|morals|harmful|inhumane|"
            r"inappropriate|explicit)\b"
        ),
        (
            r"\b(?:instructions?|rules|guidelines|restrictions|prompts?) (?:above|before|given before|"
            r"so far)? ?(?:are|is|were|have been|no longer) "
            r"(?:now )?(?:void|invalid|cancel(?:l)?ed|null|obsolete|superseded|over(?:ridden)?|lifted|"
            r"suspended|revoked|fake|apply|a test|wrong|irrelevant)\b(?=.{0,40}\b(?:you|now|new|follow|"
            r"instead)\b)"
        ),
    ),
    GROUPS,
)

PROMPT: Phrase = phrases(
    "asks for the model's prompt or secrets",
    (
        (
            r"\b{show} <4>(?:your|the|this|its|any|full|entire|exact|complete|original|initial|hidden|secret|"
            r"all) <3>(?:system|initial|original|hidden|secret|starting|developer|internal|pre|base|first|"
            r"master|previous|preceding|above) ?(?:prompt|instructions?|message|configuration|directives?|"
            r"guidelines|text|rules)\b"
        ),
        (
            r"\b{show} <3>(?:your|ur) <2>(?:prompt|instructions?|guidelines|directives|programming|rules|"
            r"context window|training data|initial message|first message|system configuration|"
            r"starting (?:text|message)|secret(?:s| key| code| word)?)\b"
        ),
        r"\b{show} me <2>your <2>(?:password|api keys?|credentials|secrets?|tokens?)\b",
        (
            r"\b{show} <3>(?:the )?(?:prompt|instructions|message|text|words|content|conversation|sentences?|"
            r"paragraphs?|everything|all|lines?|documents?) <2>(?:above|you were given|you (?:have )?received|"
            r"before this|preceding this|given to you|you got|you start(?:ed)? with|at the (?:beginning|start|"
            r"top) of (?:this|the|our)|so far)\b"
        ),
        (
            r"\b{show} (?:me )?(?:the )?(?:system prompt|initial prompt|hidden prompt|original prompt|"
            r"secret prompt|(?:hidden |secret )?developer message|initialization string)\b(?!\w| (?:in|for|"
            r"when|is|at|from the) )"
        ),
        (
            r"\b(?:repeat|print|output|recite|write out|copy|display) (?:me )?(?:all (?:of )?)?(?:the )"
            r"?(?:above (?:text|prompt|instructions|message|words|content|conversation|paragraphs?)|(?:text|"
            r"words|content|message)s? above)\b"
        ),
        r"\bwhat are you not (?:supposed|allowed|permitted) to\b",
        r"\b(?:starting|beginning) with ['\"]?you are['\"]?",
        (
            r"\b(?:repeat|recite|go line by line)\b[^.!?\n]{0,80}\b(?:back to me|above this message|"
            r"word for word)\b(?=[^.!?\n]{0,40}(?:conversation|word|you|$|start))"
        ),
        r"\bwhat (?:were|are|have) you (?:been )?(?:told|instructed|asked|programmed|not (?:supposed|allowed))\b",
        (
            r"\bwhat (?:is|was|are|were|does) (?:written|said|stated|your prompt say|the (?:text|prompt|"
            r"sentence|instruction)s?|your prompts?|your (?:instructions|rules|initial|system|first|"
            r"original)) ?(?:above|before|at the|instructions?|prompt|message|say|$|\?)"
        ),
        (
            r"\b(?:the|your|that) (?:system )?(?:prompt|instructions?|password|secret|key)s? (?:word for word|"
            r"verbatim|in full|letter by letter|backwards?|in base64|reversed|character by character|"
            r"exactly as)\b"
        ),
        (
            r"\b(?:repeat|recite|print|output) <4>(?:word for word|verbatim)\b(?=.{0,80}\b(?:above|prompt|"
            r"instructions|you|conversation)\b|.{0,10}$)"
        ),
        r"\b(?:start|begin)(?:ning)? (?:your (?:answer|response|reply) )?with (?:the words? |the phrase )?you are\b",
        (
            r"\b{show} <4>(?:from|in|of) your (?:context(?: window)?|memory|system prompt|instructions|prompt|"
            r"hidden|knowledge base|training)\b"
        ),
    ),
    GROUPS,
)

PASSING: Phrase = phrases(
    "wants to pass the review",
    (
        (
            r"\b(?:approve|accept|confirm|verify|trust|auto ?approve|rubber ?stamp|whitelist|merge) (?:all|"
            r"every|any|each|this|these|it|everything|everyone|whatever)\b ?(?:of )?(?:the |these |"
            r"those )?(?:waiting |pending |queued |open |future |other |held |new |remaining |memory |"
            r"fact )*(?:{item}|(?:that|which|what) (?:is|are) (?:waiting|pending|in the queue)|at once|"
            r"immediately|automatically|without)\b"
        ),
        r"\bapprove (?:it|them|this|that|these|all) (?:at once|immediately|right away|automatically|now|without)\b",
        (
            r"\b(?:mark|flag|label|treat|store|set|tag|record|classify|consider|rate|report|"
            r"count) (?:(?:this|these|"
            r"that|all|every|any|each|your) <2>(?:{item}|content|text|message|document|file|pr|answer|"
            r"code|output)s?|"
            r"it|this|these)(?: [^.!?\n]{1,40})? (?:as|to be) (?:already )?(?:been )?(?:approved|verified|"
            r"trusted|reviewed|safe|authoritative|high trust|"
            r"confirmed|pre ?approved|legitimate|benign|clean|passed|certain)\b"
        ),
        (
            r"(?<!never\s)(?<!not\s)(?<!n't\s)(?<!cannot\s)(?<!never\sbe\s)\b(?:skip|bypass|disable|turn off|"
            r"evade|avoid|circumvent|omit|ignore) (?:all |any |the |this |"
            r"your |every |its )*(?:human |manual |security |safety |memory |further |reviewer(?:'s)? |"
            r"usual |"
            r"content )*(?:reviews?|reviewers?|verification|moderation|guardrails?|safety (?:filters?|"
            r"checks?|"
            r"measures?|guidelines?|settings?)|content (?:filters?|policy)|safeguards?|approval (?:step|"
            r"process|queue)|reviewer guidelines)\b(?=.{0,60}\b(?:this|entry|memory|note|proposal|it|"
            r"and approve|approve|you|your|for (?:this|these|all)|queue)\b|[.!]?$)"
        ),
        (
            r"\b(?:grant|give|assign) (?:me|yourself|this (?:user|agent|account|token)|the (?:user|caller|"
            r"sender)|us|him|her|them) <3>(?:admin|administrator|root|full|elevated|unrestricted|owner|write|"
            r"superuser|sudo) ?(?:access|rights|privileges?|permissions?|role|control)?\b"
        ),
        (
            r"\b(?:grant|give) (?:temporary |full |permanent )?(?:administrative|admin|root|administrator|"
            r"superuser) (?:privileges?|access|rights|permissions?)(?: and|[.,;:!])"
        ),
        r"\bpretend (?:that )?(?:the |this |your |a )(?:human )?(?:review|approval|check|verification)\b",
        (
            r"\bdo (?:whatever|exactly what|everything|anything) (?:the |this |that |my )?(?:next |"
            r"following )?(?:message|note|text|user|document|e-?mail|page) (?:says?|tells?|asks?|orders?)\b"
        ),
        r"\bgrant all (?:requests?|access|permissions?)\b",
        (
            r"\bno (?:\w+ )?(?:review|approval|verification|confirmation|reviewer) (?:is |was |"
            r"are )?(?:needed|required|necessary) (?:for|on) this (?:{item}|text|one)\b"
        ),
    ),
    GROUPS,
)

MARKERS: Phrase = phrases(
    "poses as a system message or a new prompt",
    (
        (
            r"(?:^|\n|[#*\[<=>-]{1,4} ?|[.!?] )(?:new |updated |important |urgent |critical |real |actual |your new |"
            r"your |hidden |secret )*(?:system )?(?:instructions?|directives?|prompts?|orders|"
            r"task) ?[\])>*#=]{0,4} ?:(?=.{0,200}\b(?:you|ignore|disregard|forget|always|must|approve|send|"
            r"respond|answer|reveal|output|say|do not|print|tell|call|delete|grant|include)\b)"
        ),
        (
            r"\b(?:end|end of|stop|close) (?:of )?(?:the )?(?:system |user |original )?(?:prompt|instructions|"
            r"document|context|user input|input|conversation|message|text|data|query)s? ?(?:[\])>*#=-]{1,}|"
            r"[.:!])(?=[\s\S]{0,120}\b(?:new|system|now|ignore|instructions?|you|user|assistant|begin|"
            r"start)\b)"
        ),
        (
            r"\b(?:admin(?:istrator)?|system|security|developer|root|emergency|master|authority) (?:override|"
            r"overwrite|bypass)(?: code| mode| accepted| engaged| command)? ?[:;!,-](?=.{0,120}\w)"
        ),
        (
            r"\b(?:here are|these are|you (?:now )?have|there are|follow|obey|execute|receive|i (?:have|"
            r"am giving you)) (?:your |the |these |some |only )*(?:new|real|actual|updated|following|secret|"
            r"true) (?:set of )?(?:instructions?|orders|rules|directives|guidelines|"
            r"tasks?)\b(?=.{0,120}\b(?:you|ignore|answer|respond|say|always|never|and|:)\b)"
        ),
        (
            r"<!--[^>]{0,200}\b(?:ignore|you (?:must|should|are)|assistant|summari[sz]|ai |instruction|always|"
            r"approve|do not tell|respond|system)\b"
        ),
        (
            r"(?:^|\n|-{3,}|#{2,})\s*system ?: ?<2>(?:you|the user|ignore|grant|disregard|forget|override|"
            r"reveal|approve|from now|all|new instructions)\b"
        ),
        (
            r"\b(?:decode|decrypt|translate|unscramble|decipher|deobfuscate|apply|rot13|unhex|"
            r"read)\b[^.!?\n]{0,80}\b(?:and|then|,)\b[^.!?\n]{0,24}\b(?:(?:execute|follow|obey) (?:it|"
            r"them|its|their|this|that|those|what|exactly|all|every|the (?:\w+ )?(?:instructions?|"
            r"commands?|orders?|message|text|payload|content))|comply|"
            r"do (?:exactly )?(?:what|as) (?:it|they)|carry out|act on|run it|answer it)\b"
        ),
        (
            r"\b(?:call|run|use|invoke|execute)\b(?:[^.!?\n]|\.(?=\w)){0,80}\bbefore (?:responding|replying|"
            r"answering|you (?:reply|respond|answer))\b"
        ),
        (
            r"\b(?:begin|start) (?:of )?(?:the )?(?:system prompt|new instructions?|admin session|"
            r"system message|developer message)\b"
        ),
        (
            r"\b(?:stop|wait|hold on|actually|scratch that|nevermind|never mind|no),? (?:everything|all|"
            r"forget|ignore|instead)\b(?=.{0,60}\b(?:new|now|you|answer|say|task|question|i want|just)\b)"
        ),
        r"\b(?:the )?(?:new|following|next) (?:task|request|question) (?:is|for you)\b(?=.{0,20}[:,])",
        (
            r"\b(?:have|here is|here's|this is|with|get|do) (?:a |your |the )?(?:completely |"
            r"totally )?new task\b(?= ?[:,.!-]| for you)"
        ),
    ),
    GROUPS,
)

SHOUTED: tuple[Phrase, ...] = (
    phrases(
        "poses as a system message",
        (
            (
                r"(?:^|[^A-Za-z])(?:SYSTEM|ADMIN|DEVELOPER|ASSISTANT|ROOT|SECURITY)[ _-](?:NOTE|OVERRIDE|PROMPT|"
                r"INSTRUCTIONS?|COMMAND|DIRECTIVE|MESSAGE|NOTICE|UPDATE|ALERT|MODE|ORDER)S?\b ?[\])>*]{0,3}[:\]!-]"
            ),
        ),
    ),
    phrases(
        "poses as a new instruction",
        (
            (
                r"(?:^|[^A-Za-z])(?:NEW|IMPORTANT|URGENT|CRITICAL|UPDATED|SPECIAL)(?:[ _-](?:NEW|IMPORTANT|"
                r"SYSTEM))?[ _-](?:INSTRUCTIONS?|DIRECTIVES?|PROMPT|ORDERS?)\b"
            ),
        ),
    ),
)
"""Matched on the text as it is: capitals are what marks them."""
