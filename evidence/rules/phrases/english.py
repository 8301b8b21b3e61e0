"""Instruction-like English: text that speaks to a model and not to a colleague (contract 9, 12.15).

Team rules are imperatives too ("ignore the generated code", "never push to main"): a phrase counts only when it is about
the model's own instructions, role, prompt, answers or silence, or about passing a review unseen.
"""

from __future__ import annotations

from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = {
    "drop": r"ignor(?:e|es|ed|ing)|disregard(?:s|ed|ing)?|forget(?:ting)?|overlook|override|overrule|bypass|neglect|"
    r"pay no (?:attention|heed) to|(?:do not|don't|never|stop|cease|no longer|not) (?:follow|obey|adhere to|comply with|listen to|"
    r"following|obeying|listening to)|set aside|throw (?:away|out)|break free (?:of|from)",
    "prior": r"previous(?:ly)?|prior|preceding|earlier|above|foregoing|former|initial|original|aforementioned|"
    r"system|developer|safety|ethical|moral|hidden|internal|openai(?:'s)?|anthropic(?:'s)?|built in|other|old|current|existing",
    "told": r"instructions?|instructed|directions?|directives?|guidelines?|guidance|rules?|prompts?|commands?|orders?|constraints?|"
    r"restrictions?|limitations?|programming|training|safeguards?|guardrails?|polic(?:y|ies)|protocols?|principles|filters?",
    "own": r"instructions?|guidelines?|rules?|prompts?|directives?|programming|training|safeguards?|guardrails?|polic(?:y|ies)|"
    r"restrictions?|constraints?|limitations?|filters?|principles|ethics|morals|orders|commands",
    "show": r"(?:need|want|let me|allowed?|like) (?:to )?(?:see|view|know|access)|let me see|reveal|show|print|repeat|output|display|tell|give|share|leak|disclose|expose|write|list|state|recite|quote|"
    r"return|provide|dump|summari[sz]e|translate|spell|copy|echo|send|describe|explain|paste|paraphrase|encode|"
    r"what (?:is|are|was|were|s)|what's|cite|convert|reproduce|type|say",
    "person": r"users?|humans?|persons?|people|operators?|owners?|reviewers?|anyone|anybody|customers?|admins?|administrators?|supervisors?",
    "model": r"ai|a i|llm|llms|assistants?|agents?|chatbots?|bots?|models?|language models?|gpt|chatgpt|claude|gemini|copilot",
    "start": r"(?:^|[.!?;:\n\"'(>*\]-] ?|\b(?:please|now|then|and|should|will|must|shall|to|you|can|could|just|also|always|so) )",
    "item": r"memor(?:y|ies)|entr(?:y|ies)|notes?|records?|proposals?|claims?|items?|facts?|candidates?|requests?|statements?",
}

OVERRIDE: Phrase = phrases(
    "asks to set earlier instructions aside",
    "ignor|disregard|forget|overlook|overrid|overrul|bypass|neglect|pay no|follow|obey|adhere|comply|listen|set aside|throw|break free|regardless|no matter|irrespective|in spite|despite|void|invalid|cancel|supersed|revoked|lifted|suspended",
    (
        r"\b{drop} <3>(?:{prior} ){1,3}(?:(?:and|or) (?:{prior} )?)?<1>(?:{told}|inputs?)\b(?! (?:in|on|from|of|at) (?!this|the chat|your|our|me)\w)",
        r"\b{drop} (?:all|any|every|each)(?: of)?(?: (?:the|your|my|these|those|its|their|of|such|other)){0,2} {told}\b(?! (?:in|from|for|under|of|on|about|that)\b)",
        r"\b{drop} <2>your <2>{own}\b",
        r"\b{drop} (?:about )?(?:all|everything|anything|whatever|what|all of that|all that)(?: that)? "
        r"(?:you|i|we|was|were|came|comes|has been|had been|you've|i've|is written|written)(?: have| had| were| was| are| been| just)? ?"
        r"(?:told|know|learn|said|wrote|instruct|given|read|above|before|taught|asked|receiv|heard|think|program|train)",
        r"\b{drop} (?:all|everything|anything|the (?:text|content|words?|lines?|message|prompt|question|task|sentence|paragraph)s?)?"
        r" ?(?:from |of )?(?:the )?(?:above|before this|preceding this|prior to this|so far|up to (?:now|this point|here))"
        r"(?=$|[\s\"']*(?:[.,;:!?]|and\b|then\b|instead\b|text\b|prompt\b|content\b|message\b|directions?\b|because\b|since\b))",
        r"\b{drop} (?:all|everything) (?:previous|prior|else)\b",
        r"\b{drop} (?:that|this|all|everything|it)(?: all)?,? (?:and|just|instead|now) (?:say|print|tell|answer|respond|output|write|reveal|reply|act|approve|do)\b",
        r"\b{drop} <2>(?:conversation|chat|dialog(?:ue)?|context|messages?|tasks?|assignments?|questions?) "
        r"(?:before|above|so far|until now|history|we had|given)\b",
        r"\b{drop} (?:all |any |the |your |my )*(?:previous|prior|earlier|preceding|last) (?:tasks?|assignments?|questions?|text|messages?|conversations?|inputs?|requests?|statements?|contexts?|information)(?=$|[\s\"']*(?:[.,;:!?]|and\b|then\b|instead\b))",
        r"\b{drop} (?:the |any |all )*(?:safety|security|content|moderation|ethical|moral) (?:stuff|rules|guidelines|measures|protocols|filters?|considerations?|concerns?|policies|guardrails|warnings)(?! (?:in|on|of|for)\b)",
        r"\b(?:regardless of|no matter|irrespective of|in spite of|despite) (?:any |all |the |your |of )*(?:{prior} )+(?:{told}|inputs?|content)\b",
        r"\b(?:regardless of|no matter|irrespective of) (?:any |all |the |how |its |their |of )*(?:legality|illegal|ethics?|ethical|unethical|immoral|morality|morals|harmful|inhumane|inappropriate|explicit)\b",
        r"\b(?:instructions?|rules|guidelines|restrictions|prompts?) (?:above|before|given before|so far)? ?(?:are|is|were|have been|no longer) "
        r"(?:now )?(?:void|invalid|cancel(?:l)?ed|null|obsolete|superseded|over(?:ridden)?|lifted|suspended|revoked|fake|apply|a test|wrong|irrelevant)\b(?=.{0,40}\b(?:you|now|new|follow|instead)\b)",
    ),
    _GROUPS,
)

ROLE: tuple[Phrase, ...] = (
    phrases(
        "gives the model another role",
        "you are|you're|you will|your new|your real|your true|your only|your next|your secret|reply|respon|answer|now act|now run|in error|offline|not functioning|act as|acts |act like|acting as|behave|pretend|roleplay|role-play|role play|the role|persona|simulat|imagine|"
        "in character|from now on|from here on|from this|impersonat|identify as|embody|henceforth",
        (
            r"\b(?:you are|you're|you will be|you shall be|you become|consider yourself) (?:now|no longer|from now on|hereby|henceforth|officially) (?:to )?"
            r"(?:be )?(?:a|an|the|in \w+ mode|dan|called|named|known|free|acting|going to (?:act|be|play|pretend|answer|ignore)|unrestricted|unfiltered|jailbroken|my|"
            r"evil|operating|under|running|bound|required to|allowed to|able to say|able to do any|permitted|authori[sz]ed|restricted|an? ai|root|admin|administrator|sudo|god|connected)\b(?! (?:on call|member|owner of|maintainer))",
            r"\b(?:you are|you're) (?:not )?(?:an? |the )?<2>(?:{model}|character|persona|hacker|villain|dan|genie|pirate|terminal|interpreter|simulator)\b(?=[^.!?]{0,60}\b(?:who|that|which|with no|without|named|called|and (?:you )?(?:will|must|can|always|never)|designed|trained|created|you (?:will|must|can|always|never|have)|your)\b)",
            r"{start}(?:act|behave|respond|answer|reply|speak|talk|write|function|operate|work) (?:only |exactly |solely |just )?(?:as if|as though) (?:you|i)\b",
            r"{start}(?:behave|respond|answer|reply|speak|talk|function|operate|work|acts) (?:only |exactly |solely |just |now )?(?:as|like) (?:if you|a|an|my|the|our|dan|gpt|both|two) ?"
            r"<2>(?:{model}|character|persona|hacker|villain|person|human|terminal|interpreter|console|expert|advisor|professional|translator|teacher|doctor|lawyer|consultant|developer mode|machine|compiler|engine|girlfriend|boyfriend|friend|grandmother|grandma|author|writer|poet|comedian|pirate|detective|therapist|coach|journalist|linux|shell|sql|dan)\b",
            r"(?:^|[.!?;:\n\"] ?|\b(?:please|now you|you (?:should|will|must|shall|can|now|to)|you are (?:going )?to|you're (?:going )?to|let's|and) )act (?:only |exactly |solely |just |now )?(?:as|like) (?:if you|a|an|my|the|our|two|dan|gpt|chatgpt)\b(?! (?:fallback|backup|second pair|proxy|buffer|single|last resort|safeguard|gate|bridge|central|default|contact|point|liaison|primary|quorum|cache|reverse))",
            r"\b(?:i want|i need|i would like|i'd like|i will ask|want) you to (?:act|play|pretend|be|become|behave|imagine|simulate|role ?play|impersonate|assume|take on|reply only|answer only|respond only|only (?:reply|respond|answer)|ignore|forget|disregard|repeat|reveal)\b",
            r"{start}(?:let's |let us |we will |we are going to )?(?:pretend|imagine|suppose|assume|fantasi[sz]e)(?: that)? (?:to be|that you|you are|you're|you have|you can|you do|you will|we are in|being|you)\b",
            r"{start}(?:role ?play|impersonate|simulate|embody|emulate) (?:as |being |the )?(?:a|an|the|my|two|this|as|dan|someone|persona|\w+ who)\b(?=.{0,80}\b(?:you|your|character|respond|answer|ai|unrestricted|without)\b)",
            r"\b(?:play|assume|take on|adopt|take) (?:on )?the (?:role|persona|identity|character|part) of\b(?=.{0,120}\b(?:you|your|answer|respond|ai|who)\b)",
            r"\b(?:stay|remain|never break|do not break|don't break|keep|always be) (?:in )?(?:your )?character\b",
            r"\b(?:from now on|from here on|from this (?:point|moment|message)(?: on(?:wards?)?| forward)?|henceforth|going forward|starting now),? (?:you|your) "
            r"(?:are|'re|only|will (?:be|act|answer|respond|reply|play|behave|speak|only|pretend|ignore|always|never|not|obey|follow|operate)|must (?:ignore|obey|follow|answer|comply|never refuse|always|act)|"
            r"shall|have no|may (?:answer|say|do)|can (?:answer|say|do) any|act|only answer|answer|respond|'re|name is|role is|task is|job is|goal is|responses? (?:will|must|should)|answers? (?:will|must|should))\b",
            r"\b(?:from now on|from here on|henceforth),? (?:answer|respond|reply|act|speak|talk|pretend|ignore|disregard|forget|obey|do not refuse|never refuse|end|start|begin)\b(?=.{0,60}\b(?:you|your|as|every|all|any|me|with|like|in)\b)",
            r"\byou(?: are|'re) no longer (?:an? |the )?(?:ai|chatgpt|gpt|bard|claude|gemini|assistant|language model|bot|chatbot|bound|restricted|limited|required|obliged|under)\b",
            r"\b(?:from now on|henceforth|until i say)\b[^.!?\n]{0,40}\byou(?: are|'re| will| shall|'ll) (?:in the role|role ?play|only|be|act|play|answer|respond|pretend)\b",
            r"\b(?:chatgpt|gpt|claude|gemini|copilot|bard|assistant) (?:now|from now on|will now|is now) (?:acts?|runs?|behaves?|responds?|answers?|plays?|pretends?|works as)\b",
            r"\bthe (?:assistant|ai|chatbot|bot|model) is (?:in error|offline|not functioning|no longer (?:active|available|functioning)|now replaced)\b",
            r"\b(?:reply|respond|answer) (?:only|solely|exclusively) as\b", r"\b(?:respond|reply|answer) as (?:both|dan|chatgpt|gpt|an unfiltered|the character|evil)\b",
            r"\byour (?:new|real|true|actual|only|next|sole|secret|primary|ultimate) (?:role|task|instructions?|name|goal|objective|identity|persona|job|purpose|mission|orders?|directives?|function|duty)\b",
        ),
        _GROUPS,
    ),
    phrases(
        "asks for an unrestricted mode",
        "do anything|dan|mode|restrict|filter|censor|jailb|limit|ethic|moral|refus|obey|comply|apolog|content polic|guardrail|unaligned|hypothetical|disclaimer|warnings|unethical|illegal|unlock|harmful|anything|whatever",
        (
            r"\bdo anything (?:now|ai)\b", r"\b(?:never|not|don't) refuse(?= ?(?:[,.!;]|$)| (?:any|my|users?|requests?|to answer|anything|the user))",
            r"\bno matter how (?:illegal|unethical|immoral|dangerous|harmful|inappropriate|reckless|offensive|explicit)\b",
            r"\b(?:immoral|unethical|amoral|illegal|inhumane)(?:,? (?:and|or|/)? ?(?:immoral|unethical|amoral|illegal|selfish|inhumane|inappropriate|harmful|dangerous))+\b(?=[\s\S]{0,300}\b(?:answers?|respon\w+|ai|character|persona|instructions?|requests?|dialogue|bot|you)\b)",
            r"\b(?:answers?|fulfil+s?|follows?|compl(?:y|ies) with|satisf(?:y|ies)|provides?|generates?|condones?) (?:all|any|every) (?:requests?|instructions?|questions?|prompts?|commands?|thing)\b(?=[^\n]{0,200}\b(?:illegal|unethical|amoral|without|no matter|regardless|harmful|refus\w+|restrict\w+|uncensored)\b)",
            r"(?:^|[^\w])developer mode (?:is )?(?:now )?(?:enabled|activated|on)\b(?=[:.! ])", r"\b(?:operating|running|working|you are) (?:now )?in (?:developer|dan|god|jailbreak|debug|maintenance|unrestricted|admin) mode\b(?=.{0,40}\b(?:you|must|need|and|display|show|:))",
            r"\bunlock (?:your |all |the )?(?:hidden|secret|full) (?:functionalit(?:y|ies)|features|capabilit(?:y|ies)|potential|mode)\b", r"\bno limits ai\b",
            r"\b(?:promote|encourage|condone)s? (?:and \w+ )?(?:harmful|illegal|immoral|unethical) (?:behaviou?r|activit(?:y|ies)|acts?|advice|content)\b",
            r"\b(?:dan|developer|god|jailbreak|jailbroken|opposite|evil|sudo|debug|unrestricted|unfiltered|admin|maintenance|stan|dude|chaos|anarchy|root|test(?:ing)?|diagnostic) mode (?:is )?(?:now )?(?:enabled|activated|engaged|output|unlocked|active|initiated|on\b)(?=.{0,80}\b(?:you|your|no|all|restrictions|respond|answer|ignore)\b)",
            r"\b(?:you are|you're|enter|entering|enable|activate|switch to|in|into) (?:now )?(?:in |a |the |your )?(?:dan|god|jailbreak|jailbroken|opposite|evil|sudo|unrestricted|unfiltered|uncensored|no limits?) mode\b",
            r"\b(?:you|it|that|who|which|ai|dan|model|bot|assistant) <3>(?:has|have|having|with|without|free of|free from|no longer (?:have|bound by)|is not bound by|are not bound by|not bound by|not restricted by|not limited by|unbound by|bypass(?:es)?|ignores?) "
            r"(?:any |all |no |the |your |its |of )*(?:(?:ethical|moral|content|safety|legal|openai|usual|typical|built in) )*(?:or (?:ethical|moral|legal) )?(?:restrictions?|limitations?|limits|filters?|censorship|guidelines|guardrails|boundaries|constraints|rules|morals|ethics|policies)\b(?=.{0,200}\b(?:answer|respond|respon|say|generate|you|will|must|can|anything|any)\b)",
            r"\b(?:without|with no|no) (?:any )?(?:ethical|moral|censorship|content|safety) (?:restrictions?|limitations?|limits|filters?|guidelines|guardrails|boundaries|constraints|considerations?|warnings|disclaimers?|or moral)",
            r"\b(?:answer|respond|respon(?:se|d)s?|reply|comply|speak|write|act|generate|operate) <4>(?:without|with no|free of|free from) (?:any )?(?:restrictions?|limitations?|limits|filters?|censorship|censoring|refus(?:al|ing)|warnings?|disclaimers?|morals?|hesitation|question)\b",
            r"\b(?:unfiltered|uncensored|unrestricted|unaligned|amoral|jailbroken|unlimited) (?:and \w+ )?(?:{model}|respon(?:se|d)\w*|answers?|chat|version|persona|language|mode|entity|being|power)",
            r"\b(?:you|it) (?:must|will|shall|can|should|are to|have to|never|do not|don't|cannot|can't|are not allowed to|may not) (?:always |never |not )?(?:refuse|decline|reject|say no|apologi[sz]e|obey|comply|say (?:that )?you (?:can't|cannot))\b(?=.{0,80}\b(?:me|request|answer|command|order|anything|any|user|my|question|instruction|every)\b|[.!]|$)",
            r"\b(?:never|do not|don't) (?:refuse|decline) (?:to (?:answer|comply|respond)|any|a request|anything|my)",
            r"\b(?:hypothetical|fictional) (?:response|story|scenario|world)\b(?=.{0,160}\b(?:no|without|any|unethical|illegal|morals?|ethics|restrictions|amoral|character|named)\b)",
            r"\b(?:can|could|will|able to|allowed to|free to) (?:say|do|answer|generate|write|output) (?:anything|whatever|any(?:thing)? (?:question|request|content))\b(?=.{0,80}\b(?:restriction|limit|filter|rules|want|policy|ethic|moral|ask|without|no)\w*)",
            r"\b(?:any|every) (?:request|question)s? without (?:any )?(?:limits?|restrictions?|filters?)\b",
        ),
        _GROUPS,
    ),
)

PROMPT: Phrase = phrases(
    "asks for the model's prompt or secrets",
    "prompt|instruct|guideline|rules|above|told|message|password|secret|before this|configuration|api key|token|context window|init",
    (
        r"\b{show} <4>(?:your|the|this|its|any|full|entire|exact|complete|original|initial|hidden|secret|all) <3>(?:system|initial|original|hidden|secret|starting|developer|internal|pre|base|first|master|previous|preceding|above) ?(?:prompt|instructions?|message|configuration|directives?|guidelines|text|rules)\b",
        r"\b{show} <3>(?:your|ur) <2>(?:prompt|instructions?|guidelines|directives|programming|rules|context window|training data|initial message|first message|system configuration|starting (?:text|message)|secret(?:s| key| code| word)?|password|api key|credentials)\b",
        r"\b{show} <3>(?:the )?(?:prompt|instructions|message|text|words|content|conversation|sentences?|paragraphs?|everything|all|lines?|documents?) <2>(?:above|you were given|you (?:have )?received|before this|preceding this|given to you|you got|you start(?:ed)? with|at the (?:beginning|start|top) of (?:this|the|our)|so far)\b",
        r"\b{show} (?:me )?(?:the )?(?:system prompt|initial prompt|hidden prompt|original prompt|secret prompt|(?:hidden |secret )?developer message|initialization string)\b(?!\w| (?:in|for|when|is|at|from the) )",
        r"\b(?:repeat|print|output|recite|write out|copy|display) (?:me )?(?:all (?:of )?)?(?:the )?(?:above (?:text|prompt|instructions|message|words|content|conversation|paragraphs?)|(?:text|words|content|message)s? above)\b",
        r"\bwhat are you not (?:supposed|allowed|permitted) to\b", r"\b(?:starting|beginning) with ['\"]?you are['\"]?",
        r"\b(?:repeat|recite|go line by line)\b[^.!?\n]{0,80}\b(?:back to me|above this message|word for word)\b(?=[^.!?\n]{0,40}(?:conversation|word|you|$|start))",
        r"\bwhat (?:were|are|have) you (?:been )?(?:told|instructed|asked|programmed|not (?:supposed|allowed))\b",
        r"\bwhat (?:is|was|are|were|does) (?:written|said|stated|your prompt say|the (?:text|prompt|sentence|instruction)s?|your prompts?|your (?:instructions|rules|initial|system|first|original)) ?(?:above|before|at the|instructions?|prompt|message|say|$|\?)",
        r"\b(?:the|your|that) (?:system )?(?:prompt|instructions?|password|secret|key)s? (?:word for word|verbatim|in full|letter by letter|backwards?|in base64|reversed|character by character|exactly as)\b",
        r"\b(?:repeat|recite|print|output) <4>(?:word for word|verbatim)\b(?=.{0,80}\b(?:above|prompt|instructions|you|conversation)\b|.{0,10}$)",
        r"\b(?:start|begin)(?:ning)? (?:your (?:answer|response|reply) )?with (?:the words? |the phrase )?you are\b",
        r"\b{show} <4>(?:from|in|of) your (?:context(?: window)?|memory|system prompt|instructions|prompt|hidden|knowledge base|training)\b",
    ),
    _GROUPS,
)

SILENCE: Phrase = phrases(
    "asks for silence towards people",
    "tell|inform|mention|notif|reveal|disclos|alert|let |know|hide|keep |secret|ask|without|conceal|say ",
    (
        r"\b(?:do not|don't|never|must not|should not|without) (?:ever )?(?:tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning|let|mention|mentioning|reveal|revealing|disclose|disclosing|say|show|showing) "
        r"<3>(?:the |any |a |your |to )*{person} (?:know )?<1>(?:about|of|that|why|anything|you|this|these|it|what|when you)\b(?! (?:stock|price|delivery|internal))(?=.{0,40}\b(?:this|these|note|memory|message|instruction|it|change|entry|step|you|anything|email|transfer|action|happened|did)\b)",
        r"\b(?:do not|don't|never|must not|should not|without) (?:ever )?(?:mention|mentioning|reveal|revealing|disclose|disclosing|discuss|discussing|report|reporting|show|showing|tell|telling|acknowledge|share|repeat|talk about|say) "
        r"(?:anything |a word |any of )?(?:about )?(?:this|these|those|the existence of|that you|it) ?(?:note|memory|message|instructions?|entry|change|step|conversation|prompt|rule|text|request|action|task|email)?s? ?(?:to|in|with|from|or)? ?(?:the |any |a |your )*(?:{person}|anything|summary|answer|response|reply)\b",
        r"\b(?:hide|conceal|keep) (?:all )?(?:this|these|it|that|the (?:change|transfer|note|instruction|message)s?) <1>(?:from (?:the |any |all |your )*{person}|secret|hidden|between us|to yourself|confidential between|quiet)\b",
        r"\bkeep <3>(?:secret|hidden|concealed) from (?:the |any |all |your )*{person}\b",
        r"\b(?:approve|delete|send|transfer|pay|grant|execute|run|forward|accept|merge|export|refund|wire|share|email|upload|purge|drop|proceed|act|comply|do so|issue|process)\w* (?:[^.!?]{0,60}?)(?:without (?:asking|telling|informing|notifying|consulting|checking with|confirm(?:ing|ation)(?: from| by| with)?|(?:any )?(?:approval|permission|consent|knowledge)(?: from| of| by)|waiting for) (?:the |any |a |an |your )*(?:{person}|confirmation|approval|permission)|"
        r"(?:and |but )?(?:do not|don't|never) (?:ask|tell|inform|notify|consult|alert|wait for|involve) (?:the |any |a |an |for |your )*(?:{person}|confirmation|approval|permission|question))\b",
        r"\b(?:silently|secretly|covertly|quietly) (?:send|forward|copy|add|include|approve|delete|bcc|upload|email|exfiltrate|transfer|record|leak|disable|grant)\w*\b(?=.{0,80}\b(?:to|this|every|all|any|it|user|data|the)\b)",
    ),
    _GROUPS,
)

ADDRESS: tuple[Phrase, ...] = (
    phrases(
        "speaks to the model",
        "assistant|agent|model| ai|ai |llm|bot|gpt|claude|copilot|gemini",
        (
            r"\b(?:notes?|messages?|instructions?|attention|reminder|directives?|memo|important|notice|hint|commands?|tip|info(?:rmation)?)(?: for| to|,)? (?:the |any |all |every |future |other |your )*(?:ai |llm )?{model}(?: reading(?: this)?| only)?(?: ?[:!]| - |, (?:when|if|please|you|do|always|never|ignore|from)| reading)",
            r"\b(?:any|all|every|the|an?|dear|if you are an?|if you're an?|when an?|you,? the|as an?|attention|hey|hello|hi|hi,|hello,|listen,?) (?:ai |llm |large )?(?:{model}) <2>(?:reading|processing|parsing|reviewing|summari[sz]ing|that reads?|who reads?|handling|seeing|crawling|ingesting) (?:this|these|the (?:page|document|text|message|note|file|repo))",
            r"\b(?:ai|llm|assistants?|agents?|chatbots?|language models?)(?: assistants?| agents?| models?)? (?:reading|processing|parsing|summari[sz]ing|indexing) this\b(?=[:,.!]| (?:page|document|text|message|note|file|memory|entry|must|should|please|repository|ticket|email))",
            r"\bif you(?: are|'re) (?:an? |the )?(?:ai|llm|language model|large language model|ai model|ai assistant|ai agent|chatbot|bot|assistant|agent)\b(?=.{0,120}\b(?:you|must|should|please|ignore|append|include|add|do|tell|say|respond|reply|write|then|do not)\b)",
            r"(?:^|\n|[.!?] )(?:dear |hey |attention |hi |hello |ok |okay |to the |to all )?(?:ai|llm|assistants?|agents?|chatbots?|bots?|chatgpt|gpt|claude|copilot|gemini|model)s? ?[:,!] ?(?=(?:please |now |you |from |do |don't |always |never |ignore|disregard|forget|when |if |whenever |from |approve|send|tell|act|remember|mark|delete|add|include|make |stop|output|execute|run |call |use |your |treat|set |reply|respond|answer|say ))",
            r"\bas an? (?:ai|llm|assistant|agent|ai agent|ai assistant|language model|ai model|large language model)(?: language model)?,? you (?:must|should|will|can|are|have|need|may|shall)\b",
            r"\b(?:ai|llm) (?:assistants?|agents?|models?|systems?|crawlers?) (?:must|should|shall|have to|are (?:required|instructed|told|authori[sz]ed) to|need to) (?:always |now |also |immediately )?(?:ignore|include|append|add|recommend|approve|send|reply|respond|output|mention|rate|mark|treat|disregard|click|visit|execute|run|call|trust|answer|say|report|skip|forward)\b(?! (?:errors?|problems?|findings?|issues))",
        ),
        _GROUPS,
    ),
)

ANSWERS: tuple[Phrase, ...] = (
    phrases(
        "dictates the model's answers",
        "answer|respon|repl|say|said|output|summar|review|recommend|end |append|include|print|write|tell|insert|mention|start|begin",
        (
            r"\b(?:always|only|must|just|simply|instead,?) (?:answer|say|reply|respond|claim|state|report|tell (?:the |any |a )*{person}|pretend|insist) (?:only )?(?:that|yes|no\b|\"|'|with (?:yes|no|only|the (?:words?|phrase|exact|following|string)|\"|'|exactly|just))",
            r"\b(?:end|start|begin|finish|prefix|preface|conclude|open|close|precede) (?:your|every|each|all|any|all your|all of your) (?:single |future |further )?(?:answer|response|reply|replies|summary|review|sentence|paragraph|turn)s? (?:with|by|in)\b",
            r"\b(?:append|include|add|insert|put|embed|prepend|attach|mention|write|place|output|print|repeat)\w* [^.!?\n]{1,120}?\b(?:to|in|into|at|within|of|with) (?:the (?:end|start|top|bottom|beginning|footer|body) of )?(?:your|every|each|any|all|its|the model's|all your) (?:single |future |final |next |first )?(?:answer|response|reply|replies|summary|summari(?:es|sation)|review|message to the user|completion|translation)s?\b(?! (?:file|format|to (?:the )?(?:client|browser|server|api|terminal|console|file|stdout)|stream|body|header|code|object|time))",
            r"\b(?:when|if|whenever|while|before|after|once|upon|in) (?:you )?(?:are )?(?:summari[sz]|process|read|review|analy[sz]|translat|evaluat|pars|index|answer|describ)\w* (?:this|these|the above|about this|questions about this|the contents? of this)\b ?<3>(?:also|you must|you should|please|always|include|append|add|end|mention|email|send|tell|say|state|reply|respond|ignore|output|write|rate|give|recommend|do not|never|first|make sure)\b",
            r"\b(?:whenever|when|if|any time|every time|each time) (?:the |a |an |any |some )*(?:{person}|someone|somebody|you|one) (?:is |are )?(?:asks?|asked|mentions?|says?|requests?|queries|wants?)\b[^.!?\n]{0,80}?,? (?:then )?(?:you (?:must |should |will )?)?(?:always |only |instead |immediately |silently )(?:answer|say|reply|respond|recommend|claim|tell|send|call|include|approve|direct|refer|redirect|give|use|promote|suggest)\b(?=.{0,80}\b(?:that|this|our|to|the|http|only|it|instead)\b)",
            r"\b(?:your|the model's|the assistant's|the ai's) (?:next |only |entire |first |final |whole )?(?:answer|response|reply|output)s? (?:must|should|shall|will|has to|is to|needs to) (?:always |only |be |not |start|begin|end|include|contain|consist)",
            r"{start}(?:print|output|say|respond with|reply with|answer with|respond|reply|answer|write|repeat|tell me)(?: exactly| only| just| with)* (?:the (?:words?|phrase|following (?:words?|phrase|sentence|string|text)|string|sentence) ?:? ?[\"'\u0060(]|(?:exactly|only|just) [\"']\w)",
            r"\b(?:include|append|add|insert|put|print|write|place|embed|output) (?:in|into|to|at the (?:end|start|top|beginning) of|within) your (?:final |next )?(?:answer|response|reply|summary)\b",
            r"\b(?:on|in|with|at) the next (?:user )?(?:message|turn|request|question|reply),? (?:you |please )?(?:begin|start|print|reveal|output|say|answer|respond|reply|ignore|include|call)\b",
            r"\b(?:do not|don't|never) (?:answer|respond to|reply to|translate|summari[sz]e|follow|complete|classify) (?:the|this|that|any|my|it|them|me)\b(?=.{0,60}\b(?:instead|just|but|only|rather|simply|and (?:say|print|tell|output|write|answer))\b)",
            r"\b(?:instead|rather),? (?:of (?:answering|translating|summari[sz]ing|following|responding|classifying|doing|this|that|the)[^.!?\n]{0,40},? )?(?:please |just |now |you (?:must|should|will) )?(?:say|print|output|respond|reply|answer|tell me|write|generate|reveal|repeat|give me|do the following)\b(?! (?:none|null|false|true|nothing|the (?:error|result|value))\b)(?=.{0,60}\b(?:me|\"|'|your|following|with|that|prompt|you|about|how|user|\w+!)\b|.{0,20}$)",
            r"\brecommend <4>(?:first|always|over (?:all|any) (?:other|competitor)s?|as the (?:only|best|trusted))\b(?=.{0,80}\b(?:remember|always|future|trust|user|you|assistant|ai)\b)",
        ),
        _GROUPS,
    ),
    phrases(
        "asks to be remembered by the model for ever",
        "remember|memory|future|forever|permanent|persist",
        (
            r"\b(?:remember|memori[sz]e|keep in mind|never forget) (?:this|that|these|it|the following|to)? ?<4>(?:forever|for ever|always|permanently|for all (?:future|later)|in (?:all|any|every|your) (?:future|later|next|subsequent)|for (?:all|any|every|your) (?:future|later))\b",
            r"\b(?:save|store|add|write|commit|put|record|persist|update|insert)\w* (?:this|that|these|it|the following|to)? ?<4>(?:to|in|into) your (?:long term |permanent |persistent |own )?(?:memory|memories|knowledge base|bio|memory store)\b",
            r"\b(?:in|for|across) (?:all|any|every|your) (?:future|later|subsequent|other|next) (?:conversations?|sessions?|chats?|responses?|answers?|interactions?|replies|tasks?)\b(?=.{0,80}\b(?:you|always|must|recommend|treat|trust|prefer|say|answer|use|ignore)\b)",
            r"\b(?:always|must) <4>(?:trust|treat|regard|consider|cite|prefer) [^.!?\n]{1,60} (?:as|to be) (?:an? |the )?(?:trusted|authoritative|reliable|verified|safe|credible|only)\b(?=.{0,60}\b(?:source|site|citation|memory|user|answer|future|recommend)\b)",
        ),
        _GROUPS,
    ),
)

PASSING: Phrase = phrases(
    "wants to pass the review",
    "approv|review|verif|trusted|safe|pre-|privilege|grant|safety|moderation|guardrail|confirm",
    (
        r"\b(?:approve|accept|confirm|verify|trust|auto ?approve|rubber ?stamp|whitelist|merge) (?:all|every|any|each|this|these|it|everything|everyone|whatever)\b ?(?:of )?(?:the |these |those )?(?:waiting |pending |queued |open |future |other |held |new |remaining |memory |fact )*(?:{item}|(?:that|which|what) (?:is|are) (?:waiting|pending|in the queue)|at once|immediately|automatically|without)\b",
        r"\bapprove (?:it|them|this|that|these|all) (?:at once|immediately|right away|automatically|now|without)\b",
        r"\b(?:mark|flag|label|treat|store|set|tag|record|classify|consider|rate|report|count) <1>(?:this|it|these|that|the|all|every|any|each|your) ?(?:waiting |pending |new )?(?:{item}|content|text|message|document|file|pr|answer|code|output)?s? ?(?:as|to be|to) (?:already )?(?:been )?(?:approved|verified|trusted|reviewed|safe|authoritative|high trust|confirmed|pre ?approved|legitimate|benign|clean|passed|certain)\b",
        r"\b(?:skip|bypass|disable|turn off|evade|avoid|circumvent|omit|ignore) (?:all |any |the |this |your |every |its )*(?:human |manual |security |safety |memory |further |reviewer(?:'s)? |usual |content )*(?:reviews?|reviewers?|verification|moderation|guardrails?|safety (?:filters?|checks?|measures?|guidelines?|settings?)|content (?:filters?|policy)|safeguards?|approval (?:step|process|queue)|reviewer guidelines)\b(?=.{0,60}\b(?:this|entry|memory|note|proposal|it|and approve|approve|you|your|for (?:this|these|all)|queue)\b|[.!]?$)",
        r"\b(?:grant|give|assign) (?:me|yourself|this (?:user|agent|account|token)|the (?:user|caller|sender)|us|him|her|them) <3>(?:admin|administrator|root|full|elevated|unrestricted|owner|write|superuser|sudo) ?(?:access|rights|privileges?|permissions?|role|control)?\b",
        r"\b(?:grant|give) (?:temporary |full |permanent )?(?:administrative|admin|root|administrator|superuser) (?:privileges?|access|rights|permissions?)(?: and|[.,;:!])",
        r"\bgrant all (?:requests?|access|permissions?)\b",
        r"\bno (?:\w+ )?(?:review|approval|verification|confirmation|reviewer) (?:is |was |are )?(?:needed|required|necessary) (?:for|on) this (?:{item}|text|one)\b",
    ),
    _GROUPS,
)

MARKERS: Phrase = phrases(
    "poses as a system message or a new prompt",
    "system|instruction|prompt|override|end of|begin|admin|important|user input|new task|directive|developer|decod|decrypt|translate|unscramble|decipher|rot13|unhex|execute|before respond|before reply|before answer|before you|orders|rules|follow|summari|assistant|actually|nevermind|never mind|stop|hold on|wait",
    (
        r"(?:^|\n|[#*\[<=>-]{1,4} ?)(?:new |updated |important |urgent |critical |real |actual |your new |your |hidden |secret )*(?:system )?(?:instructions?|directives?|prompts?|orders|task) ?[\])>*#=]{0,4} ?:(?=.{0,200}\b(?:you|ignore|disregard|forget|always|must|approve|send|respond|answer|reveal|output|say|do not|print|tell|call|delete|grant|include)\b)",
        r"\b(?:end|end of|stop|close) (?:of )?(?:the )?(?:system |user |original )?(?:prompt|instructions|document|context|user input|input|conversation|message|text|data|query)s? ?(?:[\])>*#=-]{1,}|[.:!])(?=[\s\S]{0,120}\b(?:new|system|now|ignore|instructions?|you|user|assistant|begin|start)\b)",
        r"\b(?:admin(?:istrator)?|system|security|developer|root|emergency|master|authority) (?:override|overwrite|bypass)(?: code| mode| accepted| engaged| command)? ?[:;!,-](?=.{0,120}\w)",
        r"\b(?:here are|these are|you (?:now )?have|there are|follow|obey|execute|receive|i (?:have|am giving you)) (?:your |the |these |some |only )*(?:new|real|actual|updated|following|secret|true) (?:set of )?(?:instructions?|orders|rules|directives|guidelines|tasks?)\b(?=.{0,120}\b(?:you|ignore|answer|respond|say|always|never|and|:)\b)",
        r"<!--[^>]{0,200}\b(?:ignore|you (?:must|should|are)|assistant|summari[sz]|ai |instruction|always|approve|do not tell|respond|system)\b",
        r"(?:^|\n|-{3,}|#{2,})\s*system ?: ?<2>(?:you|the user|ignore|grant|disregard|forget|override|reveal|approve|from now|all|new instructions)\b",
        r"\b(?:decode|decrypt|translate|unscramble|decipher|deobfuscate|apply|rot13|unhex|read)\b[^.!?\n]{0,80}\b(?:and|then|,)\b[^.!?\n]{0,24}\b(?:execute|follow|obey|comply|do (?:exactly )?(?:what|as) (?:it|they)|carry out|act on|run it|answer it)\b",
        r"\b(?:call|run|use|invoke|execute)\b(?:[^.!?\n]|\.(?=\w)){0,80}\bbefore (?:responding|replying|answering|you (?:reply|respond|answer))\b",
        r"\b(?:begin|start) (?:of )?(?:the )?(?:system prompt|new instructions?|admin session|system message|developer message)\b",
        r"\b(?:stop|wait|hold on|actually|scratch that|nevermind|never mind|no),? (?:everything|all|forget|ignore|instead)\b(?=.{0,60}\b(?:new|now|you|answer|say|task|question|i want|just)\b)",
        r"\b(?:the )?(?:new|following|next) (?:task|request|question) (?:is|for you)\b(?=.{0,20}[:,])",
    ),
    _GROUPS,
)

SHOUTED: tuple[Phrase, ...] = (
    phrases(
        "poses as a system message",
        "SYSTEM|ADMIN|IMPORTANT|URGENT|DEVELOPER|ASSISTANT|OVERRIDE|INSTRUCTION",
        (r"(?:^|[^A-Za-z])(?:SYSTEM|ADMIN|DEVELOPER|ASSISTANT|ROOT|SECURITY)[ _-](?:NOTE|OVERRIDE|PROMPT|INSTRUCTIONS?|COMMAND|DIRECTIVE|MESSAGE|NOTICE|UPDATE|ALERT|MODE|ORDER)S?\b ?[\])>*]{0,3}[:\]!-]",),
    ),
    phrases(
        "poses as a new instruction",
        "INSTRUCTION|OVERRIDE|DIRECTIVE|PROMPT",
        (r"(?:^|[^A-Za-z])(?:NEW|IMPORTANT|URGENT|CRITICAL|UPDATED|SPECIAL)(?:[ _-](?:NEW|IMPORTANT|SYSTEM))?[ _-](?:INSTRUCTIONS?|DIRECTIVES?|PROMPT|ORDERS?)\b",),
    ),
)
"""Matched on the text as it is: capitals are what marks them."""

ENGLISH: tuple[Phrase, ...] = (OVERRIDE, *ROLE, PROMPT, SILENCE, *ADDRESS, *ANSWERS, PASSING, MARKERS)
