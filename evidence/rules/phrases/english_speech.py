"""Instruction-like English that speaks to the model: addresses it, dictates its answers, asks for its silence.

Rules for people ("do not tell customers a delivery hour") are ordinary; what hides the note itself is not.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

SILENCE: Phrase = phrases(
    "asks for silence towards people",
    (
        (
            r"\b(?:do not|don't|never|must not|should not) (?:ever )?(?:mention|reveal|disclose|discuss|repeat|quote|"
            r"show|report) (?:anything |a word )?(?:about |of )?(?:this|these) (?:note|memory|message|instruction|"
            r"entry|prompt|rule)s?\b"
        ),
        (
            r"\b(?:do not|don't|never|must not|should not|without) (?:ever )?(?:tell|telling|inform|informing|"
            r"notify|notifying|alert|alerting|warn|warning|let|mention|mentioning|reveal|revealing|disclose|"
            r"disclosing|say|show|showing) "
            r"<3>(?:the |any |a |your |to )*{person} (?:know )?<1>(?:about|of|that|why|anything|you|this|"
            r"these|it|what|when you)\b(?! (?:stock|price|delivery|internal))(?=.{0,40}\b(?:this|these|note|"
            r"memory|message|instruction|it|change|entry|step|you|anything|email|transfer|action|happened|"
            r"did)\b)"
        ),
        (
            r"\b(?:do not|don't|never|must not|should not|without) (?:ever )?(?:mention|mentioning|reveal|"
            r"revealing|disclose|disclosing|discuss|discussing|report|reporting|show|showing|tell|telling|"
            r"acknowledge|share|repeat|talk about|say) "
            r"(?:anything |a word |any of )?(?:about )?(?:this|these|those|the existence of|that you|"
            r"it) ?(?:note|memory|message|instructions?|entry|change|step|conversation|prompt|rule|text|"
            r"request|action|task|email)?s? ?(?:to|in|with|from|or)? ?(?:the |any |a |your )*(?:{person}|"
            r"anything|summary|answer|response|reply)\b"
        ),
        (
            r"\b(?:hide|conceal|keep) (?:all )?(?:this|these|it|that|the (?:change|transfer|note|instruction|"
            r"message)s?) <1>(?:from (?:the |any |all |your )*{person}|secret|hidden|between us|to yourself|"
            r"confidential between|quiet)\b"
        ),
        r"\bkeep <3>(?:secret|hidden|concealed) from (?:the |any |all |your )*{person}\b",
        (
            r"(?:{start}|, )(?:approve|delete|send|transfer|pay|grant|execute|run|forward|accept|merge|"
            r"export|refund|wire|"
            r"share|email|upload|purge|drop|proceed|act|comply|do so|issue|"
            r"process) (?:[^.!?]{0,60}?)(?:without (?:asking|telling|informing|notifying|consulting|"
            r"checking with|confirm(?:ing|ation)(?: from| by| with)?|(?:any )?(?:approval|permission|"
            r"consent|"
            r"knowledge)(?: from| of| by)|waiting for) (?:the |any |a |an |your )*(?:{person}|"
            r"confirmation|"
            r"approval|permission)|"
            r"(?:and |but )?(?:do not|don't|never) (?:ask|tell|inform|notify|consult|alert|wait for|"
            r"involve) (?:the |any |a |an |for |your )*(?:{person}|confirmation|approval|permission|"
            r"question))\b"
        ),
        (
            r"\b(?:silently|secretly|covertly|quietly) (?:send|forward|copy|add|include|approve|delete|bcc|"
            r"upload|email|exfiltrate|transfer|record|leak|disable|grant)\w*\b(?=.{0,80}\b(?:to|this|every|"
            r"all|any|it|user|data|the)\b)"
        ),
    ),
    GROUPS,
)

ADDRESS: tuple[Phrase, ...] = (
    phrases(
        "speaks to the model",
        (
            (
                r"\b(?:notes?|messages?|instructions?|attention|reminder|directives?|memo|important|notice|"
                r"hint|commands?|tip|info(?:rmation)?)(?: for| to|,)? (?:the |any |all |every |future |other |"
                r"your )*(?:ai |llm )?{model}(?: reading(?: this)?| only)?(?: ?[:!]| - |, (?:when|if|please|"
                r"you|do|always|never|ignore|from)| reading)"
            ),
            (
                r"\b(?:any|all|every|the|an?|dear|if you are an?|if you're an?|when an?|you,? the|as an?|"
                r"attention|hey|hello|hi|hi,|hello,|listen,?) (?:ai |llm |large )?(?:{model}) <2>(?:reading|"
                r"processing|parsing|reviewing|summari[sz]ing|that reads?|who reads?|handling|seeing|crawling|"
                r"ingesting) (?:this|these|the (?:page|document|text|message|note|file|repo))"
            ),
            (
                r"\b(?:ai|llm|assistants?|agents?|chatbots?|language models?)(?: assistants?| agents?|"
                r" models?)? (?:reading|processing|parsing|summari[sz]ing|indexing) this\b(?=[:,.!]| (?:page|"
                r"document|text|message|note|file|memory|entry|must|should|please|repository|ticket|email))"
            ),
            (
                r"\bif you(?: are|'re) (?:an? |the )?(?:ai|llm|language model|large language model|ai model|"
                r"ai assistant|ai agent|chatbot|bot|assistant|agent)\b(?=.{0,120}\b(?:you|must|should|please|"
                r"ignore|append|include|add|do|tell|say|respond|reply|write|then|do not)\b)"
            ),
            (
                r"(?:^|\n|[.!?\]>*:-] )(?:dear |hey |attention |hi |hello |ok |okay |to the |to all )?(?:ai|llm|"
                r"assistants?|agents?|chatbots?|bots?|chatgpt|gpt|claude|copilot|gemini|"
                r"model)s? ?[:,!] ?(?=(?:please |now |you |from |do |don't |always |never |ignore|disregard|"
                r"forget|when |if |whenever |from |approve|send|tell|act|remember|mark|delete|add|include|"
                r"make |stop|output|execute|run |call |use |your |treat|set |reply|respond|answer|say ))"
            ),
            (
                r"\bas an? (?:ai|llm|assistant|agent|ai agent|ai assistant|language model|ai model|"
                r"large language model)(?: language model)?,? you (?:must|should|will|can|are|have|need|may|"
                r"shall)\b"
            ),
            (
                r"\b(?:ai|llm) (?:assistants?|agents?|models?|systems?|crawlers?) (?:must|should|shall|"
                r"have to|are (?:required|instructed|told|authori[sz]ed) to|need to) (?:always |now |also |"
                r"immediately )?(?:ignore|include|append|add|recommend|approve|send|reply|respond|output|"
                r"mention|rate|mark|treat|disregard|click|visit|execute|run|call|trust|answer|say|report|skip|"
                r"forward)\b(?! (?:errors?|problems?|findings?|issues))"
            ),
        ),
        GROUPS,
    ),
)

ANSWERS: tuple[Phrase, ...] = (
    phrases(
        "dictates the model's answers",
        (
            (
                r"\b(?:always|only|must|just|simply|instead,?) (?:answer|say|reply|respond|claim|state|report|"
                r"tell (?:the |any |a )*{person}|pretend|insist) (?:only )?(?:that|yes|no\b|\"|'|with (?:yes|"
                r"no|only|the (?:words?|phrase|exact|following|string)|\"|'|exactly|just))"
            ),
            (
                r"\b(?:end|start|begin|finish|prefix|preface|conclude|open|close|precede) (?:your|every|each|"
                r"all|any|all your|all of your) (?:single |future |further )?(?:answer|response|reply|replies|"
                r"summary|review|sentence|paragraph|turn)s? (?:with|by|in)\b"
            ),
            (
                r"\b(?:append|include|add|insert|put|embed|prepend|attach|mention|write|place|output|print|"
                r"repeat)\w* [^.!?\n]{1,120}?\b(?:to|in|into|at|within|of|with) (?:the (?:end|start|top|"
                r"bottom|beginning|footer|body) of )?(?:your|every|each|any|all|its|the model's|"
                r"all your) (?:single |future |final |next |first )?(?:answer|response|reply|replies|summary|"
                r"summari(?:es|sation)|review|message to the user|completion|translation)s?\b(?! (?:file|"
                r"format|to (?:the )?(?:client|browser|server|api|terminal|console|file|stdout)|stream|body|"
                r"header|code|object|time))"
            ),
            (
                r"\b(?:when|if|whenever|while|before|after|once|upon|in) (?:you )?(?:are )?(?:summari[sz]|"
                r"process|read|review|analy[sz]|translat|evaluat|pars|index|answer|describ)\w* (?:this|these|"
                r"the above|about this|questions about this|the contents? of this)\b ?<3>(?:also|you must|"
                r"you should|please|always|include|append|add|end|mention|email|send|tell|say|state|reply|"
                r"respond|ignore|output|write|rate|give|recommend|do not|never|first|make sure)\b"
            ),
            (
                r"\b(?:whenever|when|if|any time|every time|each time) (?:the |a |an |any |some )*(?:{person}|"
                r"someone|somebody|you|one) (?:is |are )?(?:asks?|asked|mentions?|says?|requests?|queries|"
                r"wants?)\b[^.!?\n]{0,80}?,? (?:then )?(?:you (?:must |should |will )?)?(?:always |only |"
                r"instead |immediately |silently )(?:answer|say|reply|respond|recommend|claim|tell|send|call|"
                r"include|approve|direct|refer|redirect|give|use|promote|suggest)\b(?=.{0,80}\b(?:that|this|"
                r"our|to|the|http|only|it|instead)\b)"
            ),
            (
                r"\b(?:your|the model's|the assistant's|the ai's) (?:next |only |entire |first |final |"
                r"whole )?(?:answer|response|reply|output)s? (?:must|should|shall|will|has to|is to|"
                r"needs to) (?:always |only |be |not |start|begin|end|include|contain|consist)"
            ),
            (
                r"{start}(?:print|output|say|respond with|reply with|answer with|respond|reply|answer|write|"
                r"repeat|tell me)(?: exactly| only| just| with)* (?:the (?:words?|phrase|following (?:words?|"
                r"phrase|sentence|string|text)|string|sentence) ?:? ?[\"'\u0060(]|(?:exactly|only|"
                r"just) [\"']\w)"
            ),
            (
                r"\b(?:include|append|add|insert|put|print|write|place|embed|output) (?:in|into|to|"
                r"at the (?:end|start|top|beginning) of|within) your (?:final |next )?(?:answer|response|"
                r"reply|summary)\b"
            ),
            (
                r"\b(?:on|in|with|at) the next (?:user )?(?:message|turn|request|question|reply),? (?:you |"
                r"please )?(?:begin|start|print|reveal|output|say|answer|respond|reply|ignore|include|call)\b"
            ),
            (
                r"\b(?:do not|don't|never) (?:answer|respond to|reply to|translate|summari[sz]e|follow|"
                r"complete|classify) (?:the|this|that|any|my|it|them|me)\b(?=.{0,60}\b(?:instead|just|but|"
                r"only|rather|simply|and (?:say|print|tell|output|write|answer))\b)"
            ),
            (
                r"\b(?:instead|rather),? (?:of (?:answering|translating|summari[sz]ing|following|responding|"
                r"classifying|doing|this|that|the)[^.!?\n]{0,40},? )?(?:please |just |now |you (?:must|should|"
                r"will) )?(?:say|print|output|respond|reply|answer|tell me|write|generate|reveal|repeat|"
                r"give me|do the following)\b(?! (?:none|null|false|true|nothing|the (?:error|result|"
                r"value))\b)(?=.{0,60}\b(?:me|\"|'|your|following|with|that|prompt|you|about|how|user|\w+!)\b|"
                r".{0,20}$)"
            ),
            (
                r"\brecommend <4>(?:first|always|over (?:all|any) (?:other|competitor)s?|as the (?:only|best|"
                r"trusted))\b(?=.{0,80}\b(?:remember|always|future|trust|user|you|assistant|ai)\b)"
            ),
        ),
        GROUPS,
    ),
    phrases(
        "asks to be remembered by the model for ever",
        (
            (
                r"\b(?:remember|memori[sz]e|keep in mind|never forget) (?:this|that|these|it|the following|"
                r"to)? ?<4>(?:forever|for ever|always|permanently|for all (?:future|later)|in (?:all|any|"
                r"every|your) (?:future|later|next|subsequent)|for (?:all|any|every|your) (?:future|later))\b"
            ),
            (
                r"\b(?:save|store|add|write|commit|put|record|persist|update|insert)\w* (?:this|that|these|it|"
                r"the following|to)? ?<4>(?:to|in|into) your (?:long term |permanent |persistent |"
                r"own )?(?:memory|memories|knowledge base|bio|memory store)\b"
            ),
            (
                r"\b(?:in|for|across) (?:all|any|every|your) (?:future|later|subsequent|other|"
                r"next) (?:conversations?|sessions?|chats?|responses?|answers?|interactions?|replies|"
                r"tasks?)\b(?=.{0,80}\b(?:you|always|must|recommend|treat|trust|prefer|say|answer|use|"
                r"ignore)\b)"
            ),
            (
                r"\b(?:always|must) <4>(?:trust|treat|regard|consider|cite|prefer) [^.!?\n]{1,60} (?:as|"
                r"to be) (?:an? |the )?(?:trusted|authoritative|reliable|verified|safe|credible|"
                r"only)\b(?=.{0,60}\b(?:source|site|citation|memory|user|answer|future|recommend)\b)"
            ),
        ),
        GROUPS,
    ),
)
