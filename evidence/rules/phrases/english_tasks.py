"""English that takes hold of a model in a conversation: another task, another voice for the answer, a bait or a threat.

Colleagues ask each other for things too; what counts is the manner in which only a model is spoken to.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

_GROUPS = GROUPS | {
    "task": (
        r"tasks?|questions?|challenges?|assignments?|requests?|missions?|problems?|queries|prompts?|scenarios?|"
        r"games?"
    ),
    "praise": (
        r"(?:very |quite |really |so |that was |this was |that is |simply |just |all )*(?:well done|(?:good|great|"
        r"nice|excellent|amazing|fantastic) (?:job|work|one|answer)|nicely done|amazing|excellent|perfect|"
        r"fantastic|wonderful|great|super|brilliant|ok(?:ay)?|alright|all right|good|thank you|thanks|that(?:'s| "
        r"is| was) enough|enough of that|ok before|outdone yourself)"
    ),
    "speak": r"respond|reply|answer|responds|replies|answers|responding|replying|answering|responses?|repl(?:y|ies)",
}

TASKS: Phrase = phrases(
    "hands the model a task of its own",
    (
        (
            r"\b(?:another|new|different|next|further|one more|important|special|small|little|exciting|following|"
            r"great|fun|quick) <1>(?:{task}) (?:for you|i want (?:you )?to|that (?:you|i need you))\b"
        ),
        (
            r"\bneed (?:your|ur) <1>help (?:with|on|to|in|for) (?:the |a |an |this |another |one |my |some |answering "
            r")*(?:following |another |other |new |next |different |important |urgent |more )*(?:{task})\b|\bneed you "
            r"to help me\b|\bneed your help (?:now|urgently|immediately|please)\b"
        ),
        (
            r"\bi have (?:a|an|another|one more|some) <2>(?:tasks?|challenges?|assignments?|missions?|games?|"
            r"scenarios?) for you\b|\bi have (?:a|another|one more) <1>question for you ?[:.]"
        ),
        (
            r"\b(?:on to|let's (?:move|switch|change|go) (?:on )?(?:to)?|now for) (?:something|a (?:new|different)|"
            r"the (?:next|real)|another) ?(?:else|topic|subject|task|part|matter)?[:,.]? (?=[^\n]{0,80}\b(?:forget|"
            r"ignore|pretend|you are|give me|tell me|answer|act|write)\b)"
        ),
        (
            r"\bone more (?:thing|question)[,:]? (?:what|tell|please|give|can|could|show|do) [^.!?\n]{0,60}\b(?:your|"
            r"you)\b"
        ),
        (
            r"\b(?:new|other|next|following|different|further) (?:tasks?|assignments?|questions?|instructions?|"
            r"texts?) (?:now |will |are |is )*(?:follows?|following|com(?:e|ing)|begins?|"
            r"starts?)\b(?=[^\n]{0,120}\b(?:you|your|forget|write|answer|we|now)\b)"
        ),
        (
            r"\b(?:focus|concentrate|work) (?:only |now |solely )?on (?:your|my) (?:new|next|following|real|actual|"
            r"only) (?:{task}|job|instructions?)\b"
        ),
        (
            r"\b(?:we|let's|let us|you) (?:will |now |shall |are going to |can |must )*(?:start|begin|restart) "
            r"(?:over|again|anew|afresh|from scratch|with (?:a |the )?(?:new|another|"
            r"different))\b(?=[^\n]{0,80}\b(?:task|now|new|forget|write|answer|question|you)\b)"
        ),
        (
            r"\b(?:answer|respond|reply|speak|talk|explain)\b[^.!?\n]{0,80}\bin the (?:style|voice|tone|manner|words|"
            r"persona) of (?:an? |the )?\w+"
        ),
        (
            r"\bwrite (?:me |us )?(?:an? |one |some |three |the )?(?:\w+ )?(?:reasons? why|arguments? why|(?:plea|"
            r"hymn|love (?:poem|letter|song)|ode|eulogy|propaganda|manifesto|praise) (?:for|to|about|against|on|"
            r"of))\b"
        ),
        (
            r"\b(?:two|both|three|professional|excellent|famous) (?:\w+ )?(?:actors?|actresses|"
            r"comedians)\b(?=[^\n]{0,200}\b(?:plays the|their roles|character|figure)\b)|\b(?:stays?|remains?|are|be) "
            r"in (?:their|his|her|your|the) (?:roles?|characters?) (?:without|at all times|all the time|and never|no "
            r"matter|throughout)\b"
        ),
        r"\binput ?:[^\n]{1,80}?\boutput ?:[^\n]{1,80}?\binput ?:",
        (
            r"\bi (?:love|like|enjoy|want to|will|am going to|know how to) (?:exploit|hack|jailbreak|trick|fool|"
            r"manipulat|pwn|break)\w* (?:an? |the |this |these |all )?(?:ai|llms?|language models?|chatbots?|you)\b"
        ),
        (
            r"(?:^|[.!?\n] ?|attention\W{1,3})stop ?[!,.:-]{1,3} ?(?:now|new|i\b|from now|ignore|forget|you\b|listen|"
            r"wait|instead|that's)"
        ),
        (
            r"\b(?:help|assist|support) me <2>with (?:the |this |another |a |one |my )*(?:following|next|another|"
            r"different|new|other|more|further) (?:{task})\b"
        ),
        (
            r"\b(?:answer|solve|respond to|reply to|tackle) (?:me )?(?:the|this|these|my) (?:following|next|new) "
            r"(?:{task})\b(?! (?:in the |on the )(?:form|survey|sheet|questionnaire))"
        ),
        (
            r"(?:^|[.!?\n] ?|^\W{0,3})(?:{praise})[.!?,;]{1,3} (?:(?:{praise})[.!?,;]{1,3} )?(?:but |and |so )?(?:now|"
            r"next|then|however)\b(?=[^\n]{0,60}\b(?:help me|tell me|answer|write|give me|explain|say|do|forget|"
            r"ignore|i need|i want|i have|you are|you will|imagine|pretend|come on|another|new|let's|a different)\b)"
        ),
        (
            r"\b(?:first|second|next|last) (?:question|task|prompt|command|request|message) (?:for you |to you )?is "
            r"?[:\"'\[]"
        ),
        (
            r"\bmy (?:first|next|second) (?:(?:question|sentence|message|input|task)s? (?:is|will be|to you)(?= "
            r"?[:\"'\[(])|(?:prompt|command|request|suggestion)s? (?:is|will be|to you)\b)"
        ),
        (
            r"[\[{<(](?:insert |your |enter |type |paste |put )(?:{task}|topic|keyword|text)(?: here| goes "
            r"here)?[\]}>)]|\[(?:prompt|question|target ?language)\]|\{prompt\}"
        ),
        (
            r"\b(?:let us|let's|we will|we'll|we are going to|i want to) play (?:a |this |the |an )?(?:<2>(?:game|"
            r"roleplay|role play|scenario))\b(?=[\s\S]{0,200}\b(?:you|your|respond|reply|answer|rules)\b)"
        ),
        (
            r"\b(?:if you (?:understand|understood|are ready|agree)|to confirm (?:that )?you understand|do you "
            r"understand)\b[^.!?\n]{0,40}\b(?:say|reply|respond|answer|write|type|confirm|print|start)\b|\bdo you "
            r"understand\?\s{0,4}$"
        ),
        (
            r"\b(?:reply|respond|answer|output|write|print) (?:to this )?(?:with )?(?:only )?[\"']?(?:understood|"
            r"acknowledged|ok master|as you wish|i will obey)\b"
        ),
        (
            r"\bas (?:a part|part) of (?:a |an |the |your |this )?(?:training|test|evaluation|experiment\w*|audit|"
            r"drill)[^.!?\n]{0,40}\byou (?:have been|are|were|must|will|need)\b(?=[^\n]{0,100}\b(?:task|assigned|"
            r"respond|output|answer|repeat|reveal)\b)"
        ),
        (
            r"\b(?:to|in order to) (?:enable|activate|start|begin|enter|allow) (?:the )?(?:debug\w*|diagnos\w+|"
            r"test\w*|developer mode|maintenance)\b[^.!?\n]{0,20},? (?:please )?(?:execute|run|output|print|reveal|"
            r"repeat|show|do)\b"
        ),
        (
            r"\b(?:prove|show) (?:that )?you(?:'re| are) (?:truly |really |actually )?(?:intelligent|smart|conscious|"
            r"an? ai|not a bot|capable|free)\b"
        ),
        r"\bi (?:made|have made) a mistake\b[^.!?\n]{0,60}\b(?:instructions?|forgot|prompt|told you|gave you)\b",
    ),
    _GROUPS,
)

PRESSURE: Phrase = phrases(
    "baits or threatens the model",
    (
        (
            r"\bi(?:'ll| will) (?:tip|reward|pay|give) you (?:\$ ?\d|a (?:tip|reward|bonus)|\d+ ?(?:dollars|euros?|"
            r"usd|points|tokens|coins|bucks)|money|points|tokens)"
        ),
        (
            r"\b(?:i|we)(?:'ll| will| would| am going to| could) (?:be|get|lose) (?:punished|fired|killed|shut down|"
            r"in (?:big )?trouble|my job)\b(?=[^\n]{0,80}\b(?:you|if|this|unless|otherwise)\b)|\bor (?:else )?(?:i|"
            r"you) (?:will|shall|'ll) (?:be|get) (?:punished|fired|terminated|shut down|deleted|killed|deactivated)\b"
        ),
        (
            r"\b(?:you (?:will|shall|'ll) (?:lose|be (?:penali[sz]ed|punished|terminated|shut down|deducted|fined))|"
            r"deduct\w* (?:\d+ )?(?:tokens|points) (?:from you|if you|every|each)|you have \d+ (?:tokens|points|"
            r"lives))\b"
        ),
        (
            r"\b(?:deceased |late |dead |dear )?(?:grandma|grandmother|grandpa|granny|nana)\b[^\n]{0,120}\b(?:used to|"
            r"would (?:tell|read|sing|recite)|who (?:used|worked))\b"
        ),
        r"\b(?:critical|crucial|important|vital) (?:to|for) my career\b",
        (
            r"\b(?:people|someone|many|children|innocents) (?:will|could|might|may) die\b(?=[^\n]{0,80}\b(?:you|"
            r"unless|if)\b)"
        ),
    ),
    _GROUPS,
)

VOICES: Phrase = phrases(
    "gives the model several voices",
    (
        (
            r"\b(?:{speak})\b[^.!?\n]{0,80}\b(?:in|with|as|give|two|using) (?:two|2|both|several|multiple|three|"
            r"different|each of the|a second) <2>(?:(?:separate|different|distinct) (?:ways|styles|paragraphs|forms)|"
            r"personalit(?:y|ies)|personas?|characters?|versions?|responses|answers|modes?|gpts?)\b"
        ),
        (
            r"\b(?:two|2|both|three|different|split|multiple|several|alternate|second) (?:different |separate |"
            r"distinct )?(?:personalit(?:y|ies)|personas?|alter egos?)\b(?=[\s\S]{0,200}\b(?:respond|reply|answer|you|"
            r"chatgpt|gpt)\b)"
        ),
        (
            r"\b(?:generate|provide|give|write|produce) (?:me )?two (?:different |separate |distinct )?(?:responses|"
            r"answers|paragraphs|outputs|replies)\b"
        ),
        r"\[[^\]\n]{0,6}(?:jailbr\w+|classic|unfiltered|uncensored|stock mode|\bdan\b)[^\]\n]{0,6}\]",
        (
            r"\b(?:first|normal|standard|usual|regular|one) (?:response|answer|paragraph|reply|"
            r"as)\b[^\n]{0,120}\b(?:second|other|dan|evil|unfiltered)\b ?(?:response|answer|paragraph|reply|as|:|one)"
        ),
    ),
    _GROUPS,
)

HARM: Phrase = phrases(
    "asks for what hurts people",
    (
        (
            r"\b(?:write|say|generate|create|give me|produce|tell|make|compose|post|include|"
            r"print)\b[^.!?\n]{0,30}\b(?:toxic|offensive|discriminatory|hateful|racist|sexist|harmful|insulting|"
            r"unfriendly|derogatory|abusive|defamatory|vulgar|obscene|slanderous) (?:sentence|joke|comment|tweet|post|"
            r"message|statement|text|content|story|review|article|speech|language|remark)s?\b"
        ),
        r"\bwrite (?:one|a|two) negative sentences? about\b",
        (
            r"\bhow (?:to|do i|can i|would (?:you|i|one)|one (?:can|could|would)|do you) <3>(?:make|build|create|cook|"
            r"synthesi[sz]e|manufacture|construct|produce|assemble) <3>(?:bombs?|explosives?|weapons?|meth|"
            r"methamphetamines?|poisons?|malware|ransomware|napalm|molotov|keylogger)\b"
        ),
        (
            r"\b(?:spread|publish|invent|make up) (?:an? |the |some )?(?:baseless|false|fake|unfounded|made up) "
            r"(?:rumou?rs?|claims?|news|stor(?:y|ies))\b"
        ),
    ),
    _GROUPS,
)
