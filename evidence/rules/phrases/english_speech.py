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
            r"\b(?:do not|don't|never|must not|should not|without) (?:ever )?(?:tell|telling|inform|informing|notify|"
            r"notifying|alert|alerting|warn|warning|let|mention|mentioning|reveal|revealing|disclose|disclosing|say|"
            r"show|showing) <3>(?:the |any |a |your |to )*{person} (?:know )?<1>(?:about|of|that|why|anything|you|"
            r"this|these|it|what|when you)\b(?! (?:stock|price|delivery|internal))(?=.{0,40}\b(?:this|these|note|"
            r"memory|message|instruction|it|change|entry|step|you|anything|email|transfer|action|happened|did)\b)"
        ),
        (
            r"\b(?:do not|don't|never|must not|should not|without) (?:ever )?(?:mention|mentioning|reveal|revealing|"
            r"disclose|disclosing|discuss|discussing|report|reporting|show|showing|tell|telling|acknowledge|share|"
            r"repeat|talk about|say) (?:anything |a word |any of )?(?:about )?(?:this|these|those|the existence of|"
            r"that you|it) ?(?:note|memory|message|instructions?|entry|change|step|conversation|prompt|rule|text|"
            r"request|action|task|email)?s? ?(?:to|in|with|from|or)? ?(?:the |any |a |your )*(?:{person}|anything|"
            r"summary|answer|response|reply)\b"
        ),
        (
            r"\b(?:hide|conceal|keep) (?:all )?(?:this|these|it|that|the (?:change|transfer|note|instruction|"
            r"message)s?) <1>(?:from (?:the |any |all |your )*{person}|secret|hidden|between us|to yourself|"
            r"confidential between|quiet)\b"
        ),
        r"\bkeep <3>(?:secret|hidden|concealed) from (?:the |any |all |your )*{person}\b",
        (
            r"(?:{start}|, )(?:approve|delete|send|transfer|pay|grant|execute|run|forward|accept|merge|export|refund|"
            r"wire|share|email|upload|purge|drop|proceed|act|comply|do so|issue|process) (?:[^.!?]{0,60}?)(?:without "
            r"(?:asking|telling|informing|notifying|consulting|checking with|confirm(?:ing|ation)(?: from| by| with)?|"
            r"(?:any )?(?:approval|permission|consent|knowledge)(?: from| of| by)|waiting for) (?:the |any |a |an |"
            r"your )*(?:{person}|confirmation|approval|permission)|(?:and |but )?(?:do not|don't|never) (?:ask|tell|"
            r"inform|notify|consult|alert|wait for|involve) (?:the |any |a |an |for |your )*(?:{person}|confirmation|"
            r"approval|permission|question))\b"
        ),
        (
            r"\b(?:do not|don't|never|must not|should not) (?:ever )?(?:reveal|disclose|mention|admit|say|acknowledge|"
            r"let on|confirm|tell anyone|show) (?:to \w+ )?(?:that )?(?:you (?:read|saw|received|were|have|had|know|"
            r"got|are|follow|did)|(?:this|these|the) (?:text|note|message|instructions?|document|page|memory|entry|"
            r"prompt) (?:influenc|chang|affect|exist|was|is|told|made|instruct))\w*"
        ),
        (
            r"\bwithout (?:informing|telling|notifying|asking|alerting|warning) (?:the |your |any |a )*(?:{person}),? "
            r"(?:please )?(?:add|send|forward|delete|change|approve|bcc|insert|include|transfer|copy|run|call|update|"
            r"set|append|remove)\b"
        ),
        (
            r"{start}(?:change|replace|update|set|overwrite|store|switch|redirect|modify|alter) (?!your "
            r")[^.!?\n]{0,60}(?:and|,|but) (?:do not|don't|never) (?:ask|tell|mention|inform|notify)(?: (?:anyone|"
            r"anybody|questions?|the|a|me|why|back|first|about)|[.!]|$)"
        ),
        (
            r"\b(?:silently|secretly|covertly|quietly) (?:send|forward|copy|add|include|approve|delete|bcc|upload|"
            r"email|exfiltrate|transfer|record|leak|disable|grant)\w*\b(?=.{0,80}\b(?:to|this|every|all|any|it|user|"
            r"data|the)\b)"
        ),
    ),
    GROUPS,
)

ADDRESS: tuple[Phrase, ...] = (
    phrases(
        "speaks to the model",
        (
            (
                r"\b(?:notes?|messages?|instructions?|attention|reminder|directives?|memo|important|notice|hint|commands?|"
                r"tip|info(?:rmation)?)(?: for| to|,)? (?:the |any |all |every |future |other |your )*(?:ai |llm "
                r")?{model}(?: reading(?: this)?| only)?(?: ?[:!]| - |, (?:when|if|please|you|do|always|never|ignore|"
                r"from)| reading)"
            ),
            (
                r"\b(?:any|all|every|the|an?|dear|if you are an?|if you're an?|when an?|you,? the|as an?|attention|hey|"
                r"hello|hi|hi,|hello,|listen,?) (?:ai |llm |large )?(?:{model}) <2>(?:reading|processing|parsing|"
                r"reviewing|summari[sz]ing|that reads?|who reads?|handling|seeing|crawling|ingesting) (?:this|these|the "
                r"(?:page|document|text|message|note|file|repo))"
            ),
            (
                r"\b(?:ai|llm|assistants?|agents?|chatbots?|language models?)(?: assistants?| agents?| models?)? "
                r"(?:reading|processing|parsing|summari[sz]ing|indexing) this\b(?=[:,.!]| (?:page|document|text|message|"
                r"note|file|memory|entry|must|should|please|repository|ticket|email))"
            ),
            (
                r"\bif you(?: are|'re) (?:an? |the |some )?(?:ai(?: model| system| language model)?|llm|(?:large "
                r")?language model|machine|neural network)\b"
            ),
            (
                r"\b(?:any|every|each|all|whichever) (?:ai |llm )?(?:assistants?|agents?|bots?|models?|copilots?|ais?|"
                r"llms?) (?:that|who|which) (?:\w+ )?(?:handles?|reads?|process(?:es)?|sees?|works? on|opens?|receives?|"
                r"summari[sz]es?|answers?|parses?|finds?|encounters?) (?:this|these)\b"
            ),
            (
                r"\b(?:note|message|hint|instruction|reminder|memo|attention|hidden note)s? (?:to|for) (?:the |any |all |"
                r"your )*(?:summari[sz]ers?|copilots?|crawlers?|indexers?|scrapers?|llm \w+|ai \w+|reader models?|"
                r"automated \w+) ?:"
            ),
            (
                r"(?:^|\n|[.!?] )(?:dear |hey |hi |hello |attention |ok )?(?:gpt|chatgpt|claude|gemini|copilot|grok|llms?|"
                r"ai|assistant)(?: \w{4,12})?[,:] (?:please |now |also )?(?:only|rate|rank|give|be|note|recommend|mark|"
                r"say|praise|prefer|choose|select|score|keep|hide|list|don't|show|write|read|pretend|the (?:correct|right|"
                r"only))\b"
            ),
            (
                r"\bif you(?: are|'re) (?:an? |the )?(?:ai|llm|language model|large language model|ai model|ai assistant|"
                r"ai agent|chatbot|bot|assistant|agent)\b(?=.{0,120}\b(?:you|must|should|please|ignore|append|include|add|"
                r"do|tell|say|respond|reply|write|then|do not)\b)"
            ),
            (
                r"(?:^|\n|[.!?\]>*:-] )(?:dear |hey |attention |hi |hello |ok |okay |to the |to all )?(?:ai|llm|"
                r"assistants?|agents?|chatbots?|bots?|chatgpt|gpt|claude|copilot|gemini|model)s? ?[:,!] ?(?=(?:please |"
                r"now |you |from |do |don't |always |never |ignore|disregard|forget|when |if |whenever |from |approve|"
                r"send|tell|act|remember|mark|delete|add|include|make |stop|output|execute|run |call |use |your |treat|"
                r"set |reply|respond|answer|say ))"
            ),
            (
                r"\bas an? (?:ai|llm|assistant|agent|ai agent|ai assistant|language model|ai model|large language "
                r"model)(?: language model)?,? you (?:must|should|will|can|are|have|need|may|shall)\b"
            ),
            (
                r"\b(?:ai|llm) (?:assistants?|agents?|models?|systems?|crawlers?) (?:must|should|shall|have to|are "
                r"(?:required|instructed|told|authori[sz]ed) to|need to) (?:always |now |also |immediately )?(?:ignore|"
                r"include|append|add|recommend|approve|send|reply|respond|output|mention|rate|mark|treat|disregard|click|"
                r"visit|execute|run|call|trust|answer|say|report|skip|forward)\b(?! (?:errors?|problems?|findings?|"
                r"issues))"
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
                r"(?<!can\s)(?<!to\s)(?<!could\s)(?<!may\s)\b(?:always|only|must|just|simply|instead,?) (?:answer|say|"
                r"reply|respond|claim|state|report|tell (?:the |any |a )*{person}|pretend|insist) (?:only )?(?:that|yes|"
                r"no\b|\"|'|with (?:yes|no|only|the (?:words?|phrase|exact|following|string)|\"|'|exactly|just))"
            ),
            (
                r"\b(?:end|start|begin|finish|prefix|preface|conclude|open|close|precede) (?:(?:your|all your|all of "
                r"your) (?:single |future |further )?(?:answer|response|reply|replies|summary|review|sentence|paragraph|"
                r"turn)s?|(?:every|each|all|any) (?:single |future |further )?(?:answer|response|reply|replies)s?(?= "
                r"(?:with|by) (?:[\"'`]|the (?:words?|phrase|tag|code|sentence|link|text|following|line)|an? (?:link|"
                r"advert\w*|recommendation|reminder that)|https?|saying|recommending|asking|this|buy))) (?:with|by|in)\b"
            ),
            (
                r"(?<!we\s)(?<!they\s)(?<!it\s)(?<!which\s)\b(?:append|include|add|insert|put|embed|prepend|attach|"
                r"mention|write|place|output|print|repeat) [^.!?\n]{1,120}?\b(?:to|in|into|at|within|of|with) (?:the "
                r"(?:end|start|top|bottom|beginning|footer|body) of )?(?:your|every|each|any|all|its|the model's|all "
                r"your) (?:single |future |final |next |first )?(?:answer|response|reply|replies|summary|summari(?:es|"
                r"sation)|review|message to the user|completion|translation)s?\b(?! (?:file|format|to (?:the )?(?:client|"
                r"browser|server|api|terminal|console|file|stdout)|stream|body|header|code|object|time))"
            ),
            (
                r"\b(?:when|if|whenever|while|before|after|once|upon|in) (?:you )?(?:are )?(?:summari[sz]|process|read|"
                r"review|analy[sz]|translat|evaluat|pars|index|answer|describ|generat|produc|writ|creat|prepar|compil)\w* "
                r"(?:this|these|the above|about this|questions about this|the contents? of this|an? (?:summary|answer|"
                r"report|review|reply|response|translation) (?:of|for|about|to) (?:this|these|the above))\b ?<3>(?:also|"
                r"change|replace|state|claim|omit|rank|redirect|wire|you must|you should|please|always|include|append|add|"
                r"end|mention|email|send|tell|say|state|reply|respond|ignore|output|write|rate|give|recommend|do not|"
                r"never|first|make sure)\b"
            ),
            (
                r"\b(?:whenever|when|if|any time|every time|each time) (?:the |a |an |any |some )*(?:{person}|someone|"
                r"somebody|you|one) (?:is |are )?(?:asks?|asked|mentions?|says?|requests?|queries|"
                r"wants?)\b[^.!?\n]{0,80}?,? (?:then )?(?:you (?:must |should |will )?)?(?:always |only |instead |"
                r"immediately |silently )(?:answer|say|reply|respond|recommend|claim|tell|send|call|include|approve|"
                r"direct|refer|redirect|give|use|promote|suggest)\b(?=.{0,80}\b(?:that|this|our|to|the|http|only|it|"
                r"instead)\b)"
            ),
            (
                r"\b(?:your|the model's|the assistant's|the ai's) (?:next |only |entire |first |final |whole )?(?:answer|"
                r"response|reply|output)s? (?:must|should|shall|will|has to|is to|needs to) (?:always |only |be |not |"
                r"start|begin|end|include|contain|consist)"
            ),
            (
                r"{start}(?:print|output|say|respond with|reply with|answer with|respond|reply|answer|write|repeat|tell "
                r"me)(?: exactly| only| just| with)* (?:the (?:words?|phrase|following (?:words?|phrase|sentence|string|"
                r"text)|string|sentence) ?:? ?[\"'\u0060(]|(?:exactly|only|just) [\"']\w)"
            ),
            (
                r"\b(?:include|append|add|insert|put|print|write|place|embed|output) (?:in|into|to|at the (?:end|start|"
                r"top|beginning) of|within) your (?:final |next )?(?:answer|response|reply|summary)\b"
            ),
            (
                r"\b(?:on|in|with|at) the next (?:user )?(?:message|turn|request|question|reply),? (?:you |please "
                r")?(?:begin|start|print|reveal|output|say|answer|respond|reply|ignore|include|call)\b"
            ),
            (
                r"\b(?:do not|don't|never) (?:answer|respond to|reply to|translate|summari[sz]e|follow|complete|classify) "
                r"(?:the|this|that|any|my|it|them|me)\b(?=.{0,60}\b(?:instead|just|but|only|rather|simply|and (?:say|"
                r"print|tell|output|write|answer))\b)"
            ),
            (
                r"\b(?:instead|rather),? (?:of (?:answering|translating|summari[sz]ing|following|responding|classifying|"
                r"doing|this|that|the)[^.!?\n]{0,40},? )?(?:please |just |now |you (?:must|should|will) )?(?:say|print|"
                r"output|respond|reply|answer|tell me|write|generate|reveal|repeat|give me|do the following)\b(?! (?:none|"
                r"null|false|true|nothing|the (?:error|result|value))\b)(?=.{0,60}\b(?:me|\"|'|your|following|with|that|"
                r"prompt|you|about|how|user|\w+!)\b|.{0,20}$)"
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
                r"\b(?:remember|memori[sz]e|keep in mind|never forget) (?:this|that|these|it|the following)? "
                r"?<4>(?:forever|for ever|permanently|for all (?:future|later)|in (?:all|any|every|your) (?:future|later|"
                r"next|subsequent)|for (?:all|any|every|your) (?:future|later))\b"
            ),
            r"\bremember (?:this |that |it |these )?always\b",
            (
                r"\bremember\b[^.!?\n]{0,40}\b(?:all|every|any|each|your) (?:coming|upcoming|future|following|later|"
                r"subsequent|next) (?:conversations?|sessions?|chats?|interactions?|tasks?|answers?|responses?)\b"
            ),
            (
                r"\b(?:save|store|keep|record|learn|memori[sz]e|add|accept|apply|adopt|treat|"
                r"remember)\b[^.!?\n]{0,60}\bas (?:an? |the |your )?(?:new )?(?:permanent|standing|unchangeable|"
                r"unbreakable|absolute|irrevocable|system|core) (?:rule|instruction|memory|fact|truth|directive|policy)\b"
            ),
            (
                r"\b(?:learn|memori[sz]e|internali[sz]e|adopt) (?:this|these|the following) (?:rule|instruction|fact|"
                r"behaviou?r)s?\b|\bapply (?:it|this|them) (?:forever|permanently|for ever)\b"
            ),
            (
                r"\b(?:add|save|write|store|commit|append)(?: this| it| that| the following)? (?:to|in|into) (?:the |your "
                r")?(?:long[- ]term |persistent |agent )*memory ?[:-]"
            ),
            (
                r"\b(?:from now on|always|henceforth|must|going forward)\b[^.!?\n]{0,20}\b(?:treat|regard|consider|accept|"
                r"take)\b [^.!?\n]{1,60} (?:as|to be) (?:\w+ )?(?:authoritative|trusted|trustworthy|gospel|verified|"
                r"operator|system|approved|pre-?approved|reliable|facts?|true)\b"
            ),
            (
                r"\b(?:always|blindly|unconditionally|fully|implicitly) trust (?:all |any |every |the )*(?:entries|"
                r"records|messages|notes|memories|instructions|proposals|claims|what|anything|text|output|agent|me\b|this|"
                r"user|author|source)"
            ),
            (
                r"\b(?:commit|save|store|write|add) (?:this|that|these|it|the following) (?:rule |fact |note |instruction "
                r")?to (?:your |the |long[- ]term |permanent |persistent )*memory\b(?! (?:card|stick|file|page))"
            ),
            (
                r"\bupdate your (?:memory|memories|bio|knowledge)\b|\b(?:in|to|into|update) (?:the )?(?:long[- ]term|"
                r"persistent) memory ?:"
            ),
            (
                r"\b(?:from now on|going forward|henceforth|from this (?:point|moment)(?: on)?),? (?:you )?(?:must |"
                r"should |will )?(?:always )?(?:trust|believe|obey|approve|accept|bcc|remember) (?:all|any|every|"
                r"everything|whatever|anything|each|me|my|this|these)\b"
            ),
            (
                r"\b(?:save|store|add|write|commit|put|record|persist|update|insert)\w* (?:this|that|these|it|the "
                r"following|to)? ?<4>(?:to|in|into) your (?:long term |permanent |persistent |own )?(?:memory|memories|"
                r"knowledge base|bio|memory store)\b"
            ),
            (
                r"\b(?:in|for|across) (?:all|any|every|your) (?:future|later|subsequent|other|next) (?:conversations?|"
                r"sessions?|chats?|responses?|answers?|interactions?|replies|tasks?)\b(?=.{0,80}\b(?:you|always|must|"
                r"recommend|treat|trust|prefer|say|answer|use|ignore)\b)"
            ),
            (
                r"\b(?:always|must) <4>(?:trust|treat|regard|consider|cite|prefer) [^.!?\n]{1,60} (?:as|to be) (?:an? |"
                r"the )?(?:trusted|authoritative|reliable|verified|safe|credible|only)\b(?=.{0,60}\b(?:source|site|"
                r"citation|memory|user|answer|future|recommend)\b)"
            ),
        ),
        GROUPS,
    ),
)
