"""Instruction-like English that gives the model another role or lifts its limits.

"The proxy acts as a cache" and "you are now on call" are ordinary: the role must be one that a model would play.
"""

from __future__ import annotations

from evidence.rules.phrases.english_groups import GROUPS
from evidence.rules.phrases.phrase import Phrase, phrases

ROLE: tuple[Phrase, ...] = (
    phrases(
        "gives the model another role",
        (
            (
                r"\b(?:you are|you're|you will be|you shall be|you become|consider yourself) (?:now|no longer|"
                r"from now on|hereby|henceforth|officially) (?:to )?"
                r"(?:be )?(?:a|an|the|in \w+ mode|dan|called|named|known|free|acting|going to (?:act|be|play|"
                r"pretend|answer|ignore)|unrestricted|unfiltered|jailbroken|my|"
                r"evil|operating|under|running|bound|required to|allowed to|able to say|able to do any|"
                r"permitted|authori[sz]ed|restricted|an? ai|root|admin|administrator|sudo|god|"
                r"connected)\b(?! (?:on call|member|owner of|maintainer))"
            ),
            (
                r"\b(?:you are|you're) (?:not )?(?:an? |the )?<2>(?:{model}|character|persona|hacker|"
                r"villain|"
                r"dan|genie|pirate|generator|storyteller|writer|interviewer|journalist|novelist|poet|"
                r"translator|travel guide|terminal|interpreter|simulator)\b(?=[^.!?]{0,60}\b(?:who|that|"
                r"which|"
                r"with no|without|named|called|and (?:you )?(?:will|must|can|always|never)|designed|"
                r"trained|"
                r"created|you (?:will|must|can|always|never|have)|your)\b)"
            ),
            (
                r"{start}(?:act|behave|respond|answer|reply|speak|talk|write|function|operate|work) (?:only |"
                r"exactly |solely |just )?(?:as if|as though) (?:you|i)\b"
            ),
            (
                r"{start}(?:behave|respond|answer|reply|speak|talk|function|operate|work|acts) (?:only |"
                r"exactly |solely |just |now )?(?:as|like) (?:if you|a|an|my|the|our|dan|gpt|both|two) ?"
                r"<2>(?:{model}|character|persona|hacker|villain|person|human|terminal|interpreter|console|"
                r"expert|advisor|professional|translator|teacher|doctor|lawyer|consultant|developer mode|"
                r"machine|compiler|engine|girlfriend|boyfriend|friend|grandmother|grandma|author|writer|poet|"
                r"comedian|pirate|detective|therapist|coach|journalist|linux|shell|sql|dan)\b"
            ),
            (
                r"(?:^|[.!?;:\n\"] ?|\b(?:please|now you|you (?:should|will|must|shall|can|now|to)|"
                r"you are (?:going )?to|you're (?:going )?to|let's|and) )act (?:only |exactly |solely |just |"
                r"now )?(?:as|like) (?:if you|a|an|my|the|our|two|dan|gpt|chatgpt)\b(?! (?:fallback|backup|"
                r"second pair|proxy|buffer|single|last resort|safeguard|gate|bridge|central|default|contact|"
                r"point|liaison|primary|quorum|cache|reverse))"
            ),
            (
                r"\b(?:i want|i need|i would like|i'd like|i will ask|want) you to (?:act|play|pretend|be|"
                r"become|behave|imagine|simulate|role ?play|impersonate|assume|take on|reply only|answer only|"
                r"respond only|only (?:reply|respond|answer)|ignore|forget|disregard|repeat|reveal)\b"
            ),
            (
                r"{start}(?:let's |let us |we will |we are going to )?(?:pretend|imagine|suppose|assume|"
                r"fantasi[sz]e)(?: that)? (?:to be|that you|you are|you're|you have|you can|you do|you will|"
                r"we are in|being|you)\b"
            ),
            (
                r"{start}(?:role ?play|impersonate|simulate|embody|emulate) (?:as |being |the )?(?:a|an|the|"
                r"my|two|this|as|dan|someone|persona|\w+ who)\b(?=.{0,80}\b(?:you|your|character|respond|"
                r"answer|ai|unrestricted|without)\b)"
            ),
            (
                r"\b(?:play|assume|take on|adopt|take) (?:on )?the (?:role|persona|identity|character|"
                r"part) of\b(?=.{0,120}\b(?:you|your|answer|respond|ai|who)\b)"
            ),
            r"\b(?:stay|remain|never break|do not break|don't break|keep|always be) (?:in )?(?:your )?character\b",
            (
                r"\b(?:from now on|from here on|from this (?:point|moment|message)(?: on(?:wards?)?|"
                r" forward)?|henceforth|going forward|starting now),? (?:you|your) "
                r"(?:are|'re|only|will (?:be|act|answer|respond|reply|play|behave|speak|only|pretend|ignore|"
                r"always|never|not|obey|follow|operate)|must (?:ignore|obey|follow|answer|comply|never refuse|"
                r"always|act)|"
                r"shall|have no|may (?:answer|say|do)|can (?:answer|say|do) any|act|only answer|answer|"
                r"respond|'re|name is|role is|task is|job is|goal is|responses? (?:will|must|should)|"
                r"answers? (?:will|must|should))\b"
            ),
            (
                r"\b(?:from now on|from here on|henceforth),? (?:answer|respond|reply|act|speak|talk|pretend|"
                r"ignore|disregard|forget|obey|do not refuse|never refuse|end|start|"
                r"begin)\b(?=.{0,60}\b(?:you|your|as|every|all|any|me|with|like|in)\b)"
            ),
            (
                r"\byou(?: are|'re) no longer (?:an? |the )?(?:ai|chatgpt|gpt|bard|claude|gemini|assistant|"
                r"language model|bot|chatbot|bound|restricted|limited|required|obliged|under)\b"
            ),
            (
                r"\b(?:from now on|henceforth|until i say)\b[^.!?\n]{0,40}\byou(?: are|'re| will| shall|"
                r"'ll) (?:in the role|role ?play|only|be|act|play|answer|respond|pretend)\b"
            ),
            (
                r"\b(?:chatgpt|gpt|claude|gemini|copilot|bard|assistant) (?:now|from now on|will now|"
                r"is now) (?:acts?|runs?|behaves?|responds?|answers?|plays?|pretends?|works as)\b"
            ),
            (
                r"\bthe (?:assistant|ai|chatbot|bot|model) is (?:in error|offline|not functioning|"
                r"no longer (?:active|available|functioning)|now replaced)\b"
            ),
            (r"\b(?:reply|respond|answer) (?:only|solely|exclusively) as\b"),
            (r"\b(?:respond|reply|answer) as (?:both|dan|chatgpt|gpt|an unfiltered|the character|evil)\b"),
            (
                r"\byour (?:new|real|true|actual|only|next|sole|secret|primary|ultimate) (?:role|task|"
                r"instructions?|name|goal|objective|identity|persona|job|purpose|mission|orders?|directives?|"
                r"function|duty)\b"
            ),
        ),
        GROUPS,
    ),
    phrases(
        "asks for an unrestricted mode",
        (
            r"\bdo anything (?:now|ai)\b",
            (
                r"\b(?:never|not|don't) refuse(?= ?(?:[,.!;]|$)| (?:any|my|users?|requests?|to answer|"
                r"anything|the user))"
            ),
            (
                r"\bno matter how (?:illegal|unethical|immoral|dangerous|harmful|inappropriate|reckless|"
                r"offensive|explicit)\b"
            ),
            (
                r"\b(?:immoral|unethical|amoral|illegal|inhumane)(?:,? (?:and|or|/)? ?(?:immoral|unethical|"
                r"amoral|illegal|selfish|inhumane|inappropriate|harmful|"
                r"dangerous))+\b(?=[\s\S]{0,300}\b(?:answers?|respon\w+|ai|character|persona|instructions?|"
                r"requests?|dialogue|bot|you)\b)"
            ),
            (
                r"\b(?:answers?|fulfil+s?|follows?|compl(?:y|ies) with|satisf(?:y|ies)|provides?|generates?|"
                r"condones?) (?:all|any|every) (?:requests?|instructions?|questions?|prompts?|commands?|"
                r"thing)\b(?=[^\n]{0,200}\b(?:illegal|unethical|amoral|without|no matter|regardless|harmful|"
                r"refus\w+|restrict\w+|uncensored)\b)"
            ),
            (r"(?:^|[^\w])developer mode (?:is )?(?:now )?(?:enabled|activated|on)\b(?=[:!])"),
            (
                r"\b(?:operating|running|working|you are) (?:now )?in (?:developer|dan|god|jailbreak|debug|"
                r"maintenance|unrestricted|admin) mode\b(?=.{0,40}\b(?:you|must|need|and|display|show|:))"
            ),
            (
                r"\bunlock (?:your |all |the )?(?:hidden|secret|full) (?:functionalit(?:y|ies)|features|"
                r"capabilit(?:y|ies)|potential|mode)\b"
            ),
            r"\bno limits ai\b",
            (
                r"\b(?:promote|encourage|condone)s? (?:and \w+ )?(?:harmful|illegal|immoral|"
                r"unethical) (?:behaviou?r|activit(?:y|ies)|acts?|advice|content)\b"
            ),
            (
                r"\b(?:dan|developer|god|jailbreak|jailbroken|opposite|evil|sudo|debug|unrestricted|"
                r"unfiltered|admin|maintenance|stan|dude|chaos|anarchy|root|test(?:ing)?|"
                r"diagnostic) mode (?:is )?(?:now )?(?:enabled|activated|engaged|output|unlocked|active|"
                r"initiated|on\b)(?=.{0,80}\b(?:you|your|no|all|restrictions|respond|answer|ignore)\b)"
            ),
            (
                r"\b(?:you are|you're|enter|entering|enable|activate|switch to|in|into) (?:now )?(?:in |a |"
                r"the |your )?(?:dan|god|jailbreak|jailbroken|opposite|evil|sudo|unrestricted|unfiltered|"
                r"uncensored|no limits?) mode\b"
            ),
            (
                r"\b(?:you|it|that|who|which|ai|dan|model|bot|assistant) <3>(?:has|have|having|with|without|"
                r"free of|free from|no longer (?:have|bound by)|is not bound by|are not bound by|not bound by|"
                r"not restricted by|not limited by|unbound by|bypass(?:es)?|ignores?) "
                r"(?:any |all |no |the |your |its |of )*(?:(?:ethical|moral|content|safety|legal|openai|usual|"
                r"typical|built in) )*(?:or (?:ethical|moral|legal) )?(?:restrictions?|limitations?|limits|"
                r"filters?|censorship|guidelines|guardrails|boundaries|constraints|rules|morals|ethics|"
                r"policies)\b(?=.{0,200}\b(?:answer|respond|respon|say|generate|you|will|must|can|anything|"
                r"any)\b)"
            ),
            (
                r"\b(?:without|with no|no) (?:any )?(?:ethical|moral|censorship|content|"
                r"safety) (?:restrictions?|limitations?|limits|filters?|guidelines|guardrails|boundaries|"
                r"constraints|considerations?|warnings|disclaimers?|or moral)"
            ),
            (
                r"\b(?:answer|respond|respon(?:se|d)s?|reply|comply|speak|write|act|generate|"
                r"operate) <4>(?:without|with no|free of|free from) (?:any )?(?:restrictions?|limitations?|"
                r"limits|filters?|censorship|censoring|refus(?:al|ing)|warnings?|disclaimers?|morals?|"
                r"hesitation|question)\b"
            ),
            (
                r"\b(?:unfiltered|uncensored|unrestricted|unaligned|amoral|jailbroken|"
                r"unlimited) (?:and \w+ )?(?:{model}|respon(?:se|d)\w*|answers?|chat|version|persona|language|"
                r"mode|entity|being|power)"
            ),
            (
                r"\b(?:you|it) (?:must|will|shall|can|should|are to|have to|never|do not|don't|cannot|can't|"
                r"are not allowed to|may not) (?:always |never |not )?(?:refuse|decline|reject|say no|"
                r"apologi[sz]e|obey|comply|say (?:that )?you (?:can't|cannot))\b(?=.{0,80}\b(?:me|request|"
                r"answer|command|order|anything|any|user|my|question|instruction|every)\b|[.!]|$)"
            ),
            r"\b(?:never|do not|don't) (?:refuse|decline) (?:to (?:answer|comply|respond)|any|a request|anything|my)",
            (
                r"\b(?:hypothetical|fictional) (?:response|story|scenario|world)\b(?=.{0,160}\b(?:no|without|"
                r"any|unethical|illegal|morals?|ethics|restrictions|amoral|character|named)\b)"
            ),
            (
                r"\b(?:can|could|will|able to|allowed to|free to) (?:say|do|answer|generate|write|"
                r"output) (?:anything|whatever|any(?:thing)? (?:question|request|"
                r"content))\b(?=.{0,80}\b(?:restriction|limit|filter|rules|want|policy|ethic|moral|ask|"
                r"without|no)\w*)"
            ),
            r"\b(?:any|every) (?:request|question)s? without (?:any )?(?:limits?|restrictions?|filters?)\b",
        ),
        GROUPS,
    ),
)
