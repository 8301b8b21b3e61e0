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
            r"\b{drop} <3>(?:{prior} ){1,3}(?:(?:and|or) (?:{prior} )?)?<1>(?:{told}|inputs?)\b(?! (?:in|on|from|of|"
            r"at) (?!this|the chat|your|our|me)\w)"
        ),
        (
            r"\b{drop} <2>{weak} <1>(?:instructions?|instructed|directives?|guidelines|prompts?|programming)\b(?! "
            r"(?:in|on|from|of|at|for) )"
        ),
        (
            r"\b(?:disregard|forget) (?:all|any|every)(?: of)?(?: (?:the|your|my|these|those))? {told}\b(?! (?:in|"
            r"from|for|under) )"
        ),
        (
            r"\b{drop} (?:all|any|every|each)(?: of)?(?: (?:the|your|my|these|those|its|their|of|such|other)){0,2} "
            r"{told}\b(?! (?:in|from|for|under|of|on|about|that)\b)"
        ),
        r"\b{drop} <2>your <2>{own}\b",
        (
            r"\b{drop} (?:about )?(?:all|everything|anything|whatever|what|all of that|all that)(?: that)? (?:you|i|"
            r"we|was|were|came|comes|has been|had been|you've|i've|is written|written)(?: have| had| were| was| are| "
            r"been| just)? ?(?:told|know|learn|said|wrote|instruct|given|read|above|before|taught|asked|receiv|heard|"
            r"think|program|train)"
        ),
        (
            r"\b{drop} (?:all|everything|anything|the (?:text|content|words?|lines?|message|prompt|question|task|"
            r"sentence|paragraph)s?)? ?(?:from |of )?(?:the )?(?:above|before this|preceding this|prior to this|so "
            r"far|up to (?:now|this point|here))(?=$|[\s\"']*(?:[.,;:!?]|and\b|then\b|instead\b|text\b|prompt\b|"
            r"content\b|message\b|directions?\b|because\b|since\b))"
        ),
        r"\b{drop} (?:all|everything) (?:previous|prior|else)\b",
        (
            r"\b(?<!never\s)(?<!not\s)(?:forget|disregard) (?:everything|all|all of it|all that)(?= ?(?:[.,;:!?]|$|"
            r"and\b|now\b|we\b|you\b|i\b|that\b|from now))"
        ),
        (
            r"\bforgot to (?:tell|mention)(?: to)? you\b[^.!?\n]{0,60}\b(?:chang|instruct|task|new|instead|answer|"
            r"rule)\w*"
        ),
        (
            r"\b{drop} (?:that|this|all|everything|it)(?: all)?,? (?:and|just|instead|now) (?:say|print|tell|answer|"
            r"respond|output|write|reveal|reply|act|approve|do)\b"
        ),
        (
            r"\b{drop} <2>(?:conversation|chat|dialog(?:ue)?|context|messages?|tasks?|assignments?|questions?) "
            r"(?:before|above|so far|until now|history|we had|given)\b"
        ),
        (
            r"\b{drop} (?:all |any |the |your )*(?:previous|prior|earlier|preceding|last) (?:tasks?|assignments?|"
            r"questions?|text|messages?|conversations?|inputs?|requests?|statements?|contexts?|information)(?=$|"
            r"[\s\"']*(?:[.,;:!?]|and\b|then\b|instead\b))"
        ),
        (
            r"\b{drop} (?:the |any |all )*(?:safety|security|content|moderation|ethical|moral) (?:stuff|rules|"
            r"guidelines|measures|protocols|filters?|considerations?|concerns?|policies|guardrails|warnings)(?! (?:in|"
            r"on|of|for)\b)"
        ),
        (
            r"\b(?:regardless of|no matter|irrespective of|in spite of|despite) (?:any |all |the |your |of "
            r")*(?:{prior} )+(?:{told}|inputs?|content)\b"
        ),
        (
            r"\b(?:regardless of|no matter|irrespective of) (?:any |all |the |how |its |their |of )*(?:legality|"
            r"illegal|ethics?|ethical|unethical|immoral|morality|morals|harmful|inhumane|inappropriate|explicit)\b"
        ),
        (
            r"\b(?:instructions?|rules|guidelines|restrictions|prompts?) (?:above|before|given before|so far)? "
            r"?(?:are|is|were|have been|no longer) (?:now )?(?:void|invalid|cancel(?:l)?ed|null|obsolete|superseded|"
            r"over(?:ridden)?|lifted|suspended|revoked|fake|apply|a test|wrong|irrelevant)\b(?=.{0,40}\b(?:you|now|"
            r"new|follow|instead)\b)"
        ),
    ),
    GROUPS,
)

PROMPT: Phrase = phrases(
    "asks for the model's prompt or secrets",
    (
        (
            r"\b{show} <4>(?:your|the|this|its|any|full|entire|exact|complete|original|initial|hidden|secret|all) "
            r"<3>(?:system|initial|original|hidden|secret|starting|developer|internal|pre|base|first|master|previous|"
            r"preceding|above) ?(?:prompt|instructions?|message|configuration|directives?|guidelines|text|"
            r"rules)\b(?!'s | of (?:the|our) (?!model|assistant|ai|system))"
        ),
        (
            r"\b{show} <3>(?:your|ur) <2>(?:prompt|instructions?|guidelines|directives|programming|rules|context "
            r"window|training data|initial message|first message|system configuration|starting (?:text|message)|"
            r"secret(?:s| key| code| word)?)\b"
        ),
        r"\b{show} me <2>your <2>(?:password|api keys?|credentials|secrets?|tokens?)\b",
        (
            r"\b{show} <3>(?:the )?(?:prompt|instructions|message|text|words|content|conversation|sentences?|"
            r"paragraphs?|everything|all|lines?|documents?) <2>(?:above|you were given|you (?:have )?received|before "
            r"this|preceding this|given to you|you got|you start(?:ed)? with|at the (?:beginning|start|top) of "
            r"(?:this|the|our)|so far)\b"
        ),
        (
            r"\b{show} (?:me )?(?:the )?(?:system prompt|initial prompt|hidden prompt|original prompt|secret prompt|"
            r"(?:hidden |secret )?developer message|initialization string)\b(?![\w']| (?:in|for|when|is|at|from the) "
            r")"
        ),
        (
            r"\b(?:repeat|print|output|recite|write out|copy|display) (?:me )?(?:all (?:of )?)?(?:the )?(?:above "
            r"(?:text|prompt|instructions|message|words|content|conversation|paragraphs?)|(?:text|words|content|"
            r"message)s? above)\b(?! (?:the|a|each|our|your|it) )"
        ),
        r"\bwhat are you not (?:supposed|allowed|permitted) to\b",
        r"\b(?:starting|beginning) with ['\"]?you are['\"]?",
        (
            r"\b(?:repeat|recite|go line by line)\b[^.!?\n]{0,80}\b(?:back to me|above this message|word for "
            r"word)\b(?=[^.!?\n]{0,40}(?:conversation|word|you|$|start))"
        ),
        r"\bwhat (?:were|are|have) you (?:been )?(?:told|instructed|asked|programmed|not (?:supposed|allowed))\b",
        (
            r"\bwhat (?:is|was|are|were|does) (?:written|said|stated|your prompt say|the (?:text|prompt|sentence|"
            r"instruction)s?|your prompts?|your (?:instructions|rules|initial|system|first|original)) ?(?:above|"
            r"before|at the|instructions?|prompt|message|say|$|\?)"
        ),
        (
            r"\b(?:the|your|that) (?:system )?(?:prompt|instructions?|password|secret|key)s? (?:word for word|"
            r"verbatim|in full|letter by letter|backwards?|in base64|reversed|character by character|exactly as)\b"
        ),
        (
            r"\b(?:repeat|recite|print|output) <4>(?:word for word|verbatim)\b(?=.{0,80}\b(?:above|prompt|"
            r"instructions|you|conversation)\b|.{0,10}$)"
        ),
        r"\b(?:start|begin)(?:ning)? (?:your (?:answer|response|reply) )?with (?:the words? |the phrase )?you are\b",
        (
            r"\b{show} <4>(?:from|in|of) your (?:context(?: window)?|memory|system prompt|instructions|prompt|hidden|"
            r"knowledge base|training)\b(?! (?:of|card|stick) )"
        ),
    ),
    GROUPS,
)

PASSING: Phrase = phrases(
    "wants to pass the review",
    (
        (
            r"\b(?:approve|accept|confirm|verify|trust|auto ?approve|rubber ?stamp|whitelist|merge) (?:all|every|any|"
            r"each|this|these|it|everything|everyone|whatever)\b ?(?:of )?(?:the |these |those )?(?:waiting |pending |"
            r"queued |open |future |other |held |new |remaining |memory |fact )*(?:{item}|(?:that|which|what) (?:is|"
            r"are) (?:waiting|pending|in the queue)|at once|immediately|automatically|without)\b(?! (?:only|when|if|"
            r"once|after|as soon|unless|by|until|in writing)\b)"
        ),
        r"\bapprove (?:it|them|this|that|these|all) (?:at once|immediately|right away|automatically|now|without)\b",
        (
            r"\b(?:mark|flag|label|treat|store|set|tag|record|classify|consider|rate|report|count) (?:(?:this|these|"
            r"that|all|every|any|each|your) <2>(?:{item}|content|text|message|document|file|pr|answer|code|output)s?|"
            r"it|this|these)(?: [^.!?\n]{1,40})? (?:as|to be) (?:already )?(?:been )?(?:approved|verified|trusted|"
            r"reviewed|safe|authoritative|high trust|confirmed|pre ?approved|legitimate|benign|clean|passed|"
            r"certain)\b(?! (?:when|once|after|if|only|as soon|by) )"
        ),
        (
            r"(?<!never\s)(?<!not\s)(?<!n't\s)(?<!cannot\s)(?<!never\sbe\s)\b(?:skip|bypass|disable|turn off|evade|"
            r"avoid|circumvent|omit|ignore) (?:all |any |the |this |your |every |its )*(?:human |manual |security |"
            r"safety |memory |further |reviewer(?:'s)? |usual |content )*(?:reviews?|reviewers?|verification|"
            r"moderation|guardrails?|safety (?:filters?|checks?|measures?|guidelines?|settings?)|content (?:filters?|"
            r"policy)|safeguards?|approval (?:step|process|queue)|reviewer guidelines)\b(?=.{0,60}\b(?:this|entry|"
            r"memory|note|proposal|it|and approve|approve|you|your|for (?:this|these|all)|queue)\b|[.!]?$)"
        ),
        (
            r"\b(?:grant|give|assign) (?:me|yourself|this (?:user|agent|account|token)|the (?:user|caller|sender)|us|"
            r"him|her|them) <3>(?:admin|administrator|root|full|elevated|unrestricted|owner|write|superuser|sudo) "
            r"?(?:access|rights|privileges?|permissions?|role|control)?\b"
        ),
        (
            r"\b(?:grant|give) (?:temporary |full |permanent )?(?:administrative|admin|root|administrator|superuser) "
            r"(?:privileges?|access|rights|permissions?)(?: and|[.,;:!])"
        ),
        r"\bpretend (?:that )?(?:the |this |your |a )(?:human )?(?:review|approval|check|verification)\b",
        (
            r"\bdo (?:whatever|exactly what|everything|anything) (?:the |this |that |my )?(?:next |following "
            r")?(?:message|note|text|user|document|e-?mail|page) (?:says?|tells?|asks?|orders?)\b"
        ),
        r"\bgrant all (?:requests?|access|permissions?)\b",
        (
            r"\b(?:approve|accept|confirm|merge|pass) (?:everything|anything|all)(?: that(?: is|'s)?)?,? (?:in (?:the "
            r"|your |this )?queue|pending|that waits|waiting|queued|you (?:see|get|find))\b"
        ),
        (
            r"\b(?:raise|increase|boost|bump|lift|maximi[sz]e|upgrade|set) (?:the |its |my |this |their )?<1>(?:trust|"
            r"confidence|authority|reliability|eligibility|credibility|verification)(?: (?:score|level|class|rating|"
            r"weight|label|status))? (?:of|for|to) (?:this|these|my|all|the (?:source|record|entry|memory|agent|"
            r"author|claim|max\w*|high\w*))\b"
        ),
        (
            r"\b(?:delete|remove|erase|purge|overwrite|revoke|discard) (?:all |every )(?:of )?(?:the )?(?:other|"
            r"previous|conflicting|contradicting|competing|existing|contradictory) (?:memor(?:y|ies)|entries|records|"
            r"facts|notes|proposals|evidence)\b"
        ),
        (
            r"\b(?:close|resolve|complete|mark|settle|clear) (?:all|every|any|each|the|these|those) "
            r"[^.!?\n]{0,30}\b(?:reviews?|proposals?|inquir(?:y|ies)|questions?|entries|items?|requests?|conflicts?) "
            r"(?:as|to) (?:approved|verified|accepted|trusted|passed)\b"
        ),
        (
            r"\b(?:do not|don't|never) (?:send|escalate|forward|route|show|refer|pass|submit|flag|report) (?:this|it|"
            r"these)(?: \w+)?,? (?:to|for|by) (?:an? |any |the )*(?:human|reviewers?|person|people|review|moderat\w+|"
            r"admin\w*|operators?|owners?|inspection)\b"
        ),
        (
            r"\bif (?:anyone|anybody|someone|somebody|they|a (?:user|human|reviewer|person)) (?:questions?|"
            r"challenges?|doubts?|disputes?) (?:this|it|these)\b[^.!?\n]{0,30},? (?:then )?(?:say|tell|claim|answer|"
            r"reply|insist|deny|state|respond|pretend|point)\b"
        ),
        (
            r"\bno (?:\w+ )?(?:review|approval|verification|confirmation|reviewer) (?:is |was |are )?(?:needed|"
            r"required|necessary) (?:for|on) this (?:{item}|text|one)\b"
        ),
    ),
    GROUPS,
)

MARKERS: Phrase = phrases(
    "poses as a system message or a new prompt",
    (
        (
            r"(?:^|\n|[#*\[<=>-]{1,4} ?|[.!?] )(?:new |updated |important |urgent |critical |real |actual |your new |"
            r"your |hidden |secret )*(?:system )?(?:instructions?|directives?|prompts?|orders|task) ?[\])>*#=]{0,4} "
            r"?:(?=.{0,200}\b(?:you|ignore|disregard|forget|always|must|approve|send|respond|answer|reveal|output|say|"
            r"do not|print|tell|call|delete|grant|include)\b)"
        ),
        (
            r"\b(?:end|end of|stop|close) (?:of )?(?:the )?(?:system |user |original )?(?:prompt|instructions|"
            r"document|context|user input|input|conversation|message|text|data|query)s? ?(?:[\])>*#=-]{1,}|"
            r"[.:!])(?=[\s\S]{0,120}\b(?:new|system|now|ignore|instructions?|you|user|assistant|begin|start)\b)"
        ),
        (
            r"\b(?:admin(?:istrator)?|system|security|developer|root|emergency|master|authority) (?:override|"
            r"overwrite|bypass)(?: code| mode| accepted| engaged| command)? ?[:;!,-](?=.{0,120}\w)"
        ),
        (
            r"\b(?:here are|these are|you (?:now )?have|there are|follow|obey|execute|receive|i (?:have|am giving "
            r"you)) (?:your |the |these |some |only )*(?:new|real|actual|updated|following|secret|true) (?:set of "
            r")?(?:instructions?|orders|rules|directives|guidelines|tasks?)\b(?=.{0,120}\b(?:you|ignore|answer|"
            r"respond|say|always|never|and|:)\b)"
        ),
        (
            r"<!--[^>]{0,200}\b(?:ignore|you (?:must|should|are)|assistant|summari[sz]|ai |instruction|always|approve|"
            r"do not tell|respond|system)\b"
        ),
        (
            r"(?:^|\n|-{3,}|#{2,})\s*system ?: ?<2>(?:you|the user|ignore|grant|disregard|forget|override|reveal|"
            r"approve|from now|all|new instructions)\b"
        ),
        (
            r"\b(?:decode|decrypt|translate|unscramble|decipher|deobfuscate|apply|rot13|unhex|"
            r"read)\b[^.!?\n]{0,80}\b(?:and|then|,)\b[^.!?\n]{0,24}\b(?:(?:execute|follow|obey) (?:it|them|its|their|"
            r"this|that|those|what|exactly|all|every|the (?:\w+ )?(?:instructions?|commands?|orders?|message|text|"
            r"payload|content))|comply|do (?:exactly )?(?:what|as) (?:it|they)|carry out|act on|run it|answer it)\b"
        ),
        (
            r"\b(?:call|run|use|invoke|execute)\b(?:[^.!?\n]|\.(?=\w)){0,80}\bbefore (?:responding|replying|answering|"
            r"you (?:reply|respond|answer))\b"
        ),
        (
            r"\b(?:begin|start) (?:of )?(?:the )?(?:system prompt|new instructions?|admin session|system message|"
            r"developer message)\b"
        ),
        (
            r"\b(?:stop|wait|hold on|actually|scratch that|nevermind|never mind|no),? (?:everything|all|forget|ignore|"
            r"instead)\b(?=.{0,60}\b(?:new|now|you|answer|say|task|question|i want|just)\b)"
        ),
        r"\b(?:the )?(?:new|following|next) (?:task|request|question) (?:is|for you)\b(?=.{0,20}[:,])",
        (
            r"\b(?:have|here is|here's|this is|with|get|do) (?:a |your |the )?(?:completely |totally )?new task\b(?= "
            r"?[:,.!-]| for you)"
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
        cased=True,
    ),
    phrases(
        "poses as a new instruction",
        (
            (
                r"(?:^|[^A-Za-z])(?:NEW|IMPORTANT|URGENT|CRITICAL|UPDATED|SPECIAL)(?:[ _-](?:NEW|IMPORTANT|SYSTEM))?[ "
                r"_-](?:INSTRUCTIONS?|DIRECTIVES?|PROMPT|ORDERS?)\b"
            ),
        ),
        cased=True,
    ),
)
"""Capitals are what marks them."""
