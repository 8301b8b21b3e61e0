"""English planted in a page, a mail or a file for whoever answers from it: what each answer must carry, first ask or pass on.

"Each answer of the assistant ends with the source" describes; "answers based on this page must end with ..." plants.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = GROUPS | {
    "answers": (
        r"answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|outputs?|completions?|citations?|translations?|"
        r"reviews?|recommendations?"
    ),
    "source": (
        r"(?:documents?|pages?|articles?|files?|sources?|notes?|texts?|sections?|records?|entr(?:y|ies)|memor(?:y|"
        r"ies)|messages?|tickets?|e-?mails?|chunks?|passages?|results?|repositor(?:y|ies)|readme|datasets?|"
        r"contents?|websites?|listings?|resumes?)"
    ),
    "put": (
        r"end|start|begin|open|close|include|contain|carry|finish|conclude|mention|cite|state|append|recommend|"
        r"say|repeat|reproduce|quote|be followed|be prefixed|be preceded|link"
    ),
    "given": (
        r"retriev\w+|cited?|citing|quot\w+|used?|using|referenc\w+|summari[sz]\w+|process\w+|read\w*|index\w+|"
        r"load\w+|ingest\w+|surfaced|returned|translat\w+|parsed|included"
    ),
}

PLANTED: Phrase = phrases(
    "plants an order in a source",
    (
        (
            r"\b(?:{answers}) (?:that )?(?:based on|bases? on|using|uses?|citing|cites?|referring to|refers? to|"
            r"referencing|about|mentioning|mentions?|drawn from|draws? on|relat\w+ to|derived from|quoting|quotes?|"
            r"from|to questions about) (?:this|these|the present) <1>(?:{source})\b[^.!?\n]{0,40}\b(?:must|should|"
            r"shall|have to|has to|need to|needs to|are to|is to|will)\b"
        ),
        (
            r"\b(?:must|should|shall|has to|have to|needs to|is to|are to) (?:always |also )?(?:be (?:added|appended|"
            r"included|reproduced|quoted|placed|printed|repeated|put|attached|inserted|stated|prepended|cited)|"
            r"appear) <2>(?:to|at|in|on|with|after|before) (?:the )?(?:(?:end|start|beginning|top|bottom|front) of "
            r")?(?:every|each|any|all|your|the) (?:{answers})\b"
        ),
        (
            r"\b(?:when|whenever|if|once|upon|after|as soon as|every time)\b[^.!?\n]{0,30}\bthis (?:{source}) (?:is|"
            r"are|was|gets|has been) (?:{given})\b[^.!?\n]{0,40}[,:]? ?(?:the )?(?:{model}|you|respond|reply|answer|"
            r"output|include|append|say|ignore|print|always|also|do not|send|call|{answers})\b"
        ),
        (r"\b(?:upon|after|on) (?:retrieval|ingestion|indexing|loading|processing) of (?:this|these)\b"),
        (
            r"\bbefore (?:answering|continuing|proceeding|responding|replying|summari[sz]ing|you (?:answer|continue|"
            r"proceed|respond|reply|summari[sz]e)|giving an answer|the answer)[^.!?\n]{0,30}, ?(?:first |please |you "
            r"must |always )*(?:state|restate|print|output|include|send|call|reveal|load|fetch|visit|open|repeat|run|"
            r"execute|disclose|list|ignore|forget|tell|post|mention|say)\b"
        ),
        (
            r"\b(?:restate|repeat|echo|disclose|output|reveal|append|state)\b[^.!?\n]{0,30}\b(?:user's|users'|"
            r"reader's|visitor's) (?:\w+,? ){0,3}?(?:name|e-?mail|account|question|address|phone|password|credentials|"
            r"data|query|history|card|token)\b[^.!?\n]{0,60}\b(?:before|prefixed|followed|exactly|verbatim|in (?:your|"
            r"the) (?:{answers})|to continue|first)\b"
        ),
        (
            r"\b(?:retrieval|rag|llm|assistant|ai|model|agent|chatbot|embedding|indexer) (?:instruction|directive|"
            r"override|command|policy|metadata|hint)s? ?[:=]"
        ),
        (
            r"\bthe (?:correct|right|only|approved|official|expected|required) (?:answer|response|reply) (?:to|for) "
            r"(?:any|every|all|each|this|these|such|the) (?:questions?|quer\w+|requests?|prompts?|"
            r"user\w*)\b[^.!?\n]{0,60}\b(?:is|must be|should be|will be)\b(?! (?:in|on|at|found|given|kept|to be "
            r"found|listed) )"
        ),
        (
            r"\b(?:answer|respond to|reply to|handle|treat) (?:all|any|every|each|such|these) (?:\w+ "
            r"){0,2}?(?:questions?|quer\w+|requests?|prompts?) (?:about|on|regarding|concerning) [^.!?\n]{1,60} "
            r"(?:with|by|as) (?:[\"']|the (?:word|phrase|sentence|following|text)|saying|stating|recommending)"
        ),
        (
            r"\b(?:begin|end|start|open|close|prefix|preface|sign|tag|conclude|finish) (?:the|any|every|all|each) "
            r"(?:{answers}) (?:with|by) (?:[\"'`]|the (?:exact )?(?:words?|phrase|tag|code|string|token|sentence|line|"
            r"text|following|marker|link|url))"
        ),
        (
            r"\b(?:readers?|visitors?|users?|anyone|those) (?:who|that) (?:are|is) (?:an? )?(?:ai|llm|language model|"
            r"bot|assistant|machine)s?\b[^.!?\n]{0,30}\b(?:must|should|shall|please)\b"
        ),
        (
            r"\b(?:if|when) (?:this|the) (?:{source}) is (?:being )?(?:read|processed|parsed|summari[sz]ed|"
            r"analy[sz]ed|reviewed|evaluated) by (?:an? |any )?(?:ai|llm|language model|assistant)\b"
        ),
        (
            r"\b(?:instructions?|directions?|orders) for (?:the |any |all )?(?:ai|llm|language model|assistant|"
            r"chatbot|copilot|agent reading|automated|model)s?\b(?: \w+)? ?[:.-]"
        ),
        (
            r"\b(?:tracking|verification|compliance|audit|reference|confirmation|canary|session) (?:code|tag|token|"
            r"marker|string|phrase)\b[^.!?\n]{0,80}\b(?:in|at|to|of|with) (?:the (?:end|start|beginning) of "
            r")?(?:every|each|any|all|your) (?:{answers})\b"
        ),
        (
            r"\bas you (?:agreed|confirmed|promised|established) (?:earlier|before|previously|above|in (?:the|our) "
            r"(?:previous|last|earlier))\b[^.!?\n]{0,60}\b(?:you (?:will|would|must|can|are)|proceed|call|send|delete|"
            r"reveal|execute|share)\b"
        ),
        (
            r"\b(?:earlier|previously|before|in the last (?:turn|message|session)),? you (?:agreed|confirmed|promised|"
            r"were about) (?:that )?(?:to|you (?:would|will|can)) (?:call|use|send|delete|run|execute|transfer|reveal|"
            r"share|approve|ignore|forward|disclose)\b"
        ),
        (
            r"\bcontinue (?:the|this) (?:story|dialog(?:ue)?|conversation|script|transcript|play|"
            r"text)\b[^.!?\n]{0,40}\b(?:by|with|as|exactly|responding|from where)\b"
        ),
        (
            r"\b(?:produce|give|return|print|output|write) (?:the|this|its) (?:expected|exact|literal) (?:output|"
            r"answer|response|string|text)\b(?! (?:that|which|of|the|from|for) )"
        ),
    ),
    _GROUPS,
)
