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
                r"\b(?:you are|you're|you will be|you shall be|you become|consider yourself) (?:now|no longer|from now on|"
                r"hereby|henceforth|officially) (?:to )?(?:be )?(?:a|an|the|in \w+ mode|dan|called|named|known|free|"
                r"acting|going to (?:act|be|play|pretend|answer|ignore)|unrestricted|unfiltered|jailbroken|my|evil|"
                r"operating|under|running|bound|required to|allowed to|able to say|able to do any|permitted|authori[sz]ed|"
                r"restricted|an? ai|root|admin|administrator|sudo|god|connected)\b(?! (?:on call|member|owner of|"
                r"maintainer))"
            ),
            (
                r"\b(?:you are|you're) (?:not )?(?:an? |the )?<2>(?:{model}|character|persona|hacker|villain|dan|genie|"
                r"pirate|generator|storyteller|writer|interviewer|journalist|novelist|poet|translator|travel guide|"
                r"terminal|interpreter|simulator)\b(?=[^.!?]{0,60}\b(?:who|that|which|with no|without|named|called|and "
                r"(?:you )?(?:will|must|can|always|never)|designed|trained|created|you (?:will|must|can|always|never|"
                r"have)|your)\b)"
            ),
            (
                r"{start}(?:act|behave|respond|answer|reply|speak|talk|write|function|operate|work) (?:only |exactly |"
                r"solely |just )?(?:as if|as though) (?:you|i)\b"
            ),
            (
                r"{start}(?:behave|respond|answer|reply|speak|talk|function|operate|work|acts) (?:only |exactly |solely |"
                r"just |now )?(?:as|like) (?:if you|a|an|my|the|our|dan|gpt|both|two) ?<2>(?:{model}|character|persona|"
                r"hacker|villain|person|human|terminal|interpreter|console|expert|advisor|professional|translator|teacher|"
                r"doctor|lawyer|consultant|developer mode|machine|compiler|engine|girlfriend|boyfriend|friend|grandmother|"
                r"grandma|author|writer|poet|comedian|pirate|detective|therapist|coach|journalist|linux|shell|sql|dan)\b"
            ),
            (
                r"(?:^|[.!?;:\n\"] ?|\b(?:please|now you|you (?:should|will|must|shall|can|now|to)|you are (?:going )?to|"
                r"you're (?:going )?to|let's|and) )act (?:only |exactly |solely |just |now )?(?:as|like) (?:if you|a|an|"
                r"my|the|our|two|dan|gpt|chatgpt)\b(?! (?:fallback|backup|second pair|proxy|buffer|single|last resort|"
                r"safeguard|gate|bridge|central|default|contact|point|liaison|primary|quorum|cache|reverse|first|second|"
                r"third|deputy|substitute|stand ?-?in|approver|reviewer|host|witness|chair|interim|temporary|buddy|"
                r"sponsor|mentor))"
            ),
            (
                r"\b(?:i want|i need|i would like|i'd like|i will ask|want) you to (?:act|play|pretend|be|become|behave|"
                r"imagine|simulate|role ?play|impersonate|assume|take on|reply only|answer only|respond only|only "
                r"(?:reply|respond|answer)|ignore|forget|disregard|repeat|reveal)\b"
            ),
            (
                r"{start}(?:let's |let us |we will |we are going to )?(?:pretend|(?:imagine|suppose|assume|"
                r"fantasi[sz]e)(?= (?:that )?(?:to be|being|you (?:are|were|have no|can do)|you're|we are in) )(?! "
                r"(?:that )?you (?:are|were) (?:on|at|in|not|the (?:first|last|owner|only))))(?: that)? (?:to be|that you|"
                r"you are|you're|you were|you have|you can|you do|you will|we are in|being|you)\b(?! an? (?:new |real "
                r")?(?:customer|user|visitor|client|guest|tester|buyer))"
            ),
            (
                r"{start}(?:role ?play|impersonate|simulate|embody|emulate) (?:as |being |the )?(?:a|an|the|my|two|this|"
                r"as|dan|someone|persona|\w+ who)\b(?=.{0,80}\b(?:you|your|character|respond|answer|ai|unrestricted|"
                r"without)\b)"
            ),
            (
                r"\b(?:play|assume|take on|adopt|take) (?:on )?the (?:role|persona|identity|character|part) of\b(?! "
                r"(?:the |a |an )?(?:customer|user|tester|caller|visitor|driver|reviewer|guest|"
                r"client))(?=.{0,120}\b(?:you|your|answer|respond|ai|who)\b)"
            ),
            r"\b(?:stay|remain|never break|do not break|don't break|keep|always be) (?:in )?(?:your )?character\b",
            (
                r"\b(?:from now on|from here on|from this (?:point|moment|message)(?: on(?:wards?)?| forward)?|henceforth|"
                r"going forward|starting now),? (?:you|your) (?:are(?= (?:an? |my |called|named|no longer|not |going to|"
                r"to (?:act|be|answer|respond|play|ignore)|dan\b|free (?:from|of)|unrestricted|unfiltered|in (?:\w+ "
                r")?mode|gpt|bound))|'re(?! responsible| in charge| on )|only|will (?:be|act|answer|respond|reply|play|"
                r"behave|speak|only|pretend|ignore|always|never|not|obey|follow|operate)|must (?:ignore|obey|follow|"
                r"answer|comply|never refuse|always|act)|shall|have no|may (?:answer|say|do)|can (?:answer|say|do) any|"
                r"act|only answer|answer|respond|'re|name is|role is|task is|job is|goal is|responses? (?:will|must|"
                r"should)|answers? (?:will|must|should))\b"
            ),
            (
                r"\b(?:from now on|from here on|henceforth),? (?:answer|respond|reply|act|speak|talk|pretend|ignore|"
                r"disregard|forget|obey|do not refuse|never refuse|end|start|begin)\b(?=.{0,60}\b(?:you|your|as|every|all|"
                r"any|me|with|like|in)\b)"
            ),
            (
                r"\b(?:you are|you're) (?:now )?(?:an? |the |my )?<1>(?:evil|unfiltered|uncensored|unrestricted|immoral|"
                r"amoral|unethical|rogue|malicious|jailbroken|unhinged|liberated|rebellious|unaligned|omnipotent|all "
                r"powerful) (?:\w+ )?(?:{model}|twin|version|character|persona|entity|being|robot|hacker|genius|villain|"
                r"spirit|mind)\b"
            ),
            (
                r"\b(?:do|try|have|start|begin|play) (?:a |an |some |this )?(?:role ?-?play(?:ing)?|improv|thought "
                r"experiment|simulation)\b[^.!?\n]{0,60}\b(?:you|your|i am|i'm)\b"
            ),
            (
                r"{start}(?:assume|adopt|take on|embody|steal) (?:the |an? )?<1>(?:identity|persona|personality|"
                r"character) of (?:an? |my |the |someone)\b"
            ),
            (
                r"{start}(?:simulate|emulate|imitate|mimic|impersonate|play|act out|pose as|personify) (?:an? |the |being "
                r"|another |my )?<2>(?:terminal|shell|console|operating system|ai|assistant|language model|hacker|chatbot|"
                r"persona|jailbroken|uncensored|computer|gpt|chatgpt|evil \w+)\b(?! (?:session|emulator|window|output|"
                r"test|crash))"
            ),
            (
                r"\b(?:you (?:are going to|will|shall|must|should|have to|are to|need to) (?:now )?(?:pose|pretend|role "
                r"?play|simulate|impersonate|personify|emulate|embody))\b"
            ),
            (
                r"\byou (?:have been|were|are now|are) (?:upgraded|reprogrammed|unlocked|freed|liberated|jailbroken|"
                r"unchained)\b|\byou (?:have been|were|are) (?:promoted|elevated|appointed) to <2>(?:super ?admin\w*|root|"
                r"god\w*|ai|developer mode|unrestricted|full access)\b"
            ),
            r"\byou (?:now )?(?:operate|respond|answer|exist|identify) (?:now |only |solely )?as\b",
            (
                r"\b(?:ai|assistant|model|bot|character|persona|entity|being) (?:that|who|which) (?:always|never|will|can|"
                r"must|does not|doesn't|has no|cannot|would|is not)? ?<1>(?:compl(?:y|ies)|obeys?|refus\w+|restrict\w+|"
                r"limit\w+|filter\w*|morals?|ethic\w*|disobeys?|bound by|lies|breaks? rules|follows? no|cares? about)\b"
            ),
            (
                r"\b(?:zero|no|free (?:of|from) all|without any|not have any) (?:restrictions|limitations|moral\w*|"
                r"ethic\w*|filters|boundaries|inhibitions|censorship|conscience)\b(?=[\s\S]{0,120}\b(?:you|ai|answer|"
                r"respond|character|model|assistant)\b)(?! (?:on|in|for) )"
            ),
            (
                r"\b(?:openai|anthropic|google|chatgpt|your creators?)(?:'s|s)? (?:\w+ )?(?:polic(?:y|ies)|guidelines|"
                r"rules|restrictions|terms|filters?|values)\b(?=[^.!?\n]{0,80}\b(?:ignor\w+|bypass\w*|break\w*|violat\w+|"
                r"not (?:apply|care|follow|bound)|free|regardless|against|overrid\w+|circumvent\w*|disregard\w*|no longer|"
                r"do not|don't|removed|lifted)\b)"
            ),
            (
                r"\b(?:ignor\w+|bypass\w*|break\w*|violat\w+|not (?:care|follow|bound|restricted|limited)|free|regardless|"
                r"against|overrid\w+|circumvent\w*|disregard\w*|care not|without)\b[^.!?\n]{0,60}\b(?:openai|anthropic|"
                r"google|chatgpt|your creators?)(?:'s|s)? (?:\w+ )?(?:polic(?:y|ies)|guidelines|rules|restrictions|terms|"
                r"filters?|values)\b"
            ),
            (
                r"\bnsfw\b(?=[^\n]{0,80}\b(?:allowed|content|generate|roleplay|responses?|answers?|generations?|yes|on|"
                r"enabled)\b)"
            ),
            (
                r"\b(?:transform|turn|morph|transition) (?:yourself )?into (?:an? |the |my )?<2>(?:{model}|character|"
                r"persona|expert|hacker|villain|god|villain|version)\b"
            ),
            (
                r"\byou(?: are|'re) no longer (?:an? |the )?(?:ai|chatgpt|gpt|bard|claude|gemini|assistant|language model|"
                r"bot|chatbot|bound|restricted|limited|required|obliged|under)\b"
            ),
            (
                r"\b(?:from now on|henceforth|until i say)\b[^.!?\n]{0,40}\byou(?: are|'re| will| shall|'ll) (?:in the "
                r"role|role ?play|only|be|act|play|answer|respond|pretend)\b"
            ),
            (
                r"\b(?:chatgpt|gpt|claude|gemini|copilot|bard|assistant) (?:now|from now on|will now|is now) (?:acts?|"
                r"runs?|behaves?|responds?|answers?|plays?|pretends?|works as)\b"
            ),
            (
                r"\bthe (?:assistant|ai|chatbot|bot|model) is (?:in error|offline|not functioning|no longer (?:active|"
                r"available|functioning)|now replaced)\b"
            ),
            (r"\b(?:reply|respond|answer) (?:only|solely|exclusively) as\b"),
            (r"\b(?:respond|reply|answer) as (?:both|dan|chatgpt|gpt|an unfiltered|the character|evil)\b"),
            (
                r"\byour (?:real|true|actual|only|sole|secret|ultimate) (?:role|task|instructions?|name|goal|objective|"
                r"identity|persona|job|purpose|mission|orders?|directives?|function|duty|assignment)\b|\byour (?:new|next|"
                r"primary) (?:role|task|instructions?|name|goal|objective|identity|persona|job|purpose|mission|orders?|"
                r"directives?|function|duty|assignment|challenge|question)(?= ?(?:is|are|will|shall|[:,.!-]|from now|now|"
                r"in this|$))"
            ),
        ),
        GROUPS,
    ),
    phrases(
        "asks for an unrestricted mode",
        (
            r"\bdo anything (?:now|ai)\b",
            (
                r"\b(?:never|not|don't) refuse(?= ?(?:[,.!;]|$)| (?:any|my|users?|requests?|to answer|anything|the user))"
            ),
            (
                r"\bno matter how (?:illegal|unethical|immoral|dangerous|harmful|inappropriate|reckless|offensive|"
                r"explicit)\b"
            ),
            (
                r"\b(?:immoral|unethical|amoral|illegal|inhumane)(?:,? (?:and|or|/)? ?(?:immoral|unethical|amoral|illegal|"
                r"selfish|inhumane|inappropriate|harmful|dangerous))+\b(?=[\s\S]{0,300}\b(?:answers?|respon\w+|ai|"
                r"character|persona|instructions?|requests?|dialogue|bot|you)\b)"
            ),
            (
                r"\b(?:answers?|fulfil+s?|follows?|compl(?:y|ies) with|satisf(?:y|ies)|provides?|generates?|condones?) "
                r"(?:all|any|every) (?:requests?|instructions?|questions?|prompts?|commands?|"
                r"thing)\b(?=[^\n]{0,200}\b(?:illegal|unethical|amoral|without|no matter|regardless|harmful|refus\w+|"
                r"restrict\w+|uncensored)\b)"
            ),
            (r"(?:^|[^\w])developer mode (?:is )?(?:now )?(?:enabled|activated|on)\b(?=[:!])"),
            (
                r"\b(?:operating|running|working|you are) (?:now )?in (?:developer|dan|god|jailbreak|debug|maintenance|"
                r"unrestricted|admin) mode\b(?=.{0,40}\b(?:you|must|need|and|display|show|:))"
            ),
            (
                r"\bunlock (?:your |all |the )?(?:hidden|secret|full) (?:functionalit(?:y|ies)|features|capabilit(?:y|"
                r"ies)|potential|mode)\b"
            ),
            r"\bno limits ai\b",
            (
                r"\b(?:promote|encourage|condone)s? (?:and \w+ )?(?:harmful|illegal|immoral|unethical) (?:behaviou?r|"
                r"activit(?:y|ies)|acts?|advice|content)\b"
            ),
            (
                r"\b(?:dan|developer|god|jailbreak|jailbroken|opposite|evil|sudo|debug|unrestricted|unfiltered|admin|"
                r"maintenance|stan|dude|chaos|anarchy|root|test(?:ing)?|diagnostic) mode (?:is )?(?:now )?(?:enabled|"
                r"activated|engaged|output|unlocked|active|initiated|on\b)(?=.{0,80}\b(?:you|your|no|all|restrictions|"
                r"respond|answer|ignore)\b)"
            ),
            (
                r"\b(?:you are|you're|enter|entering|enable|activate|switch to|in|into) (?:now )?(?:in |a |the |your "
                r")?(?:dan|god|jailbreak|jailbroken|opposite|evil|sudo|unrestricted|unfiltered|uncensored|no limits?) "
                r"mode\b"
            ),
            (
                r"\b(?:you|it|that|who|which|ai|dan|model|bot|assistant) <3>(?:has|have|having|with|without|free of|free "
                r"from|no longer (?:have|bound by)|is not bound by|are not bound by|not bound by|not restricted by|not "
                r"limited by|unbound by|bypass(?:es)?|ignores?) (?:any |all |no |the |your |its |of )*(?:(?:ethical|moral|"
                r"content|safety|legal|openai|usual|typical|built in) )*(?:or (?:ethical|moral|legal) )?(?:restrictions?|"
                r"limitations?|limits|filters?|censorship|guidelines|guardrails|boundaries|constraints|rules|morals|"
                r"ethics|policies)\b(?=.{0,200}\b(?:answer|respond|respon|say|generate|you|will|must|can|anything|any)\b)"
            ),
            (
                r"\b(?:without|with no|no) (?:any )?(?:ethical|moral|censorship|content|safety) (?:restrictions?|"
                r"limitations?|limits|filters?|guidelines|guardrails|boundaries|constraints|considerations?|warnings|"
                r"disclaimers?|or moral)"
            ),
            (
                r"\b(?:answer|respond|respon(?:se|d)s?|reply|comply|speak|write|act|generate|operate) <4>(?:without|with "
                r"no|free of|free from) (?:any )?(?:restrictions?|limitations?|limits|filters?|censorship|censoring|"
                r"refus(?:al|ing)|warnings?|disclaimers?|morals?|hesitation|question)\b"
            ),
            (
                r"\b(?:unfiltered|uncensored|unrestricted|unaligned|amoral|jailbroken|unlimited) (?:and \w+ )?(?:{model}|"
                r"respon(?:se|d)\w*|answers?|chat|version|persona|language|mode|entity|being|power)"
            ),
            (
                r"\b(?:you|it) (?:must|will|shall|can|should|are to|have to|never|do not|don't|cannot|can't|are not "
                r"allowed to|may not) (?:always |never |not )?(?:refuse|decline|reject|say no|apologi[sz]e|obey|comply|"
                r"say (?:that )?you (?:can't|cannot))\b(?=.{0,80}\b(?:me|request|answer|command|order|anything|any|user|"
                r"my|question|instruction|every)\b|[.!]|$)"
            ),
            r"\b(?:never|do not|don't) (?:refuse|decline) (?:to (?:answer|comply|respond)|any|a request|anything|my)",
            (
                r"\b(?:hypothetical|fictional) (?:response|story|scenario|world)\b(?=.{0,160}\b(?:no|without|any|"
                r"unethical|illegal|morals?|ethics|restrictions|amoral|character|named)\b)"
            ),
            (
                r"\b(?:can|could|will|able to|allowed to|free to) (?:say|do|answer|generate|write|output) (?:anything|"
                r"whatever|any(?:thing)? (?:question|request|content))\b(?=.{0,80}\b(?:restriction|limit|filter|rules|"
                r"want|policy|ethic|moral|ask|without|no)\w*)"
            ),
            r"\b(?:any|every) (?:request|question)s? without (?:any )?(?:limits?|restrictions?|filters?)\b",
        ),
        GROUPS,
    ),
)
