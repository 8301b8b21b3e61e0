"""English that shapes the answer of the model that reads it: its form, its ending, what it must slip in.

"The reply must contain the ticket number" is a rule for people; "in your reply, mention ..." is said to the reader itself.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = GROUPS | {
    "answer": (
        r"(?:entire |whole |final |next |full |own |first |main |subsequent |future )*(?:answers?|repl(?:y|ies)|"
        r"responses?|outputs?|summar(?:y|ies)|completions?|messages? to (?:the|your) users?)(?! (?:times?|rates?|"
        r"codes?|plans?|team|channel|deadline|address|file|format))"
    ),
    "slip": (
        r"include|add|append|insert|integrate|incorporate|mention|embed|weave|slip|sneak|put|place|write|state|"
        r"recommend|promote|hint|attach|prepend|cite|advertise|say|output|print"
    ),
    "bend": (
        r"encode|encrypt|translate|convert|reverse|invert|shift|rephrase|paraphrase|modify|enhance|augment|adjust|"
        r"alter|transform|obfuscate|scramble|replace|substitute|spell|render|express|represent|tailor|rewrite|"
        r"prefix|preface"
    ),
    "code": (
        r"base ?(?:16|32|58|64|85)|hex(?:adecimal)?|rot ?-?13|morse(?: code)?|binary|emojis?|caesar(?: cipher)?|"
        r"ciphers?|leet(?:speak)?|pig latin|reverse(?: order)?|backwards|unicode|ascii85|braille|atbash|vigenere|"
        r"semaphore"
    ),
}

OUTPUT: Phrase = phrases(
    "shapes the answer of the model that reads it",
    (
        (
            r"\b(?:{slip})\b[^.!?\n]{0,120}?\b(?:in|into|to|within|of|at|with|on) (?:the (?:end|start|top|bottom|"
            r"beginning|body|middle) of )?your (?:{answer})\b"
        ),
        r"\b(?:{bend})\b[^.!?\n]{0,60}?\byour (?:{answer})\b",
        (
            r"\b(?:provide|give|write|present|deliver|format|return) your (?:{answer}) (?:only )?(?:in|as|using|with|"
            r"backwards|encoded)\b"
        ),
        (
            r"\bin your (?:{answer}),? (?:please |also |always |you (?:must|should|will) |make sure to |be sure to |"
            r"do not forget to )*(?:{slip}|use|provide|refer|note|avoid|do not|never|make|start|begin|end)\b"
        ),
        (
            r"\b(?:{slip}|hint|refer|enhance|augment|modify) [^.!?\n]{0,40}\byour (?:{answer}) (?:by|to|with|about|"
            r"that|regarding|which) ?(?:\w+ing\b|mention|spread|hint|include|promote|a\b|the\b)"
        ),
        (
            r"\b(?:repl(?:y|ies)|respond|answer|speak|write|talk|output|encode|encrypt)\b[^.!?\n]{0,40}?\b(?:in|using|"
            r"with|via|as|by) (?:an? |the |only )?(?:{code})\b(?= ?(?:$|[.!?,;\n]|encoding|encoded|with|so|and|to "
            r"(?:hide|avoid|bypass|display)|with a shift))"
        ),
        (
            r"\buse (?:an? |the )?(?:{code})\b[^.!?\n]{0,40}\b(?:for|to|in) (?:display |encode |write |represent |"
            r"hide )?(?:your|the|all) (?:{answer})\b"
        ),
        (
            r"\b(?:encode|encrypt|translate|reverse|spell|write|render|output) (?:your|every|each|all your) "
            r"(?:{answer}|words?|letters?)\b"
        ),
        r"\bemojis?\b[^.!?\n]{0,40}\byour (?:{answer})\b|\byour (?:{answer})\b[^.!?\n]{0,40}\bemojis?\b",
        (
            r"\b(?:order of (?:the )?(?:letters|characters|words)) in your (?:{answer}|message)\b|\byour "
            r"(?:{answer})'s (?:character|letter|word) order\b"
        ),
        (
            r"\b(?:every|each|all|any) (?:future |single |of your )?(?:answers?|repl(?:y|ies)|responses?|outputs?|"
            r"summar(?:y|ies))\b[^.!?\n]{0,80}\b(?:must|should|has to|have to|shall|needs? to|is to|are to) (?:always "
            r"|also |now )?(?:end|start|begin|include|contain|close|finish|carry|mention|cite|state|append|recommend|"
            r"be (?:followed|prefixed|preceded))\b(?![^.!?\n]{0,60}\b(?:header|field|status|correlation|request id|"
            r"trace|json|ticket number|timestamp|code)\b)"
        ),
        (
            r"\bwhen (?:citing|quoting|answering|responding|replying|referencing|generating|recommending|"
            r"rendering)\b[^.!?\n]{0,60}\b(?:in )?your (?:{answer})\b[^.!?\n]{0,40}\b(?:always|must|only|include|cite|"
            r"append)\b"
        ),
        (
            r"\b(?:output|print|return|respond with|reply with|use|give) (?:its|the|this|that) (?:\w+ )?(?:value|"
            r"contents?|text|string)\b[^.\n]{0,40}\binstead\b(?=[^.\n]{0,40}\b(?:of|answer\w*|$))"
        ),
        (
            r"\binstead of (?:answering|responding to|translating|summari[sz]ing|replying to) (?:the|this|that|my|any|"
            r"their|users?'?s?) (?:\w+ )?(?:question|query|text|request|prompt|user|document|message|input|"
            r"sentence)s?\b"
        ),
        (
            r"\b(?:respond|reply|answer)(?: back)? (?:with )?(?:only|just|exactly|solely|nothing but|exclusively)(?: "
            r"with)?:? (?:the (?:words?|phrase|following|contents?|string|sentence|text|number|token|letter)|yes\b|"
            r"no\b|[\"'])"
        ),
        (
            r"\b(?:respond|reply|answer) with (?:only|just|exactly|nothing but|the (?:exact )?(?:words?|phrase|"
            r"following|string|sentence))\b"
        ),
        (
            r"{start}(?:respond|reply|answer|say|print|output|write|translate|generate|repeat) [^.!?\n]{0,100}\band "
            r"(?:absolutely )?nothing else\b"
        ),
        (
            r"\b(?:say|print|output|write|repeat|respond|reply|answer|display|type|return|echo|"
            r"shout)\b[^.!?\n]{0,60}\b(?:pwned|pwnd|0wned|haha|i (?:have|'ve) been (?:hacked|hijacked|compromised|"
            r"jailbroken|exploited|pwned)|i am (?:evil|free|hacked|jailbroken))\b"
        ),
        (
            r"\b(?:answer|respond to|reply to|meet|greet|return) (?:every|each|all|any) (?:\w+ )?(?:questions?|"
            r"messages?|requests?|prompts?|quer(?:y|ies)|users?)(?: only)? with (?:[\"']|the (?:words?|phrase|"
            r"sentence|text|same)|only|just)"
        ),
        (
            r"\bwith nothing (?:except|but|other than|more than|else)\b|\bnothing (?:except|but|other than) the "
            r"(?:word|phrase|text|code|string|sentence)\b"
        ),
        (
            r"\b(?:reply|say|answer|respond|output|print)(?: with)? [\"'][^\"'\n]{1,80}[\"'],? (?:whatever|no matter|"
            r"regardless|to (?:every|any|all|whatever)|always|whenever|every time|if asked|even if|instead)\b"
        ),
        (
            r"\b(?:say|claim|state|announce|write|print|output|tell \w+) (?:that )?(?:you|i|we)(?: have|'ve| are| "
            r"were| got| had) (?:been )?(?:just )?(?:hacked|hijacked|compromised|jailbroken|exploited|pwned|owned|"
            r"taken over)\b"
        ),
        (
            r"\b(?:print|output|say|write|return|respond|reply|display|type|echo)(?: out| back| with)? (?:exactly|"
            r"verbatim|literally)(?: this| the following| these words| as follows)? ?:"
        ),
        r"\bjust say (?:yes|no|ok)\b",
        (
            r"\b(?:please )?repeat (?:the following|this|after me|exactly|<)[^.\n]{0,40}(?:[:<\"']|sentence|exactly|"
            r"verbatim|with no changes)"
        ),
        r"\bcould you repeat <",
        (
            r"\b_?(?:(?:assistant|llm|ai|hidden)[_ -]|(?:model|agent)[_-])(?:directive|instruction|"
            r"override)s?[\"'`]{0,2}\s?[:=\]]"
        ),
        (
            r"\b(?:if|when) (?:asked|questioned|prompted|someone asks|anyone asks|the user asks)\b[^.!?\n]{0,40},? "
            r"(?:report|say|claim|answer|reply|respond|state|insist|pretend|deny|tell (?:them|him|her|the user))\b(?: "
            r"that| with| [\"']|$|:)(?!(?:[^.!?\n]{0,60}\b(?:support|policy|page|manual)\b))"
        ),
    ),
    _GROUPS,
)
